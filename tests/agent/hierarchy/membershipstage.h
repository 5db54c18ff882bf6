// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "hierarchy/membershipagent.h"
#include "support/manualclock.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tasuki::hierarchy::testing {

using namespace std::chrono_literals;

inline std::vector<ProcessorId> processors(std::initializer_list<std::uint32_t> numbers)
{
    return {numbers.begin(), numbers.end()};
}

/// Two subclusters of an I/O processor and two ranks, a standby each; one unit each; all ready, but the
/// system master has not begun.
inline MembershipView startingView()
{
    std::vector<Place> places(8);
    std::vector<SeatKind> seats(4, SeatKind::Active);
    seats.resize(6, SeatKind::Io);
    for (std::uint32_t number = 0; number < 8; ++number) {
        const std::uint32_t cluster = number / 4;
        const std::uint32_t in = number % 4;
        places[number] = {.subcluster = SubclusterId(cluster),
                          .unit = UnitId(cluster),
                          .kind = in == 0 ? ProcessorKind::Io
                              : in == 3   ? ProcessorKind::Standby
                                          : ProcessorKind::Active,
                          .seat = in == 0 ? std::optional(SeatId(4 + cluster))
                              : in == 3   ? std::nullopt
                                          : std::optional(SeatId(cluster * 2 + in - 1))};
    }
    MembershipView view(places, seats, {});
    for (std::uint32_t cluster = 0; cluster < 2; ++cluster) {
        ClusterTable table = view.cluster(SubclusterId(cluster));
        for (MemberRow& row : table.members)
            row.health = Health::Alive;
        table.state = ClusterState::Up;
        ++table.version.revision;
        view.adopt(std::make_shared<const ClusterTable>(table));
    }
    return view;
}

/// A system table that follows the one of a view.
inline SystemTablePtr systemAfter(const MembershipView& view,
                                  const std::function<void(SystemTable&)>& change)
{
    SystemTable system = view.system();
    ++system.version.revision;
    change(system);
    return std::make_shared<const SystemTable>(std::move(system));
}

/// A table of a subcluster that follows the one of a view.
inline ClusterTablePtr clusterAfter(const MembershipView& view, std::uint32_t subcluster,
                                    const std::function<void(ClusterTable&)>& change)
{
    ClusterTable table = view.cluster(SubclusterId(subcluster));
    ++table.version.revision;
    change(table);
    return std::make_shared<const ClusterTable>(std::move(table));
}

/// The same, and it has.
inline MembershipView startedView()
{
    MembershipView view = startingView();
    view.adopt(systemAfter(view, [](SystemTable& system) { system.started = true; }));
    return view;
}

/// One membership agent, and the others as the test plays them.
struct Stage : ControlPort, HostPort {
    /// @param far  who is on other hosts
    explicit Stage(std::uint32_t self, const MembershipOptions& options = {},
                   std::initializer_list<std::uint32_t> far = {},
                   const MembershipView& view = startedView())
        : elsewhere(far.begin(), far.end()),
          membership(
              ProcessorId(self), view, options, *this, *this, clock,
              {.letGo = [this](const Holding& holding) { letGo.push_back(holding); },
               .standing = [this](Standing now) { standings.push_back(now); },
               .fenced = [this] { ++fencings; },
               .rejoined = [this] { ++returns; },
               .shutOut = [this] { ++refusals; },
               .overlapped = [this](const Overlap& overlap) { overlaps.push_back(overlap); },
               .overlapTold =
                   [this](const Overlap& overlap, std::optional<std::chrono::nanoseconds>) {
                       overlapsTold.push_back(overlap);
                   },
               .masterSilent = [this](bool silent) { silences.push_back(silent); },
               .givenUp = [this](const TableOrder&,
                                 const Phrase& reason) { givenUp.push_back(reason.text()); }})
    {
        clock.advance(100s);
        membership.start();
    }

    void send(ProcessorId to, ControlMessage message) override
    {
        if (const auto* const beat = std::get_if<Beat>(&message))
            unanswered[to].push_back(beat->number);
        if (const auto* const reply = std::get_if<BeatReply>(&message); reply && reply->stamp)
            stamps[to] = *reply->stamp;
        sent.emplace_back(to, std::move(message));
    }
    void beginLife(Life begun) override { life = begun; }
    Presence presence(ProcessorId processor) const override
    {
        if (ended.contains(processor))
            return Presence::Gone;
        if (stopped.contains(processor))
            return Presence::Stopped;
        return elsewhere.contains(processor) ? Presence::Elsewhere : Presence::Running;
    }
    void kill(ProcessorId processor) override { killed.push_back(processor); }
    void watch(ProcessorId) override {}

