// SPDX-License-Identifier: GPL-3.0-or-later
// A rank of an exchange under mpirun kills itself in a round. What breaks this test: survivors that
// wait for the dead, end with different maps, or lack what they brought; no survivor or more than
// one that keeps the result.
#include <QTest>

#include "support/recoverylaunch.h"

#include <QProcess>
#include <QRegularExpression>
#include <QSet>

namespace tst_exchangekills {

class TestExchangeKills : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void inEachRound_data();
    void inEachRound();
};

void TestExchangeKills::inEachRound_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("victim");
    QTest::addColumn<int>("round");
    QTest::addColumn<QString>("moment");
    // Three and four ranks have two rounds each: ways that differ, and pairs.
    for (const int ranks : {3, 4}) {
        for (const int victim : {0, ranks - 1}) {
            for (const int round : {0, 1}) {
                for (const char* moment : {"begin", "middle"})
                    QTest::addRow("%d ranks, rank %d dies in the %s of round %d", ranks, victim,
                                  moment, round)
                        << ranks << victim << round << QString::fromLatin1(moment);
            }
        }
    }
}

void TestExchangeKills::inEachRound()
{
    QFETCH(int, ranks);
    QFETCH(int, victim);
    QFETCH(int, round);
    QFETCH(QString, moment);
    const QString mpirun = QStringLiteral(TASUKI_MPIEXEC);
    QStringList arguments = tasuki::testing::recoveryArguments(mpirun, ranks);
    arguments += {QStringLiteral(TASUKI_MERGEPEER), QString::number(victim), QString::number(round),
                  moment};
    QProcess launch;
    launch.setProcessChannelMode(QProcess::MergedChannels);
    launch.start(mpirun, arguments);
    const bool ended = launch.waitForFinished(30'000);
    if (!ended) {
        launch.terminate();
        launch.waitForFinished(5'000);
    }
    const QByteArray output = launch.readAll();
    QVERIFY2(ended, "the survivors do not end: " + output);

    QSet<QString> results;
    QSet<QString> survivors;
    int closed = 0;
    const QRegularExpression line(
        QStringLiteral("rank (\\d+) of %1: (\\w+, \\d+ entries), own (kept|lost), (not )?closed")
            .arg(ranks));
    for (auto matches = line.globalMatch(QString::fromLocal8Bit(output)); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        survivors.insert(match.captured(1));
        results.insert(match.captured(2));
        QVERIFY2(match.captured(3) == QStringLiteral("kept"), output);
        closed += match.captured(4).isEmpty() ? 1 : 0;
    }
    QVERIFY2(survivors.size() == ranks - 1 && !survivors.contains(QString::number(victim)), output);
    QVERIFY2(results.size() == 1, output);
    QVERIFY2(closed == 1, output);
}

QTEST_GUILESS_MAIN(TestExchangeKills)

} // namespace tst_exchangekills

#include "tst_exchangekills.moc"
