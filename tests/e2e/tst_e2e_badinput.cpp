// SPDX-License-Identifier: GPL-3.0-or-later
//
// What people and disks do wrong: one clear error, the right exit code, and nothing touched.
// What breaks each test stands above it.
#include "agentprocess.h"
#include "runrecord.h"
#include "workspace.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <sqlite3.h>
#include <unistd.h>

namespace tst_e2e_badinput {

using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

QByteArrayList linesOf(const QByteArray& text)
{
    QByteArrayList lines = text.split('\n');
    lines.removeAll(QByteArray());
    return lines;
}

} // namespace

class TestBadInput : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void listThatCannotBeRead_data();
    void listThatCannotBeRead();
    void optionThatIsWrong_data();
    void optionThatIsWrong();
    void dryRunListsAllDiagnostics();
    void runFileThatCannotBeUsed_data();
    void runFileThatCannotBeUsed();
    void runFileInUse();
    void nameIsTaken_data();
    void nameIsTaken();
    void nameOfSomethingElse();
    void recordThatIsNotKept_data();
    void recordThatIsNotKept();
};

void TestBadInput::listThatCannotBeRead_data()
{
    QTest::addColumn<QString>("list");
    QTest::addColumn<Start>("start");
    for (const char* list : {"missing.sh", "directory.sh", "unreadable.sh", "file.sh/below.sh"}) {
        QTest::addRow("%s, launch", list) << list << Start::Launch;
        QTest::addRow("%s, mpirun", list) << list << Start::Mpirun;
        QTest::addRow("%s, alone", list) << list << Start::Alone;
    }
}

// Fails if the error is told by every rank, or in the words of MPI_Abort, or with the exit code 0; if
// a rank hangs because another has left; or if a run file is made although nothing can run.
void TestBadInput::listThatCannotBeRead()
{
    QFETCH(QString, list);
    QFETCH(Start, start);
    const Workspace place;
    QVERIFY(QDir(place.path()).mkdir("directory.sh"));
    place.write("file.sh", "true\n");
    place.write("unreadable.sh", "true\n");
    QVERIFY(QFile::setPermissions(place.path("unreadable.sh"), {}));
    if (list == "unreadable.sh" && geteuid() == 0) {
        QSKIP("root can read every file");
    }
    AgentProcess agent(place);
    const int code = agent.run(start, 3, {"farm", list}, {}, 20s);
    QVERIFY2(code == 2, agent.story());
    const auto lines = linesOf(agent.ownError());
    QVERIFY2(lines.size() == 1 && lines.front().contains(list.toUtf8()), agent.story());
    QVERIFY2(!agent.standardError().contains("MPI_ABORT"), agent.story());
    QVERIFY2(agent.standardOutput().isEmpty(), agent.story());
    QCOMPARE(place.count("*.tasuki"), 0);
    QVERIFY2(agent.remainder(2s).empty(), describeAll(agent.allProcesses()));
}

void TestBadInput::optionThatIsWrong_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("mentioned");
    QTest::newRow("unknown option") << QStringList{"few.sh", "--slotz", "2"} << "--slotz";
    QTest::newRow("no slots") << QStringList{"few.sh", "--slots", "0"} << "--slots";
    QTest::newRow("slots are no number") << QStringList{"few.sh", "--slots", "many"} << "--slots";
    QTest::newRow("no duration") << QStringList{"few.sh", "--timeout", "soon"} << "--timeout";
    QTest::newRow("no list") << QStringList{} << "TASKS";
    QTest::newRow("two run files")
        << QStringList{"few.sh", "--run", "a.tasuki", "--resume", "b.tasuki"} << "--resume";
}

// Fails if a wrong option is ignored, or the error does not name it.
void TestBadInput::optionThatIsWrong()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, mentioned);
    const Workspace place;
    place.write("few.sh", "echo ran >> ran\n");
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Launch, 2, QStringList{"farm"} + arguments, {}, 20s) == 2,
             agent.story());
    QVERIFY2(agent.standardError().contains(mentioned.toUtf8()), agent.story());
    QVERIFY2(linesOf(agent.standardError()).size() <= 2, agent.story());
    QVERIFY(!place.exists("ran"));
}

