// SPDX-License-Identifier: GPL-3.0-or-later
#include "eventlistmodel.h"

#include "client/dropelsewhere.h"
#include "exportvalue.h"
#include "systemwording.h"
#include "wording.h"

namespace tasuki {

namespace {

constexpr std::uint8_t kindOf(const EventPayload& payload)
{
    return static_cast<std::uint8_t>(payload.index());
}

/// The place of a type in EventPayload.
template <class T, std::size_t i = 0>
constexpr std::uint8_t kind()
{
    if constexpr (std::is_same_v<std::variant_alternative_t<i, EventPayload>, T>)
        return static_cast<std::uint8_t>(i);
    else
        return kind<T, i + 1>();
}

constexpr std::uint8_t noTask = 1;
constexpr std::uint8_t noRank = 2;

} // namespace

/// Packs an event into an entry.
struct EventListModel::Describe {
    EventListModel& model;
    const Event& event;
    Entry& entry;

    void operator()(const RunOpened& opened) const
    {
        entry.a = keep(opened.host);
        keep(opened.version);
        entry.b = event.id.epoch.value();
        entry.notable = true;
        model.m_processorsSeen = false;
    }
    void operator()(const RunClosed& closed) const
    {
        entry.detail = static_cast<std::uint8_t>(closed.end);
        entry.b = closed.elapsed.count();
        entry.a = model.m_tasksSeen ? 1 : 0;
        notable(closed.end == RunEnd::Complete ? Severity::Information : Severity::Warning);
    }
    void operator()(const TaskAdded& added) const
    {
        model.m_tasksSeen = true;
        edited(added.id);
    }
    void operator()(const TaskChanged& changed) const { edited(changed.id); }
    void operator()(const TaskRemoved& removed) const { edited(removed.id); }
    void operator()(const TaskReopened& reopened) const { edited(reopened.id); }
    void operator()(const TaskHeld& held) const { edited(held.id); }
    void operator()(const TaskReleased& released) const { edited(released.id); }
    void operator()(const TaskCancelled& cancelled) const { edited(cancelled.id); }
    void operator()(const TaskCancelling& cancelling) const { edited(cancelling.id); }
    void operator()(const TaskSkipped& skipped) const
    {
        about(skipped.id);
        entry.a = skipped.because.value();
        notable(Severity::Warning);
    }
    void operator()(const ProcessorJoined& joined) const
    {
        about(joined.rank);
        entry.a = keep(joined.host);
        entry.b = joined.slots;
        entry.detail = static_cast<std::uint8_t>(joined.incarnation > Incarnation(1));
        entry.notable = true;
        model.m_processorsSeen = true;
    }
    void operator()(const ProcessorLost& lost) const
    {
        about(lost.rank);
        entry.detail = static_cast<std::uint8_t>(lost.cause);
        notable(lost.cause == LossCause::Left ? Severity::Information : Severity::Failure);
    }
    void operator()(const AttemptStarted& started) const
    {
        about(started.key.task);
        about(started.rank);
        entry.a = started.key.number.value();
    }
    void operator()(const AttemptFinished& finished) const
    {
        const Outcome outcome = finished.result.outcome;
        about(finished.key.task);
        about(finished.rank);
        entry.a = finished.key.number.value();
        entry.b = finished.result.code;
        entry.detail = static_cast<std::uint8_t>(outcome);
        entry.disposition = finished.disposition;
        if (outcome == Outcome::Succeeded)
            return;
        const bool last = finished.disposition == Disposition::Final;
        const bool wanted = outcome == Outcome::Cancelled || outcome == Outcome::Interrupted;
        notable(wanted ? Severity::Information : last ? Severity::Failure : Severity::Warning);
    }
    void operator()(const Notice& notice) const
    {
        entry.a = keep(wording::phrase(notice.text));
        notable(notice.severity);
    }
    /// What the failure hierarchy tells is put into words now: its names may change.
    template <class Payload>
    void operator()(const Payload& payload) const
    {
        SystemEventText words = systemEventText(payload, model.m_session.state().system());
        entry.a = keep(std::move(words.text));
        keep(std::move(words.subject));
        entry.severity = words.severity;
        entry.notable = words.notable;
    }

private:
    void notable(Severity severity) const
    {
        entry.notable = true;
        entry.severity = severity;
    }
    void about(TaskId task) const
    {
        entry.task = task.value();
        entry.without &= static_cast<std::uint8_t>(~noTask);
    }
    void about(Rank rank) const
    {
        entry.rank = rank.value();
        entry.without &= static_cast<std::uint8_t>(~noRank);
    }
    /// What happens to tasks before processors are there comes from the list, later from people.
    void edited(TaskId task) const
    {
        about(task);
        entry.notable = model.m_processorsSeen;
    }
    std::uint32_t keep(const std::string& text) const { return keep(wording::text(text)); }
    std::uint32_t keep(QString text) const
    {
        model.m_strings.push_back(std::move(text));
        return static_cast<std::uint32_t>(model.m_strings.size() - 1);
    }
};

EventListModel::EventListModel(Session& session, QObject* parent)
    : QAbstractTableModel(parent), m_session(session)
{
    static_assert(sizeof(Entry) <= 40);
    session.addSink(*this);
    connect(&session, &Session::changed, this, &EventListModel::announce);
    connect(&session, &Session::aboutToReset, this, [this] { beginResetModel(); });
    connect(&session, &Session::wasReset, this, [this] { endResetModel(); });
}

EventListModel::~EventListModel() { m_session.removeSink(*this); }

void EventListModel::take(const Event& event)
{
    Entry& entry = m_entries.emplace_back();
    entry.wallUs = event.wallTime.time_since_epoch().count();
    entry.kind = kindOf(event.payload);
    entry.without = noTask | noRank;
    std::visit(Describe{*this, event, entry}, event.payload);
    if (!m_showAll && shown(entry))
        m_filtered.push_back(static_cast<std::uint32_t>(m_entries.size() - 1));
}

void EventListModel::reset()
{
    dropElsewhere(std::exchange(m_entries, {}));
    m_filtered.clear();
    m_strings.clear();
    m_announced = 0;
    m_processorsSeen = false;
    m_tasksSeen = false;
}

bool EventListModel::shown(const Entry& entry) const
{
    return m_showAll || (entry.notable && entry.severity >= m_least);
}

void EventListModel::announce()
{
    const std::size_t count = m_showAll ? m_entries.size() : m_filtered.size();
    if (count == m_announced)
        return;
    beginInsertRows({}, static_cast<int>(m_announced), static_cast<int>(count) - 1);
    m_announced = count;
    endInsertRows();
}

void EventListModel::refill()
{
    beginResetModel();
    m_filtered.clear();
    if (!m_showAll) {
        for (std::uint32_t i = 0; i < m_entries.size(); ++i) {
            if (shown(m_entries[i]))
                m_filtered.push_back(i);
        }
    }
    m_announced = m_showAll ? m_entries.size() : m_filtered.size();
    endResetModel();
}

void EventListModel::setShowAll(bool all)
{
    if (std::exchange(m_showAll, all) != all)
        refill();
}

void EventListModel::setLeastSeverity(Severity severity)
{
    if (std::exchange(m_least, severity) != severity && !m_showAll)
        refill();
}

int EventListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_announced);
}

int EventListModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : columns;
}

QVariant EventListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0
        || section >= columns)
        return {};
    switch (static_cast<Column>(section)) {
    case Column::Time: return tr("Time");
    case Column::Severity: return tr("Severity");
    case Column::Subject: return tr("Subject");
    case Column::Text: return tr("Event");
    }
    return {};
}

const EventListModel::Entry& EventListModel::entryAt(int row) const
{
    const auto index = static_cast<std::size_t>(row);
    return m_entries[m_showAll ? index : m_filtered[index]];
}

QVariant EventListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Entry& entry = entryAt(index.row());
    switch (role) {
    case Qt::DisplayRole: break;
    case Qt::ToolTipRole: return text(entry);
    case SeverityRole: return static_cast<int>(entry.severity);
    case TaskRole: return entry.without & noTask ? QVariant() : QVariant(entry.task);
    case AttemptRole:
        return entry.kind == kind<AttemptStarted>() || entry.kind == kind<AttemptFinished>()
            ? QVariant(entry.a)
            : QVariant();
    case RankRole: return entry.without & noRank ? QVariant() : QVariant(entry.rank);
    case WallTimeRole: return qint64{entry.wallUs};
    case exportRole:
        return static_cast<Column>(index.column()) == Column::Time
            ? QVariant(exportTime(WallTime(std::chrono::microseconds(entry.wallUs))))
            : QVariant();
    default: return {};
    }
    switch (static_cast<Column>(index.column())) {
    case Column::Time:
        return wording::time(WallTime(std::chrono::microseconds(entry.wallUs)), true);
    case Column::Severity: return wording::severity(entry.severity);
    case Column::Subject: return subject(entry);
    case Column::Text: return text(entry);
    }
    return {};
}

