// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace tasuki::worldhost {

/// @return path of the library that answers the MPI calls of a world's programs; it belongs to this program, and may be missing
std::string worldLibrary();
/// @return the same of the library that traces MPI calls
std::string tracerLibrary();

} // namespace tasuki::worldhost
