// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasktablemodel.h"

#include "exportvalue.h"

#include "taskarranger.h"

#include <algorithm>
#include <limits>

namespace tasuki {

namespace {

constexpr std::uint32_t notShown = std::numeric_limits<std::uint32_t>::max();
constexpr std::chrono::milliseconds rearrangeInterval{250};
/// More tasks than this are not put in their places at once: that would hold the GUI thread.
constexpr std::size_t mostAtOnce = 8'000;
/// More stretches of rows than this are announced as one.
constexpr std::size_t mostStretches = 64;
constexpr std::size_t mostTold = 4'096;

} // namespace

TaskTableModel::TaskTableModel(Session& session, const AttemptHistory& history, TaskDrafts* drafts,
                               QObject* parent)
    : QAbstractTableModel(parent),
      m_session(session),
      m_history(history),
      m_drafts(drafts),
      m_cells(session, history, drafts),
      m_matcher(std::make_unique<TaskMatcher>(m_filter))
{
    m_rearrangeTimer.setSingleShot(true);
    connect(&m_rearrangeTimer, &QTimer::timeout, this, &TaskTableModel::rearrangeNow);
    connect(&session, &Session::changed, this, &TaskTableModel::takeChanges);
    connect(&session, &Session::aboutToReset, this, [this] { beginResetModel(); });
    connect(&session, &Session::wasReset, this, &TaskTableModel::forget);
    if (drafts)
        connect(drafts, &TaskDrafts::changed, this, &TaskTableModel::takeDrafts);
}

TaskTableModel::~TaskTableModel() = default;

void TaskTableModel::forget()
{
    m_arranger.reset();
    m_rearrangeTimer.stop();
    m_rows.clear();
    m_rowOf.clear();
    m_dirty.clear();
    endResetModel();
    Q_EMIT arrangementChanged();
}

int TaskTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TaskTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : taskColumnCount;
}

QVariant TaskTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= taskColumnCount)
        return {};
    const auto column = static_cast<TaskColumn>(section);
    if (role == exportRole && column == TaskColumn::RunTime)
        return exportSecondsTitle(columnTitle(column));
    if (role == exportRole && (column == TaskColumn::Printed || column == TaskColumn::Kept))
        return exportBytesTitle(columnTitle(column));
    if (role == Qt::TextAlignmentRole)
        return TaskCells::alignment(column);
    return role == Qt::DisplayRole ? QVariant(columnTitle(column)) : QVariant();
}

Qt::ItemFlags TaskTableModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid()
        && m_cells.isEditable(taskAt(index.row()), static_cast<TaskColumn>(index.column())))
        flags |= Qt::ItemIsEditable;
    return flags;
}

QVariant TaskTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const TaskId task = taskAt(index.row());
    if (task.value() >= m_session.state().tasks().size())
        return {}; // about to be reset
    return m_cells.data(task, static_cast<TaskColumn>(index.column()), role);
}

bool TaskTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!m_drafts || role != Qt::EditRole || !index.isValid())
        return false;
    const auto column = static_cast<TaskColumn>(index.column());
    const TaskId task = taskAt(index.row());
    if (!m_cells.isEditable(task, column))
        return false;
    m_drafts->edit({task}, *fieldOf(column), value.toString());
    return true;
}

TaskId TaskTableModel::taskAt(int row) const
{
    return TaskId(m_rows[static_cast<std::size_t>(row)]);
}

int TaskTableModel::rowOf(TaskId task) const
{
    if (task.value() >= m_rowOf.size() || m_rowOf[task.value()] == notShown)
        return -1;
    return static_cast<int>(m_rowOf[task.value()]);
}

QString TaskTableModel::filterProblem() const { return m_matcher->problem(); }

bool TaskTableModel::arranging() const { return m_arranger != nullptr; }

void TaskTableModel::setFilter(const TaskFilter& filter)
{
    if (filter == m_filter)
        return;
    m_arranger.reset(); // it uses the matcher
    m_filter = filter;
    m_matcher = std::make_unique<TaskMatcher>(filter);
    beginArranging();
}

void TaskTableModel::sort(int column, Qt::SortOrder order)
{
    const bool known = column >= 0 && column < taskColumnCount;
    const auto wanted = known ? static_cast<TaskColumn>(column) : TaskColumn::Number;
    const auto direction = known ? order : Qt::AscendingOrder;
    if (wanted == m_sortColumn && direction == m_sortOrder)
        return;
    m_sortColumn = wanted;
    m_sortOrder = direction;
    beginArranging();
}

