// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "models/taskdrafts.h"
#include "sessionbench.h"
#include "tasklist/tasklistreader.h"

#include <random>

namespace tst_taskdrafts {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

constexpr auto command = TaskField::Command;
constexpr auto timeout = TaskField::Timeout;
using Phase = TaskDraft::Phase;

CommandAnswer accepted()
{
    CommandAnswer answer;
    answer.accepted = true;
    return answer;
}

/// Ten queued tasks and their drafts.
struct Bench : SessionBench {
    Bench() : drafts(*session)
    {
        begin(10);
        QObject::connect(&drafts, &TaskDrafts::changed, &drafts,
                         [this](const QList<TaskId>& tasks) { told += tasks; });
        QObject::connect(&drafts, &TaskDrafts::answered, &drafts,
                         [this](const QString& refusal) { answers.append(refusal); });
    }

    void edit(std::uint32_t task, TaskField field, const QString& text)
    {
        drafts.edit({TaskId(task)}, field, text);
    }
    [[nodiscard]] QString text(std::uint32_t task, TaskField field = command) const
    {
        return drafts.text(TaskId(task), field);
    }
    [[nodiscard]] const TaskDraft* draft(std::uint32_t task) const
    {
        return drafts.draft(TaskId(task));
    }
    /// The agent's record gets another definition of a task.
    void change(std::uint32_t id, const std::string& text,
                std::shared_ptr<const TaskSettings> settings = nullptr)
    {
        Task task = session->state().task(TaskId(id)).task;
        task.command = text;
        if (settings)
            task.settings = std::move(settings);
        happen({TaskChanged{.id = TaskId(id), .task = task}});
    }
    void answer(const Result<CommandAnswer>& given)
    {
        auto done = std::move(source->commands.back().second);
        done(given);
    }
    [[nodiscard]] const EditTasks& sent() const
    {
        return std::get<EditTasks>(source->commands.back().first);
    }

    TaskDrafts drafts;
    QList<TaskId> told;
    QStringList answers;
};

} // namespace

class TestTaskDrafts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void editUndoRedo();
    void whatEqualsTheRecordVanishes();
    void wrongCells();
    void whatCannotBeEdited();
    void manyAtOnce();
    void sendsOneChange();
    void vanishesWhenItIsInTheRecord();
    void undoAfterSending();
    void undoWhileItIsOnItsWay();
    void refusal();
    void noAnswer();
    void changedByOthers();
    void startedUnderTheDraft();
    void undoUnderAStartedTask();
    void acceptedAndThenChanged();
    void keepMine();
    void takeTheirs();
    void startOver();
    void randomEditsUndone_data();
    void randomEditsUndone();
    void listWithDrafts();
    void listWithLinks();
};

void TestTaskDrafts::editUndoRedo()
{
    Bench bench;
    bench.edit(3, command, QStringLiteral("sleep 1"));
    QCOMPARE(bench.text(3), QStringLiteral("sleep 1"));
    QCOMPARE(bench.drafts.recordText(TaskId(3), command), QStringLiteral("task 3"));
    QCOMPARE(bench.text(4), QStringLiteral("task 4"));
    QVERIFY(bench.draft(3));
    QVERIFY(bench.draft(3)->valid());
    QCOMPARE(bench.draft(3)->base, bench.session->state().task(TaskId(3)).revision);
    QCOMPARE(bench.told, QList{TaskId(3)});
    bench.edit(3, timeout, QStringLiteral("60s"));
    QCOMPARE(bench.text(3, timeout), QStringLiteral("1m"));
    QUndoStack& stack = bench.drafts.undoStack();
    QCOMPARE(stack.count(), 2);
    stack.undo();
    QCOMPARE(bench.text(3, timeout), QString());
    QCOMPARE(bench.text(3), QStringLiteral("sleep 1"));
    stack.undo();
    QVERIFY(!bench.draft(3));
    QCOMPARE(bench.text(3), QStringLiteral("task 3"));
    stack.redo();
    stack.redo();
    QCOMPARE(bench.text(3), QStringLiteral("sleep 1"));
    QCOMPARE(bench.text(3, timeout), QStringLiteral("1m"));
}

