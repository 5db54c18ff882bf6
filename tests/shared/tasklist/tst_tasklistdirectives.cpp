// SPDX-License-Identifier: GPL-3.0-or-later
#include "listtesting.h"

#include "tasklist/directive.h"

#include <csignal>

namespace tst_tasklistdirectives {

using namespace tasuki;
using namespace tasuki::testing;

namespace {

using Environment = std::vector<std::pair<std::string, std::string>>;

const TaskListDefaults commandLine{.retries = {.allowed = {1, 2, 3, 4}},
                                   .timeout = std::chrono::minutes(5)};

} // namespace

class TaskListDirectivesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void retries();
    void timeouts();
    void timesAndWarnings();
    void workingDirectories();
    void environments();
    void quotes();
    void belongToTheNextTask();
    void faults_data();
    void faults();
    void faultLeavesTheRest();
    void quotingReadsBack_data();
    void quotingReadsBack();
};

void TaskListDirectivesTest::retries()
{
    const auto list = parse("a\n#TASUKI retries=7\nb\nc\n#TASUKI retries=exit:5,lost:0\nd\n"
                            "#TASUKI retries=default\ne\n",
                            commandLine);
    TASUKI_COMPARE_TEXT(told(list), "");
    const RetryBudget expected[] = {{.allowed = {1, 2, 3, 4}},
                                    {.allowed = {7, 7, 7, 4}},
                                    {.allowed = {7, 7, 7, 4}},
                                    {.allowed = {5, 2, 3, 0}},
                                    {.allowed = {1, 2, 3, 4}}};
    for (std::size_t i = 0; i < 5; ++i)
        QVERIFY2(list.tasks[i].settings->retries == expected[i], qPrintable(QString::number(i)));
}

void TaskListDirectivesTest::timesAndWarnings()
{
    const auto list = parse("a\n#TASUKI time=1h30m warn=USR1@60s\nb\nc\n"
                            "#TASUKI time=none warn=SIGTERM@500ms\nd\n#TASUKI warn=default\ne\n",
                            commandLine);
    QVERIFY(list.usable());
    QVERIFY(!list.tasks[0].settings->expectedTime && !list.tasks[0].settings->warning);
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
        QCOMPARE(list.tasks[i].settings->expectedTime->count(), 5'400'000);
        QCOMPARE(list.tasks[i].settings->warning->signalNumber, SIGUSR1);
        QCOMPARE(list.tasks[i].settings->warning->before.count(), 60'000);
    }
    QVERIFY(!list.tasks[3].settings->expectedTime);
    QCOMPARE(list.tasks[3].settings->warning->signalNumber, SIGTERM);
    QVERIFY(!list.tasks[4].settings->warning);
}

