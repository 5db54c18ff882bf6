// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "domain/outputkeeping.h"
#include "node/newrecord.h"
#include "node/runplan.h"
#include "node/taskchoice.h"
#include "tasklist/tasklistreader.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <unistd.h>

namespace tst_runplan {

using namespace tasuki;

namespace {

/// Applies what continues a state, as the farm would.
void proceed(RunState& state, std::vector<EventPayload> payloads, Epoch epoch)
{
    Sequence last;
    if (state.lastEvent().epoch == epoch)
        last = state.lastEvent().sequence;
    for (EventPayload& payload : payloads) {
        last = last.next();
        const Result<void> applied = state.apply(
            {.id = {epoch, last}, .wallTime = {}, .monotonic = {}, .payload = std::move(payload)});
        if (!applied)
            qFatal("%s", applied.error().text().c_str());
    }
}

EventPayload end(std::uint32_t task, Outcome outcome)
{
    AttemptResult result;
    result.outcome = outcome;
    return AttemptFinished{.key = {TaskId(task), AttemptNumber(1)},
                           .rank = Rank(0),
                           .slot = SlotIndex(0),
                           .disposition = Disposition::Final,
                           .result = result};
}

std::vector<Task> list(const char* text) { return parseTaskList(text, "list").tasks; }

/// 2026-11-29 10:31:54 UTC.
const WallTime someTime{std::chrono::seconds(1'795'948'314)};

/// Options of a run whose record lies in a directory.
FarmOptions optionsFor(const QTemporaryDir& directory, RecordChoice choice = RecordChoice::Named)
{
    FarmOptions options;
    options.taskList = directory.filePath("l.sh").toStdString();
    options.runFile = directory.filePath("l.tasuki").toStdString();
    options.usualRunFile = options.runFile;
    options.record = choice;
    return options;
}

/// A record of three tasks, the second of which has failed and the third was not run.
void writeRecord(const FarmOptions& options, const std::string& directory)
{
    Result<RunFileWriter> file = RunFileWriter::create(options.runFile, RunId::random());
    std::vector<Event> events;
    const auto add = [&events](EventPayload payload) {
        events.push_back({.id = {Epoch(1), Sequence(events.size() + 1)},
                          .wallTime = someTime,
                          .monotonic = {},
                          .payload = std::move(payload)});
    };
    add(RunOpened{.directory = directory, .taskList = *options.taskList});
    for (std::uint32_t task = 0; task < 3; ++task)
        add(TaskAdded{.id = TaskId(task), .task = list("true\n").front()});
    add(end(0, Outcome::Succeeded));
    add(end(1, Outcome::Failed));
    if (!file || !file->append(events) || !file->close())
        qFatal("no record");
}

QByteArray wordsOfTaken(const FarmOptions& options)
{
    return QByteArray::fromStdString(takenName(options, someTime).text());
}

RunState recorded()
{
    RunState state;
    proceed(state, {RunOpened{}}, Epoch(1));
    proceed(state, continuation(state, list("one\ntwo\nthree\nfour\n"), false), Epoch(1));
    proceed(state,
            {end(0, Outcome::Succeeded), end(1, Outcome::Failed),
             TaskSkipped{.id = TaskId(2), .because = TaskId(1)}},
            Epoch(1));
    return state;
}

} // namespace

class tst_RunPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("TZ", "UTC");
        ::tzset();
    }

    void datedNames()
    {
        QCOMPARE(datedName("l.tasuki", someTime), std::string("l-2026-11-29-103154.tasuki"));
        QCOMPARE(datedName("a b/l.tasuki", someTime, 3),
                 std::string("a b/l-2026-11-29-103154-3.tasuki"));
        QCOMPARE(datedName("p.x.tasuki", someTime), std::string("p.x-2026-11-29-103154.tasuki"));
    }

    // Fails if a record is made under a name that has something, or two starts of one second share one.
    void datedRecords()
    {
        const QTemporaryDir directory;
        std::set<std::string> names;
        for (int i = 0; i < 3; ++i) {
            const auto made = beginRecord(optionsFor(directory, RecordChoice::Dated), someTime);
            QVERIFY2(made.ok(), made.ok() ? "" : made.error().text().c_str());
            names.insert(std::filesystem::path(made->name).filename());
        }
        QCOMPARE(
            names,
            (std::set<std::string>{"l-2026-11-29-103154.tasuki", "l-2026-11-29-103154-2.tasuki",
                                   "l-2026-11-29-103154-3.tasuki"}));
        QVERIFY(!QFile::exists(directory.filePath("l.tasuki")));
        FarmOptions nowhere = optionsFor(directory, RecordChoice::Dated);
        nowhere.runFile = directory.filePath("missing/l.tasuki").toStdString();
        QVERIFY(!beginRecord(nowhere, someTime).ok());
    }

