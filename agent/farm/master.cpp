// SPDX-License-Identifier: GPL-3.0-or-later
#include "master.h"

#include "assignpacker.h"

#include "domain/rankname.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace tasuki::farm {

namespace {

/// Nothing is handed out while so many events wait for the disk.
constexpr std::size_t mostUncommitted = 200'000;
/// Workers get so long to kill what tasks have left behind.
constexpr std::chrono::seconds dismissalLimit{5};
/// Who has not left is told again so often.
constexpr std::chrono::milliseconds goodbyePause{500};
/// No attempt runs longer: what a worker says beyond that is a mistake.
constexpr std::chrono::hours longestRunTime{24 * 365 * 10};

} // namespace

Master::Master(MasterOptions options, RunState& state, Transport& transport, Journal& journal,
               const Clock& clock, MasterObserver observer)
    : m_options(std::move(options)),
      m_state(state),
      m_transport(transport),
      m_journal(journal),
      m_clock(clock),
      m_observer(std::move(observer)),
      m_scheduler(m_options.scheduling),
      m_operations(
          state, m_scheduler, journal, m_options.taskDefaults,
          {.send = [this](CrewId to, FarmMessage message) { send(to, std::move(message)); },
           .stopRun =
               [this](bool kill) {
                   interrupt();
                   if (kill && m_phase == Phase::Draining)
                       interrupt();
               },
           .refusal = [this](const OperatorCommand& command) { return refusal(command); },
           .recordSkipped = [this] { recordSkipped(); },
           .order = m_observer.order}),
      m_opened(clock.now() - m_options.elapsed)
{
    if (m_options.endsAt)
        m_allocationEnd.emplace(*m_options.endsAt);
    seedRoster();
    for (std::uint32_t number = 0; number < transport.size(); ++number)
        m_living.emplace(number);
    m_journal.setCallbacks(
        {.committed = [this](std::vector<Event> events) { committed(std::move(events)); },
         .stalled =
             [this](const Error& error) {
                 m_stalled = error.text();
                 m_observer.stalled(error);
             },
         .resumed = [this] { recordAgain(); }});
}

std::string_view phaseName(Master::Phase phase)
{
    switch (phase) {
    case Master::Phase::Opening: return "opening";
    case Master::Phase::Running: return "running";
    case Master::Phase::Draining: return "finishing";
    case Master::Phase::Killing: return "killing";
    case Master::Phase::Closing:
    case Master::Phase::Dismissing: return "closing";
    case Master::Phase::Over: return "over";
    }
    return "unknown";
}

void Master::recordAgain()
{
    record({Notice{.severity = Severity::Failure,
                   .text = "for a while the record could not be written: "
                       + m_stalled.value_or("no reason is known")}});
    m_stalled.reset();
    m_observer.stalled(std::nullopt);
}

void Master::open(std::vector<EventPayload> opening)
{
    assert(!opening.empty() && std::holds_alternative<RunOpened>(opening.front()));
    for (EventPayload& payload : opening)
        m_lastOfOpening = append(std::move(payload));
}

void Master::receive(ProcessorId from, Envelope envelope)
{
    if (envelope.epoch != m_journal.epoch())
        return; // of an earlier life
    if (std::holds_alternative<Left>(envelope.message)) {
        processorLeft(from);
        return;
    }
    if (envelope.crew) {
        receiveOfCrew(from, std::move(envelope));
        return;
    }
    const Rank rank = envelope.held.rank;
    const Member* const member = m_roster.find(rank);
    if (member == nullptr || member->state == Member::State::Vacant || member->holder != from
        || member->incarnation != envelope.held.incarnation) {
        keepForLater(from, envelope);
        return; // of an earlier holding, or of one that is not known yet
    }
    if (m_roster.isLed(rank) && !std::holds_alternative<Broken>(envelope.message))
        return; // its foreman's affair
    if (const auto* hello = std::get_if<Hello>(&envelope.message)) {
        welcome(rank, *hello);
        return;
    }
    if (member->state != Member::State::Present)
        return;
    std::visit([this, rank](auto&& message) { on(rank, std::move(message)); },
               std::move(envelope.message));
}

