// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "bruteforce.h"

#include <cmath>
#include <random>

namespace tst_timelinestore {

using namespace tasuki;

namespace {

using Item = BruteForceTimeline::Item;

WallTime at(std::int64_t microseconds) { return WallTime(std::chrono::microseconds(microseconds)); }

/// Feeds a store and the model with the same history.
class Feeder {
public:
    TimelineStore store;
    BruteForceTimeline model;

    void apply(std::int64_t wallTime, EventPayload payload)
    {
        m_sequence = m_sequence.next();
        m_lastHeard = wallTime;
        store.apply({.id = {m_epoch, m_sequence},
                     .wallTime = at(wallTime),
                     .monotonic = {},
                     .payload = std::move(payload)});
    }

    void join(std::int32_t rank, std::uint32_t slots, const std::string& host = "node")
    {
        apply(0, ProcessorJoined{Rank(rank), Incarnation(1), host, 1, slots});
        for (std::uint32_t slot = 0; slot < slots; ++slot)
            model.lanes[{rank, slot}];
    }

    AttemptKey start(std::int32_t rank, std::uint32_t slot, std::int64_t time)
    {
        const AttemptKey key = nextKey();
        apply(time, AttemptStarted{key, Rank(rank), SlotIndex(slot), at(time)});
        model.lanes[{rank, slot}].push_back({key, time, time, std::nullopt});
        return key;
    }

    void finish(AttemptKey key, std::int32_t rank, std::uint32_t slot, Outcome outcome,
                std::int64_t start, std::int64_t elapsed, std::int64_t wallTime = 0)
    {
        AttemptFinished finished{.key = key,
                                 .rank = Rank(rank),
                                 .slot = SlotIndex(slot),
                                 .disposition = Disposition::Final,
                                 .result = {}};
        finished.result.outcome = outcome;
        finished.result.startedAt = at(start);
        finished.result.elapsed = std::chrono::microseconds(elapsed);
        apply(wallTime == 0 ? start + elapsed : wallTime, finished);
    }

    AttemptKey add(std::int32_t rank, std::uint32_t slot, Outcome outcome, std::int64_t start,
                   std::int64_t elapsed)
    {
        const AttemptKey key = nextKey();
        finish(key, rank, slot, outcome, start, elapsed);
        model.lanes[{rank, slot}].push_back({key, start, start + elapsed, outcome});
        return key;
    }

    void reopen(std::int64_t wallTime)
    {
        const std::int64_t lastHeard = m_lastHeard;
        m_epoch = m_epoch.next();
        m_sequence = Sequence(0);
        apply(wallTime, RunOpened{});
        for (auto& [lane, items] : model.lanes) {
            for (Item& item : items)
                endOpen(item, lastHeard);
        }
    }

    static void endOpen(Item& item, std::int64_t wallTime)
    {
        if (item.outcome)
            return;
        item.outcome = Outcome::Lost;
        item.end = std::max(item.start, wallTime);
    }

    AttemptKey nextKey()
    {
        m_task = m_task.next();
        return {TaskId(m_task.value() - 1), AttemptNumber(1)};
    }

    /// Compares all columns of all lanes. @return what differs first; empty: nothing
    QString difference(const TimeWindow& window, std::int64_t now, std::size_t columns) const
    {
        std::size_t row = 0;
        std::vector<ColumnSummary> found(columns);
        for (const auto& [lane, items] : model.lanes) {
            store.summarise(row++, window, at(now), found);
            const auto expected = BruteForceTimeline::summarise(items, window, now, columns);
            for (std::size_t i = 0; i < columns; ++i) {
                const QString what = compare(found[i], expected[i]);
                if (!what.isEmpty())
                    return QString("rank %1 slot %2 column %3 of %4, window %5 + %6: %7")
                        .arg(lane.first)
                        .arg(lane.second)
                        .arg(i)
                        .arg(columns)
                        .arg(window.begin)
                        .arg(window.span)
                        .arg(what);
            }
        }
        return {};
    }

private:
    static QString compare(const ColumnSummary& found, const ColumnSummary& expected)
    {
        if (found.starts != expected.starts)
            return QString("starts %1, expected %2").arg(found.starts).arg(expected.starts);
        if (found.failure != expected.failure)
            return QString("failure %1").arg(found.failure);
        for (std::size_t kind = 0; kind < attemptClassCount; ++kind) {
            const float allowed = 1e-4F * std::max(1.0F, expected.share[kind]);
            if (std::abs(found.share[kind] - expected.share[kind]) > allowed)
                return QString("share %1 is %2, expected %3")
                    .arg(kind)
                    .arg(found.share[kind])
                    .arg(expected.share[kind]);
        }
        return {};
    }

