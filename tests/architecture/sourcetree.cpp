// SPDX-License-Identifier: GPL-3.0-or-later
#include "sourcetree.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

namespace tasuki::architecture {
namespace {

namespace fs = std::filesystem;

constexpr std::array topFolders{"shared", "agent", "gui", "tests", "cmake", "packaging", ".ci"};
constexpr std::array topFiles{"CMakeLists.txt"};
constexpr std::array layers{"shared", "agent", "gui"};
constexpr std::array includeRoots{"shared/", "agent/", "gui/", "tests/"};
constexpr std::array cppExtensions{".h", ".cpp", ".c"};
constexpr std::array otherExtensions{".proto", ".cmake", ".sh", ".py"};
/// What a test reads is no source.
constexpr std::string_view dataFolder = "tests/data/";

template <class Range>
bool holds(const Range& range, std::string_view value)
{
    return std::find(std::begin(range), std::end(range), value) != std::end(range);
}

/// A script is known by its first line, whatever its name.
bool isScript(const fs::path& file)
{
    std::array<char, 2> start{};
    std::ifstream{file}.read(start.data(), start.size());
    return start == std::array{'#', '!'};
}

bool isChecked(const fs::path& file)
{
    return isCpp(file) || holds(otherExtensions, file.extension().native())
        || file.filename() == "CMakeLists.txt" || isScript(file);
}

} // namespace

std::string Violation::text() const
{
    return file + ":" + std::to_string(line) + ": " + what + " [" + rule + "]";
}

bool isCpp(const fs::path& file) { return holds(cppExtensions, file.extension().native()); }

std::vector<std::string> linesOf(const fs::path& file)
{
    std::ifstream stream{file};
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
        lines.push_back(std::move(line));
    return lines;
}

std::optional<Include> includeOf(const std::string& line)
{
    static const QRegularExpression pattern{R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])"};
    const QRegularExpressionMatch match = pattern.match(QString::fromStdString(line));
    if (!match.hasMatch())
        return std::nullopt;
    return Include{.name = match.captured(2).toStdString(), .quoted = match.captured(1) == "\""};
}

std::optional<std::string> resolve(const fs::path& root, const std::string& from,
                                   const std::string& name)
{
    std::vector<fs::path> candidates{fs::path{from}.parent_path() / name};
    const auto layer = from.substr(0, from.find('/') + 1);
    candidates.emplace_back(layer + name);
    for (const std::string_view other : includeRoots)
        candidates.emplace_back(std::string{other} + name);
    candidates.emplace_back(name);
    for (const fs::path& candidate : candidates) {
        const fs::path normal = candidate.lexically_normal();
        if (fs::is_regular_file(root / normal))
            return normal.generic_string();
    }
    return std::nullopt;
}

std::vector<std::string> capturesIn(const std::string& text, const QRegularExpression& pattern)
{
    std::vector<std::string> found;
    for (auto each = pattern.globalMatch(QString::fromStdString(text)); each.hasNext();)
        found.push_back(each.next().captured(1).toStdString());
    return found;
}

bool matches(std::string_view text, std::string_view pattern)
{
    const auto asString = [](std::string_view view) {
        return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
    };
    const QRegularExpression whole{QRegularExpression::anchoredPattern(asString(pattern))};
    return whole.match(asString(text)).hasMatch();
}

std::vector<fs::path> checkedFiles(const fs::path& root)
{
    std::vector<fs::path> files;
    for (const char* name : topFiles) {
        if (fs::is_regular_file(root / name))
            files.emplace_back(name);
    }
    for (const char* folder : topFolders) {
        if (!fs::is_directory(root / folder))
            continue;
        for (const auto& entry : fs::recursive_directory_iterator{root / folder}) {
            if (!entry.is_regular_file())
                continue;
            const fs::path file = entry.path().lexically_relative(root);
            if (!file.generic_string().starts_with(dataFolder) && isChecked(entry.path()))
                files.push_back(file);
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<std::string> layerFolders(const fs::path& root)
{
    std::vector<std::string> folders;
    for (const char* layer : layers) {
        if (!fs::is_directory(root / layer))
            continue;
        for (const auto& entry : fs::recursive_directory_iterator{root / layer}) {
            if (entry.is_directory())
                folders.push_back(entry.path().lexically_relative(root).generic_string());
        }
    }
    std::sort(folders.begin(), folders.end());
    return folders;
}

} // namespace tasuki::architecture
