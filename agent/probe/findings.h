// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tasuki::probe {

/// A computer and the ranks that run on it, in order.
struct NodeRanks {
    std::string name;
    std::vector<int> ranks;
    bool operator==(const NodeRanks&) const = default;
};

/// What one rank took for the same work, time after time.
struct SpeedRecord {
    std::size_t node = 0; ///< index in Findings::nodes
    int rank = 0;
    std::vector<double> us;
};

/// The mean of some messages of one size, one way.
struct LinkSample {
    std::uint64_t round = 0;
    std::uint64_t bytes = 0;
    std::uint64_t repetitions = 0;
    double meanUs = 0.0;
};

/// Messages between two nodes, or between two ranks of one node.
struct LinkRecord {
    std::size_t a = 0; ///< indexes in Findings::nodes, a <= b
    std::size_t b = 0;
    std::vector<LinkSample> samples;
};

/// Messages between one node and several others at once.
struct CardRecord {
    std::size_t node = 0;  ///< index in Findings::nodes
    bool incoming = false; ///< the others send
    double bytes = 0.0;    ///< of all messages
    double aloneUs = 0.0;  ///< what they would take if they did not get into each other's way
    std::vector<double> us;
};

/// One large message between two nodes.
struct LargeMessageRecord {
    std::size_t a = 0; ///< indexes in Findings::nodes
    std::size_t b = 0;
    double bytes = 0.0;
    double sentUs = 0.0;     ///< when MPI_Send returned
    double answeredUs = 0.0; ///< when the empty message came by which b said that it had it
};

/// All that was measured.
struct Findings {
    std::vector<NodeRanks> nodes;
    std::vector<SpeedRecord> speeds;
    std::vector<LinkRecord> links;
    std::vector<CardRecord> cards;
    std::vector<LargeMessageRecord> largeMessages;
};

/// @param hosts     of the ranks, by rank
/// @param eachRank  take every rank for a node of its own, named host-0, host-1, ...
/// @return the nodes in the order of their first ranks
std::vector<NodeRanks> nodesOf(const std::vector<std::string>& hosts, bool eachRank);

/// @return every sample as comma-separated values, with a line of headings
std::string findingsCsv(const Findings& findings);

} // namespace tasuki::probe
