// SPDX-License-Identifier: GPL-3.0-or-later
#include "processortreemodel.h"

#include "wording.h"

#include <algorithm>
#include <array>

namespace tasuki {

namespace {

bool isWorse(ProcessorTreeModel::Health a, ProcessorTreeModel::Health b)
{
    using Health = ProcessorTreeModel::Health;
    constexpr std::array order{Health::Left, Health::Idle, Health::Busy, Health::Lost};
    return std::ranges::find(order, a) > std::ranges::find(order, b);
}

} // namespace

ProcessorTreeModel::ProcessorTreeModel(const Session& session, const ActivityMeter& meter,
                                       QObject* parent)
    : QAbstractItemModel(parent), m_session(session), m_meter(meter)
{
    m_timer.setInterval(500);
    connect(&m_timer, &QTimer::timeout, this, &ProcessorTreeModel::refresh);
    connect(&session, &Session::changed, this, [this](const ChangeSet& changes) {
        if (changes.processors || changes.run)
            refresh();
    });
    connect(&session, &Session::aboutToReset, this, [this] { beginResetModel(); });
    connect(&session, &Session::wasReset, this, [this] {
        m_hosts.clear();
        m_run = {};
        endResetModel();
    });
    m_timer.start();
}

ProcessorTreeModel::~ProcessorTreeModel() = default;

// What an index points to beside row and column: nothing for the run, the run's figures for a host,
// and for a rank its host, which stays where it is when rows come and go.

ProcessorTreeModel::Level ProcessorTreeModel::levelOf(const QModelIndex& index) const
{
    if (!index.internalPointer())
        return Level::Run;
    return index.internalPointer() == &m_run ? Level::Host : Level::Processor;
}

QModelIndex ProcessorTreeModel::runIndex(int column) const
{
    return createIndex(0, column, static_cast<const void*>(nullptr));
}

QModelIndex ProcessorTreeModel::hostIndex(std::size_t host, int column) const
{
    return createIndex(static_cast<int>(host), column, static_cast<const void*>(&m_run));
}

QModelIndex ProcessorTreeModel::rankIndex(std::size_t host, std::size_t rank, int column) const
{
    return createIndex(static_cast<int>(rank), column,
                       static_cast<const void*>(m_hosts[host].get()));
}

std::size_t ProcessorTreeModel::hostOf(const QModelIndex& rank) const
{
    const auto found = std::ranges::find_if(
        m_hosts, [&](const auto& host) { return host.get() == rank.internalPointer(); });
    return static_cast<std::size_t>(found - m_hosts.begin());
}

QModelIndex ProcessorTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    if (!parent.isValid())
        return runIndex(column);
    if (levelOf(parent) == Level::Run)
        return hostIndex(static_cast<std::size_t>(row), column);
    return rankIndex(static_cast<std::size_t>(parent.row()), static_cast<std::size_t>(row), column);
}

QModelIndex ProcessorTreeModel::parent(const QModelIndex& index) const
{
    if (!index.isValid() || levelOf(index) == Level::Run)
        return {};
    return levelOf(index) == Level::Host ? runIndex(0) : hostIndex(hostOf(index), 0);
}

int ProcessorTreeModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return 1;
    if (parent.column() != 0 || levelOf(parent) == Level::Processor)
        return 0;
    if (levelOf(parent) == Level::Run)
        return static_cast<int>(m_hosts.size());
    return static_cast<int>(m_hosts[static_cast<std::size_t>(parent.row())]->ranks.size());
}

int ProcessorTreeModel::columnCount(const QModelIndex&) const { return columns; }

QVariant ProcessorTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0
        || section >= columns)
        return {};
    switch (static_cast<Column>(section)) {
    case Column::Name: return tr("Processor");
    case Column::State: return tr("State");
    case Column::Slots: return tr("Slots");
    case Column::Running: return tr("Running");
    case Column::Done: return tr("Done");
    case Column::Busy: return tr("Busy");
    }
    return {};
}

const ProcessorTreeModel::RankNode* ProcessorTreeModel::rankAt(const QModelIndex& index) const
{
    if (levelOf(index) != Level::Processor)
        return nullptr;
    const auto* host = static_cast<const HostNode*>(index.internalPointer());
    return &host->ranks[static_cast<std::size_t>(index.row())];
}

