// SPDX-License-Identifier: GPL-3.0-or-later
#include "runningtopology.h"

#include "cells/problembar.h"
#include "config/topologyfile.h"
#include "models/wording.h"
#include "topologycells.h"
#include "topologymerge.h"

#include <QPointer>

#include <algorithm>
#include <utility>

namespace tasuki {

RunningTopology::RunningTopology(Session& session, QObject* parent)
    : QObject(parent), m_session(session)
{
    connect(&session, &Session::changed, this, [this](const ChangeSet& changes) {
        if (changes.processors || changes.run)
            look();
    });
    connect(&session, &Session::loadingChanged, this, &RunningTopology::look);
    connect(&session, &Session::connectionChanged, this, &RunningTopology::changed);
    connect(&m_document, &LiveTopology::changed, this, [this] {
        renewConflicts();
        renewObjections();
        Q_EMIT changed();
    });
    look();
}

std::optional<std::uint64_t> RunningTopology::revision() const
{
    return m_seen ? std::optional(m_seen->revision) : std::nullopt;
}

void RunningTopology::look()
{
    // Earlier layouts than the present one go by while a run is read.
    const auto& layout = m_session.state().system().layout();
    if (!layout || m_session.loading())
        return;
    const Seen seen{.revision = layout->topologyRevision, .text = layout->topologyText};
    if (m_seen == seen)
        return;
    m_seen = seen;
    config::TopologyReading reading = config::readTopologyText(seen.text, "topology");
    m_problem = reading.topology      ? QString()
        : reading.diagnostics.empty() ? tr("What the run tells of its topology cannot be read.")
                                      : tr("What the run tells of its topology cannot be read: %1")
                                            .arg(problemLine(reading.diagnostics.front()));
    if (reading.topology)
        take(std::move(*reading.topology));
    Q_EMIT changed();
}

void RunningTopology::take(config::Topology theirs)
{
    const bool isFirst = m_document.isEmpty();
    const bool isMine = m_sent && m_sent->topology == theirs;
    // What was edited while a change of mine was on its way is based on that.
    const bool hasMine = isMine || (m_sent && m_sent->answered);
    const config::Topology base = hasMine ? m_sent->topology : m_document.known();
    const auto merge = isFirst ? std::nullopt
                               : mergeTopologies(base, m_document.topology(), theirs);
    if (!merge) {
        const bool edited = !isFirst && !m_document.isClean();
        m_undecided.clear();
        config::Topology shown = theirs;
        m_document.follow(std::move(theirs), std::move(shown));
        if (!isFirst)
            Q_EMIT followed({}, !edited);
        return;
    }
    // What was not decided before is decided anew: theirs is another now.
    for (const TopologyPlace& place : merge->conflicts) {
        if (std::ranges::find(m_undecided, place) == m_undecided.end())
            m_undecided.push_back(place);
    }
    m_document.follow(std::move(theirs), merge->merged);
    renewConflicts();
    renewObjections();
    if (hasMine)
        endSending();
    if (!isMine)
        Q_EMIT followed(merge->taken, true);
}

void RunningTopology::renewConflicts()
{
    m_conflicts.clear();
    std::erase_if(m_undecided,
                  [this](const TopologyPlace& place) { return !m_document.isEdited(place); });
    for (const TopologyPlace& place : m_undecided) {
        m_conflicts.push_back({.place = place,
                               .theirs = m_document.knownText(place).value_or(QString()),
                               .mine = editText(m_document.topology(), place).value_or(QString())});
    }
}

void RunningTopology::renewObjections()
{
    std::vector<TopologyObjection> all;
    for (const TopologyConflict& conflict : m_conflicts)
        all.push_back({.place = conflict.place,
                       .text = tr("Others have made it %1 meanwhile: decide what shall stand.")
                                   .arg(placeValue(conflict.place, conflict.theirs))});
    std::erase_if(m_refused,
                  [this](const TopologyPlace& place) { return !m_document.isEdited(place); });
    if (m_refused.empty())
        m_refusal.clear();
    for (const TopologyPlace& place : m_refused)
        all.push_back(
            {.place = place, .text = tr("The system did not take it: %1").arg(m_refusal)});
    m_document.setObjections(std::move(all));
}

void RunningTopology::keepMine(const TopologyPlace& place)
{
    std::erase(m_undecided, place);
    renewConflicts();
    renewObjections();
    Q_EMIT changed();
}

void RunningTopology::takeTheirs(const TopologyPlace& place) { m_document.takeKnown({place}); }

void RunningTopology::takeAllTheirs() { m_document.takeKnown(std::vector(m_undecided)); }

void RunningTopology::discard() { m_document.takeKnown(editedPlaces()); }

std::vector<TopologyPlace> RunningTopology::editedPlaces() const
{
    std::vector<TopologyPlace> places = cellsOf(m_document.topology());
    std::erase_if(places,
                  [this](const TopologyPlace& place) { return !m_document.isEdited(place); });
    return places;
}

QString RunningTopology::whyNot() const
{
    if (!m_seen || m_document.isEmpty())
        return tr("There is no running system.");
    if (m_session.showsRecord())
        return tr("This is a run file: a topology is changed in a window on the running agent.");
    if (!m_session.takesCommands())
        return tr("Without a connection to the agent nothing can be changed.");
    if (m_sent)
        return tr("What was sent is on its way.");
    if (!m_conflicts.empty())
        return tr("Others have changed the same values: decide first what shall stand.");
    if (!m_document.faults().empty())
        return tr("What is wrong with the topology has to be mended first.");
    if (m_document.isClean())
        return tr("Nothing is edited.");
    return {};
}

void RunningTopology::apply()
{
    if (!whyNot().isEmpty())
        return;
    m_refusal.clear();
    m_refused.clear();
    renewObjections();
    const std::uint64_t base = m_seen->revision;
    m_sent = Sent{.topology = m_document.topology(),
                  .base = base,
                  .count = static_cast<int>(editedPlaces().size())};
    const QPointer<RunningTopology> guard(this);
    Q_EMIT changed();
    m_session.sendCommand(
        ChangeTopology{.base = base, .text = config::topologyFileText(m_document.topology())},
        [guard, base](const Result<CommandAnswer>& answer) {
            if (guard)
                guard->takeAnswer(base, answer);
        });
}

void RunningTopology::takeAnswer(std::uint64_t base, const Result<CommandAnswer>& answer)
{
    if (!m_sent || m_sent->base != base)
        return; // it was seen before the answer came
    if (answer && answer->accepted) {
        m_sent->answered = true;
        if (m_seen && m_seen->revision > base)
            endSending();
        return; // the layout that shows it is on its way
    }
    m_sent.reset();
    m_refusal = answer
        ? wording::phrase(answer->reason)
        : tr("The agent gave no answer: %1").arg(wording::text(answer.error().text()));
    m_refused = editedPlaces();
    renewObjections();
    Q_EMIT changed();
    Q_EMIT refused(m_refusal);
}

void RunningTopology::endSending()
{
    const int count = m_sent->count;
    m_sent.reset();
    Q_EMIT changed();
    Q_EMIT applied(count);
}

} // namespace tasuki