void TaskTableModel::beginArranging()
{
    // It begins with what is; what changes from now on is dirty.
    m_session.announceNow();
    m_rearrangeTimer.stop();
    m_dirty.clear();
    m_arranger = std::make_unique<TaskArranger>(
        m_session, m_history, *m_matcher,
        TaskArranger::Order{.column = m_sortColumn, .direction = m_sortOrder});
    connect(m_arranger.get(), &TaskArranger::arranged, this, &TaskTableModel::adopt);
    Q_EMIT arrangementChanged();
}

void TaskTableModel::adopt(const std::vector<std::uint32_t>& rows)
{
    m_session.announceNow();
    m_arranger.release()->deleteLater(); // it is what tells
    if (m_dirty.size() > mostAtOnce) {
        showRows(rows);
        beginArranging();
        return;
    }
    if (m_drafts) {
        for (const auto& [task, draft] : m_drafts->drafts()) {
            if (task.value() < m_session.state().tasks().size())
                m_dirty.push_back(task.value()); // the arranger knows nothing of them
        }
    }
    showRows(mended(rows));
    Q_EMIT arrangementChanged();
}

void TaskTableModel::takeChanges(const ChangeSet& changes)
{
    if (changes.allTasks) {
        for (std::uint32_t id = 0; id < changes.firstNewTask.value(); ++id)
            m_dirty.push_back(id);
        if (!m_rows.empty())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, taskColumnCount - 1));
    } else {
        for (const TaskId task : changes.tasks)
            m_dirty.push_back(task.value());
        tellChanged(changes.tasks);
    }
    for (std::uint32_t i = 0; i < changes.newTasks; ++i)
        m_dirty.push_back(changes.firstNewTask.value() + i);
    scheduleRearranging();
}

void TaskTableModel::takeDrafts(const QList<TaskId>& tasks)
{
    for (const TaskId task : tasks) {
        if (task.value() < m_session.state().tasks().size())
            m_dirty.push_back(task.value()); // without its draft it may not match any more
    }
    tellChanged({tasks.begin(), tasks.end()});
    scheduleRearranging();
}

void TaskTableModel::scheduleRearranging()
{
    if (m_arranger || m_dirty.empty() || m_rearrangeTimer.isActive())
        return;
    const auto since = std::chrono::steady_clock::now() - m_lastRearranged;
    if (since >= rearrangeInterval)
        rearrange();
    else
        m_rearrangeTimer.start(
            std::chrono::ceil<std::chrono::milliseconds>(rearrangeInterval - since));
}

void TaskTableModel::rearrangeNow()
{
    m_session.announceNow();
    rearrange();
}

void TaskTableModel::rearrange()
{
    if (m_arranger || m_dirty.empty())
        return;
    m_rearrangeTimer.stop();
    m_lastRearranged = std::chrono::steady_clock::now();
    const bool cheap = m_sortColumn == TaskColumn::Number && m_filter.text.isEmpty();
    if (!cheap && m_dirty.size() > mostAtOnce)
        beginArranging();
    else
        showRows(mended(m_rows));
}

std::vector<std::uint32_t> TaskTableModel::mended(const std::vector<std::uint32_t>& rows)
{
    if (m_dirty.empty())
        return rows;
    std::vector<std::uint32_t> dirty = std::exchange(m_dirty, {});
    std::vector<bool> isDirty(m_session.state().tasks().size());
    for (const std::uint32_t id : dirty)
        isDirty[id] = true;
    // Ascending, each once: of very many that is quicker read off than sorted.
    if (dirty.size() > mostTold) {
        dirty.clear();
        for (std::uint32_t id = 0; id < isDirty.size(); ++id) {
            if (isDirty[id])
                dirty.push_back(id);
        }
    } else {
        std::ranges::sort(dirty);
        dirty.erase(std::unique(dirty.begin(), dirty.end()), dirty.end());
    }

    std::vector<std::uint32_t> staying;
    staying.reserve(rows.size());
    std::ranges::copy_if(rows, std::back_inserter(staying),
                         [&](std::uint32_t id) { return !isDirty[id]; });

    std::erase_if(dirty, [&](std::uint32_t id) {
        return !(m_drafts && m_drafts->draft(TaskId(id)))
            && !m_matcher->matches(m_session.state().task(TaskId(id)),
                                   m_history.latest(TaskId(id)));
    });
    const bool byNumber = m_sortColumn == TaskColumn::Number;
    const bool ascending = m_sortOrder == Qt::AscendingOrder;
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        if (byNumber)
            return ascending ? a < b : a > b;
        return comesBefore(m_cells.view(TaskId(a)), m_cells.view(TaskId(b)), m_sortColumn,
                           m_sortOrder);
    };
    if (!byNumber || !ascending)
        std::ranges::sort(dirty, before);

    // Few are put between many: search the place of each, copy what lies between.
    std::vector<std::uint32_t> result;
    result.reserve(staying.size() + dirty.size());
    auto from = staying.begin();
    for (const std::uint32_t id : dirty) {
        const auto to = std::upper_bound(from, staying.end(), id, before);
        result.insert(result.end(), from, to);
        result.push_back(id);
        from = to;
    }
    result.insert(result.end(), from, staying.end());
    return result;
}

