// SPDX-License-Identifier: GPL-3.0-or-later
#include "livetopology.h"

#include "topologycells.h"

#include <algorithm>
#include <array>

namespace tasuki {

namespace {

using config::Topology;
using config::TopologyField;

/// What a system takes on while it runs: docs/farm.md, "What operators want".
constexpr std::array changeableFields{TopologyField::HeartbeatMs,  TopologyField::SuspectAfter,
                                      TopologyField::LostAfter,    TopologyField::Policy,
                                      TopologyField::Rejoin,       TopologyField::Minimum,
                                      TopologyField::RestartCount, TopologyField::RestartWithinS};

} // namespace

QString LiveTopology::fixedReason(TopologyField field) const
{
    if (std::ranges::find(changeableFields, field) != changeableFields.end())
        return {};
    if (field == TopologyField::Name || field == TopologyField::Hosts
        || field == TopologyField::Units)
        return tr("This cannot be changed while the system runs: save the topology as a file, "
                  "change it there, and resume the run with it.");
    return tr("How many processors there are of each kind cannot be changed while the system runs: "
              "change the role of one, or drain or stop it.");
}

void LiveTopology::follow(Topology known, Topology edited)
{
    const bool isFirst = isEmpty();
    m_known = std::move(known);
    const bool sameRows = edited.subclusters.size() == count();
    if (isFirst)
        setAll(std::move(edited));
    else if (edited == topology())
        Q_EMIT changed();
    else if (sameRows)
        push(tr("What others have changed"), editBetween(topology(), edited));
    else
        exchange(tr("What others have changed"), std::move(edited));
    Q_EMIT marksChanged();
}

void LiveTopology::takeKnown(const std::vector<TopologyPlace>& places)
{
    Topology wanted = topology();
    for (const TopologyPlace& place : places) {
        if (const auto value = knownText(place))
            setField(wanted, place, *value);
    }
    push(tr("Take %n value(s) as the system runs", nullptr, static_cast<int>(places.size())),
         editBetween(topology(), wanted));
}

void LiveTopology::setObjections(std::vector<TopologyObjection> objections)
{
    if (m_objections == objections)
        return;
    m_objections = std::move(objections);
    Q_EMIT marksChanged();
}

QString LiveTopology::faultAt(const TopologyPlace& place) const
{
    if (QString wrong = EditedTopology::faultAt(place); !wrong.isEmpty())
        return wrong;
    const auto said = std::ranges::find(m_objections, place, &TopologyObjection::place);
    return said == m_objections.end() ? QString() : said->text;
}

std::optional<QString> LiveTopology::runningText(const TopologyPlace& place) const
{
    return isEdited(place) ? knownText(place) : std::nullopt;
}

std::optional<QString> LiveTopology::knownText(const TopologyPlace& place) const
{
    return editText(m_known, place);
}

bool LiveTopology::isEdited(const TopologyPlace& place) const
{
    return editText(topology(), place) != editText(m_known, place);
}

} // namespace tasuki
