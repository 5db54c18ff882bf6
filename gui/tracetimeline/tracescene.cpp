// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracescene.h"

#include "timeline/lanelabels.h"
#include "tracecanvas.h"
#include "tracerowlabels.h"
#include "tracetext.h"

#include <algorithm>
#include <cmath>

namespace tasuki {

namespace {

constexpr int tallestRow = 64;
constexpr int leastRowsHeight = 60; ///< else there is no legend
constexpr double arrowReach = 3;    ///< pixels
constexpr double callReach = 2;     ///< the same
constexpr std::size_t fewCalls = 3; ///< so many may meet in a pixel and still be told apart
constexpr int mostMessagesOfSelection = 64;

} // namespace

TraceScene::TraceScene() : m_palette(TracePalette::of(QPalette(), TraceCategories(nullptr)))
{
    setTallestRow(tallestRow);
    axis().setTimes(AxisTimes::Log, 0);
}

void TraceScene::setStore(std::shared_ptr<const TraceStore> store)
{
    m_store = std::move(store);
    selectNothing();
    reset();
    refreshContent();
}

void TraceScene::setRowNotes(const QStringList& notes)
{
    m_notes = notes;
    refreshLayout();
}

void TraceScene::setStyle(const QPalette& palette, const QFont& font)
{
    m_widgetPalette = palette;
    setFont(font);
    m_legend.setFont(font);
    refreshContent();
}

void TraceScene::setMessagesVisible(bool visible)
{
    m_withMessages = visible;
    touchRows();
}

void TraceScene::setCriticalPathVisible(bool visible)
{
    m_withPath = visible;
    refreshContent();
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
    m_title.setReferenceEnd(us);
    touchRows();
}

/// What depends on the store, and then on sizes.
void TraceScene::refreshContent()
{
    m_palette = TracePalette::of(m_widgetPalette,
                                 m_store ? m_store->categories() : TraceCategories(nullptr));
    if (m_store) {
        m_legend.setContents(*m_store, m_withPath);
        view().setContent(0, std::max(m_store->end(), m_contentEnd.value_or(0)));
    }
    refreshLayout();
}

int TraceScene::legendHeight() const
{
    if (!m_withLegend || isEmpty())
        return 0;
    const int height = m_legend.heightFor(size().width());
    const int rest = size().height() - titleHeight() - axis().height() - height;
    return rest >= leastRowsHeight ? height : 0;
}

QRectF TraceScene::barOf(std::uint32_t span) const
{
    const QRect rows = rowsRect();
    const plan::TimelineSpan& item = m_store->timeline().spans[span];
    const TraceRowLines lines =
        TraceRowLines::of(layout(), item.task.value(), 1).inset(m_store->layerOf(span), 1);
    const double left = view().xOf(m_store->beginOf(span));
    const double right = std::max(left + 1, view().xOf(m_store->endOf(span)));
    return {rows.left() + left, static_cast<double>(rows.top() + lines.barTop), right - left,
            static_cast<double>(lines.barEnd - lines.barTop)};
}

TraceLines TraceScene::lines() const
{
    return {*m_store, view(), layout(), QSizeF(rowsRect().size())};
}

QString TraceScene::noteOf(trace::Task task) const
{
    return m_notes.value(static_cast<qsizetype>(task.value()));
}

QString TraceScene::status() const
{
    if (isEmpty())
        return {};
    const TraceLines drawn = lines();
    const std::size_t messages = m_withMessages ? drawn.arrowsInSight() : 0;
    return m_title.status(m_store->timeline().endUs, messages > drawn.mostArrows() ? messages : 0);
}

/// Deeper layers lie above; of several in reach the longest is meant.
std::optional<std::uint32_t> TraceScene::spanAt(std::uint32_t task, const QPoint& position) const
{
    const QRect rows = rowsRect();
    const double x = position.x() - rows.left() + 0.5;
    const TraceRowLines bar = TraceRowLines::of(layout(), task, 1);
    const int y = position.y() - rows.top();
    for (const double reach : {0.5, callReach + 0.5}) {
        const Nanoseconds begin = view().timeAt(x - reach);
        const Nanoseconds end = std::max(begin + 1, view().timeAt(x + reach));
        for (std::size_t layer = m_store->layers(task); layer-- > 0;) {
            const TraceRowLines lines = bar.inset(layer, 1);
            if (y < lines.barTop || y >= lines.barEnd)
                continue;
            std::optional<std::uint32_t> best;
            m_store->forEachSpan(task, layer, begin, end, [&](std::uint32_t span) {
                const bool call = m_store->timeline().spans[span].kind != plan::SpanKind::Compute;
                if (call
                    && (!best
                        || m_store->endOf(span) - m_store->beginOf(span)
                            > m_store->endOf(*best) - m_store->beginOf(*best)))
                    best = span;
            });
            if (best)
                return best;
        }
    }
    return std::nullopt;
}

TraceItem TraceScene::itemAt(const QPoint& position) const
{
    const QRect rows = rowsRect();
    if (isEmpty() || !rows.contains(position))
        return {};
    if (m_withMessages) {
        if (const auto arrow = lines().arrowAt(QPointF(position - rows.topLeft()), arrowReach))
            return {TraceItem::Kind::Message, *arrow};
    }
    const auto task = rowAt(position);
    const auto span = task ? spanAt(static_cast<std::uint32_t>(*task), position) : std::nullopt;
    return span ? TraceItem{TraceItem::Kind::Call, m_store->wholeCall(*span).first} : TraceItem{};
}

QStringList TraceScene::linesOf(const TraceItem& item) const
{
    switch (item.kind) {
    case TraceItem::Kind::Call:
        return TraceText::ofCall(*m_store, item.index,
                                 noteOf(m_store->timeline().spans[item.index].task));
    case TraceItem::Kind::Message: return TraceText::ofMessage(*m_store, item.index);
    case TraceItem::Kind::Nothing: break;
    }
    return {};
}

QStringList TraceScene::describeRow(std::uint32_t task, const QPoint& position) const
{
    const QRect rows = rowsRect();
    const TraceRowLines bar = TraceRowLines::of(layout(), task, 1);
    const int y = position.y() - rows.top();
    if (y < bar.barTop || y >= bar.barEnd)
        return {};
    const double x = position.x() - rows.left();
    const Nanoseconds begin = view().timeAt(x);
    const TimeWindow pixel{begin, std::max<Nanoseconds>(1, view().timeAt(x + 1) - begin)};
    const std::size_t calls = m_store->spansIn(task, pixel.begin, pixel.end());
    TraceColumns columns;
    m_store->summarise(task, pixel, 1, columns);
    if (calls > fewCalls + m_store->layers(task))
        return TraceText::ofMany(*m_store, trace::Task(task), calls, columns[0]);
    if (columns[0].dominating() == TraceCategories::compute && !spanAt(task, position))
        return TraceText::ofComputation(trace::Task(task), noteOf(trace::Task(task)));
    return {};
}

QString TraceScene::describe(const QPoint& position) const
{
    const QRect rows = rowsRect();
    if (isEmpty() || !rows.contains(position))
        return {};
    const TraceItem item = itemAt(position);
    const auto row = rowAt(position);
    if (!row)
        return TraceText::rich(linesOf(item));
    const auto task = static_cast<std::uint32_t>(*row);
    QStringList told;
    if (item.kind != TraceItem::Kind::Message)
        told = describeRow(task, position);
    if (told.isEmpty())
        told = linesOf(item);
    if (m_withPath && lines().isPathCondensedAt(task, position.x() - rows.left()))
        told << TraceText::ofCondensedPath();
    return TraceText::rich(told);
}

bool TraceScene::take(const TraceItem& item)
{
    if (item.kind == TraceItem::Kind::Nothing)
        return false;
    select(item);
    return true;
}

bool TraceScene::selectBeside(Side side)
{
    if (isEmpty())
        return false;
    const int step = side == Side::Left || side == Side::Up ? -1 : 1;
    const TimeWindow& window = view().window();
    const TraceSelection::Start start{static_cast<std::uint32_t>(layout().visibleRows().first),
                                      window.begin + window.span / 2};
    return take(side == Side::Left || side == Side::Right
                    ? m_selection.inTask(*m_store, step, start)
                    : m_selection.inNextTask(*m_store, step, start));
}

bool TraceScene::selectAlongMessage()
{
    return !isEmpty() && take(m_selection.alongMessage(*m_store));
}

std::optional<std::uint32_t> TraceScene::selectedTask() const
{
    return hasSelection() ? m_selection.task(*m_store) : std::nullopt;
}

TimeWindow TraceScene::timeOf(const TraceItem& item) const
{
    return TraceSelection::timeOf(*m_store, item);
}

std::optional<LanePlace> TraceScene::selectedPlace() const
{
    const auto task = selectedTask();
    return task ? std::optional(LanePlace{*task, timeOf(selected())}) : std::nullopt;
}

QString TraceScene::selectedText() const { return linesOf(selected()).join(QStringLiteral(", ")); }

int TraceScene::labelWidth() const { return TraceRowLabels(layout(), font(), m_notes).width(); }

void TraceScene::paintLabels(QPainter& painter, const QRect& rect) const
{
    TraceRowLabels(layout(), font(), m_notes).paint(painter, rect, m_palette);
}

TraceBricks TraceScene::bricks(int columns, double ratio) const
{
    TraceBricks bricks(*m_store, view().window(), columns, ratio);
    const auto [first, last] = layout().visibleRows();
    for (std::size_t row = first; row < last; ++row)
        bricks.addRow(static_cast<std::uint32_t>(row), TraceRowLines::of(layout(), row, ratio));
    return bricks;
}

void TraceScene::paintRows(QImage& image)
{
    const TraceBricks made = bricks(image.width(), ratio());
    paintTraceBricks(image, made.bricks(), ratio(), m_palette);
    QPainter painter(&image);
    paintOnRows(painter, made, ratio());
}

void TraceScene::paintRowShapes(QPainter& painter)
{
    const QRect rows = rowsRect();
    const TraceBricks made = bricks(rows.width(), 1);
    paintTraceBricks(painter, QPointF(rows.topLeft()), made.bricks(), m_palette);
    painter.translate(rows.topLeft());
    paintOnRows(painter, made, 1);
}

/// Everything on the bars. The painter's zero is the top left of the rows.
void TraceScene::paintOnRows(QPainter& painter, const TraceBricks& bricks, double ratio) const
{
    const TraceRowLines bar = TraceRowLines::of(layout(), 0, 1);
    paintTraceNames(painter, bricks.names(), *m_store, fontForRow(font(), bar.barEnd - bar.barTop),
                    ratio, m_palette);
    const auto paintEnd = [&](Nanoseconds end, Qt::PenStyle style) {
        const double x = view().xOf(end);
        if (end <= 0 || x < 0 || x > view().width())
            return;
        painter.setPen(QPen(opaque(m_palette.end), 1, style));
        const double middle = std::floor(x) + 0.5;
        painter.drawLine(QPointF(middle, 0), QPointF(middle, rowsRect().height()));
    };
    if (const auto us = m_title.referenceEnd())
        paintEnd(toNanoseconds(*us), Qt::DotLine);
    paintEnd(m_store->end(), Qt::SolidLine);
    const TraceLines drawn = lines();
    if (m_withMessages)
        drawn.paintArrows(painter, m_palette);
    if (m_withPath)
        drawn.paintPath(painter, m_palette);
}

void TraceScene::paintOverRows(QPainter& painter) const
{
    std::vector<std::uint32_t> messages;
    if (selected().kind == TraceItem::Kind::Message)
        messages.push_back(selected().index);
    if (selected().kind == TraceItem::Kind::Call) {
        const auto [first, last] = m_store->wholeCall(selected().index);
        paintOutline(painter, barOf(first).united(barOf(last)), 2);
        if (m_withMessages)
            messages = m_store->messagesOf(selected().index, mostMessagesOfSelection);
    }
    painter.translate(rowsRect().topLeft());
    for (const std::uint32_t message : messages)
        lines().paintSelectedArrow(painter, message, m_palette);
}

/// Title and legend.
void TraceScene::paintAround(QPainter& painter) const
{
    m_title.paint(painter, QRect(0, 0, size().width(), titleHeight()), font(), status(),
                  m_palette.base);
    if (const int height = legendHeight(); height > 0)
        m_legend.paint(painter, QRect(0, size().height() - height, size().width(), height),
                       m_palette, m_withPath && lines().isPathCondensed());
}

QString TraceScene::emptyText() const
{
    return m_store              ? tr("This trace has no tasks.")
        : m_emptyText.isEmpty() ? tr("Open a trace to see what its tasks did.")
                                : m_emptyText;
}

} // namespace tasuki
