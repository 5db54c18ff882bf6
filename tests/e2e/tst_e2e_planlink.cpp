// SPDX-License-Identifier: GPL-3.0-or-later
//
// A planner's session that lets a real agent search. What breaks each test stands above it.
#include <QTest>

#include "agentprocess.h"
#include "workspace.h"

#include "planner/agentsearcher.h"
#include "planner/plansession.h"

#include <QFile>
#include <cmath>
#include <csignal>
#include <filesystem>

namespace tst_e2e_planlink {

using namespace tasuki;
using namespace tasuki::planner;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

constexpr int patienceMs = 100'000;

std::shared_ptr<const plan::Environment> unequalNodes(int count)
{
    auto environment = std::make_shared<plan::Environment>();
    environment->linkDefault = {.a0Us = 60.0, .a1UsPerByte = 0.08};
    for (int node = 0; node < count; ++node)
        environment->nodes.push_back(
            {.name = "n" + std::to_string(node), .speed = 1.0 / (1.0 + 0.1 * node)});
    return environment;
}

/// Tasks that compute for unequal times and meet, again and again.
QByteArray meetingTrace(int tasks, int rounds)
{
    QByteArray log = "-13 0 11 12 0 0 yellow:x BARRIER\n";
    const auto line = [&log](int type, int task, int time) {
        log += QByteArray::number(type) + ' ' + QByteArray::number(task) + " 0 0 0 "
            + QByteArray::number(time) + '\n';
    };
    for (int round = 1; round <= rounds; ++round) {
        for (int task = 0; task < tasks; ++task)
            line(11, task, 1000 * round + 30 * task);
        for (int task = 0; task < tasks; ++task)
            line(12, task, 1000 * round + 30 * tasks);
    }
    return log;
}

/// An agent that serves, on one rank, and its access file.
struct Served {
    Served() : agent(place)
    {
        agent.start(Start::Launch, 1, {"serve", "--run", "served.tasuki", "--listen", "none"});
        if (!QTest::qWaitFor([this] { return !place.accessFile().isEmpty(); }, patienceMs))
            qFatal("no access file: %s", agent.story().constData());
    }
    void end() const { ::kill(agent.pid(), SIGTERM); }
    [[nodiscard]] std::unique_ptr<AgentSearcher> searcher() const
    {
        return std::make_unique<AgentSearcher>(
            std::filesystem::path(place.accessFile().toStdString()));
    }

    Workspace place;
    AgentProcess agent;
};

/// Threads of a process that are at the lowest priority: those that plan.
int planningThreads(pid_t pid, bool running)
{
    int count = 0;
    std::error_code error;
    const std::filesystem::path threads = "/proc/" + std::to_string(pid) + "/task";
    for (const auto& thread : std::filesystem::directory_iterator(threads, error)) {
        QFile file(QString::fromStdString((thread.path() / "stat").string()));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        // Behind the name in brackets: state first, priority and nice value as 16th and 17th.
        const QList<QByteArray> fields = file.readAll().split(')').constLast().simplified().split(
            ' ');
        if (fields.value(16).toInt() == 19 && (!running || fields.value(0) == "R"))
            ++count;
    }
    return count;
}

} // namespace

class TestE2ePlanLink : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsWhatASearchHereFinds();
    void cancelAndLeaving();
    void agentThatEnds();
};