// Fails if the first problem hides the others, if a place is missing or wrong, or if anything runs.
void TestBadInput::dryRunListsAllDiagnostics()
{
    const Workspace place;
    place.write("bad.sh",
                QByteArray("echo ran >> ran\n"         // 1
                           "echo 'never closed\n"      // 2
                           "#TASUKI retries=many\n"    // 3
                           "#TASUKI nonsense=1\n"      // 4
                           "#TASUKI after=nobody\n"    // 5
                           "true\n"                    // 6
                           "#TASUKI label=x after=y\n" // 7
                           "true\n"                    // 8
                           "#TASUKI label=y after=x\n" // 9
                           "true\n")                   // 10
                    + QByteArray("echo a\0b\n", 9)     // 11
                    + "echo carriage return\r\n");     // 12
    AgentProcess agent(place);
    agent.run(Start::Launch, 2, {"farm", "bad.sh", "--dry-run"}, {}, 20s);
    QVERIFY2(agent.exitCode() == 2, agent.story());
    const QString told = QString::fromUtf8(agent.standardError() + agent.standardOutput());
    for (const int line : {2, 3, 4, 5, 11, 12}) {
        const QRegularExpression diagnostic(QString("bad\\.sh:%1:\\d+: .+").arg(line));
        QVERIFY2(diagnostic.match(told).hasMatch(),
                 qPrintable(QString::number(line) + " in\n" + told));
    }
    QVERIFY2(QRegularExpression("bad\\.sh:(7|9):\\d+: .*").match(told).hasMatch(), agent.story());
    QVERIFY2(!place.exists("ran") && place.count("*.tasuki") == 0, agent.story());

    place.write("good.sh", "echo ran >> ran\n");
    AgentProcess good(place);
    QVERIFY2(good.run(Start::Launch, 2, {"farm", "good.sh", "--dry-run"}, {}, 20s) == 0,
             good.story());
    QVERIFY(!place.exists("ran"));
}

void TestBadInput::runFileThatCannotBeUsed_data()
{
    QTest::addColumn<QString>("damage");
    QTest::newRow("of a newer version") << "version";
    QTest::newRow("of another program") << "text";
    QTest::newRow("truncated") << "truncate";
    QTest::newRow("empty") << "empty";
    QTest::newRow("missing") << "missing";
}

// Fails if such a file is changed, repaired or replaced, gets side files, or is not told apart from
// wrong input by the exit code.
void TestBadInput::runFileThatCannotBeUsed()
{
    QFETCH(QString, damage);
    const Workspace place;
    place.write("few.sh", "echo ran >> ran\ntrue\n");
    AgentProcess first(place);
    QVERIFY2(first.run(Start::Launch, 2, {"farm", "few.sh"}) == 0, first.story());
    QFile::remove(place.path("ran"));
    place.write("few.sh", "echo ran >> ran\ntrue\necho new >> ran\n");

    if (damage == "version") {
        sqlite3* database = nullptr;
        QCOMPARE(sqlite3_open(place.path("few.tasuki").toUtf8().constData(), &database), SQLITE_OK);
        QCOMPARE(sqlite3_exec(database, "PRAGMA user_version = 12345", nullptr, nullptr, nullptr),
                 SQLITE_OK);
        sqlite3_close(database);
    } else if (damage == "text") {
        place.write("few.tasuki", "these are my notes, and nobody shall touch them\n");
    } else if (damage == "truncate") {
        const QByteArray whole = place.read("few.tasuki");
        place.write("few.tasuki", whole.left(whole.size() / 2));
    } else if (damage == "empty") {
        place.write("few.tasuki", "");
    } else {
        QVERIFY(QFile::remove(place.path("few.tasuki")));
    }
    const QByteArray before = place.read("few.tasuki");
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Launch, 2, {"farm", "few.sh", "--resume", "few.tasuki"}, {}, 20s)
                 == 3,
             agent.story());
    const auto lines = linesOf(agent.standardError());
    QVERIFY2(lines.size() == 1 && lines.front().contains("few.tasuki"), agent.story());
    QCOMPARE(place.read("few.tasuki"), before);
    QCOMPARE(place.exists("few.tasuki"), damage != "missing");
    QVERIFY2(!place.exists("few.tasuki-wal") && !place.exists("few.tasuki-shm"), agent.story());
    QVERIFY(!place.exists("ran"));

    AgentProcess show(place);
    QVERIFY2(show.run(Start::Alone, 0, {"show", "few.tasuki"}, {}, 20s) == 3, show.story());
    QCOMPARE(place.read("few.tasuki"), before);
}

