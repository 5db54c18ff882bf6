// SPDX-License-Identifier: GPL-3.0-or-later
#include "eventpanel.h"

#include "emptyhint.h"
#include "headerlayout.h"
#include "icons.h"
#include "listtable.h"
#include "models/wording.h"
#include "tableexport.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QTableView>

namespace tasuki {

namespace {

using EventColumn = EventListModel::Column;

} // namespace

EventPanel::EventPanel(RunModels& models, Preferences& preferences, QWidget* parent)
    : QWidget(parent), m_models(models)
{
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(makeControls());

    m_view = makeListTable(models.events, tr("Events"));
    m_view->setItemDelegate(new SeverityDelegate(static_cast<int>(EventColumn::Severity),
                                                 EventListModel::SeverityRole, m_view));
    QHeaderView& header = *m_view->horizontalHeader();
    const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    header.resizeSection(static_cast<int>(EventColumn::Time), 23 * digit);
    header.resizeSection(static_cast<int>(EventColumn::Severity), 15 * digit);
    header.resizeSection(static_cast<int>(EventColumn::Subject), 22 * digit);
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

    m_view->addAction(makeCopyAction(*m_view));
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
    m_all = new QCheckBox(tr("Everythin&g, not only what is notable"));
    m_all->setChecked(m_models.events.showsAll());
    m_severity = new QComboBox;
    for (const Severity severity : {Severity::Information, Severity::Warning, Severity::Failure})
        m_severity->addItem(icons::severity(severity), wording::severity(severity));
    m_severity->setCurrentIndex(static_cast<int>(m_models.events.leastSeverity()));
    m_severity->setAccessibleName(tr("Least severity"));
    auto* label = new QLabel(tr("From sever&ity"));
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

} // namespace tasuki