void TestTaskDrafts::whatEqualsTheRecordVanishes()
{
    Bench bench;
    bench.edit(1, command, QStringLiteral("other"));
    bench.edit(1, command, QStringLiteral("  task 1 "));
    QVERIFY(!bench.draft(1));
    bench.edit(1, command, QStringLiteral("task 1"));
    QCOMPARE(bench.drafts.undoStack().count(), 2); // the third changed nothing
}

void TestTaskDrafts::wrongCells()
{
    Bench bench;
    bench.edit(1, timeout, QStringLiteral("soon"));
    QCOMPARE(bench.text(1, timeout), QStringLiteral("soon"));
    QVERIFY(!bench.drafts.problem(TaskId(1), timeout).isEmpty());
    QVERIFY(bench.drafts.problem(TaskId(1), command).isEmpty());
    QVERIFY(!bench.draft(1)->valid());
    QVERIFY2(bench.drafts.whyNotSendable().contains(QStringLiteral("1")),
             qPrintable(bench.drafts.whyNotSendable()));
    QVERIFY(!bench.drafts.listText().ok());
    bench.edit(1, timeout, QStringLiteral("5s"));
    QVERIFY(bench.draft(1)->valid());
    QVERIFY(bench.drafts.whyNotSendable().isEmpty());
    QVERIFY(bench.drafts.listText().ok());
}

void TestTaskDrafts::whatCannotBeEdited()
{
    Bench bench;
    bench.happen({bench.started(0), bench.ended(1), TaskHeld{.id = TaskId(2)},
                  TaskCancelled{.id = TaskId(3)}, TaskRemoved{.id = TaskId(4)}});
    QVERIFY(bench.drafts.whyFixed(TaskId(2), command).isEmpty());
    for (const std::uint32_t id : {0U, 1U, 3U, 4U, 99U}) {
        QVERIFY(!bench.drafts.whyFixed(TaskId(id), command).isEmpty());
        bench.edit(id, command, QStringLiteral("other"));
        QVERIFY(!bench.draft(id));
    }
    QCOMPARE(bench.drafts.undoStack().count(), 0);
    bench.change(5, "bytes \xff");
    QVERIFY(!bench.drafts.whyFixed(TaskId(5), command).isEmpty());
    QVERIFY(bench.drafts.whyFixed(TaskId(5), timeout).isEmpty());
    SessionBench file(SourceKind::RunFile);
    TaskDrafts drafts(*file.session);
    file.begin(2);
    QVERIFY(!drafts.whyFixed(TaskId(0), command).isEmpty());
}

void TestTaskDrafts::manyAtOnce()
{
    Bench bench;
    bench.happen({bench.started(2)});
    bench.drafts.edit({TaskId(1), TaskId(2), TaskId(3)}, timeout, QStringLiteral("9s"));
    QCOMPARE(bench.drafts.drafts().size(), std::size_t(2));
    QCOMPARE(bench.drafts.undoStack().count(), 1);
    bench.drafts.discardAll();
    QVERIFY(bench.drafts.drafts().empty());
    bench.drafts.undoStack().undo();
    QCOMPARE(bench.text(3, timeout), QStringLiteral("9s"));
    bench.drafts.undoStack().undo();
    QVERIFY(bench.drafts.drafts().empty());
}

