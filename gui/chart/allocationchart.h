// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "allocationpicture.h"
#include "bardiagram.h"
#include "chartexport.h"

class QChart;
class QScrollBar;

namespace tasuki {

/// Runtimes of allocations as bars, predicted beside measured, in the order of the list. Shows at
/// most ChartWindow::mostColumns at a time, however long the list is; the rest by scrolling.
/// Selects in the list: by mouse, arrow keys, Home, End, Page Up and Page Down.
class AllocationChart : public QWidget {
    Q_OBJECT

public:
    /// @param list  must outlive the widget
    explicit AllocationChart(AllocationList& list, QWidget* parent = nullptr);
    ~AllocationChart() override;

    /// Stands above the chart, on screen and in exports: what was predicted.
    void setTitle(const QString& title);

    /// What is shown at present, as the content of a file.
    [[nodiscard]] QByteArray drawn(ChartFormat format) const;

    [[nodiscard]] QChart& chart() const { return m_diagram.chart(); }
    [[nodiscard]] QScrollBar& scrollBar() const { return *m_scroll; }
    [[nodiscard]] const ChartPicture& picture() const { return m_contents.picture(); }
    /// The widget in whose coordinates the picture is; mouse events go there.
    [[nodiscard]] QWidget& canvas() const { return m_diagram.canvas(); }
    [[nodiscard]] QSize sizeHint() const override { return {760, 380}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {300, 220}; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    static constexpr int focusWidth = 2;

    void takeList();
    void takeSelection();
    void renew();
    void dress();
    void renewScroll();
    void describe();
    void step(int rows);

    AllocationList& m_list;
    AllocationPicture m_contents;
    BarDiagram m_diagram;
    QScrollBar* m_scroll = nullptr;
    bool m_filling = false;
};

} // namespace tasuki
