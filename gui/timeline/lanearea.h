// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lanelayout.h"

#include <QAbstractScrollArea>
#include <QPoint>

#include <optional>

namespace tasuki {

/// What widgets with rows over time have in common: they are dragged in time and from row to row, and
/// tell about what is under the pointer. GUI thread.
class LaneArea : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit LaneArea(QWidget* parent = nullptr);

protected:
    /// @return what to tell somebody who points there; empty: nothing
    [[nodiscard]] virtual QString describe(const QPoint& position) const = 0;
    [[nodiscard]] virtual bool canBeDragged() const = 0;
    /// Moves the time that is shown by pixels, to later times where positive.
    virtual void panBy(int pixels) = 0;
    /// The left button was released where it was pressed.
    virtual void clicked(const QPoint& position) = 0;
    /// Colours, fonts or language have changed.
    virtual void restyle() = 0;
    /// The size has changed.
    virtual void placeParts() = 0;

    /// @param rows  of a step of the scroll bar
    void setScrollRange(const LaneLayout& layout, int rows);
    void scrollToRow(const LaneLayout& layout, std::size_t row);

    bool viewportEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    std::optional<QPoint> m_pressed;
    QPoint m_dragged;
    bool m_dragging = false;
};

} // namespace tasuki
