// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace tasuki::trace::testing {

/// A log as MPE writes it, blanks at the ends of lines included: a barrier, a message of 12 bytes that
/// goes round and round a ring, another barrier. The ids are those of some MPE version.
std::string ringLog(int tasks, int rounds);

} // namespace tasuki::trace::testing
