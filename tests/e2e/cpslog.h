// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tasuki::testing {

/// A cps.log, read line by line: the file is a promise to users' scripts.
struct CpsLog {
    int tasks = 0;
    int processes = 0;
    double total = 0;   ///< seconds
    double elapsed = 0; ///< seconds
    double efficiency = 0;
    std::vector<std::pair<std::string, double>> lines; ///< command, seconds

    /// @return nothing when a line is not in the format
    static std::optional<CpsLog> parse(const QByteArray& content);
};

} // namespace tasuki::testing
