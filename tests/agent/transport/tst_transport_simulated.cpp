// SPDX-License-Identifier: GPL-3.0-or-later
// The simulated transport: the conformance cases, and what only a simulation can do.
// First: moc of Qt 6.4 cannot read the standard headers that the others include otherwise.
#include <QTest>

#include "conformance.h"
#include "support/manualclock.h"
#include "transport/simulated/simulatednetwork.h"

#include <map>

namespace tst_transport_simulated {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

/// A network with its clock, moved on whenever nothing else can happen.
class Bench final : public conformance::Fixture {
public:
    explicit Bench(std::size_t count, std::uint64_t seed = 1, const LinkModel& link = {})
        : network(count, clock, seed, link)
    {}

    std::vector<Transport*> local() override
    {
        std::vector<Transport*> all;
        for (std::size_t rank = 0; rank < network.size(); ++rank)
            all.push_back(&network.at(ProcessorId(static_cast<std::uint32_t>(rank))));
        return all;
    }
    void step() override
    {
        if (network.pollAll())
            return;
        const auto next = network.nextDelivery();
        if (next && *next > clock.now())
            clock.advance(*next - clock.now());
    }
    bool agree(bool passed) override { return passed; }
    bool join() override
    {
        network.join();
        return true;
    }

    void drain()
    {
        while (network.pollAll() || network.nextDelivery())
            step();
    }

    ManualClock clock;
    SimulatedNetwork network;
};

struct Delivery {
    std::int64_t at = 0;
    ProcessorId from;
    ProcessorId to;
    Message message;
    bool operator==(const Delivery&) const = default;
};

/// Records what arrives where and when.
std::vector<Delivery>& record(Bench& bench, std::vector<Delivery>& log)
{
    for (Transport* transport : bench.local()) {
        transport->setHandler(
            [&bench, &log, to = transport->self()](ProcessorId from, Message message) {
                log.push_back(
                    {bench.clock.now().time_since_epoch().count(), from, to, std::move(message)});
            });
    }
    return log;
}

std::vector<Delivery> trafficOf(std::uint64_t seed)
{
    Bench bench(5, seed);
    bench.network.setLoss(0.1);
    std::vector<Delivery> log;
    record(bench, log);
    for (int round = 0; round < 40; ++round) {
        for (Transport* from : bench.local()) {
            for (Transport* to : bench.local())
                from->send(to->self(), std::to_string(round));
        }
        bench.step();
    }
    bench.drain();
    return log;
}

const ProcessorId zero(0);
const ProcessorId one(1);
const ProcessorId two(2);

} // namespace

class TransportSimulatedTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void conforms_data();
    void conforms();
    void replaysASeed();
    void reordersAcrossPairsOnly();
    void deliversNotBeforeTheTime();
    void keepsWhatThePausedIsSent();
    void keepsWhatExceedsTheWindow();
    void whoJoinsChangesNoOtherLink();
    void killsWithAndWithoutLastWords();
    void cutsAndHeals();
    void losesTheShareThatIsAsked();
    void boundsAPoll();
};

void TransportSimulatedTest::conforms_data()
{
    QTest::addColumn<conformance::Case>("run");
    QTest::addColumn<int>("count");
    using namespace conformance;
    const std::map<const char*, Case> cases{
        {"order", keepsOrderPerPair},
        {"sizes", carriesEverySize},
        {"large", carriesALargeMessage},
        {"flood", survivesAFlood},
        {"self", deliversToItselfAtTheNextPoll},
        {"after sending", asksForAPollAfterSending},
        {"handler sends", sendsFromTheHandler},
        {"pending", countsWhatIsPending},
        {"much", holdsBackWhoSendsMuch},
        {"joining", takesProcessorsThatJoin},
        {"forget", forgetsAndRemembers},
        {"handler forgets", forgetsFromTheHandler},
        {"interrupted", staysInStepAfterAnInterruptedMessage},
    };
    for (const auto& [name, run] : cases) {
        for (const int count : {1, 2, 4})
            QTest::addRow("%s, %d", name, count) << run << count;
    }
}

