// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tasuki::probe {

/// Messages of one size, to and fro so many times.
struct Exchange {
    std::uint64_t bytes = 0;
    std::uint64_t repetitions = 0;
    bool operator==(const Exchange&) const = default;
};

/// What a link takes, roughly, from a first short look.
struct LinkGuess {
    double a0Us = 0.0;
    double a1UsPerByte = 0.0;
    /// @return seconds for a message to and fro
    [[nodiscard]] double roundTripSeconds(std::uint64_t bytes) const;
};

/// What the user wants; nothing: what fits in the time.
struct PingPongWishes {
    std::optional<std::uint64_t> repetitions = {};
    std::optional<std::uint64_t> largestBytes = {};
};

/// How the links are measured.
struct PingPongPlan {
    std::uint64_t repetitions = 0; ///< of messages up to 1000 bytes, those of the paper
    std::uint64_t largestBytes = 0;
    bool largestIsFirm = false; ///< even where it takes long
    double seconds = 0.0;       ///< roughly, all links

    /// @return all sizes of one link: 0 to 1000 bytes by 25, then powers of 2 to the largest, with ever
    ///         fewer repetitions, so that every size moves about as many bytes. Sizes of which one
    ///         round trip takes longer than a second are left out unless they were asked for.
    [[nodiscard]] std::vector<Exchange> exchanges(const LinkGuess& guess) const;
    /// @return in how many rounds a link is measured: each has a part of the repetitions and is short
    ///         enough to be interrupted between them. What disturbs a link for a moment spoils one
    ///         round of many.
    [[nodiscard]] std::uint64_t roundCount(const LinkGuess& guess) const;
    /// @param index  < count
    /// @param count  roundCount() of the same link
    /// @return the part of exchanges() that one round has
    [[nodiscard]] std::vector<Exchange> round(const LinkGuess& guess, std::uint64_t index,
                                              std::uint64_t count) const;
    /// @return how long all exchanges of a link take, roughly
    [[nodiscard]] double secondsFor(const LinkGuess& guess) const;
};

inline constexpr std::uint64_t usualRepetitions = 5000; ///< the paper's
inline constexpr std::uint64_t usualLargestBytes = std::uint64_t{1} << 20U;

/// Chooses as many repetitions as fit in about 45 seconds, but no more than the usual ones and no
/// fewer than 10, where the user wants no certain number.
/// @param turns  the links by the time they are measured: those of one turn at once
PingPongPlan planPingPong(const std::vector<std::vector<LinkGuess>>& turns,
                          const PingPongWishes& wishes);

} // namespace tasuki::probe
