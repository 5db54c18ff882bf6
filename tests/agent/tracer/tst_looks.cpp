// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tracer/looks.h"

namespace tst_looks {

using namespace tasuki::tracer;

namespace {

constinit std::int64_t usedNs = 0;
std::int64_t used() { return usedNs; }

constexpr std::int64_t us = 1'000;

/// A thread that looks, each time for 1 us, and finds nothing.
class Looker {
public:
    /// @param gapNs   before the look
    /// @param ownNs   that the thread uses the processor meanwhile
    /// @return whether the look goes on with the run before
    bool look(std::int64_t gapNs, std::int64_t ownNs)
    {
        m_nowNs += gapNs;
        usedNs += ownNs;
        const bool goesOn = m_looks.waitsSince(m_nowNs);
        const std::int64_t beginNs = goesOn ? m_looks.beginNs() : m_nowNs;
        if (!goesOn)
            m_over = m_looks.interrupt();
        m_nowNs += us;
        usedNs += us;
        m_looks.inVain(State::Iprobe, beginNs, m_nowNs);
        return goesOn;
    }
    [[nodiscard]] std::int64_t nowNs() const { return m_nowNs; }
    [[nodiscard]] const std::optional<Looks::Run>& over() const { return m_over; }
    [[nodiscard]] Looks& looks() { return m_looks; }

private:
    Looks m_looks{used};
    std::int64_t m_nowNs = 5'000 * us;
    std::optional<Looks::Run> m_over;
};

} // namespace

/// What counts as waiting between looks that find nothing. What breaks it: a rule that takes computation for
/// waiting, or a loop that sleeps or is kept from the processor for computation.
class TestLooks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void quickLooksAreOneRun();
    void computationEndsARun();
    void sleepIsWaiting();
    void lostProcessorIsWaiting();
    void somethingFoundEndsARun();
    void shortRunsAreNotWorthAPlace();
};

void TestLooks::quickLooksAreOneRun()
{
    Looker looker;
    QVERIFY(!looker.look(0, 0));
    const std::int64_t beginNs = looker.nowNs() - us;
    for (int time = 0; time < 1000; ++time)
        QVERIFY(looker.look(2 * us, 2 * us));
    QVERIFY(looker.looks().underWay());
    const auto run = looker.looks().interrupt();
    QVERIFY(run.has_value());
    QCOMPARE(run->beginNs, beginNs);
    QCOMPARE(run->endNs, looker.nowNs());
    QVERIFY(run->state == State::Iprobe);
    QVERIFY(!looker.looks().interrupt());
}

void TestLooks::computationEndsARun()
{
    Looker looker;
    looker.look(0, 0);
    for (int time = 0; time < 20; ++time)
        looker.look(us, us);
    const std::int64_t endNs = looker.nowNs();
    QVERIFY(!looker.look(500 * us, 500 * us));
    QVERIFY(looker.over().has_value());
    QCOMPARE(looker.over()->endNs, endNs);
    // Each time.
    QVERIFY(!looker.look(500 * us, 500 * us));
    QVERIFY(!looker.over().has_value());
    QVERIFY(!looker.look(300 * us, 100 * us));
}

void TestLooks::sleepIsWaiting()
{
    Looker looker;
    looker.look(0, 0);
    for (int time = 0; time < 50; ++time)
        QVERIFY(looker.look(550 * us, 40 * us));
    QVERIFY(looker.look(80 * us, 15 * us));
}

void TestLooks::lostProcessorIsWaiting()
{
    Looker looker;
    looker.look(0, 0);
    for (int time = 0; time < 50; ++time)
        QVERIFY(looker.look(us, us));
    QVERIFY(looker.look(4'000 * us, us));
    QVERIFY(looker.look(us, us));
}

void TestLooks::somethingFoundEndsARun()
{
    Looker looker;
    looker.look(0, 0);
    looker.look(20 * us, 20 * us);
    looker.looks().found();
    QVERIFY(!looker.looks().underWay());
    QVERIFY(!looker.looks().interrupt());
    QVERIFY(!looker.look(us, us));
}

void TestLooks::shortRunsAreNotWorthAPlace()
{
    Looker looker;
    looker.look(0, 0);
    looker.look(us, us);
    QVERIFY(!looker.looks().interrupt());
}

QTEST_APPLESS_MAIN(TestLooks)

} // namespace tst_looks

#include "tst_looks.moc"
