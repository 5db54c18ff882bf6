// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "preferences.h"

class QHeaderView;

namespace tasuki {

/// Gives a header the columns it had when it was last used, keeps what the user makes of it, and
/// lets the context menu of the header choose which columns are shown.
/// @param name  under which it is kept
/// @return whether there was something to restore
bool keepHeader(QHeaderView& header, Preferences& preferences, const QString& name);

} // namespace tasuki
