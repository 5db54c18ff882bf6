// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "plan/enumeration.h"
#include "planning/sharedsearch.h"
#include "support/manualclock.h"
#include "transport/simulated/simulatednetwork.h"

#include <condition_variable>
#include <limits>
#include <mutex>
#include <set>
#include <thread>

using namespace tasuki;
using namespace tasuki::planning;
using namespace std::chrono_literals;

namespace {

constexpr std::chrono::milliseconds lostAfter = 1s;
constexpr std::size_t lanes = 3;

/// Lets searching threads predict so many handfuls, then holds them until there are more.
class Gate {
public:
    static constexpr std::size_t open = std::numeric_limits<std::size_t>::max();

    explicit Gate(std::size_t handfuls) : m_left(handfuls) {}
    void pass()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_left > 0; });
        if (m_left != open)
            --m_left;
        ++m_passed;
    }
    void let(std::size_t handfuls)
    {
        const std::lock_guard lock(m_mutex);
        m_left = handfuls;
        m_changed.notify_all();
    }
    [[nodiscard]] std::size_t passed()
    {
        const std::lock_guard lock(m_mutex);
        return m_passed;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::size_t m_left;
    std::size_t m_passed = 0;
};

/// A runtime that tells most allocations apart.
class Weigher final : public plan::Predictor {
public:
    Weigher(std::shared_ptr<const plan::Environment> environment, std::shared_ptr<Gate> gate)
        : m_environment(std::move(environment)), m_gate(std::move(gate))
    {}

    void predict(std::span<const plan::Allocation> allocations, std::span<double> timesUs) override
    {
        m_gate->pass();
        for (std::size_t index = 0; index < allocations.size(); ++index) {
            timesUs[index] = 0.0;
            for (std::size_t task = 0; task < allocations[index].size(); ++task)
                timesUs[index] += static_cast<double>(task + 1)
                    / m_environment->nodes[allocations[index][task].value()].speed;
        }
    }
    [[nodiscard]] std::size_t lanes() const override { return ::lanes; }
    [[nodiscard]] std::unique_ptr<Predictor> clone() const override
    {
        return std::make_unique<Weigher>(m_environment, m_gate);
    }

private:
    std::shared_ptr<const plan::Environment> m_environment;
    std::shared_ptr<Gate> m_gate;
};

constexpr std::uint32_t tasks = 6;
constexpr std::size_t keep = 50;

std::shared_ptr<const plan::Environment> sixNodes()
{
    auto environment = std::make_shared<plan::Environment>();
    for (const double speed : {1.0, 0.5, 0.3, 0.2, 3.0, 2.5}) {
        environment->nodes.push_back(
            {.name = "n" + std::to_string(environment->nodes.size()), .speed = speed});
    }
    environment->nodes[1].slots = 2;
    return environment;
}

/// What the search must come to, made without messages.
plan::Ranking expected(std::uint32_t shares, const std::set<std::uint32_t>& missing = {})
{
    const auto environment = sixNodes();
    const Weigher weigher(environment, std::make_shared<Gate>(Gate::open));
    plan::Ranking all(keep);
    for (std::uint32_t share = 0; share < shares; ++share) {
        std::atomic<std::uint64_t> tried = 0;
        if (missing.count(share) == 0)
            all.add(plan::search(*environment, tasks, weigher,
                                 {.keep = keep, .share = share, .shares = shares}, {}, tried));
    }
    return all;
}

/// Empty: the rankings agree; else what differs.
QString difference(const plan::Ranking& got, const plan::Ranking& wanted)
{
    if (got.tried() != wanted.tried())
        return QStringLiteral("%1 tried, not %2").arg(got.tried()).arg(wanted.tried());
    if (std::abs(got.sumUs() - wanted.sumUs()) > 1e-9 * wanted.sumUs())
        return QStringLiteral("another sum");
    const auto same = [](const plan::Ranked& one, const plan::Ranked& other) {
        return one.timeUs == other.timeUs && one.allocation == other.allocation;
    };
    if (!same(got.worst(), wanted.worst()))
        return QStringLiteral("another worst one");
    return std::ranges::equal(got.best(), wanted.best(), same) ? QString()
                                                               : QStringLiteral("other best ones");
}

/// @return whether it came true; the limit is there so that a broken test ends
bool comesTrue(const std::function<bool()>& condition)
{
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end)
            return false;
        std::this_thread::sleep_for(100us);
    }
    return true;
}

