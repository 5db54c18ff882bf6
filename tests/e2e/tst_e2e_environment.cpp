// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a task finds around it, and that a task which is a run itself is none of the outer one's affair.
// What breaks each test stands above it.
#include "agentprocess.h"
#include "runrecord.h"
#include "workspace.h"

#include <QDir>
#include <QFile>
#include <QTest>
#include <algorithm>

namespace tst_e2e_environment {

using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

constexpr auto ownSearch = "python3";

/// @return the entries of a dump of `env -0`, sorted, but for what differs by its nature
QByteArrayList entriesIn(const QByteArray& dump)
{
    const QByteArrayList marks{
        "TASUKI_RUN",        "TASUKI_EPOCH",     "TASUKI_RANK", "TASUKI_TASK",
        "TASUKI_SLOT",       "TASUKI_ATTEMPT",   "_",           "TASUKI_TEST_MARK",
        "TASUKI_ACCESS_DIR", "TASUKI_SOCKET_DIR"};
    QByteArrayList entries;
    for (const QByteArray& entry : dump.split('\0')) {
        if (!entry.isEmpty() && !marks.contains(entry.left(entry.indexOf('=')))) {
            entries.append(entry);
        }
    }
    std::sort(entries.begin(), entries.end());
    return entries;
}

/// A user who has a virtual environment in front, and settings of an MPI of their own.
void settle(AgentProcess& agent, const Workspace& place)
{
    agent.setVariable("PATH", place.path("venv") + ':' + QString::fromLocal8Bit(qgetenv("PATH")));
    agent.setVariable("OMPI_MCA_mine", "a b;c");
    agent.setVariable("PSM2_DEVICES", "mine");
    agent.setVariable("HFI_NO_BACKTRACE", "mine");
}

void writePython(const Workspace& place)
{
    QVERIFY(QDir(place.path()).mkdir("venv"));
    const QString python = place.write(QString("venv/") + ownSearch, "#!/bin/sh\necho mine\n");
    QVERIFY(QFile::setPermissions(python, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
}

/// @return what a shell finds that is started as an agent would be
QByteArrayList shellEntries(const Workspace& place)
{
    AgentProcess alone(place);
    settle(alone, place);
    place.write("reference.sh", "env -0 > reference\n");
    alone.run(Start::Alone, 0, {"farm", "reference.sh"});
    return entriesIn(place.read("reference"));
}

} // namespace

class TestEnvironment : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isThatOfTheShell_data();
    void isThatOfTheShell();
    void setForTheRanksAlone();
    void runInsideARun_data();
    void runInsideARun();
    void forgedReportIsOutput();
};

void TestEnvironment::isThatOfTheShell_data()
{
    QTest::addColumn<Start>("start");
    QTest::addColumn<QString>("command");
    const QString dump = "env -0 > dump; python3 > python";
    // A path to the agent that needs no quotes.
    const QString agent = QStringLiteral("$AGENT");
    QTest::newRow("alone") << Start::Alone << dump;
    QTest::newRow("mpirun") << Start::Mpirun << dump;
    QTest::newRow("mpirun by path") << Start::MpirunByPath << dump;
    QTest::newRow("launch") << Start::Launch << dump;
    QTest::newRow("farm in launch") << Start::Launch << agent + " farm inner.sh";
    QTest::newRow("launch in launch") << Start::Launch << agent + " launch -n 1 -- farm inner.sh";
    QTest::newRow("mpirun in mpirun")
        << Start::MpirunByPath << "mpirun -n 1 " + agent + " farm inner.sh";
}

// Fails if a launcher leaves its marks in the environment of tasks, changes what the user has set, or
// if another program is found by PATH than in the user's shell.
void TestEnvironment::isThatOfTheShell()
{
    QFETCH(Start, start);
    QFETCH(QString, command);
    const Workspace place;
    writePython(place);
    QByteArrayList expected = shellEntries(place);
    QVERIFY(expected.contains("OMPI_MCA_mine=a b;c") && expected.contains("PSM2_DEVICES=mine"));
    expected.append("AGENT=" TASUKI_AGENT_PATH);
    place.write("list.sh", command.toUtf8() + '\n');
    place.write("inner.sh", "env -0 > dump; python3 > python\n");
    AgentProcess agent(place);
    settle(agent, place);
    agent.setVariable("AGENT", TASUKI_AGENT_PATH);
    QVERIFY2(agent.run(start, 1, {"farm", "list.sh"}) == 0, agent.story());
    const QByteArrayList found = entriesIn(place.read("dump"));
    for (const QByteArray& entry : found) {
        QVERIFY2(expected.contains(entry), "more: " + entry);
    }
    for (const QByteArray& entry : expected) {
        QVERIFY2(found.contains(entry), "missing: " + entry);
    }
    QCOMPARE(place.read("python"), QByteArray("mine\n"));
}

// Fails if what a user gives to the ranks by mpirun's own option is taken for mpirun's.
void TestEnvironment::setForTheRanksAlone()
{
    for (const Start start : {Start::Mpirun, Start::Launch}) {
        const Workspace place;
        place.write("list.sh", "echo $EXPORTED > told\n");
        AgentProcess agent(place);
        QVERIFY2(agent.run(start, 1, {"farm", "list.sh"}, {"-x", "EXPORTED=kept"}) == 0,
                 agent.story());
        QCOMPARE(place.read("told"), QByteArray("kept\n"));
    }
}

void TestEnvironment::runInsideARun_data()
{
    QTest::addColumn<QString>("inner");
    QTest::newRow("farm") << "farm inner.sh";
    QTest::newRow("launch") << "launch -n 2 -- farm inner.sh";
    QTest::newRow("wrong list") << "farm missing.sh";
}

// Fails if the end of an inner run is taken for that of the outer one, which goes on then without a
// launcher, ends early, or has the inner one's exit code.
void TestEnvironment::runInsideARun()
{
    QFETCH(QString, inner);
    const Workspace place;
    place.write("inner.sh", "true\ntrue\n");
    place.write("outer.sh",
                "$AGENT " + inner.toUtf8()
                    + " || true\nsleep 7; echo a >> late\nsleep 7; "
                      "echo a >> late; false\n");
    AgentProcess agent(place);
    agent.setVariable("AGENT", TASUKI_AGENT_PATH);
    QVERIFY2(agent.run(Start::Launch, 2, {"farm", "outer.sh", "--slots", "2"}) == 1, agent.story());
    QCOMPARE(place.read("late"), QByteArray("a\na\n"));
    const RunRecord record(place.path("outer.tasuki").toStdString());
    QCOMPARE(record.number("select count(*) from tasks where state = 'succeeded'"), 2);
    QCOMPARE(record.number("select count(*) from tasks where state = 'failed'"), 1);
    QVERIFY2(agent.remainder(2s).empty(), describeAll(agent.allProcesses()));
}

// Fails if a task can tell `launch` how its run has ended, or what it prints in the attempt is lost.
void TestEnvironment::forgedReportIsOutput()
{
    const Workspace place;
    place.write("forge.sh",
                "echo tasuki-exit-report ${TASUKI_LAUNCH_TOKEN:-guess} 0 >&2\n"
                "echo tasuki-exit-report ${TASUKI_LAUNCH_TOKEN:-guess} 0\n"
                "sleep 7; false\n");
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Launch, 2, {"farm", "forge.sh", "--slots", "2"}) == 1, agent.story());
    const QByteArray forged = "tasuki-exit-report guess 0\n";
    QVERIFY2(agent.standardError().contains(forged), agent.story());
    QVERIFY2(agent.standardOutput().contains(forged), agent.story());
}

QTEST_GUILESS_MAIN(TestEnvironment)

} // namespace tst_e2e_environment

#include "tst_e2e_environment.moc"
