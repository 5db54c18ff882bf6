// SPDX-License-Identifier: GPL-3.0-or-later
#include "listtesting.h"

#include "tasklist/matching.h"

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

namespace tst_matching {

using namespace tasuki;
using namespace tasuki::testing;

namespace {

/// The tasks of a list, recorded with ids from 0 in its order.
std::vector<RecordedTask> recordedFrom(const TaskListParse& list)
{
    std::vector<RecordedTask> recorded;
    for (const Task& task : list.tasks)
        recorded.push_back({.id = TaskId(task.position), .task = &task, .removed = false});
    return recorded;
}

/// "ID" same, "ID*" changed, "+ID" new, "ID^" restored, one for each task of the list; "-ID" gone.
std::string brief(const ResumePlan& plan)
{
    std::string text;
    for (const auto& match : plan.matches) {
        text += text.empty() ? "" : " ";
        text += match.kind == MatchKind::New ? "+" : "";
        text += std::to_string(match.id.value());
        text += match.restored ? "^" : match.kind == MatchKind::Changed ? "*" : "";
        if (match.restored && match.kind != MatchKind::Changed)
            text += "?";
    }
    for (const TaskId id : plan.gone)
        text += " -" + std::to_string(id.value());
    return text;
}

} // namespace

class MatchingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void matches_data();
    void matches();
    void nothingRecorded();
    void idsFollowTheHighest();
    void removedOnesComeBack_data();
    void removedOnesComeBack();
    void linksGetFinalIds();
    void sharedLinksStayShared();
    void movedLineIsNoChange();
    void whatOperatorsHaveAddedStays();
    void agreesWithASlowMatcher();
};

void MatchingTest::matches_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* name, const char* before, const char* after,
                        const char* expected) {
        QTest::newRow(name) << QByteArray(before) << QByteArray(after) << QByteArray(expected);
    };
    row("unchanged", "a\nb\nc\n", "a\nb\nc\n", "0 1 2");
    row("comment added", "a\nb\n", "# c\na\n\nb\n", "0 1");
    row("appended", "a\nb\n", "a\nb\nc\nd\n", "0 1 +2 +3");
    row("inserted", "a\nb\n", "x\na\nb\n", "+2 0* 1*");
    row("edited", "a\nb\nc\n", "a\nB\nc\n", "0 +3 2 -1");
    row("reordered", "a\nb\nc\n", "c\nb\na\n", "2* 1 0*");
    row("left out", "a\nb\nc\n", "a\nc\n", "0 2* -1");
    row("same commands", "a\na\nb\na\n", "a\nb\na\na\na\n", "0 2* 1* 3 +4");
    row("fewer same commands", "a\na\na\n", "a\na\n", "0 1 -2");
    row("settings", "a\nb\n", "a\n#TASUKI retries=2\nb\n", "0 1*");
    row("timeout", "a\n", "#TASUKI timeout=2s\na\n", "0*");
    row("stage", "a\nb\n", "a\n#TASUKI barrier\nb\n", "0 1*");
    row("label", "a\n", "#TASUKI label=x\na\n", "0*");
    row("equal settings otherwise written", "#TASUKI timeout=60s\na\n", "#TASUKI timeout=1m\na\n",
        "0");
    row("another directory", "a\n", "#TASUKI cwd=x\na\n", "+1 -0");
    row("another environment", "#TASUKI env=A=1\na\n", "#TASUKI env=A=2\na\n", "+1 -0");
    row("environment in another order", "#TASUKI env=A=1 env=B=2\na\n",
        "#TASUKI env=B=2 env=A=1\na\n", "0*");
    row("directory is no environment", "#TASUKI cwd=A\na\n", "#TASUKI env=A=\na\n", "+1 -0");
    row("same command in two directories", "a\n#TASUKI cwd=x\na\n",
        "#TASUKI cwd=x\na\n"
        "#TASUKI cwd=default\na\na\n",
        "1* 0* +2");
    row("link to a task that moved", "#TASUKI label=x\na\n#TASUKI after=x\nb\n",
        "#TASUKI after=x\nb\n#TASUKI label=x\na\n", "1* 0*");
    row("fan-in grows", "#TASUKI label=x\na\n#TASUKI after=x\nb\n",
        "#TASUKI label=x\na\n#TASUKI after=x\nb\n#TASUKI label=x\nc\n", "0 1* +2");
}

