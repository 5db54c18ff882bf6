// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

#include <optional>
#include <string>

namespace tasuki {

/// @param name  as a log has it: an X11 name ("blue", "DarkOrchid3", "gray50") or "#rrggbb"
/// @return the colour; none when there is no such name
std::optional<QColor> logColour(const std::string& name);

} // namespace tasuki
