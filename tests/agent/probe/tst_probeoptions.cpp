// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/probeoptions.h"

#include <QTest>

namespace tst_probeoptions {

using namespace tasuki;

class TestProbeOptions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void defaults();
    void everything();
    void errors_data();
    void errors();
    void helpNamesEveryOption();
};

void TestProbeOptions::defaults()
{
    const auto options = parseProbeOptions({});
    QVERIFY(options);
    QVERIFY(!options->output && !options->csv && !options->reference);
    QVERIFY(!options->repetitions && !options->largestBytes);
    QCOMPARE(options->speedSpan.count(), 2'000'000);
    QVERIFY(!options->oneNodeAtATime && !options->pairsAtOnce && !options->ranksAsNodes);
    QVERIFY(!options->quiet && !options->help);
    QVERIFY(parseProbeOptions({"--help", "--repetitions", "x"})->help);
}

void TestProbeOptions::everything()
{
    const auto options = parseProbeOptions({"-o", "e.toml", "--csv", "e.csv", "--repetitions",
                                            "200", "--largest", "0", "--speed-seconds", "0.25",
                                            "--reference", "grid00", "--one-by-one", "--parallel",
                                            "--ranks-as-nodes", "--quiet"});
    QVERIFY(options);
    QCOMPARE(*options->output, std::string("e.toml"));
    QCOMPARE(*options->csv, std::string("e.csv"));
    QCOMPARE(*options->repetitions, std::uint64_t{200});
    QCOMPARE(*options->largestBytes, std::uint64_t{0});
    QCOMPARE(options->speedSpan.count(), 250'000);
    QCOMPARE(*options->reference, std::string("grid00"));
    QVERIFY(options->oneNodeAtATime && options->pairsAtOnce && options->ranksAsNodes);
    QVERIFY(options->quiet);
}

void TestProbeOptions::errors_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("expected");
    const auto row = [](const QStringList& arguments, const char* expected) {
        QTest::newRow(qPrintable(arguments.join(' '))) << arguments << QString(expected);
    };
    row({"--repetitions", "0"}, "--repetitions '0' is not valid; expected a number from 1 to");
    row({"--repetitions", "many"}, "--repetitions 'many' is not valid");
    row({"--repetitions", "-1"}, "--repetitions '-1' is not valid");
    row({"--largest", "1.5"}, "--largest '1.5' is not valid; expected a number of bytes");
    row({"--largest", "1073741825"}, "--largest '1073741825' is not valid");
    row({"--speed-seconds", "nan"}, "--speed-seconds 'nan' is not valid; expected seconds from");
    row({"--speed-seconds", "0"}, "--speed-seconds '0' is not valid");
    row({"--speed-seconds", "2s"}, "--speed-seconds '2s' is not valid");
    row({"--quiet"}, "--quiet without -o or --csv would tell nothing; add -o");
    row({"--sped", "1"}, "--sped");
    row({"file.toml"}, "too many positional options");
    row({"-o"}, "argument");
}

void TestProbeOptions::errors()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, expected);
    Arguments all;
    for (const QString& argument : arguments)
        all.push_back(argument.toStdString());
    const auto options = parseProbeOptions(all);
    QVERIFY(!options);
    QVERIFY(options.error().kind == ErrorKind::Input);
    const QString text = QString::fromStdString(options.error().text());
    QVERIFY2(text.startsWith("probe: ") && text.contains(expected), qPrintable(text));
}

void TestProbeOptions::helpNamesEveryOption()
{
    const QString help = QString::fromStdString(probeHelp());
    for (const char* option :
         {"--output", "--repetitions", "--largest", "--speed-seconds", "--reference",
          "--one-by-one", "--parallel", "--ranks-as-nodes", "--csv", "--quiet"})
        QVERIFY2(help.contains(option), option);
}

QTEST_APPLESS_MAIN(TestProbeOptions)

} // namespace tst_probeoptions

#include "tst_probeoptions.moc"
