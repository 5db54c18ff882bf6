// SPDX-License-Identifier: GPL-3.0-or-later
#include "timelinepalette.h"

namespace tasuki {

TimelinePalette TimelinePalette::light()
{
    TimelinePalette palette;
    palette.background = qRgb(0xff, 0xff, 0xff);
    palette.band = qRgb(0xf6, 0xf7, 0xf9);
    palette.gridMajor = qRgb(0xdd, 0xe1, 0xe7);
    palette.gridMinor = qRgb(0xee, 0xf0, 0xf3);
    palette.gutter = qRgb(0xf3, 0xf4, 0xf6);
    palette.line = qRgb(0xcd, 0xd2, 0xd9);
    palette.text = qRgb(0x1d, 0x23, 0x2b);
    palette.dimText = qRgb(0x66, 0x70, 0x7d);
    palette.now = qRgb(0xb0, 0x3a, 0x8c);
    palette.selection = qRgb(0x10, 0x14, 0x1a);
    palette.failureMark = qRgb(0x8c, 0x14, 0x00);
    palette.bar = {qRgb(0x3b, 0x87, 0xc8), qRgb(0xe0, 0x64, 0x0e), qRgb(0xc9, 0x70, 0xa2),
                   qRgb(0x9a, 0xa3, 0xae), qRgb(0x12, 0xa0, 0x7a)};
    palette.barText = {qRgb(0xff, 0xff, 0xff), qRgb(0xff, 0xff, 0xff), qRgb(0xff, 0xff, 0xff),
                       qRgb(0x1d, 0x23, 0x2b), qRgb(0xff, 0xff, 0xff)};
    return palette;
}

TimelinePalette TimelinePalette::dark()
{
    TimelinePalette palette;
    palette.background = qRgb(0x17, 0x1a, 0x1f);
    palette.band = qRgb(0x1c, 0x20, 0x26);
    palette.gridMajor = qRgb(0x30, 0x36, 0x3f);
    palette.gridMinor = qRgb(0x23, 0x28, 0x2f);
    palette.gutter = qRgb(0x20, 0x24, 0x2b);
    palette.line = qRgb(0x3a, 0x41, 0x4b);
    palette.text = qRgb(0xe6, 0xea, 0xef);
    palette.dimText = qRgb(0x96, 0xa0, 0xac);
    palette.now = qRgb(0xe8, 0x8f, 0xcb);
    palette.selection = qRgb(0xff, 0xff, 0xff);
    palette.failureMark = qRgb(0xff, 0xd2, 0x4d);
    palette.bar = {qRgb(0x3f, 0x8f, 0xd0), qRgb(0xe8, 0x6a, 0x17), qRgb(0xc7, 0x74, 0xa6),
                   qRgb(0x76, 0x80, 0x8c), qRgb(0x16, 0xa8, 0x82)};
    palette.barText.fill(qRgb(0xff, 0xff, 0xff));
    return palette;
}

TimelinePalette TimelinePalette::of(const QPalette& palette)
{
    const QColor base = palette.color(QPalette::Base);
    const bool isDark = base.lightnessF() < 0.5F;
    TimelinePalette result = isDark ? dark() : light();
    result.background = base.rgb();
    const QRgb text = result.text;
    result.band = mixed(result.background, text, isDark ? 0.03 : 0.035);
    result.gridMinor = mixed(result.background, text, isDark ? 0.06 : 0.06);
    result.gridMajor = mixed(result.background, text, isDark ? 0.13 : 0.13);
    result.gutter = mixed(palette.color(QPalette::Window).rgb(), result.background, 0.35);
    return result;
}

QRgb mixed(QRgb a, QRgb b, double part)
{
    constexpr int whole = 256;
    const int share = static_cast<int>(part * whole + 0.5);
    const auto channel = [share](int from, int to) {
        return (from * (whole - share) + to * share + whole / 2) / whole;
    };
    return qRgb(channel(qRed(a), qRed(b)), channel(qGreen(a), qGreen(b)),
                channel(qBlue(a), qBlue(b)));
}

} // namespace tasuki
