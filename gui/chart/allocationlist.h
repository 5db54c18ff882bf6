// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "allocationsummary.h"
#include "timetext.h"

namespace tasuki {

enum class AllocationOrder : std::uint8_t {
    Nodes,     ///< permutation by permutation: by the nodes of the tasks
    Predicted, ///< best first
    Measured,  ///< best first, then what was not measured, by prediction
};

/// The allocations that a chart and a table show, and which one of them is selected.
class AllocationList : public QAbstractTableModel {
    Q_OBJECT

public:
    enum class Column : std::uint8_t { Place, Nodes, Predicted, Measured, Ratio, Error };
    static constexpr int columns = 6;

    using QAbstractTableModel::QAbstractTableModel;

    /// Shows other results, or more of them. Meant to be called often: rows that stay keep their
    /// persistent indexes. What is selected stays selected, also while it is not among the results;
    /// results of a program with another number of tasks end that.
    void setResults(AllocationResults results);

    [[nodiscard]] AllocationOrder order() const { return m_order; }
    void setOrder(AllocationOrder order);

    [[nodiscard]] int count() const { return static_cast<int>(m_rows.size()); }
    [[nodiscard]] const AllocationResult& at(int row) const { return rowAt(row).result; }
    /// From 1, the predicted best. When all were tried, the place of the worst is their number.
    [[nodiscard]] qulonglong placeAt(int row) const { return rowAt(row).place; }
    /// Predicted time over the best predicted time.
    [[nodiscard]] double ratioAt(int row) const;
    /// @return -1: it is not listed
    [[nodiscard]] int rowOf(const plan::Allocation& allocation) const;

    /// Rows of note; -1: there is none.
    [[nodiscard]] int bestRow() const { return m_best; }
    [[nodiscard]] int worstRow() const { return m_worst; } ///< none while not all were tried
    [[nodiscard]] int bestMeasuredRow() const { return m_bestMeasured; }

    [[nodiscard]] const AllocationSummary& summary() const { return m_summary; }
    [[nodiscard]] bool hasMeasurements() const { return m_summary.measured > 0; }
    /// How times of this list are written.
    [[nodiscard]] const TimeText& times() const { return m_times; }

    [[nodiscard]] const std::optional<plan::Allocation>& selected() const { return m_selected; }
    /// @return -1: nothing is selected, or it is not listed at present
    [[nodiscard]] int selectedRow() const { return m_selectedRow; }
    void select(std::optional<plan::Allocation> allocation);
    /// Precondition: a row of the list.
    void selectRow(int row) { select(at(row).allocation); }

    /// A line with the names of the columns, then one line an allocation in the order that is shown
    /// (RFC 4180). Numbers are the same in all languages.
    [[nodiscard]] QByteArray csv() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

Q_SIGNALS:
    /// Results or their order are other ones; rows and summary have been changed.
    void renewed();
    /// Another allocation is selected, or none.
    void selectedChanged();

private:
    struct Row {
        AllocationResult result;
        qulonglong place = 0;
    };

    [[nodiscard]] const Row& rowAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    [[nodiscard]] QString text(const Row& row, Column column) const;
    [[nodiscard]] bool comesBefore(const Row& a, const Row& b) const;
    void bringInOrder(std::vector<Row>& rows) const;
    /// Tells the views what becomes of their indexes.
    void replaceRows(std::vector<Row> next);
    [[nodiscard]] bool isSameOrder(const std::vector<Row>& next) const;
    void findRowsOfNote();

    AllocationOrder m_order = AllocationOrder::Predicted;
    std::vector<Row> m_rows; ///< in the order that is shown
    AllocationSummary m_summary;
    TimeText m_times;
    std::optional<plan::Allocation> m_selected;
    int m_selectedRow = -1;
    int m_best = -1;
    int m_worst = -1;
    int m_bestMeasured = -1;
};

} // namespace tasuki
