// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/eventsink.h"
#include "domain/outputkeeping.h"

#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace tasuki {

/// What is kept of one execution of a task.
struct AttemptEntry {
    static constexpr std::uint32_t none = UINT32_MAX;

    TaskId task;
    AttemptNumber number;
    Rank rank;
    SlotIndex slot;
    std::uint32_t holder = 0;     ///< index for AttemptHistory::holder()
    std::uint32_t earlier = none; ///< index of the attempt of the task before this one
    WallTime startedAt{};         ///< by the clock of the processor's host
    std::chrono::microseconds elapsed{};
    std::chrono::microseconds user{};
    std::chrono::microseconds system{};
    std::uint64_t printedBytes = 0; ///< to both streams
    std::uint32_t maxResidentKiB = 0;
    std::uint32_t keptBytes = 0; ///< of what was printed, in the record
    std::int32_t code = 0;
    Outcome outcome = Outcome::Lost; ///< meaningful once it does not run any more
    bool running = false;
    bool cutOff = false; ///< the run crashed meanwhile: nothing is known of the end
};

/// Who held a rank when an attempt ran.
struct HolderEntry {
    Rank rank;
    Incarnation incarnation; ///< 0: nobody was told to hold it
    Epoch epoch;
    std::string host; ///< empty: not known
    bool operator==(const HolderEntry&) const = default;
};

/// All attempts of a run: who ran what, where and when. RunState keeps only the latest outcome.
class AttemptHistory final : public EventSink {
public:
    void take(const Event& event) override;
    void reset() override;

    [[nodiscard]] std::size_t size() const { return m_attempts.size(); }
    /// @return the latest attempt of a task; null: it was never tried
    [[nodiscard]] const AttemptEntry* latest(TaskId task) const;
    /// @return the attempt; null: not known
    [[nodiscard]] const AttemptEntry* find(AttemptKey key) const;
    /// @return all attempts of a task, the first one first
    [[nodiscard]] std::vector<AttemptEntry> of(TaskId task) const;
    [[nodiscard]] const HolderEntry& holder(const AttemptEntry& attempt) const
    {
        return m_holders[attempt.holder];
    }
    /// How many attempts run now, by rank.
    [[nodiscard]] std::uint32_t running(Rank rank) const;
    [[nodiscard]] const std::unordered_map<AttemptKey, std::uint32_t>& runningAttempts() const
    {
        return m_running;
    }
    /// Where files are with all that the attempt has printed, unless a later one of its task has
    /// overwritten them. Empty: nowhere.
    [[nodiscard]] const std::string& outputDirectory(const AttemptEntry& attempt) const;
    /// What the latest life keeps of what tasks print.
    [[nodiscard]] const OutputKeeping& keeping() const { return m_keeping; }
    [[nodiscard]] const AttemptEntry& at(std::uint32_t index) const { return m_attempts[index]; }

private:
    void begin(const AttemptStarted& event);
    void end(const AttemptFinished& event);
    void cutOff();
    AttemptEntry& append(AttemptKey key, Rank rank, SlotIndex slot);
    std::uint32_t holderOf(Rank rank);

    std::deque<AttemptEntry> m_attempts;
    std::vector<std::uint32_t> m_latest; ///< by task
    std::vector<HolderEntry> m_holders;
    std::map<Rank, std::uint32_t> m_currentHolders;
    std::unordered_map<AttemptKey, std::uint32_t> m_running;
    std::map<Rank, std::uint32_t> m_runningByRank;
    Epoch m_epoch;
    OutputKeeping m_keeping; ///< of that epoch
    std::map<Epoch, std::string> m_outputDirectories;
};

} // namespace tasuki