/// The ranks of a launch that search together, in simulated time.
class Simulation {
public:
    /// @param handfuls  that each rank may predict until its gate is opened
    explicit Simulation(std::size_t ranks, std::size_t handfuls = Gate::open,
                        std::uint32_t threads = 1)
        : network(ranks, m_clock, 7)
    {
        const auto environment = sixNodes();
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            m_gates.push_back(std::make_shared<Gate>(handfuls));
            m_searches.push_back(std::make_unique<SharedSearch>(
                SearchJob{.environment = environment,
                          .predictor = std::make_shared<Weigher>(environment, m_gates.back()),
                          .tasks = tasks,
                          .keep = keep,
                          .threads = threads},
                &network.at(Rank(static_cast<Rank::Representation>(rank))), m_clock, lostAfter));
        }
    }
    ~Simulation() { openAll(); }
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    SharedSearch& at(std::size_t rank) { return *m_searches[rank]; }
    void open(std::size_t rank) { m_gates[rank]->let(Gate::open); }
    void openAll()
    {
        for (std::size_t rank = 0; rank < m_gates.size(); ++rank)
            open(rank);
    }
    /// From now on the rank does nothing but search: it is neither polled nor does it poll.
    void sleeps(std::size_t rank) { m_asleep.insert(rank); }
    void wakes(std::size_t rank) { m_asleep.erase(rank); }
    void advance(std::chrono::nanoseconds time) { m_clock.advance(time); }

    void step()
    {
        for (std::size_t rank = 0; rank < m_searches.size(); ++rank) {
            if (m_asleep.count(rank) == 0 && !m_searches[rank]->over())
                m_searches[rank]->poll();
        }
        m_clock.advance(10ms);
    }
    void run(std::chrono::milliseconds time)
    {
        const SteadyTime end = m_clock.now() + time;
        while (m_clock.now() < end)
            step();
    }
    bool runUntil(const std::function<bool()>& condition)
    {
        return comesTrue([&] {
            const bool isTrue = condition();
            if (!isTrue)
                step();
            return isTrue;
        });
    }
    bool runToTheEnd()
    {
        return runUntil([this] {
            for (std::size_t rank = 0; rank < m_searches.size(); ++rank) {
                if (m_asleep.count(rank) == 0 && !m_searches[rank]->over())
                    return false;
            }
            return true;
        });
    }
    /// Until each rank is held by its gate, and rank 0 knows what all have tried.
    bool runUntilHeld(std::uint64_t triedByEach)
    {
        return runUntil([&] { return at(0).tried() == triedByEach * m_searches.size(); });
    }

private:
    ManualClock m_clock;

public:
    SimulatedNetwork network;

private:
    std::vector<std::shared_ptr<Gate>> m_gates;
    std::vector<std::unique_ptr<SharedSearch>> m_searches;
    std::set<std::size_t> m_asleep;
};

} // namespace

/// What breaks it: a share that is lost or counted twice, a rank that waits for ever, or one that
/// believes what it must not.
class TestSharedSearch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aloneWithoutTransport();
    void ranksFindTheSame_data();
    void ranksFindTheSame();
    void moreRanksThanWork();
    void progressGrowsToTheTotal();
    void stopBeforeAnything();
    void stopWhileSearching();
    void stopOfAnotherRankIsItsOwn();
    void onlyRankZeroStopsOthers();
    void garbageIsIgnored();
    void foundIsForRankZero();
    void silentRankIsGivenUp();
    void lateMessagesChangeNothing();
    void allOthersSilent();
    void silentRankZeroIsGivenUp();
    void rankZeroGoneAtTheEnd();
    void ownSleepIsNobodysSilence();
    void goneWhileSearching();
};

void TestSharedSearch::aloneWithoutTransport()
{
    for (const std::uint32_t threads : {1U, 3U}) {
        const ManualClock clock;
        const auto environment = sixNodes();
        auto gate = std::make_shared<Gate>(Gate::open);
        SharedSearch search({.environment = environment,
                             .predictor = std::make_shared<Weigher>(environment, gate),
                             .tasks = tasks,
                             .keep = keep,
                             .threads = threads},
                            nullptr, clock, lostAfter);
        QVERIFY(comesTrue([&search] {
            search.poll();
            return search.over();
        }));
        QVERIFY(search.whole());
        QVERIFY(search.lost().empty());
        QCOMPARE(difference(search.ranking(), expected(1)), QString());
        QCOMPARE(search.tried(), plan::Enumeration(*environment, tasks).count());
    }
}

void TestSharedSearch::ranksFindTheSame_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("threads");
    for (const int ranks : {1, 2, 3, 5}) {
        for (const int threads : {1, 2})
            QTest::addRow("%d ranks of %d", ranks, threads) << ranks << threads;
    }
}

