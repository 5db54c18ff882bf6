// SPDX-License-Identifier: GPL-3.0-or-later
#include "farmsession.h"

#include "exitcode.h"
#include "terminal.h"
#include "version.h"

#include "hierarchy/rankchanges.h"
#include "keeping/firstpicture.h"
#include "keeping/layoutevent.h"
#include "report/cpslog.h"

#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iterator>
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
constexpr ProcessorId masterProcessor{0};
/// What a worker may be late for it to be cautious: half of the silence that makes it lost.
constexpr int cautiousShare = 2;

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
      m_first(firstPicture(m_setup.system.topology, m_setup.system.layout)),
      m_host(hostIdentity()),
      m_reactor(clock),
      m_poll([this] { return pollOnce(); }),
      m_progressTimer(m_reactor),
      m_stopTimer(m_reactor),
      m_signals(m_reactor.context(), [this](int number) { takeSignal(number); }),
      m_launcher(m_reactor.context(), m_setup.launch, [this](const char* what) { abandon(what); }),
      m_problems([this](const std::string& line) {
          std::fprintf(stderr, "tasuki: processor %u: %s\n", m_transport.self().value(),
                       line.c_str());
      })
{
    m_transport.setHandler(
        [this](ProcessorId from, const Message& bytes) { receive(from, bytes); });
    // Before it says a word: it may die first.
    if (m_setup.master)
        watchMaster(*m_setup.master);
    makeWorker();
}

FarmSession::~FarmSession() = default;

Result<control::ControlAddress> FarmSession::openKeeper()
{
    const std::string& ownHost = m_setup.system.hosts[m_transport.self().value()];
    const bool otherHosts = std::ranges::any_of(
        m_setup.system.hosts, [&ownHost](const std::string& host) { return host != ownHost; });
    Result<std::unique_ptr<KeeperThread>> opened = KeeperThread::open(
        {.self = m_transport.self(),
         .picture = m_first,
         .options = {.replacesSilentMaster = false}, // without processor 0 the farm ends
         .key = m_setup.briefing.key,
         .epoch = m_setup.briefing.epoch,
         .otherHosts = otherHosts},
        [this](std::function<void()> work) { m_reactor.post(std::move(work)); }, keeperCallbacks());
    if (!opened)
        return opened.error();
    m_keeper = std::move(*opened);
    return m_keeper->address();
}

KeeperThread::Callbacks FarmSession::keeperCallbacks()
{
    return {
        .changed = [this](const hierarchy::Picture& picture) { pictureChanged(picture); },
        .holding =
            [this](const std::optional<hierarchy::Holding>& holding) { holdingChanged(holding); },
        .letGo = [this](const hierarchy::Holding& holding) { m_letGo = holding; },
        .fenced =
            [this] {
                m_losses = true;
                abandon("the other processors have given this one up");
            },
        .missing =
            [this](const std::vector<ProcessorId>& processors) {
                if (m_system)
                    m_system->missing(processors);
            },
        .lengthened =
            [this](std::chrono::nanoseconds by) {
                if (m_system)
                    m_system->lengthened(by, m_clock.now());
            },
        .givenUp =
            [this](const hierarchy::TableOrder&, const std::string& reason) {
                if (m_system)
                    m_system->givenUp(reason);
            },
        .problem = [this](const Error& error) { m_problems.note(error, m_clock.now()); }};
}

SessionEnd FarmSession::run(const std::vector<control::ControlAddress>& addresses)
{
    if (m_setup.plan)
        makeMaster(addresses);
    m_keeper->begin(addresses);
    m_keeper->setReadiness(hierarchy::Readiness::Ready);
    m_reactor.add(m_poll);
    m_reactor.run();
    m_reactor.remove(m_poll);
    m_keeper->leave();

    SessionEnd end;
    end.abandoned = m_abandoned;
    if (m_master) {
        finishAsMaster(end);
    } else {
        end.losses = m_losses || m_worker->losses() || m_abandoned;
        end.exitCode = m_worker->end() == farm::WorkerEnd::Dismissed ? toInt(ExitCode::Success)
                                                                     : toInt(ExitCode::NoReport);
    }
    return end;
}

void FarmSession::pictureChanged(const hierarchy::Picture& picture)
{
    std::size_t away = 0;
    for (std::uint32_t number = 0; number < picture.processorCount(); ++number) {
        const Health health = picture.member(ProcessorId(number)).health;
        m_losses = m_losses || health == Health::Lost || health == Health::Fenced;
        away += health >= Health::Condemned ? 1U : 0U;
    }
    m_problems.lost(away, m_clock.now());
    m_post->changed(picture);
    if (m_system)
        m_system->changed(picture);
    else if (isAway(picture.member(masterProcessor).health))
        abandon("processor 0 is lost");
}

bool FarmSession::isRank(SeatId seat) const
{
    return m_setup.system.layout.seats[seat.value()].kind == SeatKind::Active;
}

void FarmSession::holdingChanged(const std::optional<hierarchy::Holding>& holding)
{
    if (holding && isRank(holding->seat))
        m_worker->take(
            {.rank = hierarchy::rankOf(holding->seat), .incarnation = holding->incarnation});
    else
        m_worker->drop();
}

