// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "report/cpslog.h"
#include "support/history.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace tst_cpslog {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

RunState stateOf(const History& history)
{
    RunState state;
    for (const Event& event : history.events()) {
        const Result<void> applied = state.apply(event);
        if (!applied)
            qFatal("%s", applied.error().text().c_str());
    }
    return state;
}

} // namespace

class tst_CpsLog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The figures of the article, to the byte.
    void articleFormat()
    {
        History history;
        history.add(RunOpened{}).addTask("sleep 1.1").addTask("sleep 1.4").addTask("sleep 0.9");
        history.addEnd(2, 1, Outcome::Succeeded, 0, 907ms);
        history.addEnd(0, 1, Outcome::Succeeded, 0, 1107ms);
        history.addEnd(1, 1, Outcome::Succeeded, 0, 1406ms);
        const std::string text = cpsLogText(stateOf(history),
                                            {.processes = 4, .slots = 3, .elapsed = 1500ms});
        QCOMPARE(text,
                 std::string("Number of tasks : 3\n"
                             "Number of processes : 4\n"
                             "Total execution time: 3.420 [s]\n"
                             "Elapsed time: 1.500 [s]\n"
                             "Parallel Efficiency : 0.76\n"
                             "\n"
                             "Task list:\n"
                             "Command : Elapsed time\n"
                             "sleep 1.1 : 1.107 [s]\n"
                             "sleep 1.4 : 1.406 [s]\n"
                             "sleep 0.9 : 0.907 [s]\n"));
    }

    // Fails if attempts that were tried again count: efficiency could then exceed 1.
    void onlyFinalAttemptsCount()
    {
        History history;
        history.add(RunOpened{}).addTask("false");
        history.addEnd(0, 1, Outcome::Failed, 1, 5s, Disposition::Retry);
        history.addEnd(0, 2, Outcome::Failed, 1, 1s);
        const std::string text = cpsLogText(stateOf(history),
                                            {.processes = 1, .slots = 1, .elapsed = 6s});
        QVERIFY(text.find("Total execution time: 1.000 [s]\n") != std::string::npos);
        QVERIFY(text.find("false : 1.000 [s]\n") != std::string::npos);
    }

    void unfinishedAndRemovedTasksAreLeftOut()
    {
        History history;
        history.add(RunOpened{}).addTask("a").addTask("b").add(TaskRemoved{TaskId(1)});
        const std::string text = cpsLogText(stateOf(history),
                                            {.processes = 1, .slots = 0, .elapsed = 0s});
        QVERIFY(text.starts_with("Number of tasks : 1\n"));
        QVERIFY(text.ends_with("Command : Elapsed time\n"));
        QVERIFY(text.find("Parallel Efficiency : 0\n") != std::string::npos);
    }

    void fileIsReplacedWhole()
    {
        const QTemporaryDir directory;
        const std::string path = directory.filePath("cps.log").toStdString();
        QVERIFY(writeCpsLog(path, "old\n").ok());
        QVERIFY(writeCpsLog(path, "new\n").ok());
        std::ifstream file(path);
        QCOMPARE(std::string(std::istreambuf_iterator<char>(file), {}), std::string("new\n"));
        // It has the commands of tasks. Fails if it is as the umask says, or as an older one was.
        std::filesystem::permissions(path, std::filesystem::perms(0644));
        QVERIFY(writeCpsLog(path, "new\n").ok());
        QCOMPARE(std::filesystem::status(path).permissions(), std::filesystem::perms(0600));
        const Result<void> failed = writeCpsLog(path + "/below-a-file", "x");
        QVERIFY(!failed.ok());
        QVERIFY(failed.error().text().find("below-a-file") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(tst_CpsLog)

} // namespace tst_cpslog

#include "tst_cpslog.moc"
