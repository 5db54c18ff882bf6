// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

class QRegularExpression;

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

/// The folders of shared, agent and gui, at any depth.
/// @return paths relative to the root, sorted, e.g. "agent/transport/mpi"
std::vector<std::string> layerFolders(const std::filesystem::path& root);

/// @return whether a file is C or C++, by its name
bool isCpp(const std::filesystem::path& file);

/// @return the lines of a file; none when it cannot be read
std::vector<std::string> linesOf(const std::filesystem::path& file);

/// What an #include line names.
struct Include {
    std::string name;
    bool quoted = false;
};

/// @return what a line includes; none: it is no such line
std::optional<Include> includeOf(const std::string& line);

/// @return the file that an include means, relative to the root, as the compiler would find it:
///         beside the including file, from the root of its own layer, from the other layers
std::optional<std::string> resolve(const std::filesystem::path& root, const std::string& from,
                                   const std::string& name);

/// @return the first group of all matches of a pattern in a text, in order
std::vector<std::string> capturesIn(const std::string& text, const QRegularExpression& pattern);

/// @return whether the whole text is of a pattern
bool matches(std::string_view text, std::string_view pattern);

} // namespace tasuki::architecture
