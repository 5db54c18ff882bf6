// SPDX-License-Identifier: GPL-3.0-or-later
#include "farmsession.h"

#include "messageroute.h"
#include "sessionsetup.h"
#include "succession.h"

#include "hierarchy/rankchanges.h"
#include "membership/firstview.h"
#include "membership/layoutevent.h"
#include "worldhost/worldexecutor.h"
#include "worldhost/worldlibraries.h"

#include <boost/asio/io_context.hpp>

#include <csignal>
#include <cstdio>
#include <utility>

#include <unistd.h>

namespace tasuki {

namespace {

/// The last messages get so long to leave this processor.
constexpr std::chrono::seconds farewell{2};
/// mpirun ends all ranks at once: rank 0 may still want to record how this one's attempts ended.
constexpr std::chrono::seconds ordersPatience{1};
constexpr ProcessorId masterProcessor{0};
/// After a change of who leads or holds what, those concerned have said all to each other within this:
/// the longest way is from a new master by its group schedulers to the ranks and back.
constexpr std::chrono::milliseconds takeoverTalk{50};

/// Where programs of a world write to each other from host to host, they most likely do so again soon.
constexpr std::chrono::milliseconds worldTalk{20};
/// Mostly at once: a program waits for it.
constexpr std::chrono::milliseconds worldAnswer{1};

} // namespace

FarmSession::FarmSession(Setup setup, Transport& transport, const Clock& clock)
    : m_setup(std::move(setup)),
      m_transport(transport),
      m_clock(clock),
      m_reactor(clock, napsWithin(m_setup.system.topology)),
      m_stopTimer(m_reactor),
      m_signals(m_reactor.context(), [this](int number) { takeSignal(number); }),
      m_launcher(m_reactor.context(), m_setup.launch,
                 [this](const char* what) { perform(m_part.launcherGone(what, scene())); }),
      m_problems([this](const std::string& line) {
          std::fprintf(stderr, "tasuki: processor %u: %s\n", m_transport.self().value(),
                       line.c_str());
      }),
      m_healthLog(healthLogOf(m_setup.options.healthLog, transport.self(), m_setup.briefing.epoch,
                              clock, m_setup.system)),
      m_part({.self = transport.self(),
              .recovery = m_setup.recovery,
              .copies = hasCopies(m_setup.reach)},
             clock, m_bootClock),
      m_record({.reach = std::move(m_setup.reach),
                .briefing = m_setup.briefing,
                .plan = std::exchange(m_setup.plan, {})},
               transport, clock, m_reactor,
               [this](Result<RunPlan> plan) { recordOpened(std::move(plan)); }),
      m_worlds({.self = transport.self(),
                .hosts = m_setup.system.hosts,
                .input = m_setup.options.world && transport.self() == masterProcessor ? STDIN_FILENO
                                                                                      : -1,
                .folder = m_setup.options.output.temporary},
               {.send =
                    [this](ProcessorId to, const worldhost::WorldWord& word) {
                        m_reactor.expectTraffic(worldTalk);
                        m_reactor.stayAwake(worldAnswer);
                        m_transport.send(
                            to,
                            farm::encode({.epoch = m_setup.briefing.epoch,
                                          .held = {},
                                          .message = farm::WorldMail{worldhost::encode(word)}}));
                    },
                .post = [this](std::function<void()> work) { m_reactor.post(std::move(work)); },
                .leader = [this] { return m_groupPost->master(); },
                .shown =
                    [this](const worldhost::ProgramShown& word) {
                        if (m_masterPost)
                            m_masterPost->programShown(word);
                    }},
               clock)
{
    m_transport.setHandler(
        [this](ProcessorId from, const Message& bytes) { receive(from, bytes); });
    // Before it says a word: it may die first.
    if (m_setup.master)
        m_masterWatch = std::make_unique<ProcessWatch>(
            m_reactor.context(), *m_setup.master,
            [this] { happened(FarmPart::Event::MasterGone); });
    const config::Topology& topology = m_setup.system.topology;
    m_worker = std::make_unique<farm::Worker>(
        workerIdentity(m_setup.briefing, topology, m_setup.slots), m_transport, m_bootClock,
        masterProcessor,
        [this](Rank rank, const farm::Welcome& welcome) { return makeExecutor(rank, welcome); });
    m_groupPost = std::make_unique<GroupPost>(
        GroupPost::Setup{.epoch = m_setup.briefing.epoch, .master = masterProcessor},
        firstView(topology, m_setup.system.layout), *m_worker, m_transport, m_clock);
}

std::unique_ptr<Executor> FarmSession::makeExecutor(Rank rank, const farm::Welcome& welcome)
{
    return std::make_unique<worldhost::WorldExecutor>(
        worldhost::WorldExecutor::Setup{
            .self = m_transport.self(),
            .library = worldhost::worldLibrary(),
            .preloaded = m_setup.preloaded,
            .post = [this](std::function<void()> work) { m_reactor.post(std::move(work)); },
            .cores = m_setup.cores},
        m_setup.makeExecutor(m_reactor, rank, welcome), m_worlds);
}

Result<control::ControlAddress> FarmSession::openMembership()
{
    const std::optional<std::string>& log = m_setup.options.decisionLog;
    Result<std::unique_ptr<MembershipThread>> opened = MembershipThread::open(
        {.self = m_transport.self(),
         .view = view(),
         .options = {},
         .key = m_setup.briefing.key,
         .epoch = m_setup.briefing.epoch,
         .otherHosts = hasOtherHosts(m_setup.system, m_transport.self()),
         .decisions = log ? processorLogFile("--decision-log", *log, m_transport.self())
                          : HealthLog::Write()},
        [this](std::function<void()> work) { m_reactor.post(std::move(work)); },
        membershipCallbacks());
    if (!opened)
        return opened.error();
    m_membership = std::move(*opened);
    return m_membership->address();
}

MembershipThread::Callbacks FarmSession::membershipCallbacks()
{
    const auto toMaster = [this](auto told) {
        return [this, told](const auto&... what) {
            if (m_masterPost)
                std::invoke(told, *m_masterPost, what...);
        };
    };
    return {
        .changed = [this](const hierarchy::MembershipView& view) { viewChanged(view); },
        .holding =
            [this](const std::optional<hierarchy::Holding>& holding) { holdingChanged(holding); },
        .letGo = [this](const hierarchy::Holding& holding) { m_letGo = holding; },
        .standing =
            [this](hierarchy::Standing standing) {
                m_healthLog.standing(standing);
                perform(m_part.standing(standing, scene()));
            },
        .fenced =
            [this] {
                m_healthLog.fenced();
                happened(FarmPart::Event::Fenced);
            },
        .rejoined =
            [this] {
                m_healthLog.rejoined();
                happened(FarmPart::Event::Rejoined);
            },
        .shutOut = [this] { happened(FarmPart::Event::ShutOut); },
        .overlapped =
            [this](const hierarchy::Overlap&) {
                m_healthLog.overlapped();
                m_membership->tellOverlap(static_cast<std::uint32_t>(m_worker->resultsDropped()));
            },
        .overlapTold =
            [this](const hierarchy::Overlap& overlap,
                   std::optional<std::chrono::nanoseconds> lostFor) {
                m_forMaster.take(
                    [this, overlap, lostFor] { m_masterPost->overlapTold(overlap, lostFor); });
            },
        .masterSilent = [this](bool silent) { m_healthLog.masterSilent(silent); },
        .missing = toMaster(&MasterPost::missing),
        .lengthened = toMaster(&MasterPost::lengthened),
        .givenUp = toMaster(&MasterPost::orderGivenUp),
        .problem = [this](const Error& error) { m_problems.note(error, m_clock.now()); }};
}

SessionEnd FarmSession::run(const std::vector<control::ControlAddress>& addresses)
{
    if (m_record.plan()) {
        m_part.leadsFirst();
        takeMasterPost(layoutEvent(m_setup.system, addresses));
    }
    m_membership->begin(addresses);
    m_membership->setReadiness(hierarchy::Readiness::Ready);
    PollCall poll([this] { return pollOnce(); });
    m_reactor.add(poll);
    m_reactor.run();
    m_reactor.remove(poll);
    m_membership->leave();
    m_record.end();

    SessionEnd end = m_part.end(m_worker->end(), m_worker->losses());
    if (end.abandoned && hasOtherHosts(m_setup.system, m_transport.self()))
        end.farewell = farewellOf(m_setup.system.topology);
    if (m_masterPost)
        m_masterPost->finish(end);
    m_healthLog.leaves();
    return end;
}

void FarmSession::viewChanged(const hierarchy::MembershipView& view)
{
    std::size_t unreachable = 0;
    for (std::uint32_t number = 0; number < view.processorCount(); ++number)
        unreachable += view.member(ProcessorId(number)).health >= Health::Condemned ? 1U : 0U;
    m_problems.lost(unreachable, m_clock.now());
    if (view.system().started && !this->view().system().started)
        m_problems.overcome();
    m_reactor.expectTraffic(takeoverTalk);
    const ProcessorId former = m_groupPost->master();
    m_healthLog.changed(view);
    m_groupPost->changed(view);
    if (view.system().started)
        m_masterWatch.reset(); // from now on it is missed, and another one goes on
    if (m_masterPost)
        m_masterPost->viewChanged(view);
    perform(m_part.changed(scene(), former));
}

FarmPart::Scene FarmSession::scene() const
{
    return {.view = view(),
            .master = m_groupPost->master(),
            .mayAct = m_membership->mayAct(),
            .ending = m_masterPost && m_masterPost->ending(),
            .over = m_worker->over(),
            .rests = m_worker->rests(),
            .greets = m_worker->greets()};
}

void FarmSession::happened(FarmPart::Event event) { perform(m_part.happened(event, scene())); }

void FarmSession::perform(const FarmPart::Steps& steps, int signal)
{
    for (const FarmPart::Step& step : steps)
        perform(step, signal);
}

void FarmSession::perform(const FarmPart::Step& step, int signal)
{
    using Do = FarmPart::Do;
    switch (step.what) {
    case Do::Hold: hold(true); break;
    case Do::GoOn: hold(false); break;
    case Do::StepDown: m_groupPost->stepDown(); break;
    case Do::LetGoOfRecord:
        m_record.letGo();
        m_forMaster.hold(true);
        if (m_masterPost)
            m_masterPost->drop();
        m_masterPost.reset();
        break;
    case Do::HoldMaster: m_masterPost->hold(true); break;
    case Do::GiveUpPlace: m_membership->giveUp(); break;
    case Do::DropRank:
        m_letGo.reset();
        m_worker->drop();
        break;
    case Do::ComeBack: m_membership->comeBack(); break;
    case Do::Reconnect: m_groupPost->reconnect(); break;
    case Do::OpenRecord: m_record.open(false); break;
    case Do::OpenCopy: m_record.open(true); break;
    case Do::Recall: m_membership->recall({}); break;
    case Do::Lead:
        m_reactor.expectTraffic(takeoverTalk);
        m_record.plan()->elapsed += m_part.successor().sinceOpening(); // to read it took its time
        takeMasterPost(*m_record.plan()->state.system().layout());     // it may have been changed
        m_groupPost->masterBeginsAnew();
        break;
    case Do::TellMaster: m_forMaster.take([this, signal] { m_masterPost->signal(signal); }); break;
    case Do::AwaitOrders:
        if (!m_stopTimer.running())
            m_stopTimer.startAfter(ordersPatience, [this] { happened(FarmPart::Event::NoOrders); });
        break;
    case Do::Abandon:
        if (m_masterPost)
            m_masterPost->abandon(std::string(step.words));
        m_worker->abandon();
        break;
    case Do::Say: say(step.words); break;
    case Do::Tell: std::fprintf(stderr, "tasuki: %s\n", std::string(step.words).c_str()); break;
    default: break;
    }
}

/// All is recorded of a run that is ending: whoever leads it need not act to leave.
void FarmSession::hold(bool held)
{
    if (m_masterPost)
        m_masterPost->hold(held && !m_masterPost->ending());
    m_groupPost->suspend(held);
    m_worker->suspend(held);
}

void FarmSession::recordOpened(Result<RunPlan> plan)
{
    if (!m_part.awaitsRecord(scene()))
        return;
    if (!plan) {
        say("cannot go on in place of the lost master: " + plan.error().text());
        happened(FarmPart::Event::RecordUnreadable);
        return;
    }
    m_setup.options = placedOptions(std::move(m_setup.options), m_record.placed());
    auto recorded = recordedSeats(m_record.keep(std::move(*plan)).state);
    m_membership->recall(recorded);
    m_part.opened(std::move(recorded));
}

bool FarmSession::isRank(SeatId seat) const
{
    return m_setup.system.layout.seats[seat.value()].kind == SeatKind::Active;
}

void FarmSession::holdingChanged(const std::optional<hierarchy::Holding>& holding)
{
    m_reactor.expectTraffic(takeoverTalk);
    if (holding && isRank(holding->seat))
        m_worker->take(
            {.rank = hierarchy::rankOf(holding->seat), .incarnation = holding->incarnation});
    else
        m_worker->drop();
}

void FarmSession::takeMasterPost(SystemLaidOut layout)
{
    m_masterPost = std::make_unique<MasterPost>(
        MasterPost::Setup{.options = m_setup.options,
                          .launch = m_setup.launch,
                          .plan = m_record.takePlan(),
                          .layout = std::move(layout),
                          .view = view(),
                          .lostSince = m_part.successor().lostSince(),
                          .recovery = m_setup.recovery,
                          .copies = m_record.copies(),
                          .endsAt = m_setup.briefing.endsAt,
                          .printed = m_printed},
        m_transport, m_clock, m_reactor, *m_membership);
    m_forMaster.hold(false);
}

/// A rank that is to be given on is free when nothing of it lives here any more.
void FarmSession::lookAtLetGo()
{
    if (!m_letGo
        || (isRank(m_letGo->seat)
            && !m_worker->hasStopped({hierarchy::rankOf(m_letGo->seat), m_letGo->incarnation})))
        return;
    m_membership->hasStopped(*m_letGo);
    m_letGo.reset();
}

void FarmSession::say(std::string_view what) const
{
    std::fprintf(stderr, "tasuki: processor %u %s\n", m_transport.self().value(),
                 std::string(what).c_str());
}

void FarmSession::dropped(const char* what, ProcessorId from, const Error& error) const
{
    std::fprintf(stderr, "tasuki: processor %u: %s of processor %u dropped: %s\n",
                 m_transport.self().value(), what, from.value(), error.text().c_str());
}

void FarmSession::receive(ProcessorId from, const Message& bytes)
{
    Result<farm::Envelope> envelope = farm::decode(bytes);
    if (!envelope)
        return dropped("message", from, envelope.error());
    const MessageRoute route = routeOf(
        *envelope,
        {.ofRun = envelope->epoch == m_setup.briefing.epoch,
         .fromMaster = from == m_groupPost->master(),
         .leads = m_masterPost != nullptr,
         .groupScheduler = m_groupPost->groupScheduler() != nullptr});
    if (route.record)
        receiveOfRecord(from, std::get<farm::RecordWord>(envelope->message));
    if (route.world)
        receiveOfWorld(from, std::get<farm::WorldMail>(envelope->message));
    if (route.output)
        m_masterPost->outputFetched(std::get<farm::OutputFetched>(std::move(envelope->message)));
    if (route.printed)
        m_printed.take(std::get<farm::OutputPrinted>(envelope->message).outputs);
    if (route.end)
        m_groupPost->dismiss();
    if (route.worker)
        m_worker->receive(from, std::move(*envelope));
    else if (route.master && route.groupScheduler)
        m_masterPost->receive(from, *envelope); // group schedulers are told of it, too
    else if (route.master)
        m_masterPost->receive(from, std::move(*envelope));
    if (route.groupScheduler)
        m_groupPost->receive(from, std::move(*envelope));
}

void FarmSession::receiveOfRecord(ProcessorId from, const farm::RecordWord& message)
{
    Result<replica::CopyWord> word = replica::decodeCopyWord(message.bytes);
    if (!word)
        return dropped("word", from, word.error());
    if (isOfMaster(*word))
        m_record.receive(from, std::move(*word));
    else if (m_masterPost)
        m_masterPost->receiveOfRecord(from, std::move(*word));
}

void FarmSession::receiveOfWorld(ProcessorId from, const farm::WorldMail& message)
{
    Result<worldhost::WorldWord> word = worldhost::decodeWorldWord(message.bytes);
    if (!word)
        return dropped("word", from, word.error());
    m_reactor.expectTraffic(worldTalk);
    m_reactor.stayAwake(worldAnswer);
    m_worlds.receive(from, std::move(*word));
}

void FarmSession::takeSignal(int number)
{
    // What is signalled together with this processor is judged before its master has given any order.
    m_worker->interruptionHeard(asksToKill(number) ? farm::Interruption::Killing
                                                   : farm::Interruption::Asked);
    // The interrupt of a run is its master's affair; the others follow its orders.
    const bool warns = number == SIGUSR1 || number == SIGUSR2;
    perform(
        m_part.happened(warns ? FarmPart::Event::Warned : FarmPart::Event::Interrupted, scene()),
        number);
}

bool FarmSession::pollOnce()
{
    m_membership->turned();
    perform(m_part.look(scene()));
    lookAtLetGo();
    m_problems.tick(m_clock.now());
    bool moved = m_transport.poll();
    moved = m_groupPost->poll() || moved;
    moved = m_worker->poll() || moved;
    moved = m_worlds.poll() || moved;
    if (m_masterPost && !m_part.abandoned())
        moved = m_masterPost->poll() || moved;
    if (m_masterPost && !m_masterPost->recordLost().empty())
        happened(m_masterPost->succeeded() ? FarmPart::Event::RecordTaken
                                           : FarmPart::Event::RecordLost);
    if (m_part.abandoned() || !m_masterPost ? m_worker->over() : m_masterPost->over()) {
        // The last messages must leave, but a peer that does not take them is not waited for.
        if (!m_overSince)
            m_overSince = m_clock.now();
        if (m_transport.pending() == 0 || m_clock.now() - *m_overSince > farewell)
            m_reactor.stop();
    }
    return moved;
}

} // namespace tasuki
