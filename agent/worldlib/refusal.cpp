// SPDX-License-Identifier: GPL-3.0-or-later
#include "refusal.h"

#include "program.h"

#include <cstdio>

namespace tasuki::world {

int refuse(const char* function)
{
    std::fprintf(stderr, "tasuki-world: error: %s is not there in a world\n", function);
    return fail(MPI_COMM_WORLD, MPI_ERR_UNSUPPORTED_OPERATION);
}

} // namespace tasuki::world
