// SPDX-License-Identifier: GPL-3.0-or-later
//
// Records that are shipped to the run file, and run files that are deleted. What breaks each test stands above it.
#include "agentprocess.h"
#include "runrecord.h"
#include "workspace.h"

#include <QDir>
#include <QFile>
#include <QTest>
#include <csignal>
#include <sqlite3.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace tst_e2e_record {

using namespace tasuki::testing;

namespace {

constexpr int taskCount = 40;

QByteArray tasksWithTraces()
{
    QByteArray list;
    for (int number = 0; number < taskCount; ++number)
        list += "sleep 0.2; echo >> task." + QByteArray::number(number) + "\n";
    return list;
}

int succeededIn(const QString& file)
{
    return static_cast<int>(RunRecord(file.toStdString())
                                .number("select count(*) from tasks where state = 'succeeded'"));
}

/// @return how many tasks have more than one success
int succeededTwiceIn(const QString& file)
{
    return static_cast<int>(
        RunRecord(file.toStdString())
            .number("select count(*) from (select task from attempts where outcome = "
                    "'succeeded' group by task having count(*) > 1)"));
}

/// Has a run file as a process has it that stands still while it records: the lock beside it, and SQLite's.
class StandStill {
public:
    explicit StandStill(const QString& file)
    {
        const QByteArray lock = (file + ".lock").toUtf8();
        QFile::remove(file + ".lock");
        m_lock = ::open(lock.constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (m_lock < 0 || flock(m_lock, LOCK_EX | LOCK_NB) != 0)
            qFatal("no lock");
        sqlite3_open(file.toUtf8().constData(), &m_database);
        sqlite3_busy_timeout(m_database, 10'000);
        if (sqlite3_exec(m_database, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) != SQLITE_OK)
            qFatal("%s", sqlite3_errmsg(m_database));
    }
    StandStill(const StandStill&) = delete;
    StandStill& operator=(const StandStill&) = delete;
    ~StandStill()
    {
        sqlite3_close(m_database);
        ::close(m_lock);
    }

private:
    int m_lock = -1;
    sqlite3* m_database = nullptr;
};

} // namespace

class TestRecord : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup();
    void deletedInMidRun_data();
    void deletedInMidRun();
    void masterIsKilled();
    void killedAndResumedElsewhere();
    void lockDeletedAndResumedInMidRun();
    void masterThatHoldsTheFile_data();
    void masterThatHoldsTheFile();

private:
    static void shipFrom(const Workspace& place, const QString& node)
    {
        qputenv("TASUKI_RECORD", "shipped");
        qputenv("TASUKI_LOCAL_DIR", place.path(node).toUtf8());
    }
};

void TestRecord::cleanup()
{
    qunsetenv("TASUKI_RECORD");
    qunsetenv("TASUKI_LOCAL_DIR");
}

void TestRecord::deletedInMidRun_data()
{
    QTest::addColumn<bool>("shipped");
    QTest::newRow("in place") << false;
    QTest::newRow("shipped") << true;
}

// Fails if a run file that is deleted while the run goes on is missed by nobody, or its record is lost.
void TestRecord::deletedInMidRun()
{
    QFETCH(bool, shipped);
    const Workspace place;
    if (shipped)
        shipFrom(place, QStringLiteral("node"));
    place.write("t.sh", tasksWithTraces());
    AgentProcess agent(place);
    agent.start(Start::Alone, 0, {"farm", "t.sh", "--slots", "2"});
    QTRY_VERIFY_WITH_TIMEOUT(place.count("task.*") >= 4, 20'000);
    QVERIFY(QFile::remove(place.path("t.tasuki")));
    QVERIFY2(agent.finish(), agent.story());
    QVERIFY2(agent.exitCode() == 3, agent.story());
    QVERIFY2(agent.standardError().contains("t.saved.tasuki"), agent.story());
    QCOMPARE(succeededIn(place.path("t.saved.tasuki")), taskCount);
    QVERIFY(!place.exists("t.tasuki"));
}

// Fails if a successor on the same host cannot go on with a record that the dead master has shipped, or
// tasks that were told run again.
void TestRecord::masterIsKilled()
{
    const Workspace place;
    shipFrom(place, QStringLiteral("node"));
    place.write("t.sh", tasksWithTraces());
    AgentProcess agent(place);
    agent.start(Start::Launch, 3, {"farm", "t.sh", "--slots", "1"});
    QTRY_VERIFY_WITH_TIMEOUT(place.count("task.*") >= 6, 20'000);
    const pid_t victim = agent.rank(0);
    QVERIFY2(victim > 1, describeAll(agent.allProcesses()));
    QCOMPARE(kill(victim, SIGKILL), 0);
    QVERIFY2(agent.finish() && agent.exitCode() == 0, agent.story());
    QCOMPARE(succeededIn(place.path("t.tasuki")), taskCount);
    const RunRecord record(place.path("t.tasuki").toStdString());
    QCOMPARE(record.number("select count(*) from attempts where outcome = 'succeeded'"), taskCount);
    QVERIFY(place.read("t.tasuki").startsWith("SQLite format 3"));
}

// Fails if a run cannot go on from what was shipped alone, or `show` on another node does not say how old
// what it shows is.
void TestRecord::killedAndResumedElsewhere()
{
    const Workspace place;
    shipFrom(place, QStringLiteral("first"));
    place.write("t.sh", tasksWithTraces());
    {
        AgentProcess agent(place);
        agent.start(Start::Alone, 0, {"farm", "t.sh", "--slots", "2"});
        QTRY_VERIFY_WITH_TIMEOUT(place.count("task.*") >= 6, 20'000);
        QVERIFY2(agent.pid() > 1, agent.story());
        QCOMPARE(kill(agent.pid(), SIGKILL), 0);
        QVERIFY(agent.finish());
    }
    QVERIFY(QDir(place.path("first")).removeRecursively());
    shipFrom(place, QStringLiteral("second"));
    AgentProcess show(place);
    QCOMPARE(show.run(Start::Alone, 0, {"show", "t.tasuki"}), 0);
    QVERIFY2(show.standardError().contains(" s ago, written by process "), show.story());
    QVERIFY2(!show.standardOutput().contains(" 0 succeeded"), show.story());
    AgentProcess agent(place);
    QCOMPARE(agent.run(Start::Alone, 0, {"farm", "--resume", "t.tasuki", "--slots", "2"}), 0);
    QCOMPARE(succeededIn(place.path("t.tasuki")), taskCount);
}

// Fails if two agents record at a time when the lock file is gone: then tasks have two successes.
void TestRecord::lockDeletedAndResumedInMidRun()
{
    const Workspace place;
    place.write("t.sh", tasksWithTraces());
    AgentProcess older(place);
    older.start(Start::Alone, 0, {"farm", "t.sh", "--slots", "2"});
    QTRY_VERIFY_WITH_TIMEOUT(place.count("task.*") >= 4, 20'000);
    QVERIFY(QFile::remove(place.path("t.tasuki.lock")));
    AgentProcess newer(place);
    newer.start(Start::Alone, 0, {"farm", "t.sh", "--slots", "2", "--resume", "t.tasuki"});
    QVERIFY2(older.finish(), older.story());
    QVERIFY2(older.exitCode() == 3, older.story());
    QVERIFY2(older.standardError().contains("this run goes on elsewhere as epoch 2, term 0"),
             older.story());
    QVERIFY2(newer.finish() && newer.exitCode() == 0, newer.story());
    QCOMPARE(succeededIn(place.path("t.tasuki")), taskCount);
    QCOMPARE(succeededTwiceIn(place.path("t.tasuki")), 0);
    QVERIFY(!place.exists("t.tasuki.lock"));
}

void TestRecord::masterThatHoldsTheFile_data()
{
    QTest::addColumn<int>("signal");
    QTest::newRow("killed") << SIGKILL;
    QTest::newRow("stopped") << SIGSTOP;
}

// Fails if a successor waits for who holds the run file and does not move; or if what that one does when it wakes
// up is seen in the record.
void TestRecord::masterThatHoldsTheFile()
{
    QFETCH(int, signal);
    const Workspace place;
    qputenv("TASUKI_LOCAL_DIR", place.path("node").toUtf8());
    place.write("t.sh", tasksWithTraces());
    AgentProcess agent(place);
    agent.start(Start::Launch, 3, {"farm", "t.sh", "--slots", "1"});
    QTRY_VERIFY_WITH_TIMEOUT(place.count("task.*") >= 6, 20'000);
    const pid_t victim = agent.rank(0);
    QVERIFY2(victim > 1, describeAll(agent.allProcesses()));
    {
        const StandStill held(place.path("t.tasuki"));
        QCOMPARE(kill(victim, signal), 0);
        QVERIFY2(agent.finish() && agent.exitCode() == 0, agent.story());
    }
    QCOMPARE(succeededIn(place.path("t.tasuki")), taskCount);
    QCOMPARE(succeededTwiceIn(place.path("t.tasuki")), 0);
    QVERIFY(place.read("t.tasuki").startsWith("SQLite format 3"));
    QVERIFY(!place.exists("t.tasuki-wal") && !place.exists("t.tasuki.owner"));
}

QTEST_GUILESS_MAIN(TestRecord)

} // namespace tst_e2e_record

#include "tst_e2e_record.moc"
