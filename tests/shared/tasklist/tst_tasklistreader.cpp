// SPDX-License-Identifier: GPL-3.0-or-later
#include "listtesting.h"

namespace tst_tasklistreader {

using namespace tasuki;
using namespace tasuki::testing;

class TaskListReaderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAListOfTheArticle();
    void readsTheExampleOfTheDesign();
    void numbersTasks();
    void trimsBlanks();
    void continuesLines();
    void doesNotContinueComments();
    void tellsOddities_data();
    void tellsOddities();
    void tellsAllOfThem();
    void keepsBytesThatAreNoText();
    void readsLongLinesWhole();
    void sharesSettings();
    void tellsWithRemedy();
};

void TaskListReaderTest::readsAListOfTheArticle()
{
    const auto list = parse("## tasks\nsleep 1.1\nsleep 1.4\nsleep 0.9\nsleep 1.1\nsleep 1.3\n"
                            "sleep 1.2\n");
    TASUKI_COMPARE_TEXT(told(list), "");
    QVERIFY(list.usable());
    QCOMPARE(commands(list),
             (std::vector<std::string>{"sleep 1.1", "sleep 1.4", "sleep 0.9", "sleep 1.1",
                                       "sleep 1.3", "sleep 1.2"}));
    for (const Task& task : list.tasks) {
        QCOMPARE(*task.settings, TaskSettings{});
        QVERIFY(!task.links);
        QCOMPARE(task.stage, 0U);
    }
}

void TaskListReaderTest::readsTheExampleOfTheDesign()
{
    const auto list = parse("# preprocessing                       <- a comment\n"
                            "./prep.sh input1.dat\n"
                            "#TASUKI retries=2 timeout=10m label=fit\n"
                            "./fit input1.dat > output1.txt\n"
                            "#TASUKI retries=default timeout=none after=fit\n"
                            "./report output1.txt\n"
                            "#TASUKI barrier\n"
                            "tar cf all.tar output*.txt\n",
                            {.retries = {.allowed = {1, 0, 0, 3}}, .timeout = {}});
    TASUKI_COMPARE_TEXT(told(list), "");
    QCOMPARE(list.tasks.size(), std::size_t(4));

    const auto expect = [&](std::size_t index, const char* command, RetryBudget retries,
                            std::optional<std::chrono::milliseconds> timeout,
                            std::optional<TaskLinks> links, std::uint32_t stage,
                            std::uint64_t line) {
        const TaskSettings settings{
            .retries = retries, .timeout = timeout, .workingDirectory = {}, .environment = {}};
        const Task task{.command = command,
                        .settings = std::make_shared<TaskSettings>(settings),
                        .links = links ? std::make_shared<TaskLinks>(*links) : nullptr,
                        .stage = stage,
                        .position = static_cast<std::uint32_t>(index),
                        .line = line};
        QVERIFY2(list.tasks[index] == task, command);
    };
    const RetryBudget usual{.allowed = {1, 0, 0, 3}};
    expect(0, "./prep.sh input1.dat", usual, {}, {}, 0, 2);
    expect(1, "./fit input1.dat > output1.txt", {.allowed = {2, 2, 2, 3}}, std::chrono::minutes(10),
           TaskLinks{.label = "fit", .after = {}}, 0, 4);
    expect(2, "./report output1.txt", usual, {}, TaskLinks{.label = "", .after = {TaskId(1)}}, 0,
           6);
    expect(3, "tar cf all.tar output*.txt", usual, {}, {}, 1, 8);
}

void TaskListReaderTest::numbersTasks()
{
    const auto list = parse("\n# c\n\ta\n\n \t \n#TASUKI barrier\n#TASUKI barrier\nb\n  # c\nc");
    TASUKI_COMPARE_TEXT(told(list), "");
    QCOMPARE(commands(list), (std::vector<std::string>{"a", "b", "c"}));
    const std::uint64_t lines[] = {3, 8, 10};
    const std::uint32_t stages[] = {0, 2, 2};
    for (std::uint32_t i = 0; i < 3; ++i) {
        QCOMPARE(list.tasks[i].position, i);
        QCOMPARE(list.tasks[i].line, lines[i]);
        QCOMPARE(list.tasks[i].stage, stages[i]);
    }
}

void TaskListReaderTest::trimsBlanks()
{
    const auto list = parse(" \t echo a # b \t \n"
                            "echo b\\  \n"
                            "echo c\\\\  \n"
                            "echo d\\\\\\ \t\n");
    TASUKI_COMPARE_TEXT(told(list), "");
    QCOMPARE(commands(list),
             (std::vector<std::string>{"echo a # b", "echo b\\ ", "echo c\\\\", "echo d\\\\\\ "}));
}

