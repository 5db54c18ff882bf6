// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

namespace tasuki {

/// @param available  of the screen, for the window and what a window manager puts around it
/// @return the size that a window gets that wants to have another one
inline QSize sizeOnScreen(QSize wanted, QSize available)
{
    constexpr QSize frame(16, 48);
    constexpr QSize least(640, 400);
    return wanted.boundedTo((available - frame).expandedTo(least));
}

} // namespace tasuki
