// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "steering/jsontasks.h"
#include "tasklist/tasklistreader.h"

namespace tst_jsontasks {

using namespace tasuki;
using namespace tasuki::steering;
using namespace std::chrono_literals;

namespace {

TaskListParse parsed(const std::string& json)
{
    JsonTasks tasks;
    const auto list = tasks.feed(json);
    const auto rest = tasks.finish();
    if (!list || !rest)
        return {};
    return parseTaskList(*list + *rest, "list");
}

} // namespace

/// What breaks it: a setting that goes over to the next task, a word that changes on its way, a mistake without its line.
class TestJsonTasks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void settingsAreOfOneTaskAlone()
    {
        const auto list = parsed(
            "{\"command\":\"first\",\"label\":\"a b\",\"retries\":2,\"timeout\":\"1m\",\"env\":{\"A\":\"it's \\\"1\\\"\",\"N\":7},"
            "\"cwd\":\"/some where\"}\n"
            "\n"
            "{\"command\":\"second\",\"after\":[\"a b\"],\"env\":{\"B\":\"\"}}\n"
            "{\"command\":\"third\",\"barrier\":true}");
        for (const Diagnostic& found : list.diagnostics)
            QFAIL(found.text().c_str());
        QCOMPARE(list.tasks.size(), std::size_t(3));
        const Task& first = list.tasks[0];
        QCOMPARE(first.command, "first");
        QCOMPARE(first.links->label, "a b");
        QCOMPARE(first.settings->retries.of(RetryCause::Exit), std::uint16_t(2));
        QVERIFY(first.settings->timeout == 60'000ms);
        QCOMPARE(first.settings->workingDirectory, "/some where");
        using Environment = std::vector<std::pair<std::string, std::string>>;
        QVERIFY((first.settings->environment == Environment{{"A", "it's \"1\""}, {"N", "7"}}));
        const Task& second = list.tasks[1];
        QVERIFY(second.settings->retries == RetryBudget());
        QVERIFY(!second.settings->timeout && second.settings->workingDirectory.empty());
        QVERIFY((second.settings->environment == Environment{{"B", ""}}));
        QCOMPARE(second.links->after.ids(), std::vector<TaskId>{TaskId(0)});
        QVERIFY(list.tasks[2].settings->environment.empty());
        QCOMPARE(list.tasks[2].stage, 1U);
    }

    void comesBitByBit()
    {
        const std::string json = "{\"command\":\"a\"}\n{\"command\":\"b\",\"time\":90}\n";
        JsonTasks tasks;
        std::string list;
        for (const char c : json)
            list += tasks.feed({&c, 1}).value();
        list += tasks.finish().value();
        QCOMPARE(list, "#TASUKI\na\n#TASUKI time='90'\nb\n");
    }

    void mistakes_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("told");
        const auto row = [](const char* name, const char* json, const char* told) {
            QTest::newRow(name) << QByteArray(json) << QByteArray(told);
        };
        row("no JSON", "{\"command\":}", "standard input:2:12: this is no JSON");
        row("no object", "[1]", "standard input:2: this is no object");
        row("no command", "{\"label\":\"x\"}", "there is no \"command\"");
        row("a comment", "{\"command\":\" # x\"}", "is no command of one line");
        row("two lines", "{\"command\":\"a\\nb\"}", "has more than one line");
        row("a list", "{\"command\":\"a\",\"cwd\":[]}", "\"cwd\" is neither text nor a number");
        row("misspelt", "{\"command\":\"a\",\"timeot\":1}", "the nearest is \"timeout\"");
        row("barrier", "{\"command\":\"a\",\"barrier\":1}",
            "\"barrier\" is neither true nor false");
        row("variables", "{\"command\":\"a\",\"env\":\"A=1\"}", "\"env\" is no object");
    }
    void mistakes()
    {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, told);
        JsonTasks tasks;
        const auto list = tasks.feed("{\"command\":\"good\"}\n" + json.toStdString() + "\n");
        QVERIFY(!list.ok());
        QVERIFY2(QByteArray::fromStdString(list.error().text()).contains(told),
                 list.error().text().c_str());
        QVERIFY2(list.error().text().starts_with("standard input:2"), list.error().text().c_str());
    }
};

QTEST_APPLESS_MAIN(TestJsonTasks)

} // namespace tst_jsontasks

#include "tst_jsontasks.moc"
