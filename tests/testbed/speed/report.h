// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pace.h"

namespace tasuki::testbed {

/// Adds a line on this rank to the file that $TASUKI_TESTBED_REPORT names, if it does.
void report(const Pace::Account& account);

} // namespace tasuki::testbed
