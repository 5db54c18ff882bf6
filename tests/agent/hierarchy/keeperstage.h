// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "hierarchy/keeper.h"
#include "support/manualclock.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tasuki::hierarchy::testing {

using namespace std::chrono_literals;

/// Two subclusters of an I/O processor and two ranks, a standby each; one unit each; all ready.
inline Picture startedPicture()
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
    Picture picture(places, seats, {});
    for (std::uint32_t cluster = 0; cluster < 2; ++cluster) {
        ClusterTable table = picture.cluster(SubclusterId(cluster));
        for (MemberRow& row : table.members)
            row.health = Health::Alive;
        table.state = ClusterState::Up;
        ++table.version.revision;
        picture.adopt(std::make_shared<const ClusterTable>(table));
    }
    SystemTable system = picture.system();
    system.started = true;
    ++system.version.revision;
    picture.adopt(std::make_shared<const SystemTable>(system));
    return picture;
}

/// One keeper, and the others as the test plays them.
struct Stage : ControlPort, HostPort {
    explicit Stage(std::uint32_t self, const KeeperOptions& options = {})
        : keeper(ProcessorId(self), startedPicture(), options, *this, *this, clock,
                 {.letGo = [this](const Holding& holding) { letGo.push_back(holding); },
                  .standing = [this](Standing now) { standings.push_back(now); },
                  .fenced = [this] { ++fencings; },
                  .rejoined = [this] { ++returns; },
                  .shutOut = [this] { ++refusals; },
                  .masterSilent = [this](bool silent) { silences.push_back(silent); },
                  .givenUp = [this](const TableOrder&,
                                    const std::string& reason) { givenUp.push_back(reason); }})
    {
        clock.advance(100s);
        keeper.start();
    }

    void send(ProcessorId to, ControlMessage message) override
    {
        sent.emplace_back(to, std::move(message));
    }
    void beginLife(std::uint32_t begun) override { life = begun; }
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
        keeper.gone(ProcessorId(number));
    }
    /// Lets time pass as a keeper that is never late sees it.
    /// @param meanwhile  called for each poll
    void run(
        std::chrono::nanoseconds time, const std::function<void()>& meanwhile = [] {})
    {
        for (const SteadyTime end = clock.now() + time; clock.now() < end;) {
            clock.advance(5ms);
            meanwhile();
            keeper.poll();
        }
    }
    void hear(std::uint32_t from, const ControlMessage& message, std::uint32_t saidIn = 1)
    {
        keeper.receive(ProcessorId(from), message, saidIn);
    }
    /// The table that is written here is published, and standbys follow it.
    void muster(std::initializer_list<std::uint32_t> standbys)
    {
        keeper.poll();
        beat(standbys);
    }
    /// Beats of processors, with the picture that the keeper has.
    void beat(std::initializer_list<std::uint32_t> from)
    {
        for (const std::uint32_t number : from) {
            hear(number,
                 Beat{.number = ++beats,
                      .digest = keeper.picture().digest(),
                      .own = keeper.picture()
                                 .cluster(keeper.picture().subclusterOf(ProcessorId(number)))
                                 .version,
                      .turns = beats,
                      .readiness = Readiness::Ready});
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
        return keeper.picture().member(ProcessorId(number)).health;
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
    std::vector<bool> silences; ///< of the system master, and their ends
    std::uint64_t beats = 1;
    int fencings = 0;
    int returns = 0;
    int refusals = 0;
    std::uint32_t life = 1;
    Keeper keeper;
};

} // namespace tasuki::hierarchy::testing
