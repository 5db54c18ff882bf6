// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"
#include "domain/runstate.h"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tasuki::farm::testing {

/// Which execution a result comes from. Stands in the captured output, so that a result that is
/// taken for another one's can be told.
struct ExecutionToken {
    Rank rank;
    Epoch epoch;
    Incarnation incarnation;  ///< in which the execution was started
    std::uint64_t serial = 0; ///< different for each execution of an epoch
    auto operator<=>(const ExecutionToken&) const = default;

    [[nodiscard]] std::string text() const;
    static std::optional<ExecutionToken> parse(const std::string& text);
};

/// Holds a run's record against what must be true of every run, whatever happened in it. Written
/// against the events alone, without the code that made them.
class RecordChecker {
public:
    /// @param complete  every task must have its final outcome at the end
    /// @param led  ranks whose group scheduler may tell of attempts when the loss of their holder has been
    ///             recorded already, but not when the next one has joined
    explicit RecordChecker(bool complete, std::set<Rank> led = {})
        : m_mustBeComplete(complete), m_led(std::move(led))
    {}

    /// @return what is wrong with the record; empty: nothing
    std::string check(const std::vector<Event>& record);

private:
    void take(const Event& event);
    void takeJoined(const ProcessorJoined& event);
    void takeFinished(const Event& event, const AttemptFinished& finished);
    void takeEnd(TaskId id);
    void checkTurn(TaskId id);
    void checkCause(const TaskSkipped& skipped);
    [[nodiscard]] const Incarnation* present(Rank rank) const;
    void complain(const std::string& what);

    bool m_mustBeComplete;
    std::set<Rank> m_led;
    RunState m_state;
    std::map<Rank, Incarnation> m_present;
    std::map<Rank, Incarnation> m_latest;
    std::map<TaskId, int> m_finals;
    std::map<std::uint32_t, int> m_openByStage; ///< without what was reopened
    std::set<TaskId> m_ended;                   ///< at least once
    std::set<TaskId> m_reopened;
    std::set<ExecutionToken> m_counted;
    std::string m_complaint;
};

} // namespace tasuki::farm::testing
