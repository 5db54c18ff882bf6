// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "moveannounced.h"
#include "support/settled.h"
#include "world/bellwatch.h"
#include "world/bridge.h"
#include "world/endpoint.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace tst_bellwatch {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::world;
using tasuki::testing::waitUntilOthersSleep;

namespace {

/// @param remote  whether rank 1 is on another host
std::shared_ptr<const Segment> memoryOfTwo(bool remote)
{
    Result<Segment> made = Segment::create({.ranks = 2});
    if (!made)
        qFatal("%s", made.error().text().c_str());
    made->setRemote(1, remote);
    return std::make_shared<const Segment>(std::move(*made));
}

/// What a watch rings.
class Ear {
public:
    void ring()
    {
        const std::lock_guard lock(m_mutex);
        ++m_rings;
        m_rang.notify_all();
    }
    /// Waits until it has rung so often.
    void await(int rings)
    {
        std::unique_lock lock(m_mutex);
        m_rang.wait(lock, [&] { return m_rings >= rings; });
    }
    [[nodiscard]] int rings()
    {
        const std::lock_guard lock(m_mutex);
        return m_rings;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_rang;
    int m_rings = 0;
};

void publish(const Segment& memory, std::uint32_t number)
{
    Ring ring = memory.ring(0, 1);
    RingPieces place = ring.reserve(sizeof number);
    while (place.first == nullptr) {
        std::this_thread::yield();
        place = ring.reserve(sizeof number);
    }
    copyInto(place, 0, &number, sizeof number);
    ring.publish(sizeof number);
    memory.announce(0, 1);
}

} // namespace

/// What breaks it: a ring that is missed, or told of again and again while nobody has answered. A watch looks by itself once a
/// second: a test of thousands of rings that rely on it does not end in time.
class TestBellWatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsOnceUntilItIsAnswered();
    void endsWhileItSleeps();
    void nothingIsMissed();
    void wakesWhoFoundNoRoom();
    void programsOfTwoHosts();
};

void TestBellWatch::tellsOnceUntilItIsAnswered()
{
    const auto memory = memoryOfTwo(true);
    Ear ear;
    BellWatch watch(memory, agentOf(0), [&ear] { ear.ring(); });
    ear.await(1); // what was there before
    for (int answers = 1; answers <= 500; ++answers) {
        watch.answer();
        memory->announce(0, 1);
        ear.await(answers + 1);
        for (int more = 0; more < 3; ++more)
            memory->announce(0, 1);
        QCOMPARE(ear.rings(), answers + 1);
    }
    for (int more = 0; more < 20; ++more) {
        memory->announce(0, 1);
        waitUntilOthersSleep();
    }
    QCOMPARE(ear.rings(), 501);
}

void TestBellWatch::endsWhileItSleeps()
{
    const auto memory = memoryOfTwo(true);
    for (int time = 0; time < 500; ++time) {
        Ear ear;
        const BellWatch watch(memory, agentOf(0), [&ear] { ear.ring(); });
        if (time % 3 == 0)
            ear.await(1);
        if (time % 6 == 0)
            waitUntilOthersSleep();
    }
    QCOMPARE(memory.use_count(), 1L);
}

// Each number is written when the last one has been read.
void TestBellWatch::nothingIsMissed()
{
    constexpr std::uint32_t numbers = 20'000;
    const auto memory = memoryOfTwo(true);
    Ear read;
    std::thread writer([&] {
        for (std::uint32_t number = 0; number < numbers; ++number) {
            publish(*memory, number);
            if (number % 3 != 0)
                read.await(static_cast<int>(number));
        }
    });
    Ear ear;
    BellWatch watch(memory, agentOf(0), [&ear] { ear.ring(); });
    std::uint32_t next = 0;
    bool inOrder = true;
    for (int rings = 1; next < numbers; ++rings) {
        ear.await(rings);
        watch.answer();
        memory->forEachPending(agentOf(0), [&](WorldRank to) {
            Ring ring = memory->ring(0, to);
            while (!ring.isEmpty()) {
                std::uint32_t number = 0;
                copyOutOf(ring.front(), 0, &number, sizeof number);
                ring.pop();
                inOrder = inOrder && number == next;
                ++next;
                read.ring();
            }
        });
    }
    writer.join();
    QVERIFY(inOrder);
}

