// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farm/master.h"

#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace tasuki::farm::testing {

/// Gives a farm commands at random, and holds what comes of them against what was answered.
class RandomOperator {
public:
    /// @param master, state  outlive the operator, or until it follows another master
    RandomOperator(Master& master, const RunState& state, std::uint32_t seed, bool mayStop)
        : m_master(&master),
          m_state(&state),
          m_random(seed),
          m_mayStop(mayStop),
          m_name(std::to_string(seed))
    {}

    /// The master has died and another one goes on: what was not answered may be done or not.
    void follow(Master& master, const RunState& state);
    /// Wants something of the run as it is now.
    void act();
    /// Lets the run come to its end: releases what is held, stops it when all is done.
    void wrapUp();
    /// @param record     what this life of the run has recorded
    /// @param masterEnded  else it died: some commands may have no answer
    /// @return what was wrong; empty: nothing
    std::string check(const std::vector<Event>& record, bool masterEnded);

    /// Commands that were accepted, by index in OperatorCommand.
    [[nodiscard]] const std::vector<std::uint32_t>& accepted() const { return m_accepted; }
    /// Attempts that were to be killed.
    [[nodiscard]] std::uint32_t stopped() const { return m_stopped; }
    [[nodiscard]] std::uint32_t peeked() const { return m_peeked; }

private:
    struct Given {
        OperatorCommand command;
        int answers = 0;
        bool unheard = false; ///< its master died before it answered
    };
    /// A task that must not be tried again, unless it is reopened.
    struct Doomed {
        TaskId id;
        EventId since;
    };

    void give(OperatorCommand command);
    void peek();
    void answered(Given& given, const CommandAnswer& answer);
    void checkState(const std::vector<TaskTarget>& targets, const CommandAnswer& answer,
                    const std::set<TaskState>& states);
    void checkEdits(const EditTasks& command, bool accepted);
    void checkDoomed(const Doomed& doomed, const std::vector<Event>& record, bool masterEnded);
    void checkStopped(const std::vector<Event>& record);
    [[nodiscard]] std::vector<TaskTarget> someTargets(std::uint32_t most,
                                                      const std::set<TaskState>& states);
    [[nodiscard]] AddTasks someTasks();
    [[nodiscard]] EditTasks someEdits();
    void complain(const std::string& what);
    std::uint32_t below(std::uint32_t limit)
    {
        return static_cast<std::uint32_t>(m_random() % limit);
    }

    Master* m_master;
    const RunState* m_state;
    std::mt19937 m_random;
    bool m_mayStop;
    std::string m_name; ///< of this life's operator, in commands
    std::vector<std::shared_ptr<Given>> m_given;
    std::vector<std::shared_ptr<int>> m_peeks; ///< answers to each
    std::vector<Doomed> m_doomed;
    EventId m_stoppedAt; ///< 0.0: it was not
    std::vector<std::uint32_t> m_accepted = std::vector<std::uint32_t>(
        std::variant_size_v<OperatorCommand>);
    std::uint32_t m_serial = 0;
    std::uint32_t m_stopped = 0;
    std::uint32_t m_peeked = 0;
    std::string m_complaint;
};

} // namespace tasuki::farm::testing
