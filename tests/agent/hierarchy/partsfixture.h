// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "hierarchy/membershipstate.h"

#include "membershipstage.h"

namespace tasuki::hierarchy::testing {

/// Processes of a host as a test has them.
struct TestHost final : HostPort {
    [[nodiscard]] Presence presence(ProcessorId processor) const override
    {
        const auto found = presences.find(processor);
        return found == presences.end() ? Presence::Running : found->second;
    }
    void kill(ProcessorId processor) override { killed.push_back(processor); }
    void watch(ProcessorId processor) override { watched.insert(processor); }

    std::map<ProcessorId, Presence> presences; ///< who is not among them runs here
    std::vector<ProcessorId> killed;
    std::set<ProcessorId> watched;
};

/// The parts of a membership agent in startedView(), without one: a test calls a part, and sees its state alone.
struct Parts {
    explicit Parts(std::uint32_t self, std::initializer_list<std::uint32_t> far = {})
    {
        clock.advance(100s);
        for (const std::uint32_t number : far)
            host.presences[ProcessorId(number)] = Presence::Elsewhere;
        state.emplace(Situation(ProcessorId(self), startedView(), {}, host, clock), nullptr);
        place();
        state->at.someoneElsewhere = state->at.findsSomeoneElsewhere();
        state->lease.restart(clock.now());
        state->succession.restartTop(clock.now());
    }
    void place()
    {
        state->at.position = positionOf(state->at.view, state->at.self,
                                        state->succession.unreachable());
    }
    void change(std::uint32_t subcluster, const std::function<void(ClusterTable&)>& what)
    {
        state->at.view.adopt(clusterAfter(state->at.view, subcluster, what));
        place();
    }
    [[nodiscard]] SteadyTime now() const { return clock.now(); }
    [[nodiscard]] MembershipState* operator->() { return &*state; }

    ManualClock clock;
    TestHost host;
    std::optional<MembershipState> state;
};

} // namespace tasuki::hierarchy::testing
