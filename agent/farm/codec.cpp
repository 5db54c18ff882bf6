// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages.h"

#include "codec/domainfields.h"

#include <algorithm>
#include <type_traits>

namespace tasuki {

constexpr StopReason lastOf(codec::Of<StopReason>) { return StopReason::Interrupted; }

template <class A, codec::Is<WorldStart> M>
void fields(A& a, M& m)
{
    a(m.world, m.generation, m.first, m.holders, m.standbys, m.logMb, m.name, m.goesOn);
}

} // namespace tasuki

namespace tasuki::farm {

using codec::Is;

template <class A, Is<HeldRank> M>
void fields(A& a, M& m)
{
    a(m.rank, m.incarnation);
}

template <class A, Is<Standing> M>
void fields(A& a, M& m)
{
    a(m.running, m.queued, m.ended);
}

template <class A, Is<Hello> M>
void fields(A& a, M& m)
{
    a(m.host, m.pid, m.slotCount, m.standing);
    a.require(m.slotCount > 0);
}

template <class A, Is<StartedAttempt> M>
void fields(A& a, M& m)
{
    a(m.key, m.slot, m.startedAt);
}

template <class A, Is<FinishedAttempt> M>
void fields(A& a, M& m)
{
    a(m.key, m.slot, m.result);
}

template <class A, Is<Report> M>
void fields(A& a, M& m)
{
    a(m.started, m.finished, m.number);
}

template <class M>
concept IsKeys = Is<M, Returned> || Is<M, Withdrawn> || Is<M, Withdraw>;

template <class A, IsKeys M>
void fields(A& a, M& m)
{
    a(m.keys);
}

template <class A, Is<Stop> M>
void fields(A& a, M& m)
{
    a(m.keys, m.reason);
}

template <class A, Is<Peeked> M>
void fields(A& a, M& m)
{
    a(m.number, m.answer);
}

template <class A, Is<Broken> M>
void fields(A& a, M& m)
{
    a(m.reason);
}

template <class A, Is<JoinedRank> M>
void fields(A& a, M& m)
{
    a(m.held, m.holder, m.hello);
}

template <class A, Is<RankReport> M>
void fields(A& a, M& m)
{
    a(m.rank, m.report);
}

template <class A, Is<GroupReport> M>
void fields(A& a, M& m)
{
    a(m.number, m.joined, m.claimed, m.reports, m.returned);
}

template <class A, Is<OutputFetched> M>
void fields(A& a, M& m)
{
    a(m.number, m.output);
}

template <class A, Is<ResyncCall> M>
void fields(A& a, M& m)
{
    a(m.era);
}

template <class A, Is<Welcome> M>
void fields(A& a, M& m)
{
    a(m.run, m.directory);
}

template <class A, Is<AssignedTask> M>
void fields(A& a, M& m)
{
    a(m.key, m.command, m.settings, m.world);
    a.require(m.settings != nullptr);
}

template <class A, Is<Assign> M>
void fields(A& a, M& m)
{
    a(m.tasks);
}

template <class A, Is<Recall> M>
void fields(A& a, M& m)
{
    a(m.count);
}

template <class A, Is<Peek> M>
void fields(A& a, M& m)
{
    a(m.number, m.query);
}

template <class A, Is<Warn> M>
void fields(A& a, M& m)
{
    constexpr std::int32_t highestSignal = 64;
    a(m.keys, m.signalNumber);
    a.require(m.signalNumber > 0 && m.signalNumber <= highestSignal);
}

template <class M>
concept IsNoted = Is<M, Noted> || Is<M, GroupNoted>;

template <class A, IsNoted M>
void fields(A& a, M& m)
{
    a(m.upTo);
}

template <class A, Is<ResyncedAttempt> M>
void fields(A& a, M& m)
{
    a(m.key, m.startedOn);
}

template <class A, Is<Resync> M>
void fields(A& a, M& m)
{
    a(m.run, m.directory, m.era, m.byRecord, m.attempts);
}

template <class A, Is<Goodbye> M>
void fields(A& a, M& m)
{
    a(m.losses);
}

template <class M>
concept IsBytes = Is<M, RecordWord> || Is<M, WorldMail>;

template <class A, IsBytes M>
void fields(A& a, M& m)
{
    a(m.bytes);
}

template <class A, Is<FetchOutput> M>
void fields(A& a, M& m)
{
    a(m.number, m.query, m.wait);
}

template <class A, Is<OutputPrinted> M>
void fields(A& a, M& m)
{
    a(m.outputs);
}

template <class A, Is<ReleaseOutput> M>
void fields(A& a, M& m)
{
    a(m.key);
}

template <class M>
concept SaysNoMore =
    Is<M, Left> || Is<M, GroupHello> || Is<M, Resynced> || Is<M, GroupResyncCall> || Is<M, Halt>;

template <class A, SaysNoMore M>
void fields(A&, M&)
{}

template <class A, Is<Envelope> M>
void fields(A& a, M& m)
{
    a(m.epoch, m.held, m.leadership, m.group, m.message);
}

namespace {

/// Index of the first kind that goes down the tree.
constexpr std::size_t firstDownward = 11;
static_assert(std::is_same_v<std::variant_alternative_t<firstDownward, FarmMessage>, ResyncCall>);

} // namespace

bool goesUp(const FarmMessage& message) { return message.index() < firstDownward; }

std::string encode(const Envelope& envelope) { return codec::encode(envelope); }

Result<Envelope> decode(const std::string& bytes)
{
    Envelope envelope;
    if (!codec::decode(bytes, envelope))
        return Error{.kind = ErrorKind::Protocol, .message = "malformed message of the farm"};
    return envelope;
}

} // namespace tasuki::farm