// A byte of the files that is lost, a number that is rounded on the way, or the other model.
void TestE2ePlanLink::findsWhatASearchHereFinds()
{
    Served served;
    PlanSession session;
    // Larger than a piece of the link.
    session.open(served.place.write("meet.alog", meetingTrace(5, 12'000)));
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), PlanSession::State::Ready, patienceMs);
    session.setEnvironment(unequalNodes(5));
    for (const Model model : {Model::Replay, Model::Lsmg}) {
        session.setModel(model);
        session.setSearcher(nullptr);
        session.search();
        QTRY_VERIFY_WITH_TIMEOUT(session.result() && session.result()->last, patienceMs);
        QTRY_COMPARE_WITH_TIMEOUT(session.state(), PlanSession::State::Ready, patienceMs);
        const SearchResult here = *session.result();
        session.setSearcher(served.searcher());
        session.search();
        QVERIFY(session.searchesElsewhere());
        QTRY_COMPARE_WITH_TIMEOUT(session.state(), PlanSession::State::Ready, patienceMs);
        QVERIFY2(session.failure().isEmpty(), qPrintable(session.failure()));
        const SearchResult& there = *session.result();
        QVERIFY(there.last && there.number > here.number);
        QCOMPARE(there.total, plan::AllocationCount(120));
        QCOMPARE(there.ranking.tried(), here.ranking.tried());
        const auto mine = here.ranking.best();
        const auto theirs = there.ranking.best();
        QCOMPARE(theirs.size(), mine.size());
        for (std::size_t i = 0; i < mine.size(); ++i) {
            QVERIFY(theirs[i].allocation == mine[i].allocation);
            QVERIFY(theirs[i].timeUs == mine[i].timeUs);
        }
        QVERIFY(there.ranking.worst().allocation == here.ranking.worst().allocation);
        QVERIFY(std::abs(there.ranking.meanUs() - here.ranking.meanUs())
                < 1e-9 * here.ranking.meanUs());
    }
    served.end();
    QVERIFY2(served.agent.finish() && served.agent.exitCode() == 0, served.agent.story());
}

// A search that goes on though its window cancelled it or is gone: it would take an hour.
void TestE2ePlanLink::cancelAndLeaving()
{
    Served served;
    const QString trace = served.place.write("meet.alog", meetingTrace(12, 500));
    const pid_t rank = served.agent.rank(0);
    QVERIFY(rank > 0);
    {
        PlanSession session;
        session.open(trace);
        session.setEnvironment(unequalNodes(12));
        QTRY_COMPARE_WITH_TIMEOUT(session.state(), PlanSession::State::Ready, patienceMs);
        session.setSearcher(served.searcher());
        session.search();
        // Results stream in.
        QTRY_VERIFY_WITH_TIMEOUT(session.result() && !session.result()->last, patienceMs);
        QVERIFY(session.progress().phase == SearchPhase::Searching);
        QVERIFY(planningThreads(rank, false) > 0);
        session.cancel();
        QTRY_COMPARE_WITH_TIMEOUT(session.state(), PlanSession::State::Ready, patienceMs);
        QVERIFY2(session.failure().isEmpty(), qPrintable(session.failure()));
        QVERIFY(session.result()->last && session.result()->ranking.tried() > 0);
        QCOMPARE(session.result()->total, plan::AllocationCount(479'001'600));
        QTRY_COMPARE_WITH_TIMEOUT(planningThreads(rank, true), 0, patienceMs);
        session.search();
        QTRY_VERIFY_WITH_TIMEOUT(session.progress().phase == SearchPhase::Searching
                                     && session.progress().tried > 0,
                                 patienceMs);
        QVERIFY(session.searchesElsewhere());
    }
    // The window has gone: for a while no thread of the search is seen at work.
    int quiet = 0;
    QTRY_VERIFY_WITH_TIMEOUT((quiet = planningThreads(rank, true) == 0 ? quiet + 1 : 0) >= 5,
                             patienceMs);
    served.end();
    QVERIFY2(served.agent.finish() && served.agent.exitCode() == 0, served.agent.story());
}

// A window that waits for ever for an agent that has gone.
void TestE2ePlanLink::agentThatEnds()
{
    Served served;
    PlanSession session;
    session.open(served.place.write("meet.alog", meetingTrace(12, 500)));
    session.setEnvironment(unequalNodes(12));
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), PlanSession::State::Ready, patienceMs);
    session.setSearcher(served.searcher());
    session.search();
    QTRY_VERIFY_WITH_TIMEOUT(session.result() && !session.result()->last, patienceMs);
    served.end();
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), PlanSession::State::Ready, patienceMs);
    QVERIFY(!session.failure().isEmpty());
    QVERIFY(session.result()->ranking.tried() > 0);
    QVERIFY2(served.agent.finish() && served.agent.exitCode() == 0, served.agent.story());
}

QTEST_GUILESS_MAIN(TestE2ePlanLink)

} // namespace tst_e2e_planlink

#include "tst_e2e_planlink.moc"
