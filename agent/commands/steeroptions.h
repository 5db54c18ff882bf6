// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "startup/commandline.h"
#include "steering/tailpieces.h"
#include "steering/taskselection.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki {

/// The commands that steer a run, by what they want of it.
enum class SteerCommand : std::uint8_t {
    Cancel,
    Hold,
    Release,
    Retry,
    Wait,
    Tail,
    Top,
    Why,
    Relay
};

/// @return as it is given, e.g. "cancel"
std::string_view steerName(SteerCommand command);

/// What was asked of one of them.
struct SteerOptions {
    bool help = false;
    std::string run; ///< run file or access file
    steering::TaskSelection tasks;
    bool json = false;
    std::optional<std::chrono::milliseconds> timeout = {}; ///< of wait
    bool ends = false; ///< of wait: each task is told of as it ends
    /// Of tail: lines of each stream that were written before; none: all of them.
    std::optional<std::size_t> lines = 10;
    bool follow = true;                        ///< of tail
    std::optional<std::uint32_t> attempt = {}; ///< of tail; none: the latest, and those that come
    bool pieces = false; ///< of tail: for one on another host, see steering::TailPiece
    std::optional<steering::TailPlace> from = {}; ///< of tail: goes on behind this place
};

/// @return the options, or what is wrong with them
Result<SteerOptions> parseSteerOptions(SteerCommand command, const Arguments& arguments);
/// @return what --help prints
std::string steerHelp(SteerCommand command);

/// What was asked of `add`.
struct AddOptions {
    bool help = false;
    std::string run;
    std::vector<std::string> lines;   ///< of a task list; empty: they come from standard input
    std::vector<std::string> program; ///< one task of so many words, behind `--`
    bool jsonLines = false;           ///< standard input has an object a line
    bool wait = false;
    bool ends = false; ///< each task is told of as it ends
    bool json = false;
};

Result<AddOptions> parseAddOptions(const Arguments& arguments);
std::string addHelp();

} // namespace tasuki
