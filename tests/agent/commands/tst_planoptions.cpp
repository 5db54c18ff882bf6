// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "commands/planoptions.h"

namespace tst_planoptions {

using namespace tasuki;
using namespace std::chrono_literals;

class TestPlanOptions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void defaults();
    void everything();
    void keepsAtLeastTheRows();
    void limits();
    void refused_data();
    void refused();
    void helpNeedsNothingElse();
    void helpNamesTheOptions();
    void modelsHaveNames();
};

void TestPlanOptions::defaults()
{
    const auto options = parsePlanOptions({"a.alog", "-e", "nodes.toml"});
    QVERIFY(options.ok());
    QCOMPARE(options->trace, std::string("a.alog"));
    QCOMPARE(options->environment, std::string("nodes.toml"));
    QVERIFY(options->model == PlanModel::Replay);
    QCOMPARE(options->rows, std::size_t{100});
    QCOMPARE(options->keep, std::size_t{10'000});
    QVERIFY(!options->threads && !options->csv && !options->bundle && !options->measured);
    QVERIFY(options->format == PlanFormat::Table);
    QVERIFY(!options->quiet && !options->help);
    QCOMPARE(options->unfollowedPercent, 10U);
    QCOMPARE(parsePlanOptions({"a", "-e", "n", "--unfollowed", "37"})->unfollowedPercent, 37U);
    QVERIFY(options->lostAfter == 10s);
}

void TestPlanOptions::everything()
{
    const auto options = parsePlanOptions({"--model",
                                           "lsmg",
                                           "--bundle",
                                           "best",
                                           "--csv=all.csv",
                                           "--rows",
                                           "7",
                                           "--keep",
                                           "50",
                                           "--threads",
                                           "3",
                                           "--lost-after",
                                           "1m",
                                           "--quiet",
                                           "a.alog",
                                           "--environment",
                                           "n.toml",
                                           "--measured",
                                           "m.csv",
                                           "--format",
                                           "jsonl"});
    QVERIFY(options.ok());
    QCOMPARE(options->trace, std::string("a.alog"));
    QCOMPARE(options->environment, std::string("n.toml"));
    QVERIFY(options->model == PlanModel::Lsmg);
    QCOMPARE(*options->bundle, std::string("best"));
    QCOMPARE(*options->csv, std::string("all.csv"));
    QCOMPARE(options->rows, std::size_t{7});
    QCOMPARE(options->keep, std::size_t{50});
    QCOMPARE(*options->threads, 3U);
    QVERIFY(options->lostAfter == 60s);
    QVERIFY(options->quiet);
    QCOMPARE(*options->measured, std::string("m.csv"));
    QVERIFY(options->format == PlanFormat::JsonLines);
    QVERIFY(parsePlanOptions({"a", "-e", "n", "--format=csv"})->format == PlanFormat::Csv);
    QVERIFY(parsePlanOptions({"a", "-e", "n", "--model=replay"})->model == PlanModel::Replay);
    QVERIFY(!parsePlanOptions({"a", "-e", "n", "--threads", "auto"})->threads);
}

// Rows that are printed must be known.
void TestPlanOptions::keepsAtLeastTheRows()
{
    QCOMPARE(parsePlanOptions({"a", "-e", "n", "--rows", "20000"})->keep, std::size_t{20'000});
    QCOMPARE(parsePlanOptions({"a", "-e", "n", "--keep", "5"})->keep, std::size_t{100});
}

void TestPlanOptions::limits()
{
    const auto options = parsePlanOptions({"a", "-e", "n", "--rows", "1", "--keep", "10000000",
                                           "--threads", "1024", "--lost-after", "1s"});
    QVERIFY(options.ok());
    QCOMPARE(options->rows, std::size_t{1});
    QCOMPARE(options->keep, std::size_t{10'000'000});
    QCOMPARE(*options->threads, 1024U);
    QVERIFY(options->lostAfter == 1s);
}

void TestPlanOptions::refused_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("found");
    QTest::addColumn<QString>("expected");
    const QStringList fine{"a.alog", "-e", "n.toml"};
    const QString usage = "usage: tasuki-agent plan TRACE -e ENVIRONMENT";
    const QString help = "tasuki-agent plan --help";
    const auto number = [](const char* most) {
        return QStringLiteral("expected a whole number from 1 to %1").arg(most);
    };
    QTest::newRow("no trace") << QStringList{"-e", "n.toml"} << "plan: no trace" << usage;
    QTest::newRow("two traces") << fine + QStringList{"b.alog"} << "more than one trace: 'b.alog'"
                                << usage;
    QTest::newRow("no environment") << QStringList{"a.alog"} << "no -e ENVIRONMENT"
                                    << "tasuki-agent probe measures one";
    QTest::newRow("model") << fine + QStringList{"--model", "best"} << "--model 'best'"
                           << "expected replay or lsmg";
    QTest::newRow("format") << fine + QStringList{"--format", "json"} << "--format 'json'"
                            << "expected table, csv or jsonl";
    QTest::newRow("model, part of a name") << fine + QStringList{"--model", "re"} << "--model 're'"
                                           << "expected replay or lsmg";
    for (const auto& [option, most] :
         {std::pair("rows", "10000000"), std::pair("keep", "10000000"),
          std::pair("unfollowed", "100"), std::pair("threads", "1024")}) {
        const QString past = QString::number(QString(most).toULongLong() + 1);
        for (const QString& value :
             {QString("0"), QString("-1"), QString("many"), QString("3x"), QString("1.5"),
              QString(" 3"), QString("0x10"), past, QString("99999999999999999999")}) {
            QTest::addRow("%s %s", option, qPrintable(value))
                << fine + QStringList{QString("--%1=%2").arg(option, value)}
                << QString("plan: --%1 '%2' is not valid").arg(option, value) << number(most);
        }
    }
    for (const char* value : {"1ms", "999ms", "soon", "-5s", "0"}) {
        QTest::addRow("lost-after %s", value)
            << fine + QStringList{QString("--lost-after=%1").arg(value)}
            << QString("plan: --lost-after '%1' is not valid").arg(value)
            << "expected a duration of at least 1s";
    }
    QTest::newRow("unknown") << fine + QStringList{"--fast"} << "--fast" << help;
    QTest::newRow("shortened") << fine + QStringList{"--thread", "3"} << "--thread" << help;
    QTest::newRow("quiet with a value") << fine + QStringList{"--quiet=yes"} << "--quiet" << help;
    for (const char* option : {"csv", "bundle", "rows", "keep", "threads", "model", "lost-after",
                               "format", "measured"}) {
        QTest::addRow("%s without a value", option)
            << fine + QStringList{QString("--%1").arg(option)} << QString("--%1").arg(option)
            << help;
        QTest::addRow("%s twice", option)
            << fine + QStringList{QString("--%1=1").arg(option), QString("--%1=2").arg(option)}
            << QString("--%1").arg(option) << help;
    }
    for (const char* option : {"csv", "bundle", "environment"}) {
        QStringList given = fine;
        if (qstrcmp(option, "environment") == 0)
            given = QStringList{"a.alog"};
        QTest::addRow("%s is empty", option) << given + QStringList{QString("--%1=").arg(option)}
                                             << QString("--%1").arg(option) << QString();
    }
}

// The error names the option, what was given, and what was expected.
void TestPlanOptions::refused()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, found);
    QFETCH(QString, expected);
    Arguments given;
    for (const QString& argument : arguments)
        given.push_back(argument.toStdString());
    const auto options = parsePlanOptions(given);
    QVERIFY(!options.ok());
    QCOMPARE(options.error().kind, ErrorKind::Input);
    const QString text = QString::fromStdString(options.error().text());
    QVERIFY2(text.contains(found), qPrintable(text));
    QVERIFY2(text.contains(expected), qPrintable(text));
    QVERIFY2(!text.contains('\n'), qPrintable(text));
}

void TestPlanOptions::helpNeedsNothingElse()
{
    for (const char* help : {"--help", "-h"}) {
        const auto options = parsePlanOptions({help});
        QVERIFY(options.ok());
        QVERIFY(options->help);
    }
}

void TestPlanOptions::helpNamesTheOptions()
{
    const std::string help = planHelp();
    for (const char* option :
         {"-e [ --environment ] FILE", "--model replay|lsmg", "--bundle DIRECTORY", "--csv FILE",
          "--rows N", "--keep N", "--threads N|auto", "--lost-after DURATION", "--quiet",
          "-h [ --help ]", "mpirun -n N tasuki-agent plan"})
        QVERIFY2(help.find(option) != std::string::npos, option);
    QVERIFY(help.starts_with("Usage: tasuki-agent plan TRACE -e ENVIRONMENT"));
}

void TestPlanOptions::modelsHaveNames()
{
    QCOMPARE(planModelName(PlanModel::Replay), "replay");
    QCOMPARE(planModelName(PlanModel::Lsmg), "lsmg");
}

QTEST_APPLESS_MAIN(TestPlanOptions)

} // namespace tst_planoptions

#include "tst_planoptions.moc"
