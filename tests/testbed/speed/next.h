// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace tasuki::testbed {

/// @return the function of this name in the libraries after this one: that of a library preloaded
///         after it, if there is one, else the usual one. Ends the process when there is none.
template <typename Function>
Function nextSymbol(const char* name)
{
    void* const symbol = dlsym(RTLD_NEXT, name);
    if (symbol == nullptr) {
        std::fprintf(stderr, "testbed: error: no library has %s\n", name);
        std::abort();
    }
    return reinterpret_cast<Function>(symbol);
}

} // namespace tasuki::testbed
