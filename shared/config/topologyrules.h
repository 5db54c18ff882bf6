// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rules.h"
#include "topology.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a topology may hold: the same for files and for cells that are typed in, in the same words.
namespace tasuki::config {

namespace limits {
inline constexpr std::size_t mostSubclusters = 4096;
inline constexpr std::size_t mostHosts = 4096; ///< of a subcluster
inline constexpr std::size_t longestSubclusterName = 64;
inline constexpr std::uint64_t mostProcessors = 1'000'000; ///< of a system
} // namespace limits

/// In the order of a file.
enum class TopologyField : std::uint8_t {
    HeartbeatMs,
    SuspectAfter,
    LostAfter,
    Policy,
    Rejoin,
    Name, ///< this and those that follow: of a subcluster
    Active,
    Standby,
    Io,
    Minimum,
    Hosts,
    Units,
    RestartCount,
    RestartWithinS,
    DedicatedMaster,
    WorldCommand,
    WorldDeadlineS,
    WorldLogMb,
};

/// @return how files call a field: "heartbeat_ms"
std::string_view fieldKey(TopologyField field);

namespace rules {
/// Of what is counted without a unit.
inline constexpr PhrasePattern wholeNumber = Phrase::tr("a whole number from %1 to %2");
inline constexpr PhrasePattern heartbeats = Phrase::tr("heartbeats, a whole number from %1 to %2");
inline constexpr WholeRule heartbeatMs{
    10, 10'000, Phrase::tr("milliseconds, a whole number from %1 to %2"), "100"};
inline constexpr WholeRule suspectAfter{1, 9'999, heartbeats, "3"};
inline constexpr WholeRule lostAfter{2, 10'000, heartbeats, "10"};
inline constexpr WholeRule active{1, 100'000, wholeNumber, "4"};
/// Of standbys, I/O processors and the minimum.
inline constexpr WholeRule processors{0, 100'000, wholeNumber, "1"};
inline constexpr WholeRule units{1, 100'000, wholeNumber, "2"};
inline constexpr WholeRule restartCount{0, 100'000, wholeNumber, "3"};
inline constexpr WholeRule restartWithinS{
    1, 1'000'000, Phrase::tr("seconds, a whole number from %1 to %2"), "60"};
inline constexpr WholeRule worldDeadlineS{
    1, 315'360'000, Phrase::tr("seconds, a whole number from %1 to %2"), "3600"};
inline constexpr WholeRule worldLogMb{0, 65'536, Phrase::tr("MiB, a whole number from %1 to %2"),
                                      "256"};
} // namespace rules

/// @return the rule of a field that is a number; nullptr: it is none
const WholeRule* ruleOf(TopologyField field);

/// @return how files call a policy: "continue", "restart", "stop"
std::string_view policyWord(DownPolicy policy);
inline constexpr std::array policies{DownPolicy::Continue, DownPolicy::Restart, DownPolicy::Stop};
/// @return the policy that files call so; none: there is no such one
std::optional<DownPolicy> policyFromWord(std::string_view word);

/// @return why a subcluster cannot have this name, e.g. "has ' ' in it"; nothing if it can, but for
///         others of the same name
std::optional<Phrase> subclusterNameFault(std::string_view name);

/// Something in a topology that must not be.
struct TopologyFault {
    std::optional<std::size_t> subcluster; ///< by place; none: of the system
    std::optional<TopologyField> field;    ///< none: of the whole subcluster or system
    std::optional<std::size_t> host = {};  ///< which one of hosts
    /// What does not go together with the field: another one of the same table.
    std::optional<TopologyField> with = {};
    std::optional<std::size_t> same = {}; ///< the earlier subcluster of the same name
    Phrase message;
    Phrase remedy;
    bool operator==(const TopologyFault&) const = default;
};

/// @return "1 processor", "12 processors"
Phrase processorCount(std::uint64_t count);

/// @return everything that is wrong, by field: values out of range, and those that do not go
///         together. None: a file of it reads back as the same.
std::vector<TopologyFault> topologyFaults(const Topology& topology);

} // namespace tasuki::config
