// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "node/problemlog.h"

namespace tst_problemlog {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

Error problemOf(const char* text) { return {.kind = ErrorKind::System, .message = text}; }

} // namespace

/// Problems between processors, told unless a loss explains them.
class TestProblemLog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void unexplainedIsToldOnce();
    void lossExplainsWhatCameBeforeAndComesAfter();
    void startOvercomesWhatWasInItsWay();
};

void TestProblemLog::unexplainedIsToldOnce()
{
    std::vector<std::string> said;
    ProblemLog log([&said](const std::string& line) { said.push_back(line); });
    SteadyTime now{};
    log.note(problemOf("a"), now);
    log.note(problemOf("a"), now + 1s);
    log.note(problemOf("b"), now + 2s);
    log.tick(now + 4s);
    QVERIFY(said.empty()); // a loss may still explain it
    log.tick(now + 5s);
    QCOMPARE(said, std::vector<std::string>{"a"});
    log.tick(now + 60s);
    QCOMPARE(said, (std::vector<std::string>{"a", "b"}));
}

void TestProblemLog::lossExplainsWhatCameBeforeAndComesAfter()
{
    std::vector<std::string> said;
    ProblemLog log([&said](const std::string& line) { said.push_back(line); });
    const SteadyTime now = SteadyTime{} + 100s;
    log.note(problemOf("before"), now - 1s);
    log.lost(1, now);
    log.note(problemOf("after"), now + 1s);
    log.note(problemOf("a connection that has broken at last"), now + 12s);
    log.tick(now + 30s);
    QVERIFY(said.empty());
    log.lost(1, now + 30s); // the same one, told again
    log.note(problemOf("later"), now + 30s);
    log.tick(now + 40s);
    QCOMPARE(said, std::vector<std::string>{"later"});
}

// Processors of other hosts knock before everybody has been told who they are, and do so again.
void TestProblemLog::startOvercomesWhatWasInItsWay()
{
    std::vector<std::string> said;
    ProblemLog log([&said](const std::string& line) { said.push_back(line); });
    const SteadyTime now = SteadyTime{} + 100s;
    log.note(problemOf("processor 0 is not known"), now);
    log.overcome();
    log.note(problemOf("later"), now + 1s);
    log.tick(now + 30s);
    QCOMPARE(said, std::vector<std::string>{"later"});
}

QTEST_APPLESS_MAIN(TestProblemLog)

} // namespace tst_problemlog

#include "tst_problemlog.moc"
