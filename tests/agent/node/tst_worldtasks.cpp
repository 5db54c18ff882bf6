// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "node/taskchoice.h"
#include "node/worldtasks.h"
#include "support/history.h"
#include "support/replayed.h"
#include "worldhost/worldlibraries.h"

#include <string>
#include <utility>
#include <vector>

namespace tst_worldtasks {

using namespace std::chrono_literals;
using namespace tasuki;

namespace {

/// A topology of three subclusters of 2, 1 and 3 ranks, some of which say what they run.
SystemPlan planOf(const std::string& left, const std::string& middle, const std::string& right,
                  std::uint32_t rightRanks = 3, std::uint32_t standbys = 0)
{
    const std::string text = "[[subcluster]]\nname = \"left\"\nactive = 2\n" + left
        + "\n[[subcluster]]\nname = \"middle\"\nactive = 1\n" + middle
        + "\n[[subcluster]]\nname = \"right\"\nactive = " + std::to_string(rightRanks) + "\n"
        + right;
    SystemPlanning planning = planSystemText(
        text, "t.toml", std::vector<std::string>(3 + rightRanks + standbys, "node"));
    if (!planning.plan)
        qFatal("%s", planning.diagnostics.front().text().c_str());
    return std::move(*planning.plan);
}

FarmOptions optionsOf(const std::string& command = {}, const std::string& subcluster = {})
{
    FarmOptions options;
    options.world = WorldOptions{.command = command, .subcluster = subcluster, .trace = {}};
    return options;
}

/// @return what was chosen to run in each subcluster, or the error
QString chosen(const FarmOptions& options, SystemPlan system)
{
    const Result<void> result = chooseWorld(options, system);
    if (!result) {
        if (result.error().kind != ErrorKind::Input || result.error().remedy.empty())
            return "an error of another kind";
        return QString::fromStdString(result.error().message);
    }
    QStringList commands;
    for (const auto& spec : system.topology.subclusters)
        commands << QString::fromStdString(spec.world ? spec.world->command : "-");
    return commands.join(", ");
}

/// The record of a run that began with these tasks.
RunState stateWith(const std::vector<Task>& tasks)
{
    History history;
    history.add(RunOpened{});
    for (std::uint32_t i = 0; i < tasks.size(); ++i) {
        Task task = tasks[i];
        task.position = i;
        history.add(TaskAdded{TaskId(i), std::move(task)});
    }
    return replayed(history.events());
}

const std::string solver = "world = { command = \"./solver\" }\n";

} // namespace

/// What breaks it: a program that runs in another subcluster, as other ranks, or not as its topology says.
class TestWorldTasks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void programsAreChosen();
    void tasksOfWorlds();
    void settingsOfWorlds();
    void keptWorlds();
    void tracedWorlds();
    void worldsOfARecord();
    void chosenTasksAreWholeWorlds();
};

void TestWorldTasks::programsAreChosen()
{
    const SystemPlan none = planOf("", "", "");
    const SystemPlan two = planOf(solver, "", solver);
    QCOMPARE(chosen(FarmOptions{}, two), "./solver, -, ./solver"); // of a farm: as it is
    QCOMPARE(chosen(optionsOf(), two), "./solver, -, ./solver");
    QCOMPARE(chosen(optionsOf("./p x", "middle"), none), "-, ./p x, -");
    QCOMPARE(chosen(optionsOf("./p", "middle"), two), "./solver, ./p, ./solver");
    QCOMPARE(chosen(optionsOf("./p"), none), "world: the topology has 3 subclusters");
    QCOMPARE(chosen(optionsOf("./p", "midle"), none),
             "world: --in 'midle': the topology has no such subcluster");
    QCOMPARE(chosen(optionsOf("./p", "left"), two),
             "world: subcluster left runs ./solver by its topology");
    QCOMPARE(chosen(optionsOf(), none), "world: no subcluster of t.toml says what it runs");
    FarmOptions resumed = optionsOf();
    resumed.resume = true;
    QCOMPARE(chosen(resumed, none), "-, -, -"); // the record has it
    const SystemPlanning alone = planSystem(PlainSystem{}, {"node", "node"});
    QCOMPARE(chosen(optionsOf("./p"), *alone.plan), "./p");
    QCOMPARE(chosen(optionsOf("./p", "system"), *alone.plan), "./p");
}

void TestWorldTasks::tasksOfWorlds()
{
    const SystemPlan system = planOf(solver, "", "world = { command = \"./other\" }\n");
    const std::vector<Task> tasks = worldTasks(optionsOf(), system);
    QCOMPARE(tasks.size(), std::size_t{5});
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const bool first = i < 2;
        const auto& seat = tasks[i].settings->seat;
        QVERIFY(seat);
        QCOMPARE(seat->world, first ? 0U : 1U); // worlds are counted, not subclusters
        const config::LayoutSubcluster& place = system.layout.subclusters[first ? 0 : 2];
        QCOMPARE(seat->rank.value(), place.firstRank.value() + static_cast<int>(first ? i : i - 2));
        QCOMPARE(tasks[i].command, std::string(first ? "./solver" : "./other"));
        QCOMPARE(tasks[i].links->label, std::string(first ? "left" : "right"));
        QVERIFY(tasks[i].links->after.empty());
    }
    QVERIFY(worldTasks(optionsOf(), planOf("", "", "")).empty());
}

