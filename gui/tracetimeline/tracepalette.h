// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timelinepalette.h"
#include "tracecategories.h"

#include <QPalette>
#include <QRgb>

#include <vector>

namespace tasuki {

/// The colours of states and messages, opaque. Hues after Okabe and Ito, which people with any kind
/// of colour vision tell apart; waiting is hatched besides, and names stand where there is room.
struct TracePalette {
    TimelinePalette base;
    std::vector<QRgb> fill;   ///< [category]; of waiting: between the stripes
    std::vector<QRgb> stripe; ///< [category]; of others the same as fill
    std::vector<QRgb> edge;   ///< [category]: where a span begins
    std::vector<QRgb> text;   ///< [category]: on fill
    QRgb arrow = 0;
    QRgb path = 0;
    QRgb pathOutline = 0;
    QRgb end = 0; ///< the line where the last task ends
    bool operator==(const TracePalette&) const = default;

    /// Light or dark as the widgets around it are.
    static TracePalette of(const QPalette& palette, const TraceCategories& categories);
};

} // namespace tasuki
