// SPDX-License-Identifier: GPL-3.0-or-later
#include "supportbook.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace tasuki::hierarchy {

using std::chrono::ceil;
using std::chrono::floor;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

namespace {

constexpr std::uint8_t soleBit = 0x80;
constexpr std::uint8_t unknownSteps = 0x7f;

/// @return who goes on for somebody: itself while its end was not seen, else who wrote that it is lost. Who
///         was only buried may be trusted again by those that do not have that table yet
ProcessorId successorOf(const MembershipView& view, ProcessorId leader)
{
    for (std::size_t i = 0; i < view.processorCount() && view.member(leader).ended; ++i)
        leader = view.cluster(view.subclusterOf(leader)).writer;
    return leader;
}

} // namespace

std::uint64_t stampTime(SteadyTime time)
{
    return static_cast<std::uint64_t>(floor<milliseconds>(time.time_since_epoch()).count());
}

SteadyTime timeOfStamp(std::uint64_t when)
{
    return SteadyTime{} + milliseconds(static_cast<std::int64_t>(when));
}

bool SupportBook::takeWord(const Stamp& stamp, SteadyTime made, SteadyTime now)
{
    Word news{.when = stamp.when,
              .table = stamp.table,
              .candidate = stamp.candidate,
              .heard = now,
              .made = made};
    const auto [place, added] = m_words.try_emplace(stamp.leader, news);
    if (added)
        return true;
    Word& word = place->second;
    if (stamp.when <= word.when) {
        if (stamp.when == word.when) { // made in the same instant
            word.table = std::max(word.table, stamp.table);
            word.candidate = word.candidate && stamp.candidate;
            word.made = std::min(word.made, made);
        }
        return false;
    }
    news.acknowledged = word.acknowledged;
    word = news;
    return true;
}

void SupportBook::follow(ProcessorId leader)
{
    if (m_leader == leader)
        return;
    m_leader = leader;
    m_acks.clear();
}

const SupportBook::Word* SupportBook::followedWord() const
{
    const auto word = m_leader ? m_words.find(*m_leader) : m_words.end();
    return word == m_words.end() ? nullptr : &word->second;
}

std::optional<Stamp> SupportBook::newest() const
{
    const Word* const word = followedWord();
    if (word == nullptr)
        return std::nullopt;
    return Stamp{.leader = *m_leader,
                 .when = word->when,
                 .table = word->table,
                 .candidate = word->candidate};
}

std::optional<std::pair<Stamp, bool>> SupportBook::acknowledged() const
{
    const auto ack = m_acks.find(m_self);
    if (!m_leader || ack == m_acks.end())
        return std::nullopt;
    return std::pair{Stamp{.leader = *m_leader, .when = ack->second.when}, ack->second.sole};
}

SteadyTime SupportBook::newestMade() const
{
    const Word* const word = followedWord();
    return word == nullptr ? SteadyTime{} : word->made;
}

std::optional<SteadyTime> SupportBook::acknowledgedMade() const
{
    const Word* const word = followedWord();
    return word == nullptr ? std::nullopt : word->acknowledged;
}

nanoseconds SupportBook::silentFor(SteadyTime now) const
{
    const Word* const word = followedWord();
    return word == nullptr ? nanoseconds::max() : now - word->heard;
}

bool SupportBook::undivided(const MembershipView& view, SteadyTime now, nanoseconds window) const
{
    return std::ranges::none_of(m_words, [&](const auto& item) {
        const auto& [leader, word] = item;
        return leader != m_leader && word.acknowledged && now - *word.acknowledged <= window
            && successorOf(view, leader) != m_leader;
    });
}

void SupportBook::acknowledge(const MembershipView& view, SteadyTime now, nanoseconds window)
{
    const auto word = m_leader ? m_words.find(*m_leader) : m_words.end();
    // Who goes by other tables counts other voters.
    if (word == m_words.end() || word->second.table != view.system().version)
        return;
    const auto renounced = m_renounced.find(*m_leader);
    if (renounced != m_renounced.end() && word->second.when <= renounced->second.upTo)
        return;
    word->second.acknowledged = word->second.made;
    note(m_self, word->second.when, undivided(view, now, window));
}

void SupportBook::renounce(SteadyTime now)
{
    static_cast<void>(takeRenounced({.leader = m_self, .when = stampTime(now)}, now));
}

bool SupportBook::takeRenounced(const Stamp& stamp, SteadyTime now)
{
    Renounced& renounced = m_renounced[stamp.leader];
    if (stamp.when <= renounced.upTo)
        return false;
    renounced = {.upTo = stamp.when, .heard = now};
    const auto word = m_words.find(stamp.leader);
    if (word != m_words.end() && word->second.when <= stamp.when)
        word->second.acknowledged.reset();
    return true;
}

