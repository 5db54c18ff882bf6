// SPDX-License-Identifier: GPL-3.0-or-later
#include "farmsession.h"

#include "exitcode.h"
#include "terminal.h"
#include "version.h"

#include "report/cpslog.h"

#include <boost/asio/io_context.hpp>

#include <csignal>
#include <filesystem>
#include <span>
#include <utility>

#include <unistd.h>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds progressTick{100};
/// The last messages get so long to leave this processor.
constexpr std::chrono::seconds farewell{2};
/// mpirun ends all ranks at once: rank 0 may still want to record how this one's attempts ended.
constexpr std::chrono::seconds ordersPatience{1};
constexpr Rank masterRank{0};

const char* phaseText(farm::Master::Phase phase)
{
    switch (phase) {
    case farm::Master::Phase::Draining: return "finishing, interrupt again to kill";
    case farm::Master::Phase::Killing: return "killing";
    default: return "";
    }
}

} // namespace

FarmSession::FarmSession(Setup setup, Transport& transport, const Clock& clock)
    : m_setup(std::move(setup)),
      m_transport(transport),
      m_clock(clock),
      m_host(hostIdentity()),
      m_reactor(clock),
      m_poll([this] { return pollOnce(); }),
      m_progressTimer(m_reactor),
      m_stopTimer(m_reactor),
      m_signals(m_reactor.context(), [this](int number) { takeSignal(number); }),
      m_launcher(m_reactor.context(), m_setup.launch, [this](const char* what) { abandon(what); })
{
    m_transport.setHandler([this](Rank from, const Message& bytes) { receive(from, bytes); });
    // Before it says a word: it may die first.
    if (m_setup.master)
        watchMaster(*m_setup.master);
    if (m_setup.plan)
        makeMaster();
    if (m_setup.slots > 0)
        makeWorker();
}

FarmSession::~FarmSession() = default;

SessionEnd FarmSession::run()
{
    if (m_worker)
        m_worker->start();
    m_reactor.add(m_poll);
    m_reactor.run();
    m_reactor.remove(m_poll);

    SessionEnd end;
    end.abandoned = m_abandoned;
    if (m_master) {
        finishAsMaster(end);
    } else if (m_worker) {
        end.losses = m_worker->losses() || m_abandoned;
        end.exitCode = m_worker->end() == farm::WorkerEnd::Dismissed ? toInt(ExitCode::Success)
                                                                     : toInt(ExitCode::NoReport);
    }
    return end;
}

void FarmSession::makeMaster()
{
    RunPlan& plan = *m_setup.plan;
    m_reporter = std::make_unique<RunReporter>(
        plan.state, m_clock,
        RunReporter::Options{.quiet = m_setup.options.quiet,
                             .columns = launchTerminalColumns(),
                             .command = m_setup.options.serve ? "serve" : "farm"});
    m_recorder = std::make_unique<Recorder>(
        plan.epoch, m_clock,
        [&file = plan.file](std::span<const Event> events) { return file.append(events); },
        [this](std::function<void()> work) { m_reactor.post(std::move(work)); },
        Recorder::Options{});

    farm::MasterOptions options{
        .run = plan.file.run(),
        .directory = plan.directory,
        .host = m_host.name,
        .hostKey = m_host.key,
        .lostAfter = m_setup.options.lostAfter,
        .workers = {},
        .staysOpen = m_setup.options.serve,
        .taskDefaults = {.retries = m_setup.options.retries, .timeout = m_setup.options.timeout},
        .scheduling = {}};
    const int first = m_setup.options.dedicatedMaster ? 1 : 0;
    for (int rank = first; rank < static_cast<int>(m_transport.size()); ++rank)
        options.workers.emplace_back(rank);
    m_master = std::make_unique<farm::Master>(
        std::move(options), plan.state, m_transport, *m_recorder, m_clock,
        farm::MasterObserver{
            .published =
                [this](const Event& event) {
                    if (const auto* closed = std::get_if<RunClosed>(&event.payload))
                        m_elapsed = closed->elapsed;
                    m_reporter->published(event);
                },
            .committed =
                [this](std::vector<Event> events) {
                    if (m_link)
                        m_link->published(std::move(events));
                },
            .stalled =
                [this](const std::optional<Error>& error) {
                    m_stall = error ? error->text() : std::string();
                    m_reporter->stalled(error);
                },
            .watch = [this](Rank rank, Incarnation incarnation,
                            std::int64_t pid) { watchWorker(rank, incarnation, pid); }});
    sayBeginning();
    openLink();
    m_master->open(std::exchange(plan.opening, {}));
}

/// Before the first task starts: who sees the run begin can look at it.
void FarmSession::openLink()
{
    const FarmOptions& options = m_setup.options;
    RunPlan& plan = *m_setup.plan;
    Result<std::unique_ptr<WindowLink>> opened = WindowLink::open(
        {.run = plan.file.run(),
         .epoch = plan.epoch,
         .runFile = std::filesystem::absolute(options.runFile),
         .title = options.serve ? "serve" : options.taskList.value_or(options.runFile),
         .directory = plan.directory,
         .programVersion = programVersion,
         .serve = options.serve,
         .tcp = options.listen,
         .accessDirectory = {},
         .socketDirectory = {},
         .limits = {}},
        m_reactor, *m_master, plan.state, m_clock,
        [this](const std::string& line) { m_reporter->say(line); });
    if (opened)
        m_link = std::move(*opened);
    else
        m_reporter->say("windows cannot connect: " + opened.error().text());
}

void FarmSession::tellWindows()
{
    if (m_link) {
        m_link->tick(m_clock.now(), m_clock.wallNow(), m_recorder->uncommitted(), m_setup.recovery,
                     m_stall);
    }
}

