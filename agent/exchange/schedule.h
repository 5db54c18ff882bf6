// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tasuki::merge {

/// Who tells whom in which round, so that in the end everybody has heard of everybody. Positions
/// are places in the list of members, from 0.
enum class Pattern : std::uint8_t {
    Butterfly,     ///< pairs; the count is a power of two
    Dissemination, ///< position p tells p + 2^k in round k and hears p - 2^k; any count
};

/// One round of one member.
struct Step {
    std::size_t to = 0;
    std::size_t from = 0;
    /// Which map is sent: that with which this round began. Smaller than the round: an earlier one,
    /// which has all that the receiver lacks.
    std::size_t map = 0;
    bool operator==(const Step&) const = default;
};

struct Schedule {
    Pattern pattern = Pattern::Butterfly;
    /// In the last round of a dissemination an earlier map is sent where that is enough. It has to
    /// be kept until then.
    bool sparing = false;
    bool operator==(const Schedule&) const = default;
};

struct ScheduleChoice {
    Schedule schedule;
    std::string reason; ///< for people, in one line
};

/// @param members       at least 1
/// @param largestBytes  of the members' maps
ScheduleChoice chooseSchedule(std::size_t members, std::uint64_t largestBytes);

/// The rounds of one member; none when it is alone.
std::vector<Step> stepsOf(const Schedule& schedule, std::size_t members, std::size_t position);

/// How a round looks, as in "step:1 (0,2) (1,3)"; one way is "(0>1)".
/// @param numbers  what the members are called
std::string describeRound(const Schedule& schedule, const std::vector<int>& numbers,
                          std::size_t round);

} // namespace tasuki::merge
