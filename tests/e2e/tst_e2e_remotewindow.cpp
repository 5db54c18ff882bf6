// SPDX-License-Identifier: GPL-3.0-or-later
//
// A window's session at a run on another host: what stands in for ssh starts the relay here. What breaks each test stands
// above it.
#include <QTest>

#include "agentprocess.h"
#include "windowbench.h"
#include "workspace.h"

#include <QFile>

#include <csignal>
#include <memory>

namespace tst_e2e_remotewindow {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

const auto runFile = QStringLiteral("served.tasuki");

/// A place where `ssh` gives its last word to a shell, after what a talkative one says. `refused` has what it says instead,
/// and with which code it ends.
class OtherHost {
public:
    OtherHost() : m_path(qgetenv("PATH")), m_accesses(qgetenv("TASUKI_ACCESS_DIR"))
    {
        const QString ssh = place.write(
            "bin-ssh",
            "#!/bin/sh\n"
            "cd \"${0%/*}\"\n"
            "echo $$ > ssh.pid\n"
            "[ ! -e refused ] || { cat refused >&2; exit $(cat code); }\n"
            "for word; do :; done\n"
            "echo Welcome to node0; echo\n"
            "exec sh -c \"exec $word\"\n");
        QFile::setPermissions(ssh, QFile::permissions(ssh) | QFile::ExeOwner);
        QFile::link(ssh, place.path("ssh"));
        qputenv("PATH", place.path().toLocal8Bit() + ':' + m_path);
        qputenv("TASUKI_REMOTE_AGENT", TASUKI_AGENT_PROGRAM);
        qputenv("TASUKI_ACCESS_DIR", place.path(".access").toLocal8Bit());
    }
    OtherHost(const OtherHost&) = delete;
    OtherHost& operator=(const OtherHost&) = delete;
    ~OtherHost()
    {
        qputenv("PATH", m_path);
        qunsetenv("TASUKI_REMOTE_AGENT");
        if (m_accesses.isNull())
            qunsetenv("TASUKI_ACCESS_DIR");
        else
            qputenv("TASUKI_ACCESS_DIR", m_accesses);
    }

    [[nodiscard]] RemoteRun run() const
    {
        return {.target = "node0", .port = {}, .path = place.path(runFile).toStdString()};
    }
    void refuse(const QByteArray& words, int code) const
    {
        place.write("refused", words);
        place.write("code", QByteArray::number(code));
    }
    void cutLink() const { ::kill(place.read("ssh.pid").trimmed().toInt(), SIGKILL); }

    Workspace place;

private:
    QByteArray m_path;
    QByteArray m_accesses;
};

} // namespace

class TestRemoteWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void livingAndEnded();
    void refusals_data();
    void refusals();
};