void TestWorldTasks::settingsOfWorlds()
{
    FarmOptions options = optionsOf();
    options.timeout = 90s;
    options.retries.allowed = {0, 0, 0, 7};
    const SystemPlan system = planOf("world = { command = \"x\", cwd = \"/data\", deadline_s = 5, "
                                     "env = { A = \"1\", B = \"\" } }\n",
                                     solver, "");
    const std::vector<Task> tasks = worldTasks(options, system);
    QCOMPARE(tasks.size(), std::size_t{3});
    const TaskSettings& own = *tasks[0].settings;
    QVERIFY(own.timeout == std::optional<std::chrono::milliseconds>(5s));
    QCOMPARE(own.workingDirectory, std::string("/data"));
    QVERIFY(own.environment
            == (std::vector<std::pair<std::string, std::string>>{{"A", "1"}, {"B", ""}}));
    QVERIFY(own.retries == options.retries);
    const TaskSettings& usual = *tasks[2].settings;
    QVERIFY(usual.timeout == options.timeout); // of the options, where the topology says nothing
    QVERIFY(usual.workingDirectory.empty() && usual.environment.empty());
}

// Fails if messages are kept where nobody could take over, or not where somebody could.
void TestWorldTasks::keptWorlds()
{
    const auto logOf = [](const std::string& keys) {
        return worldTasks(optionsOf(),
                          planOf("standby = 1\nworld = { command = \"x\"" + keys + " }\n", solver,
                                 "", 3, 1))
            .front()
            .settings->seat->logMb;
    };
    QCOMPARE(logOf(""), config::WorldSpec::usualLogMb);
    QCOMPARE(logOf(", log_mb = 5"), 5U);
    QCOMPARE(logOf(", log_mb = 5, deterministic = false"), 0U);
    const auto plain = worldTasks(optionsOf(), planOf(solver, "", ""));
    QCOMPARE(plain.front().settings->seat->logMb, 0U);
}

void TestWorldTasks::tracedWorlds()
{
    FarmOptions options = optionsOf();
    options.world->trace = "/data/t.alog";
    for (const Task& task : worldTasks(options, planOf(solver, "", ""))) {
        QVERIFY(task.settings->environment
                == (std::vector<std::pair<std::string, std::string>>{
                    {"LD_PRELOAD", worldhost::tracerLibrary()}, {"TASUKI_ALOG", "/data/t.alog"}}));
    }
}

void TestWorldTasks::worldsOfARecord()
{
    const SystemPlan system = planOf(solver, "", solver);
    const RunState state = stateWith(worldTasks(optionsOf(), system));
    QVERIFY(checkWorlds(state, system).ok());
    QVERIFY(checkWorlds(state, planOf("", "", "")).ok()); // the record has what runs
    const Result<void> smaller = checkWorlds(state, planOf(solver, "", solver, 2));
    QVERIFY(!smaller.ok() && smaller.error().kind == ErrorKind::Input);
    QCOMPARE(
        smaller.error().message,
        std::string("world: the run has a world of 3 ranks, right, and this launch has no such "
                    "subcluster"));
    QVERIFY(!smaller.error().remedy.empty());
    QVERIFY(!checkWorlds(state, planOf(solver, "", solver, 4)).ok());
    QVERIFY(checkWorlds(stateWith({}), system).ok());
    Task plain;
    plain.command = "true";
    plain.settings = std::make_shared<const TaskSettings>();
    QVERIFY(checkWorlds(stateWith({plain}), system).ok());
}

// Fails if a life would do some ranks of a world without the others.
void TestWorldTasks::chosenTasksAreWholeWorlds()
{
    const QTemporaryDir directory;
    const SystemPlan system = planOf(solver, "", solver); // tasks 0 and 1, and 2 to 4
    for (const bool again : {true, false}) {
        FarmOptions options = optionsOf();
        options.runFile = directory.filePath(again ? "a.tasuki" : "b.tasuki").toStdString();
        options.resume = true;
        options.onlyAgain = again;
        options.only = {{TaskId(3), TaskId(3)}};
        auto file = RunFileWriter::create(options.runFile, RunId::random());
        QVERIFY(file.ok());
        RunPlan plan{.file = std::move(*file),
                     .state = stateWith(worldTasks(options, system)),
                     .epoch = Epoch(2),
                     .opening = {RunOpened{}},
                     .directory = {}};
        Sequence last = plan.state.lastEvent().sequence;
        for (std::uint32_t task = 0; task < 5; ++task) {
            AttemptFinished end;
            end.key = {TaskId(task), AttemptNumber(1)};
            end.result.outcome = Outcome::Succeeded;
            last = last.next();
            QVERIFY(
                plan.state
                    .apply(
                        {.id = {Epoch(1), last}, .wallTime = {}, .monotonic = {}, .payload = end})
                    .ok());
        }
        const Result<void> confined = confine(plan, options);
        QVERIFY2(confined.ok(), confined.ok() ? "" : confined.error().text().c_str());
        std::vector<std::uint32_t> reopened;
        for (const EventPayload& payload : plan.opening) {
            if (const auto* one = std::get_if<TaskReopened>(&payload))
                reopened.push_back(one->id.value());
        }
        QCOMPARE(reopened,
                 again ? (std::vector<std::uint32_t>{2, 3, 4}) : std::vector<std::uint32_t>{});
    }
}

QTEST_APPLESS_MAIN(TestWorldTasks)

} // namespace tst_worldtasks

#include "tst_worldtasks.moc"
