// SPDX-License-Identifier: GPL-3.0-or-later
#include "assessment.h"

#include "cardtests.h"
#include "sendbuffer.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <map>

namespace tasuki::probe {

namespace {

constexpr double acceptableHalf = 0.05;
constexpr double acceptableRSquared = 0.9;
constexpr double percent = 100.0;

std::string rounded(double value, int places = 0)
{
    char buffer[64] = {};
    std::snprintf(buffer, sizeof(buffer), "%.*f", places, value);
    return buffer;
}

std::vector<NodeFigures> speedsOf(const Findings& findings,
                                  const std::optional<std::string>& reference)
{
    std::vector<NodeFigures> nodes;
    for (std::size_t i = 0; i < findings.nodes.size(); ++i) {
        std::vector<double> times;
        for (const SpeedRecord& record : findings.speeds) {
            if (record.node == i)
                times.insert(times.end(), record.us.begin(), record.us.end());
        }
        nodes.push_back({.name = findings.nodes[i].name,
                         .ranks = findings.nodes[i].ranks.size(),
                         .workUs = medianFigure(std::move(times)),
                         .speed = {}});
    }
    const auto fastest = [](const NodeFigures& a, const NodeFigures& b) {
        return a.workUs.value < b.workUs.value;
    };
    const auto base = reference ? std::ranges::find(nodes, *reference, &NodeFigures::name)
                                : std::ranges::min_element(nodes, fastest);
    assert(base != nodes.end());
    base->reference = true;
    for (NodeFigures& node : nodes) {
        node.speed.value = base->workUs.value / node.workUs.value;
        if (!node.reference)
            node.speed.half = node.speed.value
                * std::hypot(node.workUs.relativeHalf(), base->workUs.relativeHalf());
    }
    return nodes;
}

plan::LinkSpec specOf(const LinkFit& fit)
{
    return {.a0Us = fit.a0Us.value,
            .a1UsPerByte = fit.a1UsPerByte.value,
            .burstBytes = fit.burstBytes,
            .a0Confidence = fit.a0Us.half,
            .a1Confidence = fit.a1UsPerByte.half};
}

/// @return the link that has the median of each figure
plan::LinkSpec typicalLink(const std::vector<plan::LinkSpec>& links)
{
    std::vector<double> a0;
    std::vector<double> a1;
    std::vector<double> bursts;
    for (const plan::LinkSpec& link : links) {
        a0.push_back(link.a0Us);
        a1.push_back(link.a1UsPerByte);
        bursts.push_back(link.burstBytes);
    }
    return {.a0Us = median(std::move(a0)),
            .a1UsPerByte = median(std::move(a1)),
            .burstBytes = median(std::move(bursts))};
}

plan::Environment environmentOf(const Assessment& assessment)
{
    plan::Environment environment;
    const std::size_t count = assessment.nodes.size();
    for (const NodeFigures& node : assessment.nodes) {
        environment.nodes.push_back({.name = node.name,
                                     .speed = node.speed.value,
                                     .slots = static_cast<std::uint32_t>(node.ranks),
                                     .egressUsPerByte = node.egressUsPerByte,
                                     .ingressUsPerByte = node.ingressUsPerByte});
        if (!node.reference)
            environment.nodes.back().speedConfidence = node.speed.half;
    }
    environment.links.resize(count * count);
    std::vector<plan::LinkSpec> between;
    std::vector<plan::LinkSpec> inside;
    for (const FittedLink& link : assessment.links) {
        const plan::LinkSpec spec = specOf(link.fit);
        (link.a == link.b ? inside : between).push_back(spec);
        environment.links[link.a * count + link.b] = spec;
        environment.links[link.b * count + link.a] = spec;
    }
    if (!between.empty())
        environment.linkDefault = typicalLink(between);
    if (!inside.empty())
        environment.linkInside = typicalLink(inside);
    if (inside.size() == 1) {
        // One such node: its figures need not be there twice.
        environment.linkInside = inside.front();
        for (std::size_t i = 0; i < count; ++i)
            environment.links[i * count + i].reset();
    }
    return environment;
}

void warnOfSpeeds(Assessment& assessment)
{
    for (const NodeFigures& node : assessment.nodes) {
        const double half = node.reference ? node.workUs.relativeHalf() : node.speed.relativeHalf();
        if (half <= acceptableHalf)
            continue;
        assessment.warnings.push_back("the speed of " + node.name + " is known to +/- "
                                      + rounded(half * percent)
                                      + " % only; is the computer busy otherwise? A longer "
                                        "--speed-seconds narrows it");
    }
}

void warnOfLink(Assessment& assessment, const FittedLink& link)
{
    const std::string name = link.a == link.b
        ? "inside " + assessment.nodes[link.a].name
        : assessment.nodes[link.a].name + " - " + assessment.nodes[link.b].name;
    const LinkFit& fit = link.fit;
    const auto warn = [&](const std::string& text) {
        assessment.warnings.push_back("link " + name + ": " + text);
    };
    const std::string worst = "at " + rounded(fit.worstBytes) + " bytes it is "
        + rounded(std::abs(fit.worstDeviation) * percent) + " % "
        + (fit.worstDeviation > 0 ? "above" : "below") + " the line";
    const std::string rSquared = "R^2 is " + rounded(fit.rSquared, 2);
    if (fit.bent) {
        warn("time is not linear in size: " + worst + ", " + rSquared
             + ". a0 and a1 are a compromise; --largest can keep to the sizes that your program "
               "sends");
    } else if (fit.rSquared < acceptableRSquared) {
        warn(rSquared + ": size explains little of the time; " + worst
             + ". More --repetitions help against noise");
    }
    if (fit.a0Us.value <= 0.0 || fit.a1UsPerByte.value <= 0.0)
        warn(std::string(fit.a0Us.value <= 0.0 ? "a0" : "a1")
             + " could not be told from 0; more --repetitions help");
}

} // namespace

std::vector<Timing> timingsOf(const LinkRecord& record)
{
    std::map<std::uint64_t, std::vector<double>> bySize;
    for (const LinkSample& sample : record.samples)
        bySize[sample.bytes].push_back(sample.meanUs);
    std::vector<Timing> timings;
    for (auto& [bytes, means] : bySize)
        timings.push_back({static_cast<double>(bytes), median(std::move(means))});
    return timings;
}

std::vector<FittedLink> fitLinks(const std::vector<LinkRecord>& records)
{
    std::vector<FittedLink> links;
    for (const LinkRecord& record : records)
        links.push_back({record.a, record.b, fitLink(timingsOf(record))});
    return links;
}

Assessment assess(const Findings& findings, const std::optional<std::string>& reference)
{
    Assessment assessment;
    assessment.nodes = speedsOf(findings, reference);
    assessment.links = fitLinks(findings.links);
    for (const CardRecord& record : findings.cards) {
        NodeFigures& node = assessment.nodes[record.node];
        (record.incoming ? node.ingressUsPerByte : node.egressUsPerByte) = cardUsPerByte(record);
    }
    assessment.environment = environmentOf(assessment);
    assessment.environment.sendBufferBytes = sendBufferBytes(findings.largeMessages,
                                                             assessment.links);
    warnOfSpeeds(assessment);
    for (const FittedLink& link : assessment.links)
        warnOfLink(assessment, link);
    if (assessment.nodes.size() == 1) {
        assessment.warnings.emplace_back(
            "all ranks are on one node, so there is nothing to compare; start one rank or more on "
            "every node");
    }
    return assessment;
}

} // namespace tasuki::probe
