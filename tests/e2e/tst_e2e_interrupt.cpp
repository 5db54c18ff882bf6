// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ctrl-C, and a disk that runs full: the run stops or pauses in good order and goes on later.
// What breaks each test stands above it.
#include "agentprocess.h"
#include "runrecord.h"
#include "workspace.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/mount.h>
#include <utility>

namespace tst_e2e_interrupt {

using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

constexpr int taskCount = 24;

QByteArray tracedTasks()
{
    QByteArray list;
    for (int number = 0; number < taskCount; ++number) {
        const QByteArray file = "task." + QByteArray::number(number);
        list += "echo begin >> " + file + "; (setsid sleep 62 &); sleep 1.5; echo end >> " + file
            + "\n";
    }
    return list;
}

/// A file system of its own, small enough to be filled.
class SmallDisk {
public:
    explicit SmallDisk(QString directory) : m_directory(std::move(directory))
    {
        m_mounted = mount("tasuki-test", m_directory.toLocal8Bit().constData(), "tmpfs", 0,
                          "size=8m")
            == 0;
        m_error = errno;
    }
    ~SmallDisk()
    {
        if (m_mounted) {
            umount2(m_directory.toLocal8Bit().constData(), MNT_DETACH);
        }
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    [[nodiscard]] bool mounted() const { return m_mounted; }
    [[nodiscard]] const char* reason() const { return std::strerror(m_error); }
    [[nodiscard]] QString filler() const { return m_directory + "/filler"; }
    /// Takes all space that is left.
    void fill() const
    {
        QFile file(filler());
        if (!file.open(QIODevice::WriteOnly | QIODevice::Unbuffered)) {
            return;
        }
        const QByteArray block(4096, 'x');
        while (file.write(block) == block.size()) {}
    }

private:
    QString m_directory;
    bool m_mounted = false;
    int m_error = 0;
};

} // namespace

class TestInterrupt : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onceFinishesWhatRuns_data();
    void onceFinishesWhatRuns();
    void twiceKillsWhatRuns();
    void tasksAreSignalledFirst();
    void timeLimitEndsTheRunInOrder();
    void fullDiskPausesTheRun();
};

void TestInterrupt::onceFinishesWhatRuns_data()
{
    QTest::addColumn<bool>("wholeGroup");
    QTest::newRow("signal to launch") << false;
    QTest::newRow("signal to all, as a terminal sends it") << true;
}

