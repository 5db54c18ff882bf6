// SPDX-License-Identifier: GPL-3.0-or-later
#include "masterpost.h"

#include "succession.h"

#include "launch/exitreport.h"
#include "report/cpslog.h"
#include "startup/exitcode.h"
#include "startup/ranksignals.h"
#include "startup/terminal.h"
#include "startup/version.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <span>
#include <utility>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds progressTick{100};
constexpr std::chrono::seconds goingOnTick{10};

/// @return a term that no master before a successor has had: as many as it knows to be lost; each of them is one
Term lostIn(const MasterPost::Setup& setup)
{
    std::uint32_t lost = 0;
    if (!setup.lostSince)
        return {};
    for (std::uint32_t number = 0; number < setup.view.processorCount(); ++number)
        lost += isUnreachable(setup.view.member(ProcessorId(number)).health) ? 1U : 0U;
    return Term(lost);
}

const char* phaseText(farm::Master::Phase phase)
{
    switch (phase) {
    case farm::Master::Phase::Draining: return "finishing";
    case farm::Master::Phase::Killing: return "killing";
    default: return "";
    }
}

} // namespace

MasterPost::MasterPost(Setup setup, Transport& transport, const Clock& clock, Reactor& reactor,
                       OrderDesk& orders)
    : m_options(std::move(setup.options)),
      m_launch(std::move(setup.launch)),
      m_plan(std::move(setup.plan)),
      m_recovery(setup.recovery),
      m_endsAt(setup.endsAt),
      m_serve(std::move(setup.serve)),
      m_transport(transport),
      m_clock(clock),
      m_reactor(reactor),
      m_progressTimer(reactor),
      m_goingOnTimer(reactor),
      m_reporter(m_plan.state, clock, reporting()),
      m_output({.options = m_options.output,
                .quiet = m_options.quiet,
                .epoch = m_plan.epoch,
                .printed = std::move(setup.printed)},
               m_plan.state, transport, clock, m_reporter,
               [this](Rank rank) { return holderOf(rank); }),
      m_recorder(std::make_unique<Recorder>(
          m_plan.epoch, clock,
          [this](std::span<const Event> events) { return m_plan.file.append(events); },
          [&reactor](std::function<void()> work) { reactor.post(std::move(work)); },
          Recorder::Options{.after = m_plan.file.lastEvent(), .elapsed = m_plan.elapsed})),
      m_copies(copiesOf(setup, std::max(m_plan.term, lostIn(setup)))),
      m_master(mastering(std::max(m_plan.term, lostIn(setup))), m_plan.state, transport, journal(),
               clock, observer()),
      m_system(
          ownGroup(setup, transport.self()), setup.view, setup.layout, m_master,
          [this](const std::string& line) { m_reporter.say(line); }, restarter()),
      m_commands(m_plan.state, commandPorts(orders))
{
    sayBeginning();
    m_output.viewChanged(setup.view);
    if (!m_copies)
        openLink();
    if (setup.lostSince)
        goOn(setup);
    else
        m_master.open(openingOf(setup));
    if (m_copies)
        m_copies->changed(setup.view);
    if (!m_linkOpened && m_copies->settled())
        openLink();
}

MasterPost::~MasterPost() { *m_alive = false; }

void MasterPost::hold(bool held)
{
    if (m_words.held() == held)
        return;
    m_recorder->hold(held);
    if (m_link)
        m_link->hold(held);
    m_words.hold(held);
}

void MasterPost::drop()
{
    m_plan.file.revoke(); // so that a commit that is under way fails soon, and is not tried again
    m_recorder->drop();
    m_plan.file.drop();
    if (m_link)
        m_link->drop();
    m_reporter.makeRoom();
}

/// With what the last master has begun and promised.
void MasterPost::goOn(const Setup& setup)
{
    sayGoingOn();
    m_master.takeOver(openingOf(setup), std::exchange(m_plan.started, {}));
    m_system.takenOver(m_plan.state.ending());
    m_commands.promise(openOrders(m_plan.state.system(), setup.view), setup.view);
}

void MasterPost::viewChanged(const hierarchy::MembershipView& view)
{
    m_words.take([this, view] {
        m_system.changed(view);
        if (m_copies)
            m_copies->changed(view);
        m_output.viewChanged(view);
        m_commands.viewChanged(view);
    });
}

void MasterPost::orderGivenUp(const hierarchy::TableOrder& order, const Phrase& reason)
{
    const auto any = [](const auto& wanted) { return hierarchy::Order(wanted); };
    m_system.givenUp(std::visit(any, order), reason);
}