void TaskListReaderTest::continuesLines()
{
    const auto list = parse("  echo a \\\n   b\\\n\\\nc  \n"
                            "echo d\\\\\n"
                            "echo \\ \n"
                            "echo e \\\n\n"
                            "echo f \\\r\n  g\r\n"
                            "\\\n \\\n\n"
                            "echo h");
    QCOMPARE(commands(list),
             (std::vector<std::string>{"echo a \\\n   b\\\n\\\nc", "echo d\\\\", "echo \\ ",
                                       "echo e \\\n", "echo f \\\n  g", "echo h"}));
    const std::uint64_t lines[] = {1, 5, 6, 7, 9, 14};
    for (std::size_t i = 0; i < 6; ++i)
        QCOMPARE(list.tasks[i].line, lines[i]);
    TASUKI_COMPARE_TEXT(toldBriefly(list),
                        "list.sh:9:9: warning: 2 lines of the file end in CR LF, this is the "
                        "first; the CRs are left out\n");
}

void TaskListReaderTest::doesNotContinueComments()
{
    const auto list = parse("# a \\\necho b # c \\\necho d 'e #' \\\nf\n");
    TASUKI_COMPARE_TEXT(told(list), "");
    QCOMPARE(commands(list), (std::vector<std::string>{"echo b # c \\", "echo d 'e #' \\\nf"}));
}

void TaskListReaderTest::tellsOddities_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* name, QByteArray text, const char* expected) {
        QTest::newRow(name) << text << QByteArray(expected);
    };
    row("single quote", "true\n  echo don't\n", "2:11: error: the quote ' is not closed");
    row("double quote", "echo \"a\n", "1:6: error: the quote \" is not closed");
    row("backquote", "echo `date\ntrue\n", "1:6: error: the quote ` is not closed");
    row("quote in a continued line", "  echo a \\\n b \"c \\\n d\n",
        "2:4: error: the quote \" is not closed");
    row("quote before a continued line", " echo 'c \\\n d\n",
        "1:7: error: the quote ' is not closed");
    row("quote in a comment", "echo a # don't\n# don't\n", "");
    row("here-document", "true\n cat > x <<EOF\nEOF\n",
        "2:10: warning: the here-document has no lines: the lines below are tasks of their own");
    row("here-document in a continued line", "cat \\\n<<EOF\n",
        "2:1: warning: the here-document has no lines: the lines below are tasks of their own");
    row("backslash at the end", "true\necho a \\",
        "2:8: error: the list ends in a backslash, which continues the command");
    row("backslash and newline at the end", " echo a \\\n",
        "1:9: error: the list ends in a backslash, which continues the command");
    row("continued backslash at the end", " echo a \\\n b \\\n",
        "2:4: error: the list ends in a backslash, which continues the command");
    row("directive within a command", "echo a \\\n #TASUKI barrier\ntrue\n",
        "2:2: warning: this directive is part of the command above, which ends in a backslash");
    row("one CR LF", "true\r\nfalse\n", "1:5: warning: the line ends in CR LF; the CR is left out");
    row("CR at the very end", "true\nfalse\r",
        "2:6: warning: the line ends in CR LF; the CR is left out");
    row("CR within", "true\necho a\rb\recho\n",
        "2:7: warning: there are 2 CRs within lines, which the shell takes as part of words; "
        "this is the first");
    row("CR alone", "true\rfalse\r", "1:5: error: the lines of the file end in CR alone");
    row("NUL", QByteArray("true\nab\0c\0\n", 11),
        "2:3: error: there is a NUL byte, which no command can hold");
    row("NUL in a comment", QByteArray("# \0\ntrue\n", 9),
        "1:3: error: there is a NUL byte, which no command can hold");
    row("byte order mark", "\xEF\xBB\xBFtrue\n",
        "1:1: warning: the file begins with a byte order mark, which is left out");
    row("UTF-16", QByteArray("\xFF\xFEt\0\n\0", 6), "1:1: error: the file is UTF-16 text");
    row("UTF-16, big", QByteArray("\xFE\xFF\0t\0\n", 6), "1:1: error: the file is UTF-16 text");
    row("no newline at the end", "true", "");
    row("comment that looks like a directive", "# TASUKI retries=2\ntrue\n",
        "1:1: warning: this comment looks like a directive, but is none");
    row("capitals", "  #Tasuki barrier\ntrue\n",
        "1:3: warning: this comment looks like a directive, but is none");
    row("small letters", "#tasuki\ntrue\n",
        "1:1: warning: this comment looks like a directive, but is none");
    row("colon", "#TASUKI: barrier\ntrue\n",
        "1:1: warning: this comment looks like a directive, but is none");
    row("blank before barrier", "# tasuki barrier\ntrue\n",
        "1:1: warning: this comment looks like a directive, but is none");
    row("prose", "# Tasuki runs these = fine\n# TASUKIs\n## TASUKI label=x\ntrue\n", "");
    row("empty directive", "#TASUKI \t\ntrue\n", "1:1: warning: the directive says nothing");
}

