// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tasuki {

/// On which terms a run may be started again when it has ended before its time.
struct RestartTerms {
    std::uint32_t most = 0; ///< starts, in any such time; 0: none
    std::chrono::seconds within{};
    std::string runFile = {}; ///< absolute path, on the host of rank 0; empty: it may not
    std::string why = {};     ///< it ends in order to be started again; empty: it does not
    bool operator==(const RestartTerms&) const = default;

    [[nodiscard]] bool allowed() const { return !runFile.empty(); }
};

} // namespace tasuki