void MasterPost::overlapTold(const hierarchy::Overlap& overlap,
                             std::optional<std::chrono::nanoseconds> lostFor)
{
    m_words.take([this, overlap, lostFor] { m_system.overlapped(overlap, lostFor); });
}

/// The first master leads the ranks of its own subcluster itself; when another one goes on, group schedulers
/// lead all.
std::optional<SubclusterId> MasterPost::ownGroup(const Setup& setup, ProcessorId self)
{
    return setup.lostSince ? std::nullopt : std::optional(setup.view.subclusterOf(self));
}

std::unique_ptr<RecordCopies> MasterPost::copiesOf(const Setup& setup, Term term)
{
    if (!setup.copies)
        return nullptr;
    return std::make_unique<RecordCopies>(
        RecordCopies::Setup{.reach = setup.copies->reach,
                            .record = setup.copies->record,
                            .run = m_plan.file.run(),
                            .term = setup.lostSince ? term : Term{},
                            .recorded = m_plan.file.lastEvent()},
        *m_recorder, m_transport, m_clock, m_reactor, [this](Severity severity, std::string text) {
            m_master.record({Notice{.severity = severity, .text = std::move(text)}});
        });
}

void MasterPost::receiveOfRecord(ProcessorId from, replica::CopyWord word)
{
    if (!m_copies)
        return;
    m_words.take([this, from, word = std::move(word)]() mutable {
        m_copies->receive(from, std::move(word));
    });
}

RunReporter::Options MasterPost::reporting() const
{
    return {.quiet = m_options.quiet,
            .columns = launchTerminalColumns(),
            .command = nameOf(m_options),
            .kept = isKept(m_options)};
}

/// @param term  greater than that of every master that was lost, also of one that has recorded
///               nothing
farm::MasterOptions MasterPost::mastering(Term term) const
{
    return {.run = m_plan.file.run(),
            .directory = m_plan.directory,
            .staysOpen = m_options.serve,
            .only = m_options.only,
            .taskDefaults = {.retries = m_options.retries, .timeout = m_options.timeout},
            .scheduling = {},
            .term = term,
            .endsAt = m_endsAt ? std::optional(m_clock.now() + (*m_endsAt - m_clock.wallNow()))
                               : std::nullopt,
            .elapsed = std::chrono::floor<std::chrono::microseconds>(m_plan.elapsed)};
}

/// The former master may have told `launch` its end, or may do so when a network is back.
void MasterPost::sayGoingOn()
{
    reportGoingOn(m_launch);
    m_goingOnTimer.startAfter(goingOnTick, [this] { sayGoingOn(); });
}

farm::MasterObserver MasterPost::observer()
{
    return {.published =
                [this](const Event& event) {
                    if (const auto* closed = std::get_if<RunClosed>(&event.payload))
                        m_elapsed = closed->elapsed;
                    if (std::holds_alternative<RunOpened>(event.payload) && isKept(m_options))
                        reportRecording(m_launch,
                                        std::filesystem::absolute(m_options.runFile).string());
                    if (const auto* ended = std::get_if<AttemptFinished>(&event.payload))
                        m_endsOfLife += ended->disposition == Disposition::Final ? 1U : 0U;
                    m_output.published(event);
                    m_programs.published(event);
                    m_reporter.published(event);
                    m_system.published(event);
                },
            .committed =
                [this](std::vector<Event> events) {
                    if (m_link)
                        m_link->published(std::move(events));
                },
            .stalled =
                [this](const std::optional<Error>& error) {
                    lookAtRecord();
                    if (!m_recordLost.empty())
                        return; // it does not go on by itself
                    m_stall = error ? error->text() : std::string();
                    m_reporter.stalled(error);
                },
            .told = [this] { return m_output.told(); },
            .order =
                [this](const OperatorCommand& command, const std::string& who,
                       SystemCommands::Reply reply) {
                    m_commands.carryOut(command, who, std::move(reply));
                }};
}

SystemRecord::Restarter MasterPost::restarter() const
{
    if (!isKept(m_options))
        return {.runFile = {}, .kept = false};
    return {.runFile = std::filesystem::absolute(m_options.runFile).string(),
            .tell = [this](const RestartTerms& terms) { reportRestartTerms(m_launch, terms); }};
}