void MatchingTest::matches()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(QByteArray, expected);
    const auto recorded = parse(before.toStdString());
    const auto list = parse(after.toStdString());
    QVERIFY(recorded.usable() && list.usable());
    const ResumePlan plan = resumePlan(recordedFrom(recorded), list.tasks);
    QCOMPARE(QByteArray::fromStdString(brief(plan)), expected);
    QCOMPARE(plan.tasks.size(), list.tasks.size());
    for (std::size_t i = 0; i < plan.tasks.size(); ++i)
        QCOMPARE(plan.tasks[i].command, list.tasks[i].command);
}

void MatchingTest::nothingRecorded()
{
    const auto list = parse("a\na\n#TASUKI label=x\nb\n#TASUKI after=x\nc\n");
    const ResumePlan plan = resumePlan({}, list.tasks);
    QCOMPARE(brief(plan), std::string("+0 +1 +2 +3"));
    QVERIFY(plan.tasks == list.tasks);
    QCOMPARE(brief(resumePlan({}, {})), std::string());
}

void MatchingTest::idsFollowTheHighest()
{
    const auto before = parse("a\nb\n");
    const std::vector<RecordedTask> recorded{
        {.id = TaskId(3), .task = &before.tasks[0], .removed = true},
        {.id = TaskId(7), .task = &before.tasks[1], .removed = true}};
    QCOMPARE(brief(resumePlan(recorded, parse("c\nb\nd\n").tasks)), std::string("+8 7^ +9"));
}

void MatchingTest::removedOnesComeBack_data()
{
    // All tasks are the same command; the digits say which of the recorded ones are removed.
    QTest::addColumn<QByteArray>("removed");
    QTest::addColumn<int>("wanted");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("not needed") << QByteArray("2") << 2 << QByteArray("0 1");
    QTest::newRow("needed") << QByteArray("2") << 3 << QByteArray("0 1 2^");
    QTest::newRow("in the order of ids") << QByteArray("0") << 3 << QByteArray("0^ 1 2");
    QTest::newRow("live ones first") << QByteArray("0") << 2 << QByteArray("1* 2*");
    QTest::newRow("the first removed") << QByteArray("01") << 2 << QByteArray("0^ 2*");
    QTest::newRow("all removed") << QByteArray("012") << 1 << QByteArray("0^");
    QTest::newRow("fewer wanted than live") << QByteArray("0") << 1 << QByteArray("1* -2");
    QTest::newRow("more than recorded") << QByteArray("1") << 4 << QByteArray("0 1^ 2 +3");
    QTest::newRow("none wanted") << QByteArray("1") << 0 << QByteArray(" -0 -2");
}

void MatchingTest::removedOnesComeBack()
{
    QFETCH(QByteArray, removed);
    QFETCH(int, wanted);
    QFETCH(QByteArray, expected);
    const auto before = parse("a\na\na\n");
    auto recorded = recordedFrom(before);
    for (const char digit : removed)
        recorded[static_cast<std::size_t>(digit - '0')].removed = true;
    std::string text;
    for (int i = 0; i < wanted; ++i)
        text += "a\n";
    QCOMPARE(QByteArray::fromStdString(brief(resumePlan(recorded, parse(text).tasks))), expected);
}

void MatchingTest::linksGetFinalIds()
{
    const auto before = parse("a\nb\nc\n");
    const ResumePlan plan = resumePlan(
        recordedFrom(before),
        parse("#TASUKI after=x\nnew\n#TASUKI label=x\nc\n#TASUKI label=x\nnewer\n"
              "#TASUKI label=x\na\n")
            .tasks);
    QCOMPARE(brief(plan), std::string("+3 2* +4 0* -1"));
    QCOMPARE(*plan.tasks[0].links,
             (TaskLinks{.label = "", .after = {TaskId(0), TaskId(2), TaskId(4)}}));
    QCOMPARE(*plan.tasks[1].links, (TaskLinks{.label = "x", .after = {}}));

    // Recorded with those ids, the same list changes nothing any more.
    std::vector<std::pair<TaskId, const Task*>> byId;
    for (std::size_t i = 0; i < plan.tasks.size(); ++i)
        byId.emplace_back(plan.matches[i].id, &plan.tasks[i]);
    byId.emplace_back(TaskId(1), &before.tasks[1]);
    std::sort(byId.begin(), byId.end());
    std::vector<RecordedTask> recorded;
    for (const auto& [id, task] : byId)
        recorded.push_back({.id = id, .task = task, .removed = id == TaskId(1)});
    const ResumePlan again = resumePlan(
        recorded,
        parse("#TASUKI after=x\nnew\n#TASUKI label=x\nc\n#TASUKI label=x\nnewer\n"
              "#TASUKI label=x\na\n")
            .tasks);
    QCOMPARE(brief(again), std::string("3 2 4 0"));
}

