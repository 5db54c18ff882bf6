// SPDX-License-Identifier: GPL-3.0-or-later
#include "folderrules.h"

#include <QRegularExpression>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace tasuki::architecture {
namespace {

namespace fs = std::filesystem;

using Folders = std::set<std::string>;

constexpr const char* tablesFile = "ARCHITECTURE.md";
constexpr const char* tableHead = "| folder | what lives there | may include |";
constexpr const char* readmeLine = "May include:";
/// Everybody may include it; no row names it.
constexpr const char* everybodys = "shared/domain";
/// Headers that are made of .proto files while the project is built.
constexpr const char* protocols = "shared/wire";

/// The one include that closes a ring: UniqueFd lives in process, which spools.
constexpr const char* ringFrom = "agent/spool";
constexpr const char* ringTo = "agent/process";

struct Row {
    std::size_t line = 0;
    Folders mayInclude;
};

/// @return what stands between backquotes
Folders namesIn(const std::string& text)
{
    static const QRegularExpression name{"`([^`]+)`"};
    const std::vector<std::string> found = capturesIn(text, name);
    return {found.begin(), found.end()};
}

/// @return the rows of all tables of folders, by folder
std::map<std::string, Row> rowsOf(const fs::path& root)
{
    std::map<std::string, Row> rows;
    bool inside = false;
    std::size_t number = 0;
    for (const std::string& line : linesOf(root / tablesFile)) {
        ++number;
        inside = line == tableHead || (inside && line.starts_with('|'));
        if (!inside || line == tableHead || line.starts_with("|---"))
            continue;
        const std::string first = line.substr(0, line.find('|', 1));
        const std::string last = line.substr(line.rfind('|', line.size() - 2));
        if (const Folders folder = namesIn(first); folder.size() == 1)
            rows[*folder.begin()] = {.line = number, .mayInclude = namesIn(last)};
    }
    return rows;
}

/// An include of another folder.
struct Use {
    std::string file;
    std::size_t line = 0;
    std::string folder;
};

/// @return the folder that an include means; none: it is none of the project's, or unknown
std::optional<std::string> folderOf(const fs::path& root, const std::string& from,
                                    const Include& include)
{
    if (include.name.ends_with(".pb.h"))
        return protocols;
    if (const auto file = resolve(root, from, include.name))
        return fs::path{*file}.parent_path().generic_string();
    // What is made while the project is built stands in the folder of who makes it.
    const std::string layer = from.substr(0, from.find('/') + 1);
    const fs::path made = layer + fs::path{include.name}.parent_path().generic_string();
    if (include.quoted && made.has_filename() && fs::is_directory(root / made))
        return made.generic_string();
    return std::nullopt;
}

std::vector<Use> usesOf(const fs::path& root, const std::string& folder)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator{root / folder}) {
        if (entry.is_regular_file() && isCpp(entry.path()))
            files.push_back(entry.path().lexically_relative(root));
    }
    std::sort(files.begin(), files.end());
    std::vector<Use> uses;
    for (const fs::path& file : files) {
        std::size_t number = 0;
        for (const std::string& line : linesOf(root / file)) {
            ++number;
            const auto include = includeOf(line);
            if (!include)
                continue;
            const auto used = folderOf(root, file.generic_string(), *include);
            if (used && *used != folder)
                uses.push_back({.file = file.generic_string(), .line = number, .folder = *used});
        }
    }
    return uses;
}

class FolderChecker {
public:
    explicit FolderChecker(fs::path root) : m_root(std::move(root)), m_rows(rowsOf(m_root)) {}

    void checkAll()
    {
        const std::vector<std::string> folders = layerFolders(m_root);
        for (const std::string& folder : folders) {
            checkIncludes(folder);
            checkReadme(folder);
        }
        for (const auto& [folder, row] : m_rows) {
            if (!std::binary_search(folders.begin(), folders.end(), folder))
                report(tablesFile, row.line, "folder-table", "no folder " + folder);
        }
        for (const std::string& folder : folders) {
            if (reaches(folder, folder))
                report(folder, 0, "folder-cycle", "includes itself by way of others");
        }
    }

    [[nodiscard]] std::vector<Violation> take() && { return std::move(m_violations); }

private:
    void report(std::string file, std::size_t line, std::string rule, std::string what)
    {
        m_violations.push_back({std::move(file), line, std::move(rule), std::move(what)});
    }

    void checkIncludes(const std::string& folder)
    {
        const auto row = m_rows.find(folder);
        if (row == m_rows.end()) {
            report(tablesFile, 0, "folder-table", "no row for " + folder);
            return;
        }
        Folders& used = m_used[folder];
        for (const Use& use : usesOf(m_root, folder)) {
            if (use.folder == everybodys)
                continue;
            used.insert(use.folder);
            if (!row->second.mayInclude.contains(use.folder))
                report(use.file, use.line, "folder", use.folder);
        }
        for (const std::string& named : row->second.mayInclude) {
            if (!used.contains(named))
                report(tablesFile, row->second.line, "folder-unused",
                       folder + " does not include " + named);
        }
        if (folder == ringFrom)
            used.erase(ringTo);
    }

    void checkReadme(const std::string& folder)
    {
        const std::string file = folder + "/README.md";
        if (!fs::is_regular_file(m_root / file)) {
            report(file, 0, "readme", "is missing");
            return;
        }
        checkNamedFiles(folder, file);
        const auto row = m_rows.find(folder);
        std::size_t number = 0;
        for (const std::string& line : linesOf(m_root / file)) {
            ++number;
            if (!line.starts_with(readmeLine))
                continue;
            Folders named = namesIn(line);
            named.erase(everybodys);
            if (row != m_rows.end() && named != row->second.mayInclude)
                report(file, number, "readme-includes", "differs from the row of " + folder);
            return;
        }
        report(file, 0, "readme-includes", std::string{"no line \""} + readmeLine + '"');
    }

    /// A header stands for its pair.
    void checkNamedFiles(const std::string& folder, const std::string& readme)
    {
        Folders named;
        for (const std::string& line : linesOf(m_root / readme)) {
            for (const std::string& name : namesIn(line))
                named.insert(fs::path{name}.stem().string());
        }
        Folders missing;
        for (const auto& entry : fs::directory_iterator{m_root / folder}) {
            if (const fs::path& path = entry.path(); isCpp(path) && !named.contains(path.stem()))
                missing.insert(path.stem().string());
        }
        for (const std::string& stem : missing)
            report(readme, 0, "readme-files", "does not name " + stem);
    }

    /// @return whether a folder includes another one, over any number of others
    [[nodiscard]] bool reaches(const std::string& from, const std::string& to) const
    {
        Folders seen;
        std::vector<std::string> open{from};
        while (!open.empty()) {
            const auto uses = m_used.find(open.back());
            open.pop_back();
            if (uses == m_used.end())
                continue;
            for (const std::string& next : uses->second) {
                if (next == to)
                    return true;
                if (seen.insert(next).second)
                    open.push_back(next);
            }
        }
        return false;
    }

    fs::path m_root;
    std::map<std::string, Row> m_rows;
    std::map<std::string, Folders> m_used; ///< but shared/domain, and without the known ring
    std::vector<Violation> m_violations;
};

} // namespace

std::vector<Violation> checkFolders(const fs::path& root)
{
    FolderChecker checker{root};
    checker.checkAll();
    return std::move(checker).take();
}

} // namespace tasuki::architecture
