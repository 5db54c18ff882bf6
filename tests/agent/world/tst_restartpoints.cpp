// SPDX-License-Identifier: GPL-3.0-or-later
#include "takeoverworld.h"

#include <QTest>

#include <array>
#include <limits>
#include <string>
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

} // namespace tst_restartpoints

using tst_restartpoints::TestRestartPoints;
QTEST_APPLESS_MAIN(TestRestartPoints)
#include "tst_restartpoints.moc"
