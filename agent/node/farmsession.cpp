// SPDX-License-Identifier: GPL-3.0-or-later
#include "farmsession.h"

#include "succession.h"

#include "domain/systemevents.h"
#include "hierarchy/rankchanges.h"
#include "keeping/firstpicture.h"
#include "keeping/layoutevent.h"
#include "startup/allocation.h"
#include "startup/exitcode.h"

#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <csignal>
#include <utility>

#include <unistd.h>

namespace tasuki {

namespace {

/// The last messages get so long to leave this processor.
constexpr std::chrono::seconds farewell{2};
/// mpirun ends all ranks at once: rank 0 may still want to record how this one's attempts ended.
constexpr std::chrono::seconds ordersPatience{1};
/// A whole host that leaves is told by its masters, each beat by one of them.
constexpr int farewellBeats = 5;
constexpr std::chrono::seconds longestFarewell{1};
constexpr ProcessorId masterProcessor{0};
/// An idle processor turns at least so often before others think that it is stuck.
constexpr int turnsBeforeSuspicion = 6;
constexpr std::chrono::milliseconds napsForAllHeartbeats{20};
/// What a worker may be late for it to be cautious: half of the silence that makes it lost.
constexpr int cautiousShare = 2;
/// Whoever ends an allocation has signalled all of a host's processes within this.
constexpr std::chrono::milliseconds interruptionGrace{300};
/// After a change of who leads or holds what, those concerned have said all to each other within this:
/// the longest way is from a new master by its foremen to the ranks and back.
constexpr std::chrono::milliseconds takeoverTalk{50};

/// How a processor of this topology sleeps between polls.
BackoffPolicy napsWithin(const config::Topology& topology)
{
    BackoffPolicy naps;
    const std::chrono::nanoseconds share = topology.heartbeat * topology.suspectAfter
        / turnsBeforeSuspicion;
    naps.longestIdleNap = std::clamp<std::chrono::nanoseconds>(share, napsForAllHeartbeats,
                                                               naps.longestIdleNap);
    return naps;
}

} // namespace

FarmSession::FarmSession(Setup setup, Transport& transport, const Clock& clock)
    : m_setup(std::move(setup)),
      m_transport(transport),
      m_clock(clock),
      m_first(firstPicture(m_setup.system.topology, m_setup.system.layout)),
      m_picture(m_first),
      m_host(hostIdentity()),
      m_reactor(clock, napsWithin(m_setup.system.topology)),
      m_poll([this] { return pollOnce(); }),
      m_stopTimer(m_reactor),
      m_signals(m_reactor.context(), [this](int number) { takeSignal(number); }),
      m_launcher(m_reactor.context(), m_setup.launch, [this](const char* what) { abandon(what); }),
      m_problems([this](const std::string& line) {
          std::fprintf(stderr, "tasuki: processor %u: %s\n", m_transport.self().value(),
                       line.c_str());
      }),
      m_heir(transport.self(), clock),
      m_record(m_setup.reach.original)
{
    m_transport.setHandler(
        [this](ProcessorId from, const Message& bytes) { receive(from, bytes); });
    // Before it says a word: it may die first.
    if (m_setup.master)
        watchMaster(*m_setup.master);
    if (std::ranges::find(m_setup.reach.sees, false) != m_setup.reach.sees.end())
        m_copyPost = std::make_unique<CopyPost>(m_setup.reach, m_setup.briefing.epoch, m_transport,
                                                m_reactor);
    makeWorker();
    if (m_setup.options.healthLog)
        openHealthLog();
}

FarmSession::~FarmSession() = default;

bool FarmSession::hasOtherHosts() const
{
    const std::string& ownHost = m_setup.system.hosts[m_transport.self().value()];
    return std::ranges::any_of(m_setup.system.hosts,
                               [&ownHost](const std::string& host) { return host != ownHost; });
}

Result<control::ControlAddress> FarmSession::openKeeper()
{
    Result<std::unique_ptr<KeeperThread>> opened = KeeperThread::open(
        {.self = m_transport.self(),
         .picture = m_first,
         .options = {},
         .key = m_setup.briefing.key,
         .epoch = m_setup.briefing.epoch,
         .otherHosts = hasOtherHosts()},
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
        .standing = [this](hierarchy::Standing standing) { standingChanged(standing); },
        .fenced = [this] { fenced(); },
        .rejoined = [this] { rejoined(); },
        .shutOut =
            [this] {
                say(m_alone ? "has heard no majority of the processors for two minutes, and ends"
                            : "was not let in again, and ends");
                m_givenUp = !m_abandoned;
                abandon("the other processors have given this one up");
            },
        .overlapped =
            [this](const hierarchy::Overlap&) {
                if (m_healthLog)
                    m_healthLog->overlapped();
                m_keeper->tellOverlap(static_cast<std::uint32_t>(m_worker->resultsDropped()));
            },
        .overlapTold =
            [this](const hierarchy::Overlap& overlap,
                   std::optional<std::chrono::nanoseconds> lostFor) {
                overlapTold(overlap, lostFor);
            },
        .masterSilent =
            [this](bool silent) {
                if (m_healthLog)
                    m_healthLog->masterSilent(silent);
            },
        .missing =
            [this](const std::vector<ProcessorId>& processors) {
                if (m_masterPost)
                    m_masterPost->missing(processors);
            },
        .lengthened =
            [this](std::chrono::nanoseconds by) {
                if (m_masterPost)
                    m_masterPost->lengthened(by);
            },
        .givenUp =
            [this](const hierarchy::TableOrder& order, const std::string& reason) {
                if (m_masterPost)
                    m_masterPost->orderGivenUp(order, reason);
            },
        .problem = [this](const Error& error) { m_problems.note(error, m_clock.now()); }};
}

SessionEnd FarmSession::run(const std::vector<control::ControlAddress>& addresses)
{
    m_addresses = addresses;
    if (m_setup.plan)
        takeMasterPost();
    m_keeper->begin(addresses);
    m_keeper->setReadiness(hierarchy::Readiness::Ready);
    m_reactor.add(m_poll);
    m_reactor.run();
    m_reactor.remove(m_poll);
    m_keeper->leave();
    if (m_copyPost)
        m_copyPost->end();

    SessionEnd end;
    end.abandoned = m_abandoned;
    end.givenUp = m_abandoned && m_givenUp;
    end.losses = m_losses || m_abandoned;
    if (m_abandoned && hasOtherHosts())
        end.farewell = std::min<std::chrono::milliseconds>(
            m_setup.system.topology.heartbeat * farewellBeats, longestFarewell);
    // Who led until its lease was over speaks for its side, if that hears of nobody any more.
    const bool speaks = m_heir.lostSince() || (m_ledBefore && m_abandoned);
    end.leads = m_masterPost || speaks;
    if (m_masterPost) {
        m_masterPost->finish(end);
    } else if (speaks) {
        end.exitCode = toInt(ExitCode::Interrupted);
    } else {
        end.losses = end.losses || m_worker->losses();
        end.exitCode = m_worker->end() == farm::WorkerEnd::Dismissed ? toInt(ExitCode::Success)
                                                                     : toInt(ExitCode::NoReport);
    }
    if (m_healthLog)
        m_healthLog->leaves();
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
    if (picture.system().started && !m_picture.system().started)
        m_problems.overcome();
    m_reactor.expectTraffic(takeoverTalk);
    const ProcessorId master = m_crewPost->master();
    m_picture = picture;
    if (m_healthLog)
        m_healthLog->changed(picture);
    m_crewPost->changed(picture);
    if (picture.system().started)
        m_masterWatch.reset(); // from now on it is missed, and another one goes on
    if (m_masterPost)
        m_masterPost->pictureChanged(picture);
    else if (m_crewPost->master() != master || isAway(picture.member(master).health))
        masterGone();
}

/// The master is no more: another processor goes on with the farm, perhaps this one. That the system has
/// started may not have been heard here; then a successor says so soon, or this one's own keeper.
void FarmSession::masterGone()
{
    if (m_worker->over() || m_abandoned)
        return; // dismissed
    if (!m_setup.recovery) {
        abandon("the master is lost");
        return;
    }
    m_heir.masterLost();
    lookAtSuccession();
}

void FarmSession::lookAtSuccession()
{
    if (m_masterPost || m_worker->over() || m_abandoned)
        return;
    if (m_acts && m_crewPost->master() != m_transport.self())
        m_ledBefore = false;
    switch (m_heir.look(m_picture, m_crewPost->master(), m_acts)) {
    case Heir::Step::None: return;
    case Heir::Step::OpenRecord: openRecord(); return;
    case Heir::Step::Lead: lead(); return;
    case Heir::Step::LeadAnyway:
        say("goes on though not all tables show what was recorded: incarnations may repeat");
        m_keeper->recall({});
        lead();
        return;
    case Heir::Step::StandBack: standBack(); return;
    case Heir::Step::GiveUp: abandon("the master is lost before the run has begun"); return;
    }
}

void FarmSession::openRecord()
{
    const std::optional<RecordPlace> place = m_copyPost && !m_ledBefore ? m_copyPost->succeed()
                                                                        : std::optional(m_record);
    if (!place) {
        recordOpened(Error{.kind = ErrorKind::System,
                           .message = "neither the record nor a copy that has all of it is here",
                           .remedy = "resume the run where its run file is: "
                               + m_copyPost->record().path + " on " + m_copyPost->record().host});
        return;
    }
    m_record = *place;
    m_recordOpener = std::make_unique<RecordOpener>(
        placedBriefing(m_setup.briefing, m_record), m_clock.wallNow(),
        [this](std::function<void()> work) { m_reactor.post(std::move(work)); },
        [this](Result<RunPlan> plan) { recordOpened(std::move(plan)); });
}

void FarmSession::recordOpened(Result<RunPlan> plan)
{
    if (m_masterPost || m_abandoned || m_worker->over())
        return;
    if (!plan) {
        std::fprintf(stderr, "tasuki: processor %u cannot go on in place of the lost master: %s\n",
                     m_transport.self().value(), plan.error().text().c_str());
        abandon("the master is lost");
        return;
    }
    m_setup.plan = std::move(*plan);
    m_setup.options = placedOptions(std::move(m_setup.options),
                                    placedBriefing(m_setup.briefing, m_record));
    const std::vector<hierarchy::RecordedSeat> recorded = recordedSeats(m_setup.plan->state);
    m_keeper->recall(recorded);
    m_heir.opened(recorded);
    lookAtSuccession();
}

/// Goes on with the record of the last master.
void FarmSession::lead()
{
    m_reactor.expectTraffic(takeoverTalk);
    m_setup.plan->elapsed += m_heir.sinceOpening(); // to read it took its time
    takeMasterPost();
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

void FarmSession::openHealthLog()
{
    std::vector<std::string> names;
    for (const config::SubclusterSpec& spec : m_setup.system.topology.subclusters)
        names.push_back(spec.name);
    HealthLog::Write write = healthLogFile(*m_setup.options.healthLog, m_transport.self());
    if (write)
        m_healthLog.emplace(m_transport.self(), m_setup.briefing.epoch, m_clock, m_first,
                            std::move(names), std::move(write));
}

void FarmSession::takeMasterPost()
{
    // It may have been changed since the run began.
    SystemLaidOut layout = m_heir.lostSince() ? *m_setup.plan->state.system().layout()
                                              : layoutEvent(m_setup.system, m_addresses);
    std::optional<MasterPost::Copies> copies;
    if (m_copyPost)
        copies = {.reach = m_setup.reach, .record = m_record};
    m_masterPost = std::make_unique<MasterPost>(
        MasterPost::Setup{.options = m_setup.options,
                          .launch = m_setup.launch,
                          .plan = std::move(*m_setup.plan),
                          .layout = std::move(layout),
                          .picture = m_picture,
                          .lostSince = m_heir.lostSince(),
                          .recovery = m_setup.recovery,
                          .copies = std::move(copies),
                          .endsAt = m_setup.briefing.endsAt},
        m_transport, m_clock, m_reactor, *m_keeper);
    m_setup.plan.reset();
    if (m_heir.lostSince())
        m_crewPost->masterBeginsAnew();
    m_ledBefore = false;
    for (const int number : std::exchange(m_signalsSeen, {}))
        m_masterPost->signal(number);
    for (const auto& [overlap, lostFor] : std::exchange(m_overlaps, {}))
        m_masterPost->overlapTold(overlap, lostFor);
}

void FarmSession::makeWorker()
{
    const config::Topology& topology = m_setup.system.topology;
    farm::WorkerIdentity identity{
        .epoch = m_setup.briefing.epoch,
        .host = m_host.name,
        .pid = ::getpid(),
        .slotCount = m_setup.slots,
        .cautiousAfter = topology.heartbeat * topology.lostAfter / cautiousShare,
        .holding = {.grace = interruptionGrace, .allFailures = underScheduler()},
        .expected = farm::Welcome{.run = m_setup.briefing.run.hex,
                                  .directory = m_setup.briefing.directory}};
    m_worker = std::make_unique<farm::Worker>(
        std::move(identity), m_transport, m_bootClock, masterProcessor,
        [this](Rank rank, const farm::Welcome& welcome) {
            return m_setup.makeExecutor(m_reactor, rank, welcome);
        });
    m_crewPost = std::make_unique<CrewPost>(
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

void FarmSession::say(const char* what) const
{
    std::fprintf(stderr, "tasuki: processor %u %s\n", m_transport.self().value(), what);
}

void FarmSession::receive(ProcessorId from, const Message& bytes)
{
    Result<farm::Envelope> envelope = farm::decode(bytes);
    if (!envelope) {
        std::fprintf(stderr, "tasuki: processor %u: message of processor %u dropped: %s\n",
                     m_transport.self().value(), from.value(), envelope.error().text().c_str());
        return;
    }
    if (const auto* const word = std::get_if<farm::RecordWord>(&envelope->message)) {
        if (envelope->epoch == m_setup.briefing.epoch)
            receiveOfRecord(from, *word);
        return;
    }
    if (auto* const fetched = std::get_if<farm::OutputFetched>(&envelope->message)) {
        if (m_masterPost && envelope->epoch == m_setup.briefing.epoch)
            m_masterPost->outputFetched(std::move(*fetched));
        return;
    }
    const bool ofCrew = envelope->crew.has_value();
    const bool up = farm::goesUp(envelope->message);
    if (std::holds_alternative<farm::Goodbye>(envelope->message) && from == m_crewPost->master())
        m_crewPost->dismiss();
    if (!up && !ofCrew) {
        m_worker->receive(from, std::move(*envelope));
        return;
    }
    const bool forMaster = m_masterPost && up && (ofCrew || m_crewPost->foreman() == nullptr);
    const bool ofProcessor = std::holds_alternative<farm::Left>(envelope->message)
        || std::holds_alternative<farm::Broken>(envelope->message);
    if (!forMaster && ofProcessor && m_masterPost)
        m_masterPost->receive(from, *envelope); // foremen are told of it, too
    if (forMaster)
        m_masterPost->receive(from, std::move(*envelope));
    else
        m_crewPost->receive(from, std::move(*envelope));
}

void FarmSession::receiveOfRecord(ProcessorId from, const farm::RecordWord& message)
{
    Result<replica::CopyWord> word = replica::decodeCopyWord(message.bytes);
    if (!word) {
        std::fprintf(stderr, "tasuki: processor %u: word of processor %u dropped: %s\n",
                     m_transport.self().value(), from.value(), word.error().text().c_str());
        return;
    }
    if (isOfMaster(*word)) {
        if (m_copyPost)
            m_copyPost->receive(from, std::move(*word));
    } else if (m_masterPost) {
        m_masterPost->receiveOfRecord(from, std::move(*word));
    }
}

void FarmSession::takeSignal(int number)
{
    // What is signalled together with this processor is judged before its master has given any order.
    m_worker->interruptionHeard(asksToKill(number) ? farm::Interruption::Killing
                                                   : farm::Interruption::Asked);
    // The interrupt of a run is its master's affair; the others follow its orders.
    if (m_masterPost) {
        m_masterPost->signal(number);
    } else if (m_standing == hierarchy::Standing::Lapsed) {
        abandon("asked to stop"); // nothing runs here, and nobody can give orders
    } else if (number == SIGUSR1 || number == SIGUSR2) {
        m_signalsSeen.push_back(number);
    } else if (!m_stopTimer.running()) {
        m_stopTimer.startAfter(ordersPatience, [this] { abandon("asked to stop"); });
    }
}

void FarmSession::watchMaster(pid_t pid)
{
    m_masterWatch = std::make_unique<ProcessWatch>(m_reactor.context(), pid,
                                                   [this] { masterGone(); });
}

void FarmSession::abandon(const std::string& reason)
{
    const bool leaving = m_masterPost ? m_masterPost->ending() : m_worker->over();
    if (m_abandoned || leaving)
        return;
    m_abandoned = true;
    if (m_masterPost)
        m_masterPost->abandon(reason);
    m_worker->abandon();
}

bool FarmSession::pollOnce()
{
    m_keeper->turned();
    lookAtLease();
    lookAtLetGo();
    lookAtReturn();
    lookAtSuccession();
    m_problems.tick(m_clock.now());
    bool moved = m_transport.poll();
    moved = m_crewPost->poll() || moved;
    moved = m_worker->poll() || moved;
    if (m_masterPost && !m_abandoned)
        moved = m_masterPost->poll() || moved;
    lookAtRecord();
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
    return m_abandoned || !m_masterPost ? m_worker->over() : m_masterPost->over();
}

} // namespace tasuki
