// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <array>
#include <functional>
#include <memory>

class QBarCategoryAxis;
class QBarSeries;
class QBarSet;
class QChart;
class QChartView;
class QValueAxis;

namespace tasuki {

class ChartPicture;
class PictureItem;

/// Draws a picture with Qt Charts: bars, axis and grid are Qt's, the rest is the picture's own.
class BarDiagram {
public:
    /// @param picture  must outlive the diagram and its view
    /// @param resized  called when the view has another size
    BarDiagram(const ChartPicture& picture, std::function<void()> resized);
    ~BarDiagram();
    BarDiagram(const BarDiagram&) = delete;
    BarDiagram& operator=(const BarDiagram&) = delete;

    /// The widget; belongs to who gives it a parent.
    [[nodiscard]] QChartView& view() const { return *m_view; }
    [[nodiscard]] QChart& chart() const { return *m_chart; }
    /// The widget whose coordinates are those of the picture.
    [[nodiscard]] QWidget& canvas() const;

    /// Takes the colours and the font of the picture.
    void dress();
    /// Shows the columns and the scale of the picture.
    void show();

private:
    void fillBars();
    void fillAxes();

    const ChartPicture& m_picture;
    QChart* m_chart;
    QChartView* m_view;
    QBarSeries* m_series;
    std::array<QBarSet*, 2> m_bars;   ///< predicted, measured
    std::unique_ptr<QBarSet> m_spare; ///< the measured ones, while there are none
    QBarCategoryAxis* m_columns;
    QValueAxis* m_values;
    PictureItem* m_behind;
    PictureItem* m_above;
};

} // namespace tasuki
