// SPDX-License-Identifier: GPL-3.0-or-later
#include "codec.h"

#include "codec/domainfields.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace tasuki::hierarchy {

using codec::Is;
using codec::Of;

namespace {

/// What is counted in nanoseconds afterwards must not overflow.
constexpr std::chrono::hours longestHeartbeat{1};
constexpr std::uint32_t mostBeats = 100'000;
constexpr std::chrono::microseconds longestDuration{1'000'000'000'000'000}; // 31 years
constexpr std::chrono::seconds longestWithin{1'000'000};
/// In ms: as far as a clock of nanoseconds goes, and as long as the slowest beat.
constexpr std::uint64_t latestStamp = std::uint64_t{1} << 43U;
constexpr std::uint32_t longestStep = 3'600'000;
/// Terms have room for as many.
constexpr Generation latestGeneration(std::uint64_t{1} << 31U);

bool isDuration(std::chrono::microseconds time)
{
    return time.count() >= 0 && time <= longestDuration;
}

bool isDuration(const std::optional<std::chrono::microseconds>& time)
{
    return !time || isDuration(*time);
}

/// @return whether rows stand in order, no two alike
template <class Rows, class Key>
bool rising(const Rows& rows, Key key)
{
    return std::ranges::adjacent_find(rows, std::ranges::greater_equal{}, key) == rows.end();
}

} // namespace

constexpr Readiness lastOf(Of<Readiness>) { return Readiness::Leaving; }
constexpr Observation lastOf(Of<Observation>) { return Observation::Returned; }

void fields(auto& a, Is<Version> auto& m) { a(m.term, m.revision); }
void fields(auto& a, Is<Versions> auto& m) { a(m.system, m.clusters); }
void fields(auto& a, Is<Holding> auto& m) { a(m.seat, m.incarnation); }

void fields(auto& a, Is<ClusterRules> auto& m)
{
    a(m.minimum, m.restarts, m.within);
    a.require(m.within.count() > 0 && m.within <= longestWithin);
}

void fields(auto& a, Is<OrderMark> auto& m) { a(m.issuer, m.number); }

void fields(auto& a, Is<MemberRow> auto& m)
{
    a(m.processor, m.unit, m.kind, m.health, m.cause, m.seat, m.drained, m.vacating, m.promoted,
      m.lostAt, m.detection, m.life, m.ended);
    a.require(m.life != Life() && (m.detection == notKnown || isDuration(m.detection)));
    a.require(!m.lostAt || isBelievable(*m.lostAt));
}

void fields(auto& a, Is<SeatRow> auto& m)
{
    a(m.seat, m.kind, m.incarnation, m.givenUp, m.open, m.previous, m.taken, m.takeover);
    a.require(m.takeover == notKnown || isDuration(m.takeover));
}

void fields(auto& a, Is<ClusterTable> auto& m)
{
    a(m.subcluster, m.version, m.writer, m.state, m.members, m.seats, m.rules, m.takeovers,
      m.ordered);
    a.require(std::ranges::all_of(m.takeovers, [](auto age) { return isDuration(age); }));
    a.require(rising(m.members, &MemberRow::processor) && rising(m.seats, &SeatRow::seat));
    a.require(std::ranges::all_of(m.members, [&m](const MemberRow& row) {
        return !row.seat || std::as_const(m).seat(*row.seat) != nullptr;
    }));
}

void fields(auto& a, Is<Settings> auto& m)
{
    a(m.heartbeat, m.suspectAfter, m.lostAfter, m.policy, m.rejoin);
    a.require(m.heartbeat.count() > 0 && m.heartbeat <= longestHeartbeat && m.suspectAfter > 0
              && m.lostAfter > m.suspectAfter && m.lostAfter <= mostBeats);
}

void fields(auto& a, Is<SystemTable> auto& m)
{
    a(m.version, m.writer, m.started, m.settings, m.voters, m.votersToBe);
    a.require(rising(m.voters, std::identity{}) && rising(m.votersToBe, std::identity{}));
}

void fields(auto& a, Is<Stamp> auto& m)
{
    a(m.leader, m.when, m.table, m.candidate);
    a.require(m.when <= latestStamp);
}

void fields(auto& a, Is<Support> auto& m)
{
    a(m.newest, m.stepMs, m.first, m.steps);
    a.require(m.stepMs > 0 && m.stepMs <= longestStep && m.steps.size() <= mostSupportSteps);
}

void fields(auto& a, Is<Beat> auto& m)
{
    a(m.number, m.digest, m.own, m.turns, m.readiness, m.holding, m.support, m.system, m.lapsed,
      m.generation, m.renounced);
    a.require(m.generation <= latestGeneration && m.renounced.size() <= mostRenounced);
}

void fields(auto& a, Is<BeatReply> auto& m)
{
    a(m.number, m.digest, m.leaseAge, m.grantAge, m.soleAge, m.stamp, m.stampAge, m.majorityAge,
      m.followedAge, m.generation, m.renounced);
    a.require(m.generation <= latestGeneration && m.renounced.size() <= mostRenounced);
    for (const auto age :
         {m.leaseAge, m.grantAge, m.soleAge, m.stampAge, m.majorityAge, m.followedAge})
        a.require(isDuration(age));
}

void fields(auto&, Is<Ask> auto&) {}

void fields(auto& a, Is<Banish> auto& m)
{
    a(m.life, m.forGood, m.lostFor);
    a.require(isDuration(m.lostFor));
}

void fields(auto& a, Is<Rejoin> auto& m)
{
    a(m.processor, m.life, m.number, m.acknowledged, m.sole, m.system, m.generation, m.renounced);
    a.require(m.generation <= latestGeneration && m.renounced.size() <= mostRenounced);
}

void fields(auto& a, Is<Overlap> auto& m)
{
    a(m.processor, m.life, m.holding, m.led, m.certain, m.refused);
}

void fields(auto& a, Is<Tables> auto& m)
{
    a(m.clusters, m.system);
    a.require(std::ranges::none_of(m.clusters, [](const auto& one) { return one == nullptr; }));
}

void fields(auto& a, Is<TablesWanted> auto& m) { a(m.have); }

void fields(auto& a, Is<Observed> auto& m)
{
    a(m.processor, m.what, m.cause, m.since, m.life);
    a.require(isDuration(m.since));
}

void fields(auto& a, Is<Observations> auto& m) { a(m.observed); }
void fields(auto& a, Is<Fence> auto& m) { a(m.processors); }
void fields(auto& a, Is<Taken> auto& m) { a(m.holding); }
void fields(auto& a, Is<Vacated> auto& m) { a(m.holding); }
void fields(auto& a, Is<DrainOrder> auto& m) { a(m.processor, m.drained); }
void fields(auto& a, Is<PromoteOrder> auto& m) { a(m.processor); }
void fields(auto& a, Is<KindOrder> auto& m) { a(m.processor, m.kind); }
void fields(auto& a, Is<RulesOrder> auto& m) { a(m.subcluster, m.rules); }
void fields(auto& a, Is<NumberedOrder> auto& m) { a(m.number, m.wanted); }

void fields(auto& a, Is<Orders> auto& m)
{
    a(m.orders);
    a.require(rising(m.orders, &NumberedOrder::number));
}

void fields(auto& a, Is<Admission> auto& m)
{
    a(m.life, m.reply, m.tables, m.lostFor);
    a.require(isDuration(m.lostFor));
}

void fields(auto& a, Is<RecordedSeat> auto& m) { a(m.seat, m.incarnation, m.holder); }
void fields(auto& a, Is<Recorded> auto& m) { a(m.seats); }

std::string encode(const ControlMessage& message) { return codec::encode(message); }

Result<ControlMessage> decode(const std::string& bytes)
{
    ControlMessage message;
    if (!codec::decode(bytes, message))
        return Error{.kind = ErrorKind::Protocol, .message = "malformed control message"};
    return message;
}

} // namespace tasuki::hierarchy