    Epoch m_epoch{1};
    std::int64_t m_lastHeard = 0;
    Sequence m_sequence{0};
    TaskId m_task{0};
};

constexpr std::int64_t base = 1'700'000'000'000'000;

TimeWindow windowOf(std::int64_t beginMicroseconds, std::int64_t spanMicroseconds)
{
    return {beginMicroseconds * 1000, spanMicroseconds * 1000};
}

} // namespace

class TestTimelineStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lanesAreSortedByRankThenSlot();
    void lanesTellWhoIsPresent();
    void startAndEndMakeOneAttempt();
    void lostEndGoesToTheLaneOfItsStart();
    void newEpochEndsWhatIsOpen();
    void attemptsWithoutLengthAreSeen();
    void columnsBetweenMicroseconds();
    void questionsAboutAttempts();
    void attemptsOfATask();
    void replaysEndWithTheirAttempts();
    void extremeNumbersDoNoHarm();
    void randomHistories_data();
    void randomHistories();
    void reverseOrder();
    void memoryPerAttempt();
};

void TestTimelineStore::lanesAreSortedByRankThenSlot()
{
    Feeder feeder;
    feeder.join(2, 1, "b");
    feeder.join(0, 2, "a");
    feeder.add(1, 3, Outcome::Succeeded, base, 10);
    feeder.add(0, 5, Outcome::Succeeded, base, 10);
    std::vector<std::pair<std::int32_t, std::uint32_t>> keys;
    for (std::size_t row = 0; row < feeder.store.laneCount(); ++row)
        keys.emplace_back(feeder.store.lane(row).rank.value(), feeder.store.lane(row).slot.value());
    const decltype(keys) expected{{0, 0}, {0, 1}, {0, 5}, {1, 3}, {2, 0}};
    QVERIFY(keys == expected);
    QCOMPARE(feeder.store.lane(0).host, std::string("a"));
    QCOMPARE(feeder.store.lane(2).host, std::string("a"));
    QCOMPARE(feeder.store.lane(3).host, std::string());
    QCOMPARE(feeder.store.lane(4).host, std::string("b"));
    QCOMPARE(feeder.difference(windowOf(base - 5, 20), base, 20), QString());
}

void TestTimelineStore::lanesTellWhoIsPresent()
{
    Feeder feeder;
    feeder.join(0, 2, "a");
    feeder.join(1, 1, "b");
    QVERIFY(feeder.store.lane(1).present);
    const std::uint64_t before = feeder.store.revision();
    feeder.apply(base, ProcessorLost{Rank(0), Incarnation(1), LossCause::Gone});
    QVERIFY(feeder.store.revision() > before);
    QVERIFY(!feeder.store.lane(0).present);
    QVERIFY(!feeder.store.lane(1).present);
    QVERIFY(feeder.store.lane(2).present);
    feeder.join(0, 2, "c");
    QVERIFY(feeder.store.lane(1).present);
    QCOMPARE(feeder.store.lane(1).host, std::string("c"));
    feeder.reopen(base);
    QVERIFY(!feeder.store.lane(2).present);
}

void TestTimelineStore::startAndEndMakeOneAttempt()
{
    Feeder feeder;
    const AttemptKey key = feeder.start(0, 0, base);
    QCOMPARE(feeder.store.openCount(), std::size_t(1));
    const auto running = feeder.store.attemptAt(0, at(base + 7), at(base + 8));
    QVERIFY(running && running->key == key && !running->outcome);
    QVERIFY(running->end == at(base + 8));
    QVERIFY(!feeder.store.attemptAt(0, at(base + 8), at(base + 8)));
    feeder.finish(key, 0, 0, Outcome::Failed, base, 20);
    QCOMPARE(feeder.store.openCount(), std::size_t(0));
    QCOMPARE(feeder.store.attemptCount(), std::size_t(1));
    const auto ended = feeder.store.attemptAt(0, at(base + 19), at(base + 8));
    QVERIFY(ended && ended->outcome == Outcome::Failed);
    QVERIFY(ended->start == at(base) && ended->end == at(base + 20));
    QVERIFY(!feeder.store.attemptAt(0, at(base + 20), at(base + 30)));
    const TimeRange expected{at(base), at(base + 20)};
    QVERIFY(feeder.store.range() == expected);
}

