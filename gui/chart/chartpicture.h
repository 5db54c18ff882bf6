// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chartcolours.h"
#include "chartscale.h"

#include <QFont>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <vector>

namespace tasuki {

/// One allocation as it stands in the chart; values in the unit of the axis.
struct ChartColumn {
    int row = -1; ///< of the list; below 0: a gap, some are left out here
    QStringList words;
    double predicted = 0.0;
    std::optional<double> measured;
    double low = 0.0; ///< of the measurements; equal to high: there is no range
    double high = 0.0;
    bool best = false;
    bool worst = false;
    bool bestMeasured = false;
    bool selected = false;
};

/// A word of the legend and what stands before it.
struct ChartKey {
    enum class Sign : std::uint8_t { None, Predicted, Measured, Best, BestMeasured, Worst };
    Sign sign = Sign::None;
    QString text;
    QRectF rect; ///< made by arrange()
};

/// Everything in the chart but its bars, axis and grid: what it is and where it stands.
class ChartPicture {
public:
    static constexpr double groupWidth = 0.8; ///< of a column, for its bars
    static constexpr double margin = 10.0;
    static constexpr double between = 5.0; ///< parts that stand beside each other
    static constexpr double signSize = 12.0;
    static constexpr double markSize = 11.0;

    ChartColours colours;
    QFont font; ///< with a size in pixels, so that it is the same on screen and paper
    QString title;
    QString summary;
    QString note; ///< below the chart
    std::vector<ChartKey> keys;
    QStringList taskTitles; ///< one for each line of words; empty: words stand upright in one line
    bool withMeasured = false;
    double largest = 0.0; ///< of all values, shown or not, in the unit of the axis
    double widestWord = 0.0;

    // Made by arrange():
    ChartScale scale;
    QRectF plot; ///< where the bars are
    QRectF titleRect;
    QRectF summaryRect;
    QRectF wordsRect; ///< below the bars
    QRectF noteRect;

    std::vector<ChartColumn> columns;

    /// Divides an area among the parts.
    void arrange(const QRectF& area);
    [[nodiscard]] QRectF area() const { return m_area; }
    /// How many columns have room.
    [[nodiscard]] int capacity() const;

    [[nodiscard]] QFont boldFont() const;
    [[nodiscard]] double columnWidth() const;
    [[nodiscard]] double centreOf(int column) const;
    [[nodiscard]] double yOf(double value) const;
    /// @return the bar of predictions, or of measurements
    [[nodiscard]] QRectF barOf(int column, bool measured) const;
    /// The column with its words.
    [[nodiscard]] QRectF rectOf(int column) const;
    /// @return -1: there is none
    [[nodiscard]] int columnAt(QPointF place) const;

private:
    void arrangeKeys(double left, double width);
    [[nodiscard]] double wordsHeight() const;
    QRectF m_area;
    double m_keysHeight = 0.0;
};

} // namespace tasuki
