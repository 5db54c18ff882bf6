// SPDX-License-Identifier: GPL-3.0-or-later
//
// MPI programs of others as ranks of subclusters. What breaks each test stands above it.
#include "agentprocess.h"
#include "runrecord.h"
#include "workspace.h"

#include <QRegularExpression>
#include <QTest>

#include <csignal>
#include <map>
#include <string>

namespace tst_e2e_worlds {

using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

const QString program = QStringLiteral(TASUKI_WORLD_PROGRAM);

QStringList world(const QStringList& words, const QStringList& options = {})
{
    return QStringList{"world"} + options + QStringList{"--"} + words;
}

/// What mpirun prints of the same program, for what differs from run to run.
QByteArray underMpirun(const Workspace& place, int ranks, const QStringList& words)
{
    QProcess mpirun;
    mpirun.setWorkingDirectory(place.path());
    mpirun.start(QStringLiteral("mpirun"),
                 QStringList{"-n", QString::number(ranks), "--oversubscribe"} + words);
    if (!mpirun.waitForFinished(60'000) || mpirun.exitCode() != 0)
        return "mpirun failed: " + mpirun.readAllStandardError();
    return mpirun.readAllStandardOutput();
}

QByteArray withoutTimes(QByteArray text)
{
    static const QRegularExpression time(QStringLiteral("seconds=\\S+"));
    return QString::fromUtf8(text).replace(time, QStringLiteral("seconds=")).toUtf8();
}

} // namespace

class TestWorldRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void workloads_data();
    void workloads();
    void standardInput();
    void unfinishedLine();
    void muchOutput();
    void worldsSideBySide();
    void ends_data();
    void ends();
    void killedProgram();
    void shown();
    void lost_data();
    void lost();
    void resumed();
    void refused_data();
    void refused();
};

void TestWorldRuns::workloads_data()
{
    QTest::addColumn<QStringList>("words");
    for (const char* distribution : {"block", "cyclic", "uneven"})
        QTest::addRow("lu %s", distribution)
            << QStringList{QStringLiteral(TASUKI_LU), "--size", "60", "--distribution",
                           QString::fromLatin1(distribution)};
    QTest::newRow("matmul") << QStringList{QStringLiteral(TASUKI_MATMUL), "--size", "60"};
    QTest::newRow("stencil") << QStringList{QStringLiteral(TASUKI_STENCIL), "--size", "20"};
}

// Fails if a program prints anything else in a subcluster than under mpirun.
void TestWorldRuns::workloads()
{
    QFETCH(QStringList, words);
    const Workspace place;
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Launch, 4, world(words)) == 0, agent.story());
    QCOMPARE(withoutTimes(agent.standardOutput()), withoutTimes(underMpirun(place, 4, words)));
}

// Fails if standard input is not that of rank 0 alone, whole, with its end.
void TestWorldRuns::standardInput()
{
    QByteArray text;
    while (text.size() < 3'000'000)
        text += QByteArray::number(text.size()) + '\n';
    for (const Start start : {Start::Launch, Start::Mpirun, Start::Alone}) {
        const Workspace place;
        AgentProcess agent(place);
        agent.setInputFile(place.write("input", text));
        int code = -1;
        // mpirun of Open MPI 4 may itself crash while it hands on a file: github.com/open-mpi/ompi/issues/7483
        for (int i = 0; i < 3 && code != 0; ++i) {
            code = agent.run(start, 2,
                             world({"sh", "-c", "cat > got.$TASUKI_WORLD_RANK"},
                                   {"--run", QString("input%1.tasuki").arg(i)}));
            if (start != Start::Mpirun
                || !agent.standardError().contains("orte_iof_hnp_read_local_handler"))
                break;
        }
        QVERIFY2(code == 0, agent.story());
        QVERIFY(place.read("got.0") == text);
        QCOMPARE(place.read("got.1"), QByteArray());
    }
}