void TestTimelineStore::lostEndGoesToTheLaneOfItsStart()
{
    Feeder feeder;
    const AttemptKey key = feeder.start(3, 2, base);
    AttemptFinished lost{.key = key,
                         .rank = Rank(3),
                         .slot = SlotIndex(0),
                         .disposition = Disposition::Retry,
                         .result = {}};
    feeder.apply(base + 50, lost);
    QCOMPARE(feeder.store.laneCount(), std::size_t(1));
    QCOMPARE(feeder.store.lane(0).slot.value(), 2U);
    const auto found = feeder.store.attemptAt(0, at(base + 49), at(base));
    QVERIFY(found && found->outcome == Outcome::Lost);
    QVERIFY(found->start == at(base) && found->end == at(base + 50));
    // Nobody told of its start: a moment at the time of the event.
    lost.key = feeder.nextKey();
    feeder.apply(base + 90, lost);
    QCOMPARE(feeder.store.laneCount(), std::size_t(2));
    const auto unknown = feeder.store.attemptAt(0, at(base + 90), at(base));
    QVERIFY(unknown && unknown->start == at(base + 90) && unknown->end == at(base + 90));
}

void TestTimelineStore::newEpochEndsWhatIsOpen()
{
    Feeder feeder;
    feeder.start(0, 0, base);
    feeder.start(1, 0, base + 5);
    feeder.start(1, 0, base + 900);
    feeder.apply(base + 100, Notice{}); // the last that was heard of the first life
    feeder.reopen(base + 40'000'000);
    QCOMPARE(feeder.store.openCount(), std::size_t(0));
    QCOMPARE(feeder.store.attemptCount(), std::size_t(3));
    QCOMPARE(feeder.difference(windowOf(base - 50, 1000), base + 500, 100), QString());
    const auto first = feeder.store.attemptAt(0, at(base + 99), at(base + 500));
    QVERIFY(first && first->outcome == Outcome::Lost && first->end == at(base + 100));
    QVERIFY(!feeder.store.attemptAt(0, at(base + 100), at(base + 500)));
}

void TestTimelineStore::attemptsWithoutLengthAreSeen()
{
    Feeder feeder;
    feeder.add(0, 0, Outcome::NotStarted, base, 0);
    feeder.add(0, 0, Outcome::Succeeded, base + 1, 0);
    std::vector<ColumnSummary> columns(3);
    feeder.store.summarise(0, windowOf(base - 1000, 3000), at(base), columns);
    QVERIFY(!columns[0].failure && columns[1].failure && !columns[2].failure);
    QCOMPARE(columns[1].starts, 2U);
    QCOMPARE(columns[1].busy(), 0.0F);
    feeder.store.summarise(0, windowOf(base, 3), at(base), columns);
    QVERIFY(columns[0].failure && !columns[1].failure && !columns[2].failure);
}

void TestTimelineStore::columnsBetweenMicroseconds()
{
    Feeder feeder;
    feeder.add(0, 0, Outcome::Failed, base, 3);
    feeder.add(0, 0, Outcome::Succeeded, base + 3, 1);
    feeder.add(0, 0, Outcome::TimedOut, base + 6, 0);
    for (const std::size_t columns : {7U, 33U, 80U, 1000U})
        QCOMPARE(feeder.difference(windowOf(base - 2, 10), base, columns), QString());
    std::vector<ColumnSummary> columns(40);
    feeder.store.summarise(0, {(base + 2) * 1000, 2000}, at(base), columns);
    QVERIFY(columns[19].failure);
    QVERIFY(!columns[20].failure);
    QCOMPARE(columns[19].of(AttemptClass::Failed), 1.0F);
    QCOMPARE(columns[20].of(AttemptClass::Succeeded), 1.0F);
}

