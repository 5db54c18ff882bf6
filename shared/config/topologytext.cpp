// SPDX-License-Identifier: GPL-3.0-or-later
#include "topologytext.h"

#include "domain/visibletext.h"
#include "topologyrules.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <string_view>
#include <vector>

namespace tasuki::config {

namespace {

/// How many characters a text has.
std::size_t textWidth(std::string_view text)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return !continuesUtf8(c); }));
}

/// Rows of cells, each column as wide as its widest cell.
class AlignedTable {
public:
    static constexpr std::size_t columns = 5;
    using Row = std::array<std::string, columns>;

    /// @param right  which columns stand on the right
    explicit AlignedTable(std::array<bool, columns> right) : m_right(right) {}

    void add(Row row) { m_rows.push_back(std::move(row)); }
    [[nodiscard]] std::string text() const;

private:
    std::array<bool, columns> m_right;
    std::vector<Row> m_rows;
};

std::string AlignedTable::text() const
{
    std::array<std::size_t, columns> widths{};
    for (const Row& row : m_rows) {
        for (std::size_t i = 0; i < columns; ++i)
            widths[i] = std::max(widths[i], textWidth(row[i]));
    }
    std::string out;
    for (const Row& row : m_rows) {
        std::string line;
        for (std::size_t i = 0; i < columns; ++i) {
            const std::string fill(widths[i] - textWidth(row[i]), ' ');
            line += (i == 0 ? "" : "  ") + (m_right[i] ? fill + row[i] : row[i] + fill);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    }
    return out;
}

std::string kindName(ProcessorKind kind)
{
    switch (kind) {
    case ProcessorKind::DedicatedMaster: return "master";
    case ProcessorKind::Io: return "I/O";
    case ProcessorKind::Active: return "active";
    case ProcessorKind::Standby: return "standby";
    }
    return {};
}

struct TreeLines {
    std::string_view branch; ///< before one that others follow
    std::string_view last;
    std::string_view along; ///< beside what is below one that others follow
};
constexpr TreeLines boxLines{"├─ ", "└─ ", "│  "};
constexpr TreeLines asciiLines{"|- ", "`- ", "|  "};
constexpr std::string_view noLine = "   ";

/// Draws one layout.
class LayoutDrawing {
public:
    LayoutDrawing(const Layout& layout, LineStyle style)
        : m_layout(layout),
          m_masters(firstMasters(layout)),
          m_lines(style == LineStyle::Box ? boxLines : asciiLines),
          m_table({false, false, true, false, false})
    {}

    std::string draw();

private:
    void drawSubcluster(SubclusterId id);
    void drawUnit(UnitId id, const std::string& before, bool last);
    void drawProcessor(ProcessorId id, const std::string& before, bool last);
    [[nodiscard]] std::string begin(const std::string& before, bool last) const
    {
        return before + std::string(last ? m_lines.last : m_lines.branch);
    }
    [[nodiscard]] std::string below(const std::string& before, bool last) const
    {
        return before + std::string(last ? noLine : m_lines.along);
    }
    [[nodiscard]] std::string mastership(ProcessorId id) const;

    const Layout& m_layout;
    Masters m_masters;
    const TreeLines& m_lines;
    AlignedTable m_table;
};

std::string LayoutDrawing::draw()
{
    m_table.add({"system", "kind", "rank", "host", "master of"});
    for (std::uint32_t i = 0; i < m_layout.subclusters.size(); ++i)
        drawSubcluster(SubclusterId(i));
    return m_table.text();
}

void LayoutDrawing::drawSubcluster(SubclusterId id)
{
    const LayoutSubcluster& subcluster = m_layout.subclusters[id.value()];
    const bool last = id.value() + 1 == m_layout.subclusters.size();
    m_table.add({begin({}, last) + subcluster.name, {}, {}, {}, {}});
    const std::string before = below({}, last);
    for (const UnitId unit : subcluster.units)
        drawUnit(unit, before, unit == subcluster.units.back());
}

void LayoutDrawing::drawUnit(UnitId id, const std::string& before, bool last)
{
    const LayoutUnit& unit = m_layout.units[id.value()];
    m_table.add({begin(before, last) + unit.name, {}, {}, {}, {}});
    for (const ProcessorId processor : unit.processors)
        drawProcessor(processor, below(before, last), processor == unit.processors.back());
}

void LayoutDrawing::drawProcessor(ProcessorId id, const std::string& before, bool last)
{
    const PlacedProcessor& processor = m_layout.of(id);
    const bool ranked = processor.kind == ProcessorKind::Active;
    assert(!ranked || processor.seat);
    m_table.add({begin(before, last) + std::to_string(id.value()), kindName(processor.kind),
                 ranked ? std::to_string(m_layout.seats[processor.seat->value()].index) : "-",
                 m_layout.units[processor.unit.value()].host, mastership(id)});
}

std::string LayoutDrawing::mastership(ProcessorId id) const
{
    const PlacedProcessor& processor = m_layout.of(id);
    std::string text;
    const auto add = [&text](bool is, std::string_view what) {
        if (is)
            text += (text.empty() ? "" : ", ") + std::string(what);
    };
    add(m_masters.system == id, "system");
    add(m_masters.clusters[processor.subcluster.value()] == id, "subcluster");
    add(m_masters.units[processor.unit.value()] == id, "unit");
    return text;
}

std::string beatsText(std::uint32_t beats, std::chrono::milliseconds heartbeat)
{
    return std::to_string(beats) + " heartbeats (" + std::to_string((beats * heartbeat).count())
        + " ms)";
}

std::string subclusterSummary(const SubclusterSpec& spec)
{
    std::string text = spec.name + ": " + std::to_string(spec.active) + " active";
    if (spec.standby != 0)
        text += ", " + std::to_string(spec.standby) + " standby";
    if (spec.io != 0)
        text += ", " + std::to_string(spec.io) + " I/O";
    if (spec.dedicatedMaster)
        text += ", 1 dedicated master";
    text += "; ";
    text += spec.minimum == 0 ? "never down" : "down below " + std::to_string(spec.minimum);
    text += "; at most " + std::to_string(spec.restarts.count) + " takeovers in "
        + std::to_string(spec.restarts.within.count()) + " s";
    if (spec.units.value_or(1) != 1)
        text += "; " + std::to_string(*spec.units) + " units a host";
    for (const std::string& host : spec.hosts)
        text += (&host == spec.hosts.data() ? "; hosts " : ", ") + host;
    if (spec.world)
        text += "; world: " + visible(spec.world->command);
    return text + '\n';
}

} // namespace

std::string topologySummary(const Topology& topology)
{
    const std::uint64_t processors = topology.processors();
    const std::size_t count = topology.subclusters.size();
    std::string text = std::to_string(processors)
        + (processors == 1 ? " processor in " : " processors in ") + std::to_string(count)
        + (count == 1 ? " subcluster\n" : " subclusters\n");
    text += "heartbeat " + std::to_string(topology.heartbeat.count()) + " ms; suspect after "
        + beatsText(topology.suspectAfter, topology.heartbeat) + ", lost after "
        + beatsText(topology.lostAfter, topology.heartbeat)
        + "; when a subcluster is down: " + std::string(policyWord(topology.policy))
        + (topology.rejoin ? "\n" : "; who was cut off does not come back\n");
    for (const SubclusterSpec& spec : topology.subclusters)
        text += subclusterSummary(spec);
    return text;
}

std::string drawLayout(const Layout& layout, LineStyle style)
{
    return LayoutDrawing(layout, style).draw();
}

} // namespace tasuki::config
