// SPDX-License-Identifier: GPL-3.0-or-later
#include "chartcolours.h"

#include "views/theme.h"

namespace tasuki {

ChartColours ChartColours::of(const QPalette& palette)
{
    const bool dark = theme::isDark(palette);
    ChartColours colours;
    colours.background = palette.color(QPalette::Base);
    colours.text = palette.color(QPalette::Text);
    colours.dimText = theme::dim(palette);
    colours.grid = dark ? QColor(0x2d, 0x33, 0x3c) : QColor(0xe3, 0xe6, 0xeb);
    colours.axis = dark ? QColor(0x5a, 0x63, 0x70) : QColor(0xa3, 0xab, 0xb6);
    // Blue and orange of Okabe and Ito, which people with any kind of colour vision tell apart.
    colours.predicted = dark ? QColor(0x3f, 0x8f, 0xd0) : QColor(0x2f, 0x7a, 0xbc);
    colours.measured = dark ? QColor(0x4a, 0x2c, 0x12) : QColor(0xfd, 0xe7, 0xd3);
    colours.measuredLine = dark ? QColor(0xf0, 0x8a, 0x3c) : QColor(0xc4, 0x54, 0x00);
    colours.whisker = palette.color(QPalette::Text);
    colours.bandLine = palette.color(QPalette::Highlight);
    colours.band = colours.bandLine;
    constexpr int faint = 46;
    constexpr int fainter = 34;
    colours.band.setAlpha(dark ? faint : fainter);
    colours.mark = palette.color(QPalette::Text);
    return colours;
}

} // namespace tasuki