void TaskListReaderTest::tellsOddities()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    const auto list = parse(text.toStdString());
    const QByteArray all = expected.isEmpty() ? "" : "list.sh:" + expected + "\n";
    QCOMPARE(QByteArray::fromStdString(toldBriefly(list)), all);
    QCOMPARE(list.usable(), !expected.contains(": error: "));
}

void TaskListReaderTest::tellsAllOfThem()
{
    TASUKI_COMPARE_TEXT(toldBriefly(parse("")), "list.sh: error: there are no tasks in the list\n");
    TASUKI_COMPARE_TEXT(toldBriefly(parse("\n# only\n \t\n")),
                        "list.sh: error: there are no tasks in the list\n");
    const auto list = parse("echo 'a\r\n"
                            "#TASUKI after=x colour=red\r\n"
                            "echo \"b\r\n"
                            "#tasuki\n"
                            "cat <<X\n"
                            "#TASUKI label=z\n");
    TASUKI_COMPARE_TEXT(
        toldBriefly(list),
        "list.sh:1:6: error: the quote ' is not closed\n"
        "list.sh:1:8: warning: 3 lines of the file end in CR LF, this is the first; the CRs are "
        "left out\n"
        "list.sh:2:15: error: no task has the label \"x\"\n"
        "list.sh:2:17: error: there is no directive \"colour\"\n"
        "list.sh:3:6: error: the quote \" is not closed\n"
        "list.sh:4:1: warning: this comment looks like a directive, but is none\n"
        "list.sh:5:5: warning: the here-document has no lines: the lines below are tasks of their "
        "own\n"
        "list.sh:6:9: error: no task follows for the label \"z\"\n");
    QVERIFY(!list.usable());
}

void TaskListReaderTest::keepsBytesThatAreNoText()
{
    const auto list = parse("echo \xFF\xC0\x80 \x01\x7F\n\xEF\xBB\xBF"
                            "true\n");
    TASUKI_COMPARE_TEXT(told(list), "");
    QCOMPARE(commands(list),
             (std::vector<std::string>{"echo \xFF\xC0\x80 \x01\x7F",
                                       "\xEF\xBB\xBF"
                                       "true"}));
}

void TaskListReaderTest::readsLongLinesWhole()
{
    const std::string word(5'000'000, 'x');
    std::string continued = "echo";
    for (int i = 0; i < 20'000; ++i)
        continued += " \\\n word";
    const auto list = parse("echo '" + word + "'\n" + continued + "\ntrue\n");
    TASUKI_COMPARE_TEXT(told(list), "");
    QCOMPARE(list.tasks.size(), std::size_t(3));
    QVERIFY(list.tasks[0].command == "echo '" + word + "'");
    QVERIFY(list.tasks[1].command == continued);
    QCOMPARE(list.tasks[2].line, std::uint64_t(20'003));
}

void TaskListReaderTest::sharesSettings()
{
    const auto list = parse("a\n#TASUKI timeout=1s\nb\n#TASUKI timeout=1000ms\nc\n"
                            "#TASUKI timeout=default\nd\n");
    TASUKI_COMPARE_TEXT(told(list), "");
    QCOMPARE(list.tasks[0].settings.get(), list.tasks[3].settings.get());
    QCOMPARE(list.tasks[1].settings.get(), list.tasks[2].settings.get());
    QVERIFY(list.tasks[0].settings != list.tasks[1].settings);
}

void TaskListReaderTest::tellsWithRemedy()
{
    const auto list = parse("true\necho don't\n");
    TASUKI_COMPARE_TEXT(told(list),
                        "list.sh:2:9: error: the quote ' is not closed; close it on the same line, "
                        "or put a backslash before it if it is no quote\n");
    TASUKI_COMPARE_TEXT(list.diagnostics[0].toError().text(),
                        "list.sh:2:9: the quote ' is not closed; close it on the same line, or put "
                        "a backslash before it if it is no quote");
}

QTEST_APPLESS_MAIN(TaskListReaderTest)

} // namespace tst_tasklistreader

#include "tst_tasklistreader.moc"
