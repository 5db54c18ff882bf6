// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "control/controladdress.h"
#include "domain/clock.h"
#include "domain/ids.h"
#include "domain/result.h"

#include <optional>
#include <string>

namespace tasuki {

/// What the first processor tells all others over MPI before they can speak off MPI.
struct Briefing {
    Epoch epoch;
    control::RunKey key{};
    std::string topologyFile; ///< as given; empty: there is none
    std::string topologyText; ///< in any case
    RunId run;
    std::string runFile;                 ///< absolute path, as processor 0 has it
    std::string directory;               ///< in which processor 0 was started
    std::string sign = {};               ///< stands beside the run file while all look for it
    std::optional<WallTime> endsAt = {}; ///< the allocation; none: not known
    bool operator==(const Briefing&) const = default;
};

/// Bytes for MPI, and back.
/// @return an Error of kind Protocol when the bytes are no such value
std::string encode(const Briefing& briefing);
Result<Briefing> decodeBriefing(const std::string& bytes);
std::string encode(const control::ControlAddress& address);
Result<control::ControlAddress> decodeAddress(const std::string& bytes);

} // namespace tasuki
