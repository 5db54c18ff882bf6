// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

class QAbstractItemModel;
class QAction;
class QTableView;

namespace tasuki {

/// Shape and colour of a severity beside the word in one column of a table.
class SeverityDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    /// @param role  of the model: int, Severity
    SeverityDelegate(int column, int role, QObject* parent);

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    int m_column;
    int m_role;
};

/// @return a table of things that happened, a row each: rows are selected whole, there is no grid
QTableView* makeListTable(QAbstractItemModel& model, const QString& accessibleName);

/// The same, sorted by its header.
/// @param sortRole  of the model
QTableView* makeSortedTable(QAbstractItemModel& model, int sortRole, const QString& accessibleName);

/// @return an action that copies the selected rows as text, columns separated by tabs; it belongs to
///         the table
QAction* makeCopyAction(QTableView& table);

/// The rows of a table as they are shown, with their titles, as a file that the user chooses.
/// @param suggestion  name of the file
/// @return where they are; empty: nowhere, the user thought better of it or has been told why
QString saveTable(const QTableView& table, const QString& title, const QString& suggestion);
/// The same. @return what is to be told; may be empty
QString exportTable(const QTableView& table, const QString& title, const QString& suggestion);

} // namespace tasuki
