// SPDX-License-Identifier: GPL-3.0-or-later
#include "outagecourse.h"

#include <cstdio>
#include <cstdlib>
#include <set>
#include <utility>

namespace tasuki::hierarchy::testing {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

namespace {

/// From the end of the last fault until one acts, for good.
constexpr nanoseconds actsAfterFault = 3s;
/// The same when some have ended meanwhile: those who followed a candidate that has lost its majority by that
/// must have followed it for long no more.
constexpr nanoseconds actsAfterLoss = 4500ms;
/// The same from the death of somebody whom a majority may follow still: nobody else may act before.
constexpr nanoseconds actsAfterDeath = 5500ms;
/// The same when all of a host have ended, the system master too.
constexpr nanoseconds actsAfterHost = 12s;
/// From the end of the last fault until all who live are members.
constexpr nanoseconds backWithin = 15s;
/// So long all stay members: what was said before the fault ended, or was to be done then, is over.
constexpr nanoseconds backFor = 3s;
constexpr nanoseconds doneWithin = 60s;
/// Outages that are shorter than that cost nobody anything: the last beat was up to one before, and a clock may
/// be fast.
constexpr milliseconds harmless = 900ms;
constexpr nanoseconds wakeUpWithin = 50ms;

long long inMs(nanoseconds time) { return std::chrono::duration_cast<milliseconds>(time).count(); }

} // namespace

const std::vector<OutageRow>& outageRows()
{
    struct Named {
        const char* name;
        Outage outage;
        bool deaths = false;
    };
    static constexpr Named outages[] = {
        {"all hosts apart", Outage::AllApart},
        {"all hosts apart, with deaths", Outage::AllApart, true},
        {"sides", Outage::Sides},
        {"sides, with deaths", Outage::Sides, true},
        {"one host pauses", Outage::PauseOne},
        {"several hosts pause", Outage::PauseSeveral},
        {"all hosts pause", Outage::PauseAll},
        {"two hosts lost, then the master's", Outage::InARow},
    };
    static constexpr std::pair<const char*, Layout> layouts[] = {
        {"subclusters within hosts", Layout::Within},
        {"over two hosts", Layout::OverTwo},
        {"over all hosts", Layout::OverEach},
    };
    static const std::vector<OutageRow> rows = [] {
        std::vector<OutageRow> out;
        for (const Named& one : outages) {
            for (const auto& [name, layout] : layouts)
                out.push_back({std::string(one.name) + ", " + name,
                               one.name,
                               {.outage = one.outage, .layout = layout, .deaths = one.deaths}});
        }
        return out;
    }();
    return rows;
}

void OutageFigures::add(const OutageFigures& other)
{
    courses += other.courses;
    failed += other.failed;
    withoutMajority += other.withoutMajority;
    moved += other.moved;
    kills += other.kills;
    suspended += other.suspended;
    lapsed += other.lapsed;
    lost += other.lost;
    returns += other.returns;
    ended += other.ended;
    acts = std::max(acts, other.acts);
    back = std::max(back, other.back);
}

OutageCourse::OutageCourse(const OutageKind& kind, std::uint64_t seed, OutageFigures& figures,
                           const Sabotage& sabotage, std::ostream* decisions)
    : m_random(seed * 7393 + static_cast<std::uint64_t>(kind.outage) * 64
               + static_cast<std::uint64_t>(kind.layout) * 8 + (kind.deaths ? 1U : 0U)),
      m_kind(kind),
      m_figures(figures),
      m_system(shapeOf(kind, m_random), seed, sabotage, decisions),
      m_trace(std::getenv("TASUKI_SIMULATION_TRACE") != nullptr)
{
    m_system.listen([this](ProcessorId from, ProcessorId, const ControlMessage& message) {
        if (const auto* const reply = std::get_if<BeatReply>(&message))
            m_said[from] = {*reply, m_system.now()};
    });
}

SimulationShape OutageCourse::shapeOf(const OutageKind& kind, std::mt19937_64& random)
{
    const auto draw = [&random](std::uint64_t below) {
        return static_cast<std::uint32_t>(random() % below);
    };
    SimulationShape shape{.oneHost = false, .hosts = 3 + draw(7), .rejoin = true};
    shape.io = draw(2);
    shape.standby = 1 + draw(2);
    shape.active = 2 + draw(3);
    switch (kind.layout) {
    case Layout::Within:
        shape.subclusters = shape.hosts;
        shape.units = 1;
        break;
    case Layout::OverTwo:
        shape.subclusters = shape.hosts;
        shape.units = 2;
        break;
    case Layout::OverEach:
        shape.subclusters = 1 + draw(3);
        shape.units = shape.hosts;
        shape.active = shape.hosts * (1 + draw(2)) - shape.io;
        shape.standby = shape.hosts;
        break;
    }
    shape.guests = kind.guests;
    shape.guestSeats = kind.guests / 2;
    constexpr double assumed = 0.02;
    shape.drift = kind.drift.value_or(draw(3) == 0 ? assumed : 0.0);
    switch (draw(4)) {
    case 0:
    case 1: break;
    case 2: shape.meanExtraDelay = milliseconds(draw(15)); break;
    case 3:
        shape.datagramLoss = 0.01 * static_cast<double>(draw(4));
        shape.messageLoss = 0.01 * static_cast<double>(draw(3));
        break;
    }
    return shape;
}

bool OutageCourse::started() const
{
    return m_system.membership(ProcessorId(0)).view().system().started && m_system.inStep();
}

bool OutageCourse::runUntil(const std::function<bool()>& done, nanoseconds limit)
{
    return m_system.runUntil(
        [&] {
            tracePeriodically();
            joinDue();
            return done();
        },
        limit);
}

void OutageCourse::tracePeriodically()
{
    if (!m_trace || m_system.now() - m_traced < 100ms)
        return;
    m_traced = m_system.now();
    std::fprintf(stderr, "%lld ms after the fault began%s\n", inMs(m_system.now() - m_begun),
                 who().c_str());
}

/// Who comes while hosts are apart for as long as it would ask comes after that.
void OutageCourse::joinDue()
{
    constexpr milliseconds asksFor = 50s;
    std::erase_if(m_joins, [&](const auto& item) {
        bool due = m_system.now() >= item.second && m_length < asksFor;
        for (std::uint32_t i = 0; due && i < m_system.shape().ofStart();
             ++i) // no host that is stopped
            due = !m_system.paused(ProcessorId(i))
                || m_system.hostOf(ProcessorId(i)) != m_system.hostOf(item.first);
        if (due)
            m_system.join(item.first);
        return due;
    });
}

std::string OutageCourse::run()
{
    ++m_figures.courses;
    m_system.readyAll();
    if (!m_system.runUntil([&] { return started(); }, 5s))
        return "no start";
    m_system.addTasks(20);
    m_system.run(milliseconds(500 + draw(1000)));
    for (std::uint32_t i = 0; i < m_system.size(); ++i) {
        const ProcessorId one(i);
        m_places.push_back({m_system.lifeOf(one), m_system.membership(one).holding()});
    }
    m_first = m_system.systemMaster();
    m_begun = m_system.now();
    for (std::uint32_t i = m_system.shape().ofStart(); i < m_system.size(); ++i)
        m_joins[ProcessorId(i)] = m_begun + milliseconds(draw(6000));
    nanoseconds actsWithin = actsAfterFault;
    std::string wrong;
    if (m_kind.outage == Outage::InARow) {
        wrong = strikeInARow();
        actsWithin = actsAfterHost;
    } else {
        strike();
        m_last = m_system.now();
        if (m_kills > 0)
            actsWithin = std::max(actsAfterLoss, m_death + actsAfterDeath - m_last);
    }
    if (wrong.empty())
        wrong = recovers(actsWithin);
    if (wrong.empty())
        wrong = settles();
    m_figures.kills += m_kills;
    m_figures.suspended += m_system.suspensions();
    m_figures.lapsed += m_system.lapses();
    m_figures.lost += m_system.lostTheirPlace().size();
    m_figures.returns += m_system.returns();
    m_figures.ended += m_system.endedByThemselves();
    m_figures.moved += m_system.systemMaster() != m_first ? 1 : 0;
    if (!m_system.violations().empty())
        wrong = m_system.violations().front() + (wrong.empty() ? "" : ", " + wrong);
    if (!wrong.empty())
        wrong += " (" + std::to_string(m_system.hosts()) + " hosts, "
            + std::to_string(m_length.count()) + " ms, " + std::to_string(m_kills) + " killed)";
    m_figures.failed += wrong.empty() ? 0 : 1;
    return wrong;
}

/// Outages of links are also such that leases are long over.
milliseconds OutageCourse::drawLength()
{
    const bool links = m_kind.outage == Outage::AllApart || m_kind.outage == Outage::Sides;
    if (links && draw(8) == 0)
        return draw(3) == 0 ? 60s : 20s;
    return milliseconds(100 * (1 + draw(80)));
}

/// @return so many hosts, beginning with one
std::vector<std::uint32_t> OutageCourse::drawHosts(std::uint32_t first, std::size_t count)
{
    std::vector<std::uint32_t> others;
    for (std::uint32_t host = 0; host < m_system.hosts(); ++host) {
        if (host != first)
            others.push_back(host);
    }
    std::ranges::shuffle(others, m_random);
    std::vector<std::uint32_t> out{first};
    out.insert(out.end(), others.begin(),
               others.begin() + static_cast<std::ptrdiff_t>(std::min(count - 1, others.size())));
    return out;
}

void OutageCourse::strike()
{
    const std::uint32_t hosts = m_system.hosts();
    const auto any = [&] { return static_cast<std::uint32_t>(draw(hosts)); };
    const auto orMasters = [&] { return draw(2) == 0 ? m_system.hostOf(m_first) : any(); };
    m_length = drawLength();
    std::vector<std::uint32_t> sides(hosts);
    switch (m_kind.outage) {
    case Outage::AllApart:
        for (std::uint32_t host = 0; host < hosts; ++host)
            sides[host] = host;
        strikeLinks(sides);
        break;
    case Outage::Sides: {
        const auto groups = 2 + draw(std::min(3U, hosts - 1));
        while (std::set(sides.begin(), sides.end()).size() < 2) {
            for (std::uint32_t& side : sides)
                side = static_cast<std::uint32_t>(draw(groups));
        }
        strikeLinks(sides);
        break;
    }
    case Outage::PauseOne: strikePauses({orMasters()}); break;
    case Outage::PauseSeveral: strikePauses(drawHosts(orMasters(), 2 + draw(hosts - 2))); break;
    case Outage::PauseAll: strikePauses(drawHosts(0, hosts)); break;
    case Outage::InARow: break;
    }
}

void OutageCourse::strikeLinks(const std::vector<std::uint32_t>& sides)
{
    m_figures.withoutMajority += hasMajority(sides) ? 0 : 1;
    m_system.part(sides);
    runWithDeaths(m_length);
    m_system.heal();
}

bool OutageCourse::hasMajority(const std::vector<std::uint32_t>& sides) const
{
    std::map<std::uint32_t, std::size_t> sizes;
    const std::uint32_t voters = m_system.shape().ofStart();
    for (std::uint32_t i = 0; i < voters; ++i)
        ++sizes[sides[m_system.hostOf(ProcessorId(i))]];
    const std::size_t first = sides[m_system.hostOf(ProcessorId(0))];
    return std::ranges::any_of(sizes, [&](const auto& item) {
        return 2 * item.second > voters || (2 * item.second == voters && item.first == first);
    });
}

/// Hosts pause from about the same time on, each so long as it happens; all of a system for the same
/// time, as when they are virtual machines of one.
void OutageCourse::strikePauses(const std::vector<std::uint32_t>& hosts)
{
    struct Turn {
        milliseconds at;
        std::uint32_t host;
        bool pauses;
    };
    const bool all = hosts.size() == m_system.hosts();
    const bool seenStopped = draw(2) == 0;
    std::vector<Turn> turns;
    milliseconds longest{};
    for (const std::uint32_t host : hosts) {
        const milliseconds begins(hosts.size() == 1 || all ? 0 : draw(1000));
        const milliseconds length = all || host == hosts.front() ? m_length : drawLength();
        longest = std::max(longest, length);
        turns.push_back({begins, host, true});
        turns.push_back({begins + length, host, false});
    }
    m_length = longest;
    std::ranges::stable_sort(turns, {}, &Turn::at);
    const SteadyTime then = m_system.now();
    for (const Turn& turn : turns) {
        runUntil([] { return false; }, std::max(0ns, then + turn.at - m_system.now()));
        if (turn.pauses)
            m_system.pauseHost(turn.host, seenStopped);
        else
            m_system.resumeHost(turn.host, all || draw(2) == 0 ? wakeUpWithin : 0ns);
    }
    runUntil([] { return false; }, wakeUpWithin);
}

void OutageCourse::runWithDeaths(milliseconds length)
{
    std::vector<milliseconds> deaths;
    if (m_kind.deaths) {
        for (auto left = 1 + draw(3); left > 0; --left)
            deaths.emplace_back(draw(static_cast<std::uint64_t>(length.count())));
        std::ranges::sort(deaths);
    }
    const SteadyTime then = m_system.now();
    for (const milliseconds death : deaths) {
        runUntil([] { return false; }, then + death - m_system.now());
        killSome();
    }
    runUntil([] { return false; }, then + length - m_system.now());
}

/// Every other time a master.
void OutageCourse::killSome()
{
    std::vector<ProcessorId> living;
    std::vector<ProcessorId> masters;
    for (std::uint32_t i = 0; i < m_system.size(); ++i) {
        const ProcessorId one(i);
        if (!mayKill(one))
            continue;
        living.push_back(one);
        if (m_system.membership(one).position().master())
            masters.push_back(one);
    }
    if (living.empty())
        return;
    const auto& from = masters.empty() || draw(2) == 0 ? living : masters;
    m_system.kill(from[draw(from.size())]);
    ++m_kills;
    m_death = m_system.now();
}

/// Those that were lost and have come back count as the others do.
std::string OutageCourse::strikeInARow()
{
    const std::uint32_t last = m_system.hostOf(m_first);
    const std::vector<std::uint32_t> hosts = drawHosts(last, 3);
    constexpr std::uint32_t enough = 5; // of which three are more than half
    const bool atOnce = m_system.hosts() >= enough && draw(2) == 0;
    m_length = 20s;
    if (std::string wrong = loseHost(hosts[1], false); !wrong.empty())
        return "after the first: " + wrong;
    if (std::string wrong = loseHost(hosts[2], atOnce); !wrong.empty())
        return "after the second: " + wrong;
    killHost(last);
    m_last = m_system.now();
    if (!atOnce)
        return {};
    // Who is cut off is lost by now, or will be; the others are more than half.
    if (!runUntil([&] { return oneActs(); }, actsAfterHost))
        return "nobody acts while a host is cut off" + who();
    m_system.heal();
    m_last = m_system.now();
    return {};
}

/// @param untilKill  it stays cut off
std::string OutageCourse::loseHost(std::uint32_t host, bool untilKill)
{
    std::vector<std::uint32_t> sides(m_system.hosts());
    sides[host] = 1;
    m_system.part(sides);
    runUntil([] { return false; }, 20s);
    if (untilKill)
        return {};
    m_system.heal();
    m_last = m_system.now();
    std::string wrong = recovers(actsAfterFault);
    runUntil([] { return false; }, milliseconds(2000 + draw(2000)));
    return wrong;
}

/// More than half of those that vote live on.
bool OutageCourse::mayKill(ProcessorId one) const
{
    const std::uint32_t voters = m_system.shape().ofStart();
    std::uint32_t living = 0;
    for (std::uint32_t i = 0; i < voters; ++i)
        living += m_system.alive(ProcessorId(i)) ? 1U : 0U;
    return m_system.alive(one) && (one.value() >= voters || 2 * (living - 1) > voters);
}

/// Of whom so many live on that they are more than half.
void OutageCourse::killHost(std::uint32_t host)
{
    for (std::uint32_t i = 0; i < m_system.size(); ++i) {
        const ProcessorId one(i);
        if (m_system.hostOf(one) != host || !mayKill(one))
            continue;
        m_system.kill(one);
        ++m_kills;
        m_death = m_system.now();
    }
}

/// One acts in time and from then on, all are back in time.
std::string OutageCourse::recovers(nanoseconds actsWithin)
{
    for (const auto& [guest, then] : std::exchange(m_joins, {}))
        m_system.join(guest);
    SteadyTime nobody = m_last;  // acted, at last
    SteadyTime missing = m_last; // was somebody, at last
    SteadyTime looked = m_last;
    const auto look = [&] {
        constexpr milliseconds often = 5ms;
        if (m_system.now() - looked < often)
            return false;
        looked = m_system.now();
        if (!oneActs())
            nobody = looked;
        if (!m_system.everybodyIsBack())
            missing = looked;
        return looked - missing >= backFor;
    };
    const bool back = runUntil(look, backWithin + backFor);
    m_figures.acts = std::max(m_figures.acts, nobody - m_last);
    if (nobody - m_last > actsWithin)
        return (oneActs() ? "nobody acted until " + std::to_string(inMs(nobody - m_last)) + " ms"
                          : std::string("nobody acts"))
            + who();
    if (!back)
        return "not all are back" + who();
    m_figures.back = std::max(m_figures.back, missing - m_last);
    return {};
}

/// From then on nobody has a fault; the work is done in the end.
std::string OutageCourse::settles()
{
    if (std::string lost = placesLost(); !lost.empty())
        return lost;
    m_system.settle();
    const std::size_t before = m_system.lapses() + m_system.fencedByLease();
    runUntil([] { return false; }, 2s);
    if (!runUntil([&] { return m_system.everybodyIsBack(); }, 2s)
        || before != m_system.lapses() + m_system.fencedByLease())
        return "not all stay" + who();
    if (m_system.endedByThemselves() > 0)
        return std::to_string(m_system.endedByThemselves()) + " have ended" + who();
    if (!anyRankMissing() && !runUntil([&] { return m_system.allDone(); }, doneWithin))
        return "tasks are left" + who();
    return {};
}

/// A subcluster without a rank held does nothing any more.
bool OutageCourse::anyRankMissing() const
{
    const MembershipView& view = m_system.membership(m_system.systemMaster()).view();
    for (std::uint32_t i = 0; i < view.clusterCount(); ++i) {
        if (view.cluster(SubclusterId(i)).heldRanks() == 0)
            return m_kills > 0;
    }
    return false;
}

/// @return who lost something that it may not lose by this course; empty: nobody
std::string OutageCourse::placesLost() const
{
    if (m_kind.outage != Outage::PauseAll
        && (m_kind.outage == Outage::InARow || m_length >= harmless))
        return {};
    for (std::uint32_t i = 0; i < m_system.shape().ofStart(); ++i) {
        const ProcessorId one(i);
        const Place& before = m_places[i];
        if (!m_system.alive(one))
            continue;
        if (m_system.lifeOf(one) != before.life || m_system.lostTheirPlace().contains(one)
            || (before.holding && m_system.membership(one).holding() != before.holding))
            return std::to_string(i) + " lost its place" + who();
    }
    return {};
}

/// @return what a processor holds, and what it is by the tables of who was seen to act last
std::string OutageCourse::holdingOf(ProcessorId one) const
{
    const auto& holding = m_system.membership(one).holding();
    const MemberRow& row = m_system.membership(m_system.systemMaster()).view().member(one);
    return (holding ? " seat " + std::to_string(holding->seat.value()) + "."
                    + std::to_string(holding->incarnation.value())
                    : std::string())
        + " health " + std::to_string(static_cast<int>(row.health))
        + (row.seat ? " row " + std::to_string(row.seat->value()) : std::string());
}

std::string OutageCourse::who() const
{
    std::string out;
    constexpr std::uint32_t most = 40;
    for (std::uint32_t i = 0; i < m_system.size() && m_system.size() <= most; ++i) {
        const ProcessorId one(i);
        out += m_system.describe(one) + holdingOf(one);
        if (const auto said = m_said.find(one); said != m_said.end()) {
            const BeatReply& reply = said->second.reply;
            out += "; said " + std::to_string(inMs(m_system.now() - said->second.at))
                + " ms ago: follows "
                + (reply.stamp ? std::to_string(reply.stamp->leader.value()) + " of "
                           + std::to_string(reply.stamp->when)
                               : "nobody")
                + ", ages of lease " + std::to_string(inMs(reply.leaseAge)) + ", grant "
                + std::to_string(inMs(reply.grantAge)) + ", alone "
                + std::to_string(inMs(reply.soleAge));
        }
    }
    return out;
}

} // namespace tasuki::hierarchy::testing
