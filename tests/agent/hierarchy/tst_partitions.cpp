// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "systemsimulation.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <utility>

namespace tst_partitions {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;
using namespace std::chrono_literals;

namespace {

using std::chrono::milliseconds;

/// After a cut: so long the side without a majority may act, so soon the other one has a system
/// master.
constexpr auto lapsesWithin = 3200ms;
constexpr auto actsWithin = 5500ms;
/// After healing, when no side had a majority.
constexpr auto actsAgainWithin = 3s;
/// And so soon it knows that the others are lost: it waits for the leases of each.
constexpr auto knowsWithin = 12s;
/// After the last fault, when one acts: so soon all who live are with the others again, or have ended
/// when they are not to.
constexpr auto backWithin = 15s;
/// Who is not let in ends, and who hears of nobody that leads.
constexpr auto endsWithin = 125s;

/// What scenarios had in them, summed up.
struct PartFigures {
    int without = 0; ///< no side had a majority
    int moved = 0;   ///< another system master acts
    int kills = 0;
    int pauses = 0;
    std::chrono::nanoseconds lapsed{}; ///< the slowest
    std::chrono::nanoseconds acts{};
    std::chrono::nanoseconds knows{};
    std::size_t returns = 0;
    std::chrono::nanoseconds back{}; ///< from healing until all are, the slowest
    double busiest = 0;
};

enum class Cut : std::uint8_t {
    Sides,   ///< two or three
    OneWay,  ///< one side is heard by the other
    OneLink, ///< between two processors
};

struct PartCourse {
    Cut cut = Cut::Sides;
    milliseconds healedAfter{}; ///< 0: never
    bool faults = false;        ///< processors are killed and stopped too
    bool rejoin = false;        ///< who was fenced may come back
};

/// One random partition.
class PartScenario {
public:
    PartScenario(SimulationShape shape, const PartCourse& course, std::uint64_t seed,
                 PartFigures& figures, const Sabotage& sabotage = {})
        : m_random(seed * 6007 + shape.processors()),
          m_course(course),
          m_shape(disturbed(shape)),
          m_figures(figures),
          m_system(m_shape, seed, sabotage)
    {}

    /// @return what went wrong; empty: nothing
    std::string run()
    {
        m_system.readyAll();
        if (!m_system.runUntil([&] { return started(); }, 5s))
            return "no start";
        m_system.addTasks(6);
        m_system.run(milliseconds(500 + draw(1000)));
        if (m_course.faults && draw(2) == 0)
            fault();
        m_first = m_system.systemMaster();
        cut();
        const SteadyTime then = m_system.now();
        m_last = then;
        if (m_course.faults) {
            for (auto left = 1 + draw(3); left > 0; --left) {
                m_system.run(milliseconds(draw(2500)));
                fault();
            }
        }
        std::string wrong = m_course.healedAfter > 0ms ? healed(then) : unhealed();
        if (wrong.empty() && m_course.healedAfter > 0ms)
            wrong = settled();
        m_figures.returns += m_system.returns();
        if (wrong.empty() && !m_system.violations().empty())
            wrong = m_system.violations().front();
        m_figures.busiest = std::max(m_figures.busiest, m_system.busiestMaster());
        return wrong;
    }

private:
    std::uint64_t draw(std::uint64_t below) { return m_random() % below; }

