// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskpanel.h"

#include "conflictdialog.h"
#include "emptyhint.h"
#include "headerlayout.h"
#include "icons.h"
#include "listtable.h"
#include "models/wording.h"
#include "tableexport.h"
#include "taskdelegate.h"
#include "theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

#include <array>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds typingPause{150};
constexpr std::array hiddenAtFirst{TaskColumn::Host, TaskColumn::Stage, TaskColumn::Environment,
                                   TaskColumn::Label};

} // namespace

TaskPanel::TaskPanel(RunModels& models, Preferences& preferences, QWidget* parent)
    : QWidget(parent), m_models(models)
{
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    auto* filter = new QWidget;
    auto* filterBox = new QVBoxLayout(filter);
    filterBox->setContentsMargins(8, 5, 8, 5);
    filterBox->setSpacing(5);
    filterBox->addWidget(makeFilterRow());
    m_chips = new TaskChips;
    auto* second = new QHBoxLayout;
    second->setSpacing(8);
    second->addWidget(m_chips, 1);
    second->addLayout(m_tools = new QHBoxLayout);
    m_tools->setSpacing(0);
    filterBox->addLayout(second);
    box->addWidget(filter);
    makeTable(preferences);
    box->addWidget(m_table, 1);
    m_cellText = new QLabel;
    m_cellText->setWordWrap(true);
    m_cellText->setMargin(5);
    m_cellText->setAccessibleName(tr("What is wrong with the current cell"));
    m_cellText->hide();
    box->addWidget(m_cellText);
    m_editing = new EditBar(models.session, models.drafts);
    box->addWidget(m_editing);
    m_actions = new TaskActions(models, preferences, *m_table);
    makeTools();

    m_typing.setSingleShot(true);
    m_typing.setInterval(typingPause);
    connect(&m_typing, &QTimer::timeout, this, &TaskPanel::applyFilter);
    connect(m_filterLine, &QLineEdit::textChanged, &m_typing, qOverload<>(&QTimer::start));
    connect(m_filterLine, &QLineEdit::returnPressed, this, [this] {
        applyFilter();
        m_table->setFocus();
    });
    connect(m_chips, &TaskChips::statesChanged, this, &TaskPanel::applyFilter);
    connect(m_ranks, &QComboBox::currentIndexChanged, this, &TaskPanel::applyFilter);
    connect(m_actions, &TaskActions::said, this, &TaskPanel::said);
    connect(m_editing, &EditBar::said, this, &TaskPanel::said);
    connect(m_editing, &EditBar::resolveWanted, this, [this] {
        ConflictDialog dialog(m_models.session, m_models.drafts, window());
        dialog.exec();
    });
    connect(&models.selection, &Selection::taskChanged, this, &TaskPanel::showSelection);
    connect(&models.drafts, &TaskDrafts::changed, this, &TaskPanel::renewCellText);
    connect(&models.tasks, &TaskTableModel::arrangementChanged, this, [this] {
        renewCounts();
        showSelection();
    });
    connect(&models.session, &Session::changed, this, [this](const ChangeSet& changes) {
        if (changes.processors)
            renewRanks();
        renewCounts();
    });
    connect(&models.session, &Session::loadingChanged, m_hint, &EmptyHint::renew);
    connect(&models.session, &Session::connectionChanged, m_hint, &EmptyHint::renew);
    // What was filtered before the panel was made anew stays.
    m_filterLine->setText(models.tasks.filter().text);
    m_chips->setStates(models.tasks.filter().states);
    renewRanks();
    renewCounts();
    showSelection();
}

TaskPanel::~TaskPanel() = default;

QWidget* TaskPanel::makeFilterRow()
{
    auto* widget = new QWidget;
    auto* row = new QHBoxLayout(widget);
    row->setContentsMargins(0, 0, 0, 0);
    m_filterLine = new QLineEdit;
    m_filterLine->setClearButtonEnabled(true);
    m_filterLine->setPlaceholderText(tr("Filter by text or /regular expression/"));
    m_filterLine->setAccessibleName(tr("Filter of the task table"));
    m_filterLine->addAction(icons::named(QStringLiteral("find")), QLineEdit::LeadingPosition);
    m_ranks = new QComboBox;
    m_ranks->setAccessibleName(tr("Rank on which tasks ran"));
    m_ranks->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_ranks->addItem(tr("All ranks"));
    m_count = new QLabel;
    m_count->setForegroundRole(QPalette::PlaceholderText);
    row->addWidget(m_filterLine, 1);
    row->addWidget(m_ranks);
    row->addWidget(m_count);
    return widget;
}

void TaskPanel::makeTools()
{
    QList<QAction*> offered{&m_actions->retry(), &m_actions->again()};
    // A run file takes no orders.
    if (m_models.session.kind() == SourceKind::Agent)
        offered = QList{&m_actions->add(), &m_actions->cancel(), &m_actions->hold(),
                        &m_actions->release()}
            + offered;
    for (QAction* action : offered) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(wording::withoutMnemonic(action->text()));
        m_tools->addWidget(button, 0, Qt::AlignTop);
    }
}

