// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages.h"

#include "codec/domainfields.h"

#include <algorithm>
#include <type_traits>

namespace tasuki {

constexpr StopReason lastOf(codec::Of<StopReason>) { return StopReason::Interrupted; }

void fields(auto& a, codec::Is<WorldStart> auto& m)
{
    a(m.world, m.generation, m.first, m.holders, m.standbys, m.logMb, m.name, m.goesOn);
}

} // namespace tasuki

namespace tasuki::farm {

using codec::Is;

void fields(auto& a, Is<HeldRank> auto& m) { a(m.rank, m.incarnation); }
void fields(auto& a, Is<Standing> auto& m) { a(m.running, m.queued, m.ended); }

void fields(auto& a, Is<Hello> auto& m)
{
    a(m.host, m.pid, m.slotCount, m.standing);
    a.require(m.slotCount > 0);
}

void fields(auto& a, Is<StartedAttempt> auto& m) { a(m.key, m.slot, m.startedAt); }
void fields(auto& a, Is<FinishedAttempt> auto& m) { a(m.key, m.slot, m.result); }
void fields(auto& a, Is<Report> auto& m) { a(m.started, m.finished, m.number); }

template <class M>
concept IsKeys = Is<M, Returned> || Is<M, Withdrawn> || Is<M, Withdraw>;

void fields(auto& a, IsKeys auto& m) { a(m.keys); }
void fields(auto& a, Is<Stop> auto& m) { a(m.keys, m.reason); }
void fields(auto& a, Is<Peeked> auto& m) { a(m.number, m.answer); }
void fields(auto& a, Is<Broken> auto& m) { a(m.reason); }
void fields(auto& a, Is<JoinedRank> auto& m) { a(m.held, m.holder, m.hello); }
void fields(auto& a, Is<RankReport> auto& m) { a(m.rank, m.report); }

void fields(auto& a, Is<GroupReport> auto& m)
{
    a(m.number, m.joined, m.claimed, m.reports, m.returned);
}

void fields(auto& a, Is<OutputFetched> auto& m) { a(m.number, m.output); }
void fields(auto& a, Is<ResyncCall> auto& m) { a(m.era); }
void fields(auto& a, Is<Welcome> auto& m) { a(m.run, m.directory); }

void fields(auto& a, Is<AssignedTask> auto& m)
{
    a(m.key, m.command, m.settings, m.world);
    a.require(m.settings != nullptr);
}

void fields(auto& a, Is<Assign> auto& m) { a(m.tasks); }
void fields(auto& a, Is<Recall> auto& m) { a(m.count); }
void fields(auto& a, Is<Peek> auto& m) { a(m.number, m.query); }

void fields(auto& a, Is<Warn> auto& m)
{
    constexpr std::int32_t highestSignal = 64;
    a(m.keys, m.signalNumber);
    a.require(m.signalNumber > 0 && m.signalNumber <= highestSignal);
}

template <class M>
concept IsNoted = Is<M, Noted> || Is<M, GroupNoted>;

void fields(auto& a, IsNoted auto& m) { a(m.upTo); }
void fields(auto& a, Is<ResyncedAttempt> auto& m) { a(m.key, m.startedOn); }
void fields(auto& a, Is<Resync> auto& m) { a(m.run, m.directory, m.era, m.byRecord, m.attempts); }
void fields(auto& a, Is<Goodbye> auto& m) { a(m.losses); }

template <class M>
concept IsBytes = Is<M, RecordWord> || Is<M, WorldMail>;

void fields(auto& a, IsBytes auto& m) { a(m.bytes); }
void fields(auto& a, Is<FetchOutput> auto& m) { a(m.number, m.query, m.wait); }
void fields(auto& a, Is<OutputPrinted> auto& m) { a(m.outputs); }
void fields(auto& a, Is<ReleaseOutput> auto& m) { a(m.key); }

template <class M>
concept SaysNoMore =
    Is<M, Left> || Is<M, GroupHello> || Is<M, Resynced> || Is<M, GroupResyncCall> || Is<M, Halt>;

void fields(auto&, SaysNoMore auto&) {}
void fields(auto& a, Is<Envelope> auto& m) { a(m.epoch, m.held, m.leadership, m.group, m.message); }

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
