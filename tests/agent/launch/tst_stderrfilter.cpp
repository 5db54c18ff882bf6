// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "launch/exitreport.h"
#include "launch/stderrfilter.h"

using namespace tasuki;

class tst_StderrFilter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Fails if a report is not recognised, is printed, or takes other lines with it.
    void reportIsTakenOut()
    {
        StderrFilter filter("secret");
        QCOMPARE(filter.take("before\n" + exitReportLine("secret", 3) + "after\n"),
                 std::string("before\nafter\n"));
        QCOMPARE(filter.exitCode(), std::optional(3));
    }

    void reportInPieces()
    {
        StderrFilter filter("secret");
        std::string out;
        for (const char c : "one\n" + exitReportLine("secret", 42) + "two")
            out += filter.take(std::string_view(&c, 1));
        QCOMPARE(out + filter.finish(), std::string("one\ntwo"));
        QCOMPARE(filter.exitCode(), std::optional(42));
    }

    void taggedReport()
    {
        QCOMPARE(parseExitReport("[1,0]<stderr>:tasuki-exit-report t 4", "t"), std::optional(4));
    }

    // Fails if a task could forge a report without knowing the word.
    void foreignReportPasses()
    {
        StderrFilter filter("secret");
        const std::string forged = exitReportLine("guess", 0);
        QCOMPARE(filter.take(forged), forged);
        QVERIFY(!filter.exitCode());
        QVERIFY(!parseExitReport("tasuki-exit-report  7", ""));
        QVERIFY(!parseExitReport("tasuki-exit-report secret x", "secret"));
    }

    // Fails if a progress line that has no end yet is held back.
    void unfinishedLinePassesAtOnce()
    {
        StderrFilter filter("secret");
        QCOMPARE(filter.take("\r[####] 10%"), std::string("\r[####] 10%"));
        QCOMPARE(filter.take(" more"), std::string(" more"));
    }

    void noiseOfALostRankIsDropped()
    {
        StderrFilter filter("secret");
        QCOMPARE(filter.take("[vm:77] PMIX ERROR: BAD-PARAM in file pmix_event.c at line 1\nx\n"),
                 std::string("x\n"));
        const std::string other = "[vm:77] something that matters\n";
        QCOMPARE(filter.take(other), other);
    }

    // Fails if the words are missed where they come in pieces, or are kept from the user.
    void refusalOfRootIsSeen()
    {
        StderrFilter filter("secret");
        const std::string told = "-----\nmpirun has detected an attempt to run as root.\n\n";
        std::string out;
        for (const char c : told)
            out += filter.take(std::string_view(&c, 1));
        QCOMPARE(out, told);
        QVERIFY(filter.rootRefused());
        StderrFilter other("secret");
        other.take("mpirun has detected an attempt");
        other.take(" to run as another.\n");
        QVERIFY(!other.rootRefused());
    }

    void restIsNotLost()
    {
        StderrFilter filter("secret");
        QCOMPARE(filter.take("[unfinished"), std::string());
        QCOMPARE(filter.finish(), std::string("[unfinished"));
    }
};

QTEST_APPLESS_MAIN(tst_StderrFilter)
#include "tst_stderrfilter.moc"
