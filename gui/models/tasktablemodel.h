// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QTimer>

#include "client/session.h"
#include "taskcells.h"
#include "taskfilter.h"

#include <memory>

namespace tasuki {

class TaskArranger;

/// The tasks of a session as a table that is filtered and sorted by the model itself, fluent at a
/// million rows. A new filter or order is worked out aside while the old rows stay in place; the
/// GUI thread is never held for long. Live changes show at once, rows move or come and go a few
/// times a second; indexes that are kept (selection, current row) follow their tasks. GUI thread.
///
/// A view should set uniform row heights and no per-row widgets.
class TaskTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// @param session, history  must outlive the model; the history is a sink of the session
    /// @param drafts  null: nothing can be edited
    TaskTableModel(Session& session, const AttemptHistory& history, TaskDrafts* drafts = nullptr,
                   QObject* parent = nullptr);
    ~TaskTableModel() override;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index,
                                int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    /// Column -1: the order of the task numbers.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

    /// Tasks with a draft are shown whatever the filter says, so that none is forgotten.
    void setFilter(const TaskFilter& filter);
    [[nodiscard]] const TaskFilter& filter() const { return m_filter; }
    /// What is wrong with the filter, for people; empty: nothing.
    [[nodiscard]] QString filterProblem() const;
    /// Whether a new filter or order is being worked out.
    [[nodiscard]] bool arranging() const;

    /// @return the task of a row. Precondition: the row exists.
    [[nodiscard]] TaskId taskAt(int row) const;
    /// @return the row of a task; -1: it is not shown
    [[nodiscard]] int rowOf(TaskId task) const;
    /// Puts rows where they belong now instead of within a fraction of a second.
    void rearrangeNow();

Q_SIGNALS:
    /// The filter, its problem or arranging() changed.
    void arrangementChanged();

private:
    void forget();
    void takeChanges(const ChangeSet& changes);
    void takeDrafts(const QList<TaskId>& tasks);
    void scheduleRearranging();
    void tellChanged(const std::vector<TaskId>& tasks);
    void beginArranging();
    void adopt(const std::vector<std::uint32_t>& rows);
    void rearrange();
    /// @return the rows with all dirty tasks where they belong; none is dirty then
    [[nodiscard]] std::vector<std::uint32_t> mended(const std::vector<std::uint32_t>& rows);
    /// Makes these the rows in at most three announcements: new ones at the end, a new order of
    /// all, old ones away from the end.
    void showRows(const std::vector<std::uint32_t>& wanted);
    void insertAtEnd(const std::vector<std::uint32_t>& coming);
    void reorder(std::vector<std::uint32_t> order);
    void removeFromEnd(std::size_t left);
    void numberRows(std::size_t from);

    Session& m_session;
    const AttemptHistory& m_history;
    TaskDrafts* m_drafts;
    TaskCells m_cells;
    TaskFilter m_filter;
    std::unique_ptr<TaskMatcher> m_matcher;
    TaskColumn m_sortColumn = TaskColumn::Number;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    std::vector<std::uint32_t> m_rows;  ///< task ids in the order shown
    std::vector<std::uint32_t> m_rowOf; ///< by task id; UINT32_MAX: not shown
    std::vector<std::uint32_t> m_dirty; ///< tasks that may have to move, come or go
    std::unique_ptr<TaskArranger> m_arranger;
    QTimer m_rearrangeTimer;
    SteadyTime m_lastRearranged{};
};

} // namespace tasuki
