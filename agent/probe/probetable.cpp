// SPDX-License-Identifier: GPL-3.0-or-later
#include "probetable.h"

#include "domain/visibletext.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tasuki::probe {

namespace {

using Row = std::vector<std::string>;

/// @return a number with so many digits that four count
std::string fourDigits(double value)
{
    constexpr int wanted = 4;
    const int leading = value > 0.0 ? static_cast<int>(std::floor(std::log10(value))) + 1 : 1;
    char buffer[64] = {};
    std::snprintf(buffer, sizeof(buffer), "%.*f", std::clamp(wanted - leading, 0, 9), value);
    return buffer;
}

/// @return "60.12 +/- 0.31", both with the digits that the interval leaves
std::string withInterval(const Figure& figure)
{
    constexpr int wanted = 2;
    const int leading = figure.half > 0.0
        ? static_cast<int>(std::floor(std::log10(figure.half))) + 1
        : 0;
    const int places = std::clamp(wanted - leading, 0, 9);
    char buffer[96] = {};
    std::snprintf(buffer, sizeof(buffer), "%.*f +/- %.*f", places, figure.value, places,
                  figure.half);
    return buffer;
}

/// How many columns a text takes, for Latin and the like.
std::size_t columnsOf(const std::string& text)
{
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// @return the rows under each other; the first column to the left, the others to the right
std::string aligned(const std::vector<Row>& rows)
{
    std::vector<std::size_t> widths(rows.front().size());
    for (const Row& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], columnsOf(row[i]));
    }
    std::string text;
    for (const Row& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - columnsOf(row[i]), ' ');
            text += i == 0 ? row[i] + padding : "   " + padding + row[i];
        }
        text += '\n';
    }
    return text;
}

std::string rate(double usPerByte)
{
    // Bytes in a microsecond are megabytes in a second.
    return usPerByte > 0.0 ? fourDigits(1 / usPerByte) : "-";
}

} // namespace

std::string probeTable(const Assessment& assessment)
{
    std::vector<Row> nodes{{"node", "ranks", "work [ms]", "speed"}};
    for (const NodeFigures& node : assessment.nodes) {
        constexpr double usPerMs = 1e3;
        nodes.push_back({visible(node.name), std::to_string(node.ranks),
                         fourDigits(node.workUs.value / usPerMs),
                         node.reference ? "1 (reference)" : withInterval(node.speed)});
    }
    std::string text = aligned(nodes);
    if (assessment.links.empty())
        return text;
    std::vector<Row> links{{"link", "a0 [us]", "a1 [us/byte]", "MB/s", "burst [B]", "R^2"}};
    for (const FittedLink& link : assessment.links) {
        const std::string name = link.a == link.b
            ? "inside " + assessment.nodes[link.a].name
            : assessment.nodes[link.a].name + " - " + assessment.nodes[link.b].name;
        char rSquared[32] = {};
        std::snprintf(rSquared, sizeof(rSquared), "%.4f", link.fit.rSquared);
        links.push_back({visible(name), withInterval(link.fit.a0Us),
                         withInterval(link.fit.a1UsPerByte), rate(link.fit.a1UsPerByte.value),
                         link.fit.burstBytes > 0.0 ? fourDigits(link.fit.burstBytes) : "-",
                         rSquared});
    }
    text += '\n' + aligned(links);
    std::vector<Row> cards{{"network card", "out [MB/s]", "in [MB/s]"}};
    for (const NodeFigures& node : assessment.nodes) {
        if (node.egressUsPerByte > 0.0 || node.ingressUsPerByte > 0.0)
            cards.push_back(
                {visible(node.name), rate(node.egressUsPerByte), rate(node.ingressUsPerByte)});
    }
    return cards.size() > 1 ? text + '\n' + aligned(cards) : text;
}

} // namespace tasuki::probe
