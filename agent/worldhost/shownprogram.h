// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/rankprogram.h"
#include "world/segment.h"

namespace tasuki::worldhost {

/// @return what a program shows of itself, without its rank
RankProgram programIn(const world::ProgramStatus& status);

/// @return that the program has not given the sign of life that it had promised; empty: it has, or has promised none
std::string overdueSign(const world::ProgramStatus& status);

} // namespace tasuki::worldhost
