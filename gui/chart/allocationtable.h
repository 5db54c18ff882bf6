// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

#include "allocationlist.h"

namespace tasuki {

/// The allocations of a list as a table. Its current row is the list's selected allocation; a click
/// on a header orders the list.
class AllocationTable : public QTableView {
    Q_OBJECT

public:
    /// @param list  must outlive the widget
    explicit AllocationTable(AllocationList& list, QWidget* parent = nullptr);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void changeEvent(QEvent* event) override;

private:
    void makeHeader();
    void resizeColumns();
    void showSelection();
    void showOrder();
    void takeHeader(int section);

    AllocationList& m_list;
    bool m_quiet = false; ///< the current row changes, but not by the user
};

} // namespace tasuki