/// A new holder learns of it from its cluster master, perhaps before this processor does.
void Master::keepForLater(ProcessorId from, const Envelope& envelope)
{
    const Member* const member = m_roster.find(envelope.held.rank);
    const auto* const hello = std::get_if<Hello>(&envelope.message);
    if (hello != nullptr && member != nullptr && !m_roster.isLed(envelope.held.rank)
        && envelope.held.incarnation > member->incarnation)
        m_early[envelope.held.rank] = {from, envelope.held.incarnation, *hello};
}

void Master::welcome(Rank rank, const Hello& hello)
{
    if (m_phase >= Phase::Closing)
        return;
    Member& member = *m_roster.find(rank);
    send(rank, Welcome{.run = m_options.run.hex, .directory = m_options.directory});
    if (member.state == Member::State::Present)
        return; // the first welcome was still on its way
    recordJoined(rank, hello);
    m_scheduler.crewJoined(crewOf(rank), hello.slotCount);
    m_scheduler.setOpen(crewOf(rank), member.open);
    if (m_phase == Phase::Killing)
        send(rank, Halt{});
}

void Master::rankHeld(Rank rank, ProcessorId holder, Incarnation incarnation)
{
    m_unconfirmed.erase(rank);
    if (Member* const member = m_roster.find(rank); member != nullptr) {
        const bool vacant = member->state == Member::State::Vacant;
        if (member->incarnation == incarnation && (!vacant || member->joined)) {
            member->holder = holder;
            return; // its foreman has said so before, or the record; perhaps that it is over, too
        }
        if (!vacant)
            lose(rank, LossCause::Gone);
    }
    m_roster.hold(rank, holder, incarnation);
    const auto early = m_early.extract(rank);
    if (!early.empty() && early.mapped().from == holder
        && early.mapped().incarnation == incarnation)
        welcome(rank, early.mapped().hello);
}

void Master::rankLost(Rank rank, Incarnation incarnation, LossCause cause)
{
    const Member* const member = m_roster.find(rank);
    if (member != nullptr && member->state != Member::State::Vacant
        && member->incarnation == incarnation)
        lose(rank, cause);
}

void Master::setOpen(Rank rank, bool open)
{
    Member* const member = m_roster.find(rank);
    if (member == nullptr)
        return;
    member->open = open;
    if (m_roster.isLed(rank))
        updateSlots(m_roster.crewOf(rank));
    else if (member->state == Member::State::Present)
        m_scheduler.setOpen(crewOf(rank), open);
}

void Master::processorLost(ProcessorId processor)
{
    m_losses = true;
    m_living.erase(processor);
    m_transport.forget(processor);
}

void Master::processorBack(ProcessorId processor)
{
    m_living.insert(processor);
    m_transport.remember(processor);
}

void Master::record(std::vector<EventPayload> events)
{
    if (m_phase >= Phase::Closing)
        return;
    for (EventPayload& event : events)
        append(std::move(event));
}

void Master::processorLeft(ProcessorId processor)
{
    m_living.erase(processor);
    for (const auto& [rank, member] : m_roster.members()) {
        if (member.holder == processor && member.state != Member::State::Vacant) {
            lose(rank, LossCause::Left);
            return;
        }
    }
}

void Master::on(Rank from, Report&& message)
{
    const std::uint64_t number = message.number;
    takeReport(crewOf(from), from, std::move(message));
    noteWhenRecorded({.crew = crewOf(from),
                      .teller = HeldRank{from, m_roster.find(from)->incarnation},
                      .number = number});
}

