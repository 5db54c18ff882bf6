// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <cstring>
#include <string>

namespace tasuki::tracer {

/// @return what was being done and the system's own words
/// @param errorNumber  the value of errno
inline Error failure(std::string what, int errorNumber)
{
    return {.message = std::move(what) + ": " + std::strerror(errorNumber)};
}

} // namespace tasuki::tracer
