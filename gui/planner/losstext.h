// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include "plan/timeline.h"

namespace tasuki::planner {

/// Where an allocation loses against the best one, or, for the best one, what its time consists of.
/// @param timeline, best  with critical paths
/// @param nodes           names of the nodes of the tasks of `timeline`
/// @param unfinished      not all allocations were tried: it is only the best so far
QString lossText(const plan::Timeline& timeline, const plan::Timeline& best,
                 const QStringList& nodes, bool unfinished = false);

} // namespace tasuki::planner
