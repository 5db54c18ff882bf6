// SPDX-License-Identifier: GPL-3.0-or-later
#include "membershipview.h"

#include <algorithm>
#include <cassert>

namespace tasuki::hierarchy {

namespace {

/// Mixes bits (SplitMix64's finaliser), so that sums of versions differ where versions do.
std::uint64_t mixed(std::uint64_t bits)
{
    bits += 0x9e3779b97f4a7c15ULL;
    bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebULL;
    return bits ^ (bits >> 31U);
}

/// @param place  of the table: 0 the system's, else 1 + subcluster
std::uint64_t digestOf(std::uint64_t place, const Version& version)
{
    return mixed(mixed(mixed(place) + version.term.value()) + version.revision);
}

std::uint64_t placeOf(SubclusterId id) { return 1 + std::uint64_t{id.value()}; }

constexpr Version firstVersion{.term = TableTerm(1), .revision = 1};

/// @return whether tables are of the same processors and seats, and no seat has two holders
bool sameLayout(const ClusterTable& table, const ClusterTable& known, std::size_t processors)
{
    const auto sameMember = [](const MemberRow& one, const MemberRow& other) {
        // A dedicated master that was let in again is a standby like others.
        return one.processor == other.processor && one.unit == other.unit && one.life != Life()
            && (one.life != other.life
                || (one.kind == ProcessorKind::DedicatedMaster)
                    == (other.kind == ProcessorKind::DedicatedMaster));
    };
    const auto sameSeat = [processors](const SeatRow& one, const SeatRow& other) {
        return one.seat == other.seat && one.kind == other.kind
            && (!one.previous || one.previous->value() < processors);
    };
    if (!std::ranges::equal(table.members, known.members, sameMember)
        || !std::ranges::equal(table.seats, known.seats, sameSeat))
        return false;
    std::vector<SeatId> held;
    for (const MemberRow& row : table.members) {
        if (row.seat && table.seat(*row.seat) == nullptr)
            return false;
        if (row.seat)
            held.push_back(*row.seat);
    }
    std::ranges::sort(held);
    return std::ranges::adjacent_find(held) == held.end();
}

} // namespace

MembershipView::MembershipView(std::span<const Place> places, std::span<const SeatKind> seats,
                               SystemTable system, std::span<const ClusterRules> rules)
{
    std::vector<ClusterTable> tables;
    auto subclusters = std::make_shared<std::vector<SubclusterId>>();
    for (std::uint32_t number = 0; number < places.size(); ++number) {
        const Place& place = places[number];
        subclusters->push_back(place.subcluster);
        if (place.subcluster.value() >= tables.size())
            tables.resize(place.subcluster.value() + std::size_t{1});
        ClusterTable& table = tables[place.subcluster.value()];
        MemberRow row{.processor = ProcessorId(number), .unit = place.unit, .kind = place.kind};
        if (place.reserved) {
            row.kind = ProcessorKind::Standby;
            row.health = Health::Left;
            row.life = reservedLife;
            row.ended = true;
        } else {
            row.seat = place.seat;
        }
        table.members.push_back(row);
        if (place.seat) {
            table.seats.push_back({.seat = *place.seat,
                                   .kind = seats[place.seat->value()],
                                   .incarnation = Incarnation(place.reserved ? 0 : 1)});
        }
    }
    m_subclusters = std::move(subclusters);
    for (std::uint32_t number = 0; number < tables.size(); ++number) {
        ClusterTable& table = tables[number];
        table.subcluster = SubclusterId(number);
        table.version = firstVersion;
        if (number < rules.size())
            table.rules = rules[number];
        std::ranges::sort(table.seats, {}, &SeatRow::seat);
        m_digest += digestOf(placeOf(table.subcluster), firstVersion);
        m_clusters.push_back(std::make_shared<const ClusterTable>(std::move(table)));
    }
    system.version = firstVersion;
    m_digest += digestOf(0, firstVersion);
    m_system = std::make_shared<const SystemTable>(system);
}

bool MembershipView::adopt(ClusterTablePtr table)
{
    assert(table != nullptr);
    if (table->subcluster.value() >= m_clusters.size())
        return false;
    ClusterTablePtr& mine = m_clusters[table->subcluster.value()];
    if (table->version <= mine->version || !sameLayout(*table, *mine, processorCount()))
        return false;
    const std::uint64_t place = placeOf(table->subcluster);
    m_digest += digestOf(place, table->version) - digestOf(place, mine->version);
    mine = std::move(table);
    return true;
}

bool MembershipView::adopt(SystemTablePtr table)
{
    assert(table != nullptr);
    if (table->version <= m_system->version)
        return false;
    m_digest += digestOf(0, table->version) - digestOf(0, m_system->version);
    m_system = std::move(table);
    return true;
}

std::optional<SubclusterId> MembershipView::subclusterOf(SeatId seat) const
{
    for (const ClusterTablePtr& table : m_clusters) {
        if (table->seat(seat) != nullptr)
            return table->subcluster;
    }
    return std::nullopt;
}

Versions MembershipView::versions() const
{
    Versions versions{.system = m_system->version, .clusters = {}};
    for (const ClusterTablePtr& table : m_clusters)
        versions.clusters.push_back(table->version);
    return versions;
}

} // namespace tasuki::hierarchy
