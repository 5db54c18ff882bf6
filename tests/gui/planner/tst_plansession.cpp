// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "planner/plansession.h"

#include <QSignalSpy>
#include <QTemporaryDir>

#include <cmath>

namespace tst_plansession {

using namespace tasuki;
using namespace tasuki::planner;

namespace {

/// The paper's Table 1.
constexpr auto paperLog = "155 1 0 1 0 1189\n"
                          "161 0 0 1 0 1335\n"
                          "-101 0 0 1 0 1 1395 0 7992\n"
                          "162 0 0 2 0 1 1575\n"
                          "-102 1 0 0 0 1 2158 0 7992\n"
                          "156 1 0 2 0 1 2198\n";

std::shared_ptr<const plan::Environment> environmentOf(std::initializer_list<double> speeds)
{
    auto environment = std::make_shared<plan::Environment>();
    environment->linkDefault = {.a0Us = 60.0, .a1UsPerByte = 0.08};
    for (const double speed : speeds) {
        environment->nodes.push_back(
            {.name = "n" + std::to_string(environment->nodes.size()), .speed = speed});
    }
    return environment;
}

plan::Allocation nodes(std::initializer_list<std::uint32_t> numbers)
{
    plan::Allocation allocation;
    for (const std::uint32_t number : numbers)
        allocation.emplace_back(number);
    return allocation;
}

/// A log of tasks that compute and meet, whose search takes long on many nodes.
QByteArray longLog(int tasks, int rounds = 400)
{
    QByteArray log = "-13 0 11 12 0 0 yellow:x BARRIER\n";
    for (int round = 1; round <= rounds; ++round) {
        for (int task = 0; task < tasks; ++task)
            log += QByteArray("11 ") + QByteArray::number(task) + " 0 0 0 "
                + QByteArray::number(1000 * round + task) + "\n";
        for (int task = 0; task < tasks; ++task)
            log += QByteArray("12 ") + QByteArray::number(task) + " 0 0 0 "
                + QByteArray::number(1000 * round + 50) + "\n";
    }
    return log;
}

} // namespace

/// What breaks it: results of what is not there any more, searches that go on unseen, a window that
/// waits.
class TestPlanSession : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void searchesByItself();
    void partOfATrace();
    void editsSearchAgain();
    void models();
    void obstacles();
    void badTrace();
    void timelines();
    void longSearchesWaitAndEndEarly();
    void moreThanCanBeCounted();
    void anotherTraceReplacesTheFirst();
    void measurements();
    void closesWhileItSearches();

private:
    [[nodiscard]] QString written(const QString& name, const QByteArray& content) const
    {
        const QString path = m_folder.filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            return {};
        return path;
    }

    QTemporaryDir m_folder;
};

void TestPlanSession::searchesByItself()
{
    PlanSession session;
    QCOMPARE(session.state(), PlanSession::State::Empty);
    session.open(written(QStringLiteral("paper.alog"), paperLog));
    QCOMPARE(session.state(), PlanSession::State::Loading);
    session.setEnvironment(environmentOf({1.0, 0.5}));
    QTRY_VERIFY(session.result().has_value());
    QCOMPARE(session.state(), PlanSession::State::Ready);
    const SearchResult& result = *session.result();
    QCOMPARE(result.total, plan::AllocationCount(2));
    QVERIFY(!session.isUnfinished());
    QCOMPARE(result.ranking.tried(), std::uint64_t(2));
    const auto best = result.ranking.best();
    QCOMPARE(best.size(), std::size_t(2));
    // The receiver alone on the slow node: 2378 us to its receive. Else the sender is late: 3369.36.
    QCOMPARE(best[0].allocation, nodes({0, 1}));
    QCOMPARE(best[0].timeUs, 2378.0);
    QCOMPARE(best[1].timeUs, 3369.36);
    QVERIFY(std::abs(result.ranking.spread() - (3369.36 - 2378.0) / 2378.0) < 1e-9);
}

// 100 us of MPI_Barrier alone and 900 us of computation, after as long as one likes.
void TestPlanSession::partOfATrace()
{
    PlanSession session;
    session.open(written(QStringLiteral("part.alog"),
                         "-13 0 11 12 0 0 yellow:x BARRIER\n"
                         "-13 0 13 14 0 0 white:x TRACER_OFF\n"
                         "13 0 0 0 0 500\n"
                         "14 0 0 0 0 70000\n"
                         "11 0 0 0 0 70400\n"
                         "12 0 0 0 0 70500\n"));
    session.setEnvironment(environmentOf({0.5}));
    QTRY_VERIFY(session.result().has_value());
    QCOMPARE(session.loaded().tracedUs, 1000.0);
    QCOMPARE(session.loaded().timeline->endUs, 70500.0);
    QCOMPARE(session.result()->ranking.best()[0].timeUs, 2000.0);
}

