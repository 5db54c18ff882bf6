// SPDX-License-Identifier: GPL-3.0-or-later
#include "listtesting.h"

namespace tst_tasklistlinks {

using namespace tasuki;
using namespace tasuki::testing;

class TaskListLinksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void resolves();
    void sharesEqualLinks();
    void unknownLabels();
    void endsWithoutTask();
    void cycles_data();
    void cycles();
    void longCycleIsCutShort();
    void manyCyclesAreCounted();
    void wideFanIn();
    void groupsAreShared();
};

void TaskListLinksTest::resolves()
{
    const auto list = parse("#TASUKI after=late,x\nfirst\n"
                            "#TASUKI label=x\na\n"
                            "b\n"
                            "#TASUKI label=x\nc\n"
                            "#TASUKI label=late after='x'\nd\n");
    TASUKI_COMPARE_TEXT(told(list), "");
    QCOMPARE(*list.tasks[0].links,
             (TaskLinks{.label = "", .after = {TaskId(1), TaskId(3), TaskId(4)}}));
    QCOMPARE(*list.tasks[1].links, (TaskLinks{.label = "x", .after = {}}));
    QVERIFY(!list.tasks[2].links);
    QCOMPARE(*list.tasks[4].links, (TaskLinks{.label = "late", .after = {TaskId(1), TaskId(3)}}));

    const auto mixed = parse("#TASUKI label=x\na\n#TASUKI label=y\nb\n#TASUKI label=x\nc\n"
                             "#TASUKI after=y,x\nd\n");
    QCOMPARE(mixed.tasks[3].links->after.ids(),
             (std::vector<TaskId>{TaskId(0), TaskId(1), TaskId(2)}));
}

void TaskListLinksTest::sharesEqualLinks()
{
    const auto list = parse("#TASUKI label=x\na\n#TASUKI label=x\nb\n#TASUKI label=y\nc\n"
                            "#TASUKI after=x,y\nd\n#TASUKI after=y after=x\ne\n");
    TASUKI_COMPARE_TEXT(told(list), "");
    QCOMPARE(list.tasks[0].links.get(), list.tasks[1].links.get());
    QCOMPARE(list.tasks[3].links.get(), list.tasks[4].links.get());
    QVERIFY(list.tasks[0].links != list.tasks[2].links);
}

void TaskListLinksTest::unknownLabels()
{
    TASUKI_COMPARE_TEXT(told(parse("#TASUKI after=x\na\n")),
                        "list.sh:1:15: error: no task has the label \"x\"; no task has a label; "
                        "write #TASUKI label=x above the one that is meant\n");
    const auto list = parse("#TASUKI label=fit\na\n#TASUKI label=prepare\nb\n"
                            "  #TASUKI timeout=1s after=fit,preprae,\"fti\"\nc\n"
                            "#TASUKI after='fit,x y'\nd\n");
    TASUKI_COMPARE_TEXT(told(list),
                        "list.sh:5:28: error: no task has the label \"preprae\"; the nearest is "
                        "\"prepare\"\n"
                        "list.sh:5:28: error: no task has the label \"fti\"; the nearest is "
                        "\"fit\"\n"
                        "list.sh:7:15: error: no task has the label \"x y\"; the nearest is "
                        "\"fit\"\n");
}

void TaskListLinksTest::endsWithoutTask()
{
    const auto list = parse("a\n#TASUKI label=x\n  #TASUKI after=y,z\n#TASUKI barrier\n# end\n");
    TASUKI_COMPARE_TEXT(told(list),
                        "list.sh:2:9: error: no task follows for the label \"x\"; a label belongs "
                        "to the next task; remove it or add the task\n"
                        "list.sh:3:17: error: no task follows that comes after \"y\"; after "
                        "belongs to the next task; remove it or add the task\n"
                        "list.sh:4:9: warning: no task follows the barrier; remove it\n");
    QVERIFY(parse("a\n#TASUKI barrier\n").usable());
}

