// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "report/runtables.h"
#include "support/history.h"

namespace tst_runtables {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

std::vector<Event> sample()
{
    History history;
    history.add(RunOpened{}).addTask("ok").addTask("bad \"quoted\" \xff").addTask("waits");
    history.add(ProcessorJoined{
        .rank = Rank(0), .incarnation = Incarnation(1), .host = "node", .pid = 7, .slots = 1});
    history.addEnd(0, 1, Outcome::Succeeded, 0, 1500ms);
    history.addEnd(1, 1, Outcome::Signalled, 9, 250ms, Disposition::Retry);
    history.addEnd(1, 2, Outcome::Failed, 3, 500ms);
    return history.events();
}

} // namespace

class tst_RunTables : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_history = {};
        m_joblog = joblogHeading();
        for (const Event& event : sample()) {
            const auto attempt = m_history.apply(event);
            QVERIFY(attempt.ok());
            if (*attempt != nullptr && (*attempt)->ended)
                m_joblog += joblogRow(m_history, **attempt);
        }
    }

    // The rank has another holder when the end of what was lost is told.
    void lostAttemptIsOfTheHostThatRanIt()
    {
        RunHistory history;
        History events;
        const AttemptKey key{TaskId(0), AttemptNumber(1)};
        const auto joined = [](std::uint32_t incarnation, const char* host) {
            return ProcessorJoined{.rank = Rank(1),
                                   .incarnation = Incarnation(incarnation),
                                   .host = host,
                                   .pid = 7,
                                   .slots = 1};
        };
        events.add(RunOpened{}).addTask("true").add(joined(1, "lost"));
        events.add(AttemptStarted{key, Rank(1), SlotIndex(0), {}});
        events.add(ProcessorLost{Rank(1), Incarnation(1), LossCause::Gone})
            .add(joined(2, "successor"));
        events.add(AttemptFinished{key, Rank(1), SlotIndex(0), Disposition::Retry, {}});
        events.add(AttemptFinished{
            {TaskId(0), AttemptNumber(2)}, Rank(1), SlotIndex(0), Disposition::Final, {}});
        std::vector<std::string> hosts;
        for (const Event& event : events.events()) {
            const auto attempt = history.apply(event);
            QVERIFY2(attempt.ok(), attempt.ok() ? "" : attempt.error().text().c_str());
            if (*attempt != nullptr)
                hosts.push_back(history.hostName((*attempt)->host));
        }
        QCOMPARE(hosts, (std::vector<std::string>{"lost", "lost", "successor"}));
    }

    // Fails if a terminal obeys what came from elsewhere.
    void controlCharactersAreShown()
    {
        History events;
        RunHistory history;
        events.add(RunOpened{.host = "\x1b]0;x\a"}).addTask("echo \x1b[2J\x7f\xc2\x9b\n\tb");
        std::string log;
        for (const Event& event : events.events()) {
            QVERIFY(history.apply(event).ok());
            log += eventLine(event, history.state().system());
        }
        const std::string row = taskTableRow(history, TaskId(0));
        QVERIFY2(row.ends_with("echo \\x1b[2J\\x7f\\x9b  b\n"), row.c_str());
        QVERIFY2(log.find("on \\x1b]0;x\\x07, ") != std::string::npos, log.c_str());
        QVERIFY(log.find('\x1b') == std::string::npos);
    }

    void jsonIsValidAndComplete()
    {
        const auto json = QJsonDocument::fromJson(
            QByteArray::fromStdString(taskJson(m_history, TaskId(1))));
        QVERIFY(json.isObject());
        const QJsonObject task = json.object();
        QCOMPARE(task["state"].toString(), QString("failed"));
        QCOMPARE(task["attempts"].toInt(), 2);
        QCOMPARE(task["outcome"].toString(), QString("failed"));
        QCOMPARE(task["code"].toInt(), 3);
        QCOMPARE(task["elapsed_s"].toDouble(), 0.5);
        QCOMPARE(task["host"].toString(), QString("node"));
        QCOMPARE(task["command"].toString(), QString::fromUtf8("bad \"quoted\" \xef\xbf\xbd"));
        const QJsonObject waiting = QJsonDocument::fromJson(
                                        QByteArray::fromStdString(taskJson(m_history, TaskId(2))))
                                        .object();
        QCOMPARE(waiting["state"].toString(), QString("queued"));
        QVERIFY(!waiting.contains("rank"));
    }

    void everyEventIsJson()
    {
        for (const Event& event : sample()) {
            const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(eventJson(event)));
            QVERIFY(json.isObject());
            QCOMPARE(json.object()["kind"].toString().toStdString(),
                     std::string(eventKindName(event.payload)));
            QVERIFY(eventLine(event).ends_with('\n'));
        }
    }

    // The columns that GNU Parallel writes, one row an attempt.
    void joblog()
    {
        const QStringList lines = QString::fromLatin1(m_joblog.c_str()).split('\n');
        QCOMPARE(lines.size(), 5); // heading, three attempts, end
        const QStringList killed = lines[2].split('\t');
        QCOMPARE(killed.size(), 9);
        QCOMPARE(killed[0], QString("2"));
        QCOMPARE(killed[1], QString("node"));
        QCOMPARE(killed[6], QString("0"));
        QCOMPARE(killed[7], QString("9"));
        QCOMPARE(lines[3].split('\t')[6], QString("3"));
    }

    void summary()
    {
        QCOMPARE(runSummary(m_history),
                 std::string("1 succeeded, 1 failed, 1 queued; epoch 1, goes on or was killed\n"));
    }

private:
    RunHistory m_history;
    std::string m_joblog;
};

QTEST_APPLESS_MAIN(tst_RunTables)

} // namespace tst_runtables

#include "tst_runtables.moc"