void TestTaskDrafts::sendsOneChange()
{
    Bench bench;
    QVERIFY(!bench.drafts.whyNotSendable().isEmpty()); // nothing to send
    bench.edit(2, command, QStringLiteral("two"));
    bench.edit(5, timeout, QStringLiteral("5s"));
    bench.edit(2, TaskField::Retries, QStringLiteral("1"));
    bench.source->setState(ConnectionState::Waiting);
    QVERIFY(!bench.drafts.whyNotSendable().isEmpty());
    bench.source->setState(ConnectionState::Live);
    QCOMPARE(bench.drafts.whyNotSendable(), QString());
    bench.drafts.send();
    QCOMPARE(bench.source->commands.size(), std::size_t(1));
    const EditTasks& sent = bench.sent();
    QCOMPARE(sent.edits.size(), std::size_t(2));
    QCOMPARE(sent.edits[0].target.id, TaskId(2));
    QCOMPARE(sent.edits[0].target.base, bench.session->state().task(TaskId(2)).revision);
    QCOMPARE(sent.edits[0].command, std::string("two"));
    QCOMPARE(sent.edits[0].settings->retries, (RetryBudget{.allowed = {1, 1, 1, 3}}));
    QCOMPARE(sent.edits[1].command, std::string("task 5"));
    QCOMPARE(*sent.edits[1].settings->timeout, std::chrono::milliseconds(5s));
    QCOMPARE(bench.draft(2)->phase, Phase::Sent);
    QVERIFY(!bench.drafts.whyFixed(TaskId(2), command).isEmpty());
    QVERIFY(!bench.drafts.whyNotSendable().isEmpty());
}

void TestTaskDrafts::vanishesWhenItIsInTheRecord()
{
    // The events of an accepted command come before its answer or after it.
    for (const bool eventFirst : {true, false}) {
        Bench bench;
        bench.edit(2, command, QStringLiteral("two"));
        bench.drafts.send();
        if (eventFirst)
            bench.change(2, "two");
        QCOMPARE(bench.draft(2) == nullptr, eventFirst);
        bench.answer(accepted());
        QCOMPARE(bench.answers, QStringList{QString()});
        if (!eventFirst) {
            QCOMPARE(bench.draft(2)->phase, Phase::Accepted);
            bench.change(2, "two");
        }
        QVERIFY(!bench.draft(2));
        QCOMPARE(bench.text(2), QStringLiteral("two"));
        QVERIFY(bench.drafts.whyFixed(TaskId(2), command).isEmpty());
    }
}

void TestTaskDrafts::undoAfterSending()
{
    Bench bench;
    bench.edit(2, command, QStringLiteral("two"));
    bench.drafts.send();
    bench.answer(accepted());
    bench.change(2, "two");
    bench.drafts.undoStack().undo();
    QVERIFY(bench.draft(2));
    QCOMPARE(bench.text(2), QStringLiteral("task 2"));
    QCOMPARE(bench.draft(2)->base, bench.session->state().task(TaskId(2)).revision);
    QVERIFY(!bench.draft(2)->conflict);
    bench.drafts.send();
    QCOMPARE(bench.sent().edits.at(0).command, std::string("task 2"));
}

void TestTaskDrafts::undoWhileItIsOnItsWay()
{
    Bench bench;
    bench.edit(2, command, QStringLiteral("two"));
    bench.drafts.send();
    bench.drafts.undoStack().undo();
    QCOMPARE(bench.text(2), QStringLiteral("task 2")); // what the operator wants in the end
    QCOMPARE(bench.draft(2)->phase, Phase::Sent);
    bench.answer(accepted());
    bench.change(2, "two");
    QVERIFY(bench.draft(2));
    QCOMPARE(bench.draft(2)->phase, Phase::Local);
    QCOMPARE(bench.text(2), QStringLiteral("task 2"));
    QCOMPARE(bench.drafts.whyNotSendable(), QString());
    // Refused: what was undone is undone.
    Bench other;
    other.edit(2, command, QStringLiteral("two"));
    other.drafts.send();
    other.drafts.undoStack().undo();
    other.answer(CommandAnswer{});
    QVERIFY(!other.draft(2));
}

