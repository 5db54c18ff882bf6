// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `launch` stands between: the terminal, its signals, standard input and output, exit codes.
// What breaks each test stands above it.
#include "agentprocess.h"
#include "runrecord.h"
#include "workspace.h"

#include <QDir>
#include <QDirIterator>
#include <QRegularExpression>
#include <QTest>
#include <array>
#include <csignal>
#include <memory>

namespace tst_e2e_launch {

using namespace tasuki::testing;
using namespace std::chrono_literals;

class TestLaunch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void probeReportsItsEnd();
    void listOnStandardInput_data();
    void listOnStandardInput();
    void newRecords_data();
    void newRecords();
    void newRecordGoesOn_data();
    void newRecordGoesOn();
    void recordThatIsNotKept_data();
    void recordThatIsNotKept();
    void recordThatIsNotKeptIsFollowed();
    void hangUp_data();
    void hangUp();
    void quit_data();
    void quit();
    void nobodyReadsTheOutput();
    void hintStandsOnALineOfItsOwn();
};

// Fails if a probe that has written its file is said to have written nothing.
void TestLaunch::probeReportsItsEnd()
{
    const Workspace place;
    AgentProcess agent(place);
    const QStringList probe{"probe",           "-o", "p.toml", "--repetitions", "2",
                            "--speed-seconds", "0.1"};
    QVERIFY2(agent.run(Start::Launch, 2, probe) == 0, agent.story());
    QVERIFY(place.exists("p.toml"));
}

void TestLaunch::listOnStandardInput_data()
{
    QTest::addColumn<Start>("start");
    QTest::newRow("launch") << Start::Launch;
    QTest::newRow("mpirun") << Start::Mpirun;
    QTest::newRow("alone") << Start::Alone;
}

// Fails if the list does not reach the first rank, or is recorded under a name that looks like an option.
void TestLaunch::listOnStandardInput()
{
    QFETCH(Start, start);
    const Workspace place;
    AgentProcess agent(place);
    agent.setInputFile(place.write("list", "echo one >> done\necho two >> done\n"));
    QVERIFY2(agent.run(start, 2, {"farm", "-"}) == 0, agent.story());
    QCOMPARE(place.read("done").count('\n'), 2);
    const RunRecord record(place.path("stdin.tasuki").toStdString());
    QCOMPARE(record.number("select count(*) from tasks where state = 'succeeded'"), 2);
    QVERIFY2(agent.standardError().contains("recorded in stdin.tasuki"), agent.story());
}

void TestLaunch::newRecords_data()
{
    QTest::addColumn<Start>("start");
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("pattern");
    const QStringList list{"farm", "list", "--new"};
    QTest::newRow("launch") << Start::Launch << list << "list-20*.tasuki";
    QTest::newRow("alone") << Start::Alone << list << "list-20*.tasuki";
    QTest::newRow("input, launch") << Start::Launch << QStringList{"farm", "-"} << "stdin*.tasuki";
    QTest::newRow("input, alone") << Start::Alone << QStringList{"farm", "-"} << "stdin*.tasuki";
}

// Fails if starts at the same time share a record, or one of them fails, or the name is not told or told wrong.
void TestLaunch::newRecords()
{
    QFETCH(Start, start);
    QFETCH(QStringList, arguments);
    QFETCH(QString, pattern);
    const Workspace place;
    const QString list = place.write("list", "echo one >> done\n");
    std::array<std::unique_ptr<AgentProcess>, 3> agents;
    for (auto& agent : agents) {
        agent = std::make_unique<AgentProcess>(place);
        agent->setInputFile(list);
        agent->start(start, 2, arguments);
    }
    QStringList names;
    static const QRegularExpression end("0 failed; record: (\\S+)\n");
    for (const auto& agent : agents) {
        QVERIFY2(agent->finish() && agent->exitCode() == 0, agent->story());
        const auto told = end.match(QString::fromUtf8(agent->standardError()));
        QVERIFY2(told.hasMatch(), agent->story());
        names << told.captured(1);
        QVERIFY2(agent->standardError().contains("recorded in " + names.back().toUtf8() + "\n"),
                 agent->story());
        const RunRecord record(place.path(names.back()).toStdString());
        QCOMPARE(record.number("select count(*) from tasks where state = 'succeeded'"), 1);
    }
    QCOMPARE(names.removeDuplicates(), 0);
    QCOMPARE(place.count(pattern), 3);
    QCOMPARE(place.count("*.tasuki"), 3);
    QCOMPARE(place.read("done").count('\n'), 3);
}