void TransportSimulatedTest::conforms()
{
    QFETCH(conformance::Case, run);
    QFETCH(int, count);
    Bench bench(static_cast<std::size_t>(count));
    const std::string error = run(bench);
    QVERIFY2(error.empty(), error.c_str());
}

void TransportSimulatedTest::replaysASeed()
{
    const std::vector<Delivery> once = trafficOf(7);
    QVERIFY(once.size() > 800);
    QVERIFY(once == trafficOf(7));
    QVERIFY(once != trafficOf(8));
}

void TransportSimulatedTest::reordersAcrossPairsOnly()
{
    Bench bench(3);
    std::vector<Delivery> log;
    record(bench, log);
    for (int index = 0; index < 20; ++index) {
        bench.network.at(zero).send(two, std::to_string(2 * index));
        bench.network.at(one).send(two, std::to_string(2 * index + 1));
        bench.clock.advance(1us);
    }
    bench.drain();
    QCOMPARE(log.size(), std::size_t{40});
    bool overtaken = false;
    std::map<ProcessorId, int> latest{{zero, -1}, {one, -1}};
    int highest = -1;
    for (const Delivery& delivery : log) {
        const int number = std::stoi(delivery.message);
        QVERIFY(number > latest[delivery.from]);
        latest[delivery.from] = number;
        overtaken = overtaken || number < highest;
        highest = std::max(highest, number);
    }
    QVERIFY(overtaken);
}

void TransportSimulatedTest::deliversNotBeforeTheTime()
{
    LinkModel link;
    link.minimumDelay = 1ms;
    link.meanExtraDelay = 0ns;
    Bench bench(2, 1, link);
    std::vector<Delivery> log;
    record(bench, log);
    QVERIFY(!bench.network.nextDelivery());
    bench.network.at(zero).send(one, "x");
    QVERIFY(bench.network.nextDelivery() == SteadyTime{} + 1ms);
    bench.clock.advance(999us);
    bench.network.pollAll();
    QVERIFY(log.empty());
    bench.clock.advance(1us);
    QVERIFY(bench.network.pollAll());
    QCOMPARE(log.size(), std::size_t{1});
    QVERIFY(!bench.network.nextDelivery());
}

void TransportSimulatedTest::keepsWhatThePausedIsSent()
{
    Bench bench(2);
    std::vector<Delivery> log;
    record(bench, log);
    bench.network.pause(one);
    QVERIFY(bench.network.paused(one));
    bench.network.at(zero).send(one, "a");
    bench.network.at(zero).send(one, "b");
    QVERIFY(!bench.network.nextDelivery());
    bench.clock.advance(10s);
    bench.network.pollAll();
    QVERIFY(log.empty());
    bench.network.resume(one);
    bench.drain();
    QCOMPARE(log.size(), std::size_t{2});
    QCOMPARE(log[0].message, Message("a"));
    QCOMPARE(log[1].message, Message("b"));
}

void TransportSimulatedTest::keepsWhatExceedsTheWindow()
{
    LinkModel link;
    link.window = 4;
    Bench bench(2, 1, link);
    std::vector<Delivery> log;
    record(bench, log);
    bench.network.pause(one);
    for (int index = 0; index < 10; ++index)
        bench.network.at(zero).send(one, std::to_string(index));
    bench.drain();
    QCOMPARE(bench.network.at(zero).pending(one), std::size_t{6});
    bench.network.resume(one);
    bench.drain();
    QCOMPARE(bench.network.at(zero).pending(), std::size_t{0});
    QCOMPARE(log.size(), std::size_t{10});
}

