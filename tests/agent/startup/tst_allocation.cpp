// SPDX-License-Identifier: GPL-3.0-or-later
// What is read of a batch system's words.
#include "startup/allocation.h"
#include "startup/commandoutput.h"

#include <QTest>

namespace tst_allocation {

using namespace tasuki;
using namespace std::chrono_literals;

class TestAllocation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void endAsSlurmTells_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("seconds"); // 0: none
        QTest::newRow("time") << QByteArray("1795453542") << qint64{1795453542};
        QTest::newRow("nothing") << QByteArray() << qint64{0};
        QTest::newRow("unlimited") << QByteArray("4294967295000") << qint64{0};
        QTest::newRow("a date") << QByteArray("2026-11-23T17:00:00") << qint64{0};
        QTest::newRow("negative") << QByteArray("-5") << qint64{0};
    }
    void endAsSlurmTells()
    {
        QFETCH(QByteArray, text);
        QFETCH(qint64, seconds);
        qunsetenv("SLURM_JOB_ID");
        qputenv("SLURM_JOB_END_TIME", text);
        const auto end = allocationEnd();
        qunsetenv("SLURM_JOB_END_TIME");
        QCOMPARE(end.has_value(), seconds != 0);
        if (end)
            QCOMPARE(end->time_since_epoch(), std::chrono::seconds(seconds));
    }

    void processesOfSrun()
    {
        const auto strayed = [](const char* tasks, const char* variable) {
            qputenv("SLURM_STEP_NUM_TASKS", tasks);
            if (variable)
                qputenv(variable, "0");
            const unsigned count = strayedProcesses();
            qunsetenv("SLURM_STEP_NUM_TASKS");
            if (variable)
                qunsetenv(variable);
            return count;
        };
        QCOMPARE(strayed("4", nullptr), 4U);
        QCOMPARE(strayed("1", nullptr), 1U);
        QCOMPARE(strayed("many", nullptr), 1U);
        QCOMPARE(strayed("4", "PMIX_RANK"), 1U);            // srun --mpi=pmix
        QCOMPARE(strayed("4", "OMPI_COMM_WORLD_SIZE"), 1U); // mpirun, whose daemons srun starts
        QCOMPARE(strayedProcesses(), 1U);
    }

    void jobs_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("running");
        QTest::addColumn<bool>("preempted");
        QTest::newRow("runs") << "JobId=1 JobName=PreemptTime=x JobState=RUNNING Reason=None "
                                 "PreemptTime=None SuspendTime=None\n"
                              << true << false;
        QTest::newRow("preempted")
            << "JobId=1 JobState=RUNNING PreemptTime=2026-11-23T17:05:45 X=1\n"
            << true << true;
        QTest::newRow("cancelled") << "JobId=1 JobState=CANCELLED PreemptTime=None\n"
                                   << false << false;
        QTest::newRow("nothing") << "" << false << false;
    }
    void jobs()
    {
        QFETCH(QString, text);
        const SlurmJobState state = parseSlurmJob(text.toStdString());
        QTEST(state.running, "running");
        QTEST(state.preempted, "preempted");
    }

    void output()
    {
        const auto told = commandOutput({"sh", "-c", "echo $WORD; cat"}, {"WORD=a b"}, 10s);
        QVERIFY(told.ok());
        QCOMPARE(*told, std::string("a b\n"));
        const auto failed = commandOutput({"sh", "-c", "echo why >&2; exit 3"}, {}, 10s);
        QVERIFY(!failed.ok());
        QCOMPARE(failed.error().message, std::string("sh failed: why"));
        QVERIFY(!commandOutput({"tasuki-no-such-program"}, {}, 10s).ok());
        const auto silent = commandOutput({"sleep", "100"}, {}, 200ms);
        QVERIFY(!silent.ok());
        QCOMPARE(silent.error().message, std::string("sleep does not answer"));
    }
};

QTEST_APPLESS_MAIN(TestAllocation)

} // namespace tst_allocation

#include "tst_allocation.moc"
