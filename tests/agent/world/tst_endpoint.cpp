// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "world/endpoint.h"

#include <random>
#include <string>
#include <thread>

#include <unistd.h>

namespace tst_endpoint {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::world;

namespace {

std::string bytesOf(std::uint32_t seed, std::size_t size)
{
    std::mt19937 random(seed);
    std::string bytes(size, '\0');
    for (char& byte : bytes)
        byte = static_cast<char>(random());
    return bytes;
}

/// The memory of a world, and an end for each thread that wants one.
class World {
public:
    explicit World(std::uint32_t ranks) : m_made(Segment::create({.ranks = ranks}))
    {
        if (!m_made)
            qFatal("%s", m_made.error().text().c_str());
    }
    [[nodiscard]] std::unique_ptr<Endpoint> end(WorldRank rank,
                                                Endpoint::Options options = {}) const
    {
        auto segment = Segment::open(path());
        if (!segment)
            qFatal("%s", segment.error().text().c_str());
        return std::make_unique<Endpoint>(std::move(*segment), rank, options);
    }
    [[nodiscard]] std::string path() const { return m_made->path(); }
    [[nodiscard]] const Segment& segment() const { return *m_made; }

private:
    Result<Segment> m_made;
};

void wait(Endpoint& end, const bool& done)
{
    end.wait(
        "MPI_Recv", [&] { return done; }, [] {}, [] {});
}

std::string receive(Endpoint& end, const Pattern& pattern, std::size_t capacity)
{
    std::string buffer(capacity, '\0');
    Receiving receiving{.buffer = buffer.data(), .capacity = capacity};
    end.receive(pattern, receiving);
    wait(end, receiving.done);
    buffer.resize(std::min<std::size_t>(receiving.bytes, capacity));
    return buffer;
}

void send(Endpoint& end, WorldRank to, const Envelope& envelope, const std::string& bytes,
          SendMode mode = SendMode::Standard)
{
    Sending sending{.data = bytes.data(), .bytes = bytes.size()};
    end.send(to, envelope, mode, sending);
    wait(end, sending.done);
}

} // namespace

/// What breaks it: messages that overtake each other, one that is longer than a ring, who sleeps and is not woken.
class TestEndpoint : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allSizes_data()
    {
        QTest::addColumn<bool>("mayRead");
        QTest::addColumn<int>("spinUs");
        QTest::newRow("from the sender's memory") << true << 30;
        QTest::newRow("in pieces") << false << 30;
        QTest::newRow("in pieces, sleeping at once") << false << 0;
    }
    void allSizes()
    {
        QFETCH(bool, mayRead);
        QFETCH(int, spinUs);
        const Endpoint::Options options{.spin = std::chrono::microseconds(spinUs),
                                        .mayReadOthers = mayRead};
        const World world(2);
        const std::vector<std::size_t> sizes{0,     1,      100,       8'000,    8'192,
                                             8'193, 70'000, 1'000'000, 3'000'001};
        std::thread other([&] {
            const auto end = world.end(1, options);
            for (std::size_t i = 0; i < sizes.size() * 6; ++i) {
                const std::string bytes = receive(*end, {3, 0, static_cast<std::int32_t>(i)},
                                                  4'000'000);
                send(*end, 0, {3, 1, static_cast<std::int32_t>(i)}, bytes,
                     i % 3 == 0 ? SendMode::Synchronous : SendMode::Standard);
            }
        });
        const auto end = world.end(0, options);
        bool same = true;
        for (std::size_t i = 0; i < sizes.size() * 6; ++i) {
            const std::string bytes = bytesOf(static_cast<std::uint32_t>(i),
                                              sizes[i % sizes.size()]);
            send(*end, 1, {3, 0, static_cast<std::int32_t>(i)}, bytes);
            same = receive(*end, {3, 1, static_cast<std::int32_t>(i)}, 4'000'000) == bytes && same;
        }
        other.join();
        QVERIFY(same);
    }

