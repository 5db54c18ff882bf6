// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchpreview.h"

#include "topologycells.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

namespace tasuki {

namespace {

using config::Layout;
using config::Topology;
using config::TopologyField;
using config::TopologyPlaces;

/// Context of the texts.
struct LaunchWords {
    Q_DECLARE_TR_FUNCTIONS(LaunchPreview)
};

LaunchReading wrongLaunch(const QString& problem) { return {.hosts = {}, .problem = problem}; }

QString tooMany()
{
    return LaunchWords::tr("More than %1 processors are not tried out here.")
        .arg(QLocale().toString(qulonglong{mostProcessorsTried}));
}

// Diagnostics of layouts tell a line and a column. A topology that is edited has none: the line
// stands for the subcluster, the column for the field.
constexpr std::uint64_t firstLine = 1;
constexpr std::uint64_t firstColumn = 2;

TopologyPlaces placesOf(const Topology& topology)
{
    TopologyPlaces places;
    for (std::size_t i = 0; i < topology.subclusters.size(); ++i) {
        TopologyPlaces::Table& table = places.subclusters.emplace_back();
        table.begin = {.line = firstLine + i, .column = 1};
        for (const TopologyField field : subclusterFields) {
            table.fields[field] = {.line = firstLine + i,
                                   .column = firstColumn + static_cast<std::uint64_t>(field)};
        }
        table.hosts.assign(topology.subclusters[i].hosts.size(),
                           table.fields[TopologyField::Hosts]);
    }
    return places;
}

TopologyPlace placeOf(const SourcePlace& source)
{
    TopologyPlace place;
    if (source.line >= firstLine)
        place.subcluster = source.line - firstLine;
    if (source.column >= firstColumn)
        place.field = static_cast<TopologyField>(source.column - firstColumn);
    return place;
}

QString nameOf(const std::string& name) { return QString::fromStdString(name); }

QString mastership(const Layout& layout, const config::Masters& masters, ProcessorId processor)
{
    const config::PlacedProcessor& placed = layout.of(processor);
    QStringList of;
    if (masters.system == processor)
        of << LaunchWords::tr("system");
    if (masters.clusters[placed.subcluster.value()] == processor)
        of << LaunchWords::tr("subcluster");
    if (masters.units[placed.unit.value()] == processor)
        of << LaunchWords::tr("unit");
    return of.join(QStringLiteral(", "));
}

} // namespace

LaunchReading readLaunch(const QString& text, const Topology& topology)
{
    const QString typed = text.trimmed();
    bool isNumber = false;
    const qulonglong number = typed.toULongLong(&isNumber);
    if (typed.isEmpty() || isNumber) {
        const std::uint64_t wanted = isNumber ? number : topology.processors();
        if (wanted == 0)
            return wrongLaunch(LaunchWords::tr("Expected at least one processor."));
        if (wanted > mostProcessorsTried || topology.processors() > mostProcessorsTried)
            return wrongLaunch(tooMany());
        LaunchReading launch;
        launch.hosts = config::exampleHosts(topology);
        const std::string last = launch.hosts.empty() ? "host 1" : launch.hosts.back();
        launch.hosts.resize(wanted, last);
        return launch;
    }
    static const QRegularExpression between(QStringLiteral("[,;\\s]+"));
    LaunchReading launch;
    for (const QString& item : typed.split(between, Qt::SkipEmptyParts)) {
        const auto colon = item.lastIndexOf(QLatin1Char(':'));
        bool counted = colon < 0;
        const qulonglong count = counted ? 1 : item.mid(colon + 1).toULongLong(&counted);
        const std::string host = (colon < 0 ? item : item.left(colon)).toStdString();
        if (!counted || count == 0 || host.empty()) {
            return wrongLaunch(
                LaunchWords::tr("Expected hosts and how many processors each has, e.g. "
                                "node0:4, node1:4, or how many processors in all, not \"%1\".")
                    .arg(item));
        }
        if (count > mostProcessorsTried || launch.hosts.size() + count > mostProcessorsTried)
            return wrongLaunch(tooMany());
        launch.hosts.insert(launch.hosts.end(), count, host);
    }
    return launch;
}

LaunchPreview previewLaunch(const Topology& topology, const QString& launch)
{
    LaunchPreview preview;
    if (!config::topologyFaults(topology).empty())
        return preview;
    const LaunchReading reading = readLaunch(launch, topology);
    preview.processors = reading.hosts.size();
    if (!reading.problem.isEmpty()) {
        preview.problems.push_back(
            {.severity = Severity::Information, .text = reading.problem, .place = {}});
        return preview;
    }
    config::LayoutReading layout = config::layOut(topology, reading.hosts, placesOf(topology));
    for (const Diagnostic& told : layout.diagnostics) {
        preview.problems.push_back(
            {.severity = told.severity, .text = sentence(told), .place = placeOf(told.place)});
    }
    preview.layout = std::move(layout.layout);
    return preview;
}

QString rangesText(const std::vector<ProcessorId>& processors)
{
    QStringList ranges;
    for (std::size_t i = 0; i < processors.size();) {
        std::size_t end = i + 1;
        while (end < processors.size()
               && processors[end].value() == processors[end - 1].value() + 1)
            ++end;
        const QString first = QString::number(processors[i].value());
        ranges << (end == i + 1
                       ? first
                       : QStringLiteral("%1-%2").arg(first).arg(processors[end - 1].value()));
        i = end;
    }
    return ranges.join(QStringLiteral(", "));
}

TextTable unitTable(const Layout& layout)
{
    TextTable table;
    table.titles = QStringList{LaunchWords::tr("Unit"),   LaunchWords::tr("Subcluster"),
                               LaunchWords::tr("Host"),   LaunchWords::tr("Processors"),
                               LaunchWords::tr("Master"), LaunchWords::tr("Their numbers")};
    table.numbers = {3, 4};
    const config::Masters masters = config::firstMasters(layout);
    for (std::size_t i = 0; i < layout.units.size(); ++i) {
        const config::LayoutUnit& unit = layout.units[i];
        table.rows.push_back(
            {nameOf(unit.name), nameOf(layout.subclusters[unit.subcluster.value()].name),
             nameOf(unit.host), QString::number(unit.processors.size()),
             QString::number(masters.units[i].value()), rangesText(unit.processors)});
    }
    return table;
}

TextTable processorTable(const Layout& layout)
{
    TextTable table;
    table.titles = QStringList{LaunchWords::tr("Processor"), LaunchWords::tr("Subcluster"),
                               LaunchWords::tr("Unit"),      LaunchWords::tr("Host"),
                               LaunchWords::tr("Kind"),      LaunchWords::tr("Rank"),
                               LaunchWords::tr("Master of")};
    table.numbers = {0, 5};
    const config::Masters masters = config::firstMasters(layout);
    for (std::uint32_t i = 0; i < layout.processors.size(); ++i) {
        const config::PlacedProcessor& placed = layout.processors[i];
        const config::LayoutUnit& unit = layout.units[placed.unit.value()];
        const bool ranked = placed.kind == ProcessorKind::Active && placed.seat;
        table.rows.push_back(
            {QString::number(i), nameOf(layout.subclusters[placed.subcluster.value()].name),
             nameOf(unit.name), nameOf(unit.host), kindName(placed.kind),
             ranked ? QString::number(layout.seats[placed.seat->value()].index) : QString(),
             mastership(layout, masters, ProcessorId(i))});
    }
    return table;
}

} // namespace tasuki