void TestTaskDrafts::refusal()
{
    Bench bench;
    bench.edit(2, command, QStringLiteral("two"));
    bench.edit(3, command, QStringLiteral("three"));
    bench.drafts.send();
    CommandAnswer answer;
    answer.reason = "1 task has changed";
    answer.conflicts = {{.id = TaskId(3), .cause = ConflictCause::Changed}};
    bench.answer(answer);
    QCOMPARE(bench.answers, QStringList{QStringLiteral("1 task has changed")});
    QCOMPARE(bench.draft(2)->phase, Phase::Local);
    QVERIFY(!bench.draft(2)->conflict);
    QCOMPARE(*bench.draft(3)->conflict, ConflictCause::Changed);
    QCOMPARE(bench.drafts.conflicts(), std::size_t(1));
    QVERIFY(!bench.drafts.whyNotSendable().isEmpty());
    // The change that it met comes.
    bench.change(3, "theirs");
    QCOMPARE(*bench.draft(3)->conflict, ConflictCause::Changed);
    QCOMPARE(bench.text(3), QStringLiteral("three"));
    QCOMPARE(bench.drafts.recordText(TaskId(3), command), QStringLiteral("theirs"));
}

void TestTaskDrafts::noAnswer()
{
    Bench bench;
    bench.edit(2, command, QStringLiteral("two"));
    bench.edit(3, command, QStringLiteral("three"));
    bench.drafts.send();
    bench.answer(Error{.kind = ErrorKind::System, .message = "the connection ended"});
    QCOMPARE(bench.answers, QStringList{QStringLiteral("the connection ended")});
    QCOMPARE(bench.draft(2)->phase, Phase::Local);
    // It had been accepted after all.
    bench.change(2, "two");
    QVERIFY(!bench.draft(2));
    QVERIFY(bench.draft(3));
    QVERIFY(bench.drafts.whyNotSendable().isEmpty());
}

void TestTaskDrafts::changedByOthers()
{
    Bench bench;
    bench.edit(4, command, QStringLiteral("mine"));
    bench.edit(5, command, QStringLiteral("also mine"));
    bench.told.clear();
    bench.change(4, "theirs");
    QCOMPARE(*bench.draft(4)->conflict, ConflictCause::Changed);
    QVERIFY(!bench.draft(5)->conflict);
    QCOMPARE(bench.told, QList{TaskId(4)});
    QCOMPARE(bench.text(4), QStringLiteral("mine"));
    // They want what I want.
    bench.change(5, "also mine");
    QVERIFY(!bench.draft(5));
}

void TestTaskDrafts::startedUnderTheDraft()
{
    Bench bench;
    bench.edit(4, command, QStringLiteral("mine"));
    bench.happen({bench.started(4)});
    QCOMPARE(*bench.draft(4)->conflict, ConflictCause::Started);
    QVERIFY(!bench.drafts.keepMine(TaskId(4)));
    bench.happen({bench.ended(4, 1, Outcome::Failed, 1s, Disposition::Retry)});
    QVERIFY(!bench.draft(4)->conflict); // it waits again, as it was
    bench.happen({bench.ended(4, 2)});
    QCOMPARE(*bench.draft(4)->conflict, ConflictCause::Finished);
    bench.drafts.discard({TaskId(4)});
    QVERIFY(!bench.draft(4));
    bench.drafts.undoStack().undo(); // cannot be edited any more: nothing
    QVERIFY(!bench.draft(4));
    bench.edit(6, command, QStringLiteral("mine"));
    bench.happen({TaskRemoved{.id = TaskId(6)}});
    QCOMPARE(*bench.draft(6)->conflict, ConflictCause::Removed);
}

void TestTaskDrafts::undoUnderAStartedTask()
{
    Bench bench;
    bench.edit(4, command, QStringLiteral("mine"));
    bench.edit(4, command, QString()); // a task needs a command
    bench.happen({bench.started(4)});
    QCOMPARE(*bench.draft(4)->conflict, ConflictCause::Started);
    QVERIFY(!bench.draft(4)->valid());
    bench.drafts.undoStack().undo();
    QCOMPARE(bench.text(4), QStringLiteral("mine"));
    QVERIFY(bench.draft(4)->valid());
    QCOMPARE(*bench.draft(4)->conflict, ConflictCause::Started);
    bench.drafts.undoStack().undo();
    QVERIFY(!bench.draft(4));
    bench.drafts.undoStack().redo(); // it runs: there is nothing to edit any more
    QVERIFY(!bench.draft(4));
}