const ProcessorTreeModel::Figures& ProcessorTreeModel::figuresAt(const QModelIndex& index) const
{
    if (const RankNode* node = rankAt(index))
        return node->figures;
    return levelOf(index) == Level::Run ? m_run
                                        : m_hosts[static_cast<std::size_t>(index.row())]->figures;
}

QVariant ProcessorTreeModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Figures& figures = figuresAt(index);
    const RankNode* node = rankAt(index);
    const auto column = static_cast<Column>(index.column());
    switch (role) {
    case Qt::DisplayRole: return display(index);
    case Qt::ToolTipRole:
        return node ? tr("process %1, incarnation %2").arg(figures.pid).arg(figures.incarnation)
                    : QVariant();
    case HealthRole: return static_cast<int>(figures.health);
    case LevelRole: return static_cast<int>(levelOf(index));
    case RankRole: return node ? QVariant(node->rank.value()) : QVariant();
    case BusyShareRole: return figures.slots != 0 ? QVariant(figures.busy) : QVariant();
    case NumberRole:
        switch (column) {
        case Column::Slots: return figures.slots;
        case Column::Running: return figures.running;
        case Column::Done: return quint64{figures.done};
        case Column::Busy: return figures.busy;
        default: return {};
        }
    default: return {};
    }
}

QVariant ProcessorTreeModel::display(const QModelIndex& index) const
{
    const Figures& figures = figuresAt(index);
    switch (static_cast<Column>(index.column())) {
    case Column::Name:
        if (const RankNode* node = rankAt(index))
            return wording::rank(m_session.state().system(), node->rank);
        return levelOf(index) == Level::Run ? m_session.name()
                                            : m_hosts[static_cast<std::size_t>(index.row())]->name;
    case Column::State: return stateText(index);
    case Column::Slots: return figures.slots;
    case Column::Running: return figures.running;
    case Column::Done:
        return figures.failed == 0 ? tr("%1").arg(figures.done)
                                   : tr("%1 (%2 failed)").arg(figures.done).arg(figures.failed);
    case Column::Busy: return figures.slots != 0 ? wording::share(figures.busy) : QString();
    }
    return {};
}

QString ProcessorTreeModel::stateText(const QModelIndex& index) const
{
    const Figures& figures = figuresAt(index);
    if (levelOf(index) == Level::Run)
        return wording::connection(m_session.connection().state);
    switch (figures.health) {
    case Health::Idle: return tr("idle");
    case Health::Busy: return tr("busy");
    case Health::Left: return tr("left");
    case Health::Lost:
        return rankAt(index) ? tr("lost: %1").arg(wording::loss(figures.lossCause))
                             : tr("processors lost");
    }
    return {};
}

QModelIndex ProcessorTreeModel::indexOf(Rank rank) const
{
    for (std::size_t host = 0; host < m_hosts.size(); ++host) {
        const auto& ranks = m_hosts[host]->ranks;
        const auto found = std::ranges::lower_bound(ranks, rank, {}, &RankNode::rank);
        if (found != ranks.end() && found->rank == rank)
            return rankIndex(host, static_cast<std::size_t>(found - ranks.begin()), 0);
    }
    return {};
}

void ProcessorTreeModel::refresh()
{
    rebuildStructure();
    const WallTime now = m_session.runNow();
    Figures run;
    run.health = Health::Left;
    for (std::size_t host = 0; host < m_hosts.size(); ++host)
        run = plus(run, refreshHost(host, now));
    if (m_hosts.empty())
        run.health = Health::Idle;
    run.busy = m_meter.recentUtilisation(now).value_or(0);
    // The state column tells of the connection.
    m_run = run;
    Q_EMIT dataChanged(runIndex(0), runIndex(columns - 1));
}

