// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "controlfixture.h"

#include <boost/asio/ip/udp.hpp>

namespace tst_datagramsocket {

using namespace tasuki;
using namespace tasuki::control;
using namespace std::chrono_literals;

namespace {

/// Sends what it likes to a processor.
class Stranger {
public:
    Stranger(ControlFixture& fixture, const TestNode& target)
        : m_socket(fixture.context(),
                   boost::asio::ip::udp::endpoint(boost::asio::ip::address_v4::loopback(), 0)),
          m_target(boost::asio::ip::address_v4::loopback(), target->address().udpPort)
    {}
    void send(const std::string& bytes) { m_socket.send_to(boost::asio::buffer(bytes), m_target); }

private:
    boost::asio::ip::udp::socket m_socket;
    boost::asio::ip::udp::endpoint m_target;
};

} // namespace

class tst_DatagramSocket : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothWays_data()
    {
        QTest::addColumn<QString>("address");
        QTest::newRow("IPv4") << "127.0.0.1";
        QTest::newRow("IPv6") << "::1";
        QTest::newRow("both") << "::";
    }
    void bothWays()
    {
        QFETCH(QString, address);
        ControlFixture fixture;
        auto options = quickOptions();
        options.bindAddress = address.toStdString();
        if (address.contains(':')) {
            boost::asio::io_context context;
            if (!ControlNetwork::open(context, ProcessorId(0), testKey(), options, {}))
                QSKIP("this host has no IPv6");
        }
        TestNode& one = fixture.add(options);
        TestNode& two = fixture.add(options);
        fixture.introduce();
        QVERIFY(one->sendDatagram(ProcessorId(1), "a beat"));
        QVERIFY(fixture.until([&] { return two.datagrams.size() == 1; }));
        QVERIFY((two.datagrams[0] == TestNode::Heard{{ProcessorId(0), Life(1)}, "a beat"}));
        QVERIFY(two->sendDatagram(ProcessorId(0), std::string(1152, 'x')));
        QVERIFY(fixture.until([&] { return one.datagrams.size() == 1; }));
        QCOMPARE(one.datagrams[0].bytes.size(), ControlNetwork::mostDatagramBytes);
        QCOMPARE(two->counters().datagrams.dropped(), 0U);
        QVERIFY(one->send(ProcessorId(1), "a message"));
        QVERIFY(fixture.until([&] { return two.messages.size() == 1; }));
    }

    void whatCannotBeSentIsCounted()
    {
        ControlFixture fixture;
        TestNode& one = fixture.add();
        fixture.add();
        fixture.introduce();
        QVERIFY(!one->sendDatagram(ProcessorId(7), "to nobody"));
        QVERIFY(!one->sendDatagram(ProcessorId(1), std::string(1153, 'x')));
        QCOMPARE(one->counters().datagrams.notSent, 2U);
        QCOMPARE(one->counters().datagrams.sent, 0U);
    }

    // Fails if some kind of bad datagram is taken, or counted as another.
    void badDatagramsAreDroppedAndCounted()
    {
        ControlFixture fixture;
        TestNode& node = fixture.add();
        fixture.add();
        fixture.introduce();
        Stranger stranger(fixture, node);
        const DatagramCodec codec(testKey());
        const DatagramHeader good{.epoch = Epoch(3),
                                  .from = ProcessorId(1),
                                  .to = ProcessorId(0),
                                  .life = Life(1),
                                  .number = 100};
        const auto with = [&](auto change) {
            DatagramHeader header = good;
            change(header);
            return codec.seal(header, "content");
        };
        const std::string genuine = codec.seal(good, "content");
        stranger.send(genuine);
        stranger.send(genuine);
        stranger.send(genuine.substr(0, genuine.size() - 1)); // truncated: the tag is wrong
        stranger.send(genuine.substr(0, 10));
        stranger.send(std::string(1201, 'x'));
        stranger.send(DatagramCodec(RunKey{}).seal(good, "content"));
        stranger.send(with([](DatagramHeader& header) { header.number = 36; }));
        stranger.send(with([](DatagramHeader& header) { header.number = 37; }));
        stranger.send(with([](DatagramHeader& header) { header.epoch = Epoch(2); }));
        stranger.send(with([](DatagramHeader& header) { header.epoch = Epoch(4); }));
        stranger.send(with([](DatagramHeader& header) { header.from = ProcessorId(5); }));
        stranger.send(with([](DatagramHeader& header) { header.to = ProcessorId(1); }));
        std::string newer = genuine;
        newer[4] = 9;
        stranger.send(newer);
        QVERIFY(fixture.until([&] { return node->counters().datagrams.dropped() == 11; }));
        const DatagramCounters counters = node->counters().datagrams;
        QCOMPARE(counters.received, 2U);
        QCOMPARE(counters.replayed, 1U);
        QCOMPARE(counters.malformed, 2U);
        QCOMPARE(counters.wrongTag, 2U);
        QCOMPARE(counters.tooOld, 1U);
        QCOMPARE(counters.otherEpoch, 2U);
        QCOMPARE(counters.unknownSender, 1U);
        QCOMPARE(counters.misdirected, 1U);
        QCOMPARE(counters.otherVersion, 1U);
        QCOMPARE(node.datagrams.size(), std::size_t{2});
    }

