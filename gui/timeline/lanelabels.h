// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lanelayout.h"
#include "timelinepalette.h"
#include "timelinestore.h"

#include <QCoreApplication>
#include <QFont>
#include <QPainter>
#include <QRect>
#include <QString>

namespace tasuki {

/// @return a font that is as high as a row has room for, and no larger than it was
QFont fontForRow(QFont font, int height);

/// The names of lanes at the left: the host once for neighbouring lanes, then rank and slot of each
/// lane, or of as many as there is room for.
class LaneLabels {
    Q_DECLARE_TR_FUNCTIONS(tasuki::LaneLabels)

public:
    /// @param font  of the widget; labels of low rows are smaller
    LaneLabels(const TimelineStore& store, const LaneLayout& layout, const QFont& font);

    /// @return pixels that the labels would like to have, within reason
    [[nodiscard]] int width() const;
    void paint(QPainter& painter, const QRect& rect, const TimelinePalette& palette) const;

    /// @return "rank 3" or "filter rank 3", "rank 3.1" with the slot
    [[nodiscard]] QString laneText(std::size_t row) const;

private:
    [[nodiscard]] int hostWidth() const;
    [[nodiscard]] bool beginsHost(std::size_t row) const;
    void paintHosts(QPainter& painter, const QRect& rect, const TimelinePalette& palette) const;
    void paintLanes(QPainter& painter, const QRect& rect, const TimelinePalette& palette) const;

    const TimelineStore& m_store;
    const LaneLayout& m_layout;
    QFont m_font;
    bool m_withSlots = false;
};

} // namespace tasuki