void Master::takeReport(CrewId crew, Rank rank, Report&& report)
{
    const bool led = m_roster.isLed(rank);
    for (const StartedAttempt& started : report.started) {
        if (!m_scheduler.attemptStarted(crew, started.key))
            continue;
        if (led)
            m_startedOn[started.key] = rank;
        if (m_allocationEnd)
            m_allocationEnd->started(started.key, m_state.task(started.key.task).task,
                                     m_clock.now());
        append(AttemptStarted{.key = started.key,
                              .rank = rank,
                              .slot = started.slot,
                              .startedAt = started.startedAt});
    }
    for (FinishedAttempt& finished : report.finished)
        recordEnd(crew, rank, finished.key, finished.slot, std::move(finished.result));
    recordSkipped();
}

void Master::on(Rank from, const Returned& message)
{
    m_scheduler.returned(crewOf(from), message.keys);
}

void Master::on(Rank from, const Withdrawn& message)
{
    m_operations.withdrawn(crewOf(from), message);
}

void Master::on(Rank from, Peeked&& message) { crewOn(crewOf(from), std::move(message)); }

void Master::operate(std::string who, OperatorCommand command, Operations::Reply reply)
{
    m_operations.request(std::move(who), std::move(command), std::move(reply));
}

void Master::peek(const OutputQuery& query, std::function<void(OutputAnswer)> answer)
{
    const auto held = query.key.task.value() < m_state.tasks().size() && m_phase > Phase::Opening
        ? m_scheduler.held(query.key.task)
        : std::nullopt;
    const Crew* const crew = held ? m_roster.crew(held->first) : nullptr;
    const bool unheard = crew != nullptr && !crew->mustered;
    if (!held || held->second != query.key || unheard || m_phase >= Phase::Dismissing) {
        answer(OutputAnswer{.key = query.key});
        return;
    }
    const std::uint32_t number = ++m_lastPeek;
    m_peeks[number] = {held->first, query.key, std::move(answer)};
    send(held->first, Peek{number, query});
}

/// The processor will not answer any more.
void Master::answerPeeksOf(CrewId crew)
{
    std::vector<PeekWait> given;
    std::erase_if(m_peeks, [&](auto& item) {
        if (item.second.crew != crew)
            return false;
        given.push_back(std::move(item.second));
        return true;
    });
    for (const PeekWait& peek : given)
        peek.answer(OutputAnswer{.key = peek.key});
}

std::string Master::refusal(const OperatorCommand& command) const
{
    if (m_phase == Phase::Running)
        return {};
    const auto* stop = std::get_if<StopRun>(&command);
    if (stop && stop->kill && m_phase == Phase::Draining)
        return {};
    return m_phase == Phase::Opening ? "the run has not begun" : "the run is ending";
}

void Master::on(Rank from, const Broken& message)
{
    if (m_phase < Phase::Closing) {
        append(Notice{.severity = Severity::Failure,
                      .text = rankName(m_state.system(), from)
                          + " cannot run tasks: " + message.reason});
    }
    lose(from, LossCause::Left);
}

void Master::lose(Rank rank, LossCause cause)
{
    Member& member = *m_roster.find(rank);
    const bool wasPresent = member.state == Member::State::Present;
    member.state = Member::State::Vacant;
    member.cause = cause;
    if (!wasPresent)
        return;
    if (m_roster.isLed(rank)) {
        updateSlots(m_roster.crewOf(rank)); // what it held is its foreman's affair
    } else {
        const CrewId crew = crewOf(rank);
        for (const Scheduler::Held& held : m_scheduler.crewLost(crew)) {
            if (held.started)
                recordEnd(crew, rank, held.key, SlotIndex(0), AttemptResult{}); // Outcome::Lost
        }
        recordSkipped();
        m_operations.crewLost(crew);
        answerPeeksOf(crew);
    }
    if (m_phase < Phase::Closing) {
        append(ProcessorLost{.rank = rank, .incarnation = member.incarnation, .cause = cause});
    }
}

