// SPDX-License-Identifier: GPL-3.0-or-later
#include "alarmlistmodel.h"

#include "exportvalue.h"
#include "wording.h"

#include <algorithm>
#include <utility>

namespace tasuki {

namespace {

/// How often it is looked whether acknowledgements have ended.
constexpr std::chrono::milliseconds expiryCheck{1000};

std::optional<Rank> rankOf(const SystemState& system, SeatId id)
{
    const SystemSeat* seat = system.find(id);
    return seat != nullptr && seat->info.kind == SeatKind::Active
        ? std::optional(Rank(static_cast<std::int32_t>(id.value())))
        : std::nullopt;
}

/// @return the rank that a processor holds, also when it is lost and nobody has it yet
std::optional<Rank> rankHeldBy(const SystemState& system, ProcessorId id)
{
    const SystemProcessor* processor = system.find(id);
    return processor != nullptr && processor->info.seat ? rankOf(system, *processor->info.seat)
                                                        : std::nullopt;
}

std::optional<Rank> firstRankOf(const SystemState& system, SubclusterId id)
{
    for (std::uint32_t seat = 0; seat < system.seats().size(); ++seat) {
        if (system.seats()[seat].info.subcluster == id)
            return rankOf(system, SeatId(seat));
    }
    return std::nullopt;
}

} // namespace

AlarmListModel::AlarmListModel(Session& session, QObject* parent)
    : QAbstractTableModel(parent), m_session(session)
{
    session.addSink(*this);
    connect(&session, &Session::changed, this, &AlarmListModel::announce);
    connect(&session, &Session::aboutToReset, this, [this] { beginResetModel(); });
    connect(&session, &Session::wasReset, this, [this] {
        endResetModel();
        Q_EMIT openChanged();
    });
    m_timer.setInterval(expiryCheck);
    connect(&m_timer, &QTimer::timeout, this, &AlarmListModel::refresh);
    m_timer.start();
}

AlarmListModel::~AlarmListModel() { m_session.removeSink(*this); }

AlarmListModel::Entry AlarmListModel::describeEvent(const Event& event) const
{
    const SystemState& system = m_session.state().system();
    Entry entry;
    entry.id = event.id;
    if (const auto* health = std::get_if<HealthChanged>(&event.payload)) {
        entry.processor = system.label(health->processor);
        entry.rank = rankHeldBy(system, health->processor);
        entry.health = health->health;
        entry.cause = health->cause;
    } else if (const auto* vacated = std::get_if<SeatVacated>(&event.payload)) {
        entry.seat = system.label(vacated->seat);
        entry.rank = rankOf(system, vacated->seat);
        entry.processor = system.label(vacated->previous);
        entry.givenUp = vacated->givenUp;
    } else if (const auto* subcluster = std::get_if<SubclusterChanged>(&event.payload)) {
        const auto number = subcluster->subcluster.value();
        entry.text = number < system.subclusters().size()
            ? wording::text(system.subclusters()[number].info.name)
            : QString::number(number);
        entry.rank = firstRankOf(system, subcluster->subcluster);
        entry.why = wording::phrase(subcluster->cause);
    } else if (const auto* notice = std::get_if<Notice>(&event.payload)) {
        entry.text = wording::phrase(notice->text);
    }
    return entry;
}

void AlarmListModel::take(const Event& event)
{
    if (const auto* acknowledged = std::get_if<AlarmAcknowledged>(&event.payload))
        m_answered.push_back(acknowledged->alarm);
    else if (tasuki::alarmOf(event.payload))
        m_entries.push_back(describeEvent(event));
}

void AlarmListModel::reset()
{
    m_entries.clear();
    m_answered.clear();
    m_announced = 0;
    m_open = 0;
}

void AlarmListModel::announce()
{
    const int count = static_cast<int>(m_entries.size());
    const std::vector<EventId> answered = std::exchange(m_answered, {});
    if (count == m_announced && answered.empty())
        return;
    for (const EventId id : answered) {
        const auto found = std::ranges::lower_bound(m_entries, id, {}, &Entry::id);
        const int row = static_cast<int>(found - m_entries.begin());
        if (row < m_announced)
            Q_EMIT dataChanged(index(row, 0), index(row, columns - 1));
    }
    if (count != m_announced) {
        beginInsertRows({}, m_announced, count - 1);
        m_announced = count;
        endInsertRows();
    }
    refresh();
}

void AlarmListModel::refresh()
{
    const WallTime now = m_session.runNow();
    std::size_t open = 0;
    for (int row = 0; row < m_announced; ++row) {
        Entry& entry = m_entries[static_cast<std::size_t>(row)];
        const bool isOpen = !alarmOf(entry).acknowledged(now);
        open += isOpen ? 1 : 0;
        if (std::exchange(entry.shownOpen, isOpen) != isOpen)
            Q_EMIT dataChanged(index(row, 0), index(row, columns - 1));
    }
    if (std::exchange(m_open, open) != open)
        Q_EMIT openChanged();
}

const Alarm& AlarmListModel::alarmOf(const Entry& entry) const
{
    return *m_session.state().alarms().find(entry.id);
}

const Alarm& AlarmListModel::alarmAt(int row) const
{
    return alarmOf(m_entries[static_cast<std::size_t>(row)]);
}

QString AlarmListModel::describe(EventId alarm) const
{
    const auto found = std::ranges::lower_bound(m_entries, alarm, {}, &Entry::id);
    if (found == m_entries.end() || found->id != alarm)
        return tr("alarm %1").arg(QString::fromStdString(eventIdText(alarm)));
    return tr("%1: %2", "where, what").arg(where(*found), what(*found));
}

int AlarmListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_announced;
}

int AlarmListModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : columns;
}

QVariant AlarmListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0
        || section >= columns)
        return {};
    switch (static_cast<Column>(section)) {
    case Column::State: return tr("State");
    case Column::Time: return tr("Time");
    case Column::Severity: return tr("Severity");
    case Column::What: return tr("What");
    case Column::Where: return tr("Where");
    case Column::Who: return tr("Acknowledged by");
    case Column::Comment: return tr("Comment");
    case Column::Until: return tr("Until");
    }
    return {};
}

QVariant AlarmListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Entry& entry = m_entries[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<Column>(index.column());
    switch (role) {
    case Qt::DisplayRole: return display(entry, column);
    case Qt::ToolTipRole:
        return column == Column::What || column == Column::Comment ? display(entry, column)
                                                                   : QVariant();
    case SeverityRole: return static_cast<int>(alarmOf(entry).severity);
    case OpenRole: return entry.shownOpen;
    case RankRole: return entry.rank ? QVariant(entry.rank->value()) : QVariant();
    case WallTimeRole: return qint64{alarmOf(entry).at.time_since_epoch().count()};
    case SortRole: return sortKey(entry, column);
    case exportRole:
        return column == Column::Time ? QVariant(exportTime(alarmOf(entry).at)) : QVariant();
    default: return {};
    }
}

QVariant AlarmListModel::display(const Entry& entry, Column column) const
{
    const Alarm& alarm = alarmOf(entry);
    const auto& answer = alarm.acknowledgement;
    switch (column) {
    case Column::State:
        if (!answer)
            return tr("open", "state of an alarm");
        return entry.shownOpen ? tr("open again", "state of an alarm")
                               : tr("acknowledged", "state of an alarm");
    case Column::Time: return wording::time(alarm.at);
    case Column::Severity: return wording::severity(alarm.severity);
    case Column::What: return what(entry);
    case Column::Where: return where(entry);
    case Column::Who: return answer ? wording::text(answer->who) : QString();
    case Column::Comment: return answer ? wording::text(answer->comment) : QString();
    case Column::Until: return until(alarm);
    }
    return {};
}

QString AlarmListModel::what(const Entry& entry) const
{
    const auto with = [](const QString& text, const QString& why) {
        return why.isEmpty() ? text : tr("%1: %2", "what, why").arg(text, why);
    };
    switch (alarmOf(entry).kind) {
    case AlarmKind::ProcessorLost:
        return with(entry.health == Health::Fenced ? tr("processor fenced") : tr("processor lost"),
                    wording::healthCause(entry.cause));
    case AlarmKind::SeatVacant:
        return entry.givenUp ? tr("seat given up: too many takeovers")
                             : tr("seat vacant: no standby was left");
    case AlarmKind::SubclusterDown: return with(tr("subcluster down"), entry.why);
    case AlarmKind::Failure: break;
    }
    return entry.text;
}

QString AlarmListModel::where(const Entry& entry) const
{
    switch (alarmOf(entry).kind) {
    case AlarmKind::ProcessorLost: return wording::processor(entry.processor);
    case AlarmKind::SeatVacant: return wording::seat(entry.seat);
    case AlarmKind::SubclusterDown: return tr("subcluster %1").arg(entry.text);
    case AlarmKind::Failure: break;
    }
    return tr("run");
}

QString AlarmListModel::until(const Alarm& alarm) const
{
    if (!alarm.acknowledgement)
        return {};
    return alarm.acknowledgement->until ? wording::time(*alarm.acknowledgement->until)
                                        : tr("for good");
}

QVariant AlarmListModel::sortKey(const Entry& entry, Column column) const
{
    const Alarm& alarm = alarmOf(entry);
    const qint64 at = alarm.at.time_since_epoch().count();
    // Open ones stand together, in the order of time as the others.
    constexpr qint64 beyond = qint64{1} << 62U;
    switch (column) {
    case Column::State: return entry.shownOpen ? at + beyond : at;
    case Column::Time: return at;
    case Column::Severity: return static_cast<int>(alarm.severity);
    default: return display(entry, column);
    }
}

} // namespace tasuki
