// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "config/topologyfile.h"
#include "gui/models/systembench.h"
#include "gui/views/viewbench.h"
#include "topology/runningtopology.h"

#include <optional>

namespace tasuki::testing {

/// A run on a made-up system of two subclusters, whose topology is edited.
class RunningBench : public ViewBench {
public:
    explicit RunningBench(SourceKind kind = SourceKind::Agent)
        : ViewBench(kind), begun(systemBegins()), running(models().session)
    {}

    /// What the system runs with at first.
    static config::Topology first()
    {
        config::Topology topology;
        for (const char* name : {"s0", "s1"}) {
            config::SubclusterSpec spec;
            spec.name = name;
            spec.active = 4;
            spec.standby = 1;
            spec.io = 1;
            spec.minimum = 2;
            spec.units = 2;
            topology.subclusters.push_back(spec);
        }
        return topology;
    }
    static SystemLaidOut layout(const config::Topology& topology, std::uint64_t revision)
    {
        SystemLaidOut layout = madeUpLayout();
        layout.topologyFile = "two.toml";
        layout.topologyText = config::topologyFileText(topology);
        layout.topologyRevision = revision;
        return layout;
    }
    void begin()
    {
        begun[1] = layout(first(), 1);
        happen(begun);
    }
    void laidOut(const config::Topology& topology, std::uint64_t revision)
    {
        happen({layout(topology, revision)});
    }
    /// The change that was sent last; none: none was.
    [[nodiscard]] const ChangeTopology* sent() const
    {
        return source->commands.empty()
            ? nullptr
            : std::get_if<ChangeTopology>(&source->commands.back().first);
    }
    void answer(const Result<CommandAnswer>& answer) { source->commands.back().second(answer); }
    void set(std::size_t row, config::TopologyField field, const char* text)
    {
        if (running.document().setCells({{row, field, QString::fromLatin1(text)}}))
            qFatal("a cell was not taken");
    }

    std::vector<EventPayload> begun;
    RunningTopology running;
};

} // namespace tasuki::testing
