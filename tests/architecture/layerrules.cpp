// SPDX-License-Identifier: GPL-3.0-or-later
#include "layerrules.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
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
         {"agent/transport/mpi/", "agent/probe/mpi/", "agent/tracer/", "agent/worldlib/",
          "tests/"}},
        {"qt", R"((Qt[A-Z]\w*/.*)|(Q[A-Z]\w*)|(q[a-z]+\.h))", {"gui/", "tests/"}},
        {"qt-charts",
         R"((QtCharts/.*)|(Q\w*Chart\w*)|(QBar\w+)|(QValueAxis))",
         {"gui/chart/", "tests/"}},
        {"sqlite", R"(sqlite3\.h)", {"shared/runfile/", "tests/"}},
        {"toml", R"(toml(\+\+|plusplus).*)", {"shared/config/"}},
        {"xxhash", R"(xxhash\.h)", {"shared/merge/", "shared/runfile/"}},
        {"openssl", R"(openssl/.*)", {"shared/wire/", "agent/control/"}},
        {"json",
         R"(nlohmann/.*)",
         {"shared/wire/", "agent/planning/", "agent/report/", "agent/steering/", "tests/"}},
        {"curses", R"((ncurses|curses|term)\.h)", {"agent/steering/"}},
        {"math", R"(boost/math/.*)", {"agent/probe/"}},
        {"options", R"(boost/program_options.*)", {"agent/startup/", "tests/"}},
        // Farm, hierarchy and exchange of maps are logic that a test drives by hand.
        {"asio",
         R"(boost/asio.*)",
         {"agent/control/", "agent/membership/", "agent/launch/", "agent/link/", "agent/mergerun/",
          "agent/node/", "agent/process/", "agent/reactor/", "agent/startup/", "agent/steering/",
          "tests/"}},
        {"protobuf", R"((google/protobuf/.*)|(.*\.pb\.h))", {"shared/wire/", "tests/"}},
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

/// The words that mark unfinished work; split, so that this file keeps the rule too.
const QRegularExpression& leftOver()
{
    static const QRegularExpression pattern{"\\b(?:TO"
                                            "DO|FIX"
                                            "ME|XX"
                                            "X)\\b"};
    return pattern;
}

class TreeChecker {
public:
    explicit TreeChecker(fs::path root) : m_root(std::move(root)) {}

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

std::vector<Violation> checkTree(const fs::path& root)
{
    TreeChecker checker{root};
    for (const fs::path& file : checkedFiles(root))
        checker.check(file);
    return std::move(checker).take();
}

} // namespace tasuki::architecture