SystemCommands::Ports MasterPost::commandPorts(OrderDesk& orders)
{
    const auto whileAlive = [alive = m_alive](SystemCommands::Answer answer) {
        return [alive, answer = std::move(answer)](const Result<void>& result) {
            if (*alive)
                answer(result);
        };
    };
    return {.order =
                [&orders, whileAlive](hierarchy::Order order, SystemCommands::Answer answer) {
                    orders.order(std::move(order), whileAlive(std::move(answer)));
                },
            .changeSettings =
                [&orders, whileAlive](hierarchy::Settings settings, SystemCommands::Answer answer) {
                    orders.changeSettings(settings, whileAlive(std::move(answer)));
                },
            .layOut = [this](SystemLaidOut now) { return m_system.layOut(std::move(now)); },
            .givenUp = [this](const hierarchy::Order& order,
                              const Phrase& reason) { m_system.givenUp(order, reason); },
            .kept = isKept(m_options)};
}

/// What is recorded first; nothing can be behind the end of a run.
std::vector<EventPayload> MasterPost::openingOf(const Setup& setup)
{
    std::vector<EventPayload> opening = std::exchange(m_plan.opening, {});
    if (!setup.lostSince) {
        std::vector<EventPayload> system = m_system.opening();
        opening.insert(opening.begin() + 1, std::make_move_iterator(system.begin()),
                       std::make_move_iterator(system.end())); // after RunOpened
    } else if (!m_plan.state.closed()) {
        opening = successionEvents(
            m_plan.state.system(), setup.view,
            {.successor = m_transport.self(),
             .now = m_clock.wallNow(),
             .takeover = measured(m_clock.now() - *setup.lostSince),
             .ofItself = m_plan.state.system().master() == m_transport.self()});
        if (setup.copies && !setup.copies->record.original)
            opening.emplace_back(Notice{
                .severity = Severity::Warning,
                .text = RecordCopies::firstWords(setup.copies->reach, setup.copies->record)});
    }
    return opening;
}

void MasterPost::sayBeginning()
{
    if (!m_recovery && m_transport.size() > 1) {
        m_reporter.say("started without recovery: the loss of any rank ends the whole run"
                       + std::string(isKept(m_options) ? " (it can be resumed)" : "")
                       + "; tasuki-agent launch starts it so that it goes on");
    }
}

/// Before the first task starts: who sees the run begin can look at it. Of a record that others keep
/// copies of, windows are shown nothing before all know that this one goes on.
void MasterPost::openLink()
{
    m_linkOpened = true;
    Result<std::unique_ptr<WindowLink>> opened = WindowLink::open(
        {.run = m_plan.file.run(),
         .epoch = m_plan.epoch,
         .runFile = std::filesystem::absolute(m_options.runFile),
         .title = m_options.serve ? "serve" : m_options.taskList.value_or(m_options.runFile),
         .directory = m_plan.directory,
         .programVersion = programVersion,
         .serve = m_options.serve,
         .tcp = m_options.listen,
         .accessDirectory = {},
         .socketDirectory = {},
         .limits = {}},
        m_reactor, m_master, m_plan.state, m_clock,
        [this](const std::string& line) { m_reporter.say(line); }, m_serve);
    if (opened)
        m_link = std::move(*opened);
    else
        m_reporter.say("windows cannot connect: " + opened.error().text());
}

void MasterPost::receive(ProcessorId from, farm::Envelope envelope)
{
    m_words.take([this, from, envelope = std::move(envelope)]() mutable {
        m_master.receive(from, std::move(envelope));
    });
}

void MasterPost::outputFetched(farm::OutputFetched message)
{
    m_words.take(
        [this, message = std::move(message)]() mutable { m_output.fetched(std::move(message)); });
}

void MasterPost::programShown(const worldhost::ProgramShown& word)
{
    m_words.take([this, word] {
        m_programs.shown(word.program, m_clock.now());
        if (word.program.replayed || word.replayTook)
            m_master.replays(word.program.rank, AttemptNumber(word.life),
                             word.replayTook.value_or(notKnown));
    });
}

void MasterPost::interrupt(int number)
{
    const farm::Master::Phase before = m_master.phase();
    if (number == SIGHUP && before >= farm::Master::Phase::Draining)
        return; // a terminal that closes says so several times: the kernel does, and the shell
    m_master.interrupt();
    if (asksToKill(number))
        m_master.interrupt();
    m_reporter.setPhase(phaseText(m_master.phase()));
    if (m_master.phase() == before)
        return;
    // The progress line may be too narrow for it.
    if (m_master.phase() == farm::Master::Phase::Draining)
        m_reporter.say("no new tasks start, running ones finish; Ctrl-C again kills them");
    else if (m_master.phase() == farm::Master::Phase::Killing)
        m_reporter.say("running tasks are killed");
}

bool MasterPost::poll()
{
    if (m_words.held())
        return false;
    const bool moved = m_master.poll();
    if (m_master.phase() == farm::Master::Phase::Killing)
        m_output.giveUp("the run was interrupted");
    const bool printed = m_output.poll();
    if (m_copies)
        m_copies->poll();
    if (!m_linkOpened && m_copies->settled())
        openLink();
    tellWindows();
    if (!m_progressTimer.running())
        m_progressTimer.startAfter(progressTick, [this] {
            lookAtRecord();
            m_reporter.tick();
        });
    return moved || printed;
}

