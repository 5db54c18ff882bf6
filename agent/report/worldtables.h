// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runhistory.h"

#include "domain/rankprogram.h"

#include <string>

/// What is told of the ranks of worlds.
namespace tasuki {

/// @return what a program does, e.g. "waits in MPI_Recv"
std::string programText(const RankProgram& program);

/// The table of `show --worlds`: world, rank, task, its state, where it ran last, what its program does now, messages a second, in all.
std::string worldHeading();
/// @param id       a task with a seat
/// @param program  null: nothing is known of it now
std::string worldRow(const RunHistory& history, TaskId id, const RankProgram* program);
std::string worldJson(const RunHistory& history, TaskId id, const RankProgram* program);

} // namespace tasuki
