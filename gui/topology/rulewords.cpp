// SPDX-License-Identifier: GPL-3.0-or-later
#include "rulewords.h"

#include "models/patternwords.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <utility>

namespace tasuki::rulewords {

namespace {

constexpr auto rulesContext = "TopologyRules";

constexpr std::array known{
    QT_TRANSLATE_NOOP("TopologyRules", "milliseconds, a whole number from %1 to %2"),
    QT_TRANSLATE_NOOP("TopologyRules", "heartbeats, a whole number from %1 to %2"),
    QT_TRANSLATE_NOOP("TopologyRules", "seconds, a whole number from %1 to %2"),
    QT_TRANSLATE_NOOP("TopologyRules", "a whole number from %1 to %2"),
    QT_TRANSLATE_NOOP("TopologyRules", "lost_after is %1, suspect_after %2"),
    QT_TRANSLATE_NOOP("TopologyRules",
                      "expected lost_after above suspect_after, e.g. lost_after = %1"),
    QT_TRANSLATE_NOOP("TopologyRules", "there are no subclusters"),
    QT_TRANSLATE_NOOP("TopologyRules",
                      "write, for each, [[subcluster]] and under it name = %1 and active = N"),
    QT_TRANSLATE_NOOP("TopologyRules", "name %1 is empty"),
    QT_TRANSLATE_NOOP("TopologyRules", "name %1 is longer than %2 characters"),
    QT_TRANSLATE_NOOP("TopologyRules", "name %1 has a blank in it"),
    QT_TRANSLATE_NOOP("TopologyRules", "name %1 has another character than those in it"),
    QT_TRANSLATE_NOOP("TopologyRules", "name %1 has a %2 in it"),
    QT_TRANSLATE_NOOP("TopologyRules", "expected %1 to %2 letters, digits, - or _, e.g. name = %3"),
    QT_TRANSLATE_NOOP("TopologyRules", "two subclusters have the name %1"),
    QT_TRANSLATE_NOOP("TopologyRules", "give each one a name of its own"),
    QT_TRANSLATE_NOOP("TopologyRules", "minimum is %1, active %2"),
    QT_TRANSLATE_NOOP("TopologyRules", "expected a minimum of at most active, e.g. minimum = %1"),
    QT_TRANSLATE_NOOP("TopologyRules", "units is %1, but the subcluster has %2 processor"),
    QT_TRANSLATE_NOOP("TopologyRules", "units is %1, but the subcluster has %2 processors"),
    QT_TRANSLATE_NOOP(
        "TopologyRules",
        "units are those of each host, with a processor each at least: expected at most %1"),
    QT_TRANSLATE_NOOP("TopologyRules", "hosts names %1 hosts, but the subcluster has %2 processor"),
    QT_TRANSLATE_NOOP("TopologyRules",
                      "hosts names %1 hosts, but the subcluster has %2 processors"),
    QT_TRANSLATE_NOOP(
        "TopologyRules",
        "hosts names %1 hosts of %2 units each, but the subcluster has %3 processors"),
    QT_TRANSLATE_NOOP("TopologyRules", "name at most %1"),
    QT_TRANSLATE_NOOP("TopologyRules", "name at most %1, or write fewer units"),
    QT_TRANSLATE_NOOP("TopologyRules", "host %1 is empty"),
    QT_TRANSLATE_NOOP("TopologyRules", "host %1 is longer than %2 bytes"),
    QT_TRANSLATE_NOOP("TopologyRules", "host %1 has a blank in it"),
    QT_TRANSLATE_NOOP("TopologyRules", "host %1 has a control character in it"),
    QT_TRANSLATE_NOOP("TopologyRules", "write the name that mpirun knows the computer by, e.g. %1"),
    QT_TRANSLATE_NOOP("TopologyRules", "host %1 is named twice"),
    QT_TRANSLATE_NOOP("TopologyRules",
                      "name it once: a subcluster takes as many of its processors as it needs"),
    QT_TRANSLATE_NOOP("TopologyRules", "more than %1 hosts"),
    QT_TRANSLATE_NOOP("TopologyRules", "make several subclusters of it"),
    QT_TRANSLATE_NOOP("TopologyRules", "more than %1 subclusters"),
    QT_TRANSLATE_NOOP("TopologyRules", "make fewer, larger ones"),
    QT_TRANSLATE_NOOP("TopologyRules", "up to here the subclusters need %1 processors"),
    QT_TRANSLATE_NOOP("TopologyRules", "expected at most %1 in all"),
    // Of layouts.
    QT_TRANSLATE_NOOP("TopologyRules", "needs %1 processor %2, the launch has %3"),
    QT_TRANSLATE_NOOP("TopologyRules", "needs %1 processors %2, the launch has %3"),
    QT_TRANSLATE_NOOP("TopologyRules",
                      "start with -n %1, or change active, standby and io to %2 in all"),
    QT_TRANSLATE_NOOP("TopologyRules", "start with -n %1, or write active = %2"),
    QT_TRANSLATE_NOOP("TopologyRules", "there is no host %1 in the launch"),
    QT_TRANSLATE_NOOP("TopologyRules", "did you mean %1? There are %2"),
    QT_TRANSLATE_NOOP("TopologyRules", "host %1 may be %2 or %3"),
    QT_TRANSLATE_NOOP("TopologyRules", "write the whole name"),
    QT_TRANSLATE_NOOP("TopologyRules",
                      "subcluster %1 takes no processor of host %2: the others have enough, or "
                      "others have taken them"),
    QT_TRANSLATE_NOOP("TopologyRules",
                      "leave the host out, or start fewer processors on the others"),
    QT_TRANSLATE_NOOP("TopologyRules", "subcluster %1 needs %2 processor, its hosts have %3 %4"),
    QT_TRANSLATE_NOOP("TopologyRules", "subcluster %1 needs %2 processors, its hosts have %3 %4"),
    QT_TRANSLATE_NOOP("TopologyRules",
                      "subcluster %1 needs %2 processor, its hosts have %3 that subclusters above "
                      "do not take %4"),
    QT_TRANSLATE_NOOP("TopologyRules",
                      "subcluster %1 needs %2 processors, its hosts have %3 that subclusters above "
                      "do not take %4"),
    QT_TRANSLATE_NOOP("TopologyRules", "start %1 more on them, or name more hosts"),
    QT_TRANSLATE_NOOP("TopologyRules",
                      "subcluster %1 has %2 processor of host %3, too few for %4 units"),
    QT_TRANSLATE_NOOP("TopologyRules",
                      "subcluster %1 has %2 processors of host %3, too few for %4 units"),
    QT_TRANSLATE_NOOP("TopologyRules",
                      "write units = %1 or less, or give it more processors there"),
    // Of files.
    QT_TRANSLATE_NOOP("TopologyRules", "an array"),
    QT_TRANSLATE_NOOP("TopologyRules", "a table"),
    QT_TRANSLATE_NOOP("TopologyRules", "a date or time"),
    QT_TRANSLATE_NOOP("TopologyRules", "the string %1"),
    QT_TRANSLATE_NOOP("TopologyRules", "true or false"),
    QT_TRANSLATE_NOOP("TopologyRules", "%1, %2 or %3"),
    QT_TRANSLATE_NOOP("TopologyRules", "a name between quotation marks"),
    QT_TRANSLATE_NOOP("TopologyRules", "hosts is empty"),
    QT_TRANSLATE_NOOP("TopologyRules", "name a host, or leave hosts out to take what others leave"),
    QT_TRANSLATE_NOOP("TopologyRules", "two subclusters have the name %1, the first in line %2"),
    QT_TRANSLATE_NOOP("TopologyRules", "unknown key %1 at the top of the file"),
    QT_TRANSLATE_NOOP("TopologyRules", "did you mean %1? Expected %2, %3 or %4"),
    QT_TRANSLATE_NOOP("TopologyRules",
                      "write [system], once, and under it heartbeat_ms = %1 and the like"),
    QT_TRANSLATE_NOOP("TopologyRules", "write [[subcluster]], once for each subcluster"),
    QT_TRANSLATE_NOOP("TopologyRules", "write [[subcluster]], once for each"),
    QT_TRANSLATE_NOOP("TopologyRules",
                      "write their names between quotation marks, e.g. hosts = [%1, %2]"),
    QT_TRANSLATE_NOOP("TopologyRules",
                      "write how many in how many seconds, restarts = { count = %1, within_s = %2 "
                      "}"),
    QT_TRANSLATE_NOOP("TopologyRules",
                      "write, for example, active = %1, how many processors hold a rank"),
    QT_TRANSLATE_NOOP("TopologyRules", "write, for example, name = %1"),
    QT_TRANSLATE_NOOP("TopologyRules",
                      "write key = value, text in %1, and [system] or [[subcluster]] above each"),
};

/// What has a part that is neither a number nor quoted: what is captured is %1, %2, ..., and
/// translated by itself.
struct Form {
    const char* expression;
    const char* pattern;
};
constexpr std::array forms{
    Form{R"re(^(\w+) is (the string ".*"|an array|a table|a date or time|true|false|nan|-?inf|)re"
         R"re(-?[0-9][0-9.e+-]*|".*")$)re",
         QT_TRANSLATE_NOOP("TopologyRules", "%1 is %2")},
    Form{R"re(^(\w+) has (.+) among its names$)re",
         QT_TRANSLATE_NOOP("TopologyRules", "%1 has %2 among its names")},
    Form{R"re(^(\w+) has (.+) among its tables$)re",
         QT_TRANSLATE_NOOP("TopologyRules", "%1 has %2 among its tables")},
    Form{R"re(^there is no (\w+) at the top of the file$)re",
         QT_TRANSLATE_NOOP("TopologyRules", "there is no %1 at the top of the file")},
    Form{R"re(^there is no (\w+) in (\[.*\]|restarts)$)re",
         QT_TRANSLATE_NOOP("TopologyRules", "there is no %1 in %2")},
    Form{R"re(^unknown key (".*") in (\[.*\]|restarts)$)re",
         QT_TRANSLATE_NOOP("TopologyRules", "unknown key %1 in %2")},
    Form{R"re(^(\[.*\]|restarts) has no (\w+)$)re",
         QT_TRANSLATE_NOOP("TopologyRules", "%1 has no %2")},
    Form{R"re(^no valid TOML: (.*)$)re", QT_TRANSLATE_NOOP("TopologyRules", "no valid TOML: %1")},
    Form{R"re(^write it under (.+)$)re", QT_TRANSLATE_NOOP("TopologyRules", "write it under %1")},
    Form{R"re(^did you mean (.+)\? There are (.+)$)re", "did you mean %1? There are %2"},
    Form{R"re(^expected (.+), e\.g\. (\w+ = .+)$)re",
         QT_TRANSLATE_NOOP("TopologyRules", "expected %1, e.g. %2")},
};

bool isListed(std::string_view english)
{
    const QString pattern = rulewords::pattern(english);
    return std::ranges::any_of(
        known, [&pattern](const char* one) { return pattern == QLatin1String(one); });
}

struct FormMatch {
    const Form* form = nullptr;
    QStringList parts;
};
FormMatch matchForm(const QString& text)
{
    for (const Form& form : forms) {
        const QRegularExpression expression(QLatin1String(form.expression));
        const QRegularExpressionMatch match = expression.match(text);
        if (match.hasMatch())
            return {.form = &form, .parts = match.capturedTexts().mid(1)};
    }
    return {};
}

} // namespace

QString pattern(std::string_view english) { return patternwords::takeApart(english).pattern; }

QString translated(std::string_view english)
{
    if (isListed(english))
        return patternwords::translated(english, rulesContext);
    const QString text = QString::fromUtf8(english.data(), static_cast<qsizetype>(english.size()));
    const FormMatch match = matchForm(text);
    if (match.form == nullptr)
        return text;
    QString out = QCoreApplication::translate(rulesContext, match.form->pattern);
    if (match.parts.size() == 1)
        return out.arg(translated(match.parts[0].toStdString()));
    return out.arg(translated(match.parts[0].toStdString()),
                   translated(match.parts[1].toStdString()));
}

Diagnostic translated(Diagnostic told)
{
    told.message = translated(told.message).toStdString();
    told.remedy = translated(told.remedy).toStdString();
    return told;
}

std::vector<Diagnostic> translated(std::vector<Diagnostic> all)
{
    std::ranges::transform(all, all.begin(),
                           [](Diagnostic& told) { return translated(std::move(told)); });
    return all;
}

bool isKnown(std::string_view english)
{
    return isListed(english)
        || matchForm(QString::fromUtf8(english.data(), static_cast<qsizetype>(english.size()))).form
        != nullptr;
}

std::span<const char* const> patterns() { return known; }

} // namespace tasuki::rulewords
