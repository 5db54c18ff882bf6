// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "launch/restarts.h"

#include <csignal>

namespace tst_restarts {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

constexpr int restartCode = 6;
const std::optional<RestartTerms> nothingTold;
const RestartTerms notAllowed{};
const RestartTerms offered{.most = 2, .within = 600s, .runFile = "/r.tasuki"};
const RestartTerms down{
    .most = 2, .within = 600s, .runFile = "/r.tasuki", .why = "subcluster left is down"};

LaunchEnd reported(int code, const std::optional<RestartTerms>& terms = down)
{
    LaunchEnd end;
    end.reported = code;
    end.terms = terms;
    return end;
}

LaunchEnd killed(const std::optional<RestartTerms>& terms = offered)
{
    LaunchEnd end;
    end.waitStatus = SIGKILL;
    end.terms = terms;
    return end;
}

LaunchEnd interrupted(LaunchEnd end)
{
    end.interrupted = true;
    return end;
}

} // namespace

/// Whether a launch is started again.
class TestRestarts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void decisions_data();
    void decisions();
    void intensity();
    void termsOutliveALife();
    void pausesGrow();
    void none();
};

void TestRestarts::decisions_data()
{
    QTest::addColumn<LaunchEnd>("end");
    QTest::addColumn<bool>("again");
    QTest::newRow("done") << reported(0) << false;
    QTest::newRow("tasks failed") << reported(1) << false;
    QTest::newRow("ended early") << reported(4, offered) << false;
    QTest::newRow("to be restarted") << reported(restartCode) << true;
    QTest::newRow("to be restarted, interrupted") << interrupted(reported(restartCode)) << false;
    QTest::newRow("to be restarted, not allowed") << reported(restartCode, notAllowed) << false;
    QTest::newRow("to be restarted, nothing told") << reported(restartCode, nothingTold) << false;
    QTest::newRow("killed") << killed() << true;
    QTest::newRow("killed as it was to end") << killed(down) << true;
    QTest::newRow("killed, interrupted") << interrupted(killed()) << false;
    QTest::newRow("killed, not allowed") << killed(notAllowed) << false;
    QTest::newRow("killed before the run") << killed(nothingTold) << false;
}

void TestRestarts::decisions()
{
    QFETCH(LaunchEnd, end);
    QFETCH(bool, again);
    Restarts restarts(restartCode);
    const Restarts::Decision decision = restarts.decide(end, SteadyTime{});
    QCOMPARE(decision.verdict, again ? Restarts::Verdict::Again : Restarts::Verdict::End);
    QCOMPARE(decision.text.empty(), !again);
    if (again)
        QCOMPARE(restarts.terms().runFile, std::string("/r.tasuki"));
}

void TestRestarts::intensity()
{
    Restarts restarts(restartCode);
    const SteadyTime begin = SteadyTime{} + 1h;
    QCOMPARE(restarts.decide(reported(restartCode), begin).text,
             std::string("subcluster left is down: starting again (1 of 2 in 10 min)"));
    QCOMPARE(restarts.decide(killed(), begin + 599s).text,
             std::string("mpirun ended without a report of the run (killed by signal 9): starting "
                         "again (2 of 2 in 10 min)"));
    const Restarts::Decision third = restarts.decide(reported(restartCode), begin + 599s);
    QCOMPARE(third.verdict, Restarts::Verdict::TooOften);
    QCOMPARE(
        third.text,
        std::string("subcluster left is down, and the run is not started again: it was 2 times "
                    "in 10 min already"));
    // The first one does not count any more.
    QCOMPARE(restarts.decide(reported(restartCode), begin + 600s).text,
             std::string("subcluster left is down: starting again (2 of 2 in 10 min)"));
}

// Fails if a mpirun that cannot even start, while a host is unreachable, ends a run that may go on.
void TestRestarts::termsOutliveALife()
{
    Restarts restarts(restartCode);
    QCOMPARE(restarts.decide(reported(restartCode), SteadyTime{}).verdict,
             Restarts::Verdict::Again);
    const LaunchEnd notStarted{.waitStatus = 1 << 8};
    const Restarts::Decision decision = restarts.decide(notStarted, SteadyTime{} + 1s);
    QCOMPARE(decision.verdict, Restarts::Verdict::Again);
    QVERIFY(decision.text.starts_with("mpirun ended without a report of the run (exit code 1)"));
    QCOMPARE(restarts.terms(), down);
}

void TestRestarts::pausesGrow()
{
    Restarts restarts(restartCode);
    RestartTerms many = down;
    many.most = 100;
    std::vector<std::chrono::milliseconds> pauses;
    for (int i = 0; i < 8; ++i)
        pauses.push_back(restarts.decide(reported(restartCode, many), SteadyTime{}).pause);
    QCOMPARE(pauses, (std::vector<std::chrono::milliseconds>{0s, 1s, 2s, 4s, 8s, 16s, 32s, 32s}));
    Restarts afterKill(restartCode); // others may not have noticed yet
    QCOMPARE(afterKill.decide(killed(), SteadyTime{}).pause, std::chrono::milliseconds(1s));
}

void TestRestarts::none()
{
    Restarts restarts(restartCode);
    RestartTerms never = down;
    never.most = 0;
    const Restarts::Decision decision = restarts.decide(reported(restartCode, never), SteadyTime{});
    QCOMPARE(decision.verdict, Restarts::Verdict::TooOften);
    QCOMPARE(
        decision.text,
        std::string("subcluster left is down, and the run is not started again, as its restarts "
                    "are 0"));
}

QTEST_APPLESS_MAIN(TestRestarts)

} // namespace tst_restarts

#include "tst_restarts.moc"
