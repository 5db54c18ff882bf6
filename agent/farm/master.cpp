// SPDX-License-Identifier: GPL-3.0-or-later
#include "master.h"

#include "assignpacker.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <utility>

namespace tasuki::farm {

namespace {

/// Nothing is handed out while so many events wait for the disk.
constexpr std::size_t mostUncommitted = 200'000;

} // namespace

Master::Master(MasterOptions options, RunState& state, Transport& transport, Journal& journal,
               const Clock& clock, MasterObserver observer)
    : m_transport(transport),
      m_journal(journal),
      m_clock(clock),
      m_observer(std::move(observer)),
      m_master(std::move(options), state, transport, journal, clock),
      m_operations(
          state, m_master.scheduler, journal, m_master.options.taskDefaults,
          {.send = [this](GroupId to,
                          FarmMessage message) { m_master.mail.send(to, std::move(message)); },
           .stopRun =
               [this](bool kill) {
                   interrupt();
                   if (kill && phase() == Phase::Draining)
                       interrupt();
               },
           .refusal = [this](const OperatorCommand& command) { return refusal(command); },
           .recordSkipped = [this] { m_master.attempts.recordSkipped(); },
           .order = m_observer.order}),
      m_ranks(m_master, m_operations),
      m_groups(m_master, m_ranks, m_operations),
      m_worlds(m_master, m_operations, clock),
      m_farewell(transport.size(), m_master.mail),
      m_opened(clock.now() - m_master.options.elapsed)
{
    if (m_master.record.goesOn() && state.closed())
        m_master.course.phase = Phase::Closing; // nothing is recorded behind that
    m_journal.setCallbacks(
        {.committed = [this](std::vector<Event> events) { committed(std::move(events)); },
         .stalled =
             [this](const Error& error) {
                 m_master.record.stalled(error);
                 m_observer.stalled(error);
             },
         .resumed = [this] { recordAgain(); }});
}

void Master::recordAgain()
{
    record({Notice{.severity = Severity::Failure,
                   .text = "for a while the record could not be written: "
                       + m_master.record.resumed()}});
    m_observer.stalled(std::nullopt);
}

void Master::open(std::vector<EventPayload> opening)
{
    assert(!opening.empty() && std::holds_alternative<RunOpened>(opening.front()));
    m_master.record.open(std::move(opening));
}

void Master::takeOver(std::vector<EventPayload> opening, StartedAttempts started)
{
    m_master.course.takesOver = true;
    m_master.attempts.inherit(std::move(started));
    if (const auto& closed = m_master.record.state().closed()) {
        m_master.course.end = closed->end;
        dismiss(); // the last master was about to
        return;
    }
    m_master.record.open(std::move(opening));
    m_ranks.loseUnconfirmed();
}

void Master::receive(ProcessorId from, Envelope envelope)
{
    if (envelope.epoch != m_journal.epoch())
        return; // of an earlier life
    m_worlds.touch();
    if (std::holds_alternative<Left>(envelope.message))
        processorLeft(from);
    else if (envelope.group)
        m_groups.receive(from, std::move(envelope));
    else
        m_ranks.receive(from, std::move(envelope));
}

void Master::processorLost(ProcessorId processor)
{
    m_farewell.lost(processor);
    m_transport.forget(processor);
}

void Master::processorBack(ProcessorId processor)
{
    m_farewell.back(processor);
    m_transport.remember(processor);
}

void Master::processorLeft(ProcessorId processor)
{
    m_farewell.left(processor);
    m_ranks.left(processor);
}

void Master::record(std::vector<EventPayload> events)
{
    if (m_master.course.closing())
        return;
    for (EventPayload& event : events)
        m_master.record.append(std::move(event));
}

void Master::operate(std::string who, OperatorCommand command, Operations::Reply reply)
{
    m_operations.request(std::move(who), std::move(command), std::move(reply));
}

void Master::peek(const OutputQuery& query, std::function<void(OutputAnswer)> answer)
{
    const bool isKnown = query.key.task.value() < m_master.record.state().tasks().size();
    const auto held = isKnown && phase() > Phase::Opening ? m_master.scheduler.held(query.key.task)
                                                          : std::nullopt;
    const WorkerGroup* const group = held ? m_master.roster.group(held->first) : nullptr;
    const bool unheard = group != nullptr && !group->isResynced();
    if (!held || held->second != query.key || unheard || phase() >= Phase::Dismissing) {
        answer(OutputAnswer{.key = query.key});
        return;
    }
    m_master.peeks.ask(++m_lastPeek, held->first, query.key, std::move(answer));
    m_master.mail.send(held->first, Peek{m_lastPeek, query});
}

Phrase Master::refusal(const OperatorCommand& command) const
{
    if (phase() == Phase::Running)
        return {};
    const auto* stop = std::get_if<StopRun>(&command);
    if (stop && stop->kill && phase() == Phase::Draining)
        return {};
    return phase() == Phase::Opening ? Phrase::tr("the run has not begun")
                                     : Phrase::tr("the run is ending");
}

void Master::committed(std::vector<Event> events)
{
    m_worlds.touch();
    for (const Event& event : events) {
        m_master.record.committed(event);
        if (const auto* finished = std::get_if<AttemptFinished>(&event.payload))
            m_master.scheduler.endRecorded(finished->key.task, m_clock.now());
        m_observer.published(event);
        m_operations.committed(event.id);
        if (phase() == Phase::Closing && std::holds_alternative<RunClosed>(event.payload))
            dismiss();
    }
    m_master.attempts.recordSkipped();
    m_operations.recorded();
    m_master.mail.sendNoted(m_master.record.takeNoted());
    m_observer.committed(std::move(events));
}

void Master::beginRunning()
{
    m_master.attempts.begin(m_master.options.only);
    m_worlds.begin();
    m_master.course.phase = Phase::Running;
    if (!m_master.course.takesOver)
        return;
    m_groups.adoptRecorded();
    m_operations.goOnCancelling("processor " + std::to_string(m_transport.self().value()));
    goOnEnding();
    m_groups.answerEarly();
}

/// The end that the last master had begun. Processors have seen the same signals as that one.
void Master::goOnEnding()
{
    std::uint32_t wanted = std::exchange(m_interruptsLater, 0);
    std::optional<SubclusterId> restartFor = m_restartLater;
    if (const std::optional<RunEnding>& ending = m_master.record.state().ending()) {
        wanted = std::max(wanted, ending->kill ? 2U : 1U);
        if (!restartFor)
            restartFor = ending->restartFor;
    }
    for (; wanted > 0; --wanted)
        interrupt(restartFor);
}

bool Master::poll()
{
    m_master.mail.takeSent();
    lookForWorkers();
    if (m_master.course.closing())
        m_operations.refuseAll(Phrase::tr("the run has ended"));
    else if (phase() != Phase::Opening && gathered())
        m_operations.poll();
    if (phase() == Phase::Running && gathered() && !m_master.record.isStalled()
        && m_journal.uncommitted() < mostUncommitted) {
        m_worlds.reserve();
        handOut();
    }
    if ((phase() == Phase::Running || phase() == Phase::Draining) && gathered()
        && !m_master.record.isStalled())
        m_worlds.look();
    lookAtAllocationEnd();
    movePhaseOn();
    if (m_master.scheduler.waitsForRecord() || phase() == Phase::Opening
        || phase() == Phase::Closing)
        m_journal.hurry();
    return m_master.mail.takeSent();
}

void Master::handOut()
{
    const FitTest fit = m_master.attempts.fitTest();
    for (const Assignment& assignment : m_master.scheduler.assignments(m_clock.now(), fit)) {
        AssignPacker packer([this, &assignment](Assign message) {
            m_master.mail.send(assignment.group, std::move(message));
        });
        for (const AttemptKey& key : assignment.keys) {
            const Task& task = m_master.record.state().task(key.task).task;
            packer.add({key, task.command, task.settings});
        }
        packer.flush();
    }
    for (const RecallOrder& order : m_master.scheduler.recalls())
        m_master.mail.send(order.group, Recall{order.count});
}

bool Master::settled() const { return gathered() && m_operations.idle() && m_observer.told(); }

void Master::lookForWorkers()
{
    if (phase() == Phase::Running && !m_holdersAwaited && !m_master.options.staysOpen
        && m_master.scheduler.onlyRanksLeft() && settled()) {
        if (const std::string stranded = m_worlds.stranded(); !stranded.empty()) {
            m_master.record.append(
                Notice{.severity = Severity::Failure,
                       .text = Phrase::tr("%1, which no processor holds; resume the run to go on")(
                           stranded)});
            close(RunEnd::Interrupted);
            return;
        }
    }
    const bool held = m_holdersAwaited || m_master.roster.count(Member::State::Present) != 0
        || m_master.roster.count(Member::State::Expected) != 0;
    const Scheduler& scheduler = m_master.scheduler;
    // What has been done or is not to be done needs nobody; a group scheduler will give back what is
    // outstanding.
    if (held || phase() != Phase::Running || scheduler.complete() || scheduler.outstanding() != 0
        || scheduler.unrecordedEnds() != 0 || !settled())
        return;
    m_master.record.append(
        Notice{.severity = Severity::Failure,
               .text = Phrase::tr("no processor is left to run tasks; resume the run to go on")});
    close(RunEnd::Interrupted);
}

/// Warns, and ends the run in order before its allocation does.
void Master::lookAtAllocationEnd()
{
    AllocationEnd* const allocation = m_master.attempts.allocationEnd();
    if (allocation == nullptr || (phase() != Phase::Running && phase() != Phase::Draining))
        return;
    const SteadyTime now = m_clock.now();
    for (const AllocationEnd::Warning& warning : allocation->warningsDue(now)) {
        if (const auto held = m_master.scheduler.held(warning.key.task))
            m_master.mail.send(held->first,
                               Warn{.keys = {warning.key}, .signalNumber = warning.signalNumber});
    }
    const bool over = now >= allocation->stopAt();
    const bool useless = phase() == Phase::Running && gathered() && m_operations.idle()
        && m_master.scheduler.onlyLate(allocation->stopAt());
    if (!over && !useless)
        return;
    if (phase() == Phase::Running) {
        m_endedByAllocation = true;
        const std::size_t left = m_master.record.state().unfinished();
        m_master.record.append(
            Notice{.severity = Severity::Information,
                   .text = (left == 1 ? Phrase::tr("the allocation ends: interrupted, "
                                                   "%1 task is left")
                                      : Phrase::tr("the allocation ends: interrupted, "
                                                   "%1 tasks are left"))(left)});
        interrupt();
    }
    if (over && phase() == Phase::Draining)
        interrupt();
}

void Master::movePhaseOn()
{
    const Scheduler& scheduler = m_master.scheduler;
    switch (phase()) {
    case Phase::Opening:
        if (m_begun && m_master.record.isOpen())
            beginRunning();
        break;
    case Phase::Running:
        if (m_master.options.staysOpen)
            break;
        if (scheduler.complete() && settled())
            close(RunEnd::Complete);
        else if (!m_master.options.only.empty() && scheduler.exhausted() && settled())
            close(RunEnd::Interrupted);
        break;
    case Phase::Draining:
    case Phase::Killing:
        if (scheduler.outstanding() == 0 && scheduler.unrecordedEnds() == 0 && settled())
            close(scheduler.complete() ? RunEnd::Complete : RunEnd::Interrupted);
        break;
    case Phase::Dismissing:
        if (m_farewell.isOver(m_clock.now()))
            m_master.course.phase = Phase::Over;
        break;
    case Phase::Closing:
    case Phase::Over: break;
    }
}

void Master::interrupt(std::optional<SubclusterId> restartFor)
{
    switch (phase()) {
    case Phase::Opening:
        if (!m_master.course.takesOver) {
            close(RunEnd::Interrupted);
            break;
        }
        ++m_interruptsLater; // somebody may run something
        if (restartFor)
            m_restartLater = restartFor;
        break;
    case Phase::Running:
        m_master.course.phase = Phase::Draining;
        recordEnding(false, restartFor);
        m_master.scheduler.setHeld(true);
        for (const RecallOrder& order : m_master.scheduler.recallAll())
            m_master.mail.send(order.group, Recall{order.count});
        break;
    case Phase::Draining:
        m_master.course.phase = Phase::Killing;
        recordEnding(true, restartFor);
        haltAll();
        break;
    case Phase::Closing:
        if (m_master.record.isStalled()) {
            m_master.course.end = RunEnd::Interrupted;
            dismiss();
        }
        break;
    case Phase::Killing:
        if (m_master.record.isStalled() && gathered()
            && m_master.scheduler.outstanding() == 0) { // but for a command that is under way
            m_operations.abandon(Phrase::tr("the record cannot be written"));
            close(RunEnd::Interrupted);
            dismiss();
        }
        break;
    case Phase::Dismissing:
    case Phase::Over: break;
    }
}

void Master::haltAll()
{
    for (const auto& [rank, member] : m_master.roster.members()) {
        if (member.state == Member::State::Present && !m_master.roster.isLed(rank))
            m_master.mail.send(rank, Halt{});
    }
    for (const auto& [id, group] : m_master.roster.groups())
        m_master.mail.send(id, Halt{});
}

/// Who goes on with the record goes on with ending the run.
void Master::recordEnding(bool kill, std::optional<SubclusterId> restartFor)
{
    const std::optional<RunEnding>& recorded = m_master.record.state().ending();
    if (!recorded || (kill && !recorded->kill))
        m_master.record.append(RunEnding{.kill = kill, .restartFor = restartFor});
}

void Master::close(RunEnd end)
{
    m_master.course.phase = Phase::Closing;
    m_master.course.end = end;
    m_master.record.append(RunClosed{
        .end = end,
        .elapsed = std::chrono::floor<std::chrono::microseconds>(m_clock.now() - m_opened)});
}

void Master::dismiss()
{
    m_master.course.phase = Phase::Dismissing;
    m_farewell.begin(m_clock.now());
}

} // namespace tasuki::farm