ProcessorTreeModel::Figures ProcessorTreeModel::refreshHost(std::size_t host, WallTime now)
{
    HostNode& node = *m_hosts[host];
    Figures sum;
    sum.health = Health::Left;
    double busySlots = 0;
    for (std::size_t i = 0; i < node.ranks.size(); ++i) {
        RankNode& rank = node.ranks[i];
        const Figures figures = figuresOf(rank.rank, m_session.state().processors().at(rank.rank),
                                          now);
        busySlots += figures.busy * figures.slots;
        sum = plus(sum, figures);
        if (figures == rank.figures)
            continue;
        rank.figures = figures;
        Q_EMIT dataChanged(rankIndex(host, i, 0), rankIndex(host, i, columns - 1));
    }
    sum.busy = sum.slots != 0 ? busySlots / sum.slots : 0;
    if (sum != node.figures) {
        node.figures = sum;
        Q_EMIT dataChanged(hostIndex(host, 0), hostIndex(host, columns - 1));
    }
    return sum;
}

ProcessorTreeModel::Figures ProcessorTreeModel::plus(Figures sum, const Figures& figures)
{
    sum.slots += figures.slots;
    sum.running += figures.running;
    sum.done += figures.done;
    sum.failed += figures.failed;
    if (isWorse(figures.health, sum.health))
        sum.health = figures.health;
    return sum;
}

ProcessorTreeModel::Figures ProcessorTreeModel::figuresOf(Rank rank, const ProcessorRecord& record,
                                                          WallTime now) const
{
    const ActivityMeter::RankActivity activity = m_meter.rank(rank, now);
    Figures figures;
    figures.incarnation = record.incarnation.value();
    figures.pid = record.pid;
    figures.slots = record.present ? record.slots : 0;
    figures.running = activity.running;
    figures.done = activity.ended;
    figures.failed = activity.failed;
    figures.busy = activity.recentShare;
    figures.lossCause = record.lossCause;
    if (record.present)
        figures.health = activity.running != 0 ? Health::Busy : Health::Idle;
    else // nobody has joined in this life yet, or it said goodbye
        figures.health = record.incarnation == Incarnation{} || record.lossCause == LossCause::Left
            ? Health::Left
            : Health::Lost;
    return figures;
}

void ProcessorTreeModel::rebuildStructure()
{
    const auto& processors = m_session.state().processors();
    for (std::size_t host = m_hosts.size(); host-- > 0;) {
        for (std::size_t i = m_hosts[host]->ranks.size(); i-- > 0;) {
            const auto found = processors.find(m_hosts[host]->ranks[i].rank);
            if (found == processors.end()
                || wording::text(found->second.host) != m_hosts[host]->name)
                removeRank(host, i);
        }
    }
    for (const auto& [rank, record] : processors) {
        if (!indexOf(rank).isValid())
            insertRank(wording::text(record.host), rank);
    }
}

void ProcessorTreeModel::removeRank(std::size_t host, std::size_t rank)
{
    HostNode& node = *m_hosts[host];
    beginRemoveRows(hostIndex(host, 0), static_cast<int>(rank), static_cast<int>(rank));
    node.ranks.erase(node.ranks.begin() + static_cast<std::ptrdiff_t>(rank));
    endRemoveRows();
    if (!node.ranks.empty())
        return;
    beginRemoveRows(runIndex(0), static_cast<int>(host), static_cast<int>(host));
    m_hosts.erase(m_hosts.begin() + static_cast<std::ptrdiff_t>(host));
    endRemoveRows();
}

void ProcessorTreeModel::insertRank(const QString& name, Rank rank)
{
    const auto at = std::ranges::lower_bound(
        m_hosts, name, {}, [](const auto& host) -> const QString& { return host->name; });
    const auto host = static_cast<std::size_t>(at - m_hosts.begin());
    if (at == m_hosts.end() || (*at)->name != name) {
        auto node = std::make_unique<HostNode>();
        node->name = name;
        beginInsertRows(runIndex(0), static_cast<int>(host), static_cast<int>(host));
        m_hosts.insert(at, std::move(node));
        endInsertRows();
    }
    auto& ranks = m_hosts[host]->ranks;
    const auto place = std::ranges::lower_bound(ranks, rank, {}, &RankNode::rank);
    const int row = static_cast<int>(place - ranks.begin());
    beginInsertRows(hostIndex(host, 0), row, row);
    ranks.insert(place, RankNode{.rank = rank, .figures = {}});
    endInsertRows();
}

} // namespace tasuki