void TaskTableModel::showRows(const std::vector<std::uint32_t>& wanted)
{
    if (wanted == m_rows)
        return;
    const std::size_t all = m_session.state().tasks().size();
    m_rowOf.resize(std::max(m_rowOf.size(), all), notShown);
    std::vector<std::uint32_t> order = wanted;
    if (wanted.size() == all && m_rows.size() == all) {
        reorder(std::move(order)); // nothing comes or goes
        return;
    }
    std::vector<bool> stays(m_rowOf.size());
    std::vector<std::uint32_t> coming;
    for (const std::uint32_t id : wanted) {
        stays[id] = true;
        if (m_rowOf[id] == notShown)
            coming.push_back(id);
    }
    for (const std::uint32_t id : m_rows) {
        if (!stays[id])
            order.push_back(id);
    }
    insertAtEnd(coming);
    reorder(std::move(order));
    removeFromEnd(wanted.size());
}

void TaskTableModel::insertAtEnd(const std::vector<std::uint32_t>& coming)
{
    if (coming.empty())
        return;
    const int first = rowCount();
    beginInsertRows({}, first, first + static_cast<int>(coming.size()) - 1);
    m_rows.insert(m_rows.end(), coming.begin(), coming.end());
    numberRows(static_cast<std::size_t>(first));
    endInsertRows();
}

void TaskTableModel::reorder(std::vector<std::uint32_t> order)
{
    if (order == m_rows)
        return;
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::uint32_t> tasks;
    for (const QModelIndex& index : before)
        tasks.push_back(m_rows[static_cast<std::size_t>(index.row())]);
    m_rows = std::move(order);
    numberRows(0);
    QModelIndexList after;
    after.reserve(before.size());
    for (qsizetype i = 0; i < before.size(); ++i)
        after.append(index(rowOf(TaskId(tasks[static_cast<std::size_t>(i)])), before[i].column()));
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void TaskTableModel::removeFromEnd(std::size_t left)
{
    if (m_rows.size() == left)
        return;
    beginRemoveRows({}, static_cast<int>(left), rowCount() - 1);
    for (std::size_t row = left; row < m_rows.size(); ++row)
        m_rowOf[m_rows[row]] = notShown;
    m_rows.resize(left);
    endRemoveRows();
}

void TaskTableModel::numberRows(std::size_t from)
{
    for (std::size_t row = from; row < m_rows.size(); ++row)
        m_rowOf[m_rows[row]] = static_cast<std::uint32_t>(row);
}

void TaskTableModel::tellChanged(const std::vector<TaskId>& tasks)
{
    if (m_rows.empty() || tasks.empty())
        return;
    std::vector<int> rows;
    if (tasks.size() <= mostTold) {
        for (const TaskId task : tasks) {
            if (const int row = rowOf(task); row >= 0)
                rows.push_back(row);
        }
        if (rows.empty())
            return;
        std::ranges::sort(rows);
    }
    std::vector<std::pair<int, int>> stretches;
    for (const int row : rows) {
        if (stretches.empty() || stretches.back().second + 1 < row)
            stretches.emplace_back(row, row);
        else
            stretches.back().second = row;
    }
    if (rows.empty())
        stretches.assign({{0, rowCount() - 1}});
    else if (stretches.size() > mostStretches)
        stretches.assign({{rows.front(), rows.back()}});
    for (const auto& [first, last] : stretches)
        Q_EMIT dataChanged(index(first, 0), index(last, taskColumnCount - 1));
}

} // namespace tasuki
