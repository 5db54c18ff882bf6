// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/lanescene.h"

namespace tasuki {

/// A scene whose rows each have one bar, from 40 to 50 of 100 seconds.
class PlainScene : public LaneScene {
public:
    explicit PlainScene(std::size_t rows) : m_rows(rows) {}

    void setRows(std::size_t rows)
    {
        m_rows = rows;
        reset();
        view().setContent(0, 100 * second);
    }
    void setStyle(const QPalette& palette, const QFont& font) override
    {
        m_palette = TimelinePalette::of(palette);
        setFont(font);
        reset();
        view().setContent(0, 100 * second);
    }
    void touch() { touchRows(); }
    [[nodiscard]] QString describe(const QPoint&) const override { return {}; }
    void selectAt(const QPoint& position) override
    {
        const Nanoseconds time = view().timeAt(position.x() - rowsRect().left());
        m_selected = time >= begin && time < end ? rowAt(position) : std::nullopt;
    }
    bool selectBeside(Side side) override
    {
        sides.push_back(side);
        if (side == Side::Down && m_selected.value_or(0) + 1 < m_rows)
            m_selected = m_selected.value_or(0) + 1;
        return side == Side::Down;
    }
    void selectNothing() override { m_selected.reset(); }
    [[nodiscard]] bool hasSelection() const override { return m_selected.has_value(); }
    [[nodiscard]] std::optional<LanePlace> selectedPlace() const override
    {
        return m_selected ? std::optional(LanePlace{*m_selected, {begin, end - begin}})
                          : std::nullopt;
    }
    [[nodiscard]] QString selectedText() const override
    {
        return m_selected ? QStringLiteral("row %1").arg(*m_selected) : QString();
    }

    static constexpr Nanoseconds second = 1'000'000'000;
    static constexpr Nanoseconds begin = 40 * second;
    static constexpr Nanoseconds end = 50 * second;
    static constexpr int labels = 80;
    std::vector<Side> sides; ///< that keys pointed to
    int painted = 0;         ///< how often rows were

private:
    [[nodiscard]] std::size_t laneCount() const override { return m_rows; }
    [[nodiscard]] const TimelinePalette& colours() const override { return m_palette; }
    [[nodiscard]] QString emptyText() const override { return QStringLiteral("nothing"); }
    [[nodiscard]] int labelWidth() const override { return labels; }
    void paintLabels(QPainter& painter, const QRect& rect) const override
    {
        painter.fillRect(rect, Qt::green);
    }
    void paintRows(QImage& image) override
    {
        image.fill(Qt::blue);
        ++painted;
    }
    void paintRowShapes(QPainter& painter) override { painter.fillRect(rowsRect(), Qt::blue); }
    void paintOverRows(QPainter& painter) const override
    {
        if (m_selected)
            painter.fillRect(QRect(QPoint(0, 0), size()), Qt::red); // clipped to the rows
    }
    void paintAround(QPainter&) const override {}

    std::size_t m_rows;
    std::optional<std::size_t> m_selected;
    TimelinePalette m_palette = TimelinePalette::light();
};

} // namespace tasuki
