// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "openorders.h"

#include "config/topology.h"
#include "domain/runstate.h"
#include "farm/systemorders.h"
#include "hierarchy/orders.h"

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tasuki {

/// Makes of operators' commands what the failure hierarchy understands, and of its answers what the
/// record tells. On the processor of the master alone, on the reactor's thread.
class SystemCommands {
public:
    using Answer = std::function<void(Result<void>)>;
    struct Ports {
        std::function<void(hierarchy::Order, Answer)> order;
        std::function<void(hierarchy::Settings, Answer)> changeSettings;
        /// Makes a layout the present one. @return it with those who hold seats and have roles now
        std::function<SystemLaidOut(SystemLaidOut)> layOut;
        /// What was promised cannot be done any more.
        std::function<void(const hierarchy::Order&, const Phrase& reason)> givenUp;
        bool kept = true; ///< there is a record by which the run could start again
    };

    /// @param state  of the record; outlives this
    SystemCommands(const RunState& state, Ports ports);

    /// As farm::SystemOrder.
    using Reply = std::function<void(Result<farm::SystemOutcome>)>;
    void carryOut(const OperatorCommand& command, const std::string& who, Reply reply);

    /// What the last master has promised is wanted of the system again, until it takes it.
    void promise(OpenOrders open, const hierarchy::MembershipView& view);
    /// The system has changed: perhaps it can take now what it could not take before.
    void viewChanged(const hierarchy::MembershipView& view);

private:
    struct Promise {
        hierarchy::Order order;
        bool asked = false; ///< the answer is not here yet
    };
    void settle(const hierarchy::Order& order, const Result<void>& result);
    void give(hierarchy::Order order, farm::SystemOutcome outcome, Reply reply);
    void changeTopology(const ChangeTopology& command, Reply reply);
    /// Gives one step after the other; the first refusal ends it.
    struct Change;
    void next(const std::shared_ptr<Change>& change);

    const RunState& m_state;
    Ports m_ports;
    std::vector<Promise> m_promises;
    std::set<ProcessorId>
        m_unsettled; ///< neither well nor unreachable: orders about them may be taken later
};

/// What is different in a topology that can be changed while a run goes on.
struct LiveChanges {
    bool settings = false;           ///< heartbeat, thresholds, policy, rejoin
    std::vector<SubclusterId> rules; ///< subclusters with another minimum or intensity
};

/// @return an Error of kind Input that names what cannot be changed while a run goes on
Result<LiveChanges> liveChanges(const config::Topology& now, const config::Topology& wanted);

} // namespace tasuki
