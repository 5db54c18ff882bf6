// SPDX-License-Identifier: GPL-3.0-or-later
#include "takeoverworld.h"

#include <QTest>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace tst_restartpoints {

using namespace tasuki;
using namespace tasuki::world;
using namespace tasuki::world::takeover;

/// What breaks it: a life that goes on from a restart point with something else than was saved, memory that is not given back, one
/// that is needed and is.
class TestRestartPoints : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void restartPoints();
    void pointsGiveBack();
    void cutPointIsNone();
    void otherMemoryIsSeen();
    void placesAreFoundMeanwhile();
    void skippedIsNotThere();
};

// Fails if a rank that goes on from a restart point, while others do from theirs or from their start, does anything else than if
// nothing had been.
void TestRestartPoints::restartPoints()
{
    int kills = 0;
    int restored = 0;
    for (unsigned seed = 1; seed <= courses(); ++seed) {
        World world({.ranks = 1 + seed % 5, .rounds = 2 + seed % 9, .points = true}, seed);
        const std::string wrong = world.run();
        QVERIFY2(wrong.empty(),
                 qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(wrong.c_str())));
        kills += world.kills();
        restored += world.points().restored;
    }
    qInfo("%u courses, %d killed, %d went on from a restart point", courses(), kills, restored);
    QVERIFY(static_cast<unsigned>(restored) > courses());
}

// Fails if what restart points make superfluous is kept: the log would be full long before the end.
void TestRestartPoints::pointsGiveBack()
{
    const Course course{.ranks = 3, .rounds = 400, .logBytes = 4U << 20U, .killsInAHundred = 1};
    Course pointed = course;
    pointed.points = true;
    pointed.mostKills = 100;
    World world(pointed, 11);
    const std::string wrong = world.run();
    QVERIFY2(wrong.empty(), wrong.c_str());
    QVERIFY2(world.points().restored > 20, qPrintable(QString::number(world.points().restored)));
    QVERIFY2(world.ended().empty(), world.ended().c_str());
    World without(course, 11);
    static_cast<void>(without.run());
    QVERIFY(!without.ended().empty());
}

