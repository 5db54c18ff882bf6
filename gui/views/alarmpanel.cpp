// SPDX-License-Identifier: GPL-3.0-or-later
#include "alarmpanel.h"

#include "acknowledgedialog.h"
#include "commandreport.h"
#include "emptyhint.h"
#include "headerlayout.h"
#include "icons.h"
#include "linkclient/operatorname.h"
#include "listtable.h"
#include "models/wording.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>

#include <algorithm>
#include <array>

namespace tasuki {

namespace {

using AlarmColumn = AlarmListModel::Column;

/// Widths at first, in digits.
constexpr std::array alarmWidths{13, 21, 12, 30, 20, 16, 22, 20};
static_assert(alarmWidths.size() == AlarmListModel::columns);

/// What an alarm is that somebody else has acknowledged meanwhile.
QString answeredText(const RunModels& models, EventId id)
{
    const QString text = models.alarms.describe(id);
    const Alarm* alarm = models.session.state().alarms().find(id);
    if (alarm == nullptr || !alarm->acknowledgement)
        return text;
    const Acknowledgement& answer = *alarm->acknowledgement;
    return answer.comment.empty()
        ? AlarmPanel::tr("%1 (by %2)", "alarm, who").arg(text, wording::text(answer.who))
        : AlarmPanel::tr("%1 (by %2: %3)", "alarm, who, comment")
              .arg(text, wording::text(answer.who), wording::text(answer.comment));
}

} // namespace

AlarmPanel::AlarmPanel(RunModels& models, Preferences& preferences, QWidget* parent)
    : QWidget(parent), m_models(models)
{
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    makeActions();
    makeTable(preferences);
    box->addWidget(makeControls());
    box->addWidget(m_view);
    connect(&models.session, &Session::connectionChanged, this, &AlarmPanel::renew);
    connect(&models.session, &Session::loadingChanged, this, &AlarmPanel::renew);
    connect(&models.alarms, &AlarmListModel::openChanged, this, &AlarmPanel::renew);
    connect(m_view->model(), &QAbstractItemModel::rowsInserted, this, &AlarmPanel::renew);
    connect(m_view->model(), &QAbstractItemModel::modelReset, this, &AlarmPanel::renew);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &AlarmPanel::renew);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &AlarmPanel::renew);
    setFocusProxy(m_view);
    renew();
}

void AlarmPanel::makeActions()
{
    m_acknowledge = new QAction(icons::named(QStringLiteral("acknowledge")), tr("Ac&knowledge..."),
                                this);
    m_acknowledge->setShortcut(QKeySequence(tr("Ctrl+K")));
    connect(m_acknowledge, &QAction::triggered, this, &AlarmPanel::ask);
    m_show = new QAction(icons::named(QStringLiteral("timeline")), tr("Show on the time&line"),
                         this);
    connect(m_show, &QAction::triggered, this, [this] { lead(m_view->currentIndex()); });
}

QWidget* AlarmPanel::makeControls()
{
    auto* controls = new QWidget;
    auto* row = new QHBoxLayout(controls);
    row->setContentsMargins(8, 3, 8, 3);
    for (QAction* action : {m_acknowledge, m_show}) {
        auto* button = new QPushButton(action->icon(), action->text());
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        connect(action, &QAction::changed, button, [action, button] {
            button->setEnabled(action->isEnabled());
            button->setToolTip(action->toolTip());
        });
        row->addWidget(button);
    }
    m_count = new QLabel;
    m_count->setForegroundRole(QPalette::PlaceholderText);
    row->addSpacing(4);
    row->addWidget(m_count, 1);
    return controls;
}

void AlarmPanel::makeTable(Preferences& preferences)
{
    m_view = makeSortedTable(m_models.alarms, AlarmListModel::SortRole, tr("Alarms"));
    m_view->setItemDelegate(new SeverityDelegate(static_cast<int>(AlarmColumn::Severity),
                                                 AlarmListModel::SeverityRole, m_view));
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->sortByColumn(static_cast<int>(AlarmColumn::State), Qt::DescendingOrder);
    QHeaderView& header = *m_view->horizontalHeader();
    const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    for (int column = 0; column < AlarmListModel::columns; ++column)
        header.resizeSection(column, alarmWidths.at(static_cast<std::size_t>(column)) * digit);
    keepHeader(header, preferences, QStringLiteral("alarms"));
    m_hint = new EmptyHint(*m_view, [this] { return emptyText(); });
    m_view->addAction(m_show);
    m_view->addAction(m_acknowledge);
    m_view->addAction(makeCopyAction(*m_view));
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_view, &QTableView::activated, this, &AlarmPanel::lead);
}

