// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/checkcommand.h"
#include "commands/checkoptions.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_checkcommand {

using namespace tasuki;

namespace {

const QByteArray oneStage = "[[subcluster]]\n"
                            "name = \"farm\"\n"
                            "active = 2\n"
                            "standby = 1\n";

} // namespace

class TestCheckCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fitsWithoutALaunch();
    void fitsALaunch();
    void drawsLinesThatCanBeSeen();
    void launchThatDoesNotFit();
    void errorsWithTheirPlaces();
    void fileThatCannotBeRead();
    void wrongUsage_data();
    void wrongUsage();
    void helpNamesTheOptions();

private:
    std::string write(const QByteArray& text);
    CheckReport check(const QByteArray& text, Arguments more = {});

    QTemporaryDir m_folder;
};

std::string TestCheckCommand::write(const QByteArray& text)
{
    QFile file(m_folder.filePath("t.toml"));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("cannot write the topology");
    return file.fileName().toStdString();
}

CheckReport TestCheckCommand::check(const QByteArray& text, Arguments more)
{
    more.push_back(write(text));
    return checkTopology(more);
}

void TestCheckCommand::fitsWithoutALaunch()
{
    for (const Arguments& launch : {Arguments{}, Arguments{"-n", "3"}, Arguments{"-n3"}}) {
        Arguments arguments = launch;
        arguments.push_back("--ascii");
        const CheckReport report = check(oneStage, arguments);
        QCOMPARE(report.code, ExitCode::Success);
        QCOMPARE(report.errors, std::string());
        QCOMPARE(report.output,
                 std::string("3 processors in 1 subcluster\n"
                             "heartbeat 100 ms; suspect after 3 heartbeats (300 ms), lost after 10 "
                             "heartbeats (1000 ms); when a subcluster is down: restart\n"
                             "farm: 2 active, 1 standby; down below 1; at most 3 takeovers in 60 "
                             "s\n"
                             "\n"
                             "system        kind     rank  host    master of\n"
                             "`- farm\n"
                             "   `- host 1\n"
                             "      |- 0    active      0  host 1  system, subcluster, unit\n"
                             "      |- 1    active      1  host 1\n"
                             "      `- 2    standby     -  host 1\n"));
    }
}

void TestCheckCommand::fitsALaunch()
{
    const CheckReport report = check(oneStage, {"--hosts", "x:1,y:2", "--ascii"});
    QCOMPARE(report.code, ExitCode::Success);
    QVERIFY2(report.output.ends_with("system      kind     rank  host  master of\n"
                                     "`- farm\n"
                                     "   |- x\n"
                                     "   |  `- 0  active      0  x     system, subcluster, unit\n"
                                     "   `- y\n"
                                     "      |- 1  active      1  y     unit\n"
                                     "      `- 2  standby     -  y\n"),
             report.output.c_str());
    // As mpirun fills hosts: the last ones stay empty.
    const CheckReport fewer = check(oneStage, {"--hosts", "x:2,y:2", "-n", "3", "--ascii"});
    QCOMPARE(fewer.code, ExitCode::Success);
    QVERIFY(fewer.output.find("`- 2  standby     -  y") != std::string::npos);
}

void TestCheckCommand::drawsLinesThatCanBeSeen()
{
    const QByteArray before = qgetenv("LC_ALL");
    qputenv("LC_ALL", "C.UTF-8");
    const CheckReport utf8 = check(oneStage);
    const CheckReport asked = check(oneStage, {"--ascii"});
    qputenv("LC_ALL", "C");
    const CheckReport plain = check(oneStage);
    if (before.isNull())
        qunsetenv("LC_ALL");
    else
        qputenv("LC_ALL", before);
    QVERIFY(utf8.output.find("└─ farm") != std::string::npos);
    QVERIFY(plain.output.find("`- farm") != std::string::npos);
    QCOMPARE(asked.output, plain.output);
}

