// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "clockline.h"
#include "record.h"

#include <cstdint>
#include <queue>
#include <span>
#include <unordered_map>
#include <vector>

namespace tasuki::tracer {

/// Where the records of one task come from.
class RecordStream {
public:
    RecordStream() = default;
    virtual ~RecordStream() = default;
    RecordStream(const RecordStream&) = delete;
    RecordStream& operator=(const RecordStream&) = delete;

    /// @return the next records, valid until the next call; empty after the last
    virtual std::span<const Record> next() = 0;
};

struct TaskLog {
    RecordStream* records = nullptr;
    ClockLine clock;
    std::vector<std::uint32_t> communicators; ///< the task's own number -> everybody's
};

/// A record on the common clock.
struct MergedEvent {
    std::int64_t timeNs = 0; ///< by the clock of rank 0
    std::uint32_t process = 0;
    const Record& record;                    ///< with everybody's number of the communicator
    std::span<const std::uint32_t> requests; ///< of a Begin
};

class EventSink {
public:
    EventSink() = default;
    virtual ~EventSink() = default;
    EventSink(const EventSink&) = delete;
    EventSink& operator=(const EventSink&) = delete;

    /// @return false: no more of it
    virtual bool take(const MergedEvent& event) = 0;
};

/// Makes one log of those of all tasks, in the order of time, a block of each in memory.
///
/// Clocks are known up to an error, so that a message may seem to come before it was sent. Where
/// that can be the error, the receive is moved to the time of its send, and what comes later in its
/// task is moved with it as far as it would otherwise come earlier. Where it cannot, or where there is
/// no send, times stay as they are, and the log's order may be off by the error.
///
/// With the error E of the worst clock no event is moved beyond E after the truth, whatever moved it:
/// so a receive is off from its send by its own clock's error and E at most.
class LogMerger {
public:
    LogMerger(std::vector<TaskLog> tasks, EventSink& sink);

    /// @return false when the sink wanted no more
    bool run();

    /// Receives that were moved.
    [[nodiscard]] std::uint64_t mended() const { return m_mended; }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    struct Task {
        TaskLog log;
        std::span<const Record> block;
        std::size_t position = 0;
        Record record;
        std::vector<std::uint32_t> requests;
        std::int64_t timeNs = 0;
        std::uint32_t turn = 0; ///< the entry of the queue that counts
        bool waits = false;     ///< for a send to be seen
    };
    /// When a task's next record is due.
    struct Due {
        std::int64_t timeNs;
        std::uint32_t process;
        std::uint32_t turn;
        bool operator>(const Due& other) const
        {
            return timeNs != other.timeNs ? timeNs > other.timeNs : process > other.process;
        }
    };
    struct Way {
        std::uint32_t from;
        std::uint32_t to;
        std::uint32_t communicator;
        std::int32_t tag;
        bool operator==(const Way&) const = default;
    };
    struct WayHash {
        std::size_t operator()(const Way& way) const;
    };
    struct Traffic {
        std::int64_t underWay = 0; ///< sent - received
        std::uint32_t waiter = none;
    };

    const Record* nextRecord(Task& task);
    bool advance(std::uint32_t process);
    void queue(std::uint32_t process, std::int64_t timeNs);
    [[nodiscard]] Way wayOf(std::uint32_t process, const Record& record) const;
    bool mustWait(std::uint32_t process);
    void account(std::uint32_t process);

    std::vector<Task> m_tasks;
    EventSink& m_sink;
    std::int64_t m_worstErrorNs = 0;
    std::priority_queue<Due, std::vector<Due>, std::greater<>> m_due;
    /// Where something is under way; nothing while all read one clock.
    std::unordered_map<Way, Traffic, WayHash> m_traffic;
    std::uint64_t m_mended = 0;
};

} // namespace tasuki::tracer
