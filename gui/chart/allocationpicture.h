// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QFont>
#include <QPalette>
#include <QSizeF>

#include "allocationlist.h"
#include "chartpicture.h"
#include "chartwindow.h"

namespace tasuki {

/// What the chart shows of a list: which rows, their values, marks and words, and what is said around
/// them.
class AllocationPicture {
    Q_DECLARE_TR_FUNCTIONS(tasuki::AllocationPicture)

public:
    /// @param list  must outlive it
    explicit AllocationPicture(const AllocationList& list);

    /// Stands above the chart: what was predicted.
    void setTitle(const QString& title) { m_title = title; }
    void dress(const QPalette& palette, const QFont& font);
    /// The list has other allocations, or another order.
    /// @return whether the order is another one: the first rows are shown then
    bool takeList();
    void bringSelectionIntoSight() { m_window.bringIntoSight(m_list.selectedRow()); }
    void scrollTo(int first) { m_window.first = first; }
    /// Makes the picture anew for a size.
    void make(QSizeF size);

    [[nodiscard]] const ChartPicture& picture() const { return m_picture; }
    [[nodiscard]] const ChartWindow& window() const { return m_window; }
    /// @return the row of the list that is in a place; -1: none
    [[nodiscard]] int rowAt(QPointF place) const;

private:
    void fillTexts();
    void measureWords();
    void makeKeys();
    void fillColumns();
    [[nodiscard]] ChartColumn columnOf(int row) const;
    [[nodiscard]] QString noteText() const;

    const AllocationList& m_list;
    ChartPicture m_picture;
    ChartWindow m_window;
    AllocationOrder m_order;
    QString m_title;
    double m_largestUs = 0.0; ///< of all times in the list
};

} // namespace tasuki
