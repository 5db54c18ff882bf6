// SPDX-License-Identifier: GPL-3.0-or-later
#include "processorpanel.h"

#include "busybar.h"
#include "emptyhint.h"
#include "headerlayout.h"
#include "icons.h"
#include "systemtreeview.h"

#include <QHeaderView>
#include <QMenu>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

namespace tasuki {

namespace {

using HostColumn = ProcessorTreeModel::Column;

constexpr int columnOf(HostColumn column) { return static_cast<int>(column); }

/// Icons of health beside names, and how busy a rank is as a bar.
class ProcessorDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        if (index.column() == columnOf(HostColumn::Busy))
            paintBusyBar(*painter, option, index.data(ProcessorTreeModel::BusyShareRole));
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override
    {
        return QStyledItemDelegate::sizeHint(option, index)
            .expandedTo({0, option.fontMetrics.height() + 8});
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.column() != columnOf(HostColumn::Name))
            return;
        const auto level = static_cast<ProcessorTreeModel::Level>(
            index.data(ProcessorTreeModel::LevelRole).toInt());
        const auto health = static_cast<ProcessorTreeModel::Health>(
            index.data(ProcessorTreeModel::HealthRole).toInt());
        if (level == ProcessorTreeModel::Level::Run)
            option->text = option->text.section(QLatin1Char('/'), -1);
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->icon = level == ProcessorTreeModel::Level::Processor
                || health == ProcessorTreeModel::Health::Lost
            ? icons::health(health)
            : icons::named(level == ProcessorTreeModel::Level::Host ? QStringLiteral("host")
                                                                    : QStringLiteral("processors"));
        const int size = option->fontMetrics.height();
        option->decorationSize = QSize(size, size);
    }
};

} // namespace

ProcessorPanel::ProcessorPanel(RunModels& models, Preferences& preferences, QWidget* parent)
    : QWidget(parent), m_models(models)
{
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    m_stack = new QStackedWidget;
    box->addWidget(m_stack);
    makeHostView(preferences);
    m_system = new SystemTreeView(models, preferences);
    m_stack->addWidget(m_system);
    connect(m_system, &SystemTreeView::tasksOfRankWanted, this, &ProcessorPanel::tasksOfRankWanted);
    connect(&models.system, &QAbstractItemModel::modelReset, this, &ProcessorPanel::chooseTree);
    chooseTree();
}

void ProcessorPanel::chooseTree()
{
    QWidget* const wanted = showsSystem() ? static_cast<QWidget*>(m_system) : m_view;
    setFocusProxy(wanted);
    if (m_stack->currentWidget() == wanted)
        return;
    m_stack->setCurrentWidget(wanted);
    Q_EMIT treeChanged();
}

bool ProcessorPanel::showsSystem() const { return m_models.system.rowCount() > 0; }

void ProcessorPanel::makeHostView(Preferences& preferences)
{
    RunModels& models = m_models;
    m_view = new QTreeView;
    m_view->setModel(&models.processors);
    m_view->setItemDelegate(new ProcessorDelegate(m_view));
    m_view->setUniformRowHeights(true);
    m_view->setAllColumnsShowFocus(true);
    m_view->setIndentation(14);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setAccessibleName(tr("Hosts and ranks"));
    m_view->expandAll();
    m_stack->addWidget(m_view);

    QHeaderView& header = *m_view->header();
    header.setStretchLastSection(false);
    const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    header.setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header.resizeSection(columnOf(HostColumn::Name), 16 * digit);
    header.resizeSection(columnOf(HostColumn::State), 10 * digit);
    for (const HostColumn column :
         {HostColumn::Slots, HostColumn::Running, HostColumn::Done, HostColumn::Busy})
        header.resizeSection(columnOf(column), 7 * digit);
    for (const HostColumn column : {HostColumn::Slots, HostColumn::Running, HostColumn::Done})
        header.setSectionHidden(columnOf(column), true);
    keepHeader(header, preferences, QStringLiteral("processors"));
    m_hint = new EmptyHint(*m_view, [this] { return emptyText(); });

    connect(&models.processors, &QAbstractItemModel::rowsInserted, m_view,
            [this](const QModelIndex& parentIndex) {
                m_view->expand(parentIndex);
                m_view->expandAll();
            });
    connect(&models.processors, &QAbstractItemModel::modelReset, m_view, &QTreeView::expandAll);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) {
                if (showsSystem())
                    return;
                const QVariant rank = current.data(ProcessorTreeModel::RankRole);
                m_models.selection.setProcessor(rank.isValid() ? std::optional(Rank(rank.toInt()))
                                                               : std::nullopt);
            });
    connect(m_view, &QTreeView::activated, this, [this](const QModelIndex& index) {
        const QVariant rank = index.data(ProcessorTreeModel::RankRole);
        if (rank.isValid())
            Q_EMIT tasksOfRankWanted(Rank(rank.toInt()));
    });
    connect(m_view, &QWidget::customContextMenuRequested, this, &ProcessorPanel::showMenu);
    connect(&models.selection, &Selection::processorChanged, this, &ProcessorPanel::selectInView);
    connect(&models.session, &Session::connectionChanged, m_hint, &EmptyHint::renew);
    connect(&models.session, &Session::loadingChanged, m_hint, &EmptyHint::renew);
}

void ProcessorPanel::selectInView()
{
    if (showsSystem())
        return;
    const auto rank = m_models.selection.processor();
    const QModelIndex wanted = rank ? m_models.processors.indexOf(*rank) : QModelIndex();
    const QModelIndex current = m_view->currentIndex();
    if (wanted.isValid() && (current.row() != wanted.row() || current.parent() != wanted.parent()))
        m_view->setCurrentIndex(wanted);
    else if (!rank && current.data(ProcessorTreeModel::RankRole).isValid())
        m_view->setCurrentIndex({});
}

void ProcessorPanel::showMenu(QPoint at)
{
    const QModelIndex index = m_view->indexAt(at);
    const QVariant rank = index.data(ProcessorTreeModel::RankRole);
    QMenu menu(this);
    QAction* tasks = menu.addAction(icons::named(QStringLiteral("tasks")),
                                    tr("Show only the &tasks of this rank"));
    tasks->setEnabled(rank.isValid());
    if (menu.exec(m_view->viewport()->mapToGlobal(at)) == tasks)
        Q_EMIT tasksOfRankWanted(Rank(rank.toInt()));
}

QString ProcessorPanel::emptyText() const
{
    if (m_models.session.connection().state == ConnectionState::Refused)
        return {};
    return m_models.session.loading() ? tr("Loading...") : tr("No processor has joined the run.");
}

} // namespace tasuki