void TransportSimulatedTest::whoJoinsChangesNoOtherLink()
{
    const auto between = [](std::size_t joining) {
        Bench bench(3, 7);
        for (std::size_t count = 0; count < joining; ++count)
            bench.network.join();
        std::vector<Delivery> log;
        record(bench, log);
        for (int index = 0; index < 20; ++index) {
            for (Transport* from : bench.local())
                from->send(two, std::to_string(index));
        }
        bench.drain();
        return log;
    };
    const std::vector<Delivery> without = between(0);
    std::vector<Delivery> with = between(2);
    QCOMPARE(without.size(), std::size_t{60});
    QCOMPARE(with.size(), std::size_t{100});
    std::erase_if(with, [](const Delivery& each) { return each.from.value() > 2; });
    QVERIFY(with == without);
}

void TransportSimulatedTest::killsWithAndWithoutLastWords()
{
    for (const auto words :
         {SimulatedNetwork::LastWords::Lost, SimulatedNetwork::LastWords::Delivered}) {
        Bench bench(3);
        std::vector<Delivery> log;
        record(bench, log);
        bench.network.at(one).send(zero, "last words");
        bench.network.at(zero).send(one, "too late");
        bench.network.kill(one, words);
        QVERIFY(!bench.network.alive(one));
        bench.network.at(one).send(zero, "from the grave");
        for (int index = 0; index < 40; ++index)
            bench.network.at(zero).send(one, "x");
        bench.network.at(zero).send(two, "alive");
        bench.drain();

        const bool delivered = words == SimulatedNetwork::LastWords::Delivered;
        QCOMPARE(log.size(), std::size_t{delivered ? 2U : 1U});
        for (const Delivery& delivery : log)
            QVERIFY(delivery.message == "alive" || delivery.message == "last words");
        // Nobody tells the sender: 32 are swallowed, the rest waits until it forgets.
        QCOMPARE(bench.network.at(zero).pending(one), std::size_t{9});
        bench.network.at(zero).forget(one);
        QCOMPARE(bench.network.at(zero).pending(), std::size_t{0});
    }
}

void TransportSimulatedTest::cutsAndHeals()
{
    Bench bench(3);
    std::vector<Delivery> log;
    record(bench, log);
    bench.network.cut(zero, one);
    bench.network.at(zero).send(one, "lost");
    bench.network.at(one).send(zero, "lost");
    bench.network.at(zero).send(two, "other link");
    bench.drain();
    QCOMPARE(log.size(), std::size_t{1});
    QCOMPARE(log[0].message, Message("other link"));
    bench.network.heal(zero, one);
    bench.network.at(zero).send(one, "healed");
    bench.drain();
    QCOMPARE(log.size(), std::size_t{2});
    QCOMPARE(log[1].message, Message("healed"));
}

void TransportSimulatedTest::losesTheShareThatIsAsked()
{
    Bench bench(2);
    bench.network.setLoss(0.25);
    std::vector<Delivery> log;
    record(bench, log);
    for (int index = 0; index < 4000; ++index) {
        bench.network.at(zero).send(one, "x");
        bench.network.at(zero).send(zero, "own");
    }
    bench.drain();
    std::size_t own = 0;
    for (const Delivery& delivery : log)
        own += delivery.to == zero ? 1U : 0U;
    QCOMPARE(own, std::size_t{4000});
    const std::size_t arrived = log.size() - own;
    QVERIFY2(arrived > 2850 && arrived < 3150, std::to_string(arrived).c_str());
}

void TransportSimulatedTest::boundsAPoll()
{
    Bench bench(1);
    std::vector<Delivery> log;
    record(bench, log);
    for (int index = 0; index < 1000; ++index)
        bench.network.at(zero).send(zero, "x");
    bench.network.pollAll();
    QCOMPARE(log.size(), std::size_t{256});
    bench.drain();
    QCOMPARE(log.size(), std::size_t{1000});
}

QTEST_APPLESS_MAIN(TransportSimulatedTest)

} // namespace tst_transport_simulated

#include "tst_transport_simulated.moc"
