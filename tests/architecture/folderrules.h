// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sourcetree.h"

#include <filesystem>
#include <vector>

namespace tasuki::architecture {

/// Holds the folders of shared, agent and gui against the tables "may include" of ARCHITECTURE.md:
/// each folder has a row, includes what its row names and nothing else, and has a README.md that
/// names the files there, and whose line "May include:" names the same. No two folders include each other, over any way.
///
/// | rule            | broken by                                                        |
/// |-----------------|------------------------------------------------------------------|
/// | folder-table    | a folder without a row, or a row without a folder                 |
/// | folder          | an include that the row does not name                             |
/// | folder-unused   | a name in the row that nothing in the folder includes             |
/// | folder-cycle    | folders that include each other, but for the known pair           |
/// | readme          | a folder without README.md                                        |
/// | readme-includes | a README.md that names others than the row                        |
/// | readme-files    | a README.md that does not name a source file, with or without its ending |
/// @return all violations
std::vector<Violation> checkFolders(const std::filesystem::path& root);

} // namespace tasuki::architecture