    void datedIfTaken()
    {
        const QTemporaryDir directory;
        const FarmOptions options = optionsFor(directory, RecordChoice::DatedIfTaken);
        const auto first = beginRecord(options, someTime);
        QVERIFY(first.ok());
        QCOMPARE(first->name, options.runFile);
        const auto second = beginRecord(options, someTime);
        QVERIFY(second.ok());
        QCOMPARE(second->name, datedName(options.runFile, someTime));
    }

    // Fails if the error does not say what stands there, or offers what would fail.
    void takenByARecord()
    {
        const QTemporaryDir directory;
        FarmOptions options = optionsFor(directory);
        writeRecord(options, directory.path().toStdString());
        const auto begun = beginRecord(options, someTime);
        QVERIFY(!begun.ok());
        QCOMPARE(begun.error().kind, ErrorKind::Input);
        const QByteArray told = QByteArray::fromStdString(begun.error().text());
        const QByteArray file = QByteArray::fromStdString(options.runFile);
        QVERIFY2(told.startsWith(file
                                 + ": exists already; it is a record of 3 tasks, 1 done, 1 failed, "
                                   "1 left, begun 2026-11-29 10:31:54; add to the same command:\n"),
                 told);
        QVERIFY2(told.contains("--resume " + file), told);
        QVERIFY2(told.contains("add --retry-failed"), told);
        QVERIFY2(
            told.contains("record: " + directory.path().toUtf8() + "/l-2026-11-29-103154.tasuki"),
            told);
        QVERIFY2(told.contains("--run NAME\n") && told.endsWith("--run none"), told);

        options.runFileGiven = true;
        QVERIFY2(wordsOfTaken(options).contains("give in place of --run " + file + ":\n"),
                 wordsOfTaken(options));
        options.taskList = directory.filePath("other.sh").toStdString();
        QVERIFY2(wordsOfTaken(options).contains("the record of another list, "
                                                + directory.path().toUtf8() + "/l.sh: 3 tasks"),
                 wordsOfTaken(options));
        options.taskList.reset();
        options.world.emplace().command = "./p";
        QVERIFY2(wordsOfTaken(options).contains("(without the program and --)"),
                 wordsOfTaken(options));
    }

    void takenElsewhere()
    {
        const QTemporaryDir directory;
        const FarmOptions options = optionsFor(directory);
        writeRecord(options, "/no/such/directory");
        const QByteArray told = wordsOfTaken(options);
        QVERIFY2(told.contains("/no/such/directory, does not exist here"), told);
        QVERIFY2(!told.contains("--resume") && told.contains("--new"), told);
    }

    void takenByALivingRun()
    {
        const QTemporaryDir directory;
        const FarmOptions options = optionsFor(directory);
        const auto living = beginRecord(options, someTime);
        QVERIFY(living.ok());
        const QByteArray told = wordsOfTaken(options);
        QVERIFY2(
            told.contains("a record of 0 tasks, 0 done, 0 failed; a run writes it now: process "
                          + QByteArray::number(::getpid())),
            told);
        QVERIFY2(told.contains("tasuki-agent show ") && told.contains("tasuki-agent top "), told);
        QVERIFY2(!told.contains("--resume") && told.contains("--new"), told);
    }

    void takenBySomethingElse_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("text") << QByteArray("notes, and nobody shall touch them\n")
                              << QByteArray("but is not a run file");
        QTest::newRow("half a record") << QByteArray() << QByteArray("but is truncated");
    }

