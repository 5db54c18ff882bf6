// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace tasuki {

/// @return the words for a tool tip that breaks its lines: it does not where they are plain
QString wrapped(const QString& words);

} // namespace tasuki
