// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QPoint>

#include <optional>
#include <utility>

namespace tasuki {

/// A button that is held down over the rows: a click, until the pointer has moved far enough.
class LaneDrag {
public:
    void press(const QPoint& position)
    {
        m_pressed = position;
        m_seen = position;
        m_dragging = false;
    }
    /// @return how far the pointer has been dragged since the last time
    QPoint move(const QPoint& position)
    {
        if (!m_pressed)
            return {};
        m_dragging = m_dragging
            || (position - *m_pressed).manhattanLength() >= QApplication::startDragDistance();
        return m_dragging ? position - std::exchange(m_seen, position) : QPoint();
    }
    [[nodiscard]] bool isDragging() const { return m_dragging; }
    /// @return whether it was a click
    bool release()
    {
        const bool wasPressed = std::exchange(m_pressed, std::nullopt).has_value();
        return !std::exchange(m_dragging, false) && wasPressed;
    }

private:
    std::optional<QPoint> m_pressed;
    QPoint m_seen;
    bool m_dragging = false;
};

} // namespace tasuki
