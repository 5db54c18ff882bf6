// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tracepalette.h"
#include "tracestore.h"

#include <QCoreApplication>
#include <QFont>
#include <QPainter>
#include <QRect>
#include <QString>

#include <vector>

namespace tasuki {

/// What the colours and lines of a timeline mean, in as many lines as it takes.
class TraceLegend {
    Q_DECLARE_TR_FUNCTIONS(tasuki::TraceLegend)

public:
    /// Names what occurs in a timeline.
    /// @param withPath  the critical path is drawn
    void setContents(const TraceStore& store, bool withPath);
    void setFont(const QFont& font) { m_font = font; }

    [[nodiscard]] int heightFor(int width) const;
    /// @param condensed  the critical path is drawn without some of its jumps
    void paint(QPainter& painter, const QRect& rect, const TracePalette& palette,
               bool condensed) const;

private:
    enum class Sample : std::uint8_t { Category, Message, Path };
    struct Entry {
        Sample sample = Sample::Category;
        TraceCategory category = TraceCategories::idle;
        QString text;
    };
    [[nodiscard]] static QString condensedPath();
    /// @return where each entry is, in a width of pixels from 0, 0
    [[nodiscard]] std::vector<QRect> places(int width) const;
    static void paintSample(QPainter& painter, const QRectF& rect, const Entry& entry,
                            const TracePalette& palette);

    QFont m_font;
    std::vector<Entry> m_entries;
};

} // namespace tasuki