void TestSharedSearch::ranksFindTheSame()
{
    QFETCH(int, ranks);
    QFETCH(int, threads);
    Simulation simulation(static_cast<std::size_t>(ranks), Gate::open,
                          static_cast<std::uint32_t>(threads));
    QVERIFY(simulation.runToTheEnd());
    for (int rank = 0; rank < ranks; ++rank) {
        QVERIFY(simulation.at(static_cast<std::size_t>(rank)).whole());
        QVERIFY(simulation.at(static_cast<std::size_t>(rank)).lost().empty());
    }
    QCOMPARE(difference(simulation.at(0).ranking(), expected(1)), QString());
    QCOMPARE(simulation.at(0).tried(), simulation.at(0).ranking().tried());
}

// Ranks that have nothing to try say so.
void TestSharedSearch::moreRanksThanWork()
{
    const auto environment = std::make_shared<plan::Environment>();
    environment->nodes = {{.name = "a"}, {.name = "b", .speed = 0.5}};
    ManualClock clock;
    SimulatedNetwork network(5, clock, 1);
    std::vector<std::unique_ptr<SharedSearch>> searches;
    for (int rank = 0; rank < 5; ++rank) {
        searches.push_back(std::make_unique<SharedSearch>(
            SearchJob{.environment = environment,
                      .predictor = std::make_shared<Weigher>(environment,
                                                             std::make_shared<Gate>(Gate::open)),
                      .tasks = 2},
            &network.at(Rank(rank)), clock, lostAfter));
    }
    const auto allOver = [&] {
        for (const auto& search : searches)
            search->poll();
        clock.advance(1ms);
        return std::ranges::all_of(searches, [](const auto& search) { return search->over(); });
    };
    QVERIFY(comesTrue(allOver));
    QVERIFY(searches[0]->whole());
    QCOMPARE(searches[0]->ranking().tried(), std::uint64_t{2});
    QCOMPARE(searches[0]->ranking().best().size(), std::size_t{2});
}

void TestSharedSearch::progressGrowsToTheTotal()
{
    Simulation simulation(3, 2);
    // Two handfuls of each.
    QVERIFY(simulation.runUntilHeld(2 * lanes));
    simulation.run(500ms);
    QCOMPARE(simulation.at(0).tried(), std::uint64_t{3 * 2 * lanes});
    QVERIFY(!simulation.at(0).over());
    simulation.openAll();
    std::uint64_t latest = 0;
    QVERIFY(simulation.runUntil([&] {
        const std::uint64_t now = simulation.at(0).tried();
        const bool grows = now >= latest;
        latest = grows ? now : ~std::uint64_t{0};
        return simulation.at(0).over();
    }));
    QCOMPARE(latest, plan::Enumeration(*sixNodes(), tasks).count());
}

void TestSharedSearch::stopBeforeAnything()
{
    Simulation simulation(3, 0);
    simulation.at(0).stop();
    simulation.run(200ms);
    simulation.openAll();
    QVERIFY(simulation.runToTheEnd());
    // Each rank has ended with the handful that it was at.
    QCOMPARE(simulation.at(0).ranking().tried(), std::uint64_t{3 * lanes});
    QVERIFY(!simulation.at(0).whole());
    QVERIFY(simulation.at(0).lost().empty());
    QVERIFY(!simulation.at(0).ranking().best().empty());
}

void TestSharedSearch::stopWhileSearching()
{
    Simulation simulation(5, 4);
    QVERIFY(simulation.runUntilHeld(4 * lanes));
    simulation.at(0).stop();
    simulation.at(0).stop(); // again changes nothing
    simulation.run(200ms);
    simulation.openAll();
    QVERIFY(simulation.runToTheEnd());
    QCOMPARE(simulation.at(0).ranking().tried(), std::uint64_t{5 * 5 * lanes});
    for (std::size_t rank = 0; rank < 5; ++rank)
        QVERIFY(!simulation.at(rank).whole());
}

void TestSharedSearch::stopOfAnotherRankIsItsOwn()
{
    Simulation simulation(3, 1);
    QVERIFY(simulation.runUntilHeld(lanes));
    simulation.at(1).stop();
    simulation.run(200ms);
    simulation.openAll();
    QVERIFY(simulation.runToTheEnd());
    QVERIFY(!simulation.at(0).whole());
    QVERIFY(!simulation.at(1).whole());
    QVERIFY(simulation.at(2).whole());
    QVERIFY(simulation.at(0).lost().empty());
    const std::uint64_t others = expected(3, {1}).tried();
    QCOMPARE(simulation.at(0).ranking().tried(), others + 2 * lanes);
}