void TaskListDirectivesTest::timeouts()
{
    const auto list = parse("a\n#TASUKI timeout=none\nb\n#TASUKI timeout=1h30m\nc\n"
                            "#TASUKI timeout=default\nd\n",
                            commandLine);
    TASUKI_COMPARE_TEXT(told(list), "");
    QCOMPARE(list.tasks[0].settings->timeout->count(), 300'000);
    QVERIFY(!list.tasks[1].settings->timeout);
    QCOMPARE(list.tasks[2].settings->timeout->count(), 5'400'000);
    QCOMPARE(list.tasks[3].settings->timeout->count(), 300'000);
}

void TaskListDirectivesTest::workingDirectories()
{
    const auto list = parse("a\n#TASUKI cwd=../x/./y\nb\n#TASUKI cwd='/a b'\nc\n"
                            "#TASUKI cwd=default\nd\n#TASUKI cwd='default'\ne\n");
    TASUKI_COMPARE_TEXT(told(list), "");
    const char* expected[] = {"", "../x/./y", "/a b", "", "default"};
    for (std::size_t i = 0; i < 5; ++i)
        QCOMPARE(list.tasks[i].settings->workingDirectory, std::string(expected[i]));
}

void TaskListDirectivesTest::environments()
{
    const auto list = parse("#TASUKI env=A=1 env=B=\na\n#TASUKI env=C=x=y\nb\n#TASUKI env=A=2\nc\n"
                            "#TASUKI env=default env=_z9='p q'\nd\n#TASUKI env=default\ne\n");
    TASUKI_COMPARE_TEXT(told(list), "");
    const Environment expected[] = {{{"A", "1"}, {"B", ""}},
                                    {{"A", "1"}, {"B", ""}, {"C", "x=y"}},
                                    {{"A", "2"}, {"B", ""}, {"C", "x=y"}},
                                    {{"_z9", "p q"}},
                                    {}};
    for (std::size_t i = 0; i < 5; ++i)
        QVERIFY2(list.tasks[i].settings->environment == expected[i],
                 qPrintable(QString::number(i)));
}

void TaskListDirectivesTest::quotes()
{
    const auto list = parse(
        "  #TASUKI\tenv=A='x  \"y\"' env=\"B=it's\"  env=C=a'b c'\"'\"d\\ # env=D=1\n"
        "a\n");
    TASUKI_COMPARE_TEXT(told(list), "");
    const Environment expected{{"A", "x  \"y\""}, {"B", "it's"}, {"C", "ab c'd\\"}};
    QVERIFY(list.tasks[0].settings->environment == expected);
}

void TaskListDirectivesTest::belongToTheNextTask()
{
    const auto list = parse("#TASUKI label=one\n# comment\n\n#TASUKI barrier\na\nb\n"
                            "#TASUKI after=one\n#TASUKI label='two words' after=one,one\nc\nd\n");
    TASUKI_COMPARE_TEXT(told(list), "");
    QCOMPARE(*list.tasks[0].links, (TaskLinks{.label = "one", .after = {}}));
    QVERIFY(!list.tasks[1].links);
    QCOMPARE(*list.tasks[2].links, (TaskLinks{.label = "two words", .after = {TaskId(0)}}));
    QVERIFY(!list.tasks[3].links);
}

void TaskListDirectivesTest::faults_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("expected"); // place, message and the beginning of the remedy
    const auto row = [](const char* line, const char* expected) {
        QTest::newRow(line) << QByteArray(line) << QByteArray(expected);
    };
    row("#TASUKI retry=2",
        "1:9: error: there is no directive \"retry\"; the nearest is \"retries\"");
    row("  #TASUKI\t barier",
        "1:12: error: there is no directive \"barier\"; the nearest is \"barrier\"");
    row("#TASUKI Timeout=2s",
        "1:9: error: there is no directive \"Timeout\"; the nearest is \"timeout\"");
    row("#TASUKI retries", "1:9: error: \"retries\" needs a value; write retries=N");
    row("#TASUKI env", "1:9: error: \"env\" needs a value; write env=NAME=VALUE");
    row("#TASUKI barrier=1", "1:17: error: \"barrier\" takes no value; write barrier alone");
    row("#TASUKI timeout =5s",
        "1:17: error: there is a blank before the \"=\"; write timeout=VALUE, without blanks");
    row("#TASUKI =5", "1:9: error: a key was expected before the \"=\"; write KEY=VALUE");
    row("#TASUKI cwd='/a b", "1:13: error: the quote ' is not closed; close it on the same line");
    row("#TASUKI env=A=\"b", "1:15: error: the quote \" is not closed; close it on the same line");
    row("#TASUKI retries=", "1:17: error: \"\" is not a number of retries: a whole number");
    row("#TASUKI timeout=1m retries=many",
        "1:28: error: \"many\" is not a number of retries: a whole number from 0 to 65535 was "
        "expected; write a number like 2, or causes like");
    row("#TASUKI retries=exit:2,kill:1",
        "1:17: error: \"kill:1\" is not a number of retries: there is no cause \"kill\", the "
        "nearest is");
    row("#TASUKI timeout=5min",
        "1:17: error: \"5min\" is not a duration: the units are d, h, m, s and ms; write it like");
    row("#TASUKI time=soon", "1:14: error: \"soon\" is not a duration: a number was expected");
    row("#TASUKI warn=60s",
        "1:14: error: \"60s\" is not a signal and a time; write it like USR1@60s");
    row("#TASUKI warn=STOPIT@60s", "1:14: error: \"STOPIT@60s\" is not a signal and a time");
    row("#TASUKI warn=USR1@", "1:14: error: \"\" is not a duration: it is empty");
    row("#TASUKI timeout=0", "1:17: error: \"0\" is not a duration: it must be more than zero");
    row("#TASUKI timeout=", "1:17: error: \"\" is not a duration: it is empty");
    row("#TASUKI timeout= # c", "1:17: error: \"\" is not a duration: it is empty");
    row("#TASUKI timeout= 5s",
        "1:17: error: there is a blank after the \"=\"; write timeout=VALUE");
    row("#TASUKI label=", "1:15: error: the label is empty; write label=NAME");
    row("#TASUKI label=a,b", "1:16: error: a label cannot have a comma; after= uses it");
    row("#TASUKI label=a label=b",
        "1:17: error: the next task already has the label \"a\" of line 1; a task has one label");
    row("#TASUKI after=", "1:15: error: the name of a label was expected; write after=NAME");
    row("#TASUKI label=a after=x,", "1:25: error: the name of a label was expected");
    row("#TASUKI cwd=", "1:13: error: the directory is empty; write cwd=DIRECTORY");
    row("#TASUKI env=PATH", "1:13: error: \"PATH\" sets no variable; write env=NAME=VALUE");
    row("#TASUKI env=9A=1", "1:13: error: \"9A\" cannot be the name of a variable; write env=");
    row("#TASUKI env='A B=1'", "1:13: error: \"A B\" cannot be the name of a variable");
    row("#TASUKI env==1", "1:13: error: \"\" cannot be the name of a variable");
    row("#TASUKI retries=2 \\", "1:19: error: there is no directive \"\\\"");
}

void TaskListDirectivesTest::faults()
{
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, expected);
    const auto list = parse((line + "\ntrue\n#TASUKI label=x\ntrue\n").toStdString());
    QVERIFY(!list.usable());
    const QByteArray text = QByteArray::fromStdString(list.diagnostics[0].text());
    QVERIFY2(text.startsWith("list.sh:" + expected), text.constData());
    QCOMPARE(commands(list), (std::vector<std::string>{"true", "true"}));
    QCOMPARE(list.diagnostics.size(), std::size_t(1));
}

