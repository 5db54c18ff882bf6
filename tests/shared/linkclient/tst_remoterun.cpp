// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "linkclient/remoterun.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

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
        QVERIFY2(words.back().starts_with("sh -c '")
                     && words.back().ends_with("' tasuki-agent add ~/'it'\\''s here' 'echo $HOME'"),
                 words.back().c_str());
        QCOMPARE(words[words.size() - 2], "node");
        QCOMPARE(words[words.size() - 3], "--");
        QVERIFY(std::ranges::find(words, "-C") != words.end());
        QVERIFY(std::ranges::find(words, "LocalCommand=: > '/tmp/a b'") != words.end());
    }

    /// By a shell, as sshd gives it: a program in the PATH, in that of a login shell alone, and in none.
    void programsAreFound()
    {
        const QTemporaryDir home;
        const auto write = [&](const char* name, const QByteArray& text) {
            QFile file(home.filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
            QVERIFY(file.setPermissions(file.permissions() | QFile::ExeOwner));
        };
        write("said", "#!/bin/sh\necho \"$# $2\"\n");
        const auto run = [&](const char* program, const QByteArray& path) {
            const RemoteCall call{.run = {"node", "", "/r"},
                                  .program = program,
                                  .arguments = {"add", "it's \"$HOME\""}};
            QProcess shell;
            auto environment = QProcessEnvironment::systemEnvironment();
            environment.insert(QStringLiteral("HOME"), home.path());
            environment.insert(QStringLiteral("SHELL"), QStringLiteral("/bin/bash"));
            environment.insert(QStringLiteral("PATH"), QString::fromLocal8Bit(path));
            shell.setProcessEnvironment(environment);
            shell.start(QStringLiteral("/bin/sh"),
                        {QStringLiteral("-c"), QString::fromStdString(sshArguments(call).back())});
            if (!shell.waitForFinished(20'000))
                return QByteArray("no end");
            return QByteArray::number(shell.exitCode()) + ' ' + shell.readAllStandardOutput();
        };
        const QByteArray usual = "/usr/bin:/bin";
        const QByteArray said = "0 2 it's \"$HOME\"\n";
        QCOMPARE(run("said", usual + ':' + home.path().toLocal8Bit()), said);
        QCOMPARE(run("~/said", usual), said);
        QCOMPARE(run("said", usual), QByteArray("127 "));
        write(".profile", "PATH=$PATH:$HOME\n");
        QCOMPARE(run("said", usual), said);
    }
};

QTEST_GUILESS_MAIN(TestRemoteRun)

} // namespace tst_remoterun

#include "tst_remoterun.moc"