void FarmSession::makeMaster(const std::vector<control::ControlAddress>& addresses)
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
        .staysOpen = m_setup.options.serve,
        .taskDefaults = {.retries = m_setup.options.retries, .timeout = m_setup.options.timeout},
        .scheduling = {}};
    m_master = std::make_unique<farm::Master>(
        std::move(options), plan.state, m_transport, *m_recorder, m_clock,
        farm::MasterObserver{.published =
                                 [this](const Event& event) {
                                     if (const auto* closed = std::get_if<RunClosed>(
                                             &event.payload))
                                         m_elapsed = closed->elapsed;
                                     m_reporter->published(event);
                                     m_system->published(event);
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
                             .order =
                                 [this](const OperatorCommand& command, const std::string& who,
                                        SystemCommands::Reply reply) {
                                     m_commands->carryOut(command, who, std::move(reply));
                                 }});
    makeSystem(addresses);
    sayBeginning();
    openLink();
    m_master->open(std::exchange(plan.opening, {}));
}

/// What brings the master and the failure hierarchy together.
void FarmSession::makeSystem(const std::vector<control::ControlAddress>& addresses)
{
    RunPlan& plan = *m_setup.plan;
    m_system = std::make_unique<SystemRecord>(
        m_transport.self(), m_first, layoutEvent(m_setup.system, addresses), *m_master,
        [this](const std::string& line) { m_reporter->say(line); },
        SystemRecord::Restarter{
            .runFile = std::filesystem::absolute(m_setup.options.runFile).string(),
            .tell = [this](const RestartTerms& t) { reportRestartTerms(m_setup.launch, t); }});
    std::vector<EventPayload> system = m_system->opening();
    plan.opening.insert(plan.opening.begin() + 1, std::make_move_iterator(system.begin()),
                        std::make_move_iterator(system.end())); // after RunOpened
    m_commands = std::make_unique<SystemCommands>(
        plan.state,
        SystemCommands::Ports{
            .order =
                [this](hierarchy::Order order, SystemCommands::Answer answer) {
                    m_keeper->order(std::move(order), std::move(answer));
                },
            .changeSettings =
                [this](hierarchy::Settings settings, SystemCommands::Answer answer) {
                    m_keeper->changeSettings(settings, std::move(answer));
                },
            .layOut = [this](SystemLaidOut now) { return m_system->layOut(std::move(now)); }});
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
    const config::Topology& topology = m_setup.system.topology;
    farm::WorkerIdentity identity{.epoch = m_setup.briefing.epoch,
                                  .host = m_host.name,
                                  .pid = ::getpid(),
                                  .slotCount = m_setup.slots,
                                  .cautiousAfter = topology.heartbeat * topology.lostAfter
                                      / cautiousShare};
    m_worker = std::make_unique<farm::Worker>(
        std::move(identity), m_transport, m_clock, masterProcessor,
        [this](Rank rank, const farm::Welcome& welcome) {
            return m_setup.makeExecutor(m_reactor, rank, welcome);
        });
    m_post = std::make_unique<CrewPost>(
        CrewPost::Setup{.epoch = m_setup.briefing.epoch, .master = masterProcessor}, m_first,
        *m_worker, m_transport, m_clock);
}

/// A rank that is to be given on is free when nothing of it lives here any more.
void FarmSession::lookAtLetGo()
{
    if (!m_letGo
        || (isRank(m_letGo->seat)
            && !m_worker->hasStopped({hierarchy::rankOf(m_letGo->seat), m_letGo->incarnation})))
        return;
    m_keeper->hasStopped(*m_letGo);
    m_letGo.reset();
}

void FarmSession::receive(ProcessorId from, const Message& bytes)
{
    Result<farm::Envelope> envelope = farm::decode(bytes);
    if (!envelope) {
        std::fprintf(stderr, "tasuki: processor %u: message of processor %u dropped: %s\n",
                     m_transport.self().value(), from.value(), envelope.error().text().c_str());
        return;
    }
    const bool ofCrew = envelope->crew.has_value();
    const bool up = farm::goesUp(envelope->message);
    if (std::holds_alternative<farm::Goodbye>(envelope->message) && from == masterProcessor)
        m_post->dismiss();
    if (up && m_master)
        m_master->receive(from, std::move(*envelope));
    else if (up || ofCrew)
        m_post->receive(from, std::move(*envelope));
    else
        m_worker->receive(from, std::move(*envelope));
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
    m_masterWatch = std::make_unique<ProcessWatch>(m_reactor.context(), pid,
                                                   [this] { abandon("processor 0 is gone"); });
}

void FarmSession::abandon(const char* reason)
{
    const bool leaving = m_master ? m_master->phase() >= farm::Master::Phase::Dismissing
                                  : m_worker->over();
    if (m_abandoned || leaving)
        return;
    m_abandoned = true;
    if (m_reporter)
        m_reporter->say(std::string(reason) + ": tasks are killed, the run can be resumed");
    m_worker->abandon();
}

bool FarmSession::pollOnce()
{
    m_keeper->turned();
    lookAtLetGo();
    m_problems.tick(m_clock.now());
    bool moved = m_transport.poll();
    moved = m_post->poll() || moved;
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
    return m_abandoned || !m_master ? m_worker->over() : m_master->over();
}

void FarmSession::finishAsMaster(SessionEnd& end)
{
    end.losses = m_losses || m_master->losses() || m_abandoned;
    const RunState& state = m_setup.plan->state;
    if (m_link)
        m_link->close(m_master->end() == RunEnd::Complete ? "the run is complete"
                                                          : "the run has ended and can be resumed");
    m_recorder.reset(); // commits what is left
    const bool unfinished = m_master->end() == RunEnd::Interrupted || m_setup.options.serve;
    if (m_system->startsAgain() && unfinished && !m_abandoned)
        end.exitCode = toInt(ExitCode::Restart);
    else if (m_abandoned || m_master->end() == RunEnd::Interrupted)
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

} // namespace tasuki
