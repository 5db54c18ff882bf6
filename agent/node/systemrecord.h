// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farm/master.h"
#include "hierarchy/membershipview.h"
#include "hierarchy/messages.h"
#include "hierarchy/orders.h"
#include "launch/restartterms.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tasuki {

/// Tells the master of a farm what its membership agent sees: who holds which rank, who leads it, who gets work,
/// who is lost, when work may begin, that it ends as a subcluster is down; and has the record tell it. On
/// the processor of the master alone, on the reactor's thread. Pure logic.
class SystemRecord {
public:
    /// Who starts the run again.
    struct Restarter {
        std::string runFile; ///< absolute path
        std::function<void(const RestartTerms&)> tell = [](const RestartTerms&) {};
        bool kept = true; ///< the run file is there when the run has ended
    };

    /// @param home    the subcluster whose ranks the master leads itself; none: all have group schedulers
    /// @param first   what all processors begin with; of a successor, what it knows now
    /// @param master  outlives this
    /// @param say     writes a line for people
    SystemRecord(std::optional<SubclusterId> home, hierarchy::MembershipView first,
                 SystemLaidOut layout, farm::Master& master,
                 std::function<void(const std::string&)> say, Restarter restarter);

    /// @return what the record says first: the layout, and who is master of what
    [[nodiscard]] std::vector<EventPayload> opening() const;
    /// The layout is another one from now on.
    /// @return it with the holders of seats and the roles of the view that was told last, to be
    ///         recorded
    SystemLaidOut layOut(SystemLaidOut layout);
    /// The master has taken over: what is down already ends the run too, by the policy.
    /// @param ending  how the last master had begun to end the run, if it had
    void takenOver(const std::optional<RunEnding>& ending);
    /// An event is in the record: the run can be gone on with once it says that it has started.
    void published(const Event& event);
    /// Whether the run ends in order to be started again.
    [[nodiscard]] bool startsAgain() const { return m_down.has_value(); }
    /// The view has changed.
    void changed(const hierarchy::MembershipView& view);
    /// An order that was accepted cannot be carried out any more.
    void givenUp(const hierarchy::Order& order, const Phrase& reason);
    /// A processor went on in its place after it had been given up: a warning for people.
    /// @param lostFor  how long it is known that it was given up; none: it is not
    void overlapped(const hierarchy::Overlap& overlap,
                    std::optional<std::chrono::nanoseconds> lostFor);
    /// The start is overdue: the run ends before it has begun.
    void missing(const std::vector<ProcessorId>& processors);
    /// Thresholds are longer by so much: recorded, but not again and again.
    void lengthened(std::chrono::nanoseconds by, SteadyTime now);

private:
    void tellLeaders();
    void tellRoles(const hierarchy::MembershipView& before);
    void tellLosses(const hierarchy::MembershipView& view);
    void tellLoss(ProcessorId processor, Health health);
    void tellReturn(ProcessorId processor);
    void tellClusters(const hierarchy::MembershipView& view);
    void endFor(const hierarchy::ClusterTable& table, DownPolicy policy);
    void tellRestarter();
    [[nodiscard]] std::string nameOf(SubclusterId subcluster) const;

    hierarchy::MembershipView m_view;
    std::optional<SubclusterId> m_home; ///< led by the master itself
    SystemLaidOut m_layout;
    farm::Master& m_master;
    std::function<void(const std::string&)> m_say;
    SteadyTime m_lengthenedSaid{};
    bool m_ending = false; ///< a subcluster is down, and the policy ends the run
    Restarter m_restarter;
    RestartTerms m_terms;               ///< as told last
    bool m_begun = false;               ///< the record says that the run has started
    std::optional<SubclusterId> m_down; ///< for which the run is started again
};

} // namespace tasuki