void TaskPanel::makeTable(Preferences& preferences)
{
    m_table = new QTableView;
    // Before the view connects to them: rows that go take the current row with them.
    TaskTableModel& model = m_models.tasks;
    connect(&model, &QAbstractItemModel::layoutAboutToBeChanged, this,
            [this] { m_rowBefore = m_table->currentIndex().row(); });
    connect(&model, &QAbstractItemModel::rowsAboutToBeRemoved, this, &TaskPanel::parkCurrent);
    connect(&model, &QAbstractItemModel::modelAboutToBeReset, this, [this] { m_quiet = true; });
    m_table->setModel(&model);
    connect(&model, &QAbstractItemModel::rowsRemoved, this, &TaskPanel::unparkCurrent);
    connect(&model, &QAbstractItemModel::modelReset, this, [this] {
        m_quiet = false;
        showSelection();
    });
    connect(&model, &QAbstractItemModel::rowsInserted, this, &TaskPanel::showSelection);

    m_table->setItemDelegate(new TaskDelegate(m_table));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setAccessibleName(tr("Tasks"));
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    m_table->setHorizontalHeader(new AlignedHeader(Qt::Horizontal));
    QHeaderView& header = *m_table->horizontalHeader();
    header.setSectionsClickable(true);
    header.setHighlightSections(false);
    header.setSectionsMovable(true);
    const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    constexpr std::array widths{8, 14, 42, 10, 14, 7, 12, 21, 11, 10, 10, 12, 8, 26, 12, 18, 18};
    static_assert(widths.size() == taskColumnCount);
    for (int column = 0; column < taskColumnCount; ++column)
        header.resizeSection(column, widths.at(static_cast<std::size_t>(column)) * digit);
    for (const TaskColumn column : hiddenAtFirst)
        header.setSectionHidden(static_cast<int>(column), true);
    header.setSortIndicator(0, Qt::AscendingOrder);
    keepHeader(header, preferences, QStringLiteral("taskColumns"));
    m_table->setSortingEnabled(true);
    m_hint = new EmptyHint(*m_table, [this] { return emptyText(); });

    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &TaskPanel::takeCurrent);
    // The current cell may be one that nobody has chosen: see unparkCurrent().
    connect(m_table, &QTableView::pressed, this, &TaskPanel::takeCurrent);
    connect(m_table, &QTableView::doubleClicked, this, &TaskPanel::explainFixed);
    connect(m_table, &QTableView::activated, this, &TaskPanel::detailsWanted);
    connect(m_table, &QWidget::customContextMenuRequested, this, [this](QPoint at) {
        QMenu menu(this);
        m_actions->fill(menu);
        menu.exec(m_table->viewport()->mapToGlobal(at));
    });
}

void TaskPanel::focusFilter()
{
    m_filterLine->setFocus(Qt::ShortcutFocusReason);
    m_filterLine->selectAll();
}

void TaskPanel::showRank(Rank rank)
{
    const int index = m_ranks->findData(rank.value());
    if (index >= 0)
        m_ranks->setCurrentIndex(index);
}

void TaskPanel::clearFilter()
{
    m_filterLine->clear();
    m_chips->setStates({});
    m_ranks->setCurrentIndex(0);
    applyFilter();
}

void TaskPanel::applyFilter()
{
    m_typing.stop();
    TaskFilter filter;
    filter.text = m_filterLine->text();
    filter.states = m_chips->states();
    const QVariant rank = m_ranks->currentData();
    if (rank.isValid())
        filter.rank = Rank(rank.toInt());
    if (!(filter == m_models.tasks.filter()))
        m_models.tasks.setFilter(filter);
    m_chips->setCounts(m_models.session.state());
    renewCounts();
}

void TaskPanel::renewRanks()
{
    const auto chosen = m_ranks->count() > 1 || m_ranks->currentData().isValid()
        ? m_ranks->currentData()
        : (m_models.tasks.filter().rank ? QVariant(m_models.tasks.filter().rank->value())
                                        : QVariant());
    const QSignalBlocker quiet(m_ranks);
    m_ranks->clear();
    m_ranks->addItem(tr("All ranks"));
    for (const auto& [rank, record] : m_models.session.state().processors()) {
        m_ranks->addItem(wording::rank(m_models.session.state().system(), rank), rank.value());
        m_ranks->setItemData(m_ranks->count() - 1, wording::text(record.host), Qt::ToolTipRole);
    }
    m_ranks->setCurrentIndex(chosen.isValid() ? std::max(0, m_ranks->findData(chosen)) : 0);
}