    // Fails if a fenced processor's old life is heard, or its new one is not.
    void newLifeEndsTheOlderOne()
    {
        ControlFixture fixture;
        TestNode& node = fixture.add();
        TestNode& other = fixture.add();
        fixture.introduce();
        QVERIFY(other->sendDatagram(ProcessorId(0), "first life"));
        other->beginLife(Life(2));
        QVERIFY(other->sendDatagram(ProcessorId(0), "second life"));
        QVERIFY(fixture.until([&] { return node.datagrams.size() == 2; }));
        QCOMPARE(node.datagrams[1].from.life, Life(2));
        other->beginLife(Life(1));
        QVERIFY(other->sendDatagram(ProcessorId(0), "a ghost"));
        QVERIFY(fixture.until([&] { return node.olderLives.size() == 1; }));
        QVERIFY((node.olderLives[0] == ControlSender{ProcessorId(1), Life(1)}));
        QCOMPARE(node->counters().datagrams.olderLife, 1U);
        QCOMPARE(node.datagrams.size(), std::size_t{2});
    }

    // Fails if an address that leads nowhere is stuck to.
    void addressesTakeTurnsUntilOneAnswers()
    {
        ControlFixture fixture;
        TestNode& one = fixture.add();
        TestNode& two = fixture.add();
        fixture.introduce();
        ControlAddress several = two->address();
        several.hosts = {"127.0.0.77", "no address", "127.0.0.1"};
        one->learn({several});
        QVERIFY(fixture.until([&] {
            return !two.datagrams.empty() || (one->sendDatagram(ProcessorId(1), "beat") && false);
        }));
        two->sendDatagram(ProcessorId(0), "reply");
        QVERIFY(fixture.until([&] { return one.datagrams.size() == 1; }));
        // It came from the right address, which is used from now on.
        two.datagrams.clear();
        one->sendDatagram(ProcessorId(1), "beat");
        QVERIFY(fixture.until([&] { return two.datagrams.size() == 1; }));
        // Connections try them in turn as well.
        QVERIFY(one->send(ProcessorId(1), "message"));
        QVERIFY(fixture.until([&] { return two.messages.size() == 1; }));
        QVERIFY2(one.problems.empty(), one.problems.empty() ? "" : one.problems[0].c_str());
    }

    void addressTellsWhereToReachIt()
    {
        ControlFixture fixture;
        const ControlAddress local = fixture.add()->address();
        QVERIFY((local.hosts == std::vector<std::string>{"127.0.0.1"}));
        QVERIFY(local.udpPort != 0 && local.tcpPort != 0);
        QCOMPARE(local.pid, std::int64_t{QCoreApplication::applicationPid()});
        QVERIFY(local.processStart != 0);
        auto options = quickOptions();
        options.otherHosts = true;
        const ControlAddress wide = fixture.add(options)->address();
        QVERIFY(std::find(wide.hosts.begin(), wide.hosts.end(), "127.0.0.1") != wide.hosts.end());
        for (const std::string& host : wide.hosts)
            QVERIFY2(host != "::" && host != "0.0.0.0", host.c_str());
    }

    void wrongOptions()
    {
        boost::asio::io_context context;
        auto options = quickOptions();
        options.bindAddress = "localhost";
        const auto named = ControlNetwork::open(context, ProcessorId(0), testKey(), options, {});
        QVERIFY(!named.ok());
        QCOMPARE(named.error().text(),
                 std::string("'localhost' is no numeric address; write one "
                             "as 192.0.2.1 or 2001:db8::1"));
        options = quickOptions();
        options.mostConnections = 1;
        QVERIFY(!ControlNetwork::open(context, ProcessorId(0), testKey(), options, {}).ok());
    }
};

QTEST_APPLESS_MAIN(tst_DatagramSocket)

} // namespace tst_datagramsocket

#include "tst_datagramsocket.moc"
