// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <vector>

namespace tasuki::plan {

/// What an operation does to the clock t of its task, in microseconds. A mark is a moment that one
/// operation defines and others wait for; T is the travel time of a message on the nodes' link.
enum class OpKind : std::uint8_t {
    Advance,  ///< nothing more than what all do
    Post,     ///< mark out = t
    Send,     ///< mark out = t + T: the message travels, whoever waits for it
    Transfer, ///< mark out = max(mark in, mark in2) + T; belongs to no clock
    Wait,     ///< t = max(t + own time, mark in)
};

/// First t grows by the computation before the operation, last by its own time: both are divided by
/// the node's speed. Waiting and pausing are not.
struct Op {
    OpKind kind = OpKind::Advance;
    std::uint32_t task = 0;
    std::uint32_t pair = 0; ///< Send, Transfer: index in Program::pairs
    std::uint32_t out = 0;  ///< marks
    std::uint32_t in = 0;
    std::uint32_t in2 = 0;
    double beforeUs = 0.0;
    double ownUs = 0.0;
    double pauseUs = 0.0; ///< passes on every node alike
    double bytes =
        0.0; ///< of the message; Wait: only where its sender waits, which may go on earlier
};

/// Sender and receiver of at least one message, or of a part of a collective call.
struct Pair {
    std::uint32_t from = 0; ///< tasks
    std::uint32_t to = 0;
    bool operator==(const Pair&) const = default;
};

/// Where an operation comes from.
struct OpSource {
    std::uint32_t call = trace::none;    ///< index in Trace::calls
    std::uint32_t message = trace::none; ///< index in Trace::messages
};

/// A trace compiled for prediction: operations of all tasks in an order in which each comes after
/// what it waits for, so that one pass predicts a runtime.
struct Program {
    std::uint32_t tasks = 0;
    std::uint32_t marks = 0; ///< how many are needed; they are used again and again
    std::vector<Op> ops;
    std::vector<OpSource> sources; ///< [op]
    std::vector<Pair> pairs;
};

} // namespace tasuki::plan
