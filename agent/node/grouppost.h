// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "farm/groupscheduler.h"
#include "farm/holdqueue.h"
#include "farm/worker.h"
#include "hierarchy/membershipview.h"
#include "transport/transport.h"

#include <cstdint>
#include <optional>

namespace tasuki {

/// This processor's post in its subcluster: tells its worker who leads it, and leads itself, as
/// group scheduler, while it is cluster master. The first master leads the ranks of its own
/// subcluster itself, until it dies. On the reactor's thread. Pure logic.
class GroupPost {
public:
    struct Setup {
        Epoch epoch;        ///< of the run
        ProcessorId master; ///< the first one
    };

    /// @param first   what all processors begin with
    /// @param worker  of this processor
    /// All references outlive this.
    GroupPost(Setup setup, hierarchy::MembershipView first, farm::Worker& worker,
              Transport& transport, const Clock& clock);

    /// The view has changed.
    void changed(const hierarchy::MembershipView& view);
    /// Takes what ranks and the master say to a group scheduler.
    void receive(ProcessorId from, farm::Envelope envelope);
    /// @return whether anything was sent
    bool poll();
    /// Who is the master, by the view.
    [[nodiscard]] ProcessorId master() const { return m_setup.master; }
    /// As it was told last.
    [[nodiscard]] const hierarchy::MembershipView& view() const { return m_view; }
    /// The run is over: nobody is led any more.
    void dismiss();
    /// This processor is none of the system any more: it leads nobody before the next view.
    void stepDown();
    /// Whether this processor may lead anybody by its lease. While it may not, its group scheduler
    /// deals nothing out and tells nothing, and keeps what it is told until it may again; this
    /// processor does not become group scheduler meanwhile.
    void suspend(bool suspended);
    /// The master begins anew with its record: from now on group schedulers lead all, as after a loss of it.
    void masterBeginsAnew();
    /// This processor was let in again: what it had to say over MPI, or was being said, is of its earlier life.
    void reconnect();
    [[nodiscard]] const farm::GroupScheduler* groupScheduler() const
    {
        return m_groupScheduler ? &*m_groupScheduler : nullptr;
    }

private:
    [[nodiscard]] const hierarchy::ClusterTable& table() const
    {
        return m_view.cluster(m_subcluster);
    }
    void followMaster();
    void takePost();
    void appoint();
    void forgetLost(const hierarchy::MembershipView& before);

    Setup m_setup;
    hierarchy::MembershipView m_view;
    SubclusterId m_subcluster;
    farm::Worker& m_worker;
    Transport& m_transport;
    const Clock& m_clock;
    farm::LeadershipNumber m_leaderships; ///< used so far
    bool m_dismissed = false;
    bool m_succeeded = false; ///< the first master is gone: group schedulers lead all
    farm::HoldQueue m_words;  ///< to the group scheduler: held while this processor may not lead
    std::optional<farm::GroupScheduler> m_groupScheduler;
};

/// @return the worker group of a subcluster that is not the master's; none: it has no ranks
std::optional<farm::GroupId> groupOf(const hierarchy::ClusterTable& table);

} // namespace tasuki
