// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/lanelayout.h"
#include "tracepalette.h"

#include <QFont>
#include <QPainter>
#include <QRect>
#include <QStringList>

namespace tasuki {

/// The names of tasks at the left, each with a note (its node) under it or beside it, or of as many
/// as there is room for.
class TraceRowLabels {
public:
    /// @param notes  [task]; may be shorter than there are tasks
    TraceRowLabels(const LaneLayout& layout, const QFont& font, const QStringList& notes);

    /// @return pixels that the labels would like to have, within reason
    [[nodiscard]] int width() const;
    void paint(QPainter& painter, const QRect& rect, const TracePalette& palette) const;

private:
    [[nodiscard]] bool notesAreBelow() const;

    const LaneLayout& m_layout;
    QFont m_font;
    const QStringList& m_notes;
};

} // namespace tasuki
