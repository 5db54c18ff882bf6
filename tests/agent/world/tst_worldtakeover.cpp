// SPDX-License-Identifier: GPL-3.0-or-later
#include "takeoverworld.h"

#include <QTest>

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace tst_worldtakeover {

using namespace tasuki;
using namespace tasuki::world;
using namespace tasuki::world::takeover;

/// What breaks it: a life that is given something else than the one before, a message that is lost or comes twice, a difference
/// that nobody sees.
class TestWorldTakeover : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void streams();
    void streamIsFull();
    void determinants();
    void lives();
    void differenceIsSeen();
    void flippedBitIsSeen();
    void logEnds();
};

// Fails if a writer's next life does not find what the last one has published, or a reader sees half a record.
void TestWorldTakeover::streams()
{
    auto segment = Segment::create({.ranks = 2, .logBytes = 1U << 20U});
    QVERIFY(segment);
    const std::string first(100'000, 'a');
    const std::string second = "second";
    const auto part = [](const std::string& text) {
        return std::array{StreamWriter::Part{text.data(), text.size()}};
    };
    {
        StreamWriter writer(segment->log(0), segment->stream(0, 1));
        QVERIFY(writer.write(part(first)) == StreamWriter::Written::New);
    }
    StreamWriter writer(segment->log(0), segment->stream(0, 1));
    QVERIFY(writer.repeats());
    QVERIFY(writer.write(part(first)) == StreamWriter::Written::Repeated);
    QVERIFY(!writer.repeats());
    QVERIFY(writer.write(part(second)) == StreamWriter::Written::New);
    StreamReader reader(segment->log(0), segment->stream(0, 1));
    QCOMPARE(reader.available(), first.size() + second.size());
    std::string read(first.size(), '\0');
    reader.read(read.data(), read.size());
    QVERIFY(read == first);
    read.resize(second.size());
    reader.read(read.data(), read.size());
    QVERIFY(read == second && reader.available() == 0);

    StreamWriter other(segment->log(0), segment->stream(0, 1));
    QVERIFY(other.write(part(second)) == StreamWriter::Written::Differs);
    StreamWriter longer(segment->log(0), segment->stream(0, 1));
    QVERIFY(longer.write(part(first + first)) == StreamWriter::Written::Differs);
}

// Fails if a record for which there is no room is there in part.
void TestWorldTakeover::streamIsFull()
{
    auto segment = Segment::create({.ranks = 1, .logBytes = 2 * Log::chunkBytes});
    QVERIFY(segment);
    StreamWriter writer(segment->log(0), segment->stream(0, 0));
    const std::string text(Log::chunkBytes + 1, 'x');
    const std::array part{StreamWriter::Part{text.data(), text.size()}};
    QVERIFY(writer.write(part) == StreamWriter::Written::New);
    QVERIFY(writer.write(part) == StreamWriter::Written::Full);
    QCOMPARE(segment->stream(0, 0).written.load(), text.size());
}

// Fails if what was noted comes back as something else.
void TestWorldTakeover::determinants()
{
    auto segment = Segment::create({.ranks = 2, .logBytes = 1U << 20U});
    QVERIFY(segment);
    using Delivery = Determinants::Delivery;
    using Value = Determinants::Value;
    const std::vector<Value> values{{ValueKind::Clock, 1'700'000'000'123'456'789},
                                    {ValueKind::Clock, 1'700'000'000'123'456'790},
                                    {ValueKind::Random, std::numeric_limits<std::int64_t>::min()},
                                    {ValueKind::Random, std::numeric_limits<std::int64_t>::max()},
                                    {ValueKind::Position, -1}};
    const Delivery late{.step = 1'000'000, .from = 1, .bytes = 1U << 30U, .joins = true};
    {
        Determinants noted(segment->log(1), segment->determinants(1));
        QVERIFY(!noted.replays());
        QVERIFY(noted.note(Delivery{.step = 3, .from = 0, .bytes = 56}));
        for (const Value& value : values)
            QVERIFY(noted.note(value));
        QVERIFY(noted.note(late));
    }
    Determinants again(segment->log(1), segment->determinants(1));
    QVERIFY(again.replays() && again.nextValue() == nullptr);
    QVERIFY(*again.nextDelivery() == (Delivery{.step = 3, .from = 0, .bytes = 56}));
    again.pass();
    for (const Value& value : values) {
        QVERIFY(again.nextDelivery() == nullptr && *again.nextValue() == value);
        again.pass();
    }
    QVERIFY(*again.nextDelivery() == late);
    again.pass();
    QVERIFY(!again.replays());
    QVERIFY(again.note(Delivery{.step = 1'000'001, .from = 0, .bytes = 1}));
}

// Fails if a rank that is killed at any step, alone or with another one, does not go on as if nothing had been.
void TestWorldTakeover::lives()
{
    int kills = 0;
    int replayed = 0;
    for (unsigned seed = 1; seed <= courses(); ++seed) {
        World world({.ranks = 1 + seed % 5, .rounds = 2 + seed % 7}, seed);
        const std::string wrong = world.run();
        QVERIFY2(wrong.empty(),
                 qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(wrong.c_str())));
        kills += world.kills();
        replayed += world.replayed();
    }
    qInfo("%u courses, %d killed, %d of them had something to do again", courses(), kills,
          replayed);
    QVERIFY(static_cast<unsigned>(replayed) > courses());
}

