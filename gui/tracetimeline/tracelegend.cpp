// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracelegend.h"

#include "tracecanvas.h"
#include "tracetext.h"

#include <QFontMetrics>

#include <algorithm>

namespace tasuki {

namespace {

constexpr int margin = 8;
constexpr int sampleWidth = 22;
constexpr int sampleGap = 5;
constexpr int entryGap = 18;
constexpr int lineGap = 4;
constexpr int widestText = 220;

} // namespace

void TraceLegend::setContents(const TraceStore& store, bool withPath)
{
    m_entries.clear();
    const TraceCategories& categories = store.categories();
    std::optional<TraceCategory> waiting;
    const auto add = [&](TraceCategory category) {
        m_entries.push_back(
            {Sample::Category, category, TraceText::category(categories, category)});
    };
    if (store.has(TraceCategories::compute))
        add(TraceCategories::compute);
    for (std::size_t i = 0; i < callFamilyCount; ++i) {
        const auto family = static_cast<CallFamily>(i);
        const TraceCategory works = TraceCategories::ofFamily(family, false);
        const TraceCategory waits = TraceCategories::ofFamily(family, true);
        if (store.has(works) || store.has(waits))
            add(works);
        if (store.has(waits) && !waiting)
            waiting = waits;
    }
    if (waiting)
        m_entries.push_back({Sample::Category, *waiting, tr("hatched: waiting in the call")});
    for (std::size_t i = TraceCategories::firstOfStates; i < categories.count(); ++i) {
        if (store.has(static_cast<TraceCategory>(i)))
            add(static_cast<TraceCategory>(i));
    }
    if (store.arrows().size() != 0)
        m_entries.push_back({Sample::Message, TraceCategories::idle, tr("Message")});
    if (withPath && !store.timeline().criticalPath.empty())
        m_entries.push_back({Sample::Path, TraceCategories::idle, tr("Critical path")});
}

QString TraceLegend::condensedPath() { return tr("Critical path, condensed: zoom in"); }

std::vector<QRect> TraceLegend::places(int width) const
{
    const QFontMetrics metrics(m_font);
    std::vector<QRect> found;
    int x = margin;
    int y = lineGap;
    for (const Entry& entry : m_entries) {
        int text = metrics.horizontalAdvance(entry.text) + 1;
        if (entry.sample == Sample::Path) // zooming moves nothing
            text = std::max(text, metrics.horizontalAdvance(condensedPath()) + 1);
        text = std::min(text, widestText);
        const int length = sampleWidth + sampleGap + text;
        if (x > margin && x + length > width - margin) {
            x = margin;
            y += metrics.height() + lineGap;
        }
        found.emplace_back(x, y, length, metrics.height());
        x += length + entryGap;
    }
    return found;
}

int TraceLegend::heightFor(int width) const
{
    const std::vector<QRect> all = places(width);
    return all.empty() ? 0 : all.back().bottom() + 1 + lineGap;
}

void TraceLegend::paintSample(QPainter& painter, const QRectF& rect, const Entry& entry,
                              const TracePalette& palette)
{
    const double y = rect.center().y();
    switch (entry.sample) {
    case Sample::Category:
        fillTraceSample(painter, rect, entry.category, palette);
        painter.setPen(opaque(palette.base.line));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        break;
    case Sample::Message: {
        painter.setPen(QPen(opaque(palette.arrow), 1.1));
        painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right() - 2, y));
        painter.setBrush(opaque(palette.arrow));
        painter.setPen(Qt::NoPen);
        const QPointF tip(rect.right(), y);
        painter.drawPolygon(QPolygonF({tip, tip + QPointF(-6, -2.6), tip + QPointF(-6, 2.6)}));
        break;
    }
    case Sample::Path:
        painter.setPen(QPen(opaque(palette.path), 3));
        painter.drawLine(QPointF(rect.left() + 1, y), QPointF(rect.right() - 1, y));
        break;
    }
}

void TraceLegend::paint(QPainter& painter, const QRect& rect, const TracePalette& palette,
                        bool condensed) const
{
    const QFontMetrics metrics(m_font);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect, opaque(palette.base.gutter));
    painter.setPen(opaque(palette.base.line));
    painter.drawLine(QPointF(rect.left(), rect.top() + 0.5),
                     QPointF(rect.right() + 1, rect.top() + 0.5));
    painter.setFont(m_font);
    const std::vector<QRect> all = places(rect.width());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const QRect place = all[i].translated(rect.topLeft());
        const QRectF sample(place.left(), place.top() + 2, sampleWidth, place.height() - 4);
        paintSample(painter, sample, m_entries[i], palette);
        const int left = place.left() + sampleWidth + sampleGap;
        const bool other = condensed && m_entries[i].sample == Sample::Path;
        const QString text = metrics.elidedText(other ? condensedPath() : m_entries[i].text,
                                                Qt::ElideRight, place.right() + 1 - left);
        painter.setPen(opaque(palette.base.text));
        painter.drawText(QPointF(left, place.top() + metrics.ascent()), text);
    }
    painter.restore();
}

} // namespace tasuki