void TestSharedSearch::onlyRankZeroStopsOthers()
{
    for (const int sender : {0, 1}) {
        Simulation simulation(3, 1);
        QVERIFY(simulation.runUntilHeld(lanes));
        simulation.network.at(Rank(sender)).send(Rank(2), encode(Stop{}));
        // Nor does anybody stop rank 0.
        simulation.network.at(Rank(2)).send(Rank(0), encode(Stop{}));
        simulation.run(200ms);
        simulation.openAll();
        QVERIFY(simulation.runToTheEnd());
        QCOMPARE(simulation.at(2).whole(), sender == 1);
        QCOMPARE(simulation.at(0).whole(), sender == 1);
        QVERIFY(simulation.at(1).whole());
        const std::uint64_t all = expected(3).tried();
        const std::uint64_t stopped = expected(3, {2}).tried() + 2 * lanes;
        QCOMPARE(simulation.at(0).ranking().tried(), sender == 1 ? all : stopped);
    }
}

void TestSharedSearch::garbageIsIgnored()
{
    Simulation simulation(3, 1);
    QVERIFY(simulation.runUntilHeld(lanes));
    plan::Ranking foreign(keep);
    foreign.add(plan::Allocation(tasks, plan::Node(99)), 0.001);
    Found several{.ranking = expected(1), .whole = true};
    const Message cut = encode(several).substr(0, 200);
    for (const Message& garbage : {Message(), Message("garbage"), Message(100'000, 'F'), cut,
                                   encode(Found{.ranking = foreign, .whole = true}),
                                   encode(Tried{.allocations = 1}) + "more"}) {
        for (int from = 0; from < 3; ++from) {
            for (int to = 0; to < 3; ++to)
                simulation.network.at(Rank(from)).send(Rank(to), garbage);
        }
    }
    simulation.run(300ms);
    QVERIFY(!simulation.at(0).over());
    QCOMPARE(simulation.at(0).tried(), std::uint64_t{3 * lanes});
    simulation.openAll();
    QVERIFY(simulation.runToTheEnd());
    QVERIFY(simulation.at(0).whole());
    QCOMPARE(difference(simulation.at(0).ranking(), expected(3)), QString());
}

// A well-formed one that comes to another rank, or from rank 0 itself, is nobody's, and rank 0 is
// heard as before.
void TestSharedSearch::foundIsForRankZero()
{
    for (const bool stops : {false, true}) {
        Simulation simulation(3, 1);
        QVERIFY(simulation.runUntilHeld(lanes));
        const Message found = encode(Found{.ranking = expected(3, {0, 1}), .whole = true});
        for (const auto& [from, to] : {std::pair(0, 0), std::pair(0, 1), std::pair(1, 2)})
            simulation.network.at(Rank(from)).send(Rank(to), found);
        simulation.run(300ms);
        if (stops)
            simulation.at(0).stop();
        simulation.run(300ms);
        simulation.openAll();
        QVERIFY(simulation.runToTheEnd());
        for (std::size_t rank = 0; rank < 3; ++rank)
            QCOMPARE(simulation.at(rank).whole(), !stops);
        if (stops)
            QCOMPARE(simulation.at(0).ranking().tried(), std::uint64_t{3 * 2 * lanes});
        else
            QCOMPARE(difference(simulation.at(0).ranking(), expected(3)), QString());
    }
}

void TestSharedSearch::silentRankIsGivenUp()
{
    Simulation simulation(3);
    simulation.network.kill(Rank(2));
    simulation.sleeps(2);
    QVERIFY(simulation.runToTheEnd());
    QVERIFY(!simulation.at(0).whole());
    QCOMPARE(simulation.at(0).lost(), std::vector<Rank>{Rank(2)});
    QCOMPARE(difference(simulation.at(0).ranking(), expected(3, {2})), QString());
    // The other one has nothing to do with it.
    QVERIFY(simulation.at(1).whole());
    QVERIFY(simulation.at(1).lost().empty());
}

void TestSharedSearch::lateMessagesChangeNothing()
{
    for (const bool delivered : {false, true}) {
        Simulation simulation(3, 1);
        QVERIFY(simulation.runUntilHeld(lanes));
        simulation.sleeps(2);
        simulation.run(lostAfter - 200ms);
        QVERIFY(simulation.at(0).lost().empty());
        simulation.run(500ms);
        QCOMPARE(simulation.at(0).lost(), std::vector<Rank>{Rank(2)});
        // It was only slow, and tells all that it has found, while the others still search.
        if (delivered)
            simulation.network.at(Rank(0)).remember(Rank(2));
        simulation.open(2);
        simulation.wakes(2);
        QVERIFY(simulation.runUntil([&] { return simulation.at(2).over(); }));
        simulation.run(300ms);
        QCOMPARE(simulation.at(0).tried(), std::uint64_t{3 * lanes});
        QVERIFY(!simulation.at(0).over());
        simulation.openAll();
        QVERIFY(simulation.runToTheEnd());
        QVERIFY(!simulation.at(0).whole());
        QCOMPARE(simulation.at(0).lost(), std::vector<Rank>{Rank(2)});
        QCOMPARE(difference(simulation.at(0).ranking(), expected(3, {2})), QString());
    }
}

void TestSharedSearch::allOthersSilent()
{
    Simulation simulation(5);
    for (int rank = 1; rank < 5; ++rank) {
        simulation.network.kill(Rank(rank));
        simulation.sleeps(static_cast<std::size_t>(rank));
    }
    QVERIFY(simulation.runToTheEnd());
    QCOMPARE(simulation.at(0).lost(), (std::vector<Rank>{Rank(1), Rank(2), Rank(3), Rank(4)}));
    QCOMPARE(difference(simulation.at(0).ranking(), expected(5, {1, 2, 3, 4})), QString());
}

// Nobody would hear what the others find: they end, however long their shares are.
void TestSharedSearch::silentRankZeroIsGivenUp()
{
    Simulation simulation(3, 1);
    QVERIFY(simulation.runUntilHeld(lanes));
    simulation.network.kill(Rank(0));
    simulation.sleeps(0);
    simulation.run(lostAfter + 300ms);
    for (const std::size_t rank : {1U, 2U}) {
        QCOMPARE(simulation.at(rank).lost(), std::vector<Rank>{Rank(0)});
        QVERIFY(!simulation.at(rank).whole());
    }
    simulation.openAll();
    QVERIFY(simulation.runToTheEnd());
    // The handful that each was at, the one before, and the one that rank 0 had told of.
    for (const std::size_t rank : {1U, 2U})
        QCOMPARE(simulation.at(rank).tried(), std::uint64_t{3 * lanes});
}

// What they found cannot leave them any more.
void TestSharedSearch::rankZeroGoneAtTheEnd()
{
    Simulation simulation(2, 1);
    QVERIFY(simulation.runUntilHeld(lanes));
    LinkModel narrow;
    narrow.window = 0;
    simulation.network.setLink(Rank(1), Rank(0), narrow);
    simulation.open(1);
    simulation.run(500ms);
    QVERIFY(!simulation.at(1).over());
    simulation.network.kill(Rank(0));
    simulation.sleeps(0);
    QVERIFY(simulation.runToTheEnd());
    QCOMPARE(simulation.at(1).lost(), std::vector<Rank>{Rank(0)});
}

// A suspended computer, or one Ctrl-Z for all: nobody could speak, and nobody listened.
void TestSharedSearch::ownSleepIsNobodysSilence()
{
    Simulation simulation(3, 1);
    QVERIFY(simulation.runUntilHeld(lanes));
    for (int round = 0; round < 3; ++round) {
        simulation.advance(1h);
        simulation.run(500ms);
    }
    simulation.openAll();
    QVERIFY(simulation.runToTheEnd());
    for (std::size_t rank = 0; rank < 3; ++rank)
        QVERIFY(simulation.at(rank).lost().empty());
    QCOMPARE(difference(simulation.at(0).ranking(), expected(3)), QString());
}

// The threads that search end with the object, long before they have tried everything.
void TestSharedSearch::goneWhileSearching()
{
    const ManualClock clock;
    const auto environment = sixNodes();
    auto gate = std::make_shared<Gate>(1);
    auto search = std::make_unique<SharedSearch>(
        SearchJob{.environment = environment,
                  .predictor = std::make_shared<Weigher>(environment, gate),
                  .tasks = tasks,
                  .threads = 2},
        nullptr, clock, lostAfter);
    QVERIFY(comesTrue([&search] { return search->tried() == lanes; }));
    const std::jthread letter([&gate](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            gate->let(1);
            std::this_thread::sleep_for(1ms);
        }
    });
    search.reset();
    QVERIFY(gate->passed() < expected(1).tried() / lanes / 2);
}

QTEST_APPLESS_MAIN(TestSharedSearch)
#include "tst_sharedsearch.moc"
