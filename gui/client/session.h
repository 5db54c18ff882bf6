// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include "changeset.h"
#include "domain/runstate.h"
#include "eventsink.h"
#include "sessionsource.h"

#include <deque>
#include <unordered_map>

namespace tasuki {

/// How much a session does at a time.
struct SessionPace {
    std::chrono::milliseconds slice{8};    ///< longest time that events are applied in one turn
    std::size_t eventsPerLook = 64;        ///< so many are applied between looks at the clock
    std::size_t eventsPerSlice = SIZE_MAX; ///< most events of a turn
    std::chrono::milliseconds frame{16};   ///< shortest time between announcements
};

/// One opened run as the window sees it. Owns the state, which is made from events alone, applies
/// what arrives in slices between which the event loop turns, and announces what changed at frame
/// rate. GUI thread only.
class Session : public QObject {
    Q_OBJECT
    Q_PROPERTY(double progress READ progress NOTIFY loadingChanged)
    Q_PROPERTY(bool loading READ loading NOTIFY loadingChanged)

public:
    /// @param clock  must outlive the session
    Session(std::unique_ptr<SessionSource> source, const Clock& clock, QObject* parent = nullptr,
            SessionPace pace = {});
    ~Session() override;

    /// Gets every event from now on; add sinks before start(). A sink must outlive the session or
    /// be removed.
    void addSink(EventSink& sink);
    void removeSink(EventSink& sink);
    void start();

    [[nodiscard]] const RunState& state() const { return *m_state; }
    [[nodiscard]] SourceKind kind() const { return m_source->kind(); }
    /// Nobody who takes orders is at the other end, but a record: a run file, or that of a run on another host.
    [[nodiscard]] bool showsRecord() const
    {
        return kind() == SourceKind::RunFile || m_connection.state == ConnectionState::Offline;
    }
    /// Its record is not on this host.
    [[nodiscard]] bool isElsewhere() const { return m_source->isElsewhere(); }
    [[nodiscard]] QString name() const { return m_source->name(); }
    /// A connection that is over is shown as such when state() has all that came over it.
    [[nodiscard]] const ConnectionStatus& connection() const { return m_connection; }
    /// None before the agent has said it. Stays when the connection ends.
    [[nodiscard]] const std::optional<AgentInfo>& agent() const { return m_agent; }
    [[nodiscard]] const std::optional<AgentStatus>& agentStatus() const { return m_agentStatus; }
    /// The events make no sense and nothing more is applied: what went wrong, for people. Empty:
    /// all is well. What was applied before stays; reload() begins anew.
    [[nodiscard]] const QString& damage() const { return m_damage; }
    /// Whether commands can be sent now.
    [[nodiscard]] bool takesCommands() const;

    /// Whether there are events that were there before the session and are not applied yet.
    [[nodiscard]] bool loading() const { return m_loading; }
    /// Share of them that is applied, 0 to 1; below 0: not known.
    [[nodiscard]] double progress() const;
    [[nodiscard]] std::uint64_t eventsApplied() const { return m_applied; }

    /// @return the length of a command of which state() has only the beginning; none: it has all
    [[nodiscard]] std::optional<std::uint64_t> shortCommand(TaskId task) const;

    /// How old what is shown is: since the last sign of life of the agent, or since the last event
    /// of a file was written. None before the first event.
    [[nodiscard]] std::optional<std::chrono::microseconds> dataAge() const;
    /// The time of day by the clock of the system master, as far as it is known: goes on while the
    /// connection is live, stands still at the last sign of life else.
    [[nodiscard]] WallTime runNow() const;
    [[nodiscard]] const Clock& clock() const { return m_clock; }

    /// Each is answered once through `done`, also when the connection ends or takes no commands.
    void sendCommand(OperatorCommand command, CommandDone done);
    void requestOutput(OutputQuery query, OutputDone done);
    /// A task with its whole command; see shortCommand().
    void requestTask(TaskId task, TaskDone done);
    void retryNow() { m_source->retryNow(); }
    /// Forgets all and gets it again.
    void reload();
    /// Announces what was applied since the last announcement: after it, listeners know exactly
    /// what state() says.
    void announceNow();

Q_SIGNALS:
    /// state() has changed. At most once in SessionPace::frame, and by announceNow().
    void changed(const tasuki::ChangeSet& changes);
    /// The state is about to be emptied; it is still whole.
    void aboutToReset();
    /// The state is empty.
    void wasReset();
    void connectionChanged();
    void agentChanged(); ///< agent() or agentStatus()
    void loadingChanged();
    void damageChanged();

private:
    struct Pending {
        SharedBatch batch = {}; ///< null, and no status: all that was there before has come
        std::size_t next = 0;
        std::optional<ConnectionStatus> status = {}; ///< what became of the connection then
    };

    void beginLoading(quint64 toCome);
    void takeBatch(const SharedBatch& batch);
    void takeStatus(const ConnectionStatus& status);
    void showStatus(const ConnectionStatus& status);
    void takeSignOfLife(std::optional<WallTime> agentNow);
    void enqueue(SharedBatch batch);
    void enqueue(Pending pending);
    std::optional<ConnectionStatus> forgetPending();
    void finishBatch(const EventBatch& batch);
    void applySlice();
    bool applyOne(const Event& event);
    void note(const Event& event);
    void rememberTime(const Pending& pending);
    void clear();
    void dropState();
    void scheduleAnnouncement();
    void setDamage(QString text);

    const Clock& m_clock;
    SessionPace m_pace;
    std::unique_ptr<RunState> m_state;
    std::unique_ptr<SessionSource> m_source;
    std::vector<EventSink*> m_sinks;
    std::deque<Pending> m_pending;
    ChangeSet m_changes;
    QTimer m_sliceTimer;
    QTimer m_frameTimer;
    ConnectionStatus m_connection;
    std::optional<AgentInfo> m_agent;
    std::optional<AgentStatus> m_agentStatus;
    QString m_damage;
    std::uint64_t m_applied = 0;
    std::optional<std::uint64_t> m_target; ///< value of m_applied when loaded; none: not known
    std::unordered_map<TaskId, std::uint64_t> m_shortCommands;
    std::optional<SteadyTime> m_lastHeard;
    std::optional<SteadyTime> m_lastAnnounced;
    WallTime m_wall{};       ///< a time by the system master's clock,
    SteadyTime m_wallSeen{}; ///< and when it was heard
    bool m_loading = false;
    std::uint64_t m_loadedFrom = 0;
};

} // namespace tasuki
