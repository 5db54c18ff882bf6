// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "launch/exitreport.h"
#include "launch/stderrfilter.h"

#include <algorithm>
#include <chrono>

namespace tst_stderrfilter {

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

    // Fails if the end of one side were taken for that of the run.
    void leaderThatWasGivenUpIsAnotherReport()
    {
        StderrFilter filter("secret");
        QCOMPARE(filter.take(givenUpLine("secret", 4) + goingOnLine("other")),
                 goingOnLine("other"));
        QVERIFY(!filter.exitCode());
        QCOMPARE(filter.givenUpCode(), std::optional(4));
        QCOMPARE(filter.signsOfGoingOn(), std::size_t{0});
        QVERIFY(filter.take("[1,4]<stderr>:" + goingOnLine("secret")).empty());
        QCOMPARE(filter.signsOfGoingOn(), std::size_t{1});
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

    void restartTerms_data()
    {
        QTest::addColumn<QByteArray>("runFile");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("plain") << QByteArray("/home/a/tasks.tasuki") << QByteArray();
        QTest::newRow("why") << QByteArray("/t") << QByteArray("subcluster left is down");
        QTest::newRow("hostile") << QByteArray("/a b/100%/\xE6\x97\xA5\n\r\x1b[K%20%")
                                 << QByteArray("%");
    }

    // Fails if another file were resumed than the one that was meant.
    void restartTerms()
    {
        QFETCH(QByteArray, runFile);
        QFETCH(QByteArray, why);
        const RestartTerms terms{.most = 3,
                                 .within = std::chrono::seconds(600),
                                 .runFile = runFile.toStdString(),
                                 .why = why.toStdString()};
        const std::string line = restartTermsLine("secret", terms);
        QCOMPARE(std::ranges::count(line, '\n'), 1);
        QCOMPARE(parseRestartTerms("[1,0]<stderr>:" + line, "secret"), std::optional(terms));
        StderrFilter filter("secret");
        QVERIFY(!filter.restartTerms());
        std::string out;
        for (const char c : "one\n" + line + "two")
            out += filter.take(std::string_view(&c, 1));
        QCOMPARE(out + filter.finish(), std::string("one\ntwo"));
        QCOMPARE(filter.restartTerms(), std::optional(terms));
        filter.take(restartTermsLine("secret", {}));
        QCOMPARE(filter.restartTerms(), std::optional(RestartTerms{}));
        QVERIFY(!filter.exitCode());
    }

    void recording()
    {
        const std::string file = "/a b/\xc3\xa9%\n.tasuki";
        const std::string line = recordingLine("secret", file);
        QCOMPARE(std::ranges::count(line, '\n'), 1);
        StderrFilter filter("secret");
        QCOMPARE(filter.take("one\n" + recordingLine("guess", file).substr(1) + line + "two\n"),
                 "one\n" + recordingLine("guess", file).substr(1) + "two\n");
        QCOMPARE(filter.runFile(), std::optional(file));
        QVERIFY(!filter.restartTerms());
    }

    void damagedTermsAreNone()
    {
        for (const char* content : {"", "3", "3 600", "3 600 /a", "x 600 /a b", "3 600  b",
                                    "3 600 %2 b", "3 600 %zz b", "3 600 /a b c", "-1 600 /a b"})
            QVERIFY2(!parseRestartTerms(std::string("tasuki-restart-terms t ") + content, "t"),
                     content);
        QVERIFY(!parseRestartTerms("tasuki-restart-terms guess none", "t"));
        QCOMPARE(parseRestartTerms("tasuki-restart-terms t none\r\n", "t"),
                 std::optional(RestartTerms{}));
    }

    // Fails if a report is missed that comes while progress stands on the terminal.
    void reportAfterProgress()
    {
        const std::string progress = "\r[####] 10%\x1b[K";
        const std::string report = restartTermsLine("secret", {.most = 1, .runFile = "/a"});
        StderrFilter whole("secret");
        QCOMPARE(whole.take(progress + progress + report + progress),
                 progress + progress + progress);
        QVERIFY(whole.restartTerms());
        StderrFilter pieces("secret");
        std::string out;
        for (const char c : "text\n" + progress + report + progress + "\nrest")
            out += pieces.take(std::string_view(&c, 1));
        QCOMPARE(out + pieces.finish(), "text\n" + progress + progress + "\nrest");
        QVERIFY(pieces.restartTerms());
    }

    // Fails if a report is missed because somebody has not ended a line.
    void reportBehindAnUnendedLine()
    {
        const std::string all = "no end" + exitReportLine("secret", 3) + ", goes on\n" + "again"
            + exitReportLine("guess", 0);
        StderrFilter whole("secret");
        const std::string expected = "no end, goes on\nagain" + exitReportLine("guess", 0);
        QCOMPARE(whole.take(all) + whole.finish(), expected);
        QCOMPARE(whole.exitCode(), std::optional(3));
        StderrFilter pieces("secret");
        std::string out;
        for (const char c : all)
            out += pieces.take(std::string_view(&c, 1));
        QCOMPARE(out + pieces.finish(), expected);
        QCOMPARE(pieces.exitCode(), std::optional(3));
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

} // namespace tst_stderrfilter

#include "tst_stderrfilter.moc"
