// SPDX-License-Identifier: GPL-3.0-or-later
//
// The farm as its user meets it: real mpirun, real ranks, real processes. What breaks each test
// stands above it.
#include "agentprocess.h"
#include "runrecord.h"
#include "workspace.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QRegularExpression>
#include <QTest>

namespace tst_e2e_farm {

using namespace tasuki::testing;
using namespace std::chrono_literals;

class TestFarm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runsEachTaskOnce_data();
    void runsEachTaskOnce();
    void outputIsGroupedByTask();
    void directivesHold();
    void hugeCommands();
    void taskMayCallMpirun();
    void showPrintsWhatWasRecorded();
};

void TestFarm::runsEachTaskOnce_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<Start>("start");
    QTest::newRow("1 rank, mpirun") << 1 << Start::Mpirun;
    QTest::newRow("2 ranks, mpirun") << 2 << Start::Mpirun;
    QTest::newRow("4 ranks, mpirun") << 4 << Start::Mpirun;
    QTest::newRow("2 ranks, launch") << 2 << Start::Launch;
    QTest::newRow("4 ranks, launch") << 4 << Start::Launch;
}

// Fails if a task is lost, done twice, done without being recorded, or recorded without being done;
// if the variables of a task are missing; if anything of the run outlives it.
void TestFarm::runsEachTaskOnce()
{
    QFETCH(int, ranks);
    QFETCH(Start, start);
    constexpr int tasks = 120;
    const Workspace place;
    QByteArray list;
    for (int number = 0; number < tasks; ++number) {
        list += "echo \"$TASUKI_TASK $TASUKI_ATTEMPT $TASUKI_RANK $TASUKI_SLOT $TASUKI_EPOCH "
                "$TASUKI_RUN\" >> done."
            + QByteArray::number(number) + "\n";
    }
    place.write(QStringLiteral("many.sh"), list);
    AgentProcess agent(place);
    QCOMPARE(agent.run(start, ranks, {"farm", "many.sh", "--slots", "2"}), 0);
    QVERIFY2(agent.remainder(5s).empty(), describeAll(agent.allProcesses()));

    static const QRegularExpression oneLine(
        QStringLiteral("^\\d+ 1 ([0-9]+) ([01]) 1 [0-9a-f]{32}\n$"));
    for (int number = 0; number < tasks; ++number) {
        const QByteArray content = place.read("done." + QString::number(number));
        const auto match = oneLine.match(QString::fromUtf8(content));
        QVERIFY2(match.hasMatch(), qPrintable(QString::number(number) + ": " + content));
        QVERIFY(match.captured(1).toInt() < ranks);
    }
    const RunRecord record(place.path("many.tasuki").toStdString());
    QCOMPARE(record.number("select count(*) from tasks"), tasks);
    QCOMPARE(record.number("select count(*) from tasks where state = 'succeeded' and attempts = 1 "
                           "and outcome = 'succeeded' and code = 0"),
             tasks);
}

// Fails if the lines of tasks that run at the same time are mixed, or if output is lost.
void TestFarm::outputIsGroupedByTask()
{
    const Workspace place;
    QByteArray list;
    for (int number = 0; number < 8; ++number) {
        const QByteArray name = QByteArray::number(number);
        list += "echo begin " + name + "; sleep 0.1; echo middle " + name + "; sleep 0.1; echo end "
            + name + "; echo error " + name + " >&2\n";
    }
    place.write("talk.sh", list);
    AgentProcess agent(place);
    QCOMPARE(agent.run(Start::Launch, 2, {"farm", "talk.sh", "--slots", "2"}), 0);
    for (int number = 0; number < 8; ++number) {
        const QByteArray name = QByteArray::number(number);
        const QByteArray group = "begin " + name + "\nmiddle " + name + "\nend " + name + "\n";
        QCOMPARE(agent.standardOutput().replace("\r\n", "\n").count(group), 1);
        QCOMPARE(agent.standardError().count("error " + name), 1);
    }

    AgentProcess quiet(place);
    QCOMPARE(quiet.run(Start::Launch, 2, {"farm", "talk.sh", "--quiet", "--run", "quiet.tasuki"}),
             0);
    QVERIFY2(!quiet.standardOutput().contains("begin"), quiet.story());
}

