// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "gui/models/sessionbench.h"
#include "viewbench.h"
#include "views/launchform.h"
#include "views/resumeoffer.h"
#include "views/startrundialog.h"

#include <QLabel>
#include <QLineEdit>
#include <QMap>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace tst_startrun {

using namespace tasuki;
using tasuki::testing::ViewBench;

/// How runs, merges and probes are started from the window.
/// What breaks it: a command that does something else than the form says, a problem that only the launcher tells, a launch
/// whose failure is not told.
class TestStartRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void chosenTasksAreNamed();
    void resumedRunsNeedNoList();
    void startRunShowsTheCommand();
    void startsAllPrograms();
    void startRunNamesProblemsOfOthers();
    void startRunShowsWhatMatters();
    void lettersAreUnique();
    void probeLeadsToItsFile();
    void startRunNamesProblems();
    void startRunTellsTheLaunchersWords();
};

void TestStartRun::chosenTasksAreNamed()
{
    const auto ranges = [](std::initializer_list<std::uint32_t> tasks) {
        QList<TaskId> ids;
        for (const std::uint32_t task : tasks)
            ids << TaskId(task);
        return taskRanges(ids);
    };
    QCOMPARE(ranges({}), QString());
    QCOMPARE(ranges({3}), QStringLiteral("3"));
    QCOMPARE(ranges({9, 7, 3, 8, 4, 11}), QStringLiteral("3-4,7-9,11"));
    QCOMPARE(ranges({0, 1, 1, 2}), QStringLiteral("0-2"));
    LaunchPlan plan;
    plan.goal = LaunchPlan::Goal::RetryTasks;
    plan.runFile = QStringLiteral("r.tasuki");
    plan.tasks = QStringLiteral("3,7-9");
    QCOMPARE(plan.commandLine(QStringLiteral("tasuki-agent")),
             QStringLiteral("tasuki-agent launch -n 2 -- farm --resume r.tasuki --slots 1 "
                            "--retry 3,7-9 --quiet"));
    // What the form does not have goes on as it was.
    plan.topology = QStringLiteral("t.toml");
    plan.dedicatedMaster = true; // of the topology
    plan.keeping = {.recordBytes = 4'096, .directory = "/o ut"};
    ViewBench bench;
    AgentFinder finder(bench.folder.path().toStdString());
    StartRunDialog dialog(finder, bench.clock, bench.preferences, QStringLiteral("/bin/true"));
    dialog.setResumption(plan);
    QVERIFY(dialog.commandLine().contains(
        QStringLiteral(" --topology t.toml --record-output 4096 --output-dir '/o ut' ")));
    QVERIFY(!dialog.commandLine().contains(QStringLiteral("--dedicated-master")));
    QCOMPARE(dialog.form().plan().tasks, plan.tasks);
    QVERIFY(dialog.commandLine().contains(QStringLiteral("--retry 3,7-9")));
}

// Fails if a run whose list came from a window or from standard input cannot be resumed, or loses tasks.
void TestStartRun::resumedRunsNeedNoList()
{
    tasuki::testing::SessionBench bench(SourceKind::RunFile);
    bench.begin(2);
    RunOpened opened{.host = "h", .version = "1", .directory = "/", .taskList = "list"};
    bench.happen({opened});
    QVERIFY(hasListOfItsOwn(bench.session->state()));
    opened.taskList = "-";
    bench.happen({opened});
    QVERIFY(!hasListOfItsOwn(bench.session->state()));
    opened.taskList = "list";
    Task added = ViewBench::task(2, "by a window");
    added.line = 0;
    bench.happen({opened, TaskAdded{.id = TaskId(2), .task = added}});
    QVERIFY(!hasListOfItsOwn(bench.session->state()));

    LaunchPlan plan;
    plan.goal = LaunchPlan::Goal::Resume;
    QVERIFY(plan.problems()[static_cast<std::size_t>(LaunchPlan::Field::TaskList)].isEmpty());
    plan.goal = LaunchPlan::Goal::New;
    QVERIFY(!plan.problems()[static_cast<std::size_t>(LaunchPlan::Field::TaskList)].isEmpty());
}

void TestStartRun::startRunShowsTheCommand()
{
    LaunchPlan plan;
    plan.taskList = QStringLiteral("it's.sh");
    plan.runFile = QStringLiteral("a b.tasuki");
    plan.ranks = 4;
    plan.slots = 0;
    plan.retries = QStringLiteral("2");
    plan.timeout = QStringLiteral("10m");
    plan.dedicatedMaster = true;
    QCOMPARE(plan.commandLine(QStringLiteral("tasuki-agent")),
             QStringLiteral("tasuki-agent launch -n 4 -- farm 'it'\\''s.sh' --run 'a b.tasuki' "
                            "--slots auto --retries 2 --timeout 10m --dedicated-master --quiet"));
    // The word alone would mean that no record is kept, which the window could not open then.
    plan.runFile = QStringLiteral("none");
    QVERIFY(plan.arguments().join(QLatin1Char(' ')).contains(QStringLiteral(" --run ./none ")));
    plan.goal = LaunchPlan::Goal::Resume;
    QVERIFY(plan.arguments().join(QLatin1Char(' ')).contains(QStringLiteral(" --resume none ")));
}

void TestStartRun::startsAllPrograms()
{
    QTemporaryDir folder;
    LaunchPlan plan;
    plan.directory = folder.path();
    plan.runFile = QStringLiteral("r.tasuki");
    plan.output = QStringLiteral("out.toml");
    plan.hosts = QStringLiteral("node0:4,node1:8");
    plan.options = QStringLiteral("--map-by node -x \"A=b c\"");
    plan.topology = QStringLiteral("t.toml");
    const auto command = [&] { return plan.commandLine(QStringLiteral("tasuki-agent")); };
    const QString begin = QStringLiteral("tasuki-agent launch -n 2 --host node0:4,node1:8 "
                                         "--map-by node -x 'A=b c' -- ");
    plan.program = LaunchPlan::Program::Serve;
    QCOMPARE(command(),
             begin + QStringLiteral("serve --run r.tasuki --slots 1 --topology t.toml --quiet"));
    plan.program = LaunchPlan::Program::Merge;
    plan.files = lineOf({QStringLiteral("a.tsv"), QStringLiteral("b \"c\".tsv")});
    QCOMPARE(wordsOf(plan.files).value(1), QStringLiteral("b \"c\".tsv"));
    QCOMPARE(command(),
             begin
                 + QStringLiteral("merge a.tsv 'b \"c\".tsv' -o out.toml --law last "
                                  "--run r.tasuki --quiet"));
    plan.program = LaunchPlan::Program::Probe;
    QCOMPARE(command(), begin + QStringLiteral("probe -o out.toml"));
    QVERIFY(plan.valid());
    QCOMPARE(plan.logFile(), folder.filePath(QStringLiteral("out.toml.log")));
    QFile hosts(folder.filePath(QStringLiteral("hosts")));
    QVERIFY(hosts.open(QIODevice::WriteOnly));
    plan.hosts = QStringLiteral("hosts");
    QVERIFY(command().contains(QStringLiteral("--hostfile hosts ")) && plan.valid());
}

void TestStartRun::startRunNamesProblemsOfOthers()
{
    QTemporaryDir folder;
    LaunchPlan plan;
    plan.directory = folder.path();
    const auto problem = [&](LaunchPlan::Field field) {
        return plan.problems()[static_cast<std::size_t>(field)];
    };
    plan.program = LaunchPlan::Program::Merge;
    QVERIFY(!problem(LaunchPlan::Field::Files).isEmpty());
    plan.files = QStringLiteral("nothing.tsv");
    QVERIFY(problem(LaunchPlan::Field::Files).contains(plan.files));
    QVERIFY(!problem(LaunchPlan::Field::Output).isEmpty());
    // What is there is not written over.
    QFile output(folder.filePath(QStringLiteral("out.tsv")));
    QVERIFY(output.open(QIODevice::WriteOnly));
    plan.output = QStringLiteral("out.tsv");
    QVERIFY(!problem(LaunchPlan::Field::Output).isEmpty());
    QCOMPARE(LaunchPlan::freeName(plan.output, folder.path()), QStringLiteral("out-2.tsv"));
    plan.output = QStringLiteral("none/out.tsv");
    QVERIFY(!problem(LaunchPlan::Field::Output).isEmpty());
    for (const char* hosts : {"node0:x", "node0,,node1", "a b", "./nothing", "-x"}) {
        plan.hosts = QLatin1String(hosts);
        QVERIFY2(!problem(LaunchPlan::Field::Hosts).isEmpty() || hosts[0] == '-', hosts);
    }
    plan.options = QStringLiteral("--bind-to none -- farm");
    QVERIFY(!problem(LaunchPlan::Field::Options).isEmpty());
    plan.topology = QStringLiteral("nothing.toml");
    QVERIFY(problem(LaunchPlan::Field::Topology).isEmpty());
    plan.program = LaunchPlan::Program::Serve;
    QVERIFY(!problem(LaunchPlan::Field::Topology).isEmpty());
    QVERIFY(problem(LaunchPlan::Field::TaskList).isEmpty());
}

void TestStartRun::startRunShowsWhatMatters()
{
    ViewBench bench;
    LaunchForm form(bench.preferences);
    form.show();
    using Field = LaunchPlan::Field;
    QVERIFY(form.line(Field::TaskList).isVisible() && !form.line(Field::Output).isVisible());
    form.setProgram(LaunchPlan::Program::Serve);
    QVERIFY(!form.line(Field::TaskList).isVisible() && form.line(Field::Topology).isVisible());
    QCOMPARE(form.plan().runFile, QStringLiteral("serve.tasuki"));
    form.setProgram(LaunchPlan::Program::Merge);
    QVERIFY(form.line(Field::Files).isVisible() && form.line(Field::Output).isVisible());
    QVERIFY(!form.line(Field::Topology).isVisible());
    form.setProgram(LaunchPlan::Program::Probe);
    QVERIFY(!form.line(Field::Files).isVisible() && !form.line(Field::RunFile).isVisible());
    QCOMPARE(form.plan().output, QStringLiteral("environment.toml"));
    form.line(Field::Hosts).setText(QStringLiteral("node7:2"));
    form.remember();
    const LaunchForm next(bench.preferences);
    QCOMPARE(next.plan().hosts, QStringLiteral("node7:2"));
}

void TestStartRun::lettersAreUnique()
{
    ViewBench bench;
    AgentFinder finder(bench.folder.path().toStdString());
    StartRunDialog dialog(finder, bench.clock, bench.preferences, QStringLiteral("/bin/true"));
    dialog.show();
    for (int program = 0; program < 4; ++program) {
        dialog.form().setProgram(static_cast<LaunchPlan::Program>(program));
        QMap<QChar, QStringList> texts;
        const auto add = [&texts](const QString& text) {
            const auto at = text.indexOf(QLatin1Char('&'));
            if (at >= 0)
                texts[text[at + 1].toUpper()] << text;
        };
        for (const auto* label : dialog.findChildren<QLabel*>())
            if (label->isVisible())
                add(label->text());
        for (const auto* button : dialog.findChildren<QAbstractButton*>())
            if (button->isVisible())
                add(button->text());
        QVERIFY(texts.size() > 5);
        for (const QStringList& same : texts)
            QVERIFY2(same.size() == 1, qPrintable(same.join(QStringLiteral(", "))));
    }
}

void TestStartRun::probeLeadsToItsFile()
{
    ViewBench bench;
    AgentFinder finder(bench.folder.filePath(QStringLiteral("agents")).toStdString());
    const QString program = bench.folder.filePath(QStringLiteral("agent"));
    QFile script(program);
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write(
        "#!/bin/sh\necho half\nwhile [ ! -e go ]; do sleep 0.05; done\n[ -e none ] || echo > e.toml\n");
    script.close();
    QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::ExeOwner | QFile::WriteOwner));
    const auto touch = [&](const char* name) {
        QFile file(bench.folder.filePath(QLatin1String(name)));
        return file.open(QIODevice::WriteOnly);
    };
    StartRunDialog dialog(finder, bench.clock, bench.preferences, program);
    QSignalSpy probed(&dialog, &StartRunDialog::probed);
    dialog.show();
    dialog.form().setProgram(LaunchPlan::Program::Probe);
    dialog.form().line(LaunchPlan::Field::Directory).setText(bench.folder.path());
    dialog.form().line(LaunchPlan::Field::Output).setText(QStringLiteral("e.toml"));
    QVERIFY(dialog.startButton().isEnabled() && touch("none"));
    dialog.startButton().click();
    QTRY_COMPARE(dialog.words(), QStringLiteral("half"));
    QVERIFY(touch("go"));
    QTRY_VERIFY(!dialog.failure().isEmpty());
    QVERIFY(QFile::remove(bench.folder.filePath(QStringLiteral("none"))));
    dialog.startButton().click();
    QTRY_COMPARE(probed.size(), 1);
    QCOMPARE(probed[0][0].toString(), bench.folder.filePath(QStringLiteral("e.toml")));
    QVERIFY(!dialog.isVisible());
}

