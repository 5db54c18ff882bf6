// SPDX-License-Identifier: GPL-3.0-or-later
// The part of TopologyDocument about running systems.
#include "topologycells.h"
#include "topologydocument.h"

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

std::optional<QString> textAt(const Topology& topology, const TopologyPlace& place)
{
    if (!place.field)
        return std::nullopt;
    if (!place.subcluster)
        return editText(topology, *place.field);
    if (*place.subcluster >= topology.subclusters.size())
        return std::nullopt;
    return editText(topology.subclusters[*place.subcluster], *place.field);
}

/// @return values before and after, as a step that leaves the subclusters where they are
TopologyEdit editBetween(const Topology& before, const Topology& after)
{
    TopologyEdit edit;
    for (std::size_t i = 0; i < before.subclusters.size(); ++i) {
        if (before.subclusters[i] != after.subclusters[i])
            edit.subclusters.push_back({i, before.subclusters[i], after.subclusters[i]});
    }
    if (settingsOf(before) != settingsOf(after))
        edit.system = {.before = settingsOf(before), .after = settingsOf(after)};
    return edit;
}

} // namespace

QString TopologyDocument::fixedReason(TopologyField field) const
{
    if (m_of == Of::File || std::ranges::find(changeableFields, field) != changeableFields.end())
        return {};
    if (field == TopologyField::Name || field == TopologyField::Hosts
        || field == TopologyField::Units)
        return tr("This cannot be changed while the system runs: save the topology as a file, "
                  "change it there, and resume the run with it.");
    return tr("How many processors there are of each kind cannot be changed while the system runs: "
              "change the role of one, or drain or stop it.");
}

void TopologyDocument::follow(std::string text, Topology known, Topology edited)
{
    const bool isFirst = isEmpty();
    setKnown(std::move(text), std::move(known));
    const bool sameRows = edited.subclusters.size() == count();
    if (isFirst)
        setAll(std::move(edited), {});
    else if (edited == m_topology)
        Q_EMIT changed();
    else if (sameRows)
        push(tr("What others have changed"), editBetween(m_topology, edited));
    else
        exchange(tr("What others have changed"), std::move(edited), {}, {});
    Q_EMIT marksChanged();
}

void TopologyDocument::takeKnown(const std::vector<TopologyPlace>& places)
{
    Topology wanted = m_topology;
    for (const TopologyPlace& place : places) {
        const auto value = knownText(place);
        if (!value)
            continue;
        if (place.subcluster)
            setField(wanted.subclusters[*place.subcluster], *place.field, *value);
        else
            setField(wanted, *place.field, *value);
    }
    push(tr("Take %n value(s) as the system runs", nullptr, static_cast<int>(places.size())),
         editBetween(m_topology, wanted));
}

void TopologyDocument::setObjections(std::vector<TopologyObjection> objections)
{
    if (m_objections == objections)
        return;
    m_objections = std::move(objections);
    Q_EMIT marksChanged();
}

QString TopologyDocument::faultAt(const TopologyPlace& place) const
{
    const auto fault = std::ranges::find_if(m_faults, [&place](const config::TopologyFault& one) {
        return one.subcluster == place.subcluster && one.field == place.field;
    });
    if (fault != m_faults.end())
        return sentence(*fault);
    const auto said = std::ranges::find(m_objections, place, &TopologyObjection::place);
    return said == m_objections.end() ? QString() : said->text;
}

std::optional<QString> TopologyDocument::knownText(const TopologyPlace& place) const
{
    return textAt(m_known, place);
}

bool TopologyDocument::isEdited(const TopologyPlace& place) const
{
    return textAt(m_topology, place) != textAt(m_known, place);
}

} // namespace tasuki