QString AlarmPanel::whyNot() const
{
    const Session& session = m_models.session;
    if (session.takesCommands())
        return {};
    return session.showsRecord()
        ? tr("This is a run file: alarms are acknowledged in a window on the running agent.")
        : tr("Without a connection to the agent nothing can be acknowledged.");
}

void AlarmPanel::renew()
{
    const QString reason = whyNot();
    m_acknowledge->setEnabled(reason.isEmpty() && !targets().empty());
    m_acknowledge->setToolTip(reason.isEmpty() ? wording::withoutMnemonic(m_acknowledge->text())
                                               : reason);
    m_show->setEnabled(m_view->currentIndex().isValid());
    const auto open = static_cast<int>(m_models.alarms.open());
    QString text = m_models.alarms.rowCount() == 0 ? QString()
        : open == 0                                ? tr("All are acknowledged.")
                                                   : tr("%n open alarm(s).", nullptr, open);
    if (!reason.isEmpty() && m_models.alarms.rowCount() > 0)
        text = tr("%1 %2", "count, why nothing can be done").arg(text, reason);
    m_count->setText(text);
    m_hint->renew();
}

void AlarmPanel::lead(const QModelIndex& index)
{
    if (!index.isValid())
        return;
    const QVariant rank = index.data(AlarmListModel::RankRole);
    const auto at = std::chrono::microseconds(
        index.data(AlarmListModel::WallTimeRole).toLongLong());
    Q_EMIT placeWanted(rank.isValid() ? std::optional(Rank(rank.toInt())) : std::nullopt,
                       WallTime(at));
}

std::vector<AlarmTarget> AlarmPanel::targets() const
{
    std::vector<AlarmTarget> targets;
    const auto add = [&targets](const Alarm& alarm) {
        const EventId seen = alarm.acknowledgement ? alarm.acknowledgement->event : EventId{};
        targets.push_back({.alarm = alarm.id, .base = seen});
    };
    const auto* sorted = qobject_cast<const QSortFilterProxyModel*>(m_view->model());
    const QModelIndexList rows = m_view->selectionModel()->selectedRows();
    for (const QModelIndex& row : rows)
        add(m_models.alarms.alarmAt(sorted->mapToSource(row).row()));
    for (int row = 0; rows.isEmpty() && row < m_models.alarms.rowCount(); ++row) {
        if (m_models.alarms.index(row, 0).data(AlarmListModel::OpenRole).toBool())
            add(m_models.alarms.alarmAt(row));
    }
    std::ranges::sort(targets, {}, &AlarmTarget::alarm);
    return targets;
}

void AlarmPanel::ask()
{
    std::vector<AlarmTarget> seen = targets();
    if (seen.empty() || !m_models.session.takesCommands())
        return;
    QStringList lines;
    bool answered = false;
    for (const AlarmTarget& target : seen) {
        lines << m_models.alarms.describe(target.alarm);
        answered = answered || target.base != EventId{};
    }
    auto* dialog = new AcknowledgeDialog(
        lines, QString::fromStdString(operatorName()),
        answered ? tr("Some were acknowledged before: what you say now stands in place of that.")
                 : QString(),
        m_models.session.runNow(), window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, seen = std::move(seen)] {
        send(seen, dialog->comment(), dialog->until(m_models.session.runNow()));
    });
    dialog->open();
}

void AlarmPanel::send(std::vector<AlarmTarget> targets, const QString& comment,
                      std::optional<WallTime> until)
{
    const std::size_t count = targets.size();
    const QString what = tr("Acknowledge alarms");
    AcknowledgeAlarms command{
        .targets = std::move(targets), .comment = comment.toStdString(), .until = until};
    sendAndTell(
        m_models.session, std::move(command), *this, what,
        [this, what, count](const Result<CommandAnswer>& answer) {
            return describeAlarms(what, answer, count,
                                  [this](EventId id) { return answeredText(m_models, id); });
        },
        [this](const QString& text) { Q_EMIT said(text); });
}

void AlarmPanel::exportTable()
{
    const QString told = tasuki::exportTable(*m_view, tr("Export the alarms"),
                                             QStringLiteral("alarms.csv"));
    if (!told.isEmpty())
        Q_EMIT said(told);
}

QString AlarmPanel::emptyText() const
{
    if (m_models.session.connection().state == ConnectionState::Refused)
        return {};
    return m_models.session.loading() ? tr("Loading...")
                                      : tr("There is no alarm: no processor, seat or subcluster "
                                           "was lost.");
}

} // namespace tasuki
