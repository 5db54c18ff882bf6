// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"

#include <QString>

#include <chrono>

namespace tasuki {

/// The role under which models, headers too, have for programs what they show otherwise to people: whole
/// numbers of one unit, full precision, no language. None: what is shown serves both.
inline constexpr int exportRole = 0x0100 + 1000; // Qt::UserRole and what no model has of its own

/// @return e.g. "2026-11-23T13:46:54.176Z"
QString exportTime(WallTime time);
/// @return seconds, e.g. "0.430000"; empty when negative: not known
QString exportSeconds(std::chrono::microseconds time);
/// The heading of a column of exportSeconds().
QString exportSecondsTitle(const QString& title);
/// The heading of a column of numbers of bytes.
QString exportBytesTitle(const QString& title);

} // namespace tasuki
