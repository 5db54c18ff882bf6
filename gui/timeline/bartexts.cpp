// SPDX-License-Identifier: GPL-3.0-or-later
#include "bartexts.h"

#include <QFontInfo>
#include <QFontMetrics>
#include <QFontMetricsF>

#include <algorithm>

namespace tasuki {

namespace {

constexpr int narrowestText = 26; ///< logical pixels
constexpr int barTextPadding = 4;
constexpr int shortestCommand = 40; ///< logical pixels; below, the number stands alone
constexpr qsizetype longestText = 60;
constexpr int smallestBarText = 9;

} // namespace

void BarTexts::setTaskText(TaskText text)
{
    m_taskText = std::move(text);
    m_texts.clear();
}

void BarTexts::setFont(const QFont& font, int rowHeight)
{
    QFont fitting = font;
    const QFontMetrics metrics(font);
    const int room = rowHeight - 4;
    const int pixels = QFontInfo(font).pixelSize();
    if (metrics.ascent() + metrics.descent() > room)
        fitting.setPixelSize(
            std::clamp(pixels * room / metrics.height() + 1, smallestBarText, pixels));
    if (fitting == m_font)
        return;
    m_font = fitting;
    m_texts.clear();
}

/// Texts are cut, not elided: that would have to be done anew for each step of a zoom.
void BarTexts::paint(const LaneContents& contents, QImage& image)
{
    const double ratio = image.devicePixelRatio();
    m_raster.setNarrowestSpot(static_cast<std::size_t>(narrowestText * ratio));
    m_raster.compose(contents, ratio, image);
    std::vector<LabelSpot> cut;
    {
        QPainter painter(&image);
        painter.setFont(m_font);
        for (const LabelSpot& spot : m_raster.spots()) {
            if (paintSpot(painter, contents, spot))
                cut.push_back(spot);
        }
    }
    for (const LabelSpot& spot : cut)
        LaneRaster::fadeOut(spot, contents.layout, ratio, image);
}

/// @return whether the text was too long for its place
bool BarTexts::paintSpot(QPainter& painter, const LaneContents& contents, const LabelSpot& spot)
{
    const auto columns = static_cast<std::size_t>(painter.device()->width());
    const Nanoseconds middle = contents.window.edge(columns,
                                                    spot.begin + (spot.end - spot.begin) / 2);
    const auto attempt = contents.store.attemptAt(spot.row, toWallTime(middle), contents.now);
    if (!attempt)
        return false;
    const double ratio = painter.device()->devicePixelRatio();
    const QFontMetricsF metrics(m_font);
    const double left = static_cast<double>(spot.begin) / ratio + barTextPadding;
    const double room = static_cast<double>(spot.end) / ratio - barTextPadding / 2.0 - left;
    const QString number = QString::number(attempt->key.task.value());
    const double numberWidth = metrics.horizontalAdvance(number);
    if (room < numberWidth)
        return false; // half a number misleads
    const int step = contents.layout.rowHeight();
    const int top = contents.layout.yOf(spot.row);
    const double textTop = top + (step - metrics.height()) / 2;
    painter.setClipRect(QRectF(left, top, room, step));
    painter.setPen(opaque(contents.palette.textOn(attempt->kind())));
    if (room < numberWidth + shortestCommand) {
        painter.drawText(QPointF(left, textTop + metrics.ascent()), number);
        return false;
    }
    const QStaticText& text = prepared(attempt->key.task);
    painter.drawStaticText(QPointF(left, textTop), text);
    return text.size().width() > room;
}

const QStaticText& BarTexts::prepared(TaskId task)
{
    if (const QStaticText* known = m_texts.object(task.value()))
        return *known;
    QString text = QString::number(task.value());
    if (const QString command = of(task); !command.isEmpty())
        text += QStringLiteral("  ") + command.left(longestText).simplified();
    auto* made = new QStaticText(text);
    made->setTextFormat(Qt::PlainText);
    made->prepare(QTransform(), m_font);
    m_texts.insert(task.value(), made); // owns it
    return *made;
}

} // namespace tasuki