void Master::recordEnd(CrewId crew, Rank rank, AttemptKey key, SlotIndex slot, AttemptResult result)
{
    using std::chrono::microseconds;
    // Who has not heard of the interruption may tell of an end that it made.
    result = judged(std::move(result), interruption());
    // The record refuses run times that do not add up to one.
    const microseconds room = microseconds::max() - m_finishedRunTime;
    result.elapsed = std::clamp(result.elapsed, microseconds(0),
                                std::min<microseconds>(longestRunTime, room));
    const std::optional<Verdict> verdict = m_scheduler.attemptEnded(crew, key, result.outcome,
                                                                    result.elapsed);
    if (!verdict)
        return;
    m_startedOn.erase(key);
    if (m_allocationEnd)
        m_allocationEnd->ended(key);
    if (m_allocationEnd && result.outcome == Outcome::Succeeded)
        m_allocationEnd->forecast().learn(m_state.task(key.task).task, result.elapsed);
    if (verdict->disposition == Disposition::Final)
        m_finishedRunTime += result.elapsed;
    append(AttemptFinished{.key = key,
                           .rank = rank,
                           .slot = slot,
                           .disposition = verdict->disposition,
                           .result = std::move(result)});
}

void Master::recordSkipped()
{
    if (m_phase >= Phase::Closing)
        return; // whoever resumes the run finds them
    for (const SkippedTask& skipped : m_scheduler.takeSkipped())
        append(TaskSkipped{.id = skipped.id, .because = skipped.because});
}

void Master::committed(std::vector<Event> events)
{
    for (const Event& event : events) {
        const Result<void> applied = m_state.apply(event);
        assert(applied.ok());
        static_cast<void>(applied);
        if (const auto* finished = std::get_if<AttemptFinished>(&event.payload))
            m_scheduler.endRecorded(finished->key.task, m_clock.now());
        m_observer.published(event);
        m_operations.committed(event.id);
        m_openingCommitted = m_openingCommitted || event.id == m_lastOfOpening;
        if (m_phase == Phase::Closing && std::holds_alternative<RunClosed>(event.payload))
            dismiss();
    }
    m_lastRecorded = events.back().id;
    recordSkipped();
    m_operations.recorded();
    noteRecorded();
    m_observer.committed(std::move(events));
}

void Master::beginRunning()
{
    const TaskScope scope(m_state, m_options.only);
    for (std::uint32_t i = 0; i < m_state.tasks().size(); ++i) {
        const TaskRecord& record = m_state.tasks()[i];
        const Task& task = record.task;
        const bool leftAlone = !scope.has(TaskId(i)) && record.state == TaskState::Queued;
        m_scheduler.add(
            {.stage = task.stage,
             .position = task.position,
             .budget = task.settings->retries,
             .retriesUsed = record.retriesUsed,
             .attempts = record.attempts - (record.state == TaskState::Running ? 1U : 0U),
             .after = prerequisitesOf(task),
             .state = leftAlone ? TaskState::Held : record.state});
        if (m_allocationEnd && record.state == TaskState::Succeeded)
            m_allocationEnd->forecast().learn(task, record.lastElapsed);
    }
    m_scheduler.begin();
    recordSkipped();
    m_phase = Phase::Running;
    if (!m_takesOver)
        return;
    adoptRecorded();
    m_operations.goOnCancelling("processor " + std::to_string(m_transport.self().value()));
    goOnEnding();
    for (const auto& [id, crew] : m_roster.crews())
        answerEarly(id);
}

bool Master::poll()
{
    m_sent = false;
    lookForWorkers();
    if (m_phase >= Phase::Closing)
        m_operations.refuseAll("the run has ended");
    else if (m_phase != Phase::Opening && gathered())
        m_operations.poll();
    if (m_phase == Phase::Running && gathered() && !m_stalled
        && m_journal.uncommitted() < mostUncommitted)
        handOut();
    lookAtAllocationEnd();
    movePhaseOn();
    if (m_scheduler.waitsForRecord() || m_phase == Phase::Opening || m_phase == Phase::Closing)
        m_journal.hurry();
    return m_sent;
}

