// SPDX-License-Identifier: GPL-3.0-or-later
//
// MPI programs that say from where they can go on, in worlds with a standby.
#include "agentprocess.h"
#include "runrecord.h"
#include "workspace.h"

#include <QRegularExpression>
#include <QTest>

#include <csignal>
#include <map>
#include <string>

namespace tst_e2e_restartpoints {

using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

constexpr int steps = 400;

/// A world of three ranks and a standby.
class PointedRun {
public:
    PointedRun(const QString& kind, int milliseconds, const QString& redirection = {})
        : agent(place)
    {
        const QString command = QString("%1 %2 %3 %4%5")
                                    .arg(TASUKI_POINT_PROGRAM, kind)
                                    .arg(steps)
                                    .arg(milliseconds)
                                    .arg(redirection);
        place.write(
            "t.toml",
            "[[subcluster]]\nname = \"solver\"\nactive = 3\nstandby = 1\nworld = { command = \""
                + command.toUtf8() + "\" }\n");
        agent.setVariable("TASUKI_RESTART_SECONDS", "0.2");
        agent.start(Start::Launch, 4, {"world", "t.toml", "--run", "r.tasuki"});
    }

    /// @return processes of ranks, by rank in the world
    [[nodiscard]] std::map<std::string, pid_t> programs()
    {
        std::map<std::string, pid_t> found;
        for (const ProcessInfo& process : agent.allProcesses()) {
            if (const auto rank = environmentOf(process.pid, "TASUKI_WORLD_RANK");
                rank && process.name == "pointprogram")
                found[*rank] = process.pid;
        }
        return found;
    }
    [[nodiscard]] QByteArray shown() const
    {
        AgentProcess show(place);
        show.run(Start::Alone, 0, {"show", "r.tasuki", "--worlds"});
        return show.standardOutput();
    }
    /// @return what is wrong with what was printed; empty: nothing, and nothing is there twice
    [[nodiscard]] QByteArray problems()
    {
        QByteArrayList lines = agent.standardOutput().trimmed().split('\n');
        for (int rank = 0; rank < 3; ++rank) {
            for (int step = 0; step < steps; step += 10) {
                const QByteArray line = "rank " + QByteArray::number(rank) + " step "
                    + QByteArray::number(step) + " sum "
                    + QByteArray::number(step * (step + 1) / 2);
                if (!lines.removeOne(line))
                    return "missing: " + line;
            }
        }
        if (lines != QByteArrayList{"sum " + QByteArray::number(3 * steps * (steps - 1) / 2)})
            return "too much: " + lines.join('\n');
        return {};
    }
    /// @return what the last process of a rank has told at its end
    [[nodiscard]] QRegularExpressionMatch end(int rank)
    {
        const QRegularExpression pattern(
            QString(
                "solver rank %1 of 3 incarnation (\\d+) made (\\d+) saved (\\d+) restored (\\d+)")
                .arg(rank));
        return pattern.match(QString::fromUtf8(agent.standardError()));
    }

    Workspace place;
    AgentProcess agent;
};

} // namespace

class TestRestartPointRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void goesOn_data();
    void goesOn();
    void none_data();
    void none();
    void hangs();
    void underMpirun();
};

void TestRestartPointRuns::goesOn_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<bool>("processor"); // it is killed, or the program alone
    QTest::newRow("program") << "ring" << false;
    QTest::newRow("processor") << "ring" << true;
    QTest::newRow("first one late") << "late" << false;
}