void TestLaunch::newRecordGoesOn_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("pattern");
    QTest::newRow("new") << QStringList{"farm", "list", "--new"} << "list-20*.tasuki";
    QTest::newRow("input") << QStringList{"farm", "-"} << "stdin-20*.tasuki";
}

// Fails if a run that is started again by its policy begins another record, or goes on with an older one.
void TestLaunch::newRecordGoesOn()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, pattern);
    const Workspace place;
    place.write("t.toml",
                "[system]\npolicy = \"restart\"\n[[subcluster]]\nname = \"a\"\nactive = 2\n");
    const QString list = place.write(
        "list", "echo a >> begun; while test ! -e go; do sleep 0.05; done; echo a >> ended\n");
    place.write("list.tasuki", "of an earlier run");
    place.write("stdin.tasuki", "of an earlier run");
    AgentProcess agent(place);
    agent.setInputFile(list);
    agent.start(Start::Launch, 2, arguments + QStringList{"--topology", "t.toml"});
    QTRY_VERIFY_WITH_TIMEOUT(place.exists("begun"), 20'000);
    QTest::qWait(500); // launch is told how to start it again
    const std::vector<pid_t> first = agent.ranks();
    QCOMPARE(first.size(), std::size_t{2});
    for (const pid_t rank : first)
        QCOMPARE(kill(rank, SIGKILL), 0);
    QTRY_VERIFY2_WITH_TIMEOUT(place.read("begun").count('\n') == 2, agent.story(), 30'000);
    place.write("go", "");
    QVERIFY2(agent.finish(30s) && agent.exitCode() == 0, agent.story());
    QCOMPARE(place.read("ended"), QByteArray("a\n"));
    QCOMPARE(place.count("*.tasuki"), 3);
    const QStringList names = QDir(place.path()).entryList({pattern});
    QCOMPARE(names.size(), 1);
    const RunRecord record(place.path(names.front()).toStdString());
    QCOMPARE(record.number("select max(id >> 40) from event"), 2);
    QCOMPARE(record.number("select count(*) from tasks where state = 'succeeded'"), 1);
    QCOMPARE(place.read("list.tasuki"), place.read("stdin.tasuki"));
}

namespace {

/// Names of all files below a directory.
QStringList filesBelow(const QString& directory)
{
    QStringList names;
    QDirIterator files(directory, QDir::Files | QDir::Hidden | QDir::System,
                       QDirIterator::Subdirectories);
    while (files.hasNext())
        names << QDir(directory).relativeFilePath(files.next());
    // By which windows find an agent: of one that is killed they stay until somebody looks for it.
    names.removeIf([](const QString& name) {
        return name.startsWith(".access/") || name.startsWith(".sockets/");
    });
    names.sort();
    return names;
}

} // namespace

void TestLaunch::recordThatIsNotKept_data()
{
    QTest::addColumn<Start>("start");
    QTest::addColumn<QString>("end");
    for (const char* end : {"done", "failed", "interrupted", "killed", "master lost"}) {
        const bool ofLaunch = end == QByteArray("killed") || end == QByteArray("master lost");
        QTest::addRow("%s, launch", end) << Start::Launch << end;
        if (!ofLaunch)
            QTest::addRow("%s, alone", end) << Start::Alone << end;
    }
    QTest::addRow("done, mpirun") << Start::Mpirun << "done";
    QTest::addRow("interrupted, mpirun") << Start::Mpirun << "interrupted";
}

// Fails if any file of the record is left, wherever that may be, if the run does not say so at its start and its end,
// if it is said to be resumable, or cps.log is missing.
void TestLaunch::recordThatIsNotKept()
{
    QFETCH(Start, start);
    QFETCH(QString, end);
    const Workspace place;
    const bool failed = end == "failed";
    place.write("list",
                failed ? "echo a >> begun; false\n"
                       : "echo a >> begun; while test ! -e go; do sleep 0.05; done\n");
    AgentProcess agent(place);
    for (const char* variable : {"TASUKI_LOCAL_DIR", "XDG_STATE_HOME", "TMPDIR"}) {
        QVERIFY(QDir(place.path()).mkpath(variable));
        agent.setVariable(variable, place.path(variable));
    }
    agent.start(start, 3, {"farm", "list", "--run", "none"});
    QTRY_VERIFY_WITH_TIMEOUT(place.exists("begun"), 20'000);
    if (end == "interrupted") {
        QVERIFY(agent.pid() > 1);
        QCOMPARE(kill(agent.pid(), SIGTERM), 0);
    } else if (end == "killed") {
        for (const pid_t rank : agent.ranks())
            QCOMPARE(kill(rank, SIGKILL), 0);
    } else if (end == "master lost") {
        QVERIFY(agent.rank(0) > 1);
        QCOMPARE(kill(agent.rank(0), SIGKILL), 0);
        QTest::qWait(1'000);
    }
    if (end != "interrupted" && end != "killed")
        place.write("go", "");
    QVERIFY2(agent.finish(40s), agent.story());
    const QByteArray told = agent.standardError();
    QVERIFY2(told.contains("tasuki: no record is kept; while the run goes on: tasuki-agent top "),
             agent.story());
    QVERIFY2(!told.contains("--resume") && !told.contains("can be resumed"), agent.story());
    const bool reports = end != "killed";
    QVERIFY2(told.contains("; no record is kept\n") == reports, agent.story());
    QVERIFY2(told.contains("the run cannot be resumed") == (end == "interrupted"), agent.story());
    const int code = failed ? 1 : end == "interrupted" ? 4 : end == "killed" ? 5 : 0;
    if (start != Start::Mpirun || code == 0)
        QVERIFY2(agent.exitCode() == code, agent.story());
    QVERIFY2(agent.remainder(2s).empty(), describeAll(agent.allProcesses()));
    QStringList expected{"begun", "list"};
    if (reports)
        expected << "cps.log";
    if (end != "interrupted" && reports)
        expected << "go";
    expected.sort();
    QCOMPARE(filesBelow(place.path()), expected);
}

// Fails if a run whose record goes with it cannot be watched and steered while it runs, or others could read that.
void TestLaunch::recordThatIsNotKeptIsFollowed()
{
    const Workspace place;
    place.write("list", "echo a >> begun; while test ! -e go; do sleep 0.05; done\n");
    AgentProcess agent(place);
    agent.setVariable("TASUKI_LOCAL_DIR", place.path("node"));
    agent.start(Start::Launch, 2, {"farm", "list", "--run", "none", "--quiet"});
    QTRY_VERIFY_WITH_TIMEOUT(place.exists("begun"), 20'000);
    QDirIterator records(place.path("node"), {"list.tasuki"}, QDir::Files,
                         QDirIterator::Subdirectories);
    QVERIFY(records.hasNext());
    const QFileInfo record(records.next());
    QCOMPARE(record.permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    QCOMPARE(QFileInfo(record.path()).permissions()
                 & (QFile::ReadGroup | QFile::ExeGroup | QFile::ReadOther | QFile::ExeOther),
             QFile::Permissions());
    AgentProcess show(place);
    QVERIFY2(show.run(Start::Alone, 0, {"show", record.filePath()}) == 0, show.story());
    QVERIFY2(show.standardOutput().contains("echo a >> begun"), show.story());
    AgentProcess cancel(place);
    QVERIFY2(cancel.run(Start::Alone, 0, {"cancel", record.filePath(), "0"}) == 0, cancel.story());
    QVERIFY2(agent.finish() && agent.exitCode() == 1, agent.story());
    QVERIFY(!QFileInfo::exists(record.path()));
}

void TestLaunch::hangUp_data()
{
    QTest::addColumn<Start>("start");
    QTest::addColumn<bool>("ignored");
    QTest::newRow("launch") << Start::Launch << false;
    QTest::newRow("alone") << Start::Alone << false;
    QTest::newRow("launch, nohup") << Start::Launch << true;
    QTest::newRow("alone, nohup") << Start::Alone << true;
}

// Fails if a run under nohup ends with its terminal, or if another one does not end as by Ctrl-C.
void TestLaunch::hangUp()
{
    QFETCH(Start, start);
    QFETCH(bool, ignored);
    const Workspace place;
    place.write("list.sh", "echo a >> begun; sleep 2; echo a >> ended\necho a >> ended\n");
    AgentProcess agent(place);
    if (ignored) {
        std::signal(SIGHUP, SIG_IGN);
    }
    agent.start(start, 1, {"farm", "list.sh"});
    std::signal(SIGHUP, SIG_DFL);
    QTRY_VERIFY_WITH_TIMEOUT(place.exists("begun"), 20'000);
    QVERIFY(agent.pid() > 1);
    QCOMPARE(kill(agent.pid(), SIGHUP), 0);
    QVERIFY2(agent.finish(20s), agent.story());
    QVERIFY2(agent.exitCode() == (ignored ? 0 : 4), agent.story());
    QCOMPARE(place.read("ended").count('\n'), ignored ? 2 : 1);
    QVERIFY2(agent.remainder(2s).empty(), describeAll(agent.allProcesses()));
}

void TestLaunch::quit_data()
{
    QTest::addColumn<Start>("start");
    QTest::newRow("launch") << Start::Launch;
    QTest::newRow("alone") << Start::Alone;
}

// Fails if Ctrl-\ leaves a task alive, waits for one, or ends the agent without a record of the end.
void TestLaunch::quit()
{
    QFETCH(Start, start);
    const Workspace place;
    place.write("list.sh", "echo a >> begun; (setsid sleep 60 &); sleep 60\n");
    AgentProcess agent(place);
    agent.start(start, 2, {"farm", "list.sh"});
    QTRY_VERIFY_WITH_TIMEOUT(place.exists("begun") && agent.taskProcesses().size() >= 2, 20'000);
    QVERIFY(agent.pid() > 1);
    QCOMPARE(kill(agent.pid(), SIGQUIT), 0);
    QVERIFY2(agent.finish(10s) && agent.exitCode() == 4, agent.story());
    QVERIFY2(agent.remainder(2s).empty(), describeAll(agent.allProcesses()));
    const RunRecord record(place.path("list.tasuki").toStdString());
    QCOMPARE(record.number("select count(*) from attempts where outcome = 'interrupted'"), 1);
}

// As under `| head`. Fails if mpirun has its say, or if the run neither ends nor can be gone on with.
void TestLaunch::nobodyReadsTheOutput()
{
    const Workspace place;
    QByteArray list;
    constexpr int many = 200;
    for (int number = 0; number < many; ++number) {
        list += "seq 300; sleep 0.1\n";
    }
    place.write("list.sh", list);
    AgentProcess agent(place);
    QProcess head;
    agent.pipeInto(head);
    agent.start(Start::Launch, 2, {"farm", "list.sh"});
    head.start("head", {"-n", "3"});
    QVERIFY(head.waitForFinished(20'000));
    QCOMPARE(head.readAllStandardOutput(), QByteArray("1\n2\n3\n"));
    QVERIFY2(agent.finish(20s) && agent.exitCode() == 4, agent.story());
    QVERIFY2(agent.standardError().contains("nobody reads standard output"), agent.story());
    for (const char* noise : {"SIGPIPE", "mpirun:", "Signal:", "-----"}) {
        QVERIFY2(!agent.standardError().contains(noise), agent.story());
    }
    AgentProcess resumed(place);
    QVERIFY2(resumed.run(Start::Launch, 4,
                         {"farm", "list.sh", "--slots", "8", "--resume", "list.tasuki"})
                 == 0,
             resumed.story());
}

// Fails if somebody with a narrow terminal does not see that Ctrl-C was heard and what it does next.
void TestLaunch::hintStandsOnALineOfItsOwn()
{
    const Workspace place;
    place.write("list.sh", "echo a >> begun; sleep 1.5\nsleep 1\n");
    AgentProcess agent(place);
    agent.start(Start::Launch, 1, {"farm", "list.sh"});
    QTRY_VERIFY_WITH_TIMEOUT(place.exists("begun"), 20'000);
    QCOMPARE(kill(agent.pid(), SIGINT), 0);
    QVERIFY2(agent.finish(20s) && agent.exitCode() == 4, agent.story());
    bool seen = false;
    for (const QByteArray& line : agent.standardError().split('\n')) {
        seen = seen || (line.contains("Ctrl-C again kills") && line.size() < 80);
    }
    QVERIFY2(seen, agent.story());
}

QTEST_GUILESS_MAIN(TestLaunch)

} // namespace tst_e2e_launch

#include "tst_e2e_launch.moc"
