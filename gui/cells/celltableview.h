// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

#include "celltablemodel.h"

#include <functional>

namespace tasuki {

class CheckedLine;

/// Shows and edits a CellTableModel like a spreadsheet. An editor with a wrong text stays until it
/// is right or left with Esc: no other cell can be chosen meanwhile.
class CellTableView : public QTableView {
    Q_OBJECT

public:
    /// @param model  must outlive the widget
    explicit CellTableView(CellTableModel& model, QWidget* parent = nullptr);

    /// @return the line of the cell that is being edited; null: there is none
    [[nodiscard]] CheckedLine* editor() const;
    /// Ends the edit of a cell, if there is one, as Return does.
    /// @return false: its text is wrong; it has the focus
    bool finishEditing();
    [[nodiscard]] QModelIndexList selectedCells() const { return selectedIndexes(); }
    /// @return whether one of the chosen cells is such; when very many are chosen, true
    [[nodiscard]] bool anyChosen(const std::function<bool(const QModelIndex&)>& such) const;
    /// From now on columns are as wide as what is in them, and one takes the room that is left.
    void fitColumns(int stretched);
    void copySelection() const;
    void pasteIntoSelection();

Q_SIGNALS:
    /// What was pasted or should be cleared is not.
    void refused(const QString& reason);
    /// The selection or the current cell is another.
    void selectionMoved();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void selectionChanged(const QItemSelection& selected,
                          const QItemSelection& deselected) override;
    void resizeEvent(QResizeEvent* event) override;
    void commitData(QWidget* editor) override;
    void closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) override;

private:
    [[nodiscard]] bool holdsWrongText() const;
    void focusEditor();
    void stretchColumn();

    CellTableModel& m_cells;
    int m_stretched = -1;         ///< a column; -1: none
    QPoint m_placeBefore{-1, -1}; ///< column and row of the current cell, before a reset
};

} // namespace tasuki
