// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "config/layout.h"
#include "config/topology.h"
#include "domain/event.h"
#include "topologyplace.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <vector>

/// What becomes of the processors of a launch that is tried out.
namespace tasuki {

/// Something that is wrong, or to note, and where it can be mended.
struct PlacedProblem {
    Severity severity = Severity::Failure;
    QString text;
    TopologyPlace place;
};

/// The hosts of a launch as somebody types them.
struct LaunchReading {
    std::vector<std::string> hosts; ///< of the processors, by number
    QString problem;                ///< what is wrong with the text, for people; empty: nothing
};

inline constexpr std::uint64_t mostProcessorsTried = 20'000;

/// @param text  "node0:4, node1:4": hosts and how many processors each has; "12": so many, on the
///              hosts that the topology fits; empty: as many as it needs, on those
LaunchReading readLaunch(const QString& text, const config::Topology& topology);

struct LaunchPreview {
    std::size_t processors = 0; ///< of the launch
    std::optional<config::Layout> layout;
    std::vector<PlacedProblem> problems;
};
/// @param topology  may have faults: there is no layout then, and the problems are not told again
LaunchPreview previewLaunch(const config::Topology& topology, const QString& launch);

/// Words in rows and columns.
struct TextTable {
    QStringList titles;
    QList<int> numbers; ///< columns that stand on the right
    std::vector<QStringList> rows;
};
TextTable unitTable(const config::Layout& layout);
TextTable processorTable(const config::Layout& layout);

/// @return ascending numbers in few words: "0-3, 7"
QString rangesText(const std::vector<ProcessorId>& processors);

} // namespace tasuki
