// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "farm/foreman.h"
#include "farm/holdqueue.h"
#include "farm/worker.h"
#include "hierarchy/picture.h"
#include "transport/transport.h"

#include <cstdint>
#include <optional>

namespace tasuki {

/// This processor's post in its subcluster: tells its worker who leads it, and leads itself, as
/// foreman, while it is cluster master. Ranks of the first master's own subcluster are led by that,
/// until it dies. On the reactor's thread. Pure logic.
class CrewPost {
public:
    struct Setup {
        Epoch epoch;        ///< of the run
        ProcessorId master; ///< the first one
    };

    /// @param first   what all processors begin with
    /// @param worker  of this processor
    /// All references outlive this.
    CrewPost(Setup setup, hierarchy::Picture first, farm::Worker& worker, Transport& transport,
             const Clock& clock);

    /// The picture has changed.
    void changed(const hierarchy::Picture& picture);
    /// Takes what ranks and the master say to a foreman.
    void receive(ProcessorId from, farm::Envelope envelope);
    /// @return whether anything was sent
    bool poll();
    /// Who is the master, by the picture.
    [[nodiscard]] ProcessorId master() const { return m_setup.master; }
    /// As it was told last.
    [[nodiscard]] const hierarchy::Picture& picture() const { return m_picture; }
    /// The run is over: nobody is led any more.
    void dismiss();
    /// This processor is none of the system any more: it leads nobody before the next picture.
    void stepDown();
    /// Whether this processor may lead anybody by its lease. While it may not its foreman deals nothing out and
    /// tells nothing, and takes what it is told afterwards; nobody becomes foreman here.
    void suspend(bool suspended);
    /// The master begins anew with its record: from now on foremen lead all, as after a loss of it.
    void masterBeginsAnew();
    /// This processor was let in again: what it had to say over MPI, or was being said, is of its earlier life.
    void reconnect();
    [[nodiscard]] const farm::Foreman* foreman() const { return m_foreman ? &*m_foreman : nullptr; }

private:
    [[nodiscard]] const hierarchy::ClusterTable& table() const
    {
        return m_picture.cluster(m_subcluster);
    }
    void followMaster();
    void takePost();
    void appoint();
    void forgetLost(const hierarchy::Picture& before);

    Setup m_setup;
    hierarchy::Picture m_picture;
    SubclusterId m_subcluster;
    farm::Worker& m_worker;
    Transport& m_transport;
    const Clock& m_clock;
    std::uint64_t m_terms = 0; ///< used so far
    bool m_dismissed = false;
    bool m_succeeded = false; ///< the first master is gone: foremen lead all
    farm::HoldQueue m_words;  ///< to the foreman: held while this processor may not lead
    std::optional<farm::Foreman> m_foreman;
};

/// @return the crew of a subcluster that is not the master's; none: it has no ranks
std::optional<farm::CrewId> crewOf(const hierarchy::ClusterTable& table);

} // namespace tasuki
