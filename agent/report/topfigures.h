// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"
#include "domain/rankprogram.h"
#include "domain/runstate.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tasuki {

/// How often something happened lately.
class RecentRate {
public:
    static constexpr std::chrono::seconds window{16};

    void note(WallTime at);
    /// @param begin  nothing could happen before
    /// @return a second, by the last whole seconds
    [[nodiscard]] double perSecond(WallTime now, WallTime begin = {}) const;

private:
    void forgetUpTo(std::int64_t second);

    std::array<std::uint32_t, window.count() + 1> m_counts{}; ///< by second, the latest included
    std::int64_t m_latest = 0;                                ///< second since 1970
};

/// What `top` shows beside the state of a run: who has done how much, what runs, what has failed. Made of events alone.
class TopFigures {
public:
    struct OfRank {
        std::uint64_t done = 0;   ///< attempts that had the final word, in this epoch
        std::uint64_t failed = 0; ///< of these
        std::uint32_t running = 0;
        RecentRate rate;
    };
    struct Running {
        AttemptNumber attempt;
        Rank rank;
        WallTime since{};
    };
    /// An attempt that did not succeed and had the final word.
    struct Failure {
        AttemptKey key;
        Rank rank;
        Outcome outcome = Outcome::Failed;
        std::int32_t code = 0;
        WallTime at{};
    };
    static constexpr std::size_t mostFailures = 500; ///< that are kept, the latest

    /// @param state  has applied the event
    void take(const Event& event, const RunState& state);
    /// What the programs of worlds do now, by rank.
    void take(std::vector<RankProgram> programs) { m_programs = std::move(programs); }
    /// @return null: nothing is known of one
    [[nodiscard]] const RankProgram* program(Rank rank) const;

    [[nodiscard]] const std::map<Rank, OfRank>& ranks() const { return m_ranks; }
    [[nodiscard]] const std::map<TaskId, Running>& running() const { return m_running; }
    [[nodiscard]] const std::deque<Failure>& failures() const { return m_failures; }
    /// Of the whole run.
    [[nodiscard]] const RecentRate& rate() const { return m_rate; }
    /// When the latest epoch began; none: it has not.
    [[nodiscard]] std::optional<WallTime> openedAt() const { return m_openedAt; }
    /// Tasks that have ended since then.
    [[nodiscard]] std::uint64_t doneHere() const { return m_doneHere; }
    /// What the event says that has raised an alarm.
    [[nodiscard]] const std::string& alarmText(EventId alarm) const;

private:
    void take(WallTime at, const AttemptFinished& finished);

    std::map<Rank, OfRank> m_ranks;
    std::map<TaskId, Running> m_running;
    std::vector<RankProgram> m_programs;
    std::deque<Failure> m_failures;
    std::map<EventId, std::string> m_alarmTexts;
    RecentRate m_rate;
    std::optional<WallTime> m_openedAt;
    std::uint64_t m_doneHere = 0;
};

} // namespace tasuki