QString EventListModel::subject(const Entry& entry) const
{
    if (!(entry.without & noTask))
        return tr("task %1").arg(entry.task);
    if (!(entry.without & noRank))
        return rankName(entry);
    if (entry.kind >= kind<SystemLaidOut>())
        return m_strings[entry.a + 1];
    return tr("run");
}

QString EventListModel::rankName(const Entry& entry) const
{
    return wording::rank(m_session.state().system(), Rank(entry.rank));
}

QString EventListModel::text(const Entry& entry) const
{
    switch (entry.kind) {
    case kind<RunOpened>():
        return (entry.b > 1 ? tr("The run was resumed on %1 by Tasuki %2")
                            : tr("The run began on %1 with Tasuki %2"))
            .arg(m_strings[entry.a], m_strings[entry.a + 1]);
    case kind<RunClosed>():
        return (static_cast<RunEnd>(entry.detail) == RunEnd::Complete
                    ? tr("The run is complete after %1")
                    : entry.a != 0 ? tr("The run was interrupted after %1; it can be resumed")
                                   : tr("The run was interrupted after %1"))
            .arg(wording::duration(std::chrono::microseconds(entry.b)));
    case kind<TaskAdded>(): return tr("Task %1 was added").arg(entry.task);
    case kind<TaskChanged>(): return tr("Task %1 was changed").arg(entry.task);
    case kind<TaskRemoved>(): return tr("Task %1 was taken off the list").arg(entry.task);
    case kind<TaskReopened>(): return tr("Task %1 is to be done again").arg(entry.task);
    case kind<TaskHeld>(): return tr("Task %1 is held back").arg(entry.task);
    case kind<TaskReleased>(): return tr("Task %1 may start again").arg(entry.task);
    case kind<TaskCancelled>(): return tr("Task %1 was cancelled").arg(entry.task);
    case kind<TaskCancelling>():
        return tr("Task %1 is being cancelled: its process is killed").arg(entry.task);
    case kind<TaskSkipped>():
        return tr("Task %1 is skipped because task %2 did not succeed")
            .arg(entry.task)
            .arg(entry.a);
    case kind<ProcessorJoined>():
        return (entry.detail
                    ? tr("%1 is held by another process, on %2 with %n slot(s)", nullptr,
                         static_cast<int>(entry.b))
                    : tr("%1 joined on %2 with %n slot(s)", nullptr, static_cast<int>(entry.b)))
            .arg(rankName(entry), m_strings[entry.a]);
    case kind<ProcessorLost>():
        return static_cast<LossCause>(entry.detail) == LossCause::Left
            ? tr("%1 left").arg(rankName(entry))
            : tr("%1 was lost: %2")
                  .arg(rankName(entry), wording::loss(static_cast<LossCause>(entry.detail)));
    case kind<AttemptStarted>():
        return tr("Task %1 started on %2 (attempt %3)")
            .arg(entry.task)
            .arg(rankName(entry))
            .arg(entry.a);
    case kind<AttemptFinished>(): return attemptText(entry);
    default: return m_strings[entry.a]; // notices, and what the failure hierarchy tells
    }
}

QString EventListModel::attemptText(const Entry& entry) const
{
    const auto outcome = static_cast<Outcome>(entry.detail);
    if (outcome == Outcome::Succeeded)
        return tr("Task %1 succeeded on %2 (attempt %3)")
            .arg(entry.task)
            .arg(rankName(entry))
            .arg(entry.a);
    const QString what = wording::outcome(outcome, static_cast<std::int32_t>(entry.b));
    switch (entry.disposition) {
    case Disposition::Final:
        return tr("Task %1 did not succeed on %2 (attempt %3): %4")
            .arg(entry.task)
            .arg(rankName(entry))
            .arg(entry.a)
            .arg(what);
    case Disposition::Retry:
        return tr("Task %1 is retried after attempt %3 on %2: %4")
            .arg(entry.task)
            .arg(rankName(entry))
            .arg(entry.a)
            .arg(what);
    case Disposition::Requeue:
        return tr("Task %1 waits again after attempt %3 on %2: %4")
            .arg(entry.task)
            .arg(rankName(entry))
            .arg(entry.a)
            .arg(what);
    }
    return {};
}

} // namespace tasuki
