// SPDX-License-Identifier: GPL-3.0-or-later
#include "editorpages.h"

#include "celltableview.h"

#include <QUndoStack>

#include <set>

namespace tasuki {

EditorPages::EditorPages(CellTableModel& model, QUndoStack& steps, QWidget* parent)
    : QTabWidget(parent), m_steps(steps), m_table(new CellTableView(model))
{
    setDocumentMode(true);
    addPage(m_table, [this] { return m_table->finishEditing(); });
    connect(this, &QTabWidget::currentChanged, this, &EditorPages::moved);
    connect(m_table, &CellTableView::selectionMoved, this, &EditorPages::moved);
    connect(m_table, &CellTableView::refused, this, &EditorPages::refused);
}

void EditorPages::addPage(QWidget* page, Finish finish)
{
    m_finish.push_back(std::move(finish));
    addTab(page, QString());
}

bool EditorPages::finishEditing()
{
    for (int page = 0; page < count(); ++page) {
        const Finish& finish = m_finish[static_cast<std::size_t>(page)];
        if (finish())
            continue;
        // What is wrong has to be seen, and can only have the focus on its page.
        setCurrentIndex(page);
        if (!finish())
            return false;
    }
    return true;
}

bool EditorPages::hasChosenRow() const
{
    return currentIndex() == 0 && m_table->currentIndex().isValid();
}

QList<int> EditorPages::chosenRows() const
{
    std::set<int> rows;
    for (const QItemSelectionRange& range : m_table->selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row)
            rows.insert(row);
    }
    if (rows.empty() && m_table->currentIndex().isValid())
        rows.insert(m_table->currentIndex().row());
    return {rows.begin(), rows.end()};
}

void EditorPages::choose(const QList<int>& rows, int column)
{
    const QAbstractItemModel& model = *m_table->model();
    if (rows.isEmpty() || model.rowCount() <= rows.back())
        return;
    QItemSelection chosen;
    int first = rows.front();
    for (qsizetype i = 0; i < rows.size(); ++i) {
        const bool runEnds = i + 1 == rows.size() || rows[i + 1] != rows[i] + 1;
        if (!runEnds)
            continue;
        chosen.select(model.index(first, 0), model.index(rows[i], model.columnCount() - 1));
        if (i + 1 < rows.size())
            first = rows[i + 1];
    }
    QItemSelectionModel& selection = *m_table->selectionModel();
    selection.setCurrentIndex(model.index(rows.front(), column), QItemSelectionModel::NoUpdate);
    selection.select(chosen, QItemSelectionModel::ClearAndSelect);
    m_table->scrollTo(model.index(rows.back(), column));
}

void EditorPages::showCell(int row, int column)
{
    const QModelIndex cell = m_table->model()->index(row, column);
    m_table->setCurrentIndex(cell);
    m_table->scrollTo(cell);
    m_table->setFocus();
}

void EditorPages::editRow(int row)
{
    showCell(row, 0);
    m_table->edit(m_table->model()->index(row, 0));
}

void EditorPages::retrace(bool undo)
{
    m_retracing = true;
    if (undo)
        m_steps.undo();
    else
        m_steps.redo();
    m_retracing = false;
}

void EditorPages::follow(int page)
{
    if (m_retracing)
        setCurrentIndex(page);
}

} // namespace tasuki