void TestStartRun::startRunNamesProblems()
{
    QTemporaryDir folder;
    LaunchPlan plan;
    plan.directory = folder.path();
    plan.taskList = QStringLiteral("list.sh");
    plan.runFile = QStringLiteral("list.tasuki");
    const auto problem = [&](LaunchPlan::Field field) {
        return plan.problems()[static_cast<std::size_t>(field)];
    };
    QVERIFY(!problem(LaunchPlan::Field::TaskList).isEmpty());
    QVERIFY(!plan.valid());
    QFile list(folder.filePath(QStringLiteral("list.sh")));
    QVERIFY(list.open(QIODevice::WriteOnly));
    QVERIFY(plan.valid());
    plan.timeout = QStringLiteral("soon");
    QVERIFY(!problem(LaunchPlan::Field::Timeout).isEmpty());
    plan.timeout.clear();
    plan.ranks = 1;
    plan.dedicatedMaster = true;
    QVERIFY(!problem(LaunchPlan::Field::Ranks).isEmpty());
    plan.dedicatedMaster = false;
    QFile record(folder.filePath(QStringLiteral("list.tasuki")));
    QVERIFY(record.open(QIODevice::WriteOnly));
    QVERIFY(!problem(LaunchPlan::Field::RunFile).isEmpty());
    QCOMPARE(LaunchPlan::runFileFor(QStringLiteral("list.sh"), folder.path()),
             QStringLiteral("list-2.tasuki"));
}

