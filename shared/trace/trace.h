// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"
#include "mpicall.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/// What an MPI program did, as a log of it tells. Times are microseconds since the log's zero.
namespace tasuki::trace {

/// An MPI process of the traced program: its rank in MPI_COMM_WORLD.
using Task = Id<struct TaskTag, std::uint32_t>;

/// "There is none" for the indexes below.
inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// A kind of call, or another named stretch of time, of which a log tells the begin and the end.
struct StateType {
    std::int32_t beginId = 0; ///< record types
    std::int32_t endId = 0;
    std::string name;
    std::string colour = {}; ///< an X11 name, as the log has it; may be empty
    MpiCall call = MpiCall::Other;
    bool operator==(const StateType&) const = default;
};

/// What the tracer adds to the begin of a call, as words "name=value" in the comment.
struct CallDetail {
    std::uint32_t root = none;                ///< root=, a Task
    std::uint64_t bytes = 0;                  ///< bytes=, one task's share of a collective call
    std::uint32_t communicator = 0;           ///< comm=, 0 is MPI_COMM_WORLD
    std::vector<std::uint32_t> requests = {}; ///< req=, comma-separated: started or waited for
    bool operator==(const CallDetail&) const = default;
};

/// One stretch of one task in a state.
struct Call {
    std::uint32_t state = 0; ///< index in Trace::states
    Task task;
    std::int64_t beginUs = 0;
    std::int64_t endUs = 0;      ///< of a call that does not end: the task's last record
    std::uint32_t depth = 0;     ///< how many calls of the task it stands in
    std::uint32_t detail = none; ///< index in Trace::details
    bool operator==(const Call&) const = default;
};

/// A message, of which one end may be missing.
struct Message {
    Task from;
    Task to;
    std::int32_t tag = 0;
    std::uint32_t communicator = 0;
    std::uint64_t bytes = 0;
    std::uint32_t sent = none;           ///< index in Trace::events; none: no send was logged
    std::uint32_t received = none;       ///< likewise
    std::uint32_t sendRequest = none;    ///< of MPI_Isend
    std::uint32_t receiveRequest = none; ///< of MPI_Irecv
    bool operator==(const Message&) const = default;

    [[nodiscard]] bool matched() const { return sent != none && received != none; }
};

enum class EventKind : std::uint8_t {
    Begin,   ///< subject: index in Trace::calls
    End,     ///< likewise
    Send,    ///< subject: index in Trace::messages
    Receive, ///< likewise
    Mark,    ///< an event without length; subject: index in Trace::marks
};

/// One record of the log.
struct Event {
    std::int64_t timeUs = 0;
    Task task;
    std::uint32_t subject = 0;
    EventKind kind = EventKind::Begin;
    std::uint16_t thread = 0; ///< of the task; 0 is the one that the task is about
    bool operator==(const Event&) const = default;
};

/// A single event that the log describes, or not.
struct Mark {
    std::int32_t id = 0;
    std::int64_t data = 0;
    std::string comment;
    bool operator==(const Mark&) const = default;
};

/// A whole log. Events stand in the order of the log, and those of one task in the order of time.
struct Trace {
    std::string creator;
    std::vector<std::string>
        taskNames; ///< one a task, may be empty; its size is the number of tasks
    std::vector<StateType> states;
    std::vector<Event> events;
    std::vector<Call> calls; ///< in the order of their begins
    std::vector<CallDetail> details;
    std::vector<Message> messages;
    std::vector<Mark> marks;

    [[nodiscard]] std::uint32_t tasks() const
    {
        return static_cast<std::uint32_t>(taskNames.size());
    }
    [[nodiscard]] bool empty() const { return events.empty(); }
    [[nodiscard]] const StateType& stateOf(const Call& call) const { return states[call.state]; }
    bool operator==(const Trace&) const = default;
};

} // namespace tasuki::trace