void Master::handOut()
{
    for (const Assignment& assignment : m_scheduler.assignments(m_clock.now(), fitTest())) {
        AssignPacker packer(
            [this, &assignment](Assign message) { send(assignment.crew, std::move(message)); });
        for (const AttemptKey& key : assignment.keys) {
            const Task& task = m_state.task(key.task).task;
            packer.add({key, task.command, task.settings});
        }
        packer.flush();
    }
    for (const RecallOrder& order : m_scheduler.recalls())
        send(order.crew, Recall{order.count});
}

void Master::lookForWorkers()
{
    const bool held = m_holdersAwaited || m_roster.count(Member::State::Present) != 0
        || m_roster.count(Member::State::Expected) != 0;
    // What has been done or is not to be done needs nobody.
    if (held || m_phase != Phase::Running || m_scheduler.complete() || !m_operations.idle()
        || m_scheduler.outstanding() != 0 // a foreman will give it back
        || m_scheduler.unrecordedEnds() != 0 || !gathered() || !m_observer.told())
        return;
    append(Notice{.severity = Severity::Failure,
                  .text = "no processor is left to run tasks; resume the run to go on"});
    close(RunEnd::Interrupted);
}

void Master::movePhaseOn()
{
    switch (m_phase) {
    case Phase::Running:
        if (m_scheduler.complete() && gathered() && m_operations.idle() && !m_options.staysOpen
            && m_observer.told())
            close(RunEnd::Complete);
        else if (!m_options.only.empty() && m_scheduler.exhausted() && gathered()
                 && m_operations.idle() && !m_options.staysOpen && m_observer.told())
            close(RunEnd::Interrupted);
        break;
    case Phase::Draining:
    case Phase::Killing:
        if (m_scheduler.outstanding() == 0 && m_scheduler.unrecordedEnds() == 0 && gathered()
            && m_operations.idle() && m_observer.told())
            close(m_scheduler.complete() ? RunEnd::Complete : RunEnd::Interrupted);
        break;
    case Phase::Dismissing:
        if (m_clock.now() - m_goodbyeSaid >= goodbyePause)
            sayGoodbye(); // somebody may not have known yet who the master is
        if (m_living.empty() || m_clock.now() - m_dismissed > dismissalLimit) {
            m_losses = m_losses || !m_living.empty();
            m_phase = Phase::Over;
        }
        break;
    case Phase::Opening:
        if (m_begun && m_openingCommitted)
            beginRunning();
        break;
    case Phase::Closing:
    case Phase::Over: break;
    }
}

EventId Master::append(EventPayload payload)
{
    m_lastAppended = m_journal.append(std::move(payload));
    return m_lastAppended;
}

/// What a report says may be lost with this master until the record has it.
void Master::noteWhenRecorded(TakenReport report)
{
    m_taken.add(m_lastAppended, report);
    noteRecorded();
}

void Master::noteRecorded()
{
    for (const TakenReport& report : m_taken.recordedBy(m_lastRecorded)) {
        if (const auto* const foreman = std::get_if<Leadership>(&report.teller)) {
            if (m_roster.crew(report.crew)->acting == *foreman)
                sendToForeman(report.crew, *foreman, CrewNoted{report.number});
            continue;
        }
        const auto& held = std::get<HeldRank>(report.teller);
        const Member& member = *m_roster.find(held.rank);
        if (member.state == Member::State::Present && member.incarnation == held.incarnation)
            send(held.rank, Noted{report.number});
    }
}

void Master::send(Rank to, FarmMessage message)
{
    m_sent = true;
    const Member& member = *m_roster.find(to);
    m_transport.send(member.holder,
                     encode({m_journal.epoch(), {to, member.incarnation}, std::move(message)}));
}

} // namespace tasuki::farm