void TestStartRun::startRunTellsTheLaunchersWords()
{
    ViewBench bench;
    AgentFinder finder(bench.folder.filePath(QStringLiteral("agents")).toStdString());
    const QString program = bench.folder.filePath(QStringLiteral("agent"));
    QFile script(program);
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\necho no node is free >&2\nexit 5\n");
    script.close();
    QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::ExeOwner | QFile::WriteOwner));
    QFile list(bench.folder.filePath(QStringLiteral("list.sh")));
    QVERIFY(list.open(QIODevice::WriteOnly));
    list.close();

    StartRunDialog dialog(finder, bench.clock, bench.preferences, program);
    dialog.show();
    QVERIFY(!dialog.startButton().isEnabled());
    dialog.setTaskList(list.fileName());
    QVERIFY(dialog.startButton().isEnabled());
    QVERIFY(dialog.commandLine().contains(QStringLiteral("--run list.tasuki")));
    dialog.startButton().click();
    QVERIFY(!dialog.startButton().isEnabled());
    QTRY_VERIFY(dialog.failure().contains(QStringLiteral("no node is free")));
    QVERIFY(dialog.isVisible());
    QVERIFY(dialog.startButton().isEnabled());
}

QTEST_MAIN(TestStartRun)

} // namespace tst_startrun

#include "tst_startrun.moc"
