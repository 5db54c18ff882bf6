// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracescene.h"

#include "tracerowlabels.h"
#include "tracetext.h"

#include <QFontMetrics>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace tasuki {

namespace {

constexpr int tallestRow = 64;
constexpr int labelPart = 3;        ///< labels take one part of so many of the width at most
constexpr int titlePadding = 4;     ///< above and below
constexpr int leastRowsHeight = 60; ///< else there is no legend
constexpr double farthestOut = 1.6; ///< the widest view as a part of that which shows everything

} // namespace

TraceScene::TraceScene() : m_palette(TracePalette::of(QPalette(), TraceCategories(nullptr)))
{
    m_layout.tallest = tallestRow;
}

void TraceScene::setStore(std::shared_ptr<const TraceStore> store)
{
    m_store = std::move(store);
    m_selected = {};
    m_view = TimelineView();
    refreshContent();
    refreshLayout();
}

void TraceScene::setRowNotes(const QStringList& notes)
{
    m_notes = notes;
    refreshLayout();
}

void TraceScene::setTitle(const QString& title) { m_title = title; }

void TraceScene::setEmptyText(const QString& text) { m_emptyText = text; }

void TraceScene::setGeometry(QSize size)
{
    m_size = size;
    refreshLayout();
}

void TraceScene::setRatio(double ratio)
{
    m_rowsDirty = m_rowsDirty || m_ratio != ratio;
    m_ratio = ratio;
}

void TraceScene::setStyle(const QPalette& palette, const QFont& font)
{
    m_widgetPalette = palette;
    m_font = font;
    m_axis.setFont(font);
    m_legend.setFont(font);
    refreshContent();
    refreshLayout();
}

void TraceScene::setScroll(int pixels)
{
    m_layout.scroll = std::clamp(pixels, 0, m_layout.largestScroll());
    m_rowsDirty = true;
}

void TraceScene::setLeastLabelWidth(int pixels)
{
    m_leastLabelWidth = pixels;
    refreshLayout();
}

void TraceScene::setMessagesVisible(bool visible)
{
    m_withMessages = visible;
    m_rowsDirty = true;
}

void TraceScene::setCriticalPathVisible(bool visible)
{
    m_withPath = visible;
    refreshContent();
    refreshLayout();
}

void TraceScene::setLegendVisible(bool visible)
{
    m_withLegend = visible;
    refreshLayout();
}

void TraceScene::setContentEnd(std::optional<Nanoseconds> end)
{
    m_contentEnd = end;
    refreshContent();
}

void TraceScene::setReferenceEnd(std::optional<double> us)
{
    m_referenceEndUs = us;
    m_rowsDirty = true;
}

/// What depends on the store and not on sizes.
void TraceScene::refreshContent()
{
    m_rowsDirty = true;
    m_palette = TracePalette::of(m_widgetPalette,
                                 m_store ? m_store->categories() : TraceCategories(nullptr));
    if (!m_store)
        return;
    m_legend.setContents(*m_store, m_withPath);
    m_view.setContent(0, std::max(m_store->end(), m_contentEnd.value_or(0)));
}

void TraceScene::refreshLayout()
{
    m_layout.lanes = m_store ? m_store->tasks() : 0;
    m_ownLabelWidth = 0;
    // The labels' width depends on the rows' height, and the legend's height on neither.
    m_layout.height = std::max(0,
                               m_size.height() - titleHeight() - m_axis.height() - legendHeight());
    m_layout.scroll = std::clamp(m_layout.scroll, 0, m_layout.largestScroll());
    if (m_store)
        m_ownLabelWidth = TraceRowLabels(m_layout, m_font, m_notes).width();
    m_labelWidth = std::min(std::max(m_leastLabelWidth, m_ownLabelWidth),
                            std::max(0, m_size.width()) / labelPart);
    m_view.setWidth(rowsRect().width());
    m_rowsDirty = true;
}

int TraceScene::titleHeight() const { return QFontMetrics(m_font).height() + 2 * titlePadding; }

int TraceScene::legendHeight() const
{
    if (!m_withLegend || isEmpty())
        return 0;
    const int height = m_legend.heightFor(m_size.width());
    const int rest = m_size.height() - titleHeight() - m_axis.height() - height;
    return rest >= leastRowsHeight ? height : 0;
}

QRect TraceScene::rowsRect() const
{
    const int top = titleHeight() + m_axis.height();
    return {m_labelWidth, top, std::max(1, m_size.width() - m_labelWidth),
            std::max(1, m_size.height() - top - legendHeight())};
}

QRect TraceScene::axisRect() const
{
    const QRect rows = rowsRect();
    return {rows.left(), titleHeight(), rows.width(), m_axis.height()};
}

void TraceScene::zoom(double factor, double x)
{
    const double all = static_cast<double>(
        std::max(m_store ? m_store->end() : 0, m_contentEnd.value_or(0)));
    const double most = std::max(all * farthestOut, static_cast<double>(TimelineView::narrowest));
    const double span = static_cast<double>(m_view.window().span);
    m_view.zoom(std::min(factor, std::max(1.0, most / span)), x);
}

QRectF TraceScene::barOf(std::uint32_t span) const
{
    const QRect rows = rowsRect();
    const plan::TimelineSpan& item = m_store->timeline().spans[span];
    const TraceRowLines lines =
        TraceRowLines::of(m_layout, item.task.value(), 1).inset(m_store->layerOf(span), 1);
    const double left = m_view.xOf(m_store->beginOf(span));
    const double right = std::max(left + 1, m_view.xOf(m_store->endOf(span)));
    return {rows.left() + left, static_cast<double>(rows.top() + lines.barTop), right - left,
            static_cast<double>(lines.barEnd - lines.barTop)};
}

TraceLines TraceScene::lines() const
{
    return {*m_store, m_view, m_layout, QSizeF(rowsRect().size())};
}

QString TraceScene::noteOf(trace::Task task) const
{
    return m_notes.value(static_cast<qsizetype>(task.value()));
}

QString TraceScene::status() const
{
    if (isEmpty())
        return {};
    QStringList parts;
    const TraceLines drawn = lines();
    const std::size_t messages = m_withMessages ? drawn.arrowsInSight() : 0;
    if (messages > drawn.mostArrows())
        parts << tr("%Ln messages; zoom in to see them", nullptr, static_cast<int>(messages));
    const double endUs = m_store->timeline().endUs;
    QString end = tr("end: %1").arg(TraceText::duration(endUs));
    if (m_referenceEndUs && *m_referenceEndUs > 0) {
        const double part = (endUs - *m_referenceEndUs) / *m_referenceEndUs * 100;
        const QString percent = QLocale().toString(std::abs(part), 'f', 1);
        if (std::abs(part) >= 0.05)
            end += QLatin1Char(' ')
                + (part > 0 ? tr("(%1 % later)").arg(percent) : tr("(%1 % sooner)").arg(percent));
    }
    parts << end;
    return parts.join(QStringLiteral("  \u00b7  "));
}

} // namespace tasuki
