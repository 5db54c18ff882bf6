// SPDX-License-Identifier: GPL-3.0-or-later
#include "listtesting.h"

namespace tst_tasklistadditions {

using namespace tasuki;
using namespace tasuki::testing;

namespace {

/// Six tasks in three stages, two of them labelled "a", one "b", one "late".
EarlierTasks earlierTasks()
{
    EarlierTasks earlier;
    earlier.count = 6;
    earlier.stage = 2;
    earlier.labels = {{"a", {TaskId(0), TaskId(4)}}, {"b", {TaskId(2)}}, {"late", {TaskId(5)}}};
    return earlier;
}

TaskListParse add(std::string_view text, const EarlierTasks& earlier = earlierTasks())
{
    return parseTaskList(text, "list.sh", {}, earlier);
}

using Ids = std::vector<TaskId>;

std::vector<std::uint32_t> stages(const TaskListParse& list)
{
    std::vector<std::uint32_t> all;
    for (const Task& task : list.tasks)
        all.push_back(task.stage);
    return all;
}

} // namespace

/// Lists that continue a run.
class TaskListAdditionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void positionsAndLinesGoOn();
    void linesOfAPieceGoOn();
    void stagesGoOn();
    void labelsOfEarlierTasks();
    void labelsOfBoth();
    void equalLinksAreShared();
    void unknownLabels();
    void cyclesAreThoseOfTheList();
    void barrierWaitsForEarlierTasks();
    void behindNothing();
    void behindAlmostTooMany();
    void manyComeAfterManyEarlierTasks();
};

void TaskListAdditionsTest::positionsAndLinesGoOn()
{
    const auto list = add("x\n# nothing\n\ny\n");
    TASUKI_COMPARE_TEXT(told(list), "");
    QCOMPARE(commands(list), (std::vector<std::string>{"x", "y"}));
    QCOMPARE(list.tasks[0].position, 6U);
    QCOMPARE(list.tasks[1].position, 7U);
    QCOMPARE(list.tasks[0].line, std::uint64_t(1)); // of the list that was added
    QCOMPARE(list.tasks[1].line, std::uint64_t(4));
    QVERIFY(!list.tasks[0].links && !list.tasks[1].links);
}

void TaskListAdditionsTest::linesOfAPieceGoOn()
{
    EarlierTasks earlier = earlierTasks();
    earlier.lines = 1000;
    const auto list = add("x\n\necho 'open\n", earlier);
    QCOMPARE(list.tasks[0].line, std::uint64_t(1001));
    QCOMPARE(list.tasks[1].line, std::uint64_t(1003));
    TASUKI_COMPARE_TEXT(
        told(list),
        "list.sh:1003:6: error: the quote ' is not closed; close it on the same line, or put a "
        "backslash before it if it is no quote\n");
    TASUKI_COMPARE_TEXT(
        told(add("\xEF\xBB\xBFx\n", earlier)),
        "list.sh:1001:1: warning: the file begins with a byte order mark, which is left out; save "
        "it as UTF-8 without one\n");
}

void TaskListAdditionsTest::stagesGoOn()
{
    QCOMPARE(stages(add("x\n#TASUKI barrier\ny\nz\n")), (std::vector<std::uint32_t>{2, 3, 3}));
    QCOMPARE(stages(add("#TASUKI barrier\nx\n#TASUKI barrier\n#TASUKI barrier\ny\n")),
             (std::vector<std::uint32_t>{3, 5}));
}

void TaskListAdditionsTest::labelsOfEarlierTasks()
{
    const auto list = add("#TASUKI after=a\nx\n#TASUKI after=late,b label=new\ny\n"
                          "#TASUKI after=new,b\nz\n");
    TASUKI_COMPARE_TEXT(told(list), "");
    QCOMPARE(*list.tasks[0].links, (TaskLinks{.label = "", .after = {TaskId(0), TaskId(4)}}));
    QCOMPARE(*list.tasks[1].links, (TaskLinks{.label = "new", .after = {TaskId(2), TaskId(5)}}));
    QCOMPARE(list.tasks[2].links->after.ids(), (Ids{TaskId(2), TaskId(7)}));
}

/// A label that the run has already may be given to more tasks: who comes after it now comes after
/// all of them.
void TaskListAdditionsTest::labelsOfBoth()
{
    const auto list = add("#TASUKI label=a\nx\n#TASUKI after=a\ny\n#TASUKI label=a\nz\n");
    TASUKI_COMPARE_TEXT(told(list), "");
    QCOMPARE(list.tasks[0].links->label, std::string("a"));
    QCOMPARE(list.tasks[1].links->after.ids(), (Ids{TaskId(0), TaskId(4), TaskId(6), TaskId(8)}));
}

