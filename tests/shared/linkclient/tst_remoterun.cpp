// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "linkclient/remoterun.h"

#include <algorithm>

namespace tst_remoterun {

using namespace tasuki;

/// What breaks it: a word that the shell of the other host reads differently, a host that is an option of ssh.
class TestRemoteRun : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void addresses_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("read"); // target, port, path; empty: none
        QTest::newRow("host") << QByteArray("ssh://node/a/b.tasuki")
                              << QByteArray("node||/a/b.tasuki");
        QTest::newRow("all") << QByteArray("ssh://me@node:2200/b") << QByteArray("me@node|2200|/b");
        QTest::newRow("home") << QByteArray("ssh://node/~/b.tasuki")
                              << QByteArray("node||~/b.tasuki");
        QTest::newRow("IPv6") << QByteArray("ssh://[::1]:22/b") << QByteArray("::1|22|/b");
        QTest::newRow("IPv6 alone") << QByteArray("ssh://[fe80::1]/b") << QByteArray("fe80::1||/b");
        QTest::newRow("no path") << QByteArray("ssh://node") << QByteArray();
        QTest::newRow("empty path") << QByteArray("ssh://node/") << QByteArray();
        QTest::newRow("no host") << QByteArray("ssh:///b") << QByteArray();
        QTest::newRow("port") << QByteArray("ssh://node:x/b") << QByteArray();
        QTest::newRow("an option") << QByteArray("ssh://-oProxyCommand=x/b") << QByteArray();
        QTest::newRow("an option as host")
            << QByteArray("ssh://me@-oProxyCommand=x/b") << QByteArray();
    }
    void addresses()
    {
        QFETCH(QByteArray, name);
        QVERIFY(isRemote(name.toStdString()));
        const auto run = parseRemoteRun(name.toStdString());
        QTEST(run ? QByteArray::fromStdString(run->target + '|' + run->port + '|' + run->path)
                  : QByteArray(),
              "read");
    }

    void others()
    {
        QVERIFY(!isRemote("work.tasuki"));
        QVERIFY(!isRemote("/ssh://x"));
    }

    void commands()
    {
        const RemoteCall call{.run = {"node", "22", "~/it's here"},
                              .program = "tasuki-agent",
                              .arguments = {"add", "~/it's here", "echo $HOME"},
                              .terminal = false,
                              .compressed = true,
                              .mark = "/tmp/a b"};
        const auto words = sshArguments(call);
        QCOMPARE(words.front(), "ssh");
        QCOMPARE(words.back(), "tasuki-agent add ~/'it'\\''s here' 'echo $HOME'");
        QCOMPARE(words[words.size() - 2], "node");
        QCOMPARE(words[words.size() - 3], "--");
        QVERIFY(std::ranges::find(words, "-C") != words.end());
        QVERIFY(std::ranges::find(words, "LocalCommand=: > '/tmp/a b'") != words.end());
    }
};

QTEST_APPLESS_MAIN(TestRemoteRun)

} // namespace tst_remoterun

#include "tst_remoterun.moc"
