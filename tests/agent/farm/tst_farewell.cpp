// SPDX-License-Identifier: GPL-3.0-or-later
#include "deskbench.h"
#include "farm/farewell.h"

#include <QTest>

namespace tst_farewell {

using namespace std::chrono_literals;
using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

/// What breaks it: a master that leaves before the others, or waits for ever; one that says goodbye once
/// only; losses that are not told.
class TestFarewell : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isOverWhenAllHaveLeft()
    {
        DeskBench bench;
        Farewell farewell(3, bench.master.mail);
        farewell.begin(bench.clock.now());
        const auto goodbyes = bench.sentOf<Goodbye>();
        QCOMPARE(goodbyes.size(), 3U);
        QVERIFY(!goodbyes.front().losses);
        for (const std::uint32_t processor : {0U, 1U, 2U}) {
            QVERIFY(!farewell.isOver(bench.clock.now()));
            farewell.left(ProcessorId(processor));
        }
        QVERIFY(farewell.isOver(bench.clock.now()));
        QVERIFY(!farewell.losses());
    }

    void whoIsLostIsNotAwaited()
    {
        DeskBench bench;
        Farewell farewell(2, bench.master.mail);
        farewell.lost(ProcessorId(0));
        farewell.lost(ProcessorId(1));
        farewell.back(ProcessorId(1));
        farewell.begin(bench.clock.now());
        const auto letters = bench.sent();
        QCOMPARE(letters.size(), 1U);
        QVERIFY(letters.front().to == ProcessorId(1));
        QVERIFY(std::get<Goodbye>(letters.front().envelope.message).losses);
        farewell.left(ProcessorId(1));
        QVERIFY(farewell.isOver(bench.clock.now()));
        QVERIFY(farewell.losses());
    }

    void isSaidAgainAndGivenUp()
    {
        DeskBench bench;
        Farewell farewell(1, bench.master.mail);
        farewell.begin(bench.clock.now());
        QCOMPARE(bench.sentOf<Goodbye>().size(), 1U);
        bench.clock.advance(499ms);
        QVERIFY(!farewell.isOver(bench.clock.now()));
        QCOMPARE(bench.sentOf<Goodbye>().size(), 0U);
        bench.clock.advance(1ms);
        QVERIFY(!farewell.isOver(bench.clock.now()));
        QCOMPARE(bench.sentOf<Goodbye>().size(), 1U);
        bench.clock.advance(4500ms);
        QVERIFY(!farewell.isOver(bench.clock.now()));
        QVERIFY(!farewell.losses());
        bench.clock.advance(1ms);
        QVERIFY(farewell.isOver(bench.clock.now()));
        QVERIFY(farewell.losses());
    }
};

QTEST_APPLESS_MAIN(TestFarewell)

} // namespace tst_farewell

#include "tst_farewell.moc"
