// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sourcetree.h"

#include <filesystem>
#include <vector>

namespace tasuki::architecture {

/// ARCHITECTURE.md, CONTRIBUTING.md, docs/*.md, and the README.md of the folders of shared, agent and
/// gui.
/// @return paths relative to the root, sorted
std::vector<std::filesystem::path> documents(const std::filesystem::path& root);

/// What users read: README.md and docs/guide/*.md.
/// @return paths relative to the root, sorted
std::vector<std::filesystem::path> userDocuments(const std::filesystem::path& root);

/// Holds these documents against the tree. What users read has words of the shell, not names of the
/// sources, between backquotes: of it, length, links and sections are checked.
///
/// | rule     | broken by                                                                        |
/// |----------|----------------------------------------------------------------------------------|
/// | length   | ARCHITECTURE.md with more than 300 lines, README.md with more than 250 or more than 14,000 bytes |
/// | path     | a path between backquotes that does not exist                                      |
/// | word     | an identifier between backquotes that no source has                                |
/// | function | `file:function` whose function is not defined in that file                         |
/// | link     | a link to a file that does not exist                                               |
/// | section  | a file name, a comma and a section's name, here or in a source, where that document has no such heading |
/// | package  | a package of packaging/packages-debian that ARCHITECTURE.md gives no reason for    |
/// @return all violations
std::vector<Violation> checkDocuments(const std::filesystem::path& root);

} // namespace tasuki::architecture
