// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabWidget>

#include <functional>
#include <optional>
#include <vector>

class QUndoStack;

namespace tasuki {

class CellTableModel;
class CellTableView;

/// The pages of an editor: a table of rows that come and go, and what else there is to edit. Undo
/// and redo show the page that they change.
class EditorPages : public QTabWidget {
    Q_OBJECT

public:
    /// Takes what is being typed. @return false: it is wrong; it has the focus
    using Finish = std::function<bool()>;

    /// @param model, steps  must outlive the widget
    EditorPages(CellTableModel& model, QUndoStack& steps, QWidget* parent = nullptr);

    [[nodiscard]] CellTableView& table() const { return *m_table; }
    void addPage(QWidget* page, Finish finish);
    /// The same of all pages; one with something wrong is shown.
    bool finishEditing();

    [[nodiscard]] bool hasChosenRow() const;
    /// Rows, ascending; when none is chosen, that of the current cell.
    [[nodiscard]] QList<int> chosenRows() const;
    /// Chooses rows and shows them.
    /// @param rows    ascending; nothing is done when there are none, or not so many
    /// @param column  of the current cell
    void choose(const QList<int>& rows, int column);
    /// Makes a cell of the table the current one and gives it the focus.
    void showCell(int row, int column);
    /// Begins to edit the first cell of a row.
    void editRow(int row);

    /// Takes a step back, or again.
    void retrace(bool undo);
    /// Something on a page is another: shows it, if a step is being retraced.
    void follow(int page);

Q_SIGNALS:
    /// Another page or cell is the current one.
    void moved();
    /// What was pasted or should be cleared is not.
    void refused(const QString& reason);

private:
    QUndoStack& m_steps;
    CellTableView* m_table;
    std::vector<Finish> m_finish; ///< of each page
    bool m_retracing = false;
};

} // namespace tasuki