void TaskListLinksTest::cycles_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("itself") << QByteArray("#TASUKI label=a after=a\nx\n")
                            << QByteArray(
                                   "list.sh:1:23: error: the task of line 2 waits for itself: "
                                   "line 2 -> \"a\" of line 2\n");
    QTest::newRow("two") << QByteArray("#TASUKI label=a after=b\nx\n#TASUKI label=b after=a\ny\n")
                         << QByteArray("list.sh:1:23: error: the task of line 2 waits for itself: "
                                       "line 2 -> \"b\" of line 4 -> \"a\" of line 2\n");
    QTest::newRow("three, entered from outside")
        << QByteArray("#TASUKI after=b\nw\n#TASUKI label=a after=b\nx\n#TASUKI label=b after=c\n"
                      "y\n#TASUKI label=c after=a\nz\n")
        << QByteArray("list.sh:5:23: error: the task of line 6 waits for itself: line 6 -> \"c\" "
                      "of line 8 -> \"a\" of line 4 -> \"b\" of line 6\n");
    QTest::newRow("fan-in that has a member of its own")
        << QByteArray("#TASUKI label=a\nw\n#TASUKI label=a after=b\nx\n#TASUKI label=b after=a\n"
                      "y\n")
        << QByteArray("list.sh:3:23: error: the task of line 4 waits for itself: line 4 -> \"b\" "
                      "of line 6 -> \"a\" of line 4\n");
    QTest::newRow("barrier")
        << QByteArray("w\n#TASUKI after=b\nx\n#TASUKI barrier\n#TASUKI label=b\ny\n")
        << QByteArray("list.sh:2:15: error: the task of line 3 waits for itself: line 3 -> \"b\" "
                      "of line 6 -> barrier of line 4 -> line 3\n");
    QTest::newRow("two barriers, the second without tasks of its own")
        << QByteArray("#TASUKI after=b\nx\n#TASUKI barrier\ny\n#TASUKI barrier\n"
                      "#TASUKI barrier\n#TASUKI label=b\nz\n")
        << QByteArray("list.sh:1:15: error: the task of line 2 waits for itself: line 2 -> \"b\" "
                      "of line 8 -> barrier of line 6 -> barrier of line 5 -> line 4 -> barrier of "
                      "line 3 -> line 2\n");
    QTest::newRow("diamond") << QByteArray(
        "#TASUKI label=a\nw\n#TASUKI label=b after=a\nx\n#TASUKI label=c after=a\n"
        "y\n#TASUKI after=b,c\nz\n")
                             << QByteArray();
    QTest::newRow("after a label above a barrier")
        << QByteArray("#TASUKI label=a\nw\n#TASUKI barrier\n#TASUKI after=a\nx\n") << QByteArray();
    QTest::newRow("two cycles") << QByteArray(
        "#TASUKI label=a after=a\nx\ny\n#TASUKI label=b after=b\nz\n")
                                << QByteArray(
                                       "list.sh:1:23: error: the task of line 2 waits for itself: "
                                       "line 2 -> \"a\" of line 2\n"
                                       "list.sh:4:23: error: the task of line 5 waits for itself: "
                                       "line 5 -> \"b\" of line 5\n");
}

void TaskListLinksTest::cycles()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    QCOMPARE(QByteArray::fromStdString(toldBriefly(parse(text.toStdString()))), expected);
}

void TaskListLinksTest::longCycleIsCutShort()
{
    constexpr int count = 100'000;
    std::string text;
    for (int i = 0; i < count; ++i)
        text += "#TASUKI label=t" + std::to_string(i) + " after=t" + std::to_string((i + 1) % count)
            + "\ntrue\n";
    const auto list = parse(text);
    QCOMPARE(list.diagnostics.size(), std::size_t(1));
    const std::string message = list.diagnostics[0].message.text();
    QVERIFY(message.starts_with("the task of line 2 waits for itself: line 2 -> \"t1\" of line 4"));
    QVERIFY(message.ends_with(" of line 200000 -> \"t0\" of line 2"));
    QVERIFY(message.find(" -> ... -> ") != std::string::npos);
    QVERIFY(message.size() < 1500);
}

void TaskListLinksTest::manyCyclesAreCounted()
{
    std::string text;
    for (int i = 0; i < 5'000; ++i)
        text += "#TASUKI after=x\ntrue\n";
    text += "#TASUKI barrier\n#TASUKI label=x\ntrue\n";
    const auto list = parse(text);
    QCOMPARE(list.diagnostics.size(), std::size_t(101));
    QCOMPARE(list.diagnostics.back().message.text(),
             std::string("more than 100 cycles, the others are not listed"));
    QCOMPARE(list.diagnostics[7].place.line, std::uint64_t(15));
}

void TaskListLinksTest::wideFanIn()
{
    constexpr std::uint32_t count = 50'000;
    std::string text;
    for (std::uint32_t i = 0; i < count; ++i)
        text += "#TASUKI label=x\ntrue\n";
    for (std::uint32_t i = 0; i < count; ++i)
        text += "#TASUKI after=x\ntrue\n";
    const auto list = parse(text);
    TASUKI_COMPARE_TEXT(told(list), "");
    QCOMPARE(list.tasks.back().links->after.ids().size(), std::size_t(count));
    QCOMPARE(list.tasks[count].links.get(), list.tasks.back().links.get());
}

void TaskListLinksTest::groupsAreShared()
{
    // All pairs would be 4 GB.
    constexpr std::size_t count = 30'000;
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
        text += "#TASUKI label=x\ntrue\n";
    for (std::size_t i = 0; i < count; ++i)
        text += "#TASUKI after=x label=y" + std::to_string(i) + "\ntrue\n";
    text += "#TASUKI after=y7,x\ntrue\n";
    const auto list = parse(text);
    QVERIFY(list.usable());
    const auto groups = [&](std::size_t task) { return list.tasks[task].links->after.groups(); };
    QCOMPARE(groups(count).size(), std::size_t(1));
    QCOMPARE(groups(count)[0]->size(), count);
    for (std::size_t i = 1; i < count; ++i)
        QVERIFY(groups(count + i)[0] == groups(count)[0]);
    QCOMPARE(groups(2 * count).size(), std::size_t(2));
    QCOMPARE(*groups(2 * count)[1], TaskGroup{TaskId(count + 7)});
}

QTEST_APPLESS_MAIN(TaskListLinksTest)

} // namespace tst_tasklistlinks

#include "tst_tasklistlinks.moc"
