// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "steering/remoterun.h"
#include "steering/tailpieces.h"

#include <random>

namespace tst_remoterun {

using namespace tasuki;
using namespace tasuki::steering;

/// What breaks it: a word that the shell of the other host reads differently, a host that is an option of ssh, output that
/// comes twice after a lost link.
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
                              .mark = "/tmp/a b"};
        const auto words = sshArguments(call);
        QCOMPARE(words.front(), "ssh");
        QCOMPARE(words.back(), "tasuki-agent add ~/'it'\\''s here' 'echo $HOME'");
        QCOMPARE(words[words.size() - 2], "node");
        QCOMPARE(words[words.size() - 3], "--");
        QVERIFY(std::ranges::find(words, "LocalCommand=: > '/tmp/a b'") != words.end());
    }

    void places()
    {
        const TailPlace place{3, 10, 1'000'000'000'000};
        QVERIFY(tailPlaceOf(tailPlaceText(place)) == place);
        for (const char* wrong : {"", "1", "1,2", "1,2,3,4", "0,1,2", "-1,2,3", "1,2,x", "1,2,3 "})
            QVERIFY2(!tailPlaceOf(wrong), wrong);
    }

    /// However the bytes are cut.
    void pieces()
    {
        std::vector<TailPiece> sent;
        std::string bytes;
        for (std::uint32_t i = 0; i < 50; ++i) {
            sent.push_back({static_cast<TailPiece::Stream>(i % 3),
                            {1 + i / 10, i * 7U, i},
                            std::string(i * 31 % 200, '\n') + "output 1,2,3 4\n"});
            bytes += written(sent.back());
        }
        for (std::uint32_t seed = 1; seed <= 50; ++seed) {
            std::mt19937 random(seed);
            TailPieces pieces;
            std::vector<TailPiece> read;
            for (std::size_t at = 0; at < bytes.size();) {
                const std::size_t size = 1 + random() % 100;
                pieces.feed(std::string_view(bytes).substr(at, size));
                at += size;
                for (auto piece = pieces.next(); piece.value(); piece = pieces.next())
                    read.push_back(*piece.value());
            }
            QVERIFY(read == sent);
        }
    }

    void noPieces_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("another program") << QByteArray("bash: tasuki-agent: not found\n");
        QTest::newRow("numbers") << QByteArray("output 1,2 3\nabc");
        QTest::newRow("too long") << QByteArray("output 1,2,3 99999999999\n");
        QTest::newRow("no end") << QByteArray(5000, 'x');
    }
    void noPieces()
    {
        QFETCH(QByteArray, bytes);
        TailPieces pieces;
        pieces.feed(bytes.toStdString());
        QVERIFY(!pieces.next().ok());
    }
};

QTEST_APPLESS_MAIN(TestRemoteRun)

} // namespace tst_remoterun

#include "tst_remoterun.moc"
