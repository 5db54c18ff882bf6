// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace tasuki {

/// How long a writer that this process cannot see must be silent before another one takes its place: some
/// of its beats, and what file systems keep of old answers.
inline constexpr std::chrono::milliseconds ownerPatience{15'000};

/// Told why an agent waits that wants to write a run file: its last writer cannot be seen from here, and may
/// live. Called at once and then some times a second, by whoever waits.
/// @param owner  who that is, e.g. "process 7 on node1"
/// @param left   how long nothing more must be heard of it
using OwnerWaiting = std::function<void(const std::string& owner, std::chrono::milliseconds left)>;

} // namespace tasuki
