// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>

namespace tasuki {

/// Colours of the chart on a palette. Predicted and measured bars are told apart by hatching too.
struct ChartColours {
    QColor background;
    QColor text;
    QColor dimText;
    QColor grid;
    QColor axis;
    QColor predicted;
    QColor measured;     ///< ground of the hatching
    QColor measuredLine; ///< outline and hatching
    QColor whisker;      ///< on bars and on the background
    QColor band;         ///< behind the selected column; transparent in part
    QColor bandLine;
    QColor mark; ///< of best and worst

    static ChartColours of(const QPalette& palette);
};

} // namespace tasuki
