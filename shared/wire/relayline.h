// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "accessfile.h"

#include "domain/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace tasuki::link {

/// What `tasuki-agent relay` says first, on a line of its own; then the bytes of the link follow, both ways.
struct RelayLine {
    /// Where the relay has connected to; of the host of the relay.
    AccessFile access;
    /// Nobody works on the run: what answers reads its record.
    bool record = false;
    bool operator==(const RelayLine&) const = default;
};

/// @return the line, with its end
std::string relayText(const RelayLine& line);
/// @param text  a line without its end
/// @return none: it is something else, such as what a shell prints when it starts. An Error of kind Foreign or
///         Damaged where it is one that cannot be read
std::optional<Result<RelayLine>> relayLineOf(std::string_view text);

} // namespace tasuki::link