void TestTimelineStore::questionsAboutAttempts()
{
    Feeder feeder;
    const AttemptKey first = feeder.add(0, 0, Outcome::Succeeded, base, 10);
    const AttemptKey second = feeder.add(0, 0, Outcome::Succeeded, base + 20, 10);
    const AttemptKey over = feeder.add(0, 0, Outcome::Succeeded, base + 25, 100);
    const AttemptKey open = feeder.start(0, 0, base + 200);
    const WallTime now = at(base + 300);
    const auto keyAt = [&](std::int64_t time) {
        const auto found = feeder.store.attemptAt(0, at(base + time), now);
        return found ? found->key : AttemptKey{TaskId(99), AttemptNumber(9)};
    };
    QVERIFY(keyAt(0) == first);
    QVERIFY(keyAt(21) == second);
    QVERIFY(keyAt(27) == over);
    QVERIFY(keyAt(299) == open);
    QVERIFY(keyAt(15).task == TaskId(99));
    QVERIFY(feeder.store.lastBefore(0, at(base + 25), now)->key == second);
    QVERIFY(feeder.store.lastBefore(0, at(base + 26), now)->key == over);
    QVERIFY(!feeder.store.lastBefore(0, at(base), now));
    QVERIFY(feeder.store.firstAfter(0, at(base), now)->key == second);
    QVERIFY(feeder.store.firstAfter(0, at(base + 25), now)->key == open);
    QVERIFY(!feeder.store.firstAfter(0, at(base + 200), now));
    std::vector<AttemptKey> seen;
    feeder.store.forEachOverlapping(0, {at(base + 9), at(base + 21)}, now,
                                    [&seen](const TimelineAttempt& attempt) {
                                        seen.push_back(attempt.key);
                                        return true;
                                    });
    QVERIFY((seen == std::vector{first, second}));
    seen.clear();
    feeder.store.forEachOverlapping(0, {at(base), at(base + 400)}, now,
                                    [&seen](const TimelineAttempt& attempt) {
                                        seen.push_back(attempt.key);
                                        return seen.size() < 2;
                                    });
    QCOMPARE(seen.size(), std::size_t(2));
}