void TaskPanel::renewCounts()
{
    const RunState& state = m_models.session.state();
    const QLocale locale;
    const auto shown = static_cast<std::size_t>(m_models.tasks.rowCount());
    const std::size_t all = state.tasks().size() - state.count(TaskState::Removed);
    m_count->setText(
        m_models.tasks.filter().trivial()
            ? tr("%Ln task(s)", nullptr, static_cast<int>(all))
            : tr("%1 of %2")
                  .arg(locale.toString(qulonglong{shown}), locale.toString(qulonglong{all})));
    m_chips->setCounts(state);
    const QString problem = m_models.tasks.filterProblem();
    QPalette colours = palette();
    if (!problem.isEmpty())
        colours.setColor(QPalette::Base, theme::tint(theme::Tint::Failure, colours));
    m_filterLine->setPalette(colours);
    m_filterLine->setToolTip(problem);
    m_hint->renew();
}

QString TaskPanel::emptyText() const
{
    if (const QString problem = m_models.tasks.filterProblem(); !problem.isEmpty())
        return problem;
    if (m_models.session.loading() || m_models.tasks.arranging())
        return tr("Loading...");
    if (!m_models.tasks.filter().trivial())
        return tr("No task fits the filter.");
    if (m_models.session.connection().state == ConnectionState::Refused)
        return {};
    return m_models.session.takesCommands() ? tr("The run has no tasks yet. Add some with Ctrl+T.")
                                            : tr("The run has no tasks.");
}

void TaskPanel::takeCurrent(const QModelIndex& current)
{
    renewCellText();
    if (m_quiet || !current.isValid())
        return;
    m_rowBefore = -1;
    m_quiet = true;
    m_models.selection.setTask(m_models.tasks.taskAt(current.row()));
    m_quiet = false;
}

/// Rows that the filter hides go from the end of the table. Left alone, the view would make its last
/// row the current one, and scroll there.
void TaskPanel::parkCurrent(const QModelIndex& /*parent*/, int first)
{
    m_quiet = true;
    const QModelIndex current = m_table->currentIndex();
    m_parkedColumn = current.row() >= first ? current.column() : -1;
    if (m_parkedColumn < 0)
        return;
    if (m_rowBefore < 0)
        m_rowBefore = current.row();
    m_table->selectionModel()->clearCurrentIndex();
}

/// The row that is now where the current one was is the current one, so that the keyboard goes on
/// from there; nothing moves on the screen.
void TaskPanel::unparkCurrent()
{
    if (m_parkedColumn >= 0 && m_models.tasks.rowCount() > 0) {
        const int row = std::min(m_rowBefore, m_models.tasks.rowCount() - 1);
        m_table->setAutoScroll(false);
        m_table->selectionModel()->setCurrentIndex(m_models.tasks.index(row, m_parkedColumn),
                                                   QItemSelectionModel::NoUpdate);
        m_table->setAutoScroll(true);
    }
    m_parkedColumn = -1;
    m_rowBefore = -1;
    m_quiet = false;
}

void TaskPanel::showSelection()
{
    const auto task = m_models.selection.task();
    if (m_quiet)
        return;
    m_quiet = true;
    const int row = task ? m_models.tasks.rowOf(*task) : -1;
    const QModelIndex current = m_table->currentIndex();
    if (!task) {
        m_table->selectionModel()->clear(); // a click on the same row selects it again
    } else if (row < 0) {
        m_table->clearSelection();
    } else if (!current.isValid() || current.row() != row) {
        const int column = current.isValid() ? current.column()
                                             : static_cast<int>(TaskColumn::Command);
        m_table->setCurrentIndex(m_models.tasks.index(row, column));
        // New rows are laid out later, and cannot be scrolled to before.
        QMetaObject::invokeMethod(
            m_table, [this] { m_table->scrollTo(m_table->currentIndex()); }, Qt::QueuedConnection);
    }
    m_quiet = false;
}

void TaskPanel::renewCellText()
{
    const QModelIndex current = m_table->currentIndex();
    QString text;
    if (current.isValid()) {
        text = current.data(ProblemRole).toString();
        if (text.isEmpty())
            text = current.data(ConflictRole).toString();
    }
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, theme::wrong(colours));
    m_cellText->setPalette(colours);
    m_cellText->setText(text);
    m_cellText->setVisible(!text.isEmpty());
}

void TaskPanel::explainFixed(const QModelIndex& index)
{
    const auto field = fieldOf(static_cast<TaskColumn>(index.column()));
    if (!field || index.flags().testFlag(Qt::ItemIsEditable))
        return;
    Q_EMIT said(m_models.drafts.whyFixed(m_models.tasks.taskAt(index.row()), *field));
}

void TaskPanel::exportTable()
{
    const QString path = saveTable(*m_table, tr("Export the task table"),
                                   QStringLiteral("tasks.csv"));
    if (!path.isEmpty())
        Q_EMIT said(tr("The task table is in %1.").arg(path));
}

} // namespace tasuki
