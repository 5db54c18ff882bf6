// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Which task of an MPI program should run on which node.
namespace tasuki::plan {

/// A computer that takes tasks, by its place in the environment, from 0.
using Node = Id<struct NodeTag, std::uint32_t>;

/// Half the width of a 95 % confidence interval, where a figure was measured.
using Confidence = std::optional<double>;

struct NodeSpec {
    std::string name;
    double speed = 1.0; ///< relative; > 0
    Confidence speedConfidence = {};
    std::uint32_t slots = 1; ///< how many tasks it takes; > 0
    std::uint32_t cores = 0; ///< that a task may be bound to; 0: not known
    /// What its network card takes for a byte that leaves or comes, in microseconds: messages of one
    /// node queue for it. 0: no bottleneck.
    double egressUsPerByte = 0.0;
    double ingressUsPerByte = 0.0;
    bool operator==(const NodeSpec&) const = default;
};

/// A message of N bytes takes a0 + a1 N microseconds (the paper's formula 1). Links whose rate is
/// limited by a token bucket let so many bytes through at once when they have been idle, and only
/// what is beyond them takes its time: a0 + a1 (N - burst).
struct LinkSpec {
    double a0Us = 0.0;
    double a1UsPerByte = 0.0;
    double burstBytes = 0.0;
    Confidence a0Confidence = {};
    Confidence a1Confidence = {};
    bool operator==(const LinkSpec&) const = default;

    /// Of a message that finds the link idle.
    [[nodiscard]] double timeUs(double bytes) const
    {
        return a0Us + a1UsPerByte * std::max(bytes - burstBytes, 0.0);
    }
};

/// Nodes and the links between them.
struct Environment {
    /// Speed of the nodes on which the trace was taken.
    double traceSpeed = 1.0;
    /// Messages of more bytes wait for their receive before they travel.
    std::uint64_t eagerBytes = 65'536;
    /// What is sent waits for its link in a buffer of this size, for each link; a sender goes on when
    /// the rest of its message fits. 0: eager messages always fit, longer ones not at all.
    double sendBufferBytes = 0.0;
    std::vector<NodeSpec> nodes;
    LinkSpec linkDefault;
    /// Between tasks of one node.
    LinkSpec linkInside{.a0Us = 0.5, .a1UsPerByte = 0.0002};
    /// [from * nodes + to]; none: linkDefault, or linkInside where from = to.
    std::vector<std::optional<LinkSpec>> links;

    [[nodiscard]] std::size_t indexOf(Node from, Node to) const
    {
        assert(from.value() < nodes.size() && to.value() < nodes.size());
        return std::size_t{from.value()} * nodes.size() + to.value();
    }
    [[nodiscard]] const LinkSpec& link(Node from, Node to) const
    {
        const std::size_t index = indexOf(from, to);
        if (index < links.size() && links[index])
            return *links[index];
        return from == to ? linkInside : linkDefault;
    }
    bool operator==(const Environment&) const = default;
};

} // namespace tasuki::plan
