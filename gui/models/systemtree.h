// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "activitymeter.h"
#include "domain/rankprogram.h"
#include "domain/runstate.h"

#include <QString>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tasuki {

/// How a part of the system is, for colour and shape: the greater, the worse. What an operator has
/// ended counts as left.
enum class Condition : std::uint8_t {
    Left,
    Well,
    Expected,
    Suspect,
    Condemned,
    Fenced,
    Lost,
    Down
};

inline constexpr std::size_t programStates = 4;

/// What is known of a row of the tree. Of a part with several processors: the sums and the worst.
struct SystemFigures {
    Condition condition = Condition::Left;
    std::uint32_t affected = 0; ///< processors, or subclusters that are down, in that condition

    // Of a processor.
    Health health = Health::Expected;
    HealthCause cause = HealthCause::None;
    WallTime since{};
    ProcessorKind kind = ProcessorKind::Active;
    bool drained = false;
    std::optional<SeatId> seat = {};
    Incarnation incarnation = {};          ///< of the seat
    std::optional<MasterRole> master = {}; ///< the highest that it is

    // Of more than one.
    std::uint32_t processors = 0;
    std::uint32_t ranks = 0; ///< that there should be
    std::uint32_t held = 0;  ///< that somebody holds
    ClusterState state = ClusterState::Up;
    QString why = {}; ///< of the state of a subcluster

    // Of the ranks that are held.
    std::uint32_t slots = 0;
    std::uint32_t running = 0;
    std::uint64_t done = 0;
    std::uint64_t failed = 0;
    double busy = 0; ///< busy slots of all, 0 to 1, over the last ten seconds

    // Of programs of worlds.
    std::array<std::uint32_t, programStates> programs{}; ///< how many are in which state
    QString call = {}; ///< of MPI, in which a processor's one waits
    std::optional<std::uint32_t> replayed =
        {};                      ///< how far a processor's one is that replays, in a hundred
    std::uint32_t replaying = 0; ///< how many do
    std::uint64_t messagesPerSecond = 0;
    std::optional<qint64> pointAge = {}; ///< of a processor's one: of its restart point, in seconds
    PointObstacle noPoint = PointObstacle::None; ///< why it has got none

    bool operator==(const SystemFigures&) const = default;
};

/// A row of the tree.
struct SystemNode {
    enum class Level : std::uint8_t { System, Subcluster, Unit, Processor };

    Level level = Level::System;
    std::uint32_t number = 0; ///< of the subcluster, unit or processor
    int row = 0;
    const SystemNode* parent = nullptr;
    QString name = {}; ///< of a subcluster or unit
    std::vector<std::unique_ptr<SystemNode>> children = {};
    SystemFigures figures = {};
};

/// The failure hierarchy as a tree of system, subclusters, units and processors. Renewing it takes
/// time in proportion to the processors and tells what has changed. One owner.
class SystemTree {
public:
    /// Neighbouring rows of which at least the first and the last have changed.
    struct Stretch {
        const SystemNode* parent = nullptr; ///< null: the system's own row
        int first = 0;
        int last = 0;
    };

    /// @return whether the rows are those of a layout; none: there are no rows
    [[nodiscard]] bool fits(const SystemState& system) const;
    /// Makes the rows anew.
    void build(const SystemState& system);
    void clear();
    /// Renews the figures. Precondition: fits(state.system()) and it has a layout.
    /// @param programs  of worlds, by rank
    std::vector<Stretch> renew(const RunState& state, const ActivityMeter& meter, WallTime now,
                               std::span<const RankProgram> programs = {});

    /// Null: there are no rows.
    [[nodiscard]] const SystemNode* root() const { return m_root.get(); }
    /// @return null: there is no such processor
    [[nodiscard]] const SystemNode* find(ProcessorId processor) const;
    [[nodiscard]] std::size_t processorCount() const { return m_processors.size(); }

private:
    struct Place {
        ProcessorId id;
        UnitId unit;
        bool operator==(const Place&) const = default;
    };
    struct Round;

    std::unique_ptr<SystemNode> m_root;
    std::vector<SystemNode*> m_units;      ///< by UnitId
    std::vector<SystemNode*> m_processors; ///< as in the layout
    std::vector<Place> m_places;           ///< of these
};

} // namespace tasuki