void TestPlanSession::editsSearchAgain()
{
    PlanSession session;
    session.open(written(QStringLiteral("paper.alog"), paperLog));
    session.setEnvironment(environmentOf({1.0, 0.5}));
    QTRY_VERIFY(session.result().has_value());
    session.setEnvironment(environmentOf({1.0, 1.0}));
    QVERIFY(!session.result().has_value());
    // Edits that follow each other are searched once.
    QSignalSpy changes(&session, &PlanSession::resultChanged);
    session.setEnvironment(environmentOf({1.0, 2.0}));
    session.setEnvironment(environmentOf({0.5, 0.5}));
    QTRY_VERIFY(session.result().has_value());
    QCOMPARE(changes.size(), 3);                                 // twice gone, once found
    QCOMPARE(session.result()->total, plan::AllocationCount(1)); // two equal nodes
    QCOMPARE(session.result()->ranking.best()[0].timeUs, 3369.36);
    // The same again changes nothing.
    session.setEnvironment(environmentOf({0.5, 0.5}));
    QVERIFY(session.result().has_value());
}

void TestPlanSession::models()
{
    PlanSession session;
    session.open(written(QStringLiteral("paper.alog"), paperLog));
    session.setEnvironment(environmentOf({1.0, 0.1}));
    QTRY_VERIFY(session.result().has_value());
    QCOMPARE(session.result()->ranking.best()[0].timeUs, 11890.0);
    session.setModel(Model::Lsmg);
    QVERIFY(!session.result().has_value());
    QTRY_VERIFY(session.result().has_value());
    QCOMPARE(session.result()->model, Model::Lsmg);
    QCOMPARE(session.result()->ranking.best()[0].timeUs, 2034.36);
}

void TestPlanSession::obstacles()
{
    PlanSession session;
    QVERIFY(session.obstacle().contains(QStringLiteral("trace")));
    session.open(written(QStringLiteral("paper.alog"), paperLog));
    QTRY_COMPARE(session.state(), PlanSession::State::Ready);
    QVERIFY(session.obstacle().contains(QStringLiteral("no nodes")));
    session.setEnvironment(environmentOf({1.0}));
    QVERIFY2(session.obstacle().contains(QStringLiteral("2 tasks, but the nodes have 1 slots")),
             qPrintable(session.obstacle()));
    session.search();
    QCOMPARE(session.state(), PlanSession::State::Ready);
    session.setEnvironment(environmentOf({1.0, 1.0}));
    QVERIFY(session.obstacle().isEmpty());
}

void TestPlanSession::badTrace()
{
    PlanSession session;
    session.open(m_folder.filePath(QStringLiteral("missing.alog")));
    QTRY_COMPARE(session.state(), PlanSession::State::Empty);
    QVERIFY(!session.loaded().trace);
    QCOMPARE(session.loaded().diagnostics.size(), std::size_t(1));
    QVERIFY(session.loaded().diagnostics[0].isError());
    session.open(written(QStringLiteral("text.alog"), "what is this\n"));
    QTRY_COMPARE(session.state(), PlanSession::State::Empty);
    QVERIFY(!session.loaded().diagnostics.empty());
}

void TestPlanSession::timelines()
{
    PlanSession session;
    session.open(written(QStringLiteral("paper.alog"), paperLog));
    session.setEnvironment(environmentOf({1.0, 0.5}));
    QTRY_VERIFY(session.result().has_value());
    QSignalSpy ready(&session, &PlanSession::timelineReady);
    session.select(nodes({0, 1}));
    session.select(nodes({1, 0}));
    QTRY_COMPARE(ready.size(), 1); // of the latest wish alone
    const auto result = ready[0][0].value<TimelineResult>();
    QVERIFY(result.allocation == nodes({1, 0}));
    QCOMPARE(result.timeline->endUs, 3369.36);
    QCOMPARE(result.best->endUs, 2378.0);
    QCOMPARE(session.loaded().timeline->endUs, 2198.0);
}

