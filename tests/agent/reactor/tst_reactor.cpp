// SPDX-License-Identifier: GPL-3.0-or-later
// First: moc of Qt 6.4 cannot read the standard headers that the others include otherwise.
#include <QTest>

#include "reactor/reactor.h"
#include "reactor/timer.h"
#include "support/manualclock.h"
#include "support/settled.h"

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <optional>
#include <stdexcept>
#include <thread>

namespace tst_reactor {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

/// Says that it moved something as often as told and counts how often it is asked.
class Scripted final : public Pollable {
public:
    explicit Scripted(std::function<bool(int call)> answer) : m_answer(std::move(answer)) {}
    bool poll() override { return m_answer(++calls); }

    int calls = 0;

private:
    std::function<bool(int)> m_answer;
};

/// Naps so long that a test that needs one to end notices.
BackoffPolicy sleepy()
{
    BackoffPolicy policy;
    policy.spin = 0ns;
    policy.shortestNap = 30s;
    policy.longestNap = 30s;
    policy.longestIdleNap = 30s;
    return policy;
}

std::chrono::nanoseconds timeOf(const std::function<void()>& call)
{
    const auto start = std::chrono::steady_clock::now();
    call();
    return std::chrono::steady_clock::now() - start;
}

} // namespace

class ReactorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pollsAgainAtOnceWhileThereIsTraffic();
    void servesSocketsWhileThereIsTraffic();
    void wakesForASocket();
    void wakesForWorkOfAnotherThread();
    void pollsAfterAHandler();
    void pollsWhenWoken();
    void runsPostedWorkInOrder();
    void stopsBeforeAndDuringARun();
    void addsAndRemovesDuringAPoll();
    void letsExceptionsOut();
    void timerRunsOnce();
    void timerIsReplacedAndCancelled();
    void timerMayEndInItsAction();
};

void ReactorTest::pollsAgainAtOnceWhileThereIsTraffic()
{
    const SystemClock clock;
    Reactor reactor(clock, sleepy());
    Scripted busy([&](int call) {
        if (call == 1000)
            reactor.stop();
        return true;
    });
    reactor.add(busy);
    QVERIFY(timeOf([&] { reactor.run(); }) < 10s);
    QCOMPARE(busy.calls, 1000);
    reactor.remove(busy);
}

void ReactorTest::servesSocketsWhileThereIsTraffic()
{
    const SystemClock clock;
    Reactor reactor(clock);
    Scripted busy([](int) { return true; });
    reactor.add(busy);
    {
        namespace local = boost::asio::local;
        local::stream_protocol::socket near(reactor.context());
        local::stream_protocol::socket far(reactor.context());
        local::connect_pair(near, far);
        std::array<char, 1> byte{};
        boost::asio::async_read(
            near, boost::asio::buffer(byte),
            [&](const boost::system::error_code&, std::size_t) { reactor.stop(); });
        reactor.post([&] { boost::asio::write(far, boost::asio::buffer("x", 1)); });
        reactor.run();
        QCOMPARE(byte[0], 'x');
    }
    reactor.remove(busy);
}

void ReactorTest::wakesForASocket()
{
    const SystemClock clock;
    Reactor reactor(clock, sleepy());
    namespace local = boost::asio::local;
    local::stream_protocol::socket near(reactor.context());
    local::stream_protocol::socket far(reactor.context());
    local::connect_pair(near, far);
    std::array<char, 1> byte{};
    boost::asio::async_read(near, boost::asio::buffer(byte),
                            [&](const boost::system::error_code&, std::size_t) { reactor.stop(); });
    std::thread writer([&, self = ::gettid()] {
        testing::waitUntilAsleep(self);
        boost::asio::write(far, boost::asio::buffer("x", 1));
    });
    const auto took = timeOf([&] { reactor.run(); });
    writer.join();
    QVERIFY(took < 10s);
    QCOMPARE(byte[0], 'x');
}

void ReactorTest::wakesForWorkOfAnotherThread()
{
    const SystemClock clock;
    Reactor reactor(clock, sleepy());
    std::thread::id ranOn;
    std::thread other([&, self = ::gettid()] {
        testing::waitUntilAsleep(self);
        reactor.post([&] {
            ranOn = std::this_thread::get_id();
            reactor.stop();
        });
    });
    const auto took = timeOf([&] { reactor.run(); });
    other.join();
    QVERIFY(took < 10s);
    QVERIFY(ranOn == std::this_thread::get_id());
}

void ReactorTest::pollsAfterAHandler()
{
    const SystemClock clock;
    Reactor reactor(clock, sleepy());
    bool queued = false;
    Scripted transport([&](int) {
        if (queued)
            reactor.stop();
        return false;
    });
    reactor.add(transport);
    Timer timer(reactor);
    timer.startAfter(20ms, [&] { queued = true; });
    QVERIFY(timeOf([&] { reactor.run(); }) < 10s);
    reactor.remove(transport);
}

