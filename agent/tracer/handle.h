// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "requesttable.h"

#include <cstring>

namespace tasuki::tracer {

/// @param handle  of MPI: a pointer or an integer, as the implementation likes
template <class MpiHandle>
Handle toHandle(MpiHandle handle)
{
    static_assert(sizeof(MpiHandle) <= sizeof(Handle));
    Handle number = 0;
    std::memcpy(&number, &handle, sizeof(MpiHandle));
    return number;
}

} // namespace tasuki::tracer