void TaskListDirectivesTest::faultLeavesTheRest()
{
    const auto list = parse("#TASUKI timeout=soon retries=4 nonsense cwd=x\na\n");
    TASUKI_COMPARE_TEXT(toldBriefly(list),
                        "list.sh:1:17: error: \"soon\" is not a duration: a number was expected\n"
                        "list.sh:1:32: error: there is no directive \"nonsense\"\n");
    QCOMPARE(list.tasks[0].settings->retries.of(RetryCause::Exit), std::uint16_t(4));
    QCOMPARE(list.tasks[0].settings->workingDirectory, std::string("x"));
}

void TaskListDirectivesTest::quotingReadsBack_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("written");
    const auto row = [](const char* value, const char* written) {
        QTest::newRow(*value ? value : "empty") << QByteArray(value) << QByteArray(written);
    };
    row("", "''");
    row("plain", "plain");
    row("a b", "'a b'");
    row("#a", "#a");
    row("\\", "\\");
    row("\"", "'\"'");
    row("'", "\"'\"");
    row("''a b\"'", "\"''\"'a b\"'\"'\"");
    row("tab\tand \r", "'tab\tand \r'");
}

void TaskListDirectivesTest::quotingReadsBack()
{
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, written);
    const std::string text = quoteDirectiveValue(value.toStdString());
    QCOMPARE(QByteArray::fromStdString(text), written);
    DiagnosticSink sink("list.sh");
    const auto items = splitDirective("#TASUKI key=" + text + " other", 1, 1, sink);
    QCOMPARE(sink.count(), std::size_t(0));
    QCOMPARE(items.size(), std::size_t(2));
    QCOMPARE(QByteArray::fromStdString(items[0].value), value);
}

QTEST_APPLESS_MAIN(TaskListDirectivesTest)

} // namespace tst_tasklistdirectives

#include "tst_tasklistdirectives.moc"
