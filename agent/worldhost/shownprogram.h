// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/rankprogram.h"
#include "world/segment.h"

#include <chrono>
#include <optional>
#include <string>

namespace tasuki::worldhost {

/// @return what a program shows of itself, without its rank
RankProgram programIn(const world::ProgramStatus& status);

/// @param age  of the life that runs, which goes on where another one was lost
/// @return how old it was when it had done again what that had; none: it is not through
std::optional<std::chrono::microseconds> replayTook(const world::ProgramStatus& status,
                                                    std::chrono::nanoseconds age);

/// @return that the program has not given the sign of life that it had promised; empty: it has, or has promised none
std::string overdueSign(const world::ProgramStatus& status);

} // namespace tasuki::worldhost