std::optional<ProcessorId> MasterPost::holderOf(Rank rank) const
{
    const auto& members = m_master.roster().members();
    const auto member = members.find(rank);
    if (member == members.end() || member->second.state != farm::Member::State::Present)
        return std::nullopt;
    return member->second.holder;
}

void MasterPost::lookAtRecord()
{
    const auto trouble = m_plan.file.trouble();
    if (!trouble || trouble->words == m_recordTrouble)
        return;
    m_recordTrouble = trouble->words;
    if (trouble->fatal) {
        m_recordLost = trouble->words;
        m_succeeded = trouble->succeeded;
    } else if (!ending()) { // which tells people, too
        m_master.record({Notice{.severity = Severity::Failure, .text = trouble->words}});
    }
}

/// @return whether the run file is the whole record under its name
bool MasterPost::closeRecord()
{
    if (const Result<void> closed = m_plan.file.close(); !closed)
        m_reporter.say("the record is whole, but stays as it was shipped: "
                       + closed.error().text());
    const auto trouble = m_plan.file.trouble();
    if (trouble)
        m_reporter.say(trouble->words);
    return !trouble;
}

void MasterPost::tellWindows()
{
    if (m_link) {
        m_link->tick(m_clock.now(), m_clock.wallNow(), m_recorder->uncommitted(), m_recovery,
                     m_stall, m_programs.current(m_clock.now()));
    }
}

void MasterPost::abandon(const std::string& reason)
{
    m_reporter.say(reason + ": tasks are killed, "
                   + (isKept(m_options) ? "the run can be resumed" : "and no record is kept"));
}

bool MasterPost::ending() const { return m_master.phase() >= farm::Master::Phase::Dismissing; }

void MasterPost::finish(SessionEnd& end)
{
    end.losses = end.losses || m_master.losses();
    const RunState& state = m_plan.state;
    m_output.finish();
    if (m_link)
        m_link->close(m_master.end() == RunEnd::Complete && !end.abandoned ? "the run is complete"
                          : isKept(m_options) ? "the run has ended and can be resumed"
                                              : "the run has ended, and no record is kept");
    if (m_words.held())
        m_recorder->drop();
    m_recorder.reset(); // commits what is left
    const bool unfinished = m_master.end() == RunEnd::Interrupted || m_options.serve;
    if (m_system.startsAgain() && unfinished && !end.abandoned)
        end.exitCode = toInt(ExitCode::Restart);
    else if (end.abandoned || m_master.end() == RunEnd::Interrupted)
        end.exitCode = toInt(ExitCode::Interrupted);
    else if (state.count(TaskState::Failed) + state.count(TaskState::Skipped)
                 + state.count(TaskState::Cancelled)
             != 0)
        end.exitCode = toInt(ExitCode::TasksFailed);
    else if (m_output.incomplete())
        end.exitCode = toInt(ExitCode::OutputCut);
    decideOnRequeue(end);
    if (!end.abandoned)
        writeLog();
    m_reporter.finish(m_options.runFile);
    const bool copied = m_copies && isKept(m_options);
    if (const std::string words = copied ? m_copies->lastWords() : std::string(); !words.empty())
        m_reporter.say(words);
    if (!closeRecord())
        end.exitCode = toInt(ExitCode::RunFileUnusable);
}

/// A run that gets nothing done, time after time, is not what the user meant.
void MasterPost::decideOnRequeue(SessionEnd& end)
{
    if (!m_options.requeue || end.exitCode != toInt(ExitCode::Interrupted))
        return;
    end.onlyIfPreempted = !m_master.endedByAllocation();
    end.requeue = end.onlyIfPreempted || m_endsOfLife != 0 || !m_plan.fruitless;
    if (!end.requeue)
        m_reporter.say("the job is not requeued: no task has ended in two allocations in a row; "
                       "they may be too short for a task that is left");
}

void MasterPost::writeLog()
{
    if (!m_options.cpsLog)
        return;
    std::size_t slots = 0;
    for (const auto& [rank, processor] : m_plan.state.processors())
        slots += processor.slots;
    const std::string text = cpsLogText(
        m_plan.state, {.processes = m_transport.size(), .slots = slots, .elapsed = m_elapsed});
    if (const Result<void> written = writeCpsLog(*m_options.cpsLog, text); !written)
        m_reporter.say(written.error().text());
}

} // namespace tasuki