// Fails if a rank does again what stands before its restart point, if anything is printed twice or not at all, or if another rank
// notices.
void TestRestartPointRuns::goesOn()
{
    QFETCH(QString, kind);
    QFETCH(bool, processor);
    PointedRun run(kind, 10);
    std::map<std::string, pid_t> before;
    QTRY_VERIFY_WITH_TIMEOUT((before = run.programs()).size() == 3, 30'000);
    QTRY_VERIFY2_WITH_TIMEOUT(run.agent.standardOutput().contains("rank 1 step 150 "),
                              run.agent.story(), 30'000);
    QVERIFY2(run.shown().contains(" s ago"), run.shown());
    QCOMPARE(kill(processor ? run.agent.rank(1) : before["1"], SIGKILL), 0);
    std::map<std::string, pid_t> after;
    QTRY_VERIFY_WITH_TIMEOUT((after = run.programs()).size() == 3 && after["1"] != before["1"],
                             20'000);
    QVERIFY(after["0"] == before["0"] && after["2"] == before["2"]);
    QVERIFY2(run.agent.finish(120s) && run.agent.exitCode() == 0, run.agent.story());
    QVERIFY2(run.problems().isEmpty(), run.problems() + run.agent.story());
    const auto end = run.end(1);
    QVERIFY2(end.hasMatch(), run.agent.story());
    QCOMPARE(end.captured(1).toInt(), 2);
    QCOMPARE(end.captured(4).toInt(), 1);
    const int again = kind == "late" ? 20 : 0; // of steps before the first one
    QVERIFY2(end.captured(2).toInt() < steps - 100 + again, run.agent.story());
    QCOMPARE(run.end(0).captured(2).toInt(), steps);
    QVERIFY2(!run.agent.standardError().contains("goes back"), run.agent.story());
}

void TestRestartPointRuns::none_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("redirection");
    QTest::addColumn<QByteArray>("why");
    QTest::newRow("it writes a file") << "file"
                                      << "" << QByteArray("it writes a file");
    QTest::newRow("into a file") << "ring"
                                 << " > out.$TASUKI_WORLD_RANK"
                                 << QByteArray("its output goes into a file");
    QTest::newRow("to a program") << "ring"
                                  << " | cat" << QByteArray("its output goes into a file");
}

// Fails if a restart point is saved from which a program would go on without what it has written, or if nobody is told why not; and
// if the rank then does not go on from its start.
void TestRestartPointRuns::none()
{
    QFETCH(QString, kind);
    QFETCH(QString, redirection);
    QFETCH(QByteArray, why);
    PointedRun run(kind, 10, redirection);
    std::map<std::string, pid_t> before;
    QTRY_VERIFY_WITH_TIMEOUT((before = run.programs()).size() == 3, 30'000);
    QTRY_VERIFY2_WITH_TIMEOUT(run.shown().contains(why), run.shown(), 10'000);
    // The shell of a pipeline does not tell that its first program was killed.
    if (!redirection.contains('|'))
        QCOMPARE(kill(before["1"], SIGKILL), 0);
    QVERIFY2(run.agent.finish(120s) && run.agent.exitCode() == 0, run.agent.story());
    const auto end = run.end(1);
    QVERIFY2(end.hasMatch(), run.agent.story());
    QCOMPARE(end.captured(2).toInt(), steps);
    QCOMPARE(end.captured(3).toInt() + end.captured(4).toInt(), 0);
    if (kind == "file")
        QCOMPARE(run.place.read("result.0").count('\n'), steps);
    if (!redirection.contains('>'))
        QVERIFY2(run.problems().isEmpty(), run.problems());
}

// Fails if a program that has promised a sign of life, and does not give it, is waited for, or does not go on.
void TestRestartPointRuns::hangs()
{
    PointedRun run("hangs", 5);
    QVERIFY2(run.agent.finish(120s) && run.agent.exitCode() == 0, run.agent.story());
    QVERIFY2(run.problems().isEmpty(), run.problems());
    const auto end = run.end(1);
    QVERIFY2(end.hasMatch() && end.captured(1).toInt() == 2, run.agent.story());
    QVERIFY2(run.end(0).captured(1).toInt() == 1 && run.end(2).captured(1).toInt() == 1,
             run.agent.story());
    const RunRecord record(run.place.path("r.tasuki").toStdString());
    QCOMPARE(record.number("select count(*) from attempts"), 4);
}

// Fails if the program needs Tasuki to run.
void TestRestartPointRuns::underMpirun()
{
    QProcess mpirun;
    mpirun.start("mpirun", {"-n", "2", "--oversubscribe", TASUKI_POINT_PROGRAM, "ring", "20", "1"});
    QVERIFY(mpirun.waitForFinished(60'000));
    QCOMPARE(mpirun.exitCode(), 0);
    QVERIFY(mpirun.readAllStandardOutput().contains("sum 380\n"));
    QVERIFY(mpirun.readAllStandardError().contains(" rank -1 of 0 incarnation 0 made 20 saved 0"));
}

QTEST_GUILESS_MAIN(TestRestartPointRuns)

} // namespace tst_e2e_restartpoints

#include "tst_e2e_restartpoints.moc"
