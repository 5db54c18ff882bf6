// SPDX-License-Identifier: GPL-3.0-or-later
#include "farm/reportdraft.h"
#include "schedulertesting.h"
#include "support/manualclock.h"

#include <QTest>

#include <string>

namespace tst_reportdraft {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

const Rank teller(5);

/// @return a report of a rank with so many ends, each with so much output
RankReport endsOf(std::uint32_t count, std::size_t output = 0)
{
    RankReport report{.rank = teller, .report = {}};
    for (std::uint32_t task = 0; task < count; ++task) {
        FinishedAttempt finished{.key = key(task), .slot = SlotIndex(0), .result = {}};
        finished.result.standardOutput.head = std::string(output, 'x');
        report.report.finished.push_back(std::move(finished));
    }
    return report;
}

ReportDraft::Told told(std::uint64_t number, Rank rank = teller)
{
    return {rank, Incarnation(1), number};
}

} // namespace

/// What breaks it: a report that waits for ever, or is sent for each end alone; a number that is used twice;
/// ranks that throw away what the master has not recorded.
class TestReportDraft : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isDue_data()
    {
        QTest::addColumn<quint32>("ends");
        QTest::addColumn<quint32>("output"); // of each
        QTest::addColumn<int>("waits");      // milliseconds
        QTest::addColumn<bool>("idle");
        QTest::addColumn<bool>("due");
        QTest::newRow("one end, at once") << 1U << 0U << 0 << false << false;
        QTest::newRow("one end, nothing waits") << 1U << 0U << 0 << true << true;
        QTest::newRow("one end, later") << 1U << 0U << 2 << false << true;
        QTest::newRow("nearly many ends") << 511U << 0U << 1 << false << false;
        QTest::newRow("many ends") << 512U << 0U << 0 << false << true;
        QTest::newRow("much output") << 2U << (1U << 19U) << 0 << false << true;
        QTest::newRow("no end, but a report") << 0U << 0U << 0 << true << true;
    }
    void isDue()
    {
        QFETCH(quint32, ends);
        QFETCH(quint32, output);
        QFETCH(int, waits);
        QFETCH(bool, idle);
        QFETCH(bool, due);
        ManualClock clock;
        ReportDraft draft(clock);
        QVERIFY(!draft.isDue(clock.now(), true)); // nothing is to be told
        draft.add(endsOf(ends, output), told(1));
        clock.advance(std::chrono::milliseconds(waits));
        QCOMPARE(draft.isDue(clock.now(), idle), due);
    }

    void whatTheMasterWaitsForIsUrgent()
    {
        ManualClock clock;
        ReportDraft draft(clock);
        draft.addReturned({});
        draft.addLeavings(teller, {});
        QVERIFY(!draft.take());
        draft.addReturned({key(3)});
        QVERIFY(draft.isDue(clock.now(), false));
        QVERIFY(draft.take()->returned == std::vector{key(3)});
        draft.addClaimed(key(4));
        QVERIFY(draft.isDue(clock.now(), false));
        QVERIFY(draft.take()->claimed == std::vector{key(4)});
        draft.addJoined({.held = {teller, Incarnation(1)}, .holder = ProcessorId(5), .hello = {}});
        QVERIFY(draft.isDue(clock.now(), false));
        QVERIFY(!draft.hasReports());
        QCOMPARE(draft.take()->joined.size(), 1U);
        draft.addLeavings(teller, {.started = {key(1)}, .unknown = {key(2)}});
        QVERIFY(draft.hasReports());
        const auto report = draft.take();
        QVERIFY(report->returned == std::vector{key(2)});
        QVERIFY(report->reports.at(0).report.finished.at(0).result.outcome == Outcome::Lost);
        QVERIFY(!draft.isDue(clock.now(), true));
    }

    void isNotedByTheNewestOfEachRank()
    {
        ManualClock clock;
        ReportDraft draft(clock);
        draft.add(endsOf(1), told(1));
        draft.add(endsOf(1), told(2));
        QCOMPARE(draft.take()->number, 1U);
        draft.add(endsOf(1), told(7, Rank(6)));
        draft.add(endsOf(1), told(3));
        QCOMPARE(draft.take()->number, 2U);
        draft.add(endsOf(1), told(4));
        QCOMPARE(draft.take()->number, 3U);
        const auto noted = draft.noted(2);
        QCOMPARE(noted.size(), 2U);
        QCOMPARE(noted.at(0).number, 3U);
        QCOMPARE(noted.at(1).number, 7U);
        QCOMPARE(draft.noted(2).size(), 0U);
        QCOMPARE(draft.noted(3).size(), 1U);
    }

    void numbersGoOnInAnotherLeadership()
    {
        ManualClock clock;
        ReportDraft draft(clock);
        draft.add(endsOf(1), told(1));
        QCOMPARE(draft.take()->number, 1U);
        draft.add(endsOf(1), told(2));
        draft.clear();
        QVERIFY(!draft.take());
        QCOMPARE(draft.noted(9).size(), 0U);
        draft.add(endsOf(1), told(3));
        QCOMPARE(draft.take()->number, 2U);
    }
};

QTEST_APPLESS_MAIN(TestReportDraft)

} // namespace tst_reportdraft

#include "tst_reportdraft.moc"