std::vector<Stamp> SupportBook::renounced(SteadyTime now, nanoseconds window) const
{
    std::vector<std::pair<SteadyTime, Stamp>> recent;
    for (const auto& [leader, item] : m_renounced) {
        if (now - item.heard <= window)
            recent.emplace_back(item.heard, Stamp{.leader = leader, .when = item.upTo});
    }
    std::ranges::sort(recent, std::greater{}, [](const auto& item) { return item.first; });
    std::vector<Stamp> out;
    for (const auto& [heard, stamp] : recent) {
        if (out.size() < mostRenounced)
            out.push_back(stamp);
    }
    return out;
}

void SupportBook::note(ProcessorId processor, std::uint64_t when, bool sole)
{
    Ack& ack = m_acks[processor];
    if (when > ack.when)
        ack = {when, sole};
    else if (when == ack.when)
        ack.sole = ack.sole || sole;
}

void SupportBook::take(const ClusterTable& table, const Support& support)
{
    if (support.newest.leader != m_leader || support.first >= table.members.size())
        return;
    const std::size_t count = std::min(support.steps.size(), table.members.size() - support.first);
    for (std::size_t i = 0; i < count; ++i) {
        const auto said = static_cast<std::uint8_t>(support.steps[i]);
        const std::uint64_t steps = said & unknownSteps;
        const std::uint64_t age = steps * support.stepMs;
        const ProcessorId processor = table.members[support.first + i].processor;
        if (steps != unknownSteps && age <= support.newest.when && processor != m_self)
            note(processor, support.newest.when - age, (said & soleBit) != 0);
    }
}

std::optional<Support> SupportBook::report(const ClusterTable& table, nanoseconds step)
{
    const auto stamp = newest();
    if (!stamp)
        return std::nullopt;
    Support out{.newest = *stamp,
                .stepMs = static_cast<std::uint32_t>(
                    std::max<std::int64_t>(1, ceil<milliseconds>(step).count())),
                .first = 0,
                .steps = {}};
    std::string all;
    std::size_t first = table.members.size();
    for (std::size_t row = 0; row < table.members.size(); ++row) {
        const auto found = m_acks.find(table.members[row].processor);
        if (found == m_acks.end())
            continue;
        // Rounded up: nobody has a newer stamp than is said of it.
        const std::uint64_t age = stamp->when - std::min(stamp->when, found->second.when)
            + out.stepMs - 1;
        const std::uint64_t steps = std::min<std::uint64_t>(age / out.stepMs, unknownSteps);
        first = std::min(first, row);
        all.resize(row - first, static_cast<char>(unknownSteps));
        all.push_back(static_cast<char>(steps | (found->second.sole ? soleBit : 0U)));
    }
    if (all.empty())
        return out;
    const std::size_t parts = (all.size() + mostSupportSteps - 1) / mostSupportSteps;
    const std::size_t begin = m_next++ % parts * mostSupportSteps;
    out.first = static_cast<std::uint32_t>(first + begin);
    out.steps = all.substr(begin, mostSupportSteps);
    return out;
}

std::optional<std::uint64_t> SupportBook::majority(std::span<const ProcessorId> electorate,
                                                   bool sole) const
{
    if (electorate.empty())
        return std::nullopt;
    const auto of = [&](ProcessorId processor) {
        const auto found = m_acks.find(processor);
        return found == m_acks.end() || (sole && !found->second.sole) ? 0 : acknowledged(processor);
    };
    std::vector<std::uint64_t> stamps;
    stamps.reserve(electorate.size());
    for (const ProcessorId processor : electorate)
        stamps.push_back(of(processor));
    std::ranges::sort(stamps, std::greater{});
    std::uint64_t newest = stamps[stamps.size() / 2];
    if (stamps.size() % 2 == 0)
        newest = std::max(newest, std::min(stamps[stamps.size() / 2 - 1], of(electorate.front())));
    return newest == 0 ? std::nullopt : std::optional(newest);
}

std::uint64_t SupportBook::acknowledged(ProcessorId processor) const
{
    const auto found = m_acks.find(processor);
    const auto own = m_renounced.find(m_self);
    const bool counts = found != m_acks.end()
        && (m_leader != m_self || own == m_renounced.end()
            || found->second.when > own->second.upTo);
    return counts ? found->second.when : 0;
}

} // namespace tasuki::hierarchy