// Fails if a run on another host is shown otherwise than on this one: alive, after a lost link, when its agent was killed,
// and when it goes on.
void TestRemoteWindow::livingAndEnded()
{
    const OtherHost other;
    const Workspace& place = other.place;
    AgentProcess agent(place);
    agent.start(Start::Launch, 2, {"serve", "--run", runFile});
    QTRY_VERIFY_WITH_TIMEOUT(!place.accessFile().isEmpty(), 20'000);
    Window window(other.run());
    QTRY_VERIFY_WITH_TIMEOUT(window.live(), 20'000);
    QVERIFY(window.models.session.isElsewhere() && window.models.session.takesCommands());
    QCOMPARE(window.models.session.name(), QStringLiteral("served.tasuki on node0"));
    QVERIFY(window.command(AddTasks{"echo said\nexit 3\n", "typed"}).accepted);
    QTRY_COMPARE_WITH_TIMEOUT(window.count(TaskState::Failed), std::size_t{1}, 20'000);

    // Nobody's own program ends when the link does.
    const int resets = window.keeper.resets;
    other.cutLink();
    QTRY_VERIFY_WITH_TIMEOUT(!window.live(), 10'000);
    QTRY_VERIFY_WITH_TIMEOUT(window.live(), 20'000);
    QCOMPARE(window.keeper.resets, resets);
    QVERIFY(window.command(AddTasks{"sleep 1000\n", "typed"}).accepted);
    QTRY_COMPARE_WITH_TIMEOUT(window.count(TaskState::Running), std::size_t{1}, 20'000);

    for (const ProcessInfo& process : agent.allProcesses())
        ::kill(process.pid, SIGKILL);
    const Session& session = window.models.session;
    QTRY_COMPARE_WITH_TIMEOUT(session.connection().state, ConnectionState::Offline, 20'000);
    QVERIFY(session.showsRecord() && !session.takesCommands() && !session.state().closed());
    const CommandAnswer refused = window.command(StopRun{});
    QVERIFY(!refused.accepted);
    std::optional<Result<OutputAnswer>> output;
    window.models.session.requestOutput({.key = {TaskId(0), AttemptNumber(1)}},
                                        [&](const Result<OutputAnswer>& got) { output = got; });
    QTRY_VERIFY_WITH_TIMEOUT(output, 10'000);
    QVERIFY(output->ok() && (*output)->known);
    QCOMPARE((*output)->standardOutput.bytes, std::string("said\n"));

    AgentProcess again(place);
    again.start(Start::Launch, 2, {"serve", "--resume", runFile});
    QTRY_VERIFY_WITH_TIMEOUT(window.live() && session.agent()->epoch == Epoch(2), 30'000);
    QVERIFY(window.command(CancelTasks{{window.target(2)}}).accepted);
    QVERIFY(window.command(StopRun{}).accepted);
    QVERIFY2(again.finish(30s), again.story());
    QTRY_VERIFY_WITH_TIMEOUT(
        session.state().closed() && session.connection().state == ConnectionState::Offline, 20'000);
    const std::vector<Event> recorded = recordedEvents(place.path(runFile));
    QVERIFY2(window.keeper.events == recorded, difference(window.keeper.events, recorded));
}

void TestRemoteWindow::refusals_data()
{
    QTest::addColumn<QByteArray>("words");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("shown");
    QTest::newRow("nobody is there")
        << QByteArray("ssh: connect to host node0 port 22: Connection refused\n") << 255
        << QStringLiteral("Connection refused");
    QTest::newRow("wrong password") << QByteArray("Permission denied, please try again.\nme@node0: "
                                                  "Permission denied (publickey,password).\n")
                                    << 255 << QStringLiteral("Permission denied (publickey");
    QTest::newRow("no agent there") << QByteArray("bash: line 1: tasuki-agent: command not found\n")
                                    << 127 << QStringLiteral("TASUKI_REMOTE_AGENT");
    QTest::newRow("older agent") << QByteArray(
        "tasuki-agent: error: unknown command 'relay'; expected farm\n")
                                 << 2 << QStringLiteral("unknown command 'relay'");
    QTest::newRow("no such run") << QByteArray() << 0 << QStringLiteral("served.tasuki");
}

// Fails if a user is left without the reason, or it is tried for ever what does not come by waiting.
void TestRemoteWindow::refusals()
{
    QFETCH(QByteArray, words);
    QFETCH(int, code);
    QFETCH(QString, shown);
    const OtherHost other;
    if (code != 0)
        other.refuse(words, code);
    const Window window(other.run());
    const auto& connection = window.models.session.connection();
    QTRY_COMPARE_WITH_TIMEOUT(connection.state, ConnectionState::Refused, 20'000);
    QVERIFY2(connection.reason.contains(shown) && connection.reason.startsWith("node0: "),
             qPrintable(connection.reason));
}

QTEST_GUILESS_MAIN(TestRemoteWindow)

} // namespace tst_e2e_remotewindow

#include "tst_e2e_remotewindow.moc"
