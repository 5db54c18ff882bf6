// SPDX-License-Identifier: GPL-3.0-or-later
#include "layerrules.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

namespace tasuki::architecture {
namespace {

namespace fs = std::filesystem;

/// A header that only some folders may include.
struct HeaderRule {
    std::string_view name;
    std::string_view pattern; ///< of the name between <> or ""
    std::vector<std::string_view> allowedUnder;
};

/// A folder that must not include files of another one.
struct LayerRule {
    std::string_view name;
    std::string_view from;
    std::string_view notTo;
};

const std::vector<HeaderRule>& headerRules()
{
    static const std::vector<HeaderRule> rules{
        {"mpi",
         R"(mpi(-ext)?\.h)",
         {"agent/transport/mpi/", "agent/probe/mpi/", "agent/tracer/", "tests/"}},
        {"qt", R"((Qt[A-Z]\w*/.*)|(Q[A-Z]\w*)|(q[a-z]+\.h))", {"gui/", "tests/"}},
    };
    return rules;
}

constexpr std::array layerRules{
    LayerRule{"agent-gui", "agent/", "gui/"},       LayerRule{"gui-agent", "gui/", "agent/"},
    LayerRule{"shared-agent", "shared/", "agent/"}, LayerRule{"shared-gui", "shared/", "gui/"},
    LayerRule{"agent-tests", "agent/", "tests/"},   LayerRule{"gui-tests", "gui/", "tests/"},
    LayerRule{"shared-tests", "shared/", "tests/"},
};

/// The innermost layer: itself and the standard library.
constexpr std::string_view domainFolder = "shared/domain/";
/// A standard C++ header: a lower-case word without a dot.
constexpr std::string_view standardHeader = "[a-z][a-z0-9_]*";

constexpr std::string_view licence = "SPDX-License-Identifier: GPL-3.0-or-later";
constexpr std::size_t lineLimit = 600;

constexpr std::array topFolders{"shared", "agent", "gui", "tests", "cmake", "packaging", ".ci"};
constexpr std::array topFiles{"CMakeLists.txt"};
constexpr std::array includeRoots{"shared/", "agent/", "gui/", "tests/"};
constexpr std::array cppExtensions{".h", ".cpp", ".c"};
constexpr std::array otherExtensions{".proto", ".cmake", ".sh", ".py"};
/// What a test reads is no source.
constexpr std::string_view dataFolder = "tests/data/";

/// The words that mark unfinished work; split, so that this file keeps the rule too.
const QRegularExpression& leftOver()
{
    static const QRegularExpression pattern{"\\b(?:TO"
                                            "DO|FIX"
                                            "ME|XX"
                                            "X)\\b"};
    return pattern;
}

/// @return whether the whole text is of a pattern
bool matches(std::string_view text, std::string_view pattern)
{
    const auto asString = [](std::string_view view) {
        return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
    };
    const QRegularExpression whole{QRegularExpression::anchoredPattern(asString(pattern))};
    return whole.match(asString(text)).hasMatch();
}

template <class Range>
bool holds(const Range& range, std::string_view value)
{
    return std::find(std::begin(range), std::end(range), value) != std::end(range);
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

struct Include {
    std::string name;
    bool quoted = false;
};

std::optional<Include> includeOf(const std::string& line)
{
    static const QRegularExpression pattern{R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])"};
    const QRegularExpressionMatch match = pattern.match(QString::fromStdString(line));
    if (!match.hasMatch())
        return std::nullopt;
    return Include{.name = match.captured(2).toStdString(), .quoted = match.captured(1) == "\""};
}

/// @return the file that an include means, relative to the root, as the compiler would find it:
///         beside the including file, from the root of its own layer, from the other layers
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

class Checker {
public:
    explicit Checker(fs::path root) : m_root(std::move(root)) {}

    void check(const fs::path& file)
    {
        m_file = file.generic_string();
        const std::vector<std::string> lines = linesOf(m_root / file);
        checkLicence(lines);
        if (lines.size() > lineLimit)
            report(0, "length", std::to_string(lines.size()) + " lines");
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const auto mark = leftOver().match(QString::fromStdString(lines[i]));
            if (mark.hasMatch())
                report(i + 1, "left-over", mark.captured().toStdString());
            if (!isCpp(file))
                continue;
            if (const auto include = includeOf(lines[i]))
                checkInclude(i + 1, *include);
        }
    }

    [[nodiscard]] std::vector<Violation> take() && { return std::move(m_violations); }

private:
    void report(std::size_t line, std::string_view rule, std::string what)
    {
        m_violations.push_back({m_file, line, std::string{rule}, std::move(what)});
    }

    /// First line, or second after the line that names a script's interpreter.
    void checkLicence(const std::vector<std::string>& lines)
    {
        const std::size_t at = !lines.empty() && lines[0].starts_with("#!") ? 1 : 0;
        if (lines.size() <= at || lines[at].find(licence) == std::string::npos)
            report(at + 1, "licence", "no licence line");
    }

    void checkInclude(std::size_t line, const Include& include)
    {
        for (const HeaderRule& rule : headerRules()) {
            const bool allowed = std::any_of(
                rule.allowedUnder.begin(), rule.allowedUnder.end(),
                [this](std::string_view folder) { return m_file.starts_with(folder); });
            if (!allowed && matches(include.name, rule.pattern))
                report(line, rule.name, include.name);
        }
        const auto target = resolve(m_root, m_file, include.name);
        for (const LayerRule& rule : layerRules) {
            if (target && m_file.starts_with(rule.from) && target->starts_with(rule.notTo))
                report(line, rule.name, *target);
        }
        if (m_file.starts_with(domainFolder)) {
            const bool own = target && target->starts_with(domainFolder);
            const bool standard = !include.quoted && matches(include.name, standardHeader);
            if (!own && !standard)
                report(line, "domain", include.name);
        }
    }

    fs::path m_root;
    std::string m_file;
    std::vector<Violation> m_violations;
};

} // namespace

std::string Violation::text() const
{
    return file + ":" + std::to_string(line) + ": " + what + " [" + rule + "]";
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

std::vector<Violation> checkTree(const fs::path& root)
{
    Checker checker{root};
    for (const fs::path& file : checkedFiles(root))
        checker.check(file);
    return std::move(checker).take();
}

} // namespace tasuki::architecture
