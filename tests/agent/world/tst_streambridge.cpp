// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "moveannounced.h"
#include "world/endpoint.h"
#include "world/streambridge.h"

#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tst_streambridge {

using namespace tasuki;
using namespace tasuki::world;

namespace {

constexpr std::uint64_t context = 7;
constexpr std::uint64_t logBytes = 4U << 20U;

/// Two ranks on two hosts, and what their agents tell each other, which waits until the test moves it.
class TwoHosts {
public:
    explicit TwoHosts(StreamBridge::Limits limits = {}) : m_limits(limits)
    {
        for (WorldRank rank = 0; rank < 2; ++rank)
            renew(rank);
        for (WorldRank rank = 0; rank < 2; ++rank)
            bridges[rank]->begin(1 - rank, false);
    }
    /// A rank is on a host where nothing of it is.
    void renew(WorldRank rank)
    {
        hosts[rank].emplace(std::move(*Segment::create({.ranks = 2, .logBytes = logBytes})));
        hosts[rank]->setRemote(1 - rank, true);
        makeBridge(rank);
    }
    void makeBridge(WorldRank rank)
    {
        const WorldRank other = 1 - rank;
        bridges[rank].emplace(
            *hosts[rank], rank,
            StreamBridge::Ports{.send =
                                    [this, other](WorldRank to, std::uint64_t position,
                                                  const std::string& bytes, bool skips) {
                                        if (to < 2) {
                                            sent += bytes.size();
                                            later([this, other, position, bytes, skips] {
                                                bridges[other]->deliver(1 - other, position, bytes,
                                                                        skips);
                                            });
                                        } else {
                                            noted.emplace_back(position, bytes);
                                        }
                                    },
                                .taken =
                                    [this, other](WorldRank, std::uint64_t position) {
                                        later([this, other, position] {
                                            bridges[other]->taken(1 - other, position);
                                        });
                                    },
                                .want =
                                    [this, other](WorldRank, std::uint64_t position) {
                                        later([this, other, position] {
                                            bridges[other]->wanted(1 - other, position);
                                        });
                                    },
                                .end =
                                    [this, other](WorldRank, std::uint64_t position) {
                                        later([this, other, position] {
                                            bridges[other]->ended(1 - other, position);
                                        });
                                    },
                                .differs = [this](WorldRank from) { differs = from; }},
            m_limits);
    }
    void later(std::function<void()> what) { m_later.push_back(std::move(what)); }
    /// What was said comes; what was lost does not.
    void settle()
    {
        for (int round = 0; round < 100; ++round) {
            for (WorldRank rank = 0; rank < 2; ++rank) {
                tasuki::world::testing::moveAnnounced(*hosts[rank], rank, *bridges[rank]);
            }
            if (m_later.empty())
                return;
            while (!m_later.empty()) {
                const auto next = std::move(m_later.front());
                m_later.pop_front();
                next();
            }
        }
        qFatal("it never ends");
    }
    void lose() { m_later.clear(); }
    std::unique_ptr<Endpoint> begin(WorldRank rank)
    {
        Endpoint::Options options;
        options.log.differs = [](const std::string& what) { qFatal("%s", what.c_str()); };
        options.log.ended = [](const std::string&) {};
        auto end = std::make_unique<Endpoint>(std::move(*Segment::open(hosts[rank]->path())), rank,
                                              options);
        end->beginCall();
        return end;
    }

    std::array<std::optional<Segment>, 2> hosts; ///< by rank
    std::array<std::optional<StreamBridge>, 2> bridges;
    std::optional<WorldRank> differs;
    std::uint64_t sent = 0;
    std::vector<std::pair<std::uint64_t, std::string>> noted;

private:
    StreamBridge::Limits m_limits;
    std::deque<std::function<void()>> m_later;
};

void send(Endpoint& from, WorldRank to, const std::string& bytes)
{
    Sending sending{.data = bytes.data(), .bytes = bytes.size()};
    from.send(to, {context, static_cast<std::int32_t>(from.me()), 3}, SendMode::Standard, sending);
    QVERIFY(sending.done);
}

/// @return the next message; "none": it is not there
std::string receive(Endpoint& at)
{
    std::string buffer(1U << 20U, '\0');
    Receiving receiving{.buffer = buffer.data(), .capacity = buffer.size()};
    at.receive({.context = context}, receiving);
    at.progress(Endpoint::Look::Waits);
    if (!receiving.done) {
        at.cancel({.context = context}, receiving);
        return "none";
    }
    buffer.resize(receiving.bytes);
    return buffer;
}

} // namespace

