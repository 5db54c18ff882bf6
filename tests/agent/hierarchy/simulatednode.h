// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "driftingclock.h"
#include "hierarchy/decisionwriter.h"
#include "systemsimulation.h"

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace tasuki::hierarchy::testing {

/// From the end of a process until others of its host hear of it.
inline constexpr std::chrono::nanoseconds pidfdDelay = std::chrono::microseconds(200);
/// From the word that a seat is to be let go of until nothing is done in it any more.
inline constexpr std::chrono::nanoseconds stopTime = std::chrono::milliseconds(1);

/// What is kept of the datagrams that come to a paused processor: the oldest.
inline constexpr std::size_t mostDatagramsWaiting = 200;

/// From giving itself up until a process has ended.
inline constexpr std::chrono::nanoseconds leaveTime = std::chrono::milliseconds(50);

/// A processor: its membership agent and what it is given to do.
class SystemSimulation::Node final : public ControlPort, public HostPort {
public:
    Node(SystemSimulation& simulation, ProcessorId self, const MembershipView& view)
        : m_simulation(simulation),
          m_self(self),
          clock(simulation.m_clock, std::chrono::minutes(self.value()),
                simulation.rateOf(view.member(self).unit)),
          decisions(
              simulation.m_decisions == nullptr
                  ? nullptr
                  : std::make_unique<DecisionWriter>(
                      [&out = *simulation.m_decisions](const std::string& line) { out << line; },
                      simulation.m_clock, clock, self)),
          membership(self, view, optionsOf(simulation.m_sabotage), *this, *this, clock,
                     {.letGo =
                          [this, self](const Holding& holding) {
                              if (m_simulation.m_sabotage.lapsedKeepSeats
                                  && m_simulation.node(self).membership.standing()
                                      == Standing::Lapsed)
                                  kept = holding;
                              m_simulation.at(m_simulation.now() + stopTime, [this, self, holding] {
                                  m_simulation.stopActing(self, holding);
                              });
                          },
                      .standing =
                          [this, self](Standing now) {
                              m_simulation.noteStanding(m_simulation.node(self), now);
                          },
                      .fenced =
                          [this, self] {
                              if (m_simulation.node(self).membership.fenced())
                                  m_simulation.noteFenced(m_simulation.node(self));
                          },
                      .rejoined = [this] { ++m_simulation.m_returns; },
                      .shutOut =
                          [this, self] {
                              m_simulation.at(m_simulation.now(),
                                              [this, self] { m_simulation.end(self); });
                          },
                      .overlapped =
                          [this, self](const Overlap&) {
                              m_simulation.at(m_simulation.now() + stopTime, [this, self] {
                                  m_simulation.node(self).membership.tellOverlap(0);
                              });
                          },
                      .overlapTold =
                          [this](const Overlap& overlap, std::optional<std::chrono::nanoseconds>) {
                              m_simulation.overlapTold(overlap);
                          },
                      .missing =
                          [this](std::vector<ProcessorId> missing) {
                              m_simulation.m_missing = std::move(missing);
                          },
                      .givenUp =
                          [this](const TableOrder& order, const Phrase& reason) {
                              m_simulation.givenUp(order, reason.text());
                          },
                      .decisions = decisions.get()})
    {
        alive = !view.member(self).reserved(); // else it comes later
    }

    [[nodiscard]] ProcessorId self() const { return m_self; }

    void send(ProcessorId to, ControlMessage message) override
    {
        m_simulation.deliver(m_self, to, std::move(message));
    }
    void beginLife(Life begun) override { being = begun; }
    Presence presence(ProcessorId processor) const override
    {
        if (!m_simulation.sameHost(m_self, processor))
            return Presence::Elsewhere;
        if (!m_simulation.alive(processor) || declaredDead.contains(processor))
            return Presence::Gone;
        const Node& other = m_simulation.node(processor);
        return other.paused && other.seenStopped ? Presence::Stopped : Presence::Running;
    }
    /// Does something as soon as it is not paused.
    /// @param lost  is done if it ends before
    void whenAwake(
        Arrival kind, std::function<void()> what, std::function<void()> lost = [] {})
    {
        if (!paused) {
            what();
            return;
        }
        if (kind == Arrival::Datagram && ++datagramsWaiting > mostDatagramsWaiting)
            return;
        waiting.push_back({kind, std::move(what), std::move(lost)});
    }
    void kill(ProcessorId processor) override
    {
        if (m_simulation.m_sabotage.killsDoNothing) {
            if (declaredDead.insert(processor).second) {
                m_simulation.at(m_simulation.now() + pidfdDelay,
                                [this, processor] { membership.gone(processor); });
            }
            return;
        }
        m_simulation.punished(processor, "was killed by a membership agent");
        m_simulation.end(processor);
    }
    void watch(ProcessorId processor) override
    {
        if (m_simulation.sameHost(m_self, processor))
            watched.insert(processor);
    }

    /// Whether it may do something in its seat, or lead.
    [[nodiscard]] bool works() const
    {
        return alive && !paused && !membership.fenced() && membership.standing() == Standing::Valid;
    }
    [[nodiscard]] bool leads() const { return works() && membership.actsAsSystemMaster(); }
    /// In which seat it does something now.
    [[nodiscard]] std::optional<Holding> actsIn() const
    {
        if (alive && !paused && kept)
            return kept;
        return works() ? membership.holding() : std::nullopt;
    }

private:
    static MembershipOptions optionsOf(const Sabotage& sabotage)
    {
        MembershipOptions options;
        if (sabotage.nobodyWaits)
            options.soleBeats = 0;
        if (sabotage.options)
            sabotage.options(options);
        return options;
    }

    /// What comes while it is paused.
    struct Waiting {
        Arrival kind = Arrival::Other;
        std::function<void()> what;
        std::function<void()> lost;
    };

    SystemSimulation& m_simulation;
    ProcessorId m_self;

public:
    std::set<ProcessorId> watched;
    std::set<ProcessorId> declaredDead;
    std::map<SubclusterId, ClusterTablePtr> seen; ///< in its view, when it was looked at last
    std::uint64_t seenDigest = 0;
    std::vector<Waiting> waiting;
    std::size_t datagramsWaiting = 0;
    std::vector<std::function<void()>> held; ///< what was to be done while it was suspended
    std::uint32_t round = 0;                 ///< counts how often its tasks were killed
    std::optional<Holding> kept;             ///< what it holds wrongly, see Sabotage
    bool alive = true;
    bool paused = false;
    bool seenStopped = true; ///< while it is paused, by others of its host
    bool unheard = false;    ///< what it has sent is lost
    Life being{1};           ///< its life
    std::uint64_t life = 0;  ///< counts polls that are planned, so that one chain goes on
    DriftingClock clock;
    std::unique_ptr<DecisionWriter> decisions; ///< null: nobody listens
    MembershipAgent membership;
};

} // namespace tasuki::hierarchy::testing
