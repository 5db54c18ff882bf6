// SPDX-License-Identifier: GPL-3.0-or-later
#include "failoverpanel.h"

#include "emptyhint.h"
#include "headerlayout.h"
#include "icons.h"
#include "listtable.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>

#include <algorithm>
#include <array>

namespace tasuki {

namespace {

using FailoverColumn = FailoverListModel::Column;

/// Widths at first, in digits.
constexpr std::array columnWidths{23, 13, 10, 19, 22, 21, 11, 11, 23};
static_assert(columnWidths.size() == FailoverListModel::columns);

} // namespace

FailoverPanel::FailoverPanel(RunModels& models, Preferences& preferences, QWidget* parent)
    : QWidget(parent), m_models(models)
{
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    makeTable(preferences);
    makeActions();
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 3, 8, 3);
    auto* button = new QPushButton(m_show->icon(), m_show->text());
    button->setEnabled(false);
    connect(button, &QPushButton::clicked, m_show, &QAction::trigger);
    connect(m_show, &QAction::changed, button,
            [this, button] { button->setEnabled(m_show->isEnabled()); });
    row->addWidget(button);
    row->addStretch();
    box->addLayout(row);
    box->addWidget(m_view);
    setFocusProxy(m_view);
}

void FailoverPanel::makeTable(Preferences& preferences)
{
    m_view = makeSortedTable(m_models.failovers, FailoverListModel::SortRole, tr("Failovers"));
    m_view->setItemDelegate(new SeverityDelegate(static_cast<int>(FailoverColumn::To),
                                                 FailoverListModel::SeverityRole, m_view));
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->sortByColumn(static_cast<int>(FailoverColumn::Time), Qt::DescendingOrder);
    QHeaderView& header = *m_view->horizontalHeader();
    const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    for (int column = 0; column < FailoverListModel::columns; ++column)
        header.resizeSection(column, columnWidths.at(static_cast<std::size_t>(column)) * digit);
    keepHeader(header, preferences, QStringLiteral("failovers"));
    m_hint = new EmptyHint(*m_view, [this] { return emptyText(); });
    Session& session = m_models.session;
    connect(&session, &Session::loadingChanged, m_hint, &EmptyHint::renew);
    connect(&session, &Session::connectionChanged, m_hint, &EmptyHint::renew);
    connect(&m_models.system, &QAbstractItemModel::modelReset, m_hint, &EmptyHint::renew);
    connect(&session, &Session::changed, m_hint, [this](const ChangeSet& changes) {
        if (changes.processors)
            m_hint->renew();
    });
    connect(m_view, &QTableView::activated, this, &FailoverPanel::lead);
}

void FailoverPanel::makeActions()
{
    m_show = new QAction(icons::named(QStringLiteral("timeline")), tr("Sho&w on the timeline"),
                         this);
    m_show->setEnabled(false);
    connect(m_show, &QAction::triggered, this, [this] { lead(m_view->currentIndex()); });
    m_view->addAction(m_show);
    m_view->addAction(makeCopyAction(*m_view));
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    const auto renew = [this] { m_show->setEnabled(m_view->currentIndex().isValid()); };
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, renew);
    connect(m_view->model(), &QAbstractItemModel::modelReset, this, renew);
}

void FailoverPanel::lead(const QModelIndex& index)
{
    if (!index.isValid())
        return;
    const QVariant rank = index.data(FailoverListModel::RankRole);
    const auto at = std::chrono::microseconds(
        index.data(FailoverListModel::WallTimeRole).toLongLong());
    Q_EMIT placeWanted(rank.isValid() ? std::optional(Rank(rank.toInt())) : std::nullopt,
                       WallTime(at));
}

void FailoverPanel::exportTable()
{
    const QString told = tasuki::exportTable(*m_view, tr("Export the failovers"),
                                             QStringLiteral("failovers.csv"));
    if (!told.isEmpty())
        Q_EMIT said(told);
}

QString FailoverPanel::emptyText() const
{
    const Session& session = m_models.session;
    if (session.connection().state == ConnectionState::Refused)
        return {};
    if (session.loading())
        return tr("Loading...");
    const SystemState& system = session.state().system();
    if (!system.layout())
        return tr("This run has no failure hierarchy: nobody takes over the rank of a processor "
                  "that is lost.");
    const bool lost = std::ranges::any_of(
        system.processors(), [](const auto& entry) { return isUnreachable(entry.second.health); });
    return lost ? tr("No seat has changed hands.") : tr("No processor has been lost.");
}

} // namespace tasuki
