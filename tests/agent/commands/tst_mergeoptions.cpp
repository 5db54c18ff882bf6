// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "commands/mergeoptions.h"

namespace tst_mergeoptions {

using namespace tasuki;
using namespace std::chrono_literals;

class TestMergeOptions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void defaults();
    void everything();
    void refused_data();
    void refused();
    void helpNamesTheLaws();
};

void TestMergeOptions::defaults()
{
    const auto options = parseMergeOptions({"a", "b", "-o", "out"});
    QVERIFY(options.ok());
    QCOMPARE(options->files, (std::vector<std::string>{"a", "b"}));
    QCOMPARE(options->output, std::string("out"));
    QCOMPARE(options->law.name(), std::string("last"));
    QVERIFY(!options->keep && options->score == merge::ScoreRule::None);
    QVERIFY(!options->verbose && !options->beforeAfter && !options->quiet && !options->runFile);
    QVERIFY(options->lostAfter == 10s);
}

void TestMergeOptions::everything()
{
    const auto options = parseMergeOptions({"--law", "max-number", "--keep", "100",
                                            "--score=number", "--verbose", "--before-after",
                                            "--quiet", "--lost-after", "3s", "--run", "r.tasuki",
                                            "--listen", "none", "--output", "-", "in"});
    QVERIFY(options.ok());
    QCOMPARE(options->law.name(), std::string("max-number"));
    QCOMPARE(*options->keep, std::size_t{100});
    QVERIFY(options->score == merge::ScoreRule::Number);
    QVERIFY(options->verbose && options->beforeAfter && options->quiet && !options->listen);
    QVERIFY(options->lostAfter == 3s);
    QCOMPARE(*options->runFile, std::string("r.tasuki"));
    QCOMPARE(options->output, std::string("-"));
    QCOMPARE(*parseMergeOptions({"in", "-o", "x", "--keep", "1"})->keep, std::size_t{1});
    QVERIFY(!parseMergeOptions({"in", "-o", "x", "--run", "none"})->runFile);
    QCOMPARE(*parseMergeOptions({"in", "-o", "x", "--run", "./none"})->runFile,
             std::string("./none"));
}

void TestMergeOptions::refused_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("words");
    const QStringList fine{"in", "-o", "out"};
    QTest::newRow("no files") << QStringList{"-o", "out"} << "no files";
    QTest::newRow("no output") << QStringList{"in"} << "-o OUT";
    QTest::newRow("law") << fine + QStringList{"--law", "best"} << "max-number";
    QTest::newRow("keep") << fine + QStringList{"--keep", "-1"} << "--keep";
    QTest::newRow("keep, none") << fine + QStringList{"--keep", "0"} << "--keep '0' is not valid";
    QTest::newRow("keep, a word") << fine + QStringList{"--keep", "some"} << "number of entries";
    QTest::newRow("score") << fine + QStringList{"--score", "size"} << "none or number";
    QTest::newRow("limit") << fine + QStringList{"--lost-after", "1ms"} << "at least 1s";
    QTest::newRow("listen") << fine + QStringList{"--listen", "everywhere"} << "--listen";
    QTest::newRow("unknown") << fine + QStringList{"--fast"} << "--fast";
}

void TestMergeOptions::refused()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, words);
    Arguments given;
    for (const QString& argument : arguments)
        given.push_back(argument.toStdString());
    const auto options = parseMergeOptions(given);
    QVERIFY(!options.ok());
    const QString text = QString::fromStdString(options.error().text());
    QVERIFY2(text.contains(words), qPrintable(text));
}

void TestMergeOptions::helpNamesTheLaws()
{
    for (const std::string& law : merge::Law::names())
        QVERIFY(mergeHelp().find(law) != std::string::npos);
}

QTEST_APPLESS_MAIN(TestMergeOptions)

} // namespace tst_mergeoptions

#include "tst_mergeoptions.moc"
