// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"
#include "domain/runstate.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace tasuki::steering {

/// How a task that was waited for has ended.
struct TaskEnd {
    TaskState state = TaskState::Succeeded; ///< final, or Removed
    Outcome outcome = Outcome::Succeeded;   ///< of the last attempt; of one that ran
    std::int32_t code = 0;
    bool ran = false;
    bool operator==(const TaskEnd&) const = default;
};

/// Tasks that somebody waits for. It knows them by events alone, and needs none of before they were added.
///
///   task | event                                                  | becomes
///   -----+--------------------------------------------------------+--------
///   open | AttemptFinished (Final), TaskSkipped, TaskCancelled,   | ended
///        | TaskRemoved                                            |
///   ended| TaskReopened; TaskChanged of one that was removed      | open
class TaskWatch {
public:
    using Ended = std::function<void(TaskId, const TaskEnd&)>;

    /// @param ended  called for each task that is waited for when it ends
    explicit TaskWatch(Ended ended = [](TaskId, const TaskEnd&) {}) : m_whenEnded(std::move(ended))
    {}

    /// Waits for a task. What take() has told of it counts, if it was kept.
    void want(TaskId id);
    /// The same for one of a known state: it may have ended.
    void want(TaskId id, const TaskRecord& record);
    /// Also for all that are added from now on.
    void wantNewOnes() { m_wantsNewOnes = true; }
    /// Keeps from now on what it hears of tasks that it may be told to wait for later.
    void keepEarlyEnds() { m_keepsEarlyEnds = true; }
    void take(const Event& event);

    [[nodiscard]] std::size_t count() const { return m_tasks.size(); }
    [[nodiscard]] std::size_t ended() const { return m_ended; }
    [[nodiscard]] bool allEnded() const { return m_ended == m_tasks.size(); }
    /// How many have ended so far without success.
    [[nodiscard]] std::size_t unsuccessful() const { return m_unsuccessful; }
    /// The latest life of the run is over: what is open will not be done, unless it is resumed.
    [[nodiscard]] bool runOver() const { return m_runOver; }
    /// By task; nothing: it is open.
    [[nodiscard]] const std::map<TaskId, std::optional<TaskEnd>>& tasks() const { return m_tasks; }

private:
    void end(TaskId id, const TaskEnd& how);
    void open(TaskId id);

    Ended m_whenEnded;
    std::map<TaskId, std::optional<TaskEnd>> m_tasks;
    std::map<TaskId, TaskEnd> m_early; ///< ends of tasks that nobody waits for yet
    std::size_t m_ended = 0;
    std::size_t m_unsuccessful = 0;
    bool m_runOver = false;
    bool m_wantsNewOnes = false;
    bool m_keepsEarlyEnds = false;
};

/// @return 0 when it has succeeded, else its own exit code, 128 and the number of its signal, 124 after a time-out, or 1
int exitCodeOf(const TaskEnd& end);
/// What a command that has waited for tasks tells the shell: 0 when all have succeeded. Of a single task as above, of
/// several 1.
/// Precondition: allEnded()
int exitCodeOf(const TaskWatch& watch);

} // namespace tasuki::steering