void TestPlanSession::longSearchesWaitAndEndEarly()
{
    PlanSession session;
    session.open(written(QStringLiteral("long.alog"), longLog(10)));
    session.setEnvironment(environmentOf({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
    QTRY_COMPARE(session.state(), PlanSession::State::Ready);
    QTRY_VERIFY(!session.maySearchByItself());
    QCOMPARE(session.state(), PlanSession::State::Ready); // it was not asked to
    session.search();
    QCOMPARE(session.state(), PlanSession::State::Searching);
    QTRY_VERIFY(session.progress().tried > 0);
    QCOMPARE(session.progress().total, std::uint64_t(3'628'800));
    session.cancel();
    QTRY_COMPARE(session.state(), PlanSession::State::Ready);
    QVERIFY(session.result().has_value());
    QVERIFY(session.isUnfinished());
    QVERIFY(!session.result()->ranking.best().empty());
}

// 2^40 sets of nodes were gone through one by one, on the thread that calls.
void TestPlanSession::moreThanCanBeCounted()
{
    auto environment = std::make_shared<plan::Environment>();
    environment->linkDefault = {.a0Us = 60.0, .a1UsPerByte = 0.08};
    for (int node = 0; node < 40; ++node)
        environment->nodes.push_back({.name = std::to_string(node), .speed = 1.0 + 0.01 * node});
    PlanSession session;
    session.open(written(QStringLiteral("many.alog"), longLog(40, 10)));
    session.setEnvironment(environment);
    QTRY_COMPARE(session.state(), PlanSession::State::Ready);
    QTRY_VERIFY(!session.maySearchByItself());
    QCOMPARE(session.state(), PlanSession::State::Ready); // it was not asked to
    session.search();
    QTRY_VERIFY_WITH_TIMEOUT(session.progress().tried > 0, 60'000);
    QCOMPARE(session.progress().allocations.text(), std::string("about 10^48"));
    session.cancel();
    QTRY_COMPARE(session.state(), PlanSession::State::Ready);
    QVERIFY(session.result().has_value());
    QVERIFY(session.isUnfinished());
}

void TestPlanSession::anotherTraceReplacesTheFirst()
{
    PlanSession session;
    session.setEnvironment(environmentOf({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
    session.open(written(QStringLiteral("long.alog"), longLog(10)));
    session.open(written(QStringLiteral("paper.alog"), paperLog));
    QTRY_VERIFY(session.result().has_value());
    QCOMPARE(session.loaded().trace->tasks(), 2U);
    QCOMPARE(session.result()->total, plan::AllocationCount(90));
}

void TestPlanSession::measurements()
{
    PlanSession session;
    const QString csv = written(QStringLiteral("m.csv"),
                                "task0,task1,seconds\n"
                                "n0,n1,0.0025\nn0,n1,0.0027\nn0,n1,0.0026\n"
                                "n1,n0,0.002\n");
    QCOMPARE(session.loadMeasurements(csv).size(), std::size_t(1)); // nothing to compare with
    session.open(written(QStringLiteral("paper.alog"), paperLog));
    session.setEnvironment(environmentOf({1.0, 0.5}));
    QTRY_VERIFY(session.result().has_value());
    QVERIFY(!session.evaluation().has_value());
    QVERIFY(session.loadMeasurements(csv).empty());
    QVERIFY(session.evaluation().has_value());
    QVERIFY(std::abs(session.evaluation()->errorA.value - 0.3) < 1e-9);
    const auto wrong = session.loadMeasurements(written(QStringLiteral("w.csv"), "a,b\n"));
    QCOMPARE(wrong.size(), std::size_t(1));
    QVERIFY(session.evaluation().has_value()); // what was there stays
    // Other nodes: the measurements do not fit any more.
    session.setEnvironment(environmentOf({1.0, 0.5, 0.5}));
    QVERIFY(session.measurements().empty());
}

void TestPlanSession::closesWhileItSearches()
{
    {
        PlanSession session;
        session.open(written(QStringLiteral("long.alog"), longLog(10)));
        session.setEnvironment(environmentOf({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
        QTRY_COMPARE(session.state(), PlanSession::State::Ready);
        session.search();
        QCOMPARE(session.state(), PlanSession::State::Searching);
    }
    PlanSession loading;
    loading.open(written(QStringLiteral("long.alog"), longLog(10)));
}

QTEST_GUILESS_MAIN(TestPlanSession)

} // namespace tst_plansession

#include "tst_plansession.moc"