    SimulationShape disturbed(SimulationShape shape)
    {
        shape.rejoin = m_course.rejoin;
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

    bool started() const
    {
        return m_system.membership(ProcessorId(0)).view().system().started && m_system.inStep();
    }

    void cut()
    {
        m_sides.assign(m_system.hosts(), 0);
        if (m_course.cut == Cut::OneLink) {
            const auto one = draw(2) == 0 ? 0 : draw(m_system.size());
            const auto other = (one + 1 + draw(m_system.size() - 1)) % m_system.size();
            m_system.setCut(ProcessorId(static_cast<std::uint32_t>(one)),
                            ProcessorId(static_cast<std::uint32_t>(other)), true);
            m_system.excuseAll();
            return;
        }
        const std::uint64_t count = m_course.cut == Cut::Sides && m_system.hosts() > 2
                && draw(3) == 0
            ? 3
            : 2;
        while (std::ranges::all_of(m_sides, [&](auto side) { return side == m_sides.front(); })) {
            for (std::uint32_t& side : m_sides)
                side = static_cast<std::uint32_t>(draw(count));
        }
        m_system.part(m_sides, m_course.cut == Cut::OneWay);
    }

    void fault()
    {
        std::vector<ProcessorId> victims;
        for (std::uint32_t i = 0; i < m_system.size(); ++i) {
            const ProcessorId one(i);
            const bool master = m_system.membership(one).position().master();
            if (m_system.alive(one) && !m_system.membership(one).fenced()
                && (master || draw(3) == 0))
                victims.push_back(one);
        }
        if (victims.empty())
            return;
        // Every other time a system master, or who takes itself for it.
        ProcessorId victim = victims[draw(victims.size())];
        if (draw(2) == 0) {
            for (const ProcessorId one : victims) {
                if (m_system.membership(one).position().systemMaster)
                    victim = one;
            }
        }
        if (draw(3) != 0) {
            m_system.kill(victim);
            ++m_figures.kills;
        } else {
            m_system.pause(victim);
            ++m_figures.pauses;
            m_system.run(milliseconds(draw(4000)));
            m_system.resume(victim);
        }
        m_last = m_system.now();
    }

    [[nodiscard]] std::vector<ProcessorId> membersOf(std::uint32_t side) const
    {
        std::vector<ProcessorId> out;
        for (std::uint32_t i = 0; i < m_system.size(); ++i) {
            if (m_sides[m_system.hostOf(ProcessorId(i))] == side)
                out.emplace_back(i);
        }
        return out;
    }

    /// @return which side is to go on; none: none has a majority
    [[nodiscard]] std::optional<std::uint32_t> majority() const
    {
        for (std::uint32_t side = 0; side < 3; ++side) {
            const std::size_t members = membersOf(side).size();
            if (2 * members > m_system.size()
                || (2 * members == m_system.size()
                    && m_sides[m_system.hostOf(ProcessorId(0))] == side))
                return side;
        }
        return std::nullopt;
    }

    /// Whether it may act by its lease.
    [[nodiscard]] bool mayAct(ProcessorId one) const { return m_system.works(one); }

    /// Whether it neither holds nor leads anything any more.
    [[nodiscard]] bool hasLapsed(ProcessorId one) const
    {
        const MembershipAgent& membership = m_system.membership(one);
        return !m_system.alive(one) || membership.fenced()
            || (membership.standing() == Standing::Lapsed && !membership.holding()
                && !std::ranges::count(m_system.acting(), one));
    }

    /// @return whether exactly one acts, of a side if one is given
    [[nodiscard]] bool oneActs(std::optional<std::uint32_t> side = {}) const
    {
        const auto acting = m_system.acting();
        return acting.size() == 1 && (!side || m_sides[m_system.hostOf(acting.front())] == *side);
    }

    std::string unhealed()
    {
        const auto side = majority();
        if (m_course.cut == Cut::OneLink || m_course.faults)
            return unsure(false);
        std::vector<ProcessorId> others;
        for (std::uint32_t other = 0; other < 3; ++other) {
            if (side != other)
                std::ranges::copy(membersOf(other), std::back_inserter(others));
        }
        const auto lapsed = [&] {
            return std::ranges::all_of(others, [&](ProcessorId one) { return hasLapsed(one); });
        };
        if (!m_system.runUntil(lapsed, lapsesWithin))
            return "who is cut off acts on" + who();
        m_figures.lapsed = std::max(m_figures.lapsed, m_system.now() - m_last);
        if (!side) {
            ++m_figures.without;
            m_system.run(actsWithin);
            return m_system.acting().empty() ? std::string() : "somebody acts for a minority";
        }
        if (!m_system.runUntil([&] { return oneActs(side); },
                               actsWithin - (m_system.now() - m_last)))
            return "nobody acts" + who();
        m_figures.acts = std::max(m_figures.acts, m_system.now() - m_last);
        m_figures.moved += m_system.systemMaster() != m_first ? 1 : 0;
        const auto known = [&] {
            return m_system.lostRows() == others.size() && m_system.inStep();
        };
        if (!m_system.runUntil(known, knowsWithin))
            return "who is lost is not known: " + std::to_string(m_system.lostRows()) + " of "
                + std::to_string(others.size()) + who();
        m_figures.knows = std::max(m_figures.knows, m_system.now() - m_last);
        m_system.run(5s);
        for (const ProcessorId one : membersOf(*side)) {
            if (!mayAct(one))
                return std::to_string(one.value()) + " of the majority was lost" + who();
        }
        return oneActs(side) ? std::string() : "nobody acts in the end" + who();
    }

    /// With other faults it is not known who has a majority, unless it is one of all.
    /// @param whole  the network is
    std::string unsure(bool whole)
    {
        m_system.run(actsWithin + 4s);
        if (m_system.acting().size() > 1)
            return "more than one act" + who();
        m_figures.without += m_system.acting().empty() ? 1 : 0;
        return m_system.acting().empty() && majorityLives(whole) ? "nobody acts" + who()
                                                                 : std::string();
    }

    /// Whether so many live that hear each other.
    [[nodiscard]] bool majorityLives(bool whole) const
    {
        std::map<std::uint32_t, std::size_t> living; // by side
        for (std::uint32_t i = 0; i < m_system.size(); ++i) {
            const ProcessorId one(i);
            if (m_system.alive(one) && (whole || !m_system.membership(one).fenced()))
                ++living[whole ? 0 : m_sides[m_system.hostOf(one)]];
        }
        return std::ranges::any_of(
            living, [&](const auto& item) { return 2 * item.second > m_system.size(); });
    }

    std::string healed(SteadyTime then)
    {
        m_system.run(std::max(0ns, m_course.healedAfter - (m_system.now() - then)));
        m_system.heal();
        m_last = m_system.now();
        if (m_course.faults || m_course.cut == Cut::OneLink)
            return unsure(true);
        const auto side = majority();
        if (!side)
            return nobodyWasLost();
        m_system.run(2s);
        if (!m_system.runUntil([&] { return oneActs() && m_system.inStep(); }, actsWithin - 2s))
            return "nobody acts after healing" + who();
        m_figures.acts = std::max(m_figures.acts, m_system.now() - m_last);
        for (std::uint32_t i = 0; i < m_system.size(); ++i) {
            const ProcessorId one(i);
            if (!mayAct(one)
                && (m_course.healedAfter < 1s || m_sides[m_system.hostOf(one)] == *side))
                return std::to_string(i) + " was lost" + who();
        }
        return oneActs() ? std::string() : "nobody acts in the end" + who();
    }

    /// As no side had a majority, nobody was declared lost.
    std::string nobodyWasLost()
    {
        ++m_figures.without;
        if (!m_system.runUntil([&] { return oneActs(); }, actsAgainWithin))
            return "nobody acts after healing" + who();
        m_figures.acts = std::max(m_figures.acts, m_system.now() - m_last);
        m_system.run(actsWithin);
        for (std::uint32_t i = 0; i < m_system.size(); ++i) {
            if (!mayAct(ProcessorId(i)) || m_system.lifeOf(ProcessorId(i)) != Life(1))
                return std::to_string(i) + " was lost though nobody had a majority" + who();
        }
        return oneActs() ? std::string() : "nobody acts in the end" + who();
    }

    /// Whoever lives is with the others in the end. Without a majority alive all end.
    std::string settled()
    {
        if (m_system.runUntil([this] { return m_system.everybodyIsBack(); }, backWithin)) {
            m_figures.back = std::max(m_figures.back, m_system.now() - m_last);
            m_system.run(1s);
            return m_system.runUntil([this] { return m_system.everybodyIsBack(); }, backWithin)
                ? std::string()
                : "not all stay" + who();
        }
        if (!m_system.acting().empty() || majorityLives(true))
            return "not all are back" + who();
        m_system.run(endsWithin);
        return m_system.dead() == m_system.size() ? std::string() : "not all have ended" + who();
    }

    [[nodiscard]] std::string who() const
    {
        std::string out = "; sides";
        for (const std::uint32_t side : m_sides)
            out += " " + std::to_string(side);
        for (std::uint32_t i = 0; i < m_system.size() && m_system.size() <= 24; ++i)
            out += m_system.describe(ProcessorId(i));
        return out;
    }

    std::mt19937_64 m_random;
    PartCourse m_course;
    SimulationShape m_shape;
    PartFigures& m_figures;
    SystemSimulation m_system;
    std::vector<std::uint32_t> m_sides; ///< by host
    ProcessorId m_first;
    SteadyTime m_last{}; ///< when the last fault was
};

const SimulationShape fourHosts{.active = 4, .standby = 1, .io = 1, .oneHost = false};
const SimulationShape twoHosts{
    .units = 2, .active = 4, .standby = 1, .io = 1, .oneHost = false, .hosts = 2};
const SimulationShape threeHosts{
    .units = 3, .active = 4, .standby = 1, .io = 1, .oneHost = false, .hosts = 3};
const SimulationShape eightHosts{
    .subclusters = 4, .units = 4, .active = 12, .standby = 3, .oneHost = false, .hosts = 8};
const SimulationShape ownHosts{.subclusters = 3, .units = 3, .active = 5, .oneHost = false};

} // namespace

/// Partitions from seeds; TASUKI_SIMULATION_SEEDS says how many of each row,
/// TASUKI_SIMULATION_FIRST with which to begin.
class TestPartitions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void randomPartitions_data();
    void randomPartitions();
    void thatWentWrong_data();
    void thatWentWrong();
    void noticesWhoIgnoresTheMajority();
    void noticesWhoDoesNotWait();
};

void TestPartitions::randomPartitions_data()
{
    QTest::addColumn<SimulationShape>("shape");
    QTest::addColumn<PartCourse>("course");
    QTest::addColumn<int>("seeds");
    const std::pair<const char*, SimulationShape> shapes[] = {{"2 hosts", twoHosts},
                                                              {"3 hosts", threeHosts},
                                                              {"4 hosts", fourHosts},
                                                              {"9 hosts", ownHosts},
                                                              {"8 hosts, 64", eightHosts}};
    for (const auto& [name, shape] : shapes) {
        const int seeds = shape.processors() > 32 ? 1 : 6;
        const auto row = [seeds, label = std::string(name),
                          system = shape](const char* what, const PartCourse& course) {
            QTest::newRow((label + ", " + what).c_str()) << system << course << seeds;
        };
        row("never healed", {});
        row("healed after 0.5 s", {.healedAfter = 500ms});
        row("healed after 2 s", {.healedAfter = 2s});
        row("healed after 20 s", {.healedAfter = 20s});
        row("one way, never healed", {.cut = Cut::OneWay});
        row("one way, healed after 2 s", {.cut = Cut::OneWay, .healedAfter = 2s});
        row("one link", {.cut = Cut::OneLink});
        row("with deaths", {.faults = true});
        row("with deaths, healed after 2 s", {.healedAfter = 2s, .faults = true});
        row("one way, with deaths", {.cut = Cut::OneWay, .faults = true});
        row("back after 2 s", {.healedAfter = 2s, .rejoin = true});
        row("back after 4 s", {.healedAfter = 4s, .rejoin = true});
        row("back after 20 s", {.healedAfter = 20s, .rejoin = true});
        row("one way, back after 2 s", {.cut = Cut::OneWay, .healedAfter = 2s, .rejoin = true});
        row("one way, back after 20 s", {.cut = Cut::OneWay, .healedAfter = 20s, .rejoin = true});
        row("one link, back after 20 s", {.cut = Cut::OneLink, .healedAfter = 20s, .rejoin = true});
        row("with deaths, back after 4 s", {.healedAfter = 4s, .faults = true, .rejoin = true});
        row("one way, with deaths, back after 4 s",
            {.cut = Cut::OneWay, .healedAfter = 4s, .faults = true, .rejoin = true});
    }
}

void TestPartitions::randomPartitions()
{
    QFETCH(SimulationShape, shape);
    QFETCH(PartCourse, course);
    QFETCH(int, seeds);
    if (qEnvironmentVariableIsSet("TASUKI_SIMULATION_SEEDS"))
        seeds = qEnvironmentVariableIntValue("TASUKI_SIMULATION_SEEDS");
    const int first = std::max(1, qEnvironmentVariableIntValue("TASUKI_SIMULATION_FIRST"));
    PartFigures figures;
    int failed = 0;
    for (int seed = first; seed < first + seeds; ++seed) {
        PartScenario scenario(shape, course, static_cast<std::uint64_t>(seed), figures);
        const std::string wrong = scenario.run();
        if (wrong.empty())
            continue;
        ++failed;
        qWarning("%s\n  again: TASUKI_SIMULATION_FIRST=%d TASUKI_SIMULATION_SEEDS=1 "
                 "tst_partitions \"randomPartitions:%s\"",
                 wrong.c_str(), seed, QTest::currentDataTag());
    }
    const auto ms = [](std::chrono::nanoseconds time) {
        return static_cast<int>(std::chrono::duration_cast<milliseconds>(time).count());
    };
    qInfo(
        "%d seeds: %d without a majority, %d other system masters, %d kills, %d pauses; lapsed "
        "in at most %d ms, one acts in %d ms, the others known as lost in %d ms; %d let in again, "
        "all back in %d ms; at most %.2f messages per master, child and beat",
        seeds, figures.without, figures.moved, figures.kills, figures.pauses, ms(figures.lapsed),
        ms(figures.acts), ms(figures.knows), static_cast<int>(figures.returns), ms(figures.back),
        figures.busiest);
    QCOMPARE(failed, 0);
}

/// Partitions of more seeds than are tried each time.
void TestPartitions::thatWentWrong_data()
{
    QTest::addColumn<SimulationShape>("shape");
    QTest::addColumn<PartCourse>("course");
    QTest::addColumn<std::uint64_t>("seed");
    const auto row = [](const char* what, const SimulationShape& shape, const PartCourse& course,
                        std::uint64_t seed) { QTest::newRow(what) << shape << course << seed; };
    row("a candidate that is trusted by what others say of their own master", ownHosts,
        {.cut = Cut::OneWay, .healedAfter = 2s}, 5002);
    row("one that has its trust from a master whose successor it does not hear", ownHosts,
        {.cut = Cut::OneWay, .faults = true}, 1248);
    row("who came back before who leads meanwhile", ownHosts, {.healedAfter = 4s, .rejoin = true},
        1044);
    row("a seat for who came back, of which the next writer does not know", eightHosts,
        {.healedAfter = 20s, .rejoin = true}, 1225);
    row("the same after deaths", fourHosts,
        {.cut = Cut::OneWay, .healedAfter = 4s, .faults = true, .rejoin = true}, 1300);
}

void TestPartitions::thatWentWrong()
{
    QFETCH(SimulationShape, shape);
    QFETCH(PartCourse, course);
    QFETCH(std::uint64_t, seed);
    PartFigures figures;
    const std::string wrong = PartScenario(shape, course, seed, figures).run();
    QVERIFY2(wrong.empty(), wrong.c_str());
}

/// @return in how many of some partitions something is wrong, when the rules are broken
static int noticed(const Sabotage& sabotage, const PartCourse& course)
{
    PartFigures figures;
    int wrong = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        PartScenario scenario(fourHosts, course, seed, figures, sabotage);
        wrong += scenario.run().empty() ? 0 : 1;
    }
    return wrong;
}

void TestPartitions::noticesWhoIgnoresTheMajority()
{
    QVERIFY(noticed({.everybodyAgrees = true}, {}) > 0);
}

void TestPartitions::noticesWhoDoesNotWait() { QVERIFY(noticed({.nobodyWaits = true}, {}) > 0); }

QTEST_APPLESS_MAIN(TestPartitions)

} // namespace tst_partitions

#include "tst_partitions.moc"
