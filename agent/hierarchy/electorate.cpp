// SPDX-License-Identifier: GPL-3.0-or-later
#include "electorate.h"

#include <algorithm>

namespace tasuki::hierarchy {

namespace {

/// @return the newest stamp that majorities of all lists have
std::optional<std::uint64_t> least(const auto& lists, const auto& newestOf)
{
    std::optional<std::uint64_t> out;
    for (const auto& list : lists) {
        const std::optional<std::uint64_t> newest = newestOf(list);
        if (!newest)
            return std::nullopt;
        out = std::min(out.value_or(*newest), *newest);
    }
    return out;
}

std::vector<ProcessorId> everybody(const MembershipView& view, const auto& fits)
{
    std::vector<ProcessorId> out;
    for (std::uint32_t number = 0; number < view.processorCount(); ++number) {
        if (fits(ProcessorId(number)))
            out.emplace_back(number);
    }
    return out;
}

} // namespace

std::vector<ProcessorId> votersOf(const MembershipView& view)
{
    const auto& voters = view.system().voters;
    return voters.empty() ? everybody(view, [&](auto one) { return view.member(one).ofStart(); })
                          : voters;
}

std::vector<ProcessorId> votersWanted(const MembershipView& view)
{
    return everybody(view, [&](ProcessorId one) {
        return view.member(one).living() && view.member(one).ofStart();
    });
}

void Electorate::count(const MembershipView& view, const std::function<bool(ProcessorId)>& hasEnded,
                       const std::function<SteadyTime(ProcessorId)>& known, SteadyTime now,
                       std::chrono::nanoseconds window)
{
    m_lists.clear();
    const auto add = [&](const std::vector<ProcessorId>& voters) {
        List list;
        for (const ProcessorId voter : voters) {
            if (!view.knows(voter))
                continue;
            if (!hasEnded(voter)) {
                list.living.push_back(voter);
                list.all.push_back(voter);
            } else if (m_endedSince.try_emplace(voter, known(voter)).first->second > now - window) {
                // It may be one of those on whom an earlier system master counts.
                list.all.push_back(voter);
            }
        }
        m_lists.push_back(std::move(list));
    };
    add(votersOf(view));
    if (!view.system().votersToBe.empty())
        add(view.system().votersToBe);
}

std::optional<std::uint64_t> Electorate::majority(const SupportBook& support) const
{
    return least(m_lists, [&](const List& list) { return support.majority(list.living, false); });
}

std::optional<std::uint64_t> Electorate::majorityAlone(const SupportBook& support) const
{
    return least(m_lists, [&](const List& list) { return support.majority(list.all, true); });
}

bool Electorate::allHave(const SupportBook& support, const MembershipView& view,
                         std::uint64_t when) const
{
    return std::ranges::all_of(m_lists, [&](const List& list) {
        return std::ranges::all_of(list.living, [&](ProcessorId voter) {
            return !view.member(voter).living() || support.acknowledged(voter) > when;
        });
    });
}

} // namespace tasuki::hierarchy