// Fails if a byte is added to what a program has printed, or taken away.
void TestWorldRuns::unfinishedLine()
{
    const Workspace place;
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Launch, 1, world({"printf", "a\\nb"})) == 0, agent.story());
    QCOMPARE(agent.standardOutput(), QByteArray("a\nb"));
}

// Fails if output is lost, or kept in memory.
void TestWorldRuns::muchOutput()
{
    constexpr int megabytes = 64;
    const Workspace place;
    AgentProcess agent(place);
    agent.setOutputFile(place.path("out"));
    QVERIFY2(agent.run(Start::Launch, 2, world({program, "print", QString::number(megabytes)}))
                 == 0,
             agent.story());
    QCOMPARE(QFileInfo(place.path("out")).size(), qint64{megabytes} << 20U);
}

// Fails if two worlds of one system see each other, or a task of the list lands among their ranks.
void TestWorldRuns::worldsSideBySide()
{
    const Workspace place;
    place.write("two.toml",
                "[[subcluster]]\nname = \"first\"\nactive = 2\nworld = { command = \""
                    + program.toUtf8()
                    + " talk 20\" }\n[[subcluster]]\nname = \"second\"\nactive = 3\nworld = { "
                      "command = \""
                    + program.toUtf8()
                    + " talk 30\", env = { WHO = \"b\" } }\n[[subcluster]]\nname = \"rest\"\n"
                      "active = 1\n");
    place.write("list.sh", "echo one\necho two\n");
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Launch, 6, {"farm", "list.sh", "--topology", "two.toml"}) == 0,
             agent.story());
    QList<QByteArray> lines = agent.standardOutput().split('\n');
    std::ranges::sort(lines);
    QCOMPARE(lines, (QList<QByteArray>{"", "2 ranks", "3 ranks", "one", "two"}));
    const RunRecord record(place.path("list.tasuki").toStdString());
    QCOMPARE(record.number("select count(*) from attempts where task < 2 and rank = 5"), 2);
}

void TestWorldRuns::ends_data()
{
    QTest::addColumn<QString>("way");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("abort") << "abort" << 1
                           << QByteArray("tasuki-world: MPI_Abort on rank 1 with code 7\n");
    QTest::newRow("code of an abort") << "abort" << 1 << QByteArray("rank 1 failed, exit code 7: ");
    QTest::newRow("crash") << "crash" << 1 << QByteArray("rank 1 failed, exit code 134: ");
    QTest::newRow("code") << "code" << 1 << QByteArray("rank 1 failed, exit code 9: ");
    QTest::newRow("the others") << "code" << 1 << QByteArray("world system cancelled 3 tasks\n");
    QTest::newRow("no MPI_Finalize")
        << "exit" << 1
        << QByteArray("tasuki: the program has ended between MPI_Init and MPI_Finalize\n");
    QTest::newRow("not even exit handlers")
        << "leave" << 1 << QByteArray("the program has ended between MPI_Init and MPI_Finalize\n");
    QTest::newRow("no MPI_Init of one")
        << "outside" << 1
        << QByteArray("tasuki: rank 2 has ended without MPI_Init, and the others wait for it\n");
    QTest::newRow("what it leaves behind") << "fork" << 0 << QByteArray("4 succeeded");
}

// Fails if a program's end is not told, hangs, or leaves processes behind.
void TestWorldRuns::ends()
{
    QFETCH(QString, way);
    QFETCH(int, code);
    QFETCH(QByteArray, said);
    const Workspace place;
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Launch, 4, world({program, way}), {}, 30s) == code, agent.story());
    QVERIFY2(agent.standardError().contains(said), agent.story());
    QVERIFY2(agent.remainder(2s).empty(), describeAll(agent.allProcesses()));
}

