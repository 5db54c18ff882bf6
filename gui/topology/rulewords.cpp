// SPDX-License-Identifier: GPL-3.0-or-later
#include "rulewords.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <array>

namespace tasuki::rulewords {

namespace {

constexpr auto context = "TopologyRules";

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
};

struct Words {
    QString pattern;
    QStringList parts; ///< what stands for %1, %2, ...
};

Words takeApart(std::string_view english)
{
    // What is quoted may have quotation marks in it. A character that a name cannot have is bare.
    static const QRegularExpression part(
        QStringLiteral(R"re("[^"]*"(?:[^" ]*")*|[0-9]+|(?<=" has a )[^ ](?= in it$))re"));
    const QString text = QString::fromUtf8(english.data(), static_cast<qsizetype>(english.size()));
    Words words;
    qsizetype begin = 0;
    auto matches = part.globalMatch(text);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        words.parts << match.captured();
        words.pattern += text.mid(begin, match.capturedStart() - begin)
            + QStringLiteral("%%1").arg(words.parts.size());
        begin = match.capturedEnd();
    }
    words.pattern += text.mid(begin);
    return words;
}

} // namespace

QString pattern(std::string_view english) { return takeApart(english).pattern; }

QString translated(std::string_view english)
{
    const Words words = takeApart(english);
    const QString text = QCoreApplication::translate(context, words.pattern.toUtf8().constData());
    static const QRegularExpression place(QStringLiteral("%([1-9])"));
    QString out;
    qsizetype begin = 0;
    auto matches = place.globalMatch(text);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        out += text.mid(begin, match.capturedStart() - begin)
            + words.parts.value(match.captured(1).toInt() - 1);
        begin = match.capturedEnd();
    }
    return out + text.mid(begin);
}

std::span<const char* const> patterns() { return known; }

} // namespace tasuki::rulewords
