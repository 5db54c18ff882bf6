// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "report/steeringtext.h"

namespace tst_steeringtext {

using namespace tasuki;

/// What scripts read: the members of these lines are a promise.
class TestSteeringText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void orders()
    {
        OrderResult result{
            .verb = "cancel",
            .tasks = {TaskId(1), TaskId(3)},
            .answer = {.accepted = true, .conflicts = {{TaskId(3), ConflictCause::Finished}}}};
        QCOMPARE(orderText(result), "1 task cancelled\n");
        QCOMPARE(orderProblems(result), "tasuki-agent: task 3 has finished\n");
        QCOMPARE(
            orderJson(result),
            R"({"command":"cancel","accepted":true,"tasks":[1,3],"conflicts":[{"task":3,"why":"has finished"}]})"
            "\n");
        result.answer = {.accepted = false, .reason = "no\x1b[1m"};
        QCOMPARE(orderText(result), "");
        QVERIFY(orderProblems(result).starts_with("tasuki-agent: error: no"));
        QVERIFY(orderProblems(result).find('\x1b') == std::string::npos);
        QVERIFY(orderJson(result).find("\"accepted\":false") != std::string::npos);
        QVERIFY(orderJson(result).find("\"reason\":\"no\\u001b[1m\"") != std::string::npos);
    }

    void added()
    {
        QCOMPARE(addedText(3, {{TaskId(5), TaskId(6)}, {TaskId(9), TaskId(9)}}),
                 "added 3 tasks: 5 to 6, 9\n");
        QCOMPARE(addedText(0, {}), "added 0 tasks\n");
        QCOMPARE(addedJson(3, {{TaskId(5), TaskId(6)}, {TaskId(9), TaskId(9)}}),
                 "{\"command\":\"add\",\"added\":3,\"ranges\":[[5,6],[9,9]]}\n");
    }

    void reasons()
    {
        const TaskReason reason{TaskReason::Kind::WaitsForTasks, "waits for task 1", {TaskId(1)}};
        QCOMPARE(reasonLine(TaskId(4), reason), "task 4 waits for task 1\n");
        QCOMPARE(
            reasonJson(TaskId(4), reason),
            "{\"task\":4,\"kind\":\"waits for tasks\",\"reason\":\"waits for task 1\",\"because\":[1]}\n");
    }

    void waits()
    {
        QCOMPARE(endJson(TaskId(3), TaskState::Failed, 7),
                 "{\"task\":3,\"state\":\"failed\",\"exit_code\":7}\n");
        const WaitFigures figures{.tasks = 4, .ended = 3, .unsuccessful = 1};
        QCOMPARE(waitText(figures), "3 of 4 tasks ended, 1 without success");
        QCOMPARE(
            waitJson(figures, "run over", 4),
            "{\"command\":\"wait\",\"end\":\"run over\",\"tasks\":4,\"ended\":3,\"unsuccessful\":1,"
            "\"exit_code\":4}\n");
    }
};

QTEST_APPLESS_MAIN(TestSteeringText)

} // namespace tst_steeringtext

#include "tst_steeringtext.moc"