// Fails if a restart point of which a part is missing is gone on with, or hides the one before.
void TestRestartPoints::cutPointIsNone()
{
    const std::string memory(100'000, 'm');
    const std::array saved{StreamWriter::Part{memory.data(), memory.size()}};
    for (const std::uint64_t missing :
         {std::uint64_t{1}, std::uint64_t{70'000}, std::uint64_t{100'003}}) {
        auto segment = Segment::create({.ranks = 1, .logBytes = 4U << 20U});
        QVERIFY(segment);
        StreamHead& head = segment->determinants(0);
        {
            Determinants noted(segment->log(0), head);
            QVERIFY(noted.note({ValueKind::Clock, 17}));
            QVERIFY(noted.notePoint(5, 5, saved));
            noted.releaseBefore();
            QVERIFY(noted.note({ValueKind::Clock, 18}));
            QVERIFY(noted.notePoint(9, 5, saved));
            head.written.fetch_sub(missing);
        }
        Determinants again(segment->log(0), head);
        QCOMPARE(again.nextValue()->value, 17);
        again.pass();
        QVERIFY(again.nextPoint() != nullptr && !again.leaps());
        QCOMPARE(again.nextPoint()->step, 5U);
        again.pass();
        QCOMPARE(again.nextValue()->value, 18);
        again.pass();
        QVERIFY(!again.replays());
        QVERIFY(again.notePoint(9, 5, saved));
        again.releaseBefore();
        Determinants third(segment->log(0), head);
        third.pass();
        QVERIFY(third.leaps());
        QCOMPARE(third.nextPoint()->step, 9U);
        std::string read(memory.size(), '\0');
        third.readPoint(read.data(), read.size());
        QVERIFY(read == memory);
    }
}

// Fails if a life that has got other memory back than it had given goes on in silence.
void TestRestartPoints::otherMemoryIsSeen()
{
    int seen = 0;
    for (unsigned seed = 1; seed <= 60; ++seed) {
        World world({.ranks = 3, .rounds = 12, .killsInAHundred = 2, .points = true}, seed,
                    {.forgetsMemory = true});
        const std::string wrong = world.run();
        seen += wrong.starts_with("it ") ? 1 : 0;
    }
    QVERIFY2(seen > 20, qPrintable(QString::number(seen)));
}

// Fails if a reader that looks for its place from the begin comes into chunks that the writer uses again at this moment.
void TestRestartPoints::placesAreFoundMeanwhile()
{
    constexpr std::uint64_t records = 60'000;
    constexpr std::size_t words = 250;
    const auto segment = Segment::create({.ranks = 1, .logBytes = 1U << 20U});
    QVERIFY(segment);
    StreamHead& head = segment->stream(0, 0);
    std::atomic<std::uint64_t> taken = 0;
    std::thread writer([&] {
        StreamWriter out(segment->log(0), head);
        std::array<std::uint64_t, words> record{};
        for (std::uint64_t number = 0; number < records; ++number) {
            while (number > taken + 100)
                std::this_thread::yield();
            record.fill(number);
            const std::array parts{StreamWriter::Part{record.data(), sizeof record}};
            if (out.write(parts) != StreamWriter::Written::New)
                qFatal("the log is full");
        }
    });
    std::array<std::uint64_t, words> record{};
    std::uint64_t wrong = 0;
    for (std::uint64_t number = 0; number < records; ++number) {
        StreamReader reader(segment->log(0), head);
        reader.seek(number * sizeof record);
        while (reader.available() < sizeof record)
            std::this_thread::yield();
        reader.read(record.data(), sizeof record);
        wrong += record.front() == number && record.back() == number ? 0 : 1;
        release(head, 0, number * sizeof record);
        taken = number;
    }
    writer.join();
    QCOMPARE(wrong, 0U);
}

// Fails if what was written on another host is read here, or what stands behind it is not.
void TestRestartPoints::skippedIsNotThere()
{
    const auto segment = Segment::create({.ranks = 1, .logBytes = 1U << 20U});
    QVERIFY(segment);
    StreamHead& head = segment->stream(0, 0);
    StreamWriter out(segment->log(0), head);
    const std::string bytes = payloadOf(17, 1000);
    const std::array parts{StreamWriter::Part{bytes.data(), bytes.size()}};
    for (const std::uint64_t to :
         {std::uint64_t{0}, std::uint64_t{1'500}, std::uint64_t{300'000}}) {
        QVERIFY(out.skipTo(to));
        QVERIFY(out.write(parts) == StreamWriter::Written::New);
        QVERIFY(!isGone(head, to, bytes.size()));
        StreamReader reader(segment->log(0), head);
        reader.seek(to);
        std::string read(bytes.size(), '\0');
        reader.read(read.data(), read.size());
        QVERIFY(read == bytes);
        QCOMPARE(reader.available(), 0U);
    }
    QVERIFY(isGone(head, 900, 200) && isGone(head, 250'000, 60'000));
    QCOMPARE(gapBehind(head, 0)->from, 1'000U);
    QCOMPARE(gapBehind(head, 0)->to, 300'000U);
    // Its next life compares what is there.
    StreamWriter again(segment->log(0), head);
    QVERIFY(again.write(parts) == StreamWriter::Written::Repeated);
    again.goTo(300'000);
    QVERIFY(again.write(parts) == StreamWriter::Written::Repeated);
    QVERIFY(again.write(parts) == StreamWriter::Written::New);
}

} // namespace tst_restartpoints

using tst_restartpoints::TestRestartPoints;
QTEST_APPLESS_MAIN(TestRestartPoints)
#include "tst_restartpoints.moc"