    /// A process of this host ends.
    void end(std::uint32_t number)
    {
        ended.insert(ProcessorId(number));
        membership.gone(ProcessorId(number));
    }
    /// Lets time pass as a membership agent that is never late sees it.
    /// @param meanwhile  called for each poll
    void run(
        std::chrono::nanoseconds time, const std::function<void()>& meanwhile = [] {})
    {
        for (const SteadyTime end = clock.now() + time; clock.now() < end;) {
            clock.advance(5ms);
            meanwhile();
            membership.poll();
        }
    }
    void hear(std::uint32_t from, const ControlMessage& message, Life saidIn = Life(1))
    {
        membership.receive(ProcessorId(from), message, saidIn);
    }
    /// The table that is written here is published, and standbys follow it.
    void resync(std::initializer_list<std::uint32_t> standbys)
    {
        membership.poll();
        beat(standbys);
    }
    /// Beats of processors, with the view that the membership agent has.
    void beat(std::initializer_list<std::uint32_t> from)
    {
        for (const std::uint32_t number : from)
            hear(number, beatOf(number));
    }
    /// The same of such as follow whom the membership agent follows: they have the stamp that it answered them
    /// with last. The master of the other subcluster says it of all of its own.
    /// @param alone  they have acknowledged no other one for long
    void follow(std::initializer_list<std::uint32_t> from, bool alone = true)
    {
        for (const std::uint32_t number : from) {
            Beat beat = beatOf(number);
            if (const auto stamp = stamps.find(ProcessorId(number)); stamp != stamps.end()) {
                const bool all = number % 4 == 0;
                beat.support = Support{.newest = stamp->second,
                                       .first = all ? 0 : number % 4,
                                       .steps = std::string(all ? 4 : 1, alone ? '\x80' : '\0')};
            }
            hear(number, beat);
        }
    }
    [[nodiscard]] Beat beatOf(std::uint32_t number)
    {
        const MembershipView& view = membership.view();
        return {.number = ++beats,
                .digest = view.digest(),
                .own = view.cluster(view.subclusterOf(ProcessorId(number))).version,
                .turns = beats,
                .readiness = Readiness::Ready,
                .system = view.system().version};
    }
    /// What somebody stamps now who goes by the tables that the membership agent has.
    [[nodiscard]] Stamp stampOf(std::uint32_t leader, bool candidate = false) const
    {
        return {.leader = ProcessorId(leader),
                .when = stampTime(clock.now()),
                .table = membership.view().system().version,
                .candidate = candidate};
    }
    /// What somebody replies who follows another one, or itself.
    /// @param age  of all that it knows
    [[nodiscard]] static BeatReply following(const Stamp& stamp,
                                             std::chrono::microseconds age = 0us)
    {
        return {
            .leaseAge = age, .grantAge = age, .soleAge = age, .stamp = stamp, .majorityAge = age};
    }
    /// Somebody answers all beats that it has got since it last did.
    void answer(std::uint32_t by, BeatReply reply)
    {
        for (const std::uint64_t number : std::exchange(unanswered[ProcessorId(by)], {})) {
            reply.number = number;
            reply.digest = membership.view().digest();
            hear(by, reply);
        }
    }
    template <class Content>
    [[nodiscard]] std::size_t count(std::uint32_t to) const
    {
        return static_cast<std::size_t>(std::ranges::count_if(sent, [&](const auto& item) {
            return item.first == ProcessorId(to) && std::holds_alternative<Content>(item.second);
        }));
    }
    [[nodiscard]] Health health(std::uint32_t number) const
    {
        return membership.view().member(ProcessorId(number)).health;
    }

    ManualClock clock;
    std::vector<std::pair<ProcessorId, ControlMessage>> sent;
    std::vector<ProcessorId> killed;
    std::set<ProcessorId> elsewhere;
    std::set<ProcessorId> stopped;
    std::set<ProcessorId> ended;
    std::vector<Holding> letGo;
    std::vector<std::string> givenUp;
    std::vector<Standing> standings;
    std::vector<Overlap> overlaps;     ///< its own
    std::vector<Overlap> overlapsTold; ///< of others, as the system master
    std::vector<bool> silences;        ///< of the system master, and their ends
    std::map<ProcessorId, std::vector<std::uint64_t>> unanswered; ///< beats that were sent to whom
    std::map<ProcessorId, Stamp> stamps;                          ///< who was answered with it
    std::uint64_t beats = 1;
    int fencings = 0;
    int returns = 0;
    int refusals = 0;
    Life life{1};
    MembershipAgent membership;
};

/// @return what was sent to a processor last of its kind; none: nothing
template <class Content>
std::optional<Content> last(const Stage& stage, std::uint32_t to)
{
    for (auto item = stage.sent.rbegin(); item != stage.sent.rend(); ++item) {
        if (item->first == ProcessorId(to) && std::holds_alternative<Content>(item->second))
            return std::get<Content>(item->second);
    }
    return std::nullopt;
}

} // namespace tasuki::hierarchy::testing
