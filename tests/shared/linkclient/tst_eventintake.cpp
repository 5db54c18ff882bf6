// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "linkclient/eventintake.h"
#include "support/history.h"

namespace tst_eventintake {

using namespace tasuki;

namespace {

using Begin = EventIntake::Begin;

EventId id(std::uint32_t epoch, std::uint64_t sequence)
{
    return {Epoch(epoch), Sequence(sequence)};
}

Event eventAt(EventId at)
{
    return {.id = at, .wallTime = {}, .monotonic = {}, .payload = RunOpened{}};
}

/// @return whether an event was taken
bool take(EventIntake& intake, EventId at)
{
    return intake.take(link::Events{.events = {eventAt(at)}, .shortened = {}}) != nullptr;
}

} // namespace

/// What breaks it: an event that is left out or comes twice and is taken all the same.
class TestEventIntake : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eventsFollowEachOther_data()
    {
        QTest::addColumn<int>("epoch"); // after 2.5
        QTest::addColumn<int>("sequence");
        QTest::addColumn<bool>("fits");
        QTest::newRow("the next") << 2 << 6 << true;
        QTest::newRow("the same") << 2 << 5 << false;
        QTest::newRow("one left out") << 2 << 7 << false;
        QTest::newRow("the first of a later epoch") << 3 << 1 << true;
        QTest::newRow("of one much later") << 9 << 1 << true;
        QTest::newRow("another of a later epoch") << 3 << 2 << false;
        QTest::newRow("of an earlier epoch") << 1 << 1 << false;
    }
    void eventsFollowEachOther()
    {
        QFETCH(int, epoch);
        QFETCH(int, sequence);
        EventIntake intake;
        QVERIFY(take(intake, id(2, 1)));
        for (std::uint64_t i = 2; i <= 5; ++i)
            QVERIFY(take(intake, id(2, i)));
        QCOMPARE(intake.last(), id(2, 5));
        QTEST(take(intake, id(static_cast<std::uint32_t>(epoch), static_cast<unsigned>(sequence))),
              "fits");
    }

    void snapshots()
    {
        EventIntake intake;
        QCOMPARE(intake.begin({.reset = false, .after = {}, .upTo = id(1, 9)}), Begin::Restarts);
        QCOMPARE(intake.toCome(id(1, 9)), std::uint64_t(9));
        QCOMPARE(intake.toCome(id(2, 9)), std::uint64_t(0)); // not to be counted
        QVERIFY(take(intake, id(1, 1)));
        QCOMPARE(intake.begin({.reset = false, .after = id(1, 1), .upTo = id(1, 9)}),
                 Begin::GoesOn);
        QCOMPARE(intake.toCome(id(1, 9)), std::uint64_t(8));
        QCOMPARE(intake.begin({.reset = false, .after = id(1, 2), .upTo = id(1, 9)}), Begin::Wrong);
        QCOMPARE(intake.begin({.reset = true, .after = {}, .upTo = id(1, 9)}), Begin::Restarts);
        QCOMPARE(intake.last(), EventId{});
    }

    void subscriptions()
    {
        EventIntake intake;
        const RunId run = RunId::random();
        QVERIFY(take(intake, id(1, 1)));
        QCOMPARE(intake.subscription(run), (link::Subscribe{.run = run, .after = id(1, 1)}));
        intake.restart();
        QCOMPARE(intake.subscription(run), link::Subscribe{}); // everything, once
        QCOMPARE(intake.subscription(run), (link::Subscribe{.run = run, .after = id(1, 1)}));
    }

    void shortenedCommandsAreThoseOfTasks()
    {
        History history;
        history.add(RunOpened{}).addTask("true");
        link::Events message{.events = history.events(), .shortened = {}};
        message.shortened = {{.index = 0, .commandBytes = 7},
                             {.index = 1, .commandBytes = 8},
                             {.index = 5, .commandBytes = 9}};
        EventIntake intake;
        const auto batch = intake.take(std::move(message));
        QVERIFY(batch);
        QCOMPARE(batch->events.size(), std::size_t(2));
        QCOMPARE(batch->shortened.size(), std::size_t(1));
        QCOMPARE(batch->shortened.front().task, TaskId(0));
        QCOMPARE(batch->shortened.front().bytes, std::uint64_t(8));
    }
};

QTEST_APPLESS_MAIN(TestEventIntake)

} // namespace tst_eventintake

#include "tst_eventintake.moc"