// The agent of the receiver writes what has come from another host: it has to know when the program has made room.
void TestBellWatch::wakesWhoFoundNoRoom()
{
    const auto memory = memoryOfTwo(true);
    constexpr int stretches = 3'000;
    Ear ear;
    int taken = 0;
    Bridge bridge(*memory, 0,
                  {.send = [](WorldRank, const std::string&) {},
                   .taken = [&taken](WorldRank, std::uint64_t) { ++taken; }});
    BellWatch watch(memory, agentOf(0), [&ear] { ear.ring(); });
    std::thread program([&] {
        Endpoint end(std::move(*Segment::open(memory->path())), 0, {.spin = 0us});
        for (int i = 0; i < stretches; ++i) {
            Receiving receiving{};
            std::string buffer(8'000, '\0');
            receiving.buffer = buffer.data();
            receiving.capacity = buffer.size();
            end.receive({1, Pattern::any, Pattern::any}, receiving);
            end.wait(
                "MPI_Recv", [&] { return receiving.done; }, [] {}, [] {});
            if (receiving.envelope.tag != i)
                qFatal("out of order");
        }
    });
    for (int i = 0; i < stretches; ++i) {
        const MessageHead head{.tag = i, .context = 1, .source = 1, .bytes = 8'000};
        const std::size_t size = sizeof head + 8'000;
        std::string records{static_cast<char>(size & 0xFFU), static_cast<char>(size >> 8U), 0, 0};
        records.append(reinterpret_cast<const char*>(&head), sizeof head).append(8'000, 'x');
        QVERIFY(bridge.deliver(1, std::move(records)).ok());
    }
    const auto allAreTaken = [&taken] { return taken == stretches; };
    for (int rings = 1; !allAreTaken(); ++rings) {
        ear.await(rings);
        watch.answer();
        tasuki::world::testing::moveAnnounced(*memory, 0, bridge);
    }
    program.join();
}

// A program each on two hosts, an agent for both.
void TestBellWatch::programsOfTwoHosts()
{
    constexpr int messages = 2'000;
    const std::array memories{memoryOfTwo(true), memoryOfTwo(false)};
    memories[1]->setRemote(0, true);
    Ear ear;
    std::array<std::deque<std::pair<std::string, std::uint64_t>>, 2> words; ///< to each
    std::array<std::unique_ptr<Bridge>, 2> bridges;
    std::array<std::unique_ptr<BellWatch>, 2> watches;
    for (const WorldRank me : {0U, 1U}) {
        auto& toOther = words[1 - me];
        bridges[me] = std::make_unique<Bridge>(
            *memories[me], me,
            Bridge::Ports{
                .send =
                    [&toOther](WorldRank, std::string records) {
                        toOther.emplace_back(std::move(records), 0);
                    },
                .taken = [&toOther](WorldRank,
                                    std::uint64_t bytes) { toOther.emplace_back("", bytes); }});
        watches[me] = std::make_unique<BellWatch>(memories[me], agentOf(me),
                                                  [&ear] { ear.ring(); });
    }
    std::atomic<int> over{0};
    const auto program = [&](WorldRank me) {
        Endpoint end(std::move(*Segment::open(memories[me]->path())), me, {.spin = 0us});
        const auto wait = [&end](const bool& done) {
            end.wait(
                "MPI_Wait", [&done] { return done; }, [] {}, [] {});
        };
        std::string buffer(40'000, '\0');
        for (int i = 0; i < messages; ++i) {
            const std::string bytes(i % 50 == 0 ? 40'000 : std::size_t(i % 100),
                                    char('a' + i % 26));
            Sending sending{.data = bytes.data(), .bytes = bytes.size()};
            Receiving receiving{.buffer = buffer.data(), .capacity = buffer.size()};
            if (me == 0) // there and back
                end.send(1, {1, 0, i}, SendMode::Synchronous, sending);
            end.receive({1, std::int32_t(1 - me), i}, receiving);
            if (me == 0)
                wait(sending.done);
            wait(receiving.done);
            if (receiving.bytes != bytes.size() || buffer.compare(0, bytes.size(), bytes) != 0)
                qFatal("other bytes");
            if (me == 1) {
                end.send(0, {1, 1, i}, SendMode::Standard, sending);
                wait(sending.done);
            }
        }
        ++over;
        ear.ring();
    };
    std::thread first(program, 0U);
    std::thread second(program, 1U);
    for (int rings = 1; over < 2; ++rings) {
        ear.await(rings);
        for (const WorldRank me : {0U, 1U}) {
            watches[me]->answer();
            tasuki::world::testing::moveAnnounced(*memories[me], me, *bridges[me]);
        }
        while (!words[0].empty() || !words[1].empty()) {
            for (const WorldRank me : {0U, 1U}) {
                if (words[me].empty())
                    continue;
                auto [records, taken] = std::move(words[me].front());
                words[me].pop_front();
                if (records.empty())
                    bridges[me]->taken(1 - me, taken);
                else
                    QVERIFY(bridges[me]->deliver(1 - me, std::move(records)).ok());
            }
        }
    }
    first.join();
    second.join();
}

QTEST_APPLESS_MAIN(TestBellWatch)

} // namespace tst_bellwatch

#include "tst_bellwatch.moc"
