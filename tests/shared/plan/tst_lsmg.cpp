// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "planning.h"

#include <set>
#include <vector>

namespace tst_lsmg {

using namespace tasuki;
using namespace tasuki::plan;
using namespace tasuki::plan::testing;
using Call = trace::MpiCall;

class TestLsmg : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void paper_data();
    void paper();
    void gapsMoveLaterEvents();
    void gapsInAnyOrder();
    void otherCallsKeepTheirTime();
    void lanesDoNotMix();
};

namespace {

std::vector<double> receiveEnds(const trace::Trace& trace, const Environment& environment)
{
    Lsmg model(std::make_shared<LsmgProgram>(lsmgProgram(trace)),
               std::make_shared<Environment>(environment));
    return model.receiveEndsUs(inOrder(trace.tasks()));
}

double runtime(const trace::Trace& trace, const Environment& environment)
{
    Lsmg model(std::make_shared<LsmgProgram>(lsmgProgram(trace)),
               std::make_shared<Environment>(environment));
    return predictOne(model, inOrder(trace.tasks()));
}

} // namespace

void TestLsmg::paper_data()
{
    QTest::addColumn<double>("speed0");
    QTest::addColumn<double>("speed1");
    QTest::addColumn<double>("receiveEnd");
    QTest::newRow("as traced") << 1.0 << 1.0 << 2034.36;
    QTest::newRow("sender of half the speed") << 0.5 << 1.0 << 3369.36;
    // Before the receive was called, at 11890: the procedure's flaw.
    QTest::newRow("receiver of a tenth") << 1.0 << 0.1 << 2034.36;
}

void TestLsmg::paper()
{
    QFETCH(double, speed0);
    QFETCH(double, speed1);
    QFETCH(double, receiveEnd);
    const auto ends = receiveEnds(paperTrace(), environmentOf({speed0, speed1}));
    QCOMPARE(ends.size(), std::size_t(1));
    QCOMPARE(ends[0], receiveEnd);
    QCOMPARE(runtime(paperTrace(), environmentOf({speed0, speed1})), receiveEnd);
}

// A chain 0 -> 1 -> 2: the second send starts when the first gap has moved it.
void TestLsmg::gapsMoveLaterEvents()
{
    TraceMaker maker(3);
    maker.call(0, Call::Send, 1000, 1010).sends(1, 1000);
    maker.call(1, Call::Recv, 100, 1100).receives(0);
    maker.call(1, Call::Send, 1200, 1210).sends(2, 2000);
    maker.call(2, Call::Recv, 100, 1300).receives(1);
    maker.ends(2, 1400);
    // Send 0 at 2000 on half the speed, received at 2140; its gap moves task 1's send to 2240 (the
    // 100 us between the two at speed 1), received at 2240 + 220.
    const auto ends = receiveEnds(maker.make(), environmentOf({0.5, 1.0, 1.0}));
    QCOMPARE(ends.size(), std::size_t(2));
    QCOMPARE(ends[0], 2140.0);
    QCOMPARE(ends[1], 2460.0);
    QCOMPARE(runtime(maker.make(), environmentOf({0.5, 1.0, 1.0})), 2560.0);
}

// Task 1 receives first what was sent last: the later gap is applied to an earlier event, and moves
// the other receive once more, as the procedure says.
void TestLsmg::gapsInAnyOrder()
{
    TraceMaker maker(3);
    maker.call(0, Call::Send, 100, 110).sends(1, 1000);
    maker.call(2, Call::Send, 300, 310).sends(1, 1000);
    maker.call(1, Call::Recv, 50, 400).receives(2);
    maker.call(1, Call::Recv, 450, 500).receives(0);
    // First 0 -> 1: 240, a gap of -260 at the second receive. Then 2 -> 1: 440, a gap of 40 at the
    // first receive, which moves the second one to 280.
    const auto ends = receiveEnds(maker.make(), environmentOf({1.0, 1.0, 1.0}));
    QCOMPARE(ends.size(), std::size_t(2));
    QCOMPARE(ends[0], 280.0);
    QCOMPARE(ends[1], 440.0);
    // The last events of the tasks: 110, 280 and 310.
    QCOMPARE(runtime(maker.make(), environmentOf({1.0, 1.0, 1.0})), 310.0);
}

void TestLsmg::otherCallsKeepTheirTime()
{
    TraceMaker maker(1);
    maker.call(0, Call::Barrier, 100, 150);
    maker.ends(0, 200);
    QCOMPARE(runtime(maker.make(), environmentOf({0.5})), 350.0);
}

void TestLsmg::lanesDoNotMix()
{
    const trace::Trace trace = paperTrace();
    Lsmg model(std::make_shared<LsmgProgram>(lsmgProgram(trace)),
               std::make_shared<Environment>(environmentOf({1.0, 0.5, 0.25, 2.0})));
    std::vector<Allocation> allocations;
    for (std::uint32_t first = 0; first < 4; ++first) {
        for (std::uint32_t second = 0; second < 4; ++second)
            allocations.push_back(nodes({first, second}));
    }
    allocations.pop_back();
    std::vector<double> together(allocations.size());
    model.predict(allocations, together);
    std::set<double> different;
    for (std::size_t index = 0; index < allocations.size(); ++index) {
        QCOMPARE(predictOne(model, allocations[index]), together[index]);
        different.insert(together[index]);
    }
    QVERIFY(different.size() >= 4);
}

QTEST_GUILESS_MAIN(TestLsmg)

} // namespace tst_lsmg

#include "tst_lsmg.moc"