// Fails if two agents can write one run file, or if the second one disturbs the first.
void TestBadInput::runFileInUse()
{
    const Workspace place;
    place.write("slow.sh", "echo a >> ran; sleep 4\n");
    AgentProcess first(place);
    first.start(Start::Launch, 1, {"farm", "slow.sh"});
    QTRY_VERIFY_WITH_TIMEOUT(place.exists("ran"), 20'000);
    AgentProcess second(place);
    QVERIFY2(second.run(Start::Launch, 1, {"farm", "slow.sh", "--resume", "slow.tasuki"}, {}, 20s)
                 == 3,
             second.story());
    QVERIFY2(linesOf(second.standardError()).size() == 1
                 && second.standardError().contains("slow.tasuki"),
             second.story());
    QVERIFY2(first.finish() && first.exitCode() == 0, first.story());
    QCOMPARE(place.read("ran"), QByteArray("a\n"));
    const RunRecord record(place.path("slow.tasuki").toStdString());
    QCOMPARE(record.number("select count(*) from tasks where state = 'succeeded'"), 1);
}

void TestBadInput::nameIsTaken_data()
{
    QTest::addColumn<Start>("start");
    QTest::newRow("launch") << Start::Launch;
    QTest::newRow("mpirun") << Start::Mpirun;
    QTest::newRow("alone") << Start::Alone;
}

// Fails if the second start of a list changes its record, runs anything, tells it more than once or with another
// exit code, or offers something that does not work.
void TestBadInput::nameIsTaken()
{
    QFETCH(Start, start);
    const Workspace place;
    place.write("few.sh", "echo a >> ran\ntest -e mended\n");
    AgentProcess first(place);
    QVERIFY2(first.run(start, 2, {"farm", "few.sh"}) == 1, first.story());
    const QByteArray before = place.read("few.tasuki");
    AgentProcess second(place);
    QVERIFY2(second.run(start, 2, {"farm", "few.sh"}, {}, 20s) == 3, second.story());
    const QByteArray told = second.ownError();
    QVERIFY2(told.count("exists already; it is a record of 2 tasks, 1 done, 1 failed, begun 20")
                 == 1,
             second.story());
    for (const char* offer : {"--resume few.tasuki ", "--retry-failed", "--new ", "few-20",
                              "--run NAME\n", "--run none\n"})
        QVERIFY2(told.count(offer) == 1, second.story());
    QVERIFY2(linesOf(told).size() == 5 && !told.contains("MPI_ABORT"), second.story());
    QCOMPARE(place.read("few.tasuki"), before);
    QCOMPARE(place.read("ran"), QByteArray("a\n"));

    place.write("mended", "");
    AgentProcess resumed(place);
    QVERIFY2(resumed.run(start, 2, {"farm", "few.sh", "--resume", "few.tasuki", "--retry-failed"})
                 == 0,
             resumed.story());
    QCOMPARE(place.read("ran"), QByteArray("a\n"));
    AgentProcess named(place);
    QVERIFY2(named.run(start, 2, {"farm", "few.sh", "--run", "NAME"}) == 0, named.story());
    QVERIFY2(place.exists("NAME") && place.count("*.tasuki") == 1, named.story());
    QCOMPARE(place.read("ran"), QByteArray("a\na\n"));
}

// Fails if a living run is disturbed or offered to be resumed, or damage is offered to be gone on with.
void TestBadInput::nameOfSomethingElse()
{
    const Workspace place;
    place.write("slow.sh", "echo a >> ran; while test ! -e stop; do sleep 0.05; done\n");
    AgentProcess first(place);
    first.start(Start::Launch, 2, {"farm", "slow.sh"});
    QTRY_VERIFY_WITH_TIMEOUT(place.exists("ran"), 20'000);
    AgentProcess second(place);
    QVERIFY2(second.run(Start::Launch, 2, {"farm", "slow.sh"}, {}, 20s) == 3, second.story());
    QVERIFY2(second.standardError().contains("1 task, 0 done, 0 failed, 1 left"), second.story());
    QVERIFY2(second.standardError().contains("a run writes it now: process "), second.story());
    QVERIFY2(second.standardError().contains("tasuki-agent top slow.tasuki"), second.story());
    QVERIFY2(!second.standardError().contains("--resume"), second.story());
    place.write("stop", "");
    QVERIFY2(first.finish() && first.exitCode() == 0, first.story());
    QCOMPARE(place.read("ran"), QByteArray("a\n"));

    QVERIFY(QFile::resize(place.path("slow.tasuki"), 20'000));
    const QByteArray before = place.read("slow.tasuki");
    AgentProcess third(place);
    QVERIFY2(third.run(Start::Alone, 0, {"farm", "slow.sh"}, {}, 20s) == 3, third.story());
    QVERIFY2(third.standardError().contains("slow.tasuki: exists already, but is truncated"),
             third.story());
    QVERIFY2(!third.standardError().contains("--resume"), third.story());
    QVERIFY2(third.standardError().contains("--new"), third.story());
    QCOMPARE(place.read("slow.tasuki"), before);
}

void TestBadInput::recordThatIsNotKept_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("mentioned");
    const QStringList none{"farm", "few.sh", "--run", "none"};
    QTest::newRow("continued") << none + QStringList{"--continue"} << "--continue";
    QTest::newRow("requeued") << none + QStringList{"--requeue"} << "--requeue";
    QTest::newRow("started again")
        << none + QStringList{"--topology", "restart.toml"} << "the policy restart of restart.toml";
    const QStringList fresh{"farm", "few.sh", "--new"};
    QTest::newRow("new, requeued")
        << fresh + QStringList{"--requeue"} << "few-$SLURM_JOB_ID.tasuki";
    QTest::newRow("new, resumed") << fresh + QStringList{"--resume", "r"} << "--resume";
}

// Fails if a run begins that promises to go on, and could not.
void TestBadInput::recordThatIsNotKept()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, mentioned);
    const Workspace place;
    place.write("few.sh", "echo ran >> ran\n");
    place.write("restart.toml",
                "[system]\npolicy = \"restart\"\n[[subcluster]]\nname = \"a\"\nactive = 2\n");
    AgentProcess agent(place);
    agent.setVariable("TASUKI_LOCAL_DIR", place.path("node"));
    QVERIFY2(agent.run(Start::Launch, 2, arguments, {}, 20s) == 2, agent.story());
    QVERIFY2(agent.standardError().contains(mentioned.toUtf8()), agent.story());
    QVERIFY2(linesOf(agent.standardError()).size() == 1, agent.story());
    QVERIFY(!place.exists("ran") && place.count("*.tasuki") == 0);
    QVERIFY(QDir(place.path("node")).entryList({"unkept-*"}).isEmpty());
}

QTEST_GUILESS_MAIN(TestBadInput)

} // namespace tst_e2e_badinput

#include "tst_e2e_badinput.moc"
