// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "findings.h"
#include "linkfit.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tasuki::probe {

/// Size of the messages that streams are made of: one that most networks send without asking.
inline constexpr std::uint64_t streamMessageBytes = 16'384;

struct CardStream {
    std::size_t peer = 0; ///< index of a node
    std::uint64_t messages = 0;
    bool operator==(const CardStream&) const = default;
};

/// A node sends to others at once, or gets from them: whether its network card is what limits it.
struct CardTest {
    std::size_t node = 0;
    bool incoming = false;
    /// Each would take about as long as the others if it were alone.
    std::vector<CardStream> streams;
    double aloneUs = 0.0; ///< what the longest one would take

    [[nodiscard]] double bytes() const;
};

/// Two tests of every node that has links to two others or more, each with at most four of them.
/// @param links  between nodes, with their fits; those inside nodes are of no interest
std::vector<CardTest> planCardTests(std::size_t nodes, const std::vector<FittedLink>& links);

/// @return what the card takes for a byte; 0: the streams do not get into each other's way
double cardUsPerByte(const CardRecord& record);

} // namespace tasuki::probe