void TestTaskDrafts::acceptedAndThenChanged()
{
    Bench bench;
    bench.edit(4, command, QStringLiteral("mine"));
    bench.drafts.send();
    bench.answer(accepted());
    Task task = bench.session->state().task(TaskId(4)).task;
    task.command = "mine";
    Task after = task;
    after.command = "later";
    bench.happen(
        {TaskChanged{.id = TaskId(4), .task = task}, TaskChanged{.id = TaskId(4), .task = after}});
    QVERIFY(!bench.draft(4)); // mine was there; what came later is no conflict
    QCOMPARE(bench.text(4), QStringLiteral("later"));
}

void TestTaskDrafts::keepMine()
{
    Bench bench;
    bench.edit(4, command, QStringLiteral("mine"));
    auto settings = std::make_shared<TaskSettings>();
    settings->timeout = 7s;
    bench.change(4, "theirs", settings);
    QVERIFY(bench.drafts.keepMine(TaskId(4)));
    QVERIFY(!bench.draft(4)->conflict);
    QCOMPARE(bench.drafts.whyNotSendable(), QString());
    bench.drafts.send();
    const TaskEdit& edit = bench.sent().edits.at(0);
    QCOMPARE(edit.target.base, bench.session->state().task(TaskId(4)).revision);
    QCOMPARE(edit.command, std::string("mine"));
    QCOMPARE(*edit.settings->timeout, std::chrono::milliseconds(7s)); // what I did not touch
}

void TestTaskDrafts::takeTheirs()
{
    Bench bench;
    bench.edit(4, command, QStringLiteral("mine"));
    bench.change(4, "theirs");
    bench.drafts.discard({TaskId(4)});
    QVERIFY(!bench.draft(4));
    QCOMPARE(bench.text(4), QStringLiteral("theirs"));
    bench.drafts.undoStack().undo();
    QCOMPARE(bench.text(4), QStringLiteral("mine"));
    QVERIFY(!bench.draft(4)->conflict);
}

void TestTaskDrafts::startOver()
{
    Bench bench;
    bench.edit(4, command, QStringLiteral("mine"));
    bench.edit(5, command, QStringLiteral("mine too"));
    Q_EMIT bench.source->catchingUp(0);
    bench.startOver();
    QCOMPARE(bench.text(4), QStringLiteral("mine"));
    QVERIFY(bench.draft(4));
    bench.begin(10);
    bench.change(5, "theirs");
    QVERIFY(!bench.draft(5)->conflict); // who knows what is still to come
    Q_EMIT bench.source->caughtUp();
    QTRY_VERIFY(bench.draft(5)->conflict.has_value());
    QVERIFY(!bench.draft(4)->conflict);
}

void TestTaskDrafts::randomEditsUndone_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 5; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

