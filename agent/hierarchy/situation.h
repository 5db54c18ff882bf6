// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "membershipview.h"
#include "messages.h"
#include "ports.h"
#include "rhythm.h"
#include "tree.h"

#include "domain/clock.h"

#include <chrono>
#include <cstdint>
#include <utility>

namespace tasuki::hierarchy {

struct MembershipOptions {
    std::chrono::milliseconds startDeadline{60'000};
    std::chrono::milliseconds stuckAfter{10'000};
    std::uint32_t leaseBeats = 25;     ///< without a reply: the processor gives itself up
    std::uint32_t leaseWaitBeats = 30; ///< after which it must have done so
    /// Word of a majority that is newer than this counts as of now.
    std::uint32_t trustBeats = 10;
    /// A processor that has acknowledged no other system master for so long follows one alone. More
    /// than the sum of leaseBeats and trustBeats, by what clocks may differ: so the lease of
    /// another system master was over before the word of this processor is trusted.
    std::uint32_t soleBeats = 38;
    /// How long a processor that was late itself waits for word that it still has its place.
    std::uint32_t suspendedBeats = 15;
    /// A system master that has had a majority within so long gets the time to gather one again.
    std::uint32_t recentBeats = 20;
    /// How long a system master that is heard again may be without a majority.
    std::uint32_t powerlessBeats = 15;
    /// How long it is passed over after that, unless it has a majority.
    std::uint32_t passedOverBeats = 100;
    /// A system master that is silent is replaced: on the host of its successor it is killed, elsewhere a
    /// majority goes on without it. Else it is waited for as long as leases last.
    bool replacesSilentMaster = true;
    /// How long a processor that has given itself up asks to be let in again.
    std::chrono::milliseconds rejoinWithin{60'000};
    /// How long a processor that has lapsed waits for a majority.
    std::chrono::milliseconds lapsedWithin{120'000};
    /// Of who comes with a reserved number: no other process that comes with that number has the same.
    std::uint16_t arrival = 1;
};

/// Who a processor is, what it knows and where it stands in the tree. All parts of its membership agent read it; the
/// membership agent alone changes it.
struct Situation {
    Situation(ProcessorId who, MembershipView first, MembershipOptions how, HostPort& where,
              const Clock& when)
        : self(who),
          options(how),
          host(where),
          clock(when),
          view(std::move(first)),
          rhythm(view.system().settings.heartbeat)
    {}

    ProcessorId self;
    MembershipOptions options;
    HostPort& host;
    const Clock& clock;
    MembershipView view;
    Position position;
    Rhythm rhythm;
    Life life{1};
    Readiness readiness = Readiness::Starting; ///< what the next beats say
    std::uint64_t turns = 0;                   ///< of the main loop; beats say it, too
    bool fenced = false;                       ///< it has given itself up, and is not let in since
    bool someoneElsewhere = false;             ///< lives by the tables, on another host

    [[nodiscard]] std::chrono::nanoseconds interval() const { return rhythm.interval(); }
    [[nodiscard]] const Settings& settings() const { return view.system().settings; }
    [[nodiscard]] bool started() const { return view.system().started; }
    [[nodiscard]] std::chrono::nanoseconds suspectTime() const
    {
        return settings().suspectAfter * interval();
    }
    [[nodiscard]] std::chrono::nanoseconds lostTime() const
    {
        return settings().lostAfter * interval();
    }
    /// How long a processor must have acknowledged no other one to follow one alone.
    [[nodiscard]] std::chrono::nanoseconds soleTime(SteadyTime now) const
    {
        return options.soleBeats * rhythm.longest(now, options.leaseWaitBeats);
    }
    /// Whether acting needs a majority. It does not when all are on this host, where nobody can be
    /// cut off and silent processors are killed, nor where nobody takes the place of a system
    /// master that is not heard of, so that it may go on.
    [[nodiscard]] bool needsMajority() const
    {
        return options.replacesSilentMaster && someoneElsewhere;
    }
    /// Whether somebody lives, by the tables, from whom this processor may be parted.
    [[nodiscard]] bool findsSomeoneElsewhere() const
    {
        const auto count = static_cast<std::uint32_t>(view.processorCount());
        for (std::uint32_t number = 0; number < count; ++number) {
            const ProcessorId one(number);
            if (one != self && view.member(one).living() && host.isElsewhere(one))
                return true;
        }
        return false;
    }
    [[nodiscard]] SubclusterId ownSubcluster() const { return view.subclusterOf(self); }
    [[nodiscard]] const ClusterTable& ownCluster() const { return view.cluster(ownSubcluster()); }
};

} // namespace tasuki::hierarchy
