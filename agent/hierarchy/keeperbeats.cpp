// SPDX-License-Identifier: GPL-3.0-or-later
// What keepers say to each other: beats, their replies, tables.
#include "keeper.h"

#include <algorithm>
#include <utility>

namespace tasuki::hierarchy {

using std::chrono::nanoseconds;

namespace {

/// Replies in a row that differ in the same way before tables are asked for.
constexpr std::uint32_t toleratedDifferences = 1;
/// The same for replies that differ in some way, as tables change all the time.
constexpr std::uint32_t toleratedChanges = 4;
/// How exactly beats say how old a stamp is.
constexpr int supportStepsPerBeat = 4;
/// What is older is as good as never.
constexpr std::chrono::microseconds longestAge = std::chrono::hours(1);

} // namespace

void Keeper::beat(SteadyTime now)
{
    sayOverlap();
    if (m_position.parent)
        sendBeat(*m_position.parent);
    beatPastTheDeaf(now);
    beatAround();
    askTheUnheard(now);
    askTop(now);
    muster();
    compareHealth(now);
    if (!m_book.empty()) {
        m_book.compare(m_picture);
        report(m_book.open(now), now);
        m_book.forgetPassing();
        // It is seen again, if it is so still: whoever decides later must not go by what was.
        m_book.forgetSilent([this](ProcessorId one) {
            return m_host.isElsewhere(one) || m_detector.standing(one) != Sign::Silent;
        });
    }
    fence(now);
    sayOrders(now);
    sayRecalled();
    lookAtHolding(true);
    passTables();
}

/// A cluster master that is heard of by others may hear nothing itself: then nobody else would look
/// after its unit masters.
void Keeper::beatPastTheDeaf(SteadyTime now)
{
    const auto top = topOfAll();
    if (m_position.unitMaster && m_position.parent && top && top != m_position.parent
        && now - m_leaseFrom > 2 * m_picture.system().settings.suspectAfter * interval())
        sendBeat(*top);
}

/// Who has lapsed may have been given up by the others, or know less than they: it beats to who was system
/// master, too, and each time to another one of all.
void Keeper::beatAround()
{
    if (m_standing != Standing::Lapsed)
        return;
    const SteadyTime lately = m_clock.now() - 2 * interval();
    for (const ProcessorId to : m_wayBack.next(m_picture, m_support.reign())) {
        // Who asks gets a beat for that; of two at once it would answer this one alone.
        if (to == m_position.parent || m_asked[to] > lately)
            continue;
        sendBeat(to);
        m_sent[m_beats].forLease = false;
    }
}

void Keeper::sendBeat(ProcessorId to)
{
    const SteadyTime now = m_clock.now();
    m_sent[++m_beats] = {.sent = now};
    acknowledge(now);
    if (m_sent.size() > mostUnanswered)
        m_sent.erase(m_sent.begin());
    send(to,
         Beat{.number = m_beats,
              .digest = m_picture.digest(),
              .own = m_picture.cluster(m_picture.subclusterOf(m_self)).version,
              .turns = m_turns,
              .readiness = m_readiness,
              .holding = m_lastHeld,
              .support = m_support.report(m_picture.cluster(m_picture.subclusterOf(m_self)),
                                          interval() / supportStepsPerBeat),
              .system = m_picture.system().version,
              .lapsed = m_standing == Standing::Lapsed,
              .generation = latestGeneration(),
              .renounced = m_support.renounced(now, soleTime(now))});
}

void Keeper::passTables()
{
    if (m_flow.empty())
        return;
    std::vector<ProcessorId> neighbours = m_position.children;
    if (m_position.clusterMaster && m_position.parent)
        neighbours.push_back(*m_position.parent);
    for (const ProcessorId neighbour : neighbours) {
        Tables tables = m_flow.tablesFor(neighbour, m_picture);
        if (!isEmpty(tables))
            send(neighbour, std::move(tables));
    }
    m_flow.clear();
}

void Keeper::receive(ProcessorId from, const ControlMessage& message, std::uint32_t life)
{
    if (from == m_self || !m_picture.knows(from))
        return;
    wake(m_clock.now());
    if (m_fenced) {
        receiveOutside(from, message);
        return;
    }
    if (const auto* const overlap = std::get_if<Overlap>(&message)) {
        on(from, *overlap); // whatever has become of the life in which that is said
        return;
    }
    if (const auto* const plea = std::get_if<Rejoin>(&message)) {
        on(from, *plea);
        announce();
        return;
    }
    // What is dead for all, or is to be, says nothing any more; if it lives, it is told. Of a life that
    // the tables do not have yet nothing counts.
    const MemberRow& row = m_picture.member(from);
    const bool over = row.health >= Health::Condemned || life < row.life;
    if ((over || life != row.life) && !std::holds_alternative<Banish>(message)) {
        if (over && life <= row.life)
            send(from, Banish{.life = life, .lostFor = lostFor(from, life)});
        return;
    }
    if (const auto* const beat = std::get_if<Beat>(&message)) {
        if (beat->lapsed)
            m_lapsed.try_emplace(from, m_clock.now());
        else
            m_lapsed.erase(from);
    }
    if (!isDeaf(from, m_clock.now()))
        m_detector.hear(from, m_clock.now());
    hearFromAbove(
        from, std::holds_alternative<Beat>(message) || std::holds_alternative<BeatReply>(message));
    std::visit([&](const auto& content) { on(from, content); }, message);
    observeEndedBefore();
    announce();
}

bool Keeper::staysLapsed(ProcessorId processor, SteadyTime now) const
{
    const auto lapsed = m_lapsed.find(processor);
    return lapsed != m_lapsed.end()
        && now - std::max(lapsed->second, m_grantedSince) > m_options.suspendedBeats * interval();
}

/// Who stays lapsed, though this processor has a majority, hears nobody: it is no better than silent.
bool Keeper::isDeaf(ProcessorId processor, SteadyTime now) const
{
    return trusted(now) && staysLapsed(processor, now);
}

void Keeper::gone(ProcessorId processor)
{
    if (m_fenced || !m_picture.knows(processor))
        return;
    wake(m_clock.now());
    observe({.processor = processor, .what = Observation::Gone, .cause = HealthCause::Gone},
            m_clock.now());
    announce();
}

void Keeper::on(ProcessorId from, const Beat& beat)
{
    const SteadyTime now = m_clock.now();
    // What has gathered while this processor slept is answered once; who beats faster than is
    // thought here is answered now and then.
    if (SteadyTime& answered = m_answered[from];
        now - answered > m_rhythm.shortest(now, m_options.leaseWaitBeats) / 2 || beat.number == 1) {
        answered = now;
        send(from, replyTo(beat.number, now));
    }
    if (m_doubtful.contains(from))
        sendBeat(from); // what it replies says whether it may come back
    hearGeneration(beat.generation, beat.renounced);
    if (beat.support)
        m_support.take(m_picture.cluster(m_picture.subclusterOf(from)), *beat.support);
    m_detector.hearProgress(from, beat.turns, now);
    m_digests[from] = beat.digest;
    if (ClusterKeeper* const writer = writerOf(m_picture.subclusterOf(from)); writer != nullptr) {
        if (beat.holding)
            writer->heardOf(*beat.holding);
        writer->follows(from, beat.own.term, now);
        if (writer->changed())
            publish();
    }
    const ClusterTable& theirs = m_picture.cluster(m_picture.subclusterOf(from));
    // Tables of its subcluster climb from a cluster master, and from one that was it until now. One
    // beat later than the table itself should have come.
    const bool newer = std::exchange(m_announced[from], beat.own) > theirs.version;
    if (newer || beat.system > m_picture.system().version)
        send(from, TablesWanted{m_picture.versions()});
    if (beat.readiness == Readiness::Leaving) {
        observe({.processor = from, .what = Observation::Left}, now);
    } else if (clusterMaster(theirs) != from && beat.readiness == Readiness::Ready
               && theirs.member(from)->health == Health::Expected) {
        observe({.processor = from, .what = Observation::Ready}, now);
    }
}

BeatReply Keeper::replyTo(std::uint64_t number, SteadyTime now)
{
    const auto since = [now](SteadyTime then) {
        return std::chrono::ceil<std::chrono::microseconds>(now - then);
    };
    if (m_position.systemMaster)
        stampHere(now);
    return {.number = number,
            .digest = m_picture.digest(),
            .leaseAge = since(m_position.systemMaster ? now : m_leaseFrom),
            .grantAge = since(m_grantFrom),
            .soleAge = since(m_soleFrom),
            .stamp = m_support.newest(),
            .stampAge = std::min(
                std::chrono::floor<std::chrono::microseconds>(now - m_support.newestMade()),
                longestAge),
            .reignAge = std::min(since(reignSeen().granted), longestAge),
            .followedAge = std::min(since(reignSeen().followed), longestAge),
            .generation = latestGeneration(),
            .renounced = m_support.renounced(now, soleTime(now))};
}

void Keeper::on(ProcessorId from, const BeatReply& reply)
{
    const SteadyTime now = m_clock.now();
    hearGeneration(reply.generation, reply.renounced);
    std::optional<Unanswered> asked;
    if (const auto sent = m_sent.find(reply.number); sent != m_sent.end()) {
        asked = sent->second;
        m_sent.erase(sent);
    }
    // What waited in a socket is older than it says.
    const nanoseconds reignAge = asked ? now - asked->sent + reply.reignAge : longestAge;
    if (reply.stamp)
        takeStamp(from, reply, reignAge, now);
    else if (from == m_support.reign())
        m_reignSeen.reset(); // it has stood down
    if (reply.stamp && reply.stamp->table > m_picture.system().version)
        send(from, TablesWanted{m_picture.versions()});
    if (asked && asked->forLease)
        takeLease(from, reply, asked->sent);
    tellWords();
    if (reply.stamp && reply.stamp->reign == from)
        hearAgain(from, reignAge, now);
    // While tables are on their way the digests differ, but not for long in the same way.
    Difference& difference = m_differences[from];
    const std::pair digests{reply.digest, m_picture.digest()};
    if (digests.first == digests.second) {
        difference = {};
        return;
    }
    difference.alike = digests == difference.digests ? difference.alike + 1 : 1;
    difference.digests = digests;
    if (++difference.any > toleratedChanges || difference.alike > toleratedDifferences) {
        difference = {};
        send(from, TablesWanted{m_picture.versions()});
    }
}

/// What an answer says of leases counts from when it was asked for.
void Keeper::takeLease(ProcessorId from, const BeatReply& reply, SteadyTime asked)
{
    const SteadyTime since = asked - reply.leaseAge;
    if (since > m_leaseFrom) {
        if (since - m_leaseFrom > m_picture.system().settings.suspectAfter * interval())
            m_deafUntil = m_clock.now();
        m_leaseFrom = since;
        m_told.leaseBy = from;
        if (since >= m_lateUntil)
            m_lateSinceLease = {};
    }
    // That somebody after it is followed does not say that the system master lives.
    if (!reply.stamp || !m_top || !m_picture.knows(reply.stamp->reign)
        || placeInSuccession(m_picture, reply.stamp->reign) <= placeInSuccession(m_picture, *m_top))
        takeTopLease(since);
    // The grant of one whom this processor does not follow says nothing to it.
    if (!reply.stamp || reply.stamp->reign != m_support.reign() || m_position.systemMaster)
        return;
    noteReign({.reign = reply.stamp->reign,
               .granted = asked - reply.reignAge,
               .followed = asked - reply.followedAge});
    const bool knows = reply.stamp->table == m_picture.system().version; // what became of it
    if ((reply.stamp->candidate || !knows) && mayBeBuriedBy(reply.stamp->reign))
        return;
    if (asked - reply.grantAge > m_grantFrom) {
        m_grantFrom = asked - reply.grantAge;
        if (m_grantFrom >= m_lateUntil)
            m_lateSinceGrant = {};
    }
    m_soleFrom = std::max(m_soleFrom, asked - reply.soleAge);
}

/// Whether within so long this processor could hear nothing: it was stopped, or cut off, as it may be still.
bool Keeper::wasDeaf(SteadyTime now, nanoseconds within) const
{
    return now - m_deafUntil < within
        || now - m_leaseFrom > m_picture.system().settings.suspectAfter * interval();
}

void Keeper::takeTopLease(SteadyTime since)
{
    if (since <= m_topLease)
        return;
    m_topLease = since;
    if (since >= m_lateUntil)
        m_lateSinceTop = {};
}

void Keeper::on(ProcessorId from, const Ask&)
{
    // What has gathered while this processor slept is answered once.
    const SteadyTime now = m_clock.now();
    if (SteadyTime& asked = m_asked[from]; now - asked > interval() / 4) {
        asked = now;
        sendBeat(from);
    }
}

/// What is said of an earlier life is known.
void Keeper::on(ProcessorId from, const Banish& banish)
{
    if (banish.life < m_life)
        return;
    giveUp();
    hearOfOwnLoss(from, banish.lostFor);
}

void Keeper::on(ProcessorId from, const Tables& tables)
{
    bool settings = false;
    const ClusterTablePtr own = m_picture.clusterPtr(m_picture.subclusterOf(m_self));
    for (const ClusterTablePtr& table : tables.clusters) {
        if (!adopt(table))
            continue;
        tellAdopted(*table);
        m_changed = true;
        m_adoptedAt[table->subcluster.value()] = m_clock.now();
        m_flow.changed(table->subcluster, from);
        m_writing.erase(table->subcluster); // somebody else has decided: begin with that
    }
    if (tables.system != nullptr && m_picture.adopt(tables.system)) {
        tellAdopted(*tables.system);
        settings = true;
        m_changed = true;
        m_flow.systemChanged(from);
        m_votersSince = 0; // others have counted by another table until now
        m_electorate.clear();
        renewTerms();
    }
    if (!m_changed)
        return;
    if (settings)
        applySettings(m_clock.now());
    compareBooks();
    const auto top = m_top;
    reposition(m_clock.now());
    lookAtHolding();
    const ClusterTable& now = m_picture.cluster(m_picture.subclusterOf(m_self));
    const bool ofAnother = now.version.term != own->version.term;
    if (ofAnother && now.writer != m_self && !m_holding)
        sendBeat(now.writer); // it gives no seat on before it knows that this one has none
    if (m_muster)
        publish();
    if (top != m_top || ofAnother)
        passTables(); // all wait for who has taken its place
}

void Keeper::on(ProcessorId from, const TablesWanted& wanted)
{
    Tables tables = newerThan(wanted.have, m_picture);
    if (!isEmpty(tables))
        send(from, std::move(tables));
}

void Keeper::on(ProcessorId, const Observations& observations)
{
    const SteadyTime now = m_clock.now();
    // They are said again. What has waited while nothing could be heard here is not so any more.
    if (!mayWrite() || wasDeaf(now, m_picture.system().settings.suspectAfter * interval()))
        return;
    for (const Observed& observed : observations.observed) {
        // Of the system master others can tell that its process has ended, and no more.
        if (m_picture.knows(observed.processor)
            && (observed.processor != m_top || observed.what == Observation::Gone
                || observed.what == Observation::Left || observed.what == Observation::Returned))
            observe(observed, now);
    }
}

void Keeper::on(ProcessorId, const Fence& fence)
{
    // It is said again. It may be an old word of somebody who takes this one for well; and who was stopped
    // or cut off with this one has the time to give itself up.
    const SteadyTime now = m_clock.now();
    const nanoseconds time = m_options.trustBeats * interval();
    if (m_standing != Standing::Valid || now - m_standingSince < time || wasDeaf(now, time))
        return;
    for (const ProcessorId processor : fence.processors) {
        if (!m_picture.knows(processor) || processor == m_self)
            continue;
        const Presence presence = m_host.presence(processor);
        if (presence == Presence::Gone)
            gone(processor);
        if (presence == Presence::Gone || presence == Presence::Elsewhere)
            continue;
        m_host.watch(processor);
        m_host.kill(processor);
    }
}

void Keeper::on(ProcessorId from, const Taken& taken)
{
    if (ClusterKeeper* const writer = writerOf(m_picture.subclusterOf(from))) {
        writer->taken(from, taken.holding, m_clock.now());
        publish();
    }
}

void Keeper::on(ProcessorId from, const Vacated& vacated)
{
    if (ClusterKeeper* const writer = writerOf(m_picture.subclusterOf(from))) {
        writer->vacated(from, vacated.holding, m_clock.now());
        publish();
    }
}

/// The system master begins when all are ready, and says who is not when that takes too long.
void Keeper::watchStart(SteadyTime now)
{
    if (!actsAsSystemMaster() || m_picture.system().started)
        return;
    std::vector<ProcessorId> missing;
    bool down = false;
    for (std::uint32_t number = 0; number < m_picture.clusterCount(); ++number) {
        const ClusterTable& table = m_picture.cluster(SubclusterId(number));
        down = down || table.state == ClusterState::Starting;
        for (const MemberRow& row : table.members) {
            if (row.health == Health::Expected)
                missing.push_back(row.processor);
        }
    }
    // From then on it acts only by what a majority says.
    if (missing.empty() && !down && (!needsMajority() || m_electorate.majority(m_support))) {
        SystemTable system = m_picture.system();
        system.started = true;
        writeSystem(std::move(system));
        return;
    }
    if (!m_missingSaid && now - m_begun > m_options.startDeadline) {
        m_missingSaid = true;
        m_observer.missing(std::move(missing));
    }
}

} // namespace tasuki::hierarchy
