// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "controlfixture.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include <fcntl.h>
#include <filesystem>
#include <set>
#include <sys/socket.h>

namespace tst_connectionpool {

using namespace tasuki;
using namespace tasuki::control;
using namespace std::chrono_literals;

namespace {

/// @return whether a node heard exactly `count` messages "PREFIX 0", "PREFIX 1", ... in order
bool heardInOrder(const TestNode& node, const std::string& prefix, std::size_t count)
{
    std::size_t next = 0;
    for (const TestNode::Heard& heard : node.messages)
        if (heard.bytes.starts_with(prefix + ' ')) {
            if (heard.bytes != prefix + ' ' + std::to_string(next))
                return false;
            ++next;
        }
    return next == count;
}

std::size_t total(ControlFixture& fixture)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < fixture.size(); ++i)
        count += fixture.at(i).messages.size();
    return count;
}

std::set<int> internetSockets()
{
    std::set<int> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        const int fd = std::stoi(entry.path().filename().string());
        sockaddr_storage address{};
        socklen_t length = sizeof(address);
        if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) == 0
            && address.ss_family == AF_INET)
            found.insert(fd);
    }
    return found;
}

} // namespace

class tst_ConnectionPool : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void messagesArriveInOrder()
    {
        ControlFixture fixture;
        TestNode& one = fixture.add();
        TestNode& two = fixture.add();
        fixture.introduce();
        for (int i = 0; i < 100; ++i)
            QVERIFY(one->send(ProcessorId(1), "a " + std::to_string(i)));
        QVERIFY(one->send(ProcessorId(1), ""));
        QVERIFY(fixture.until([&] { return two.messages.size() == 101; }));
        QVERIFY(heardInOrder(two, "a", 100));
        QVERIFY((two.messages.back() == TestNode::Heard{{ProcessorId(0), Life(1)}, ""}));
        // The answer takes the same connection.
        QVERIFY(two->send(ProcessorId(0), "answer"));
        QVERIFY(fixture.until([&] { return one.messages.size() == 1; }));
        QCOMPARE(one->counters().connections.dialed, 1U);
        QCOMPARE(two->counters().connections.dialed, 0U);
        QCOMPARE(one->counters().connections.open, std::size_t{1});
    }

    // Fails if opening from both sides at once loses, doubles or swaps messages.
    void bothOpenAtOnce()
    {
        for (int round = 0; round < 20; ++round) {
            ControlFixture fixture;
            TestNode& one = fixture.add();
            TestNode& two = fixture.add();
            fixture.introduce();
            for (int i = 0; i < 1000; ++i) {
                QVERIFY(one->send(ProcessorId(1), "a " + std::to_string(i)));
                QVERIFY(two->send(ProcessorId(0), "b " + std::to_string(i)));
            }
            QVERIFY(fixture.until(
                [&] { return one.messages.size() >= 1000 && two.messages.size() >= 1000; }));
            fixture.runFor(5ms);
            QCOMPARE(one.messages.size(), std::size_t{1000});
            QCOMPARE(two.messages.size(), std::size_t{1000});
            QVERIFY(heardInOrder(two, "a", 1000));
            QVERIFY(heardInOrder(one, "b", 1000));
        }
    }

    void largestMessage()
    {
        ControlFixture fixture;
        TestNode& one = fixture.add();
        TestNode& two = fixture.add();
        fixture.introduce();
        QVERIFY(!one->send(ProcessorId(1), std::string(ControlNetwork::mostMessageBytes + 1, 'x')));
        QVERIFY(!one->send(ProcessorId(5), "to nobody"));
        QVERIFY(one->send(ProcessorId(1), std::string(ControlNetwork::mostMessageBytes, 'x')));
        QVERIFY(one->send(ProcessorId(1), "after it"));
        QVERIFY(fixture.until([&] { return two.messages.size() == 2; }));
        QCOMPARE(two.messages[0].bytes.size(), ControlNetwork::mostMessageBytes);
        QCOMPARE(one->counters().connections.tooMany, 2U);
    }

    void wrongKeyIsRefusedAndNamed()
    {
        ControlFixture fixture;
        TestNode& one = fixture.add();
        TestNode& two = fixture.add(quickOptions(), RunKey{});
        fixture.introduce();
        QVERIFY(one->send(ProcessorId(1), "secret"));
        QVERIFY(fixture.until([&] { return !one.problems.empty() && !two.problems.empty(); }));
        QVERIFY2(one.problems[0].starts_with("processor 1 at 127.0.0.1:")
                     && one.problems[0].find("does not know the key of this launch")
                         != std::string::npos,
                 one.problems[0].c_str());
        QVERIFY2(two.problems[0].starts_with("a connection from 127.0.0.1:"),
                 two.problems[0].c_str());
        fixture.runFor(300ms);
        QVERIFY(two.messages.empty());
        QCOMPARE(one.problems.size(), std::size_t{1}); // tried again, told once
        QVERIFY(one->counters().connections.refused > 1);
    }

    void otherEpochIsRefused()
    {
        ControlFixture fixture;
        TestNode& one = fixture.add();
        auto later = quickOptions();
        later.epoch = Epoch(4);
        TestNode& two = fixture.add(later);
        fixture.introduce();
        QVERIFY(one->send(ProcessorId(1), "of epoch 3"));
        QVERIFY(fixture.until([&] { return !one.problems.empty(); }));
        QVERIFY2(one.problems[0].ends_with("refuses: is of epoch 3, not 4"),
                 one.problems[0].c_str());
        QVERIFY(two.messages.empty());
    }

    void nonsenseIsRefused()
    {
        ControlFixture fixture;
        TestNode& node = fixture.add();
        boost::asio::ip::tcp::socket stranger(fixture.context());
        stranger.connect({boost::asio::ip::address_v4::loopback(), node->address().tcpPort});
        boost::asio::write(stranger, boost::asio::buffer(std::string("GET / HTTP/1.1\r\n\r\n")));
        QVERIFY(fixture.until([&] { return !node.problems.empty(); }));
        QCOMPARE(node->counters().connections.open, std::size_t{0});
        QCOMPARE(node->counters().connections.refused, 1U);
    }

    void silentStrangerIsDropped()
    {
        ControlFixture fixture;
        auto options = quickOptions();
        options.authentication = 40ms;
        TestNode& node = fixture.add(options);
        boost::asio::ip::tcp::socket stranger(fixture.context());
        stranger.connect({boost::asio::ip::address_v4::loopback(), node->address().tcpPort});
        QVERIFY(fixture.until([&] { return !node.problems.empty(); }));
        QVERIFY2(node.problems[0].ends_with("did not complete the handshake in time"),
                 node.problems[0].c_str());
    }

    // Fails if connections that say nothing, or as much as they may without the key, keep a processor out
    // or wait for it, are kept beyond their number, or make a line of log each.
    void silentStrangersKeepNobodyOut()
    {
        ControlFixture fixture;
        auto options = quickOptions();
        options.mostUnproven = 8;
        options.authentication = 60s;
        TestNode& node = fixture.add(options);
        TestNode& peer = fixture.add(options);
        fixture.introduce();
        std::vector<boost::asio::ip::tcp::socket> strangers;
        for (int i = 0; i < 300; ++i) {
            strangers.emplace_back(fixture.context());
            strangers.back().connect(
                {boost::asio::ip::address_v4::loopback(), node->address().tcpPort});
            if (i % 2 == 0)
                boost::asio::write(strangers.back(), boost::asio::buffer(std::string("\x47")));
        }
        QVERIFY(peer->send(ProcessorId(0), "through the crowd"));
        QVERIFY(fixture.until([&] { return node.messages.size() == 1; }, 10s));
        QVERIFY(node->counters().connections.mostUnproven <= 8);
        QVERIFY(node->counters().connections.refused >= 300 - 8);
        QCOMPARE(node.problems.size(), std::size_t{4});
    }

    void idleConnectionsCloseAndOpenAgain()
    {
        ControlFixture fixture;
        auto options = quickOptions();
        options.idleClose = 60ms;
        TestNode& one = fixture.add(options);
        TestNode& two = fixture.add(options);
        fixture.introduce();
        for (std::size_t round = 1; round <= 3; ++round) {
            QVERIFY(one->send(ProcessorId(1), "round"));
            QVERIFY(fixture.until([&] { return two.messages.size() == round; }));
            QVERIFY(fixture.until([&] {
                return one->counters().connections.open == 0
                    && two->counters().connections.open == 0;
            }));
            QCOMPARE(one->counters().connections.dialed, round);
        }
        QVERIFY(one->counters().connections.idled + two->counters().connections.idled >= 3);
        QCOMPARE(one->counters().connections.broken + two->counters().connections.broken, 0U);
    }

    // Fails if closing because of idling ever takes a message along that is just being sent.
    void closingLosesNothing()
    {
        ControlFixture fixture;
        auto options = quickOptions();
        options.idleClose = 5ms;
        TestNode& one = fixture.add(options);
        TestNode& two = fixture.add(options);
        fixture.introduce();
        for (int i = 0; i < 200; ++i) {
            QVERIFY(one->send(ProcessorId(1), "a " + std::to_string(i)));
            fixture.runFor(std::chrono::milliseconds(i % 9));
            QVERIFY(two->send(ProcessorId(0), "b " + std::to_string(i)));
        }
        QVERIFY(fixture.until(
            [&] { return one.messages.size() == 200 && two.messages.size() == 200; }));
        QVERIFY(heardInOrder(two, "a", 200));
        QVERIFY(heardInOrder(one, "b", 200));
        QVERIFY(one->counters().connections.dialed + two->counters().connections.dialed > 2);
    }

    // Fails if more are open than may be, or if one is closed before what it had to say is said.
    void fewPlacesForManyPeers()
    {
        ControlFixture fixture;
        auto few = quickOptions();
        few.mostConnections = 2;
        TestNode& hub = fixture.add(few);
        for (int i = 0; i < 5; ++i)
            fixture.add();
        fixture.introduce();
        constexpr int rounds = 20;
        for (int round = 0; round < rounds; ++round)
            for (std::uint32_t peer = 1; peer <= 5; ++peer)
                QVERIFY(hub->send(ProcessorId(peer), "a " + std::to_string(round)));
        QVERIFY(fixture.until([&] { return total(fixture) == 5 * rounds; }));
        // One after the other, so that each has to be let in anew.
        for (int round = rounds; round < 2 * rounds; ++round) {
            const auto peer = static_cast<std::uint32_t>(round % 5 + 1);
            QVERIFY(hub->send(ProcessorId(peer), "more"));
            const std::size_t wanted = static_cast<std::size_t>(4 * rounds + round + 1);
            QVERIFY(fixture.until([&] { return total(fixture) == wanted; }));
            QVERIFY(hub->counters().connections.open <= 2);
        }
        for (std::size_t peer = 1; peer <= 5; ++peer)
            QVERIFY(heardInOrder(fixture.at(peer), "a", rounds));
        QCOMPARE(hub->counters().connections.mostOpen, std::size_t{2});
        QVERIFY(hub->counters().connections.evicted >= 3);
        QCOMPARE(hub->counters().connections.broken, 0U);
    }

    // Fails if a place is taken from who is just writing before it has finished.
    void longMessagesToFewPlaces()
    {
        ControlFixture fixture;
        auto options = quickOptions();
        options.deliverWithin = 60s;
        auto few = options;
        few.mostConnections = 2;
        TestNode& hub = fixture.add(few);
        for (int i = 0; i < 4; ++i)
            fixture.add(options);
        fixture.introduce();
        constexpr std::size_t bytes = 2 * 1024 * 1024;
        for (char fill = 'a'; fill < 'd'; ++fill)
            for (std::size_t peer = 1; peer <= 4; ++peer)
                QVERIFY(fixture.at(peer)->send(ProcessorId(0), std::string(bytes, fill)));
        QVERIFY(fixture.until([&] { return hub.messages.size() == 12; }, 40s));
        std::map<ProcessorId, std::string> order;
        for (const TestNode::Heard& heard : hub.messages) {
            QCOMPARE(heard.bytes.size(), bytes);
            order[heard.from.processor] += heard.bytes.front();
        }
        for (const auto& [peer, fills] : order)
            QCOMPARE(fills, std::string("abc"));
        QCOMPARE(order.size(), std::size_t{4});
        QCOMPARE(hub->counters().connections.mostOpen, std::size_t{2});
        QVERIFY(hub->counters().connections.evicted >= 2);
        QCOMPARE(hub->counters().connections.broken, 0U);
    }

    // Fails if processors that all have two places block each other, or lose what is on the way.
    void allToAllWithFewPlaces()
    {
        ControlFixture fixture;
        auto few = quickOptions();
        few.mostConnections = 2;
        few.deliverWithin = 60s;
        constexpr std::uint32_t nodes = 6;
        for (std::uint32_t i = 0; i < nodes; ++i)
            fixture.add(few);
        fixture.introduce();
        constexpr std::size_t each = 50;
        for (std::size_t i = 0; i < each; ++i)
            for (std::uint32_t from = 0; from < nodes; ++from)
                for (std::uint32_t to = 0; to < nodes; ++to)
                    if (from != to)
                        QVERIFY(fixture.at(from)->send(
                            ProcessorId(to), std::to_string(from) + ' ' + std::to_string(i)));
        QVERIFY(fixture.until([&] { return total(fixture) >= each * nodes * (nodes - 1); }, 60s));
        for (std::uint32_t to = 0; to < nodes; ++to) {
            for (std::uint32_t from = 0; from < nodes; ++from)
                QVERIFY(heardInOrder(fixture.at(to), std::to_string(from), from == to ? 0 : each));
            const auto counters = fixture.at(to)->counters().connections;
            QVERIFY(counters.mostOpen <= 2);
            QCOMPARE(counters.broken, 0U);
            QCOMPARE(counters.torn + counters.tooLate + counters.tooMany, 0U);
        }
    }

    // Fails if who does not read holds up the sender, makes it grow, or keeps the connection.
    void peerThatDoesNotRead()
    {
        ControlFixture fixture;
        auto options = quickOptions();
        options.mostWaitingBytes = 1024 * 1024;
        options.stallTimeout = 200ms;
        options.deliverWithin = 300ms;
        TestNode& node = fixture.add(options);
        // A peer with an event loop of its own, which stops running.
        ControlFixture stopped;
        stopped.add(options);
        TestNode& peer = stopped.add(options);
        peer->learn({node->address()});
        node->learn({peer->address()});
        QVERIFY(node->send(ProcessorId(1), "first"));
        QVERIFY(fixture.until([&] {
            stopped.runFor(1ms);
            return peer.messages.size() == 1;
        }));
        // 64 MiB are more than two kernels' buffers and what may wait.
        for (int i = 0; i < 256; ++i) {
            QVERIFY(node->send(ProcessorId(1), std::string(256 * 1024, 'x')));
            fixture.runFor(0ms);
        }
        QVERIFY(node->counters().connections.waiting <= 4);
        QVERIFY(node->counters().connections.tooMany > 100);
        QVERIFY(fixture.until([&] { return node->counters().connections.broken == 1; }));
        QVERIFY2(node.problems[0].ends_with("takes nothing of what is sent to it"),
                 node.problems[0].c_str());
        QVERIFY(fixture.until([&] { return node->counters().connections.waiting == 0; }));
        QVERIFY(node->counters().connections.tooLate > 0);
        // When it goes on, what is said again arrives.
        QVERIFY(fixture.until([&] {
            stopped.runFor(1ms);
            if (node->counters().connections.waiting == 0)
                node->send(ProcessorId(1), "second");
            return peer.messages.back().bytes == "second";
        }));
    }

    void peerThatIsNotThere()
    {
        ControlFixture fixture;
        auto options = quickOptions();
        options.deliverWithin = 200ms;
        TestNode& one = fixture.add(options);
        TestNode& two = fixture.add(options);
        fixture.introduce();
        two.network.reset();
        QVERIFY(one->send(ProcessorId(1), "to who has left"));
        QVERIFY(fixture.until([&] { return one->counters().connections.tooLate == 1; }));
        QCOMPARE(one.problems.size(), std::size_t{1});
        QVERIFY2(one.problems[0].ends_with("cannot connect: Connection refused"),
                 one.problems[0].c_str());
        QCOMPARE(one->counters().connections.waiting, std::size_t{0});
    }

    // Fails if messages of a new life come over a connection that said it was the old one.
    void newLifeIsKnownByItsMessages()
    {
        ControlFixture fixture;
        TestNode& one = fixture.add();
        TestNode& two = fixture.add();
        fixture.introduce();
        QVERIFY(one->send(ProcessorId(1), "first"));
        QVERIFY(fixture.until([&] { return two.messages.size() == 1; }));
        one->beginLife(Life(2));
        QVERIFY(one->send(ProcessorId(1), "second"));
        QVERIFY(fixture.until([&] { return two.messages.size() == 2; }));
        QVERIFY((two.messages[1] == TestNode::Heard{{ProcessorId(0), Life(2)}, "second"}));
    }

    // Fails if a callback that sends at once disturbs what is going on.
    void answersFromInsideOfCallbacks()
    {
        ControlFixture fixture;
        TestNode& one = fixture.add();
        TestNode& two = fixture.add();
        fixture.introduce();
        two.onMessage = [&] { two->send(ProcessorId(0), "pong"); };
        one.onMessage = [&] {
            if (one.messages.size() < 100)
                one->send(ProcessorId(1), "ping");
        };
        QVERIFY(one->send(ProcessorId(1), "ping"));
        QVERIFY(fixture.until([&] { return one.messages.size() == 100; }));
        QCOMPARE(two.messages.size(), std::size_t{100});
    }

    // Fails if a task could inherit a socket.
    void descriptorsAreClosedOnExec()
    {
        const std::set<int> before = internetSockets(); // inherited by the test itself
        ControlFixture fixture;
        TestNode& one = fixture.add();
        TestNode& two = fixture.add();
        fixture.introduce();
        QVERIFY(one->send(ProcessorId(1), "x"));
        QVERIFY(fixture.until([&] { return two.messages.size() == 1; }));
        int sockets = 0;
        for (const int fd : internetSockets())
            if (!before.contains(fd)) {
                ++sockets;
                QVERIFY((::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
            }
        QVERIFY(sockets >= 6); // two each that listen, and both ends of a connection
    }
};

QTEST_APPLESS_MAIN(tst_ConnectionPool)

} // namespace tst_connectionpool

#include "tst_connectionpool.moc"
