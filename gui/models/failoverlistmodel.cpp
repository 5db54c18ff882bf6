// SPDX-License-Identifier: GPL-3.0-or-later
#include "failoverlistmodel.h"

#include "exportvalue.h"
#include "wording.h"

namespace tasuki {

FailoverListModel::FailoverListModel(Session& session, QObject* parent)
    : QAbstractTableModel(parent), m_session(session)
{
    session.addSink(*this);
    connect(&session, &Session::changed, this, &FailoverListModel::announce);
    connect(&session, &Session::aboutToReset, this, [this] { beginResetModel(); });
    connect(&session, &Session::wasReset, this, [this] { endResetModel(); });
}

FailoverListModel::~FailoverListModel() { m_session.removeSink(*this); }

FailoverListModel::Entry FailoverListModel::about(const Event& event, SeatId seat,
                                                  ProcessorId from) const
{
    // What it is called now: another layout may have other names.
    const SystemState& system = m_session.state().system();
    Entry entry;
    entry.at = event.wallTime;
    entry.seat = system.label(seat);
    entry.seat.subcluster.clear();
    entry.from = system.label(from);
    if (const SystemSeat* found = system.find(seat)) {
        const auto subcluster = found->info.subcluster.value();
        entry.subcluster = wording::text(system.subclusters()[subcluster].info.name);
        if (found->info.kind == SeatKind::Active)
            entry.rank = Rank(static_cast<std::int32_t>(seat.value()));
        entry.incarnation = found->incarnation;
    }
    if (const SystemProcessor* lost = system.find(from)) {
        entry.cause = lost->cause;
        entry.lostAt = lost->lostAt;
    }
    return entry;
}

FailoverListModel::Entry FailoverListModel::succession(const Event& event,
                                                       const MasterChanged& master) const
{
    const SystemState& system = m_session.state().system();
    Entry entry;
    entry.at = event.wallTime;
    entry.ofSystem = true;
    entry.from = system.label(*master.previous);
    entry.to = system.label(master.processor);
    if (const SystemProcessor* lost = system.find(*master.previous)) {
        entry.cause = lost->cause;
        entry.lostAt = lost->lostAt;
    }
    entry.detection = master.detection;
    entry.takeover = master.takeover;
    return entry;
}

void FailoverListModel::take(const Event& event)
{
    if (const auto* taken = std::get_if<SeatTaken>(&event.payload)) {
        if (!taken->previous)
            return;
        Entry entry = about(event, taken->seat, *taken->previous);
        entry.to = m_session.state().system().label(taken->holder);
        entry.detection = taken->detection;
        entry.takeover = taken->takeover;
        m_entries.push_back(std::move(entry));
    } else if (const auto* vacated = std::get_if<SeatVacated>(&event.payload)) {
        Entry entry = about(event, vacated->seat, vacated->previous);
        entry.givenUp = vacated->givenUp;
        if (const auto found = m_detections.find(vacated->previous); found != m_detections.end())
            entry.detection = found->second;
        m_entries.push_back(std::move(entry));
    } else if (const auto* master = std::get_if<MasterChanged>(&event.payload)) {
        if (master->role == MasterRole::System && master->previous)
            m_entries.push_back(succession(event, *master));
    } else if (const auto* health = std::get_if<HealthChanged>(&event.payload)) {
        m_detections[health->processor] = health->detection;
    } else if (std::holds_alternative<RunOpened>(event.payload)) {
        m_detections.clear();
    }
}

void FailoverListModel::reset()
{
    m_entries.clear();
    m_detections.clear();
    m_announced = 0;
}

void FailoverListModel::announce()
{
    const int count = static_cast<int>(m_entries.size());
    if (count == m_announced)
        return;
    beginInsertRows({}, m_announced, count - 1);
    m_announced = count;
    endInsertRows();
}

int FailoverListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_announced;
}

int FailoverListModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : columns;
}

