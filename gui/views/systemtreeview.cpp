// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemtreeview.h"

#include "headerlayout.h"
#include "icons.h"
#include "processoractions.h"
#include "systemdelegate.h"

#include <QMenu>

#include <array>

namespace tasuki {

namespace {

using SystemColumn = SystemTreeModel::Column;

constexpr int columnOf(SystemColumn column) { return static_cast<int>(column); }

/// Widths at first, in digits.
constexpr std::array firstWidths{15, 19, 14, 7, 8, 8, 7, 24};
static_assert(firstWidths.size() == SystemTreeModel::columns);
/// Systems with more processors begin folded down to their units.
constexpr std::size_t mostUnfolded = 64;

QString pathOf(const QString& parent, const QModelIndex& index)
{
    return parent + QLatin1Char('\n') + index.data().toString();
}

} // namespace

SystemTreeView::SystemTreeView(RunModels& models, Preferences& preferences, QWidget* parent)
    : QTreeView(parent), m_models(models)
{
    SystemTreeModel& model = models.system;
    // Before the view connects to it: a reset folds everything.
    connect(&model, &QAbstractItemModel::modelAboutToBeReset, this, &SystemTreeView::remember);
    setModel(&model);
    connect(&model, &QAbstractItemModel::modelReset, this, &SystemTreeView::restore);
    setItemDelegate(new SystemDelegate({.name = columnOf(SystemColumn::Name),
                                        .seat = columnOf(SystemColumn::Seat),
                                        .busy = columnOf(SystemColumn::Busy)},
                                       this));
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setIndentation(12);
    setFrameShape(QFrame::NoFrame);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setAccessibleName(tr("System, subclusters, units and processors"));
    makeHeader(preferences);
    m_actions = new ProcessorActions(models, *this);
    restore();

    connect(this, &QTreeView::activated, this, [this](const QModelIndex& index) {
        const QVariant rank = index.data(SystemTreeModel::RankRole);
        if (rank.isValid())
            Q_EMIT tasksOfRankWanted(Rank(rank.toInt()));
    });
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this, &SystemTreeView::lead);
    connect(this, &QWidget::customContextMenuRequested, this, &SystemTreeView::showMenu);
    connect(&models.selection, &Selection::processorChanged, this, &SystemTreeView::selectInView);
}

int SystemTreeView::wantedWidth(const QFontMetrics& metrics)
{
    int digits = 3; // scroll bar
    for (const SystemColumn column :
         {SystemColumn::Name, SystemColumn::Seat, SystemColumn::State, SystemColumn::Busy})
        digits += firstWidths.at(static_cast<std::size_t>(column));
    return digits * metrics.horizontalAdvance(QLatin1Char('0'));
}

void SystemTreeView::makeHeader(Preferences& preferences)
{
    QHeaderView& titles = *header();
    titles.setStretchLastSection(false);
    titles.setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    for (int column = 0; column < SystemTreeModel::columns; ++column)
        titles.resizeSection(column, firstWidths.at(static_cast<std::size_t>(column)) * digit);
    for (const SystemColumn column :
         {SystemColumn::Slots, SystemColumn::Running, SystemColumn::Done, SystemColumn::Program})
        titles.setSectionHidden(columnOf(column), true);
    keepHeader(titles, preferences, QStringLiteral("system"));
    // Badges that find no room are told by the tip: better than to scroll for how busy a rank is.
    titles.setSectionResizeMode(columnOf(SystemColumn::Seat), QHeaderView::Stretch);
    // Only runs with worlds have something there.
    titles.setSectionHidden(columnOf(SystemColumn::Program), true);
    connect(&m_models.system, &SystemTreeModel::programsAppeared, this,
            &SystemTreeView::makeRoomForPrograms);
}