void TestCheckCommand::launchThatDoesNotFit()
{
    const CheckReport few = check(oneStage, {"-n", "2"});
    QCOMPARE(few.code, ExitCode::Wrong);
    QCOMPARE(toInt(few.code), 1);
    QVERIFY2(few.errors.ends_with("t.toml:1:1: error: needs 3 processors (farm 3), the launch has "
                                  "2; start with -n 3, or write active = 1\n"),
             few.errors.c_str());
    QVERIFY(few.output.starts_with("3 processors") && !few.output.ends_with("\n\n"));
    const CheckReport host = check(oneStage + "hosts = [\"x\"]\n", {"--hosts", "y:3"});
    QCOMPARE(host.code, ExitCode::Wrong);
    QVERIFY2(host.errors.find("t.toml:5:10: error: there is no host \"x\" in the launch; did you "
                              "mean \"y\"?")
                 != std::string::npos,
             host.errors.c_str());
}

void TestCheckCommand::errorsWithTheirPlaces()
{
    const CheckReport report = check("[system]\npolicy = \"halt\"\n" + oneStage + "spare = 1\n");
    QCOMPARE(report.code, ExitCode::Wrong);
    QCOMPARE(report.output, std::string());
    const std::string file = m_folder.filePath("t.toml").toStdString();
    QVERIFY2(report.errors.starts_with(file + ":2:10: error: policy is \"halt\"; ")
                 && report.errors.find('\n' + file + ":7:1: error: unknown key \"spare\" in ")
                     != std::string::npos,
             report.errors.c_str());
}

void TestCheckCommand::fileThatCannotBeRead()
{
    const CheckReport report = checkTopology({m_folder.filePath("none.toml").toStdString()});
    QCOMPARE(report.code, ExitCode::Wrong);
    QVERIFY2(report.errors.ends_with("none.toml: error: cannot read it: No such file or "
                                     "directory; name a topology file\n"),
             report.errors.c_str());
}

void TestCheckCommand::wrongUsage_data()
{
    QTest::addColumn<Arguments>("arguments");
    QTest::addColumn<QString>("mentioned");
    const auto row = [](const char* name, const Arguments& arguments, const char* mentioned) {
        QTest::newRow(name) << arguments << QString(mentioned);
    };
    row("nothing", {}, "check: no topology; usage: tasuki-agent check TOPOLOGY");
    row("two files", {"a", "b"}, "more than one topology: 'b'");
    row("unknown option", {"a", "--host", "x:1"}, "--host");
    row("no number", {"a", "-n", "four"}, "-n 'four' is not valid; expected a whole number");
    row("no processors", {"a", "-n", "0"}, "-n '0' is not valid");
    row("host without a number", {"a", "--hosts", "x:1,y"}, "--hosts has 'y'; expected hosts and");
    row("host of none", {"a", "--hosts", "x:0"}, "--hosts has 'x:0'");
    row("host without a name", {"a", "--hosts", ":2"}, "--hosts has ':2'");
    row("no host", {"a", "--hosts", ""}, "--hosts");
    row("comma at the end", {"a", "--hosts", "x:1,"}, "--hosts has ''");
    row("too many", {"a", "--hosts", "x:999999,y:2"}, "--hosts has 'y:2'");
    row("more than the hosts have", {"a", "-n", "4", "--hosts", "x:1,y:2"},
        "-n 4, but --hosts has 3");
}

void TestCheckCommand::wrongUsage()
{
    QFETCH(Arguments, arguments);
    QFETCH(QString, mentioned);
    const CheckReport report = checkTopology(arguments);
    QCOMPARE(report.code, ExitCode::BadInput);
    QCOMPARE(report.output, std::string());
    const QString told = QString::fromStdString(report.errors);
    QVERIFY2(told.startsWith("tasuki-agent: error: check: ") && told.contains(mentioned),
             qPrintable(told));
}

void TestCheckCommand::helpNamesTheOptions()
{
    const CheckReport report = checkTopology({"--help"});
    QCOMPARE(report.code, ExitCode::Success);
    for (const char* option : {"-n N", "--hosts HOST:N,...", "--ascii", "--help"})
        QVERIFY2(report.output.find(option) != std::string::npos, option);
}

QTEST_APPLESS_MAIN(TestCheckCommand)

} // namespace tst_checkcommand

#include "tst_checkcommand.moc"