    void takenBySomethingElse()
    {
        QFETCH(QByteArray, content);
        QFETCH(const QByteArray, words);
        const QTemporaryDir directory;
        const FarmOptions options = optionsFor(directory);
        writeRecord(options, directory.path().toStdString());
        if (content.isEmpty())
            std::filesystem::resize_file(options.runFile, 20'000);
        else
            std::ofstream(options.runFile, std::ios::trunc) << content.toStdString();
        const auto size = std::filesystem::file_size(options.runFile);
        const QByteArray told = wordsOfTaken(options);
        QVERIFY2(told.contains(": exists already, " + words), told);
        QVERIFY2(!told.contains("--resume") && told.contains("--new")
                     && told.contains("--run none"),
                 told);
        QCOMPARE(std::filesystem::file_size(options.runFile), size);
    }

    void sameListRunsOnlyWhatIsOpen()
    {
        RunState state = recorded();
        proceed(state, {RunOpened{}}, Epoch(2));
        proceed(state, continuation(state, list("one\ntwo\nthree\nfour\n"), false), Epoch(2));
        QCOMPARE(state.task(TaskId(0)).state, TaskState::Succeeded);
        QCOMPARE(state.task(TaskId(1)).state, TaskState::Failed);
        QCOMPARE(state.task(TaskId(2)).state, TaskState::Queued); // was skipped, never ran
        QCOMPARE(state.task(TaskId(3)).state, TaskState::Queued);
        QCOMPARE(state.tasks().size(), std::size_t(4));
    }

    /// A run that is requeued reads its list again.
    void whatOperatorsHaveAddedGoesOn()
    {
        RunState state = recorded();
        std::vector<Task> more = list("more\nmuch more\n");
        for (std::uint32_t i = 0; i < 2; ++i) {
            more[i].position = 4 + i;
            more[i].line = 0;
            proceed(state, {TaskAdded{.id = TaskId(4 + i), .task = more[i]}}, Epoch(1));
        }
        proceed(state, {end(5, Outcome::Failed)}, Epoch(1));
        proceed(state, {RunOpened{}}, Epoch(2));
        proceed(state, continuation(state, list("one\ntwo\nthree\nfour\nfive\n"), true), Epoch(2));
        QCOMPARE(state.tasks().size(), std::size_t(7));
        QCOMPARE(state.task(TaskId(4)).state, TaskState::Queued);
        QCOMPARE(state.task(TaskId(4)).task.position, 5U);
        QCOMPARE(state.task(TaskId(5)).state, TaskState::Queued); // failed is done again
        QCOMPARE(state.count(TaskState::Removed), std::size_t(0));
    }

    void retryFailedReopens()
    {
        RunState state = recorded();
        proceed(state, {RunOpened{}}, Epoch(2));
        proceed(state, continuation(state, list("one\ntwo\nthree\nfour\n"), true), Epoch(2));
        QCOMPARE(state.task(TaskId(0)).state, TaskState::Succeeded);
        QCOMPARE(state.task(TaskId(1)).state, TaskState::Queued);
    }

    void editedListKeepsWhatIsDone()
    {
        RunState state = recorded();
        proceed(state, {RunOpened{}}, Epoch(2));
        proceed(state, continuation(state, list("new\nfour\none\n"), false), Epoch(2));
        QCOMPARE(state.task(TaskId(0)).state, TaskState::Succeeded);
        QCOMPARE(state.task(TaskId(0)).task.position, 2U);
        QCOMPARE(state.task(TaskId(1)).state, TaskState::Removed);
        QCOMPARE(state.task(TaskId(2)).state, TaskState::Removed);
        QCOMPARE(state.task(TaskId(3)).state, TaskState::Queued);
        QCOMPARE(state.task(TaskId(4)).task.command, std::string("new"));
        QCOMPARE(state.unfinished(), std::size_t(2));
        // A failed task that is listed again stays failed, and can be tried again.
        proceed(state, {RunOpened{}}, Epoch(3));
        proceed(state, continuation(state, list("two\n"), true), Epoch(3));
        QCOMPARE(state.task(TaskId(1)).state, TaskState::Queued);
        QCOMPARE(state.unfinished(), std::size_t(1));
    }

    void chosenTasks_data()
    {
        QTest::addColumn<bool>("again");
        QTest::addColumn<QList<quint32>>("chosen");
        QTest::addColumn<QList<quint32>>("queued");
        QTest::addColumn<QString>("problem");
        // 0 succeeded, 1 failed, 2 after 1 was skipped, 3 and 4 were never tried, 5 below a barrier.
        using Tasks = QList<quint32>;
        QTest::newRow("failed, with what waits for it")
            << true << Tasks{1} << Tasks{1, 2, 3, 4, 5} << QString();
        QTest::newRow("succeeded") << true << Tasks{0} << Tasks{0, 3, 4, 5} << QString();
        QTest::newRow("what is left") << true << Tasks{3} << Tasks{3, 4, 5} << QString();
        QTest::newRow("only: what has ended stays")
            << false << Tasks{0, 1, 3} << Tasks{2, 3, 4, 5} << QString();
        QTest::newRow("skipped alone")
            << true << Tasks{2} << Tasks{} << "--retry: task 2 comes after task 1";
        QTest::newRow("below a barrier")
            << true << Tasks{1, 5} << Tasks{} << "--retry: task 5 stands below a barrier";
        QTest::newRow("below a barrier, with all above")
            << true << Tasks{1, 3, 4, 5} << Tasks{1, 2, 3, 4, 5} << QString();
        QTest::newRow("no such task") << true << Tasks{6} << Tasks{} << "the run has no task 6";
        QTest::newRow("only: no such task") << false << Tasks{6} << Tasks{} << "--only: ";
    }

    // Fails if a life that is to do chosen tasks reopens others, or not what waits for them, or begins
    // though it could not come to its end.
    void chosenTasks()
    {
        QFETCH(bool, again);
        QFETCH(QList<quint32>, chosen);
        QFETCH(QList<quint32>, queued);
        QFETCH(QString, problem);
        const QTemporaryDir directory;
        FarmOptions options;
        options.runFile = directory.filePath("r.tasuki").toStdString();
        options.resume = true;
        options.onlyAgain = again;
        for (const quint32 task : chosen)
            options.only.push_back({TaskId(task), TaskId(task)});
        auto file = RunFileWriter::create(options.runFile, RunId::random());
        QVERIFY(file.ok());
        RunPlan plan{.file = std::move(*file),
                     .state = {},
                     .epoch = Epoch(2),
                     .opening = {},
                     .directory = {}};
        proceed(plan.state, {RunOpened{}}, Epoch(1));
        proceed(plan.state,
                continuation(plan.state,
                             list("one\n#TASUKI label=b\ntwo\n#TASUKI after=b\nthree\nfour\nfive\n"
                                  "#TASUKI barrier\nsix\n"),
                             false),
                Epoch(1));
        proceed(plan.state,
                {end(0, Outcome::Succeeded), end(1, Outcome::Failed),
                 TaskSkipped{.id = TaskId(2), .because = TaskId(1)}},
                Epoch(1));
        plan.opening = {RunOpened{}, TaskReopened{TaskId(2)}}; // as any resumed run has it
        const Result<void> confined = confine(plan, options);
        QCOMPARE(confined.ok(), problem.isEmpty());
        if (!confined) {
            const QString text = QString::fromStdString(confined.error().text());
            QVERIFY2(text.contains(problem) && !text.contains('\n'), qPrintable(text));
            return;
        }
        proceed(plan.state, plan.opening, Epoch(2));
        QList<quint32> found;
        for (std::uint32_t task = 0; task < plan.state.tasks().size(); ++task) {
            if (plan.state.task(TaskId(task)).state == TaskState::Queued)
                found << task;
        }
        QCOMPARE(found, queued);
    }

    // Fails if windows are not told where output is, or if what they are told means something else.
    void keepingOfOutputIsTold()
    {
        for (const OutputKeeping& keeping :
             {OutputKeeping{}, OutputKeeping{.recordBytes = 0},
              OutputKeeping{.recordBytes = 65'536, .directory = "/a \"b\"; c"}}) {
            const auto back = outputKeepingOf(outputNotice(keeping).text());
            QVERIFY(back && *back == keeping);
        }
        QVERIFY(!outputKeepingOf("the record keeps nothing"));
        QVERIFY(!outputKeepingOf("the record keeps 5 bytes of each stream of a task; so"));

        const QTemporaryDir directory;
        FarmOptions options;
        options.runFile = directory.filePath("r.tasuki").toStdString();
        options.taskList = "list";
        options.output.directory = "out";
        TaskListParse parsed = parseTaskList("a\n", "list");
        const auto plan = planRun(options, {.host = "h", .processors = 3}, &parsed);
        QVERIFY(plan.ok());
        const auto* notice = std::get_if<Notice>(&plan->opening[1]);
        QVERIFY(notice != nullptr);
        const auto keeping = outputKeepingOf(notice->text.text());
        QVERIFY(keeping && keeping->directory == plan->directory + "/out");
    }

    void planOfANewRun()
    {
        const QTemporaryDir directory;
        FarmOptions options;
        options.runFile = directory.filePath("r.tasuki").toStdString();
        options.taskList = "list";
        TaskListParse parsed = parseTaskList("a\nb\n", "list");
        {
            const auto plan = planRun(options, {.host = "h", .processors = 3}, &parsed);
            QVERIFY(plan.ok());
            QCOMPARE(plan->epoch, Epoch(1));
            QCOMPARE(plan->opening.size(), std::size_t(3));
            QCOMPARE(std::get<RunOpened>(plan->opening[0]).processors, 3U);
        }
        TaskListParse again = parseTaskList("a\nb\n", "list");
        const auto second = planRun(options, {.host = "h", .processors = 3}, &again);
        QVERIFY(!second.ok());
        QVERIFY(second.error().text().find("--resume") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(tst_RunPlan)

} // namespace tst_runplan

#include "tst_runplan.moc"