// Fails if the ranks of a program that was killed wait for it.
void TestWorldRuns::killedProgram()
{
    const Workspace place;
    AgentProcess agent(place);
    agent.start(Start::Launch, 3, world({program, "wait"}));
    const auto programs = [&] {
        std::vector<pid_t> found;
        for (const ProcessInfo& one : agent.taskProcesses()) {
            if (one.name == "worldprogram")
                found.push_back(one.pid);
        }
        return found;
    };
    QTRY_VERIFY_WITH_TIMEOUT(programs().size() == 3, 20'000);
    QCOMPARE(kill(programs().front(), SIGKILL), 0);
    QVERIFY2(agent.finish(20s) && agent.exitCode() == 1, agent.story());
    QVERIFY2(agent.standardError().contains("failed, exit code 137: "), agent.story());
    QVERIFY2(agent.remainder(2s).empty(), describeAll(agent.allProcesses()));
}

// Fails if it cannot be told from a terminal what ranks do.
void TestWorldRuns::shown()
{
    const Workspace place;
    AgentProcess agent(place);
    agent.start(Start::Launch, 2, world({program, "idle"}));
    const auto shownNow = [&](const QStringList& options) {
        AgentProcess show(place);
        show.run(Start::Alone, 1, QStringList{"show", "worldprogram.tasuki", "--worlds"} + options);
        return show.standardOutput();
    };
    QTRY_VERIFY_WITH_TIMEOUT(place.exists("worldprogram.tasuki")
                                 && shownNow({}).contains("waits in MPI_Barrier"),
                             30'000);
    const QByteArray lines = shownNow({"--format", "jsonl"});
    QVERIFY2(lines.contains("\"call\":\"MPI_Barrier\"")
                 && lines.contains("\"program\":\"computing\""),
             lines);
    for (int i = 0; i < 2; ++i) {
        QCOMPARE(kill(agent.pid(), SIGINT), 0);
        QTest::qWait(300);
    }
    QVERIFY2(agent.finish(20s), agent.story());
    const QByteArray after = shownNow({});
    QVERIFY2(after.count("queued") == 2 && !after.contains("MPI_"), after);
}

void TestWorldRuns::lost_data()
{
    QTest::addColumn<bool>("processor");
    QTest::addColumn<QString>("keys");
    QTest::addColumn<bool>("goesOn");
    QTest::newRow("a program") << false << "" << true;
    QTest::newRow("a program, nothing kept") << false << ", deterministic = false" << false;
    QTest::newRow("a program, too little kept") << false << ", log_mb = 1" << false;
    QTest::newRow("a processor") << true << "" << true;
    QTest::newRow("a processor, nothing kept") << true << ", deterministic = false" << false;
    QTest::newRow("a processor, too little kept") << true << ", log_mb = 1" << false;
}

// Fails if a rank that is lost does not go on alone, or a world of which not all is kept does not begin again, or does not say so.
void TestWorldRuns::lost()
{
    QFETCH(bool, processor);
    QFETCH(QString, keys);
    QFETCH(bool, goesOn);
    const Workspace place;
    place.write("t.toml",
                QString("[[subcluster]]\nname = \"solver\"\nactive = 3\nstandby = 1\n"
                        "world = { command = \"%1 talk 6000 goon\"%2 }\n")
                    .arg(program, keys)
                    .toUtf8());
    AgentProcess agent(place);
    agent.start(Start::Launch, 4, {"world", "t.toml", "--run", "r.tasuki"});
    // By rank; of a process that has just begun or ends, nothing is known.
    const auto programs = [&] {
        std::map<std::string, pid_t> found;
        for (const ProcessInfo& one : agent.taskProcesses()) {
            if (one.name == "worldprogram")
                found[environmentOf(one.pid, "TASUKI_WORLD_RANK").value_or("")] = one.pid;
        }
        found.erase("");
        return found;
    };
    std::map<std::string, pid_t> before;
    QTRY_VERIFY_WITH_TIMEOUT(
        place.exists("goon.0") && place.exists("goon.1") && place.exists("goon.2"), 60'000);
    QTRY_VERIFY_WITH_TIMEOUT((before = programs()).size() == 3, 20'000);
    QCOMPARE(kill(processor ? agent.rank(1) : before["1"], SIGKILL), 0);
    std::map<std::string, pid_t> after;
    const auto isNew = [&](const std::string& rank) { return after[rank] != before[rank]; };
    // A rank of which too little is kept starts alone and finds out: the others follow it.
    QTRY_VERIFY_WITH_TIMEOUT((after = programs()).size() == 3 && isNew("1")
                                 && (goesOn || (isNew("0") && isNew("2"))),
                             20'000);
    QVERIFY(!goesOn || (!isNew("0") && !isNew("2")));
    place.write("goon", "");
    QVERIFY2(agent.finish(120s) && agent.exitCode() == 0, agent.story());
    QCOMPARE(agent.standardOutput(), QByteArray("3 ranks\n"));
    const QByteArray told = agent.standardError();
    QCOMPARE(told.contains("rank 1 of world solver goes on"), goesOn || keys.contains("log_mb"));
    QCOMPARE(told.contains("world solver goes back to its start"), !goesOn);
    QCOMPARE(told.contains("log_mb lets its log keep, 1 MiB"), keys.contains("log_mb"));
    const RunRecord record(place.path("r.tasuki").toStdString());
    QVERIFY(record.number("select count(*) from attempts where outcome = 'lost'") == 1);
    // Up to its middle.
    QCOMPARE(record.number("select count(*) from event join kind on kind.id = event.kind "
                           "join detail on detail.event = event.id where kind.name = "
                           "'rank replays' and detail.name = 'took_us' and value > 0"),
             goesOn ? 1 : 0);
    QCOMPARE(record.number("select count(*) from attempts"),
             goesOn ? 4 : 6 + (keys.contains("log_mb") ? 1 : 0));
    QCOMPARE(record.number("select count(*) from tasks where state = 'succeeded'"), 3);
}

// Fails if a world that was interrupted is not done again as a whole.
void TestWorldRuns::resumed()
{
    const Workspace place;
    place.write("once.sh", "test -e again || exec sleep 60\n");
    AgentProcess agent(place);
    agent.start(
        Start::Launch, 2,
        world({"sh", "-c", "test -e again || { touch begun; sleep 60; }"}, {"--run", "r.tasuki"}));
    QTRY_VERIFY_WITH_TIMEOUT(place.exists("begun"), 20'000);
    for (int i = 0; i < 2; ++i) {
        QCOMPARE(kill(agent.pid(), SIGINT), 0);
        QTest::qWait(300);
    }
    QVERIFY2(agent.finish(20s) && agent.exitCode() == 4, agent.story());
    place.write("again", "");
    AgentProcess next(place);
    QVERIFY2(next.run(Start::Launch, 2, {"world", "--resume", "r.tasuki"}) == 0, next.story());
    AgentProcess other(place);
    QVERIFY2(other.run(Start::Launch, 3, {"world", "--resume", "r.tasuki"}) == 2, other.story());
    QVERIFY2(other.standardError().contains("the run has a world of 2 ranks"), other.story());
}

void TestWorldRuns::refused_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("nothing") << QStringList{"world"} << QByteArray("world: no program; usage: ");
    QTest::newRow("no world") << QStringList{"world", "one.toml"}
                              << QByteArray("no subcluster of one.toml says what it runs; ");
    QTest::newRow("which one") << QStringList{"world", "two.toml", "--", "true"}
                               << QByteArray("the topology has 2 subclusters; say which one");
    QTest::newRow("no such one") << QStringList{"world", "two.toml", "--in", "c", "--", "true"}
                                 << QByteArray("--in 'c': the topology has no such subcluster; "
                                               "its subclusters are a, b");
}

// Fails if what is not clear is guessed.
void TestWorldRuns::refused()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, said);
    const Workspace place;
    place.write("one.toml", "[[subcluster]]\nname = \"a\"\nactive = 2\n");
    place.write("two.toml",
                "[[subcluster]]\nname = \"a\"\nactive = 1\n[[subcluster]]\nname = \"b\"\n"
                "active = 1\n");
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Launch, 2, arguments) == 2, agent.story());
    QVERIFY2(agent.standardError().contains(said), agent.story());
}

QTEST_GUILESS_MAIN(TestWorldRuns)

} // namespace tst_e2e_worlds

#include "tst_e2e_worlds.moc"
