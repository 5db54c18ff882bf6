// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "commands/farmoptions.h"

using namespace tasuki;
using namespace std::chrono_literals;

class tst_FarmOptions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void defaults()
    {
        const auto options = parseFarmOptions({"dir/list.sh"});
        QVERIFY(options.ok());
        QCOMPARE(options->runFile, std::string("list.tasuki"));
        QCOMPARE(*options->slots, 1U);
        QCOMPARE(options->retries, RetryBudget{});
        QVERIFY(!options->timeout);
        QCOMPARE(*options->cpsLog, std::string("cps.log"));
        QVERIFY(!options->resume && !options->dedicatedMaster && !options->quiet);
    }

    void everything()
    {
        const auto options = parseFarmOptions({"l", "--resume", "r.tasuki", "--retry-failed",
                                               "--slots", "auto", "--retries=2", "--timeout",
                                               "1m30s", "--lost-after", "3s", "--cps-log", "none",
                                               "--quiet", "--dedicated-master", "--dry-run"});
        QVERIFY(options.ok());
        QCOMPARE(options->runFile, std::string("r.tasuki"));
        QVERIFY(options->resume && options->retryFailed && !options->slots);
        QCOMPARE(options->retries.of(RetryCause::Exit), 2);
        QCOMPARE(options->retries.of(RetryCause::Signal), 2);
        QCOMPARE(options->retries.of(RetryCause::Timeout), 2);
        QCOMPARE(options->retries.of(RetryCause::ProcessorLost), 3);
        QCOMPARE(*options->timeout, 90'000ms);
        QCOMPARE(options->lostAfter, 3'000ms);
        QVERIFY(!options->cpsLog && options->quiet && options->dedicatedMaster && options->dryRun);
    }

    void resumeNeedsNoList()
    {
        const auto options = parseFarmOptions({"--resume", "r.tasuki"});
        QVERIFY(options.ok());
        QVERIFY(!options->taskList);
    }

    void wrong_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("named");
        QTest::newRow("no list") << QStringList{} << "no task list";
        QTest::newRow("unknown") << QStringList{"l", "--slot", "2"} << "--slot";
        QTest::newRow("two lists") << QStringList{"l", "m"} << "positional";
        QTest::newRow("slots 0") << QStringList{"l", "--slots", "0"} << "--slots '0'";
        QTest::newRow("slots x") << QStringList{"l", "--slots", "2x"} << "--slots '2x'";
        QTest::newRow("slots huge") << QStringList{"l", "--slots", "5000"} << "--slots";
        QTest::newRow("retries") << QStringList{"l", "--retries", "-1"} << "--retries";
        QTest::newRow("retries big") << QStringList{"l", "--retries", "65536"} << "--retries";
        QTest::newRow("timeout") << QStringList{"l", "--timeout", "soon"} << "--timeout 'soon'";
        QTest::newRow("timeout 0") << QStringList{"l", "--timeout", "0"} << "--timeout '0'";
        QTest::newRow("lost-after") << QStringList{"l", "--lost-after", "1ms"} << "--lost-after";
        QTest::newRow("both") << QStringList{"l", "--run", "a", "--resume", "b"} << "--run";
        QTest::newRow("retry-failed") << QStringList{"l", "--retry-failed"} << "--retry-failed";
        QTest::newRow("no value") << QStringList{"l", "--run"} << "--run";
    }

    // Fails if a wrong option is accepted, or if the error does not name it.
    void wrong()
    {
        QFETCH(const QStringList, arguments);
        QFETCH(const QString, named);
        Arguments texts;
        for (const QString& argument : arguments)
            texts.push_back(argument.toStdString());
        const auto options = parseFarmOptions(texts);
        QVERIFY(!options.ok());
        QCOMPARE(options.error().kind, ErrorKind::Input);
        const QString text = QString::fromStdString(options.error().text());
        QVERIFY2(text.contains(named), qPrintable(text));
        QVERIFY(!text.contains('\n'));
    }

    void helpNamesEveryOption()
    {
        for (const char* option :
             {"--run", "--resume", "--retry-failed", "--dedicated-master", "--slots", "--retries",
              "--timeout", "--lost-after", "--cps-log", "--dry-run", "--quiet"})
            QVERIFY2(farmHelp().find(option) != std::string::npos, option);
    }
};

QTEST_APPLESS_MAIN(tst_FarmOptions)
#include "tst_farmoptions.moc"
