// SPDX-License-Identifier: GPL-3.0-or-later
#include "timelinewidget.h"

#include <QPaintEvent>
#include <QSaveFile>
#include <QScrollBar>
#include <QSvgGenerator>
#include <QToolButton>

#include <cmath>

namespace tasuki {

namespace {

constexpr double zoomStep = 1.5;
constexpr int cornerMargin = 4;
/// A moment is shown with at most so much around it.
constexpr Nanoseconds momentSpan = 60'000'000'000;

} // namespace

TimelineWidget::TimelineWidget(QWidget* parent)
    : LaneArea(parent), m_allButton(new QToolButton(this)), m_liveButton(new QToolButton(this))
{
    for (QToolButton* button : {m_allButton, m_liveButton}) {
        button->setAutoRaise(true);
        button->setCheckable(true);
        button->setFocusPolicy(Qt::NoFocus); // the same is done by keys
    }
    connect(m_allButton, &QToolButton::clicked, this, &TimelineWidget::showAll);
    connect(m_liveButton, &QToolButton::clicked, this, &TimelineWidget::follow);
    restyle();
    viewChanged();
}

void TimelineWidget::setStore(const TimelineStore* store)
{
    m_scene.setStore(store);
    placeParts();
    viewChanged();
}

void TimelineWidget::setTaskText(TimelineScene::TaskText text)
{
    m_scene.setTaskText(std::move(text));
    viewport()->update();
}

void TimelineWidget::refresh()
{
    const int rows = m_scene.layout().contentHeight();
    m_scene.update();
    if (m_scene.layout().contentHeight() != rows)
        placeParts();
    viewport()->update();
}

void TimelineWidget::setNow(WallTime now, bool live)
{
    const bool wasLive = m_scene.isLive();
    m_scene.setNow(now, live);
    if (live != wasLive)
        placeParts();
    viewport()->update();
}

void TimelineWidget::setSelected(std::optional<TaskId> task)
{
    if (m_scene.selectedTask() == task)
        return;
    m_scene.setSelected(task, std::nullopt);
    viewport()->update();
}

void TimelineWidget::setSelectedAttempt(AttemptKey attempt)
{
    m_scene.setSelected(attempt.task, attempt);
    viewport()->update();
}

void TimelineWidget::reveal(TaskId task)
{
    if (m_scene.isEmpty())
        return;
    const auto attempts = m_scene.store()->attemptsOf(task, m_scene.now());
    if (!attempts.empty())
        bringIntoSight({attempts.back().first, attempts.back().second});
}

void TimelineWidget::showMoment(std::optional<Rank> rank, WallTime moment)
{
    if (m_scene.isEmpty())
        return;
    for (std::size_t row = 0; rank && row < m_scene.store()->laneCount(); ++row) {
        if (m_scene.store()->lane(row).rank == *rank) {
            scrollToRow(m_scene.layout(), row);
            break;
        }
    }
    m_scene.setMark(moment);
    m_scene.view().centre(toNanoseconds(moment), momentSpan);
    viewChanged();
}

void TimelineWidget::bringIntoSight(const PlacedAttempt& placed)
{
    scrollToRow(m_scene.layout(), placed.row);
    m_scene.view().reveal(toNanoseconds(placed.attempt.start), toNanoseconds(placed.attempt.end));
    viewChanged();
}

void TimelineWidget::zoomIn() { zoomAtMiddle(1 / zoomStep); }

void TimelineWidget::zoomOut() { zoomAtMiddle(zoomStep); }

void TimelineWidget::zoomAtMiddle(double factor)
{
    m_scene.view().zoom(factor, m_scene.view().width() / 2);
    viewChanged();
}

void TimelineWidget::showAll()
{
    m_scene.setMark(std::nullopt);
    m_scene.view().showAll();
    viewChanged();
}

void TimelineWidget::follow()
{
    m_scene.setMark(std::nullopt);
    m_scene.view().follow();
    viewChanged();
}

void TimelineWidget::setElapsedTime(bool elapsed)
{
    m_scene.setElapsedTime(elapsed);
    m_scene.update();
    viewport()->update();
}

void TimelineWidget::viewChanged()
{
    const ViewMode mode = m_scene.view().mode();
    m_allButton->setChecked(mode == ViewMode::Fit);
    m_liveButton->setChecked(mode == ViewMode::Follow);
    if (m_wasFollowing != isFollowing()) {
        m_wasFollowing = isFollowing();
        Q_EMIT followingChanged(m_wasFollowing);
    }
    viewport()->update();
}

void TimelineWidget::paintEvent(QPaintEvent*)
{
    m_scene.setRatio(viewport()->devicePixelRatioF());
    QPainter painter(viewport());
    m_scene.paint(painter);
}

void TimelineWidget::scrollContentsBy(int, int)
{
    m_scene.setScroll(verticalScrollBar()->value());
    viewport()->update();
}

void TimelineWidget::restyle()
{
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(
        tr("Attempts over time, one row for each slot. Arrow keys left and right pan, plus and "
           "minus zoom, up and down select in the next row, F shows everything, L follows what "
           "happens now."));
    m_allButton->setText(tr("All"));
    m_allButton->setToolTip(tr("Show the whole run (F)"));
    m_liveButton->setText(tr("Live"));
    m_liveButton->setToolTip(tr("Follow what happens now (L)"));
    m_scene.setStyle(TimelinePalette::of(palette()), font());
    m_scene.setLeastLabelWidth(2 * cornerMargin + cornerMargin / 2 + m_allButton->sizeHint().width()
                               + m_liveButton->sizeHint().width());
    placeParts();
}

void TimelineWidget::placeParts()
{
    m_scene.setGeometry(viewport()->size());
    setScrollRange(m_scene.layout(), 2);
    const QRect lanes = m_scene.lanesRect();
    int left = cornerMargin;
    for (QToolButton* button : {m_allButton, m_liveButton}) {
        const QSize size = button->sizeHint();
        const bool useful = button != m_liveButton || m_scene.isLive();
        button->setVisible(useful && !m_scene.isEmpty() && left + size.width() < lanes.left());
        button->setGeometry({QPoint(left, (lanes.top() - size.height()) / 2), size});
        left += size.width() + cornerMargin / 2;
    }
    viewport()->update();
}

Result<void> TimelineWidget::exportImage(const QString& path)
{
    const auto failed = [&path](const QString& why) {
        return Error{ErrorKind::System, tr("Cannot write %1: %2").arg(path, why).toStdString()};
    };
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return failed(file.errorString());
    const QSize size = viewport()->size();
    if (path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive)) {
        QSvgGenerator generator;
        generator.setOutputDevice(&file);
        generator.setSize(size);
        generator.setViewBox(QRect(QPoint(0, 0), size));
        generator.setTitle(tr("Timeline"));
        QPainter painter(&generator);
        m_scene.paintShapes(painter);
    } else {
        const double ratio = viewport()->devicePixelRatioF();
        QImage image(size * ratio, QImage::Format_RGB32);
        image.setDevicePixelRatio(ratio);
        QPainter painter(&image);
        m_scene.setRatio(ratio);
        m_scene.paint(painter);
        painter.end();
        if (!image.save(&file, "PNG"))
            return failed(tr("the image could not be encoded"));
    }
    if (!file.commit())
        return failed(file.errorString());
    return {};
}

} // namespace tasuki
