// SPDX-License-Identifier: GPL-3.0-or-later
// Topology files that somebody else has written.
#include "fuzztarget.h"

#include "config/layout.h"
#include "config/topologyfile.h"
#include "config/topologytext.h"

#include <algorithm>
#include <string_view>

namespace fuzz_topology {

namespace {

using namespace tasuki;
using namespace tasuki::config;

void checkDiagnostics(const TopologyReading& reading, std::string_view text)
{
    const auto lines = 1 + static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
    bool wrong = false;
    for (const Diagnostic& diagnostic : reading.diagnostics) {
        wrong = wrong || diagnostic.isError();
        if (diagnostic.message.empty() || diagnostic.remedy.empty())
            fuzz::fail("a diagnostic without words");
        if (diagnostic.place.line == 0 || diagnostic.place.line > lines
            || diagnostic.place.column == 0 || diagnostic.place.column > text.size() + 1)
            fuzz::fail("a diagnostic at a place that is not in the file");
    }
    if (wrong == reading.topology.has_value())
        fuzz::fail("a topology in spite of errors, or none without");
}

void checkLayout(const TopologyReading& reading)
{
    constexpr std::uint64_t quicklyLaidOut = 4096;
    if (reading.topology->processors() > quicklyLaidOut)
        return;
    const auto hosts = exampleHosts(*reading.topology);
    const LayoutReading layout = layOut(*reading.topology, hosts, reading.places);
    if (!layout.layout)
        fuzz::fail("a topology that does not fit the launch that is made for it");
    const std::string drawn = drawLayout(*layout.layout, LineStyle::Box);
    if (std::ranges::count(drawn, '\n') <= static_cast<std::ptrdiff_t>(hosts.size()))
        fuzz::fail("a drawing without some of the processors");
}

} // namespace

TASUKI_FUZZ_TARGET(topologySeeds)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const TopologyReading reading = readTopologyText(text, "fuzz");
    checkDiagnostics(reading, text);
    if (!reading.topology)
        return 0;
    if (!topologyFaults(*reading.topology).empty())
        fuzz::fail("a topology with faults is read without errors");
    const TopologyReading again = readTopologyText(topologyFileText(*reading.topology), "again");
    if (!again.topology || !(*again.topology == *reading.topology))
        fuzz::fail("what was written is read as something else");
    checkLayout(reading);
    return 0;
}

} // namespace fuzz_topology
