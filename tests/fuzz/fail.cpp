// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzztarget.h"

#include <cstdio>
#include <cstdlib>

namespace tasuki::fuzz {

void fail(const char* what)
{
    std::fprintf(stderr, "wrong: %s\n", what);
    std::abort();
}

} // namespace tasuki::fuzz