void TestTaskDrafts::randomEditsUndone()
{
    QFETCH(unsigned, seed);
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t limit) {
        return static_cast<std::uint32_t>(random() % limit);
    };
    const std::string list = "#TASUKI retries=2 timeout=10m\n"
                             "echo one\n"
                             "#TASUKI label=prepare cwd='/some where'\n"
                             "echo 'two words' | wc\n"
                             "#TASUKI after=prepare env=A=1 env=B='x y'\n"
                             "echo three \\\n  goes on\n"
                             "#TASUKI barrier env=default cwd=default\n"
                             "echo four\n"
                             "echo five\n"
                             "echo \xe8\xa5\xb7\n"
                             "echo \xff not UTF-8\n";
    const TaskListParse parse = parseTaskList(list, "list");
    QVERIFY(parse.usable());
    SessionBench bench;
    std::vector<EventPayload> payloads{RunOpened{}};
    for (std::uint32_t id = 0; id < parse.tasks.size(); ++id)
        payloads.emplace_back(TaskAdded{.id = TaskId(id), .task = parse.tasks[id]});
    payloads.emplace_back(TaskHeld{.id = TaskId(3)});
    bench.happen(std::move(payloads));
    TaskDrafts drafts(*bench.session);
    const auto before = drafts.listText();
    QVERIFY2(before.ok(), before.ok() ? "" : before.error().text().c_str());

    const QStringList texts{QStringLiteral("sleep 1"),     QStringLiteral("echo 'open"),
                            QStringLiteral("1h"),          QStringLiteral("none"),
                            QStringLiteral("2,lost:1"),    QStringLiteral("/elsewhere"),
                            QStringLiteral("X=1 Y='2 3'"), QString(),
                            QStringLiteral("# nothing"),   QStringLiteral("echo one")};
    int differences = 0;
    for (int i = 0; i < 1'000; ++i) {
        const auto field = allTaskFields.at(below(taskFieldCount));
        QList<TaskId> tasks;
        for (std::uint32_t count = 1 + below(3); count > 0; --count)
            tasks.append(TaskId(below(static_cast<std::uint32_t>(parse.tasks.size()))));
        if (below(20) == 0)
            drafts.discardAll();
        else
            drafts.edit(tasks, field, texts.at(static_cast<qsizetype>(below(10))));
        const auto now = drafts.listText();
        differences += !now.ok() || *now != *before ? 1 : 0;
        if (below(10) == 0)
            drafts.undoStack().undo();
    }
    QVERIFY(differences > 500);
    while (drafts.undoStack().canUndo())
        drafts.undoStack().undo();
    QVERIFY(drafts.drafts().empty());
    const auto after = drafts.listText();
    QVERIFY(after.ok());
    QCOMPARE(QByteArray::fromStdString(*after), QByteArray::fromStdString(*before));
    while (drafts.undoStack().canRedo())
        drafts.undoStack().redo();
    while (drafts.undoStack().canUndo())
        drafts.undoStack().undo();
    QCOMPARE(QByteArray::fromStdString(*drafts.listText()), QByteArray::fromStdString(*before));
}

void TestTaskDrafts::listWithDrafts()
{
    Bench bench;
    bench.happen({TaskRemoved{.id = TaskId(1)}, bench.ended(0)});
    bench.edit(2, command, QStringLiteral("two"));
    bench.edit(2, timeout, QStringLiteral("5s"));
    const auto text = bench.drafts.listText();
    QVERIFY(text.ok());
    const auto parse = parseTaskList(*text, "list");
    QVERIFY(parse.usable());
    QCOMPARE(parse.tasks.size(), std::size_t(9));
    QCOMPARE(parse.tasks[0].command, std::string("task 0"));
    QCOMPARE(parse.tasks[1].command, std::string("two"));
    QCOMPARE(*parse.tasks[1].settings->timeout, std::chrono::milliseconds(5s));
    QCOMPARE(parse.tasks[2].command, std::string("task 3"));
    QVERIFY(!parse.tasks[2].settings->timeout);
}

void TestTaskDrafts::listWithLinks()
{
    SessionBench bench;
    const auto parse = parseTaskList("gone\n#TASUKI label=a\nfirst\n#TASUKI label=a\nsecond\n"
                                     "#TASUKI after=a\nthird\n",
                                     "list");
    std::vector<EventPayload> payloads{RunOpened{}};
    for (std::uint32_t id = 0; id < parse.tasks.size(); ++id)
        payloads.emplace_back(TaskAdded{.id = TaskId(id), .task = parse.tasks[id]});
    payloads.emplace_back(TaskRemoved{.id = TaskId(0)});
    bench.happen(std::move(payloads));
    const TaskDrafts drafts(*bench.session);
    const auto text = drafts.listText();
    QVERIFY2(text.ok(), text.ok() ? "" : text.error().text().c_str());
    const auto again = parseTaskList(*text, "list");
    QCOMPARE(again.tasks.size(), std::size_t(3));
    QCOMPARE(again.tasks[2].links->after.ids(), (std::vector{TaskId(0), TaskId(1)}));
}

QTEST_GUILESS_MAIN(TestTaskDrafts)

} // namespace tst_taskdrafts

#include "tst_taskdrafts.moc"
