// SPDX-License-Identifier: GPL-3.0-or-later
#include "findings.h"

#include "domain/csvfield.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace tasuki::probe {

namespace {

std::string csvNumber(double value)
{
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

} // namespace

std::vector<NodeRanks> nodesOf(const std::vector<std::string>& hosts, bool eachRank)
{
    std::vector<NodeRanks> nodes;
    for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
        const auto number = static_cast<int>(rank);
        const std::string name = eachRank ? hosts[rank] + '-' + std::to_string(rank) : hosts[rank];
        const auto known = std::ranges::find(nodes, name, &NodeRanks::name);
        if (known == nodes.end())
            nodes.push_back({.name = name, .ranks = {number}});
        else
            known->ranks.push_back(number);
    }
    return nodes;
}

std::string findingsCsv(const Findings& findings)
{
    std::string text = "what,node,peer,rank,round,bytes,repetitions,us\n";
    for (const SpeedRecord& speed : findings.speeds) {
        for (std::size_t i = 0; i < speed.us.size(); ++i) {
            text += "work," + csvField(findings.nodes[speed.node].name) + ",,"
                + std::to_string(speed.rank) + ',' + std::to_string(i) + ",,1,"
                + csvNumber(speed.us[i]) + '\n';
        }
    }
    for (const LinkRecord& link : findings.links) {
        const std::string ends = csvField(findings.nodes[link.a].name) + ','
            + csvField(findings.nodes[link.b].name);
        for (const LinkSample& sample : link.samples) {
            text += "message," + ends + ",," + std::to_string(sample.round) + ','
                + std::to_string(sample.bytes) + ',' + std::to_string(sample.repetitions) + ','
                + csvNumber(sample.meanUs) + '\n';
        }
    }
    for (const CardRecord& card : findings.cards) {
        for (std::size_t i = 0; i < card.us.size(); ++i) {
            text += std::string(card.incoming ? "ingress," : "egress,")
                + csvField(findings.nodes[card.node].name) + ",,," + std::to_string(i) + ','
                + csvNumber(card.bytes) + ",1," + csvNumber(card.us[i]) + '\n';
        }
    }
    for (const LargeMessageRecord& message : findings.largeMessages) {
        const std::string ends = csvField(findings.nodes[message.a].name) + ','
            + csvField(findings.nodes[message.b].name) + ",,,";
        text += "sent," + ends + csvNumber(message.bytes) + ",1," + csvNumber(message.sentUs)
            + "\nanswered," + ends + csvNumber(message.bytes) + ",1,"
            + csvNumber(message.answeredUs) + '\n';
    }
    return text;
}

} // namespace tasuki::probe