/// What breaks it: a message that is lost, doubled or torn between two hosts, a new life whose differences nobody sees.
class TestStreamBridge : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void messagesCross();
    void lostWordsAreAskedForAgain();
    void windowHolds();
    void nextLifeElsewhere_data();
    void nextLifeElsewhere();
    void determinantsAreKept();
    void tornMessageIsNotThere();
    void endIsTold();
};

void TestStreamBridge::messagesCross()
{
    TwoHosts world;
    const auto first = world.begin(0);
    const auto second = world.begin(1);
    std::vector<std::string> all;
    for (int i = 0; i < 20; ++i) {
        all.push_back(
            std::string(static_cast<std::size_t>(i) * 20'000, static_cast<char>('a' + i)));
        send(*first, 1, all.back());
        send(*second, 0, all.back());
    }
    world.settle();
    for (const std::string& bytes : all) {
        QVERIFY(receive(*second) == bytes);
        QVERIFY(receive(*first) == bytes);
    }
    QVERIFY(receive(*second) == "none");
    QVERIFY(!world.differs);
}

void TestStreamBridge::lostWordsAreAskedForAgain()
{
    TwoHosts world;
    world.lose(); // both have asked in vain
    const auto first = world.begin(0);
    const auto second = world.begin(1);
    send(*first, 1, "hello");
    world.settle();
    QVERIFY(receive(*second) == "none");
    SteadyTime now{};
    for (int i = 0; i < 3; ++i, now += std::chrono::milliseconds(300)) {
        for (auto& bridge : world.bridges)
            bridge->poll(now);
        world.settle();
    }
    QVERIFY(receive(*second) == "hello");
}

void TestStreamBridge::windowHolds()
{
    TwoHosts world({.window = 100'000, .stretch = 30'000});
    world.settle();
    const auto first = world.begin(0);
    const std::string bytes(1'000'000, 'x');
    send(*first, 1, bytes);
    tasuki::world::testing::moveAnnounced(*world.hosts[0], 0, *world.bridges[0]);
    QCOMPARE(world.sent, std::uint64_t{100'000});
    world.settle();
    QVERIFY(receive(*world.begin(1)) == bytes);
}

void TestStreamBridge::nextLifeElsewhere_data()
{
    QTest::addColumn<QByteArray>("second"); ///< what it sends as its second message
    QTest::addColumn<bool>("differs");
    QTest::newRow("the same") << QByteArray("two") << false;
    QTest::newRow("another message") << QByteArray("twO") << true;
    QTest::newRow("another length") << QByteArray("twoo") << true;
}

// Fails if a rank that goes on at another host is not given what it was given, or sends something twice, or something else.
void TestStreamBridge::nextLifeElsewhere()
{
    QFETCH(QByteArray, second);
    QFETCH(bool, differs);
    TwoHosts world;
    const auto other = world.begin(1);
    {
        const auto rank = world.begin(0);
        send(*other, 0, "input");
        world.settle();
        QVERIFY(receive(*rank) == "input");
        send(*rank, 1, "one");
        send(*rank, 1, "two");
        world.settle();
    }
    QVERIFY(receive(*other) == "one");
    world.renew(0); // its host is lost with all that was there
    world.bridges[0]->begin(1, false);
    world.bridges[1]->begin(0, true);
    world.settle();
    const auto next = world.begin(0);
    QVERIFY(receive(*next) == "input");
    send(*next, 1, "one");
    send(*next, 1, second.toStdString());
    send(*next, 1, "three");
    world.settle();
    QCOMPARE(world.differs.has_value(), differs);
    if (differs)
        return;
    QVERIFY(receive(*other) == "two");
    QVERIFY(receive(*other) == "three");
    QVERIFY(receive(*other) == "none");
}

// Fails if something leaves that follows from what a standby would not know.
void TestStreamBridge::determinantsAreKept()
{
    TwoHosts world;
    world.bridges[0]->keepNotes(true);
    world.settle();
    auto rank = world.begin(0);
    const std::int64_t time = rank->decide(ValueKind::Clock, [] { return 4711; });
    // Another thread is its agent while it waits.
    const auto kept = Segment::create({.ranks = 2, .logBytes = logBytes});
    StreamCopy copy(kept->log(0), kept->determinants(0), true);
    std::atomic<bool> sent = false;
    std::thread agent([&] {
        const Segment& host = *world.hosts[0];
        while (!sent) {
            // What follows leaves when all is kept, and not earlier.
            if (host.stream(0, 1).written.load() != 0
                && copy.end() < host.determinants(0).written.load())
                qFatal("a message has left too early");
            world.bridges[0]->touch(2);
            world.bridges[0]->move();
            for (const auto& [position, bytes] : std::exchange(world.noted, {}))
                QVERIFY(copy.add(position, bytes) == StreamCopy::Added::Yes);
            world.bridges[0]->taken(2, copy.end());
        }
    });
    send(*rank, 1, "follows");
    sent = true;
    agent.join();
    rank.reset();
    QVERIFY(world.hosts[0]->stream(0, 1).written.load() != 0);
    Determinants again(kept->log(0), kept->determinants(0));
    QVERIFY(again.nextValue() != nullptr && again.nextValue()->value == time);
}

void TestStreamBridge::tornMessageIsNotThere()
{
    const auto from = Segment::create({.ranks = 2, .logBytes = logBytes});
    const auto to = Segment::create({.ranks = 2, .logBytes = logBytes});
    {
        Endpoint rank(std::move(*Segment::open(from->path())), 0, {});
        rank.beginCall();
        send(rank, 1, std::string(200'000, 'q'));
        send(rank, 1, "short");
    }
    StreamReader reader(from->log(0), from->stream(0, 1));
    std::string bytes(reader.available(), '\0');
    reader.read(bytes.data(), bytes.size());
    StreamCopy copy(to->log(0), to->stream(0, 1), false);
    QVERIFY(copy.add(100, bytes) == StreamCopy::Added::Gap);
    std::uint64_t at = 0;
    for (const std::size_t part : {std::size_t{10}, std::size_t{60}, std::size_t{150'000}}) {
        QVERIFY(copy.add(at, std::string_view(bytes).substr(at, part)) == StreamCopy::Added::Yes);
        at += part;
        QCOMPARE(to->stream(0, 1).written.load(), std::uint64_t{0});
        QCOMPARE(copy.end(), at);
    }
    // The next agent of the rank knows what is published alone.
    StreamCopy next(to->log(0), to->stream(0, 1), false);
    QCOMPARE(next.end(), std::uint64_t{0});
    QVERIFY(next.add(0, bytes) == StreamCopy::Added::Yes);
    QCOMPARE(to->stream(0, 1).written.load(), std::uint64_t{bytes.size()});
    QVERIFY(next.add(0, bytes) == StreamCopy::Added::Yes);
    bytes[70] = 'Q';
    QVERIFY(next.add(0, bytes) == StreamCopy::Added::Differs);
}

void TestStreamBridge::endIsTold()
{
    TwoHosts world;
    const auto first = world.begin(0);
    send(*first, 1, "kept");
    world.settle();
    first->endKeeping("test");
    world.settle();
    QVERIFY(world.hosts[1]->log(0).isClosed() && !world.hosts[1]->keeps());
    QVERIFY(receive(*world.begin(1)) == "kept");
}

QTEST_APPLESS_MAIN(TestStreamBridge)

} // namespace tst_streambridge

#include "tst_streambridge.moc"
