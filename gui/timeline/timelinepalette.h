// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "columnsummary.h"

#include <QColor>
#include <QPalette>
#include <QRgb>

#include <array>

namespace tasuki {

/// The colours of the timeline, opaque. Hues after Okabe and Ito, which people with any kind of
/// colour vision tell apart; failures have a shape besides.
struct TimelinePalette {
    QRgb background = 0;
    QRgb band = 0;      ///< background of every other rank
    QRgb gridMajor = 0; ///< vertical lines at labelled ticks
    QRgb gridMinor = 0;
    QRgb gutter = 0; ///< background of labels and axis
    QRgb line = 0;   ///< between the parts
    QRgb text = 0;
    QRgb dimText = 0;
    QRgb now = 0;
    QRgb selection = 0;
    QRgb failureMark = 0; ///< stands out from every bar and from the background
    std::array<QRgb, attemptClassCount> bar{};
    std::array<QRgb, attemptClassCount> barText{};

    [[nodiscard]] QRgb barOf(AttemptClass kind) const
    {
        return bar[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] QRgb textOn(AttemptClass kind) const
    {
        return barText[static_cast<std::size_t>(kind)];
    }
    bool operator==(const TimelinePalette&) const = default;

    static TimelinePalette light();
    static TimelinePalette dark();
    /// Light or dark as the widgets around it are, on their background.
    static TimelinePalette of(const QPalette& palette);
};

inline QColor opaque(QRgb rgb) { return QColor::fromRgb(rgb); }

/// @param part  0: all of a, 1: all of b
QRgb mixed(QRgb a, QRgb b, double part);

} // namespace tasuki