void TaskListAdditionsTest::equalLinksAreShared()
{
    const auto list = add("#TASUKI after=a\nx\n#TASUKI after=a\ny\n#TASUKI after=b\nz\n");
    QCOMPARE(list.tasks[0].links.get(), list.tasks[1].links.get());
    QVERIFY(list.tasks[0].links != list.tasks[2].links);
}

void TaskListAdditionsTest::unknownLabels()
{
    TASUKI_COMPARE_TEXT(told(add("x\n#TASUKI after=a,lat\ny\n")),
                        "list.sh:2:17: error: no task has the label \"lat\"; the nearest is "
                        "\"late\"\n");
    EarlierTasks unlabelled = earlierTasks();
    unlabelled.labels.clear();
    TASUKI_COMPARE_TEXT(told(add("#TASUKI after=a\nx\n", unlabelled)),
                        "list.sh:1:15: error: no task has the label \"a\"; no task has a label; "
                        "write #TASUKI label=a above the one that is meant\n");
}

void TaskListAdditionsTest::cyclesAreThoseOfTheList()
{
    // Lines are those of the list; earlier tasks have no part in them.
    TASUKI_COMPARE_TEXT(
        toldBriefly(add("#TASUKI label=x after=y,b\nx\n#TASUKI label=y after=x\ny\n")),
        "list.sh:1:23: error: the task of line 2 waits for itself: line 2 -> \"y\" of line 4 -> "
        "\"x\" of line 2\n");
    TASUKI_COMPARE_TEXT(
        toldBriefly(add("#TASUKI after=x\nw\n#TASUKI barrier\n#TASUKI label=x\ny\n")),
        "list.sh:1:15: error: the task of line 2 waits for itself: line 2 -> "
        "\"x\" of line 5 -> barrier of line 3 -> line 2\n");
    // Its own label is also one of the run: it waits for itself all the same.
    TASUKI_COMPARE_TEXT(toldBriefly(add("#TASUKI label=a after=a\nx\n")),
                        "list.sh:1:23: error: the task of line 2 waits for itself: line 2 -> "
                        "\"a\" of line 2\n");
    // No cycle: only the earlier tasks have the label.
    TASUKI_COMPARE_TEXT(told(add("#TASUKI label=x after=a\nx\n#TASUKI barrier\n#TASUKI "
                                 "label=y after=x,late\ny\n")),
                        "");
}

void TaskListAdditionsTest::barrierWaitsForEarlierTasks()
{
    const auto list = add("#TASUKI barrier\n#TASUKI after=late\nx\n");
    TASUKI_COMPARE_TEXT(told(list), "");
    QCOMPARE(list.tasks[0].stage, 3U);
    QCOMPARE(list.tasks[0].links->after.ids(), Ids{TaskId(5)});
}

void TaskListAdditionsTest::behindNothing()
{
    const auto list = add("#TASUKI label=x\nx\n#TASUKI barrier\n#TASUKI after=x\ny\n", {});
    const auto alone = parse("#TASUKI label=x\nx\n#TASUKI barrier\n#TASUKI after=x\ny\n");
    QCOMPARE(list.tasks.size(), alone.tasks.size());
    for (std::size_t i = 0; i < list.tasks.size(); ++i)
        QVERIFY(list.tasks[i] == alone.tasks[i]);
}

void TaskListAdditionsTest::behindAlmostTooMany()
{
    EarlierTasks earlier;
    earlier.count = 0xFFFFFFFDU;
    const auto fits = add("x\ny\n", earlier);
    TASUKI_COMPARE_TEXT(told(fits), "");
    QCOMPARE(fits.tasks[1].position, 0xFFFFFFFEU);
    const auto list = add("x\ny\nz\nw\n", earlier);
    TASUKI_COMPARE_TEXT(told(list),
                        "list.sh:3: error: there are more than 4294967295 tasks; split the list\n");
    QCOMPARE(list.tasks.size(), std::size_t(2));
}

void TaskListAdditionsTest::manyComeAfterManyEarlierTasks()
{
    EarlierTasks earlier;
    earlier.count = 50'000;
    for (std::uint32_t id = 0; id < earlier.count; ++id)
        earlier.labels["a"].emplace_back(id);
    std::string text;
    for (int i = 0; i < 1'002; ++i)
        text += "#TASUKI after=a label=l" + std::to_string(i) + "\ntrue\n";
    const auto list = add(text, earlier);
    TASUKI_COMPARE_TEXT(told(list), "");
    // One group for all of them, not 50 million pairs.
    for (const Task& task : list.tasks)
        QVERIFY(task.links->after.groups()[0] == list.tasks[0].links->after.groups()[0]);
    QCOMPARE(list.tasks[0].links->after.groups()[0]->size(), std::size_t(earlier.count));
}

QTEST_APPLESS_MAIN(TaskListAdditionsTest)

} // namespace tst_tasklistadditions

#include "tst_tasklistadditions.moc"
