// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tasuki::world {

/// Says that a function is not there, by one line, and asks the error handler of MPI_COMM_WORLD.
/// @return an MPI error code
int refuse(const char* function);

} // namespace tasuki::world
