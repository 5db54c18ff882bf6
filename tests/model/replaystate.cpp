// SPDX-License-Identifier: GPL-3.0-or-later
// What follows from what a processor knows: orders, majorities, how long it may act.
#include "replay.h"

#include <tuple>

namespace tasuki::membership {

const Row& Replay::row(const Processor& by, Number whose) const
{
    return by.clusters.at(m_clusterOf.at(whose))->rows.at(whose);
}

bool Replay::elsewhere(const Processor& one, Number other) const
{
    return m_all.at(other).host != one.host;
}

/// Where nobody lives on another host no majority is needed.
bool Replay::needsMajority(const Processor& one) const
{
    return std::ranges::any_of(m_all, [&](const auto& item) {
        return elsewhere(one, item.first) && row(one, item.first).lives();
    });
}

/// The order of succession of system masters by what one knows.
bool Replay::comesBefore(const Processor& by, Number one, Number other) const
{
    const Number home = m_clusterOf.at(0);
    const auto inCluster = [&](Number whose) {
        const Row& its = row(by, whose);
        return std::tuple(-static_cast<std::int64_t>(its.promoted), its.turn(), its.kind, whose);
    };
    const Number first = m_clusterOf.at(one);
    const Number second = m_clusterOf.at(other);
    if (first == second)
        return inCluster(one) < inCluster(other);
    const auto place = [&](Number whose, Number cluster) {
        return std::tuple(row(by, whose).turn(), cluster != home, cluster);
    };
    return place(one, first) < place(other, second);
}

/// Who would be system master before it: of each cluster only the first may.
Group Replay::before(const Processor& one) const
{
    Group out;
    const Number own = m_clusterOf.at(one.number);
    for (const auto& [cluster, table] : one.clusters) {
        std::optional<Number> first;
        for (const auto& [number, its] : table->rows) {
            if (!its.lives() || number == one.number)
                continue;
            if (cluster == own && comesBefore(one, number, one.number))
                out.push_back(number);
            if (cluster != own && (!first || comesBefore(one, number, *first)))
                first = number;
        }
        if (first && comesBefore(one, *first, one.number))
            out.push_back(*first);
    }
    return out;
}

/// Of a candidate's way: those before it, and those of their units.
bool Replay::mayBeBuried(const Processor& by, Number one, Number candidate) const
{
    return std::ranges::any_of(m_all, [&](const auto& item) {
        const auto& [number, other] = item;
        return number != candidate && other.unit == m_all.at(one).unit
            && comesBefore(by, number, candidate);
    });
}

bool Replay::hasLeft(const Processor& by, Number other) const
{
    return row(by, other).health == Health::Left;
}

/// Whether it knows that another one has ended.
bool Replay::isGone(const Processor& by, Number other) const
{
    return by.ended.contains(other) || row(by, other).ended || hasLeft(by, other)
        || (m_all.at(other).dead && m_all.at(other).host == by.host);
}

/// For whom an acknowledgement of one whose end was seen counts.
Number Replay::goesOnFor(const Processor& by, Number maker) const
{
    for (std::size_t i = 0; i < m_all.size() && row(by, maker).ended; ++i)
        maker = by.clusters.at(m_clusterOf.at(maker))->writer.value_or(maker);
    return maker;
}

Replay::Ages Replay::agesAt(const Processor& one, Us own) const
{
    constexpr double drift = 0.02;
    const auto age = static_cast<double>(one.own - own);
    return {.least = static_cast<Us>(age / (1 + drift)),
            .most = static_cast<Us>(age / (1 - drift))};
}

std::vector<Group> Replay::lists(const Processor& one) const
{
    Group voters = one.system->voters;
    if (voters.empty()) {
        for (const auto& [number, other] : m_all) {
            if (row(one, number).ofStart())
                voters.push_back(number);
        }
    }
    std::vector<Group> out{voters};
    if (!one.system->toBe.empty())
        out.push_back(one.system->toBe);
    return out;
}

/// @param newest  of what somebody acknowledged, what counts here
/// @param ended   so long ones that have ended count still
/// @return of one's stamps the newest that majorities of all lists have; 0: none
std::uint64_t Replay::ofAll(const Processor& one, const NewestOf& newest, Us ended) const
{
    std::uint64_t out = std::numeric_limits<std::uint64_t>::max();
    for (const Group& list : lists(one)) {
        std::vector<std::uint64_t> stamps;
        std::uint64_t lowest = 0;
        for (const Number voter : list) {
            const auto end = one.ended.find(voter);
            if (end != one.ended.end() && end->second <= one.own - ended)
                continue;
            const auto& gave = m_all.at(voter).gave;
            const auto given = gave.find(one.number);
            stamps.push_back(given == gave.end() ? 0 : newest(given->second));
            if (stamps.size() == 1)
                lowest = stamps.front(); // lists are by number
        }
        if (stamps.empty())
            return 0;
        std::ranges::sort(stamps, std::greater{});
        std::uint64_t has = stamps[stamps.size() / 2];
        if (stamps.size() % 2 == 0)
            has = std::max(has, std::min(stamps[stamps.size() / 2 - 1], lowest));
        out = std::min(out, has);
    }
    return out;
}

std::uint64_t Replay::followed(const Processor& one) const
{
    return ofAll(
        one, [](const Given& given) { return given.when; }, 0);
}

/// Who looks only with each beat may count somebody that has ended for a little longer.
std::uint64_t Replay::alone(const Processor& one) const
{
    const NewestOf newest = [](const Given& given) { return given.alone; };
    return std::max(ofAll(one, newest, spans(38)), ofAll(one, newest, spans(40)));
}

std::uint64_t Replay::aloneOfTable(const Processor& one) const
{
    const NewestOf newest = [&one](const Given& given) {
        return given.table == one.system->version ? given.aloneOfTable : 0;
    };
    return std::max(ofAll(one, newest, spans(38)), ofAll(one, newest, spans(40)));
}

/// Whether a majority follows it alone, by stamps that are not older than 10 T.
bool Replay::trusted(const Processor& one) const
{
    constexpr Us milliseconds = 1000;
    const std::uint64_t newest = alone(one);
    const auto renounced = one.renounced.find(one.number);
    return newest != 0 && (renounced == one.renounced.end() || newest > renounced->second)
        && one.own - static_cast<Us>(newest) * milliseconds <= spans(10) + 2 * milliseconds;
}

/// By its grant, in true time, at least.
Us Replay::actsUntil(const Processor& one) const
{
    if (one.dead || one.part != Part::Acts)
        return 0;
    if (!one.started() || !needsMajority(one))
        return never;
    const Us left = one.grant + spans(25) - one.own;
    return one.at + (left > 0 ? static_cast<Us>(static_cast<double>(left) / 1.02) : left);
}

/// The same of a seat, by its lease and the grant of whom it follows.
Us Replay::holdsUntil(const Processor& one) const
{
    if (!one.member() || !one.holding || one.standing != Standing::Valid)
        return 0;
    if (!one.started())
        return never;
    const Us lease = one.leads() ? never : one.lease + spans(25) - one.own;
    const Us grant = !needsMajority(one) ? never
                                         : one.grant + spans(one.leads() ? 25 : 30) - one.own;
    const Us left = std::min(lease, grant);
    if (left == never)
        return never;
    return one.at + (left > 0 ? static_cast<Us>(static_cast<double>(left) / 1.02) : left);
}

} // namespace tasuki::membership