/// What programs do is read more often than how busy their ranks are: they always are.
void SystemTreeView::makeRoomForPrograms()
{
    QHeaderView& titles = *header();
    const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    constexpr int digitsOfName = 12;
    constexpr int digitsOfSeat = 13;
    constexpr int digitsOfState = 7;
    titles.setSectionHidden(columnOf(SystemColumn::Busy), true);
    titles.setSectionResizeMode(columnOf(SystemColumn::Seat), QHeaderView::Interactive);
    titles.resizeSection(columnOf(SystemColumn::Name), digitsOfName * digit);
    titles.resizeSection(columnOf(SystemColumn::Seat), digitsOfSeat * digit);
    titles.resizeSection(columnOf(SystemColumn::State), digitsOfState * digit);
    titles.setSectionHidden(columnOf(SystemColumn::Program), false);
    titles.setSectionResizeMode(columnOf(SystemColumn::Program), QHeaderView::Stretch);
}

void SystemTreeView::remember()
{
    const QVariant current = currentIndex().data(SystemTreeModel::ProcessorRole);
    m_before = current.isValid() ? std::optional(ProcessorId(current.toUInt())) : std::nullopt;
    if (m_models.system.rowCount() == 0)
        return;
    m_known = true;
    m_folded.clear();
    visit({}, {});
}

/// Collects what is folded.
void SystemTreeView::visit(const QModelIndex& parent, const QString& path)
{
    for (int row = 0; row < m_models.system.rowCount(parent); ++row) {
        const QModelIndex index = m_models.system.index(row, 0, parent);
        if (m_models.system.rowCount(index) == 0)
            continue;
        const QString own = pathOf(path, index);
        if (!isExpanded(index))
            m_folded.insert(own);
        visit(index, own);
    }
}

void SystemTreeView::restore()
{
    if (m_models.system.rowCount() == 0)
        return;
    if (!m_known) {
        if (m_models.system.processorCount() <= mostUnfolded)
            expandAll();
        else
            expandToDepth(1);
    } else {
        const auto unfold = [this](auto& self, const QModelIndex& parent,
                                   const QString& path) -> void {
            for (int row = 0; row < m_models.system.rowCount(parent); ++row) {
                const QModelIndex index = m_models.system.index(row, 0, parent);
                const QString own = pathOf(path, index);
                setExpanded(index, !m_folded.contains(own));
                self(self, index, own);
            }
        };
        unfold(unfold, {}, {});
    }
    const QModelIndex before = m_before ? m_models.system.indexOf(*m_before) : QModelIndex();
    if (before.isValid())
        setCurrentIndex(before);
    else
        selectInView();
}

void SystemTreeView::lead(const QModelIndex& current)
{
    const QVariant rank = current.data(SystemTreeModel::RankRole);
    m_models.selection.setProcessor(rank.isValid() ? std::optional(Rank(rank.toInt()))
                                                   : std::nullopt);
}

void SystemTreeView::selectInView()
{
    const auto rank = m_models.selection.processor();
    const QVariant shown = currentIndex().data(SystemTreeModel::RankRole);
    if (!rank) {
        if (shown.isValid())
            setCurrentIndex({});
        return;
    }
    if (shown.isValid() && shown.toInt() == rank->value())
        return;
    const QModelIndex wanted = m_models.system.indexOf(*rank);
    if (wanted.isValid())
        setCurrentIndex(wanted);
}

void SystemTreeView::showMenu(QPoint at)
{
    const QVariant rank = indexAt(at).data(SystemTreeModel::RankRole);
    QMenu menu(this);
    QAction* tasks = menu.addAction(icons::named(QStringLiteral("tasks")),
                                    tr("Show only the &tasks of this rank"));
    tasks->setEnabled(rank.isValid());
    menu.addSeparator();
    m_actions->fill(menu);
    if (menu.exec(viewport()->mapToGlobal(at)) == tasks)
        Q_EMIT tasksOfRankWanted(Rank(rank.toInt()));
}

} // namespace tasuki