QVariant FailoverListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columns)
        return {};
    const auto column = static_cast<Column>(section);
    if (role == Qt::ToolTipRole) {
        if (column == Column::Detection)
            return tr("From the loss until the verdict about it");
        if (column == Column::Takeover)
            return tr("From the verdict until who took over said so");
        if (column == Column::Lost)
            return tr("The last sign of life, or when the end of the process was seen");
        return {};
    }
    if (role == exportRole) {
        if (column == Column::Detection)
            return exportSecondsTitle(tr("Detection"));
        return column == Column::Takeover ? exportSecondsTitle(tr("Takeover")) : QVariant();
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Column::Time: return tr("Time");
    case Column::Subcluster: return tr("Subcluster");
    case Column::Seat: return tr("Seat");
    case Column::From: return tr("Lost processor");
    case Column::Cause: return tr("Cause");
    case Column::To: return tr("Taken over by");
    case Column::Detection: return tr("Detection");
    case Column::Takeover: return tr("Takeover");
    case Column::Lost: return tr("Lost at");
    }
    return {};
}

QVariant FailoverListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Entry& entry = m_entries[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<Column>(index.column());
    switch (role) {
    case Qt::DisplayRole: return display(entry, column);
    case Qt::ToolTipRole:
        return column == Column::Seat && entry.to && !entry.ofSystem
            ? QVariant(tr("incarnation %1").arg(entry.incarnation.value()))
            : QVariant();
    case Qt::TextAlignmentRole:
        return column == Column::Detection || column == Column::Takeover
            ? QVariant(static_cast<int>(Qt::AlignRight | Qt::AlignVCenter))
            : QVariant();
    case RankRole: return entry.rank ? QVariant(entry.rank->value()) : QVariant();
    case WallTimeRole: return qint64{entry.at.time_since_epoch().count()};
    case SeverityRole: return static_cast<int>(entry.to ? Severity::Warning : Severity::Failure);
    case SortRole: return sortKey(entry, column);
    case exportRole: return exported(entry, column);
    default: return {};
    }
}

QVariant FailoverListModel::display(const Entry& entry, Column column) const
{
    const auto duration = [](std::chrono::microseconds time) {
        return time.count() < 0 ? wording::duration(std::nullopt) : wording::duration(time);
    };
    switch (column) {
    case Column::Time: return wording::time(entry.at, true);
    case Column::Subcluster: return entry.subcluster;
    case Column::Seat: return entry.ofSystem ? tr("system master") : wording::seat(entry.seat);
    case Column::From: return wording::processor(entry.from);
    case Column::Cause: return wording::healthCause(entry.cause);
    case Column::To:
        if (entry.to)
            return wording::processor(*entry.to);
        return entry.givenUp ? tr("nobody: given up") : tr("nobody: vacant");
    case Column::Detection: return duration(entry.detection);
    case Column::Takeover: return duration(entry.takeover);
    case Column::Lost:
        return entry.lostAt ? wording::time(*entry.lostAt, true) : QStringLiteral("-");
    }
    return {};
}

QVariant FailoverListModel::exported(const Entry& entry, Column column) const
{
    switch (column) {
    case Column::Time: return exportTime(entry.at);
    case Column::Detection: return exportSeconds(entry.detection);
    case Column::Takeover: return exportSeconds(entry.takeover);
    case Column::Lost: return entry.lostAt ? exportTime(*entry.lostAt) : QString();
    default: return {};
    }
}

QVariant FailoverListModel::sortKey(const Entry& entry, Column column) const
{
    switch (column) {
    case Column::Time: return qint64{entry.at.time_since_epoch().count()};
    case Column::From: return entry.from.id.value();
    case Column::To: return entry.to ? qint64{entry.to->id.value()} : -1;
    case Column::Detection: return qint64{entry.detection.count()};
    case Column::Takeover: return qint64{entry.takeover.count()};
    case Column::Lost:
        return entry.lostAt ? qint64{entry.lostAt->time_since_epoch().count()} : qint64{-1};
    case Column::Subcluster:
    case Column::Seat:
    case Column::Cause: break;
    }
    return display(entry, column);
}

} // namespace tasuki