void FarmSession::sayBeginning()
{
    if (!m_setup.recovery && m_transport.size() > 1) {
        m_reporter->say("started without recovery: the loss of any rank ends the whole run (it can "
                        "be resumed); tasuki-agent launch starts it so that it goes on");
    }
}

void FarmSession::makeWorker()
{
    farm::WorkerIdentity identity{
        .host = m_host.name, .hostKey = m_host.key, .pid = ::getpid(), .slotCount = m_setup.slots};
    m_worker = std::make_unique<farm::Worker>(
        std::move(identity), m_transport, m_clock, masterRank,
        [this](const farm::Welcome& welcome, Epoch epoch) {
            return m_setup.makeExecutor(m_reactor, m_transport.self(), welcome, epoch);
        });
}

void FarmSession::receive(Rank from, const Message& bytes)
{
    Result<farm::Envelope> envelope = farm::decode(bytes);
    if (!envelope) {
        std::fprintf(stderr, "tasuki: rank %d: message of rank %d dropped: %s\n",
                     m_transport.self().value(), from.value(), envelope.error().text().c_str());
        return;
    }
    const bool forMaster = m_master && farm::isForMaster(envelope->message);
    const bool forWorker = m_worker && from == masterRank && farm::isForWorker(envelope->message);
    if (forMaster && forWorker)
        m_worker->receive(*envelope); // a Beat of this rank to itself
    else if (forWorker)
        m_worker->receive(std::move(*envelope));
    if (forMaster)
        m_master->receive(from, std::move(*envelope));
}

void FarmSession::takeSignal(int number)
{
    // The interrupt of a run is rank 0's affair; the others follow its orders.
    if (m_master) {
        m_master->interrupt();
        if (number == SIGUSR2 || number == SIGTERM)
            m_master->interrupt();
        m_reporter->setPhase(phaseText(m_master->phase()));
    } else if ((number == SIGTERM || number == SIGINT) && !m_stopTimer.running()) {
        m_stopTimer.startAfter(ordersPatience, [this] { abandon("asked to stop"); });
    }
}

void FarmSession::watchMaster(pid_t pid)
{
    m_watches["master"] = std::make_unique<ProcessWatch>(m_reactor.context(), pid,
                                                         [this] { abandon("rank 0 is gone"); });
}

void FarmSession::watchWorker(Rank rank, Incarnation incarnation, std::int64_t pid)
{
    if (rank == m_transport.self())
        return;
    m_watches["rank " + std::to_string(rank.value())] = std::make_unique<ProcessWatch>(
        m_reactor.context(), static_cast<pid_t>(pid),
        [this, rank, incarnation] { m_master->processGone(rank, incarnation); });
}

void FarmSession::abandon(const char* reason)
{
    const bool leaving = m_master ? m_master->phase() >= farm::Master::Phase::Dismissing
                                  : m_worker && m_worker->over();
    if (m_abandoned || leaving)
        return;
    m_abandoned = true;
    if (m_reporter)
        m_reporter->say(std::string(reason) + ": tasks are killed, the run can be resumed");
    if (m_worker)
        m_worker->abandon();
}

bool FarmSession::pollOnce()
{
    bool moved = m_transport.poll();
    if (m_worker)
        moved = m_worker->poll() || moved;
    if (m_master && !m_abandoned) {
        moved = m_master->poll() || moved;
        tellWindows();
        if (!m_progressTimer.running())
            m_progressTimer.startAfter(progressTick, [this] { m_reporter->tick(); });
    }
    if (over()) {
        // The last messages must leave, but a peer that does not take them is not waited for.
        if (!m_overSince)
            m_overSince = m_clock.now();
        if (m_transport.pending() == 0 || m_clock.now() - *m_overSince > farewell)
            m_reactor.stop();
    }
    return moved;
}

bool FarmSession::over() const
{
    const bool workerOver = !m_worker || m_worker->over();
    if (m_abandoned || !m_master)
        return workerOver;
    return m_master->over();
}

void FarmSession::finishAsMaster(SessionEnd& end)
{
    killSilent();
    end.losses = m_master->losses() || m_abandoned;
    const RunState& state = m_setup.plan->state;
    if (m_link)
        m_link->close(m_master->end() == RunEnd::Complete ? "the run is complete"
                                                          : "the run has ended and can be resumed");
    m_recorder.reset(); // commits what is left
    if (m_abandoned || m_master->end() == RunEnd::Interrupted)
        end.exitCode = toInt(ExitCode::Interrupted);
    else if (state.count(TaskState::Failed) + state.count(TaskState::Skipped)
                 + state.count(TaskState::Cancelled)
             != 0)
        end.exitCode = toInt(ExitCode::TasksFailed);
    if (!m_abandoned)
        writeLog();
    m_reporter->finish(m_setup.options.runFile);
}

void FarmSession::writeLog()
{
    if (!m_setup.options.cpsLog)
        return;
    const RunState& state = m_setup.plan->state;
    std::size_t slots = 0;
    for (const auto& [rank, processor] : state.processors())
        slots += processor.slots;
    const std::string text = cpsLogText(
        state, {.processes = m_transport.size(), .slots = slots, .elapsed = m_elapsed});
    if (const Result<void> written = writeCpsLog(*m_setup.options.cpsLog, text); !written)
        m_reporter->say(written.error().text());
}

/// A rank that sleeps on would keep mpirun waiting; its tasks are done elsewhere.
void FarmSession::killSilent()
{
    for (const auto& [rank, member] : m_master->roster().members()) {
        if (member.state == farm::Member::State::Silent && member.sameHost && member.pid > 0)
            ::kill(static_cast<pid_t>(member.pid), SIGKILL);
    }
}

} // namespace tasuki
