// SPDX-License-Identifier: GPL-3.0-or-later
#include "eventpanel.h"

#include "emptyhint.h"
#include "headerlayout.h"
#include "icons.h"
#include "models/wording.h"
#include "tableexport.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTableView>

namespace tasuki {

namespace {

using Column = EventListModel::Column;

/// Shape and colour of the severity beside its word.
class EventDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.column() != static_cast<int>(Column::Severity))
            return;
        const auto severity = static_cast<Severity>(
            index.data(EventListModel::SeverityRole).toInt());
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->icon = icons::severity(severity);
        const int size = option->fontMetrics.height();
        option->decorationSize = QSize(size, size);
    }
};

} // namespace

EventPanel::EventPanel(RunModels& models, Preferences& preferences, QWidget* parent)
    : QWidget(parent), m_models(models)
{
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(makeControls());

    m_view = new QTableView;
    m_view->setModel(&models.events);
    m_view->setItemDelegate(new EventDelegate(m_view));
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setShowGrid(false);
    m_view->setAlternatingRowColors(true);
    m_view->setWordWrap(false);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setTabKeyNavigation(false);
    m_view->setAccessibleName(tr("Events"));
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    QHeaderView& header = *m_view->horizontalHeader();
    header.setHighlightSections(false);
    header.setStretchLastSection(true);
    header.setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    header.resizeSection(static_cast<int>(Column::Time), 23 * digit);
    header.resizeSection(static_cast<int>(Column::Severity), 15 * digit);
    header.resizeSection(static_cast<int>(Column::Subject), 15 * digit);
    keepHeader(header, preferences, QStringLiteral("events"));
    box->addWidget(m_view);
    m_hint = new EmptyHint(*m_view, [this]() -> QString {
        if (m_models.session.connection().state == ConnectionState::Refused)
            return {};
        if (m_models.session.loading())
            return tr("Loading...");
        return m_models.events.showsAll() ? tr("Nothing has happened yet.")
                                          : tr("Nothing notable has happened so far.");
    });
    connect(&models.session, &Session::loadingChanged, m_hint, &EmptyHint::renew);

    auto* copy = new QAction(icons::named(QStringLiteral("copy")), tr("&Copy"), this);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(copy, &QAction::triggered, this, &EventPanel::copyRows);
    m_view->addAction(copy);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);

    const QScrollBar* bar = m_view->verticalScrollBar();
    connect(bar, &QScrollBar::valueChanged, this,
            [this, bar](int value) { m_atEnd = value >= bar->maximum(); });
    connect(bar, &QScrollBar::rangeChanged, this, [this] {
        if (m_atEnd)
            m_view->scrollToBottom();
    });
    connect(m_view, &QTableView::activated, this, &EventPanel::lead);
    connect(m_view, &QTableView::clicked, this, &EventPanel::lead);
    setFocusProxy(m_view);
}

QWidget* EventPanel::makeControls()
{
    auto* controls = new QWidget;
    auto* row = new QHBoxLayout(controls);
    row->setContentsMargins(8, 3, 8, 3);
    m_all = new QCheckBox(tr("Ever&ything, not only what is notable"));
    m_all->setChecked(m_models.events.showsAll());
    m_severity = new QComboBox;
    for (const Severity severity : {Severity::Information, Severity::Warning, Severity::Failure})
        m_severity->addItem(icons::severity(severity), wording::severity(severity));
    m_severity->setCurrentIndex(static_cast<int>(m_models.events.leastSeverity()));
    m_severity->setAccessibleName(tr("Least severity"));
    auto* label = new QLabel(tr("Fr&om severity"));
    label->setBuddy(m_severity);
    row->addWidget(m_all);
    row->addStretch();
    row->addWidget(label);
    row->addWidget(m_severity);
    connect(m_all, &QCheckBox::toggled, this, [this](bool all) {
        m_models.events.setShowAll(all);
        m_severity->setEnabled(!all);
        m_hint->renew();
        if (m_atEnd)
            m_view->scrollToBottom();
    });
    connect(m_severity, &QComboBox::activated, this, [this](int index) {
        m_models.events.setLeastSeverity(static_cast<Severity>(index));
        m_hint->renew();
    });
    return controls;
}

void EventPanel::lead(const QModelIndex& index)
{
    const QVariant task = index.data(EventListModel::TaskRole);
    const QVariant attempt = index.data(EventListModel::AttemptRole);
    const QVariant rank = index.data(EventListModel::RankRole);
    if (rank.isValid())
        m_models.selection.setProcessor(Rank(rank.toInt()));
    if (task.isValid() && attempt.isValid())
        m_models.selection.setAttempt({TaskId(task.toUInt()), AttemptNumber(attempt.toUInt())});
    else if (task.isValid())
        m_models.selection.setTask(TaskId(task.toUInt()));
}

QString EventPanel::text() const { return tableText(m_models.events, TableFormat::Tsv); }

void EventPanel::copyRows() const
{
    QStringList lines;
    const QModelIndexList rows = m_view->selectionModel()->selectedRows();
    for (const QModelIndex& row : rows) {
        QStringList cells;
        for (int column = 0; column < EventListModel::columns; ++column)
            cells << row.siblingAtColumn(column).data().toString();
        lines << cells.join(QLatin1Char('\t'));
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace tasuki
