// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lanedrag.h"
#include "lanescene.h"

#include "domain/result.h"

#include <QAbstractScrollArea>

#include <vector>

class QToolButton;

namespace tasuki {

/// The timeline: rows over time, time to the right. What is in the rows is its scene's business; keys,
/// wheel, selection and zoom are the same for all: see docs/window.md. GUI thread.
class LaneArea : public QAbstractScrollArea {
    Q_OBJECT

public:
    /// @param scene  of the widget that derives; not looked at before restyle() is called
    explicit LaneArea(LaneScene& scene, QWidget* parent = nullptr);

    [[nodiscard]] const TimelineView& view() const { return m_scene.view(); }
    /// Writes what is in sight to a file: SVG or PDF when the name ends so, else PNG.
    [[nodiscard]] Result<void> exportImage(const QString& path);

public Q_SLOTS:
    void zoomIn();
    void zoomOut();
    void showAll();

Q_SIGNALS:
    /// The user, or somebody who shows something, has moved to another part of time.
    void viewChanged();
    /// The labels would like another width than before.
    void ownLabelWidthChanged();

protected:
    /// Names and texts of the widget, in the language of now.
    virtual void retranslate() = 0;
    /// @return what there is to see, and keys beside those above
    [[nodiscard]] virtual QString helpText() const = 0;
    /// The user has selected something in the scene, or nothing.
    virtual void tellSelected() = 0;
    /// What is selected is to be shown large.
    virtual void activated() {}
    /// Whether a frame tells that the widget has the keys: where there are several beside each other.
    [[nodiscard]] virtual bool framesFocus() const { return false; }
    /// @return whether it does something; a key without modifiers but Shift
    virtual bool takeKey(int key) = 0;

    [[nodiscard]] QToolButton& allButton() const { return *m_buttons.front(); }
    /// @return a further button above the labels; not shown while it is disabled
    QToolButton& addButton();

    /// Colours, fonts or language have changed. Call at the end of the constructor.
    void restyle();
    /// Sizes, rows or labels have changed.
    void placeParts();
    /// Another part of time is shown.
    void timeMoved();
    /// Something has been selected.
    void selectionMoved();
    /// The user has selected something, maybe out of sight.
    void selectedByKey();
    void bringIntoSight(const LanePlace& place);
    /// Scrolls no farther than it takes.
    void scrollToRow(std::size_t row);

    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    void zoomAt(double factor, double x);
    void panBy(double pixels);
    bool handleKey(const QKeyEvent& event);
    bool handlePlainKey(int key);
    bool selectAt(const QPoint& position);
    void selectBeside(LaneScene::Side side);
    void showLarge();

    LaneScene& m_scene;
    std::vector<QToolButton*> m_buttons;
    LaneDrag m_drag;
    int m_toldLabelWidth = 0;
};

} // namespace tasuki