// Fails if a first Ctrl-C kills a running task, starts another one, leaves something alive, or if
// the run cannot be gone on with; also if mpirun gets the signal and tears everything down.
void TestInterrupt::onceFinishesWhatRuns()
{
    QFETCH(bool, wholeGroup);
    const Workspace place;
    place.write("traced.sh", tracedTasks());
    int begun = 0;
    {
        AgentProcess agent(place);
        agent.start(Start::Launch, 2, {"farm", "traced.sh", "--slots", "2"});
        // The second task of each of the four slots has just begun.
        constexpr int begunBefore = 8;
        QTRY_VERIFY_WITH_TIMEOUT(place.count("task.*") >= begunBefore, 20'000);
        QCOMPARE(kill(wholeGroup ? -agent.pid() : agent.pid(), SIGINT), 0);
        QVERIFY2(agent.finish(20s), agent.story());
        QVERIFY2(agent.exitCode() == 4, agent.story());
        QVERIFY2(agent.remainder(2s).empty(), describeAll(agent.allProcesses()));
        begun = place.count("task.*");
        QVERIFY2(begun == begunBefore, qPrintable(QString::number(begun)));
        for (int number = 0; number < taskCount; ++number) {
            const QByteArray trace = place.read("task." + QString::number(number));
            QVERIFY2(trace.isEmpty() || trace == "begin\nend\n", trace);
        }
        const RunRecord record(place.path("traced.tasuki").toStdString());
        QCOMPARE(record.number("select count(*) from tasks where state = 'succeeded'"), begun);
        QCOMPARE(record.number("select count(*) from tasks where state = 'queued'"),
                 taskCount - begun);
    }
    AgentProcess resumed(place);
    QVERIFY2(resumed.run(Start::Launch, 4,
                         {"farm", "traced.sh", "--slots", "4", "--resume", "traced.tasuki"})
                 == 0,
             resumed.story());
    for (int number = 0; number < taskCount; ++number) {
        QCOMPARE(place.read("task." + QString::number(number)), QByteArray("begin\nend\n"));
    }
}

// Fails if a second Ctrl-C waits for running tasks, leaves a descendant of one alive, records a
// killed task as done or as failed, or if the run cannot be gone on with.
void TestInterrupt::twiceKillsWhatRuns()
{
    const Workspace place;
    place.write("long.sh",
                "echo a >> quick\n"
                "(setsid sleep 62 &); sleep 62 & test -e go || sleep 62\n"
                "test -e go || sleep 62\n");
    {
        AgentProcess agent(place);
        agent.start(Start::Launch, 2, {"farm", "long.sh", "--slots", "2"});
        QTRY_VERIFY_WITH_TIMEOUT(place.exists("quick") && agent.taskProcesses().size() >= 3,
                                 20'000);
        QCOMPARE(kill(agent.pid(), SIGINT), 0);
        QTest::qWait(1000);
        QVERIFY2(agent.running(), agent.story());
        QCOMPARE(kill(agent.pid(), SIGINT), 0);
        QVERIFY2(agent.finish(10s), agent.story());
        QVERIFY2(agent.exitCode() == 4, agent.story());
        QVERIFY2(agent.remainder(1s).empty(), describeAll(agent.allProcesses()));
        const RunRecord record(place.path("long.tasuki").toStdString());
        QCOMPARE(record.number("select count(*) from tasks where state = 'succeeded'"), 1);
        QCOMPARE(record.number("select count(*) from tasks where state = 'queued'"), 2);
        QCOMPARE(record.number("select count(*) from attempts where outcome = 'interrupted'"), 2);
    }
    place.write("go", "");
    AgentProcess resumed(place);
    QVERIFY2(resumed.run(Start::Launch, 2, {"farm", "long.sh", "--resume", "long.tasuki"}) == 0,
             resumed.story());
    QCOMPARE(place.read("quick"), QByteArray("a\n"));
}

// Fails if tasks that get the signal of a batch system sooner than their agents, or answer it in their own
// way, are recorded as failed, use up a retry, or are not run again.
void TestInterrupt::tasksAreSignalledFirst()
{
    const Workspace place;
    place.write("all.sh",
                "#TASUKI retries=1\n"
                "echo >> task.0; test -e go || sleep 62\n"
                "echo >> task.1; trap : TERM; test -e go || sleep 62\n"
                "echo >> task.2; trap 'exit 3' TERM; test -e go || { sleep 62 & wait; }\n"
                "echo >> task.3; test -e go || exec sleep 62\n");
    {
        AgentProcess agent(place);
        agent.setVariable("LSB_JOBID", "17");
        agent.start(Start::Launch, 2, {"farm", "all.sh", "--slots", "2"});
        QTRY_VERIFY_WITH_TIMEOUT(place.count("task.*") == 4, 20'000);
        QTest::qWait(300);
        for (const ProcessInfo& process : agent.taskProcesses()) {
            if (process.pid > 1)
                kill(process.pid, SIGTERM);
        }
        QTest::qWait(100);
        QCOMPARE(kill(agent.pid(), SIGTERM), 0);
        QVERIFY2(agent.finish(20s), agent.story());
        QVERIFY2(agent.exitCode() == 4, agent.story());
        const RunRecord record(place.path("all.tasuki").toStdString());
        QCOMPARE(record.number("select count(*) from attempts where outcome = 'interrupted'"), 4);
        QCOMPARE(record.number("select count(*) from attempts where disposition <> 'requeue'"), 0);
        QCOMPARE(record.number("select count(*) from tasks where state = 'queued'"), 4);
    }
    place.write("go", "");
    AgentProcess resumed(place);
    QVERIFY2(resumed.run(Start::Launch, 2, {"farm", "all.sh", "--continue"}) == 0, resumed.story());
}

// Fails if a task starts that would not end in time, if one that runs is not warned, or is recorded as
// failed; or if the run cannot be gone on with.
void TestInterrupt::timeLimitEndsTheRunInOrder()
{
    const Workspace place;
    place.write("limited.sh",
                "sleep 0.2\n"
                "#TASUKI time=1m\n"
                "echo >> long\n"
                "#TASUKI time=none warn=USR1@3s\n"
                "trap 'echo >> warned' USR1; until test -e go; do sleep 0.1; done\n");
    {
        AgentProcess agent(place);
        QVERIFY2(
            agent.run(Start::Launch, 1,
                      {"farm", "limited.sh", "--slots", "2", "--continue", "--time-limit", "8s"})
                == 4,
            agent.story());
        QVERIFY2(
            agent.standardError().contains("the allocation ends: interrupted, 2 tasks are left"),
            agent.story());
        QVERIFY2(agent.remainder(1s).empty(), describeAll(agent.allProcesses()));
        QVERIFY(!place.exists("long"));
        QCOMPARE(place.read("warned"), QByteArray("\n"));
        const RunRecord record(place.path("limited.tasuki").toStdString());
        QCOMPARE(record.number("select count(*) from attempts where outcome = 'interrupted'"), 1);
        QCOMPARE(record.number("select count(*) from tasks where state = 'queued'"), 2);
    }
    place.write("go", "");
    AgentProcess resumed(place);
    QVERIFY2(resumed.run(Start::Launch, 1, {"farm", "limited.sh", "--continue"}) == 0,
             resumed.story());
    QVERIFY(place.exists("long"));
}

// Fails if a full disk under the run file ends the run, loses a result, is not told, or if tasks go
// on being handed out without a record. Needs the right to mount a small file system.
void TestInterrupt::fullDiskPausesTheRun()
{
    const Workspace place;
    QVERIFY(QDir(place.path()).mkdir("disk"));
    const SmallDisk disk(place.path("disk"));
    if (!disk.mounted()) {
        QSKIP(qPrintable(QString("cannot mount a small file system: %1").arg(disk.reason())));
    }
    constexpr int many = 300;
    QByteArray list;
    for (int number = 0; number < many; ++number) {
        // Output that must be recorded, so that the file grows.
        list += "head -c 3000 /dev/zero | tr '\\0' 'x'; echo " + QByteArray::number(number)
            + " >> done; sleep 0.02\n";
    }
    place.write("full.sh", list);
    AgentProcess agent(place);
    agent.start(Start::Launch, 2, {"farm", "full.sh", "--run", "disk/full.tasuki"});
    QTRY_VERIFY_WITH_TIMEOUT(place.read("done").count('\n') >= 20, 20'000);
    disk.fill();
    static const QRegularExpression told("full|space|paus",
                                         QRegularExpression::CaseInsensitiveOption);
    QTRY_VERIFY2_WITH_TIMEOUT(told.match(QString::fromUtf8(agent.standardError())).hasMatch(),
                              agent.story(), 20'000);
    QTest::qWait(1'500);
    const auto before = place.read("done").count('\n');
    QTest::qWait(1'500);
    QVERIFY2(agent.running(), agent.story());
    QCOMPARE(place.read("done").count('\n'), before);
    QVERIFY2(before < many, "nothing was left to be paused");

    QVERIFY(QFile::remove(disk.filler()));
    QVERIFY2(agent.finish(40s) && agent.exitCode() == 0, agent.story());
    QCOMPARE(place.read("done").count('\n'), many);
    const RunRecord record(place.path("disk/full.tasuki").toStdString());
    QCOMPARE(record.number("select count(*) from tasks where state = 'succeeded'"), many);
}

QTEST_GUILESS_MAIN(TestInterrupt)

} // namespace tst_e2e_interrupt

#include "tst_e2e_interrupt.moc"