void MatchingTest::sharedLinksStayShared()
{
    std::string text;
    for (int i = 0; i < 3'000; ++i)
        text += "#TASUKI label=x\na\n#TASUKI after=x\nb\n";
    const auto before = parse(text);
    const ResumePlan plan = resumePlan(recordedFrom(before), parse("new\n" + text).tasks);
    QCOMPARE(plan.tasks[2].links.get(), plan.tasks[6000].links.get());
    QCOMPARE(plan.tasks[2].links->after.ids().size(), std::size_t(3'000));
    QCOMPARE(plan.tasks[2].links->after.ids()[1], TaskId(2));
    QCOMPARE(plan.matches[0].id, TaskId(6'000));
}

void MatchingTest::movedLineIsNoChange()
{
    const auto before = parse("a\nb\n");
    const ResumePlan plan = resumePlan(recordedFrom(before), parse("\n\na\n\nb\n").tasks);
    QCOMPARE(brief(plan), std::string("0 1"));
    QCOMPARE(plan.tasks[1].line, std::uint64_t(5));
}

void MatchingTest::whatOperatorsHaveAddedStays()
{
    auto before = parse("a\nb\nadded 1\nadded 2\n");
    before.tasks[2].line = before.tasks[3].line = 0;
    const auto plan = resumePlan(recordedFrom(before), parse("a\nx\ny\nz\nadded 2\n").tasks);
    // What is in the list by now is of the list from now on.
    QCOMPARE(brief(plan), "0 +4 +5 +6 3* -1");
    QCOMPARE(plan.kept.size(), std::size_t(1));
    QCOMPARE(plan.kept[0].id, TaskId(2));
    QCOMPARE(plan.kept[0].kind, MatchKind::Changed);
    QCOMPARE(plan.kept[0].task.position, 5U); // behind the list
    const auto again = resumePlan(recordedFrom(before), parse("a\nb\n").tasks);
    QCOMPARE(brief(again), "0 1");
    QCOMPARE(again.kept.size(), std::size_t(2));
    QCOMPARE(again.kept[0].kind, MatchKind::Same);
}

void MatchingTest::agreesWithASlowMatcher()
{
    const auto seed = std::random_device{}();
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    const auto randomText = [&] {
        std::string text;
        for (auto i = 1 + random() % 40; i > 0; --i) {
            if (random() % 4 == 0)
                text += random() % 2 == 0 ? "#TASUKI cwd=x\n" : "#TASUKI cwd=default\n";
            text += std::string(1, static_cast<char>('a' + random() % 6)) + '\n';
        }
        return text;
    };
    for (int round = 0; round < 1'000; ++round) {
        const auto before = parse(randomText());
        const auto list = parse(randomText());
        auto recorded = recordedFrom(before);
        const ResumePlan plan = resumePlan(recorded, list.tasks);

        // Each task takes the first recorded one of its content that is not taken yet.
        std::vector<bool> taken(recorded.size(), false);
        auto nextNew = static_cast<std::uint32_t>(recorded.size());
        for (std::size_t i = 0; i < list.tasks.size(); ++i) {
            const Task& task = list.tasks[i];
            std::size_t found = 0;
            while (found < recorded.size()
                   && (taken[found] || recorded[found].task->command != task.command
                       || *recorded[found].task->settings != *task.settings))
                ++found;
            const bool isNew = found == recorded.size();
            if (!isNew)
                taken[found] = true;
            QCOMPARE(plan.matches[i].kind == MatchKind::New, isNew);
            QCOMPARE(plan.matches[i].id,
                     isNew ? TaskId(nextNew) : TaskId(static_cast<std::uint32_t>(found)));
            nextNew += isNew ? 1U : 0U;
        }
        std::vector<TaskId> gone;
        for (std::uint32_t i = 0; i < taken.size(); ++i) {
            if (!taken[i])
                gone.emplace_back(i);
        }
        QVERIFY(plan.gone == gone);
    }
}

QTEST_APPLESS_MAIN(MatchingTest)

} // namespace tst_matching

#include "tst_matching.moc"
