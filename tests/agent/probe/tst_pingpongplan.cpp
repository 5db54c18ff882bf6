// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/pingpongplan.h"

#include <QTest>
#include <map>

namespace tst_pingpongplan {

using namespace tasuki::probe;

namespace {

constexpr LinkGuess memory{.a0Us = 0.5, .a1UsPerByte = 1e-4};
constexpr LinkGuess ethernet{.a0Us = 60, .a1UsPerByte = 0.08};
constexpr LinkGuess modem{.a0Us = 50'000, .a1UsPerByte = 100};

std::vector<std::vector<LinkGuess>> oneByOne(std::size_t count, const LinkGuess& guess)
{
    return std::vector(count, std::vector{guess});
}

} // namespace

class TestPingPongPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void paperSizes();
    void largerSizesAreFewer();
    void quickPairGetsThePapersRepetitions();
    void manyPairsStayBelowAMinute();
    void wishesAreKept();
    void slowLinksLeaveOutLargeSizes();
    void roundsAddUp_data();
    void roundsAddUp();
};

void TestPingPongPlan::paperSizes()
{
    const PingPongPlan plan{.repetitions = 100, .largestBytes = 1000};
    const auto exchanges = plan.exchanges(memory);
    QCOMPARE(exchanges.size(), 41U);
    for (std::size_t i = 0; i < exchanges.size(); ++i)
        QCOMPARE(exchanges[i], (Exchange{i * 25, 100}));
}

void TestPingPongPlan::largerSizesAreFewer()
{
    const PingPongPlan plan{.repetitions = 5000, .largestBytes = usualLargestBytes};
    const auto exchanges = plan.exchanges(memory);
    QCOMPARE(exchanges.size(), 51U);
    QCOMPARE(exchanges[41], (Exchange{2048, 2441}));
    QCOMPARE(exchanges[45], (Exchange{32'768, 152}));
    QCOMPARE(exchanges[50], (Exchange{1 << 20, 4}));
    const PingPongPlan few{.repetitions = 2, .largestBytes = usualLargestBytes};
    QCOMPARE(few.exchanges(memory).back().repetitions, std::uint64_t{2});
}

void TestPingPongPlan::quickPairGetsThePapersRepetitions()
{
    const PingPongPlan plan = planPingPong(oneByOne(1, memory), {});
    QCOMPARE(plan.repetitions, std::uint64_t{5000});
    QCOMPARE(plan.largestBytes, std::uint64_t{1} << 20U);
    QVERIFY2(plan.seconds > 0.1 && plan.seconds < 1.0, qPrintable(QString::number(plan.seconds)));
}

void TestPingPongPlan::manyPairsStayBelowAMinute()
{
    const PingPongPlan many = planPingPong(oneByOne(28, ethernet), {});
    QVERIFY(many.repetitions >= 10 && many.repetitions < 500);
    QVERIFY2(many.seconds > 40 && many.seconds <= 45, qPrintable(QString::number(many.seconds)));
    // Four at once are four times as quick.
    const std::vector<std::vector<LinkGuess>> turns(7, std::vector(4, ethernet));
    const PingPongPlan atOnce = planPingPong(turns, {});
    QVERIFY(atOnce.repetitions > many.repetitions * 2);
    QVERIFY(atOnce.seconds <= 45);
    // Never fewer than ten.
    QCOMPARE(planPingPong(oneByOne(1000, modem), {}).repetitions, std::uint64_t{10});
}

void TestPingPongPlan::wishesAreKept()
{
    const PingPongPlan plan = planPingPong(oneByOne(100, ethernet),
                                           {.repetitions = 20'000, .largestBytes = 4096});
    QCOMPARE(plan.repetitions, std::uint64_t{20'000});
    QCOMPARE(plan.exchanges(ethernet).back().bytes, std::uint64_t{4096});
    QVERIFY(plan.seconds > 1000);
    const PingPongPlan firm = planPingPong(oneByOne(1, modem), {.largestBytes = 1 << 20});
    QCOMPARE(firm.exchanges(modem).back().bytes, std::uint64_t{1} << 20U);
}

void TestPingPongPlan::slowLinksLeaveOutLargeSizes()
{
    const PingPongPlan plan = planPingPong({{modem}, {memory}}, {});
    // 2 x (50 + 0.1 x 4096) ms is below a second, twice the size is not.
    QCOMPARE(plan.exchanges(modem).back().bytes, std::uint64_t{4096});
    QCOMPARE(plan.exchanges(memory).back().bytes, usualLargestBytes);
}

void TestPingPongPlan::roundsAddUp_data()
{
    QTest::addColumn<quint64>("repetitions");
    QTest::addColumn<bool>("slow");
    QTest::newRow("usual") << quint64{5000} << false;
    QTest::newRow("one") << quint64{1} << false;
    QTest::newRow("odd") << quint64{37} << false;
    QTest::newRow("slow") << quint64{5000} << true;
}

void TestPingPongPlan::roundsAddUp()
{
    QFETCH(quint64, repetitions);
    QFETCH(bool, slow);
    const LinkGuess guess = slow ? ethernet : memory;
    const PingPongPlan plan{.repetitions = repetitions, .largestBytes = usualLargestBytes};
    std::map<std::uint64_t, std::uint64_t> sums;
    const std::uint64_t count = plan.roundCount(guess);
    QVERIFY(count >= std::min<quint64>(10, repetitions) && count <= repetitions);
    for (std::uint64_t index = 0; index < count; ++index) {
        double seconds = 0.0;
        for (const Exchange& exchange : plan.round(guess, index, count)) {
            QVERIFY(exchange.repetitions > 0);
            sums[exchange.bytes] += exchange.repetitions;
            seconds += static_cast<double>(exchange.repetitions)
                * guess.roundTripSeconds(exchange.bytes);
        }
        QVERIFY2(seconds < 0.5, qPrintable(QString::number(seconds)));
    }
    for (const Exchange& exchange : plan.exchanges(guess))
        QCOMPARE(sums[exchange.bytes], exchange.repetitions);
}

QTEST_APPLESS_MAIN(TestPingPongPlan)

} // namespace tst_pingpongplan

#include "tst_pingpongplan.moc"