void TestTimelineStore::attemptsOfATask()
{
    Feeder feeder;
    for (int i = 0; i < 100; ++i)
        feeder.add(0, 0, Outcome::Succeeded, base + i * 10, 5);
    const TaskId task(40);
    feeder.finish({task, AttemptNumber(3)}, 1, 0, Outcome::Succeeded, base + 9000, 5);
    feeder.finish({task, AttemptNumber(2)}, 2, 0, Outcome::Failed, base + 8000, 5);
    const auto found = feeder.store.attemptsOf(task, at(base));
    QCOMPARE(found.size(), std::size_t(3));
    for (std::size_t i = 0; i < 3; ++i)
        QCOMPARE(found[i].second.key.number.value(), static_cast<std::uint32_t>(i + 1));
    QCOMPARE(found[0].first, std::size_t(0));
    QCOMPARE(found[1].first, std::size_t(2));
    QCOMPARE(found[2].first, std::size_t(1));
    QVERIFY(feeder.store.attemptsOf(TaskId(100), at(base)).empty());
    // A number far beyond all others is found too, and costs nothing.
    const std::size_t before = feeder.store.memoryBytes();
    feeder.finish({TaskId(4'000'000'000U), AttemptNumber(1)}, 2, 0, Outcome::Failed, base, 5);
    QCOMPARE(feeder.store.attemptsOf(TaskId(4'000'000'000U), at(base)).size(), std::size_t(1));
    QVERIFY(feeder.store.memoryBytes() < before + 100'000);
}

void TestTimelineStore::replaysEndWithTheirAttempts()
{
    Feeder feeder;
    const auto replays = [&feeder](AttemptKey key, std::int64_t took) {
        feeder.apply(base,
                     RankReplays{.key = key,
                                 .rank = Rank(0),
                                 .took = took < 0 ? notKnown : std::chrono::microseconds(took)});
    };
    const auto stretch = [&feeder](AttemptKey key) {
        return feeder.store.replayOf(0, key).value();
    };
    const AttemptKey through = feeder.start(0, 0, base);
    replays(through, -1);
    QVERIFY(stretch(through).begin == base && !stretch(through).end);
    replays(through, 700);
    QVERIFY(stretch(through).end == base + 700);
    feeder.finish(through, 0, 0, Outcome::Succeeded, base, 900);
    QVERIFY(stretch(through).end == base + 700);
    const AttemptKey cutShort = feeder.start(0, 0, base + 1'000);
    replays(cutShort, -1);
    feeder.finish(cutShort, 0, 0, Outcome::Lost, base + 1'000, 300);
    QVERIFY(stretch(cutShort).end == base + 1'300);
    // Told of when it had ended; for longer than it ran.
    const AttemptKey late = feeder.add(0, 0, Outcome::Succeeded, base + 2'000, 50);
    replays(late, 60);
    QVERIFY(stretch(late).begin == base + 2'000 && stretch(late).end == base + 2'050);
    replays({TaskId(900), AttemptNumber(1)}, 5); // nobody knows it
    QCOMPARE(feeder.store.replays(0).size(), std::size_t(3));
    QVERIFY(!feeder.store.replayOf(0, {TaskId(900), AttemptNumber(1)}));
    const AttemptKey cutOff = feeder.start(0, 0, base + 3'000);
    replays(cutOff, -1);
    feeder.reopen(base + 9'000);
    QVERIFY(stretch(cutOff).end.has_value());
}

void TestTimelineStore::extremeNumbersDoNoHarm()
{
    Feeder feeder;
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    feeder.finish(feeder.nextKey(), 0, 0, Outcome::Failed, most, most / 2, base);
    feeder.finish(feeder.nextKey(), 0, 0, Outcome::Failed, -most, 5, base);
    AttemptFinished negative{.key = feeder.nextKey(),
                             .rank = Rank(-7),
                             .slot = SlotIndex(~0U),
                             .disposition = Disposition::Final,
                             .result = {}};
    negative.result.outcome = Outcome::Failed;
    negative.result.startedAt = at(base);
    negative.result.elapsed = std::chrono::microseconds(-5);
    feeder.apply(-most, negative);
    feeder.apply(0, ProcessorJoined{Rank(0), Incarnation(1), "big", 1, ~0U});
    QVERIFY(feeder.store.laneCount() < 10'000);
    QCOMPARE(feeder.store.lane(0).rank.value(), -7);
    const auto range = feeder.store.range();
    QVERIFY(range && range->begin == at(earliestMicrosecond)
            && range->end == at(latestMicrosecond));
    std::vector<ColumnSummary> columns(64);
    feeder.store.summarise(1, windowOf(0, latestMicrosecond + 1), at(most), columns);
    QVERIFY(columns.front().failure && columns.back().failure);
    feeder.store.clear();
    QCOMPARE(feeder.store.laneCount(), std::size_t(0));
    QVERIFY(!feeder.store.range());
}

void TestTimelineStore::randomHistories_data()
{
    QTest::addColumn<int>("attempts");
    QTest::addColumn<int>("lateness"); ///< in 100: how often an attempt is told late
    QTest::addColumn<int>("overlap");  ///< in 100: how often the clock goes back
    QTest::newRow("in order") << 600 << 0 << 0;
    QTest::newRow("few") << 5 << 10 << 10;
    QTest::newRow("some late") << 600 << 20 << 0;
    QTest::newRow("clock jumps") << 600 << 5 << 3;
    QTest::newRow("all over each other") << 300 << 50 << 100;
}

namespace {

class RandomHistory {
public:
    RandomHistory(unsigned seed, int lateness, int overlap)
        : m_random(seed), m_lateness(lateness), m_overlap(overlap)
    {}

    void step(Feeder& feeder)
    {
        const std::int32_t rank = below(3);
        const auto slot = static_cast<std::uint32_t>(below(2));
        std::int64_t& free = m_free[{rank, slot}];
        std::int64_t start = std::max(free, base) + gap();
        if (below(100) < m_overlap)
            start = base + below(2'000'000);
        const std::int64_t length = below(5) == 0 ? 0 : below(below(10) == 0 ? 200'000 : 500);
        free = start + length;
        m_latest = std::max(m_latest, free);
        if (below(100) < m_lateness)
            m_late.push_back({rank, slot, start, length});
        else
            tell(feeder, {rank, slot, start, length});
        if (below(300) == 0)
            feeder.reopen(m_latest);
        while (!m_late.empty() && below(4) == 0) {
            const auto which = static_cast<std::size_t>(below(static_cast<int>(m_late.size())));
            tell(feeder, m_late[which]);
            m_late.erase(m_late.begin() + static_cast<std::ptrdiff_t>(which));
        }
    }

    TimeWindow window()
    {
        const std::int64_t all = m_latest - base + 1;
        const std::int64_t span = below(3) == 0 ? all + below(1000) : 1 + below(all);
        const std::int64_t begin = base - 50 + below(all);
        return {begin * 1000 + below(1000), span * 1000 + below(1000)};
    }

    std::int64_t now() { return base + below(m_latest - base + 1000); }
    template <class Number>
    Number below(Number limit)
    {
        return static_cast<Number>(m_random() % static_cast<std::uint64_t>(limit));
    }

private:
    struct Told {
        std::int32_t rank;
        std::uint32_t slot;
        std::int64_t start;
        std::int64_t length;
    };

    std::int64_t gap() { return below(3) == 0 ? below(10'000) : below(3); }

    void tell(Feeder& feeder, const Told& told)
    {
        const auto outcome = static_cast<Outcome>(below(3) == 0 ? below(8) : 0);
        if (below(3) != 0) {
            // A lost one without length would end at the event.
            const bool zero = outcome == Outcome::Lost && told.length == 0;
            feeder.add(told.rank, told.slot, outcome, told.start, zero ? 1 : told.length);
            return;
        }
        const AttemptKey key = feeder.start(told.rank, told.slot, told.start);
        Item& item = feeder.model.lanes[{told.rank, told.slot}].back();
        if (below(20) == 0)
            return; // stays open
        item.outcome = outcome;
        if (outcome == Outcome::Lost) {
            item.end = told.start + 777;
            feeder.apply(item.end,
                         AttemptFinished{.key = key,
                                         .rank = Rank(told.rank),
                                         .slot = SlotIndex(0),
                                         .disposition = Disposition::Retry,
                                         .result = {}});
            return;
        }
        item.end = told.start + told.length;
        feeder.finish(key, told.rank, told.slot, outcome, told.start, told.length);
    }

    std::mt19937_64 m_random;
    int m_lateness;
    int m_overlap;
    std::map<std::pair<std::int32_t, std::uint32_t>, std::int64_t> m_free;
    std::vector<Told> m_late;
    std::int64_t m_latest = base;
};

} // namespace

void TestTimelineStore::randomHistories()
{
    QFETCH(int, attempts);
    QFETCH(int, lateness);
    QFETCH(int, overlap);
    for (unsigned seed = 1; seed <= 12; ++seed) {
        RandomHistory history(seed, lateness, overlap);
        Feeder feeder;
        for (int i = 0; i < attempts; ++i) {
            history.step(feeder);
            if (i % 50 != 0 && i + 1 != attempts)
                continue;
            const auto columns = static_cast<std::size_t>(1 + history.below(150));
            const QString what = feeder.difference(history.window(), history.now(), columns);
            QVERIFY2(what.isEmpty(), qPrintable(QString("seed %1: %2").arg(seed).arg(what)));
        }
        std::size_t known = 0;
        for (const auto& [lane, items] : feeder.model.lanes)
            known += items.size();
        QCOMPARE(feeder.store.attemptCount(), known);
    }
}

void TestTimelineStore::reverseOrder()
{
    Feeder feeder;
    for (int i = 1000; i > 0; --i)
        feeder.add(0, 0, i % 7 == 0 ? Outcome::Failed : Outcome::Succeeded, base + i * 10, 9);
    QCOMPARE(feeder.difference(windowOf(base, 10'100), base, 211), QString());
}

void TestTimelineStore::memoryPerAttempt()
{
    TimelineStore store;
    constexpr std::uint32_t attempts = 400'000;
    Event event;
    for (std::uint32_t i = 0; i < attempts; ++i) {
        AttemptFinished finished{.key = {TaskId(i), AttemptNumber(1)},
                                 .rank = Rank(static_cast<std::int32_t>(i % 16)),
                                 .slot = SlotIndex(0),
                                 .disposition = Disposition::Final,
                                 .result = {}};
        finished.result.outcome = Outcome::Succeeded;
        finished.result.startedAt = at(base + i * 10);
        finished.result.elapsed = std::chrono::microseconds(100);
        event.payload = finished;
        store.apply(event);
    }
    const double each = static_cast<double>(store.memoryBytes()) / attempts;
    QVERIFY2(each < 38, qPrintable(QString::number(each)));
    QVERIFY2(each > 28, qPrintable(QString::number(each)));
}

QTEST_APPLESS_MAIN(TestTimelineStore)

} // namespace tst_timelinestore

#include "tst_timelinestore.moc"