// Fails if a directive is not obeyed by real tasks: order by label and barrier, environment,
// directory, retries, and what becomes of a task whose prerequisite failed.
void TestFarm::directivesHold()
{
    const Workspace place;
    QVERIFY(QDir(place.path()).mkdir("below"));
    place.write("staged.sh",
                "# comment\n"
                "sleep 0.3; echo a >> order\n"
                "#TASUKI label=b\n"
                "sleep 0.1; echo b >> order\n"
                "#TASUKI after=b\n"
                "grep -q b order && echo c >> order\n"
                "#TASUKI barrier\n"
                "test $(wc -l < order) -eq 3 && echo d >> order\n"
                "#TASUKI retries=2\n"
                "echo try >> tries; test $(wc -l < tries) -eq 3\n"
                "#TASUKI retries=default label=bad\n"
                "exit 7\n"
                "#TASUKI after=bad\n"
                "echo never >> order\n"
                "#TASUKI cwd=below env=COLOUR=green\n"
                "echo $COLOUR > colour\n");
    AgentProcess agent(place);
    QCOMPARE(agent.run(Start::Launch, 2, {"farm", "staged.sh", "--slots", "2"}), 1);
    const auto order = place.read("order").split('\n');
    QVERIFY2(order.size() == 5 && order[3] == "d", place.read("order"));
    QCOMPARE(place.read("tries"), QByteArray("try\ntry\ntry\n"));
    QCOMPARE(place.read("below/colour"), QByteArray("green\n"));
    const RunRecord record(place.path("staged.tasuki").toStdString());
    QCOMPARE(record.number("select attempts from tasks where command like 'echo try%'"), 3);
    QCOMPARE(record.value("select state from tasks where command like 'echo try%'"), "succeeded");
    QCOMPARE(record.value("select state || code from tasks where command = 'exit 7'"), "failed7");
    QCOMPARE(record.value("select state from tasks where command like 'echo never%'"), "skipped");
}

// Fails if a command's length is limited by the kernel's limit for one argument (128 KiB), or if a
// byte of it is lost on the way through list, record, transport and guardian.
void TestFarm::hugeCommands()
{
    const Workspace place;
    QByteArray list;
    for (const qsizetype size : {1'000'000, 5'000'000}) {
        list += "x=" + QByteArray(size, 'x') + "; test ${#x} -eq " + QByteArray::number(size)
            + " && echo whole >> whole\n";
    }
    place.write("huge.sh", list);
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Launch, 2, {"farm", "huge.sh"}) == 0, agent.story());
    QCOMPARE(place.read("whole"), QByteArray("whole\nwhole\n"));
    const RunRecord record(place.path("huge.tasuki").toStdString());
    QCOMPARE(record.number("select max(length(command)) > 5000000 from tasks"), 1);
}

// Fails if variables of the outer launcher reach a task: an inner mpirun would then take itself for
// a part of the outer job and fail or hang.
void TestFarm::taskMayCallMpirun()
{
    const Workspace place;
    const QByteArray inner = QByteArray("mpirun ") + (geteuid() == 0 ? "--allow-run-as-root " : "")
        + "--oversubscribe -n 2 hostname > ";
    place.write("inner.sh", inner + "one\n" + inner + "two\n");
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Launch, 2, {"farm", "inner.sh"}) == 0, agent.story());
    QCOMPARE(place.read("one").count('\n'), 2);
    QCOMPARE(place.read("two").count('\n'), 2);
}

// Fails if `show` prints something else than what is in the file, or no valid JSON.
void TestFarm::showPrintsWhatWasRecorded()
{
    const Workspace place;
    place.write("few.sh", "true\nexit 3\necho 'a \"quoted\" word'\n");
    AgentProcess farm(place);
    QCOMPARE(farm.run(Start::Launch, 2, {"farm", "few.sh"}), 1);

    AgentProcess json(place);
    QCOMPARE(json.run(Start::Alone, 0, {"show", "few.tasuki", "--format", "jsonl"}), 0);
    const auto lines = json.standardOutput().trimmed().split('\n');
    QCOMPARE(lines.size(), 3);
    QMap<QString, QString> stateOf;
    for (const QByteArray& line : lines) {
        QJsonParseError error;
        const QJsonDocument document = QJsonDocument::fromJson(line, &error);
        QVERIFY2(error.error == QJsonParseError::NoError, line);
        stateOf[document.object().value("command").toString()] =
            document.object().value("state").toString();
    }
    QCOMPARE(stateOf,
             (QMap<QString, QString>{{"true", "succeeded"},
                                     {"exit 3", "failed"},
                                     {"echo 'a \"quoted\" word'", "succeeded"}}));

    AgentProcess joblog(place);
    QCOMPARE(joblog.run(Start::Alone, 0, {"show", "few.tasuki", "--format", "joblog"}), 0);
    QVERIFY2(joblog.standardOutput().startsWith("Seq\tHost\tStarttime"), joblog.story());
    QCOMPARE(joblog.standardOutput().count('\n'), 4);
    static const QRegularExpression failedLine("\n2\t\\S+\t[^\n]*\t3\t0\texit 3\n");
    QVERIFY2(QString::fromUtf8(joblog.standardOutput()).contains(failedLine), joblog.story());

    AgentProcess table(place);
    QCOMPARE(table.run(Start::Alone, 0, {"show", "few.tasuki"}), 0);
    static const QRegularExpression failedRow("\n +1 +2 failed +1 +[0-9.]+ +\\d exit 3 +exit 3\n");
    static const QRegularExpression quotedRow(
        "\n +2 +3 succeeded +1 +[0-9.]+ +\\d exit 0 +echo 'a \"quoted\" word'\n");
    const QString rows = QString::fromUtf8(table.standardOutput());
    QVERIFY2(rows.contains(failedRow) && rows.contains(quotedRow), table.story());
}

QTEST_GUILESS_MAIN(TestFarm)

} // namespace tst_e2e_farm

#include "tst_e2e_farm.moc"
