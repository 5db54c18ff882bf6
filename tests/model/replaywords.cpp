// SPDX-License-Identifier: GPL-3.0-or-later
#include "replaywords.h"

#include <algorithm>

namespace tasuki::membership {

std::vector<std::string> split(std::string_view text, char at)
{
    std::vector<std::string> out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(at), text.size());
        out.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

Version versionIn(std::string_view text)
{
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos)
        throw std::runtime_error("no version: " + std::string(text));
    return {.term = numberIn<std::uint64_t>(text.substr(0, dot)),
            .revision = numberIn<std::uint64_t>(text.substr(dot + 1))};
}

static Group groupIn(const std::string& text)
{
    Group out;
    if (text != "-") {
        for (const std::string& one : split(text, ','))
            out.push_back(numberIn<Number>(one));
    }
    return out;
}

SystemPtr systemIn(const std::vector<std::string>& words)
{
    SystemTable table{.version = versionIn(words.at(0)),
                      .started = words.at(1) == "started",
                      .voters = groupIn(words.at(2)),
                      .toBe = groupIn(words.at(3))};
    return std::make_shared<const SystemTable>(std::move(table));
}

ClusterPtr clusterIn(const std::vector<std::string>& words, std::optional<Number> writer)
{
    ClusterTable table{.version = versionIn(words.at(0)),
                       .cluster = numberIn<Number>(words.at(1)),
                       .writer = writer,
                       .rows = {}};
    for (std::size_t i = 2; i < words.size(); ++i) {
        const auto parts = split(words[i], ':');
        Row row{.health = static_cast<Health>(numberIn<std::uint8_t>(parts.at(1))),
                .cause = static_cast<Cause>(numberIn<std::uint8_t>(parts.at(2))),
                .life = numberIn<std::uint32_t>(parts.at(3)),
                .ended = parts.at(4) == "1",
                .promoted = numberIn<std::uint32_t>(parts.at(5)),
                .kind = numberIn<std::uint32_t>(parts.at(6))};
        if (parts.at(7) != "-")
            row.seat = Holding{numberIn<Number>(parts[7]), numberIn<Number>(parts.at(8))};
        table.rows[numberIn<Number>(parts[0])] = row;
    }
    return std::make_shared<const ClusterTable>(std::move(table));
}

} // namespace tasuki::membership
