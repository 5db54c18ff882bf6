// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "falsifiedlog.h"

#include <functional>
#include <vector>

namespace tasuki::membership {

/// A change of a log that says what is not permitted. The log is of two sides, of which one has a majority: another
/// one comes to act, voters change, those of the other side come back.
struct Falsification {
    const char* rule; ///< that it breaks
    const char* what;
    std::function<void(FalsifiedLog&)> falsify;
};

const std::vector<Falsification>& falseAcknowledgements();
const std::vector<Falsification>& falseActs();
const std::vector<Falsification>& falseTables();

} // namespace tasuki::membership