// Fails if a program that does something else the second time goes on.
void TestWorldTakeover::differenceIsSeen()
{
    int seen = 0;
    for (unsigned seed = 1; seed <= 60; ++seed) {
        World world({.ranks = 3, .rounds = 8, .killsInAHundred = 2}, seed, {.forgetsTime = true});
        const std::string wrong = world.run();
        QVERIFY2(wrong.empty() || wrong.starts_with("it "), wrong.c_str());
        seen += wrong.empty() ? 0 : 1;
    }
    QVERIFY2(seen > 30, qPrintable(QString::number(seen)));
}

// Fails if what a life sends again is not compared with what was sent.
void TestWorldTakeover::flippedBitIsSeen()
{
    auto segment = Segment::create({.ranks = 2, .logBytes = 1U << 20U});
    QVERIFY(segment);
    std::string bytes = payloadOf(5, 5'000);
    std::string differs;
    for (int life = 1; life <= 3; ++life) {
        auto own = Segment::open(segment->path());
        Endpoint::Options options;
        options.log.differs = [&differs](const std::string& what) { differs = what; };
        Endpoint end(std::move(*own), 0, options);
        if (life == 3)
            bytes[4'321] = static_cast<char>(bytes[4'321] ^ 4);
        Sending sending{.data = bytes.data(), .bytes = bytes.size()};
        end.beginCall();
        end.send(1, {context, 0, 3}, SendMode::Standard, sending);
        QVERIFY(sending.done);
        QCOMPARE(differs.empty(), life != 3);
    }
    QCOMPARE(segment->status(0).differs.load(), 1U);
}

// Fails if a log that is full loses a message, or does not say that it is.
void TestWorldTakeover::logEnds()
{
    auto segment = Segment::create({.ranks = 2, .logBytes = 4 * Log::chunkBytes});
    QVERIFY(segment);
    std::vector<std::string> told;
    std::vector<std::unique_ptr<Endpoint>> ends;
    for (WorldRank rank = 0; rank < 2; ++rank) {
        Endpoint::Options options;
        options.log.ended = [&told](const std::string& why) { told.push_back(why); };
        ends.push_back(
            std::make_unique<Endpoint>(std::move(*Segment::open(segment->path())), rank, options));
    }
    QVERIFY(ends[0]->keeps());
    for (const auto& end : ends)
        end->beginCall();
    std::vector<std::string> sent;
    for (std::uint64_t i = 0; i < 100; ++i) {
        const std::string& bytes = sent.emplace_back(payloadOf(i, 100 * i));
        Sending sending{.data = bytes.data(), .bytes = bytes.size()};
        ends[0]->send(1, {context, 0, 3}, SendMode::Standard, sending);
        std::string buffer(20'000, '\0');
        Receiving receiving{.buffer = buffer.data(), .capacity = buffer.size()};
        ends[1]->receive({.context = context}, receiving);
        for (int look = 0; look < 4 && (!receiving.done || !sending.done); ++look) {
            ends[1]->progress();
            ends[0]->progress();
        }
        QVERIFY2(receiving.done && sending.done, qPrintable(QString::number(i)));
        buffer.resize(receiving.bytes);
        QVERIFY(buffer == bytes);
    }
    QVERIFY(!ends[0]->keeps() && !ends[1]->keeps());
    QVERIFY2(told.size() == 1 && told.front().find("log_mb") != std::string::npos,
             told.front().c_str());
}

} // namespace tst_worldtakeover

using tst_worldtakeover::TestWorldTakeover;
QTEST_APPLESS_MAIN(TestWorldTakeover)
#include "tst_worldtakeover.moc"
