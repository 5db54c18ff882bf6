// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPainter;
class QStyleOptionViewItem;
class QVariant;

namespace tasuki {

/// Paints how busy somebody is as a thin bar at the bottom of a cell.
/// @param share  double 0 to 1; invalid: nothing is painted
void paintBusyBar(QPainter& painter, const QStyleOptionViewItem& option, const QVariant& share);

} // namespace tasuki
