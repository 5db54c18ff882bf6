// SPDX-License-Identifier: GPL-3.0-or-later
// What the fields of a topology are called, and what they mean.
#include "topologycells.h"

#include <QCoreApplication>

namespace tasuki {

namespace {

using config::TopologyField;

/// Gives the context of the texts.
struct CellWords {
    Q_DECLARE_TR_FUNCTIONS(TopologyCells)
};

} // namespace

QString fieldName(TopologyField field)
{
    switch (field) {
    case TopologyField::HeartbeatMs: return CellWords::tr("Heartbeat");
    case TopologyField::SuspectAfter: return CellWords::tr("Suspect after");
    case TopologyField::LostAfter: return CellWords::tr("Lost after");
    case TopologyField::Policy: return CellWords::tr("When a subcluster is down");
    case TopologyField::Rejoin: return CellWords::tr("Come back");
    case TopologyField::Name: return CellWords::tr("Name");
    case TopologyField::Active: return CellWords::tr("Active");
    case TopologyField::Standby: return CellWords::tr("Standby");
    case TopologyField::Io: return CellWords::tr("I/O");
    case TopologyField::Minimum: return CellWords::tr("Minimum");
    case TopologyField::Hosts: return CellWords::tr("Hosts");
    case TopologyField::Units: return CellWords::tr("Units");
    case TopologyField::RestartCount: return CellWords::tr("Restarts");
    case TopologyField::RestartWithinS: return CellWords::tr("Within");
    case TopologyField::DedicatedMaster: return CellWords::tr("Dedicated master");
    case TopologyField::WorldCommand: return CellWords::tr("World");
    case TopologyField::WorldDeadlineS: return CellWords::tr("Deadline");
    case TopologyField::WorldLogMb: return CellWords::tr("Log");
    }
    return {};
}

QString explanation(TopologyField field)
{
    switch (field) {
    case TopologyField::HeartbeatMs:
        return CellWords::tr("Every processor says so often that it lives.");
    case TopologyField::SuspectAfter:
        return CellWords::tr("After so many heartbeats of silence a processor gets nothing new.");
    case TopologyField::LostAfter:
        return CellWords::tr(
            "After so many heartbeats of silence a processor is killed and replaced.");
    case TopologyField::Policy:
        return CellWords::tr("What becomes of the other subclusters when one of them has fewer "
                             "ranks than its minimum.");
    case TopologyField::Rejoin:
        return CellWords::tr("Who hears of nobody for too long kills its tasks. Within a minute it "
                             "may come back, as a standby; else it ends.");
    case TopologyField::Name:
        return CellWords::tr("What people call the subcluster; no two have the same name");
    case TopologyField::Active: return CellWords::tr("Processors that hold a rank");
    case TopologyField::Standby:
        return CellWords::tr("Processors that take over the rank of a lost one");
    case TopologyField::Io: return CellWords::tr("Processors that pass data in and out");
    case TopologyField::Minimum:
        return CellWords::tr("With fewer ranks held the subcluster is down; 0: never");
    case TopologyField::Hosts:
        return CellWords::tr("Whose processors it takes, with commas between them; empty: what "
                             "the other subclusters leave");
    case TopologyField::Units:
        return CellWords::tr("How many units its processors on each host make; empty: one");
    case TopologyField::RestartCount:
        return CellWords::tr("So many takeovers are allowed in the time of the next column; after "
                             "more of them ranks are given up");
    case TopologyField::RestartWithinS:
        return CellWords::tr("The time in which takeovers are counted");
    case TopologyField::DedicatedMaster:
        return CellWords::tr("One more processor does nothing but being cluster master");
    case TopologyField::WorldCommand:
        return CellWords::tr("The MPI program that runs as its ranks, as the shell is to start it; "
                             "empty: its ranks run tasks");
    case TopologyField::WorldDeadlineS: return CellWords::tr("After so long the program is killed");
    case TopologyField::WorldLogMb:
        return CellWords::tr(
            "So much of each rank's messages is kept, so that another processor can go on in its place");
    }
    return {};
}

QString policyName(DownPolicy policy)
{
    switch (policy) {
    case DownPolicy::Continue: return CellWords::tr("continue: the others go on");
    case DownPolicy::Restart: return CellWords::tr("restart: the others start again");
    case DownPolicy::Stop: return CellWords::tr("stop: the run ends");
    }
    return {};
}

QString kindName(ProcessorKind kind)
{
    switch (kind) {
    case ProcessorKind::DedicatedMaster: return CellWords::tr("master");
    case ProcessorKind::Io: return CellWords::tr("I/O");
    case ProcessorKind::Active: return CellWords::tr("active");
    case ProcessorKind::Standby: return CellWords::tr("standby");
    }
    return {};
}

QString placeName(const config::Topology& topology, const TopologyPlace& place)
{
    const QString field = place.field ? fieldName(*place.field) : QString();
    if (!place.subcluster || *place.subcluster >= topology.subclusters.size())
        return field;
    return CellWords::tr("%1: %2", "subcluster, setting")
        .arg(QString::fromStdString(topology.subclusters[*place.subcluster].name), field);
}

QString placeValue(const TopologyPlace& place, const QString& text)
{
    if (place.field != TopologyField::Policy)
        return text;
    const auto policy = config::policyFromWord(text.toStdString());
    return policy ? policyName(*policy) : text;
}

} // namespace tasuki
