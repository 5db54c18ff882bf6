// SPDX-License-Identifier: GPL-3.0-or-later
#include "session.h"

#include "dropelsewhere.h"

#include <algorithm>
#include <type_traits>

namespace tasuki {

Session::Session(std::unique_ptr<SessionSource> source, const Clock& clock, QObject* parent,
                 SessionPace pace)
    : QObject(parent),
      m_clock(clock),
      m_pace(pace),
      m_state(std::make_unique<RunState>()),
      m_source(std::move(source))
{
    m_sliceTimer.setSingleShot(true);
    m_frameTimer.setSingleShot(true);
    m_frameTimer.setTimerType(Qt::PreciseTimer);
    connect(&m_sliceTimer, &QTimer::timeout, this, &Session::applySlice);
    connect(&m_frameTimer, &QTimer::timeout, this, &Session::announceNow);
    connect(m_source.get(), &SessionSource::restarted, this, &Session::clear);
    connect(m_source.get(), &SessionSource::batchArrived, this, &Session::takeBatch);
    connect(m_source.get(), &SessionSource::statusChanged, this, &Session::takeStatus);
    connect(m_source.get(), &SessionSource::heard, this, &Session::takeSignOfLife);
    connect(m_source.get(), &SessionSource::catchingUp, this, &Session::beginLoading);
    connect(m_source.get(), &SessionSource::caughtUp, this, [this] { enqueue(nullptr); });
    connect(m_source.get(), &SessionSource::agentChanged, this, [this](const AgentInfo& agent) {
        m_agent = agent;
        Q_EMIT agentChanged();
    });
    connect(m_source.get(), &SessionSource::agentStatusChanged, this,
            [this](const AgentStatus& status) {
                m_agentStatus = status;
                Q_EMIT agentChanged();
            });
}

Session::~Session()
{
    // Nobody is to be told what the source says while it ends.
    m_source->disconnect(this);
    dropState();
}

void Session::dropState() { dropElsewhere(std::exchange(m_state, std::make_unique<RunState>())); }

void Session::addSink(EventSink& sink) { m_sinks.push_back(&sink); }

void Session::removeSink(EventSink& sink) { std::erase(m_sinks, &sink); }

void Session::start() { m_source->start(); }

bool Session::takesCommands() const
{
    return kind() == SourceKind::Agent && m_damage.isEmpty()
        && (m_connection.state == ConnectionState::Live
            || m_connection.state == ConnectionState::CatchingUp);
}

double Session::progress() const
{
    if (!m_loading)
        return 1;
    if (!m_target || *m_target <= m_loadedFrom)
        return -1;
    const auto done = static_cast<double>(m_applied - m_loadedFrom);
    return std::min(1.0, done / static_cast<double>(*m_target - m_loadedFrom));
}

std::optional<std::uint64_t> Session::shortCommand(TaskId task) const
{
    const auto found = m_shortCommands.find(task);
    if (found == m_shortCommands.end())
        return std::nullopt;
    return found->second;
}

std::optional<std::chrono::microseconds> Session::dataAge() const
{
    using std::chrono::microseconds;
    if (showsRecord()) {
        if (m_applied == 0)
            return std::nullopt;
        return std::max(microseconds(0), m_clock.wallNow() - m_wall);
    }
    if (!m_lastHeard)
        return std::nullopt;
    return std::chrono::duration_cast<microseconds>(m_clock.now() - *m_lastHeard);
}

WallTime Session::runNow() const
{
    if (showsRecord() || !m_lastHeard)
        return m_wall;
    const bool live = m_connection.state == ConnectionState::Live;
    const SteadyTime until = live ? m_clock.now() : *m_lastHeard;
    const auto since = std::chrono::duration_cast<std::chrono::microseconds>(until - m_wallSeen);
    return m_wall + std::max(since, std::chrono::microseconds(0));
}

void Session::sendCommand(OperatorCommand command, CommandDone done)
{
    m_source->sendCommand(std::move(command), std::move(done));
}

void Session::requestOutput(OutputQuery query, OutputDone done)
{
    m_source->requestOutput(query, std::move(done));
}

void Session::requestTask(TaskId task, TaskDone done)
{
    m_source->requestTask(task, std::move(done));
}

void Session::reload() { m_source->restart(); }

void Session::beginLoading(quint64 toCome)
{
    m_loading = true;
    m_loadedFrom = m_applied;
    std::uint64_t waiting = 0;
    for (const Pending& pending : m_pending)
        waiting += pending.batch ? pending.batch->events.size() - pending.next : 0;
    m_target = toCome == 0 ? std::nullopt : std::optional(m_applied + waiting + toCome);
    Q_EMIT loadingChanged();
}

void Session::takeBatch(const SharedBatch& batch)
{
    m_lastHeard = m_clock.now();
    if (!m_damage.isEmpty())
        m_source->release(1);
    else
        enqueue(batch);
}

void Session::enqueue(SharedBatch batch)
{
    // To have caught up twice is to have caught up.
    if (!batch && !m_pending.empty() && !m_pending.back().batch && !m_pending.back().status)
        return;
    enqueue(Pending{.batch = std::move(batch)});
}

void Session::enqueue(Pending pending)
{
    m_pending.push_back(std::move(pending));
    if (!m_sliceTimer.isActive())
        m_sliceTimer.start(0);
}

/// Whoever sees that the agent has ended sees how the run was then. Of what comes of the connection
/// before that is shown, the newest counts.
void Session::takeStatus(const ConnectionStatus& status)
{
    const auto waits = std::ranges::find_if(
        m_pending, [](const Pending& pending) { return pending.status.has_value(); });
    if (waits != m_pending.end())
        waits->status = status;
    else if (m_pending.empty() || status.isReading())
        showStatus(status);
    else
        enqueue(Pending{.status = status});
}

void Session::showStatus(const ConnectionStatus& status)
{
    m_connection = status;
    if (m_loading && !status.isReading()) {
        m_loading = false;
        Q_EMIT loadingChanged();
    }
    Q_EMIT connectionChanged();
}

void Session::takeSignOfLife(std::optional<WallTime> agentNow)
{
    m_lastHeard = m_clock.now();
    if (agentNow) {
        m_wall = *agentNow;
        m_wallSeen = *m_lastHeard;
    }
}

void Session::applySlice()
{
    const SteadyTime end = m_clock.now() + m_pace.slice;
    std::size_t applied = 0;
    while (!m_pending.empty()) {
        Pending& pending = m_pending.front();
        if (pending.status) {
            const ConnectionStatus status = *std::move(pending.status);
            m_pending.pop_front();
            showStatus(status);
            continue;
        }
        if (!pending.batch) {
            m_pending.pop_front();
            m_loading = false;
            Q_EMIT loadingChanged();
            continue;
        }
        const auto& events = pending.batch->events;
        for (; pending.next < events.size(); ++pending.next, ++applied) {
            const bool look = applied != 0 && applied % m_pace.eventsPerLook == 0;
            if (applied >= m_pace.eventsPerSlice || (look && m_clock.now() >= end)) {
                rememberTime(pending);
                m_sliceTimer.start(0);
                return;
            }
            if (!applyOne(events[pending.next]))
                return;
        }
        rememberTime(pending);
        finishBatch(*pending.batch);
        m_pending.pop_front();
        m_source->release(1);
    }
}

void Session::rememberTime(const Pending& pending)
{
    if (pending.next == 0)
        return;
    const WallTime wall = pending.batch->events[pending.next - 1].wallTime;
    if (wall > m_wall) {
        m_wall = wall;
        m_wallSeen = m_clock.now();
    }
    if (m_loading)
        Q_EMIT loadingChanged();
}

bool Session::applyOne(const Event& event)
{
    if (auto taken = m_state->apply(event); !taken) {
        setDamage(tr("The record of the run makes no sense: %1")
                      .arg(QString::fromStdString(taken.error().text())));
        return false;
    }
    ++m_applied;
    note(event);
    for (EventSink* sink : m_sinks)
        sink->take(event);
    return true;
}

namespace {

/// The task that an event is about.
std::optional<TaskId> taskOf(const EventPayload& payload)
{
    return std::visit(
        [](const auto& event) -> std::optional<TaskId> {
            using T = std::decay_t<decltype(event)>;
            if constexpr (std::is_same_v<T, AttemptStarted> || std::is_same_v<T, AttemptFinished>)
                return event.key.task;
            else if constexpr (requires { TaskId(event.id); })
                return event.id;
            else
                return std::nullopt;
        },
        payload);
}

} // namespace

void Session::note(const Event& event)
{
    if (m_changes.events++ == 0)
        scheduleAnnouncement();
    if (std::holds_alternative<TaskAdded>(event.payload)) {
        ++m_changes.newTasks;
    } else if (const auto task = taskOf(event.payload)) {
        if (*task < m_changes.firstNewTask)
            m_changes.tasks.push_back(*task);
        if (!m_shortCommands.empty() && std::holds_alternative<TaskChanged>(event.payload))
            m_shortCommands.erase(*task);
    } else if (std::holds_alternative<RunOpened>(event.payload)) {
        m_changes.run = true;
        m_changes.processors = true;
        m_changes.allTasks = m_changes.allTasks || m_changes.firstNewTask.value() != 0;
    } else if (std::holds_alternative<RunClosed>(event.payload)) {
        m_changes.run = true;
    } else if (!std::holds_alternative<Notice>(event.payload)) {
        m_changes.processors = true;
    }
}

void Session::finishBatch(const EventBatch& batch)
{
    for (const ShortCommand& command : batch.shortened)
        m_shortCommands[command.task] = command.bytes;
}

void Session::scheduleAnnouncement()
{
    if (m_frameTimer.isActive())
        return;
    const SteadyTime now = m_clock.now();
    const auto due = m_lastAnnounced ? *m_lastAnnounced + m_pace.frame : now;
    m_frameTimer.start(std::chrono::ceil<std::chrono::milliseconds>(
        std::max(due - now, SteadyTime::duration::zero())));
}

void Session::announceNow()
{
    m_frameTimer.stop();
    if (m_changes.empty())
        return;
    ChangeSet changes = std::exchange(m_changes, ChangeSet{});
    m_changes.firstNewTask = TaskId(static_cast<std::uint32_t>(m_state->tasks().size()));
    if (changes.allTasks)
        changes.tasks.clear();
    std::ranges::sort(changes.tasks);
    changes.tasks.erase(std::unique(changes.tasks.begin(), changes.tasks.end()),
                        changes.tasks.end());
    m_lastAnnounced = m_clock.now();
    Q_EMIT changed(changes);
}

/// @return what is still to be shown of the connection
std::optional<ConnectionStatus> Session::forgetPending()
{
    std::optional<ConnectionStatus> status;
    std::size_t batches = 0;
    for (Pending& pending : std::exchange(m_pending, {})) {
        batches += pending.batch ? 1U : 0U;
        if (pending.status)
            status = std::move(pending.status);
    }
    m_sliceTimer.stop();
    m_source->release(batches);
    return status;
}

void Session::clear()
{
    Q_EMIT aboutToReset();
    const std::optional<ConnectionStatus> status = forgetPending();
    m_frameTimer.stop();
    dropState();
    m_changes = {};
    m_shortCommands.clear();
    m_applied = 0;
    m_target.reset();
    m_loadedFrom = 0;
    for (EventSink* sink : m_sinks)
        sink->reset();
    if (kind() == SourceKind::RunFile)
        m_wall = {};
    const bool wasDamaged = !m_damage.isEmpty();
    m_damage.clear();
    Q_EMIT wasReset();
    if (wasDamaged)
        Q_EMIT damageChanged();
    if (status)
        showStatus(*status);
}

void Session::setDamage(QString text)
{
    m_damage = std::move(text);
    const std::optional<ConnectionStatus> status = forgetPending();
    m_loading = false;
    announceNow();
    Q_EMIT loadingChanged();
    Q_EMIT damageChanged();
    if (status)
        showStatus(*status);
}

} // namespace tasuki
