// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "link/linkserver.h"
#include "merge/law.h"
#include "merge/trim.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tasuki {

/// What `merge` was asked to do.
struct MergeOptions {
    bool help = false;
    std::vector<std::string> files; ///< in the order of the command line
    std::string output;             ///< "-": standard output
    merge::Law law{merge::Law::Kind::Last};
    std::optional<std::size_t> keep; ///< entries at most; none: all
    merge::ScoreRule score = merge::ScoreRule::None;
    bool verbose = false;
    bool beforeAfter = false;
    bool quiet = false;
    std::chrono::milliseconds lostAfter{10'000};
    std::optional<std::string> runFile; ///< record of the merge; none: for windows alone, not kept
    std::optional<link::TcpAddress> listen = link::TcpAddress{}; ///< none: the Unix socket alone
};

} // namespace tasuki