void ReactorTest::pollsWhenWoken()
{
    const SystemClock clock;
    Reactor reactor(clock, sleepy());
    // Each poll but the last queues something and says so: without wake() it would nap.
    Scripted transport([&](int call) {
        if (call < 5)
            reactor.wake();
        else
            reactor.stop();
        return false;
    });
    reactor.add(transport);
    QVERIFY(timeOf([&] { reactor.run(); }) < 10s);
    QCOMPARE(transport.calls, 5);
    reactor.remove(transport);
}

void ReactorTest::runsPostedWorkInOrder()
{
    const SystemClock clock;
    Reactor reactor(clock, sleepy());
    std::vector<int> order;
    for (int number = 0; number < 500; ++number)
        reactor.post([&, number] { order.push_back(number); });
    reactor.post([&] { reactor.stop(); });
    reactor.run();
    QCOMPARE(order.size(), std::size_t{500});
    QVERIFY(std::is_sorted(order.begin(), order.end()));
}

void ReactorTest::stopsBeforeAndDuringARun()
{
    const SystemClock clock;
    Reactor reactor(clock, sleepy());
    bool ran = false;
    reactor.post([&] { ran = true; });
    reactor.stop();
    QVERIFY(timeOf([&] { reactor.run(); }) < 10s);
    QVERIFY(!ran);
    std::thread other([&, self = ::gettid()] {
        testing::waitUntilAsleep(self);
        reactor.stop();
    });
    QVERIFY(timeOf([&] { reactor.run(); }) < 10s);
    other.join();
    QVERIFY(ran);
}

void ReactorTest::addsAndRemovesDuringAPoll()
{
    const SystemClock clock;
    Reactor reactor(clock);
    Scripted late([](int) { return false; });
    Scripted removed([](int) { return true; });
    Scripted first([&](int call) {
        if (call == 1) {
            reactor.remove(removed);
            reactor.add(late);
        }
        if (call == 3)
            reactor.stop();
        return true;
    });
    reactor.add(first);
    reactor.add(removed);
    reactor.run();
    QCOMPARE(removed.calls, 0);
    QCOMPARE(late.calls, 3);
    reactor.remove(first);
    reactor.remove(late);
}

void ReactorTest::letsExceptionsOut()
{
    const SystemClock clock;
    Reactor reactor(clock, sleepy());
    reactor.post([] { throw std::runtime_error("of a handler"); });
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, reactor.run());
    bool ran = false;
    reactor.post([&] {
        ran = true;
        reactor.stop();
    });
    reactor.run();
    QVERIFY(ran);
}

void ReactorTest::timerRunsOnce()
{
    const SystemClock clock;
    Reactor reactor(clock, sleepy());
    Timer timer(reactor);
    Timer end(reactor);
    int runs = 0;
    timer.startAfter(10ms, [&] { ++runs; });
    QVERIFY(timer.running());
    end.startAfter(100ms, [&] { reactor.stop(); });
    reactor.run();
    QCOMPARE(runs, 1);
    QVERIFY(!timer.running());
}

void ReactorTest::timerIsReplacedAndCancelled()
{
    const SystemClock clock;
    Reactor reactor(clock, sleepy());
    Timer replaced(reactor);
    Timer cancelled(reactor);
    Timer again(reactor);
    std::optional<Timer> destroyed(std::in_place, reactor);
    std::vector<int> log;
    replaced.startAfter(5ms, [&] { log.push_back(1); });
    replaced.startAfter(10ms, [&] { log.push_back(2); });
    cancelled.startAfter(5ms, [&] { log.push_back(3); });
    cancelled.cancel();
    destroyed->startAfter(5ms, [&] { log.push_back(4); });
    destroyed.reset();
    std::function<void()> tick = [&] {
        log.push_back(5);
        if (std::count(log.begin(), log.end(), 5) < 3)
            again.startAfter(20ms, tick);
        else
            reactor.stop();
    };
    again.startAfter(20ms, tick);
    reactor.run();
    QVERIFY((log == std::vector<int>{2, 5, 5, 5}));
}

void ReactorTest::timerMayEndInItsAction()
{
    const SystemClock clock;
    Reactor reactor(clock, sleepy());
    auto timer = std::make_unique<Timer>(reactor);
    timer->startAfter(1ms, [&] {
        timer.reset();
        reactor.stop();
    });
    reactor.run();
    QVERIFY(timer == nullptr);
}

QTEST_APPLESS_MAIN(ReactorTest)

} // namespace tst_reactor

#include "tst_reactor.moc"
