// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace tasuki::architecture {

/// One place in the tree that breaks a rule.
struct Violation {
    std::string file;     ///< relative to the root of the tree
    std::size_t line = 0; ///< from 1; 0: the file as a whole
    std::string rule;     ///< name of the rule, e.g. "mpi"
    std::string what;     ///< what was found

    /// @return "file:line: what [rule]"
    [[nodiscard]] std::string text() const;
    bool operator==(const Violation&) const = default;
};

/// Files of the tree that the rules look at: sources, build files and scripts, without build
/// directories and test data.
/// @param root  the top of a checkout
/// @return paths relative to the root, sorted
std::vector<std::filesystem::path> checkedFiles(const std::filesystem::path& root);

/// Holds all checked files against the rules for includes, the licence line, length and left-over
/// marks. The rules stand as tables at the top of layerrules.cpp.
/// @return all violations, in the order of files and lines
std::vector<Violation> checkTree(const std::filesystem::path& root);

} // namespace tasuki::architecture
