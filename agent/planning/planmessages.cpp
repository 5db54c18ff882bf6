// SPDX-License-Identifier: GPL-3.0-or-later
#include "planmessages.h"

#include "codec/codec.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace tasuki::plan {

void fields(auto& a, codec::Is<Ranked> auto& m)
{
    a(m.allocation, m.timeUs);
    a.require(std::isfinite(m.timeUs));
}

} // namespace tasuki::plan

namespace tasuki::planning {

using codec::Is;

namespace {

/// What Found says, without the ranking's own order.
struct Findings {
    bool whole = false;
    std::uint64_t tried = 0;
    double sumUs = 0.0;
    std::vector<plan::Ranked> best;
    std::optional<plan::Ranked> worst; ///< none: nothing was tried
};

void fields(auto& a, Is<Findings> auto& m)
{
    a(m.whole, m.tried, m.sumUs, m.best, m.worst);
    a.require(std::isfinite(m.sumUs) && m.worst.has_value() == (m.tried != 0));
}

} // namespace

void fields(auto& a, Is<Tried> auto& m) { a(m.allocations); }
void fields(auto&, Is<Stop> auto&) {}

namespace {

using Written = std::variant<Tried, Findings, Stop>;

Findings findingsOf(const Found& found)
{
    Findings findings{.whole = found.whole,
                      .tried = found.ranking.tried(),
                      .sumUs = found.ranking.sumUs(),
                      .best = found.ranking.best(),
                      .worst = {}};
    if (!findings.best.empty())
        findings.worst = found.ranking.worst();
    return findings;
}

/// @return nothing: it is none of such a search
std::optional<Found> foundOf(Findings findings, std::size_t keep, std::uint32_t tasks,
                             std::uint32_t nodes)
{
    const auto fits = [tasks, nodes](const plan::Ranked& ranked) {
        return ranked.allocation.size() == tasks
            && std::ranges::all_of(ranked.allocation,
                                   [nodes](plan::Node node) { return node.value() < nodes; });
    };
    if (findings.best.size() != std::min<std::uint64_t>(keep, findings.tried)
        || !std::ranges::all_of(findings.best, fits) || (findings.worst && !fits(*findings.worst)))
        return std::nullopt;
    if (findings.tried == 0)
        return Found{.ranking = plan::Ranking(keep), .whole = findings.whole};
    return Found{.ranking = plan::Ranking(keep, std::move(findings.best),
                                          *std::move(findings.worst), findings.sumUs,
                                          findings.tried),
                 .whole = findings.whole};
}

} // namespace

Message encode(const PlanMessage& message)
{
    if (const auto* found = std::get_if<Found>(&message))
        return codec::encode(Written(findingsOf(*found)));
    if (const auto* tried = std::get_if<Tried>(&message))
        return codec::encode(Written(*tried));
    return codec::encode(Written(Stop{}));
}

Result<PlanMessage> decode(const Message& bytes, std::size_t keep, std::uint32_t tasks,
                           std::uint32_t nodes)
{
    Written written;
    if (codec::decode(bytes, written)) {
        if (auto* findings = std::get_if<Findings>(&written)) {
            if (auto found = foundOf(std::move(*findings), keep, tasks, nodes))
                return PlanMessage(std::move(*found));
        } else if (const auto* tried = std::get_if<Tried>(&written)) {
            return PlanMessage(*tried);
        } else {
            return PlanMessage(Stop{});
        }
    }
    return Error{.kind = ErrorKind::Protocol, .message = "a message of a search that is none"};
}

} // namespace tasuki::planning
