// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "allocationchart.h"
#include "allocationtable.h"

class QComboBox;
class QLabel;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace tasuki {

/// What a panel can write into a file.
enum class AllocationExport : std::uint8_t { Png, Svg, Pdf, Csv };

/// The chart of allocations above, their table below; their order, exports.
class AllocationPanel : public QWidget {
    Q_OBJECT

public:
    /// @param list  must outlive the widget
    explicit AllocationPanel(AllocationList& list, QWidget* parent = nullptr);

    /// Stands above the chart: what was predicted.
    void setTitle(const QString& title);
    /// Stands in place of chart and table while the list is empty.
    void setEmptyText(const QString& text);
    /// Before there is something to measure the button is of no use.
    void setMeasurementsEnabled(bool enabled);

    /// Asks for a file and writes it.
    void exportAs(AllocationExport what);
    /// Writes a whole file, or tells what went wrong and leaves the old one.
    void exportTo(const QString& path, AllocationExport what);

    [[nodiscard]] AllocationChart& chart() { return *m_chart; }
    [[nodiscard]] AllocationTable& table() { return *m_table; }
    [[nodiscard]] QComboBox& orders() { return *m_orders; }
    [[nodiscard]] QToolButton& exportButton() { return *m_export; }
    [[nodiscard]] QToolButton& measurementsButton() { return *m_measurements; }

Q_SIGNALS:
    /// Measured runtimes are to be read from a file.
    void measurementsWanted();
    void said(const QString& text);

private:
    QWidget* makeTools();
    void makeExports();
    void renew();

    AllocationList& m_list;
    QComboBox* m_orders = nullptr;
    QToolButton* m_export = nullptr;
    QToolButton* m_measurements = nullptr;
    QStackedWidget* m_pages = nullptr;
    QLabel* m_hint = nullptr;
    QSplitter* m_splitter = nullptr;
    AllocationChart* m_chart = nullptr;
    AllocationTable* m_table = nullptr;
};

} // namespace tasuki
