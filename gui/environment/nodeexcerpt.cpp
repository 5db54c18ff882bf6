// SPDX-License-Identifier: GPL-3.0-or-later
#include "nodeexcerpt.h"

#include <algorithm>
#include <cassert>

namespace tasuki {

namespace {

/// @return which of `count` places are not among these
std::vector<std::size_t> otherPlaces(const std::vector<std::uint32_t>& places, std::size_t count)
{
    std::vector<std::size_t> others;
    others.reserve(count);
    auto next = places.begin();
    for (std::size_t place = 0; place < count; ++place) {
        if (next != places.end() && *next == place)
            ++next;
        else
            others.push_back(place);
    }
    return others;
}

} // namespace

void completeLinks(plan::Environment& environment)
{
    environment.links.resize(environment.nodes.size() * environment.nodes.size());
}

NodeExcerpt takeNodes(plan::Environment& environment, std::vector<std::uint32_t> places)
{
    const std::size_t count = environment.nodes.size();
    assert(environment.links.size() == count * count);
    const std::vector<std::size_t> staying = otherPlaces(places, count);
    NodeExcerpt excerpt{.places = std::move(places), .nodes = {}, .links = {}};

    std::vector<bool> goes(count);
    for (const std::uint32_t place : excerpt.places)
        goes[place] = true;
    for (std::uint32_t from = 0; from < count; ++from) {
        for (std::uint32_t to = 0; to < count; ++to) {
            const auto& link = environment.links[from * count + to];
            if (link && (goes[from] || goes[to]))
                excerpt.links.push_back({.from = from, .to = to, .link = *link});
        }
    }

    std::vector<plan::NodeSpec> nodes;
    std::vector<std::optional<plan::LinkSpec>> links;
    links.reserve(staying.size() * staying.size());
    for (const std::uint32_t place : excerpt.places)
        excerpt.nodes.push_back(std::move(environment.nodes[place]));
    for (const std::size_t from : staying) {
        nodes.push_back(std::move(environment.nodes[from]));
        for (const std::size_t to : staying)
            links.push_back(environment.links[from * count + to]);
    }
    environment.nodes = std::move(nodes);
    environment.links = std::move(links);
    return excerpt;
}

void putNodes(plan::Environment& environment, const NodeExcerpt& excerpt)
{
    const std::size_t before = environment.nodes.size();
    const std::size_t count = before + excerpt.places.size();
    assert(environment.links.size() == before * before);
    const std::vector<std::size_t> stayed = otherPlaces(excerpt.places, count);
    std::vector<plan::NodeSpec> nodes(count);
    std::vector<std::optional<plan::LinkSpec>> links(count * count);
    for (std::size_t i = 0; i < excerpt.places.size(); ++i)
        nodes[excerpt.places[i]] = excerpt.nodes[i];
    for (std::size_t from = 0; from < stayed.size(); ++from) {
        nodes[stayed[from]] = std::move(environment.nodes[from]);
        for (std::size_t to = 0; to < stayed.size(); ++to)
            links[stayed[from] * count + stayed[to]] = environment.links[from * before + to];
    }
    for (const auto& [from, to, link] : excerpt.links)
        links[from * count + to] = link;
    environment.nodes = std::move(nodes);
    environment.links = std::move(links);
}

} // namespace tasuki
