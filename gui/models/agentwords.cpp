// SPDX-License-Identifier: GPL-3.0-or-later
#include "agentwords.h"

#include "patternwords.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace tasuki::agentwords {

namespace {

constexpr auto agentContext = "AgentWords";

constexpr std::array agentPatterns{
    // Why a subcluster is down.
    QT_TRANSLATE_NOOP("AgentWords", "%1 ranks are held"),
    QT_TRANSLATE_NOOP("AgentWords", "%1 rank is held"),
    QT_TRANSLATE_NOOP("AgentWords", "policy continue: the others go on"),
    QT_TRANSLATE_NOOP("AgentWords", "policy restart: the run starts again"),
    QT_TRANSLATE_NOOP("AgentWords", "policy stop: the run ends"),
    QT_TRANSLATE_NOOP("AgentWords", "subcluster %1 is down"),
    QT_TRANSLATE_NOOP("AgentWords", "everything stops, to start again"),
    QT_TRANSLATE_NOOP("AgentWords", "no new tasks start, the run ends and can be resumed"),
    QT_TRANSLATE_NOOP("AgentWords", "processor %1 came back, as a standby"),
    // What becomes of the output of tasks.
    QT_TRANSLATE_NOOP("AgentWords", "the record keeps %1 bytes of each stream of a task"),
    QT_TRANSLATE_NOOP("AgentWords", "all of it is written to files in %1"),
    // What operators do.
    QT_TRANSLATE_NOOP("AgentWords", "%1 drains processor %2 %3"),
    QT_TRANSLATE_NOOP("AgentWords", "%1 gives work to processor %2 %3"),
    QT_TRANSLATE_NOOP("AgentWords", "%1 stops processor %2 %3"),
    QT_TRANSLATE_NOOP("AgentWords", "%1 promotes processor %2 %3"),
    QT_TRANSLATE_NOOP("AgentWords", "%1 makes processor %2 %3 active"),
    QT_TRANSLATE_NOOP("AgentWords", "%1 makes processor %2 %3 standby"),
    QT_TRANSLATE_NOOP("AgentWords", "%1 makes processor %2 %3 I/O"),
    QT_TRANSLATE_NOOP("AgentWords", "%1 changes the topology"),
    // Why a command is refused as it is.
    QT_TRANSLATE_NOOP("AgentWords", "the run has not begun"),
    QT_TRANSLATE_NOOP("AgentWords", "the run is ending"),
    QT_TRANSLATE_NOOP("AgentWords", "this run has no hierarchy"),
    // Orders about processors.
    QT_TRANSLATE_NOOP("AgentWords", "there is no processor %1"),
    QT_TRANSLATE_NOOP("AgentWords", "processor %1 takes no part any more: lost"),
    QT_TRANSLATE_NOOP("AgentWords", "processor %1 takes no part any more: fenced"),
    QT_TRANSLATE_NOOP("AgentWords", "processor %1 takes no part any more: left"),
    QT_TRANSLATE_NOOP("AgentWords", "processor %1 is being ended"),
    QT_TRANSLATE_NOOP("AgentWords", "processor %1 is not ready yet"),
    QT_TRANSLATE_NOOP("AgentWords", "processor %1 has not been heard of for some time"),
    QT_TRANSLATE_NOOP("AgentWords", "wait until it is, or is lost"),
    QT_TRANSLATE_NOOP("AgentWords", "processor %1 is a dedicated master: it gets no work anyway"),
    QT_TRANSLATE_NOOP("AgentWords", "processor %1 is drained already"),
    QT_TRANSLATE_NOOP("AgentWords", "processor %1 is not drained"),
    QT_TRANSLATE_NOOP("AgentWords", "processor %1 is the system master: it comes first anyway"),
    QT_TRANSLATE_NOOP("AgentWords", "processor %1 comes first already"),
    QT_TRANSLATE_NOOP("AgentWords", "processor %1 is a dedicated master already"),
    QT_TRANSLATE_NOOP("AgentWords", "who is a dedicated master is settled at the start"),
    QT_TRANSLATE_NOOP("AgentWords", "change the topology file for the next run"),
    QT_TRANSLATE_NOOP("AgentWords", "processor %1 is active already"),
    QT_TRANSLATE_NOOP("AgentWords", "processor %1 is standby already"),
    QT_TRANSLATE_NOOP("AgentWords", "processor %1 is I/O already"),
    QT_TRANSLATE_NOOP("AgentWords", "processor %1 holds a place of another kind"),
    QT_TRANSLATE_NOOP("AgentWords", "make it a standby first"),
    QT_TRANSLATE_NOOP("AgentWords", "processor %1 is drained"),
    QT_TRANSLATE_NOOP("AgentWords", "let it take work again first"),
    QT_TRANSLATE_NOOP("AgentWords", "its subcluster has no vacant rank"),
    QT_TRANSLATE_NOOP("AgentWords", "its subcluster has no vacant I/O place"),
    QT_TRANSLATE_NOOP("AgentWords", "make another processor a standby first"),
    QT_TRANSLATE_NOOP("AgentWords",
                      "processor %1 is the system master, without which the run ends"),
    QT_TRANSLATE_NOOP("AgentWords", "end the run instead"),
    QT_TRANSLATE_NOOP("AgentWords", "processor %1 is not the system master"),
    QT_TRANSLATE_NOOP("AgentWords", "ask processor %1"),
    // Changes of the topology.
    QT_TRANSLATE_NOOP("AgentWords", "the topology has been changed meanwhile"),
    QT_TRANSLATE_NOOP("AgentWords", "look at the new one and change that"),
    QT_TRANSLATE_NOOP("AgentWords", "the topology cannot be read"),
    QT_TRANSLATE_NOOP("AgentWords", "nothing is different in the topology"),
    QT_TRANSLATE_NOOP("AgentWords", "subclusters cannot be added or removed while the run goes on"),
    QT_TRANSLATE_NOOP("AgentWords", "end the run and resume it with the new topology"),
    QT_TRANSLATE_NOOP("AgentWords", "subcluster %1: %2 cannot be changed while the run goes on"),
    QT_TRANSLATE_NOOP("AgentWords",
                      "change roles of processors instead, or end the run and resume it with the "
                      "new topology"),
    QT_TRANSLATE_NOOP("AgentWords", "there is no subcluster %1"),
    QT_TRANSLATE_NOOP("AgentWords", "a minimum of %1 ranks is more than the %2 that there are"),
    QT_TRANSLATE_NOOP("AgentWords", "give %1 to %2"),
    QT_TRANSLATE_NOOP("AgentWords", "restarts are counted wrongly"),
    QT_TRANSLATE_NOOP("AgentWords", "give a count of %1 to %2 within %3 to %4 s"),
    QT_TRANSLATE_NOOP("AgentWords", "a heartbeat of %1 ms"),
    QT_TRANSLATE_NOOP("AgentWords", "give %1 to %2 milliseconds"),
    QT_TRANSLATE_NOOP("AgentWords", "suspect after %1 heartbeats, lost after %2 heartbeats"),
    QT_TRANSLATE_NOOP("AgentWords", "give at least %1, and less than until it is lost"),
    QT_TRANSLATE_NOOP("AgentWords", "lost after %1 heartbeats"),
    QT_TRANSLATE_NOOP("AgentWords", "give at most %1"),
};

bool isKnown(std::string_view english)
{
    const QString pattern = patternwords::takeApart(english).pattern;
    return std::ranges::any_of(
        agentPatterns, [&pattern](const char* known) { return pattern == QLatin1String(known); });
}

} // namespace

QString translated(std::string_view english)
{
    const std::size_t end = english.find("; ");
    if (end == std::string_view::npos || isKnown(english))
        return patternwords::translated(english, agentContext);
    const std::string_view message = english.substr(0, end);
    const std::string_view remedy = english.substr(end + 2);
    if (!isKnown(message) && !isKnown(remedy))
        return QString::fromUtf8(english.data(), static_cast<qsizetype>(english.size()));
    return QCoreApplication::translate("AgentWords", "%1; %2", "message, remedy")
        .arg(patternwords::translated(message, agentContext),
             patternwords::translated(remedy, agentContext));
}

std::span<const char* const> patterns() { return agentPatterns; }

} // namespace tasuki::agentwords