    /// Nobody reads: what finds no room waits at the sender, in order.
    void moreThanFits()
    {
        const World world(2);
        constexpr int messages = 500;
        const auto first = world.end(0);
        const auto second = world.end(1);
        const std::string bytes = bytesOf(1, 1'000);
        std::vector<Sending> sendings(messages);
        for (int i = 0; i < messages; ++i) {
            sendings[static_cast<std::size_t>(i)] = {.data = bytes.data(), .bytes = bytes.size()};
            first->send(1, {1, 0, i}, SendMode::Standard, sendings[static_cast<std::size_t>(i)]);
        }
        QVERIFY(!sendings.back().done && !first->isFlushed());
        std::thread reader([&] {
            for (int i = 0; i < messages; ++i) {
                Receiving receiving{.envelope = {}};
                second->receive({1, Pattern::any, Pattern::any}, receiving);
                wait(*second, receiving.done);
                if (receiving.envelope.tag != i)
                    qFatal("out of order");
            }
        });
        first->wait(
            "MPI_Finalize", [&] { return first->isFlushed(); }, [] {}, [] {});
        reader.join();
        QVERIFY(sendings.back().done);
    }

    void truncation()
    {
        const World world(1);
        const auto end = world.end(0);
        const std::string bytes = bytesOf(5, 100'000);
        Sending sending{.data = bytes.data(), .bytes = bytes.size()};
        end->send(0, {1, 0, 0}, SendMode::Standard, sending);
        std::string buffer(1'000, '\0');
        Receiving receiving{.buffer = buffer.data(), .capacity = buffer.size()};
        end->receive({1, 0, 0}, receiving);
        wait(*end, receiving.done);
        wait(*end, sending.done);
        QCOMPARE(receiving.bytes, std::uint64_t{100'000});
        QVERIFY(buffer == bytes.substr(0, 1'000));
    }

    void synchronousSendsWait()
    {
        const World world(1);
        const auto end = world.end(0);
        Sending sending{.data = "x", .bytes = 1};
        end->send(0, {1, 0, 0}, SendMode::Synchronous, sending);
        for (int i = 0; i < 10; ++i)
            end->progress();
        QVERIFY(!sending.done && end->look({1, Pattern::any, Pattern::any}) != nullptr);
        auto taken = end->take({1, Pattern::any, Pattern::any});
        QVERIFY(taken && end->look({1, Pattern::any, Pattern::any}) == nullptr);
        char got = 0;
        Receiving receiving{.buffer = &got, .capacity = 1};
        end->receive(std::move(*taken), receiving);
        wait(*end, sending.done);
        QVERIFY(receiving.done && got == 'x');
    }

    // Fails if who watches a program does not see where it is.
    void shown()
    {
        const World world(2);
        const ProgramStatus& status = world.segment().status(0);
        QVERIFY(status.phase == ProgramPhase::Outside && status.process == 0U);
        const auto end = world.end(0);
        QVERIFY(status.phase == ProgramPhase::Inside
                && status.process == std::uint32_t(::getpid()));
        send(*end, 1, {1, 0, 5}, "hello");
        QVERIFY(status.messages == 1U && status.bytes == 5U && status.waits == 0U);
        std::thread waiter([&] { receive(*end, {1, 1, 5}, 1); });
        while (status.waits == 0)
            std::this_thread::yield();
        const std::string call{status.call[0], status.call[4], status.call[7], status.call[8]};
        send(*world.end(1), 0, {1, 1, 5}, "x");
        waiter.join();
        QCOMPARE(call, std::string("MRv") + '\0');
        QCOMPARE(status.waits.load(), 0U);
        end->end();
        QVERIFY(status.phase == ProgramPhase::Over);
    }

    void files()
    {
        const World world(3);
        QVERIFY(!Segment::open(world.path() + "x").ok());
        QVERIFY(!Segment::open("/dev/null").ok());
        QCOMPARE(Segment::open(world.path())->layout().ranks, 3U);
    }
};

QTEST_APPLESS_MAIN(TestEndpoint)

} // namespace tst_endpoint

#include "tst_endpoint.moc"
