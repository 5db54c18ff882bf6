// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "clock.h"
#include "ids.h"
#include "result.h"
#include "systemevents.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tasuki {

/// A seat by words that hold in every layout.
struct SeatLabel {
    std::string subcluster; ///< empty: there is one alone
    SeatKind kind = SeatKind::Active;
    std::uint32_t index = 0;
};

/// A processor by words that hold in every layout.
struct ProcessorLabel {
    ProcessorId id;
    std::string host; ///< empty: not known
};

/// @return e.g. "antenna rank 2", "antenna I/O 1", "rank 2": ranks by their number in their world
std::string seatName(const SeatLabel& seat);
/// @return e.g. "processor 7 (node0)"
Phrase processorPhrase(const ProcessorLabel& processor);

/// What is known of a processor of the layout.
struct SystemProcessor {
    ProcessorInfo info; ///< its seat is the one that it holds now
    Health health = Health::Expected;
    HealthCause cause = HealthCause::None;
    WallTime since{};                    ///< when it was recorded to be so
    std::optional<WallTime> lostAt = {}; ///< as in HealthChanged
    bool drained = false;
    bool drainOrdered = false; ///< an operator has said whether it shall be drained
    /// What operators want of it, the oldest first: at most one of its part. What the rest of the
    /// record shows to be done may still stand here.
    std::vector<ProcessorOrder> orders = {};
};

/// What is known of a seat of the layout.
struct SystemSeat {
    SeatInfo info;
    Incarnation incarnation = {}; ///< 0: nobody has held it in this epoch
    std::optional<ProcessorId> holder = {};
    std::optional<ProcessorId> previous = {}; ///< who held it before
    bool givenUp = false;
};

struct SystemSubcluster {
    SubclusterInfo info;
    ClusterState state = ClusterState::Starting;
    Phrase cause;
    std::optional<ProcessorId> master = {};
};

struct SystemUnit {
    UnitInfo info;
    std::optional<ProcessorId> master = {};
};

/// A seat that another processor took over, or the place of the system master.
struct Failover {
    EventId id;
    WallTime at{};
    bool ofSystem = false; ///< the system master's: then there is no seat
    SeatId seat;
    Incarnation incarnation;
    SeatLabel place;
    ProcessorLabel from;
    ProcessorLabel to;
    HealthCause cause = HealthCause::None; ///< of the loss
    std::optional<WallTime> lostAt = {};   ///< as in HealthChanged
    std::chrono::microseconds detection = notKnown;
    std::chrono::microseconds takeover = notKnown;
};

/// The failure hierarchy of a run, made from its events alone. Not thread-safe: one owner.
class SystemState {
public:
    /// When and as what an event was recorded.
    struct Stamp {
        EventId id;
        WallTime at{};
    };

    /// The next epoch begins: there is no layout. Failovers stay.
    void open();
    /// @return an Error of kind Damaged when the event does not fit what came before; the state is
    ///         then as before
    Result<void> apply(const Stamp& stamp, const SystemLaidOut& event);
    Result<void> apply(const Stamp& stamp, const SystemStarted& event);
    Result<void> apply(const Stamp& stamp, const HealthChanged& event);
    Result<void> apply(const Stamp& stamp, const SeatTaken& event);
    Result<void> apply(const Stamp& stamp, const SeatVacated& event);
    Result<void> apply(const Stamp& stamp, const MasterChanged& event);
    Result<void> apply(const Stamp& stamp, const SubclusterChanged& event);
    Result<void> apply(const Stamp& stamp, const ProcessorDrained& event);
    Result<void> apply(const Stamp& stamp, const ProcessorOrdered& event);

    /// The latest layout of this epoch; none: the run has no hierarchy, or it is not told yet.
    [[nodiscard]] const std::optional<SystemLaidOut>& layout() const { return m_layout; }
    [[nodiscard]] bool started() const { return m_started; }
    /// By SubclusterId, UnitId and SeatId.
    [[nodiscard]] const std::vector<SystemSubcluster>& subclusters() const { return m_subclusters; }
    [[nodiscard]] const std::vector<SystemUnit>& units() const { return m_units; }
    [[nodiscard]] const std::vector<SystemSeat>& seats() const { return m_seats; }
    [[nodiscard]] const std::map<ProcessorId, SystemProcessor>& processors() const
    {
        return m_processors;
    }
    /// The system master; none: not told yet.
    [[nodiscard]] std::optional<ProcessorId> master() const { return m_master; }
    /// Of all epochs, the oldest first.
    [[nodiscard]] const std::vector<Failover>& failovers() const { return m_failovers; }

    /// @return null: there is no such processor or seat in the layout
    [[nodiscard]] const SystemProcessor* find(ProcessorId id) const;
    [[nodiscard]] const SystemSeat* find(SeatId id) const;
    /// What is not in the layout is called by its number alone.
    [[nodiscard]] SeatLabel label(SeatId id) const;
    [[nodiscard]] ProcessorLabel label(ProcessorId id) const;

private:
    std::optional<SystemLaidOut> m_layout;
    bool m_started = false;
    std::vector<SystemSubcluster> m_subclusters;
    std::vector<SystemUnit> m_units;
    std::vector<SystemSeat> m_seats;
    std::map<ProcessorId, SystemProcessor> m_processors;
    std::optional<ProcessorId> m_master;
    std::vector<Failover> m_failovers;
};

/// @return e.g. "antenna rank 2", "system master": what was taken over
std::string placeName(const Failover& failover);
std::string seatName(const SystemState& state, SeatId id);
std::string processorName(const SystemState& state, ProcessorId id);

} // namespace tasuki
