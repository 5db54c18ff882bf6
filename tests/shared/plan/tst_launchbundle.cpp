// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "plan/launchbundle.h"
#include "planning.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

namespace tst_launchbundle {

using namespace tasuki;
using namespace tasuki::plan;
using namespace tasuki::plan::testing;

namespace {

/// grid00 to grid03 with one slot and four cores each.
Environment grid()
{
    Environment environment;
    for (const char* name : {"grid00", "grid01", "grid02", "grid03"})
        environment.nodes.push_back({.name = name, .cores = 4});
    return environment;
}

void write(const QString& path, const std::string& content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content.data(), static_cast<qint64>(content.size())),
             static_cast<qint64>(content.size()));
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
}

/// A folder with a bundle, one with a mpirun that tells its version and its arguments, and another
/// one to be in.
struct Stage {
    /// @param version  the first line of `mpirun --version`; empty: there is no mpirun
    Stage(const LaunchBundle& bundle, const std::string& version)
    {
        const QDir root(base.path());
        for (const char* folder : {"bin", "else where", "the bundle's $HOME"})
            QVERIFY(root.mkdir(folder));
        write(bundlePath() + "/run", bundle.script);
        write(bundlePath() + "/rankfile", bundle.rankfile);
        // A shell finds these two, and with them everything that the script needs.
        QVERIFY(QFile::link("/bin/sh", base.filePath("bin/sh")));
        QVERIFY(QFile::link("/usr/bin/dirname", base.filePath("bin/dirname")));
        if (version.empty())
            return;
        write(base.filePath("bin/mpirun"),
              "#!/bin/sh\n"
              "if [ \"$1\" = --version ]; then\n"
              "    echo '"
                  + version
                  + "'\n"
                    "    exit 0\n"
                    "fi\n"
                    "for word in \"$@\"; do echo \"<$word>\"; done\n"
                    "exit 17\n");
    }

    [[nodiscard]] QString bundlePath() const { return base.filePath("the bundle's $HOME"); }

    /// @return what the script printed, its exit code last
    QString run(const QString& script, const QStringList& arguments, const QString& folder,
                const QString& cdpath = {}) const
    {
        QProcess process;
        QProcessEnvironment environment;
        environment.insert("PATH", base.filePath("bin"));
        if (!cdpath.isEmpty())
            environment.insert("CDPATH", cdpath);
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(folder);
        process.setProcessChannelMode(QProcess::MergedChannels);
        // Qt would look for a relative path where this process is.
        process.start("/bin/sh", QStringList{script} + arguments);
        if (!process.waitForFinished(20'000))
            return "did not end";
        return QString::fromUtf8(process.readAll()) + QString::number(process.exitCode());
    }

    QTemporaryDir base;
};

} // namespace

class TestLaunchBundle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fourNodes();
    void severalRanksOfANode();
    void cores_data();
    void cores();
    void machinefileOrder_data();
    void machinefileOrder();
    void warnings();
    void namesThatAShellWouldRead();
    void scriptText();
    void scriptStarts_data();
    void scriptStarts();
    void scriptFromAnywhere();
    void scriptWithoutMpirun_data();
    void scriptWithoutMpirun();
};

void TestLaunchBundle::fourNodes()
{
    const LaunchBundle bundle = launchBundle(grid(), nodes({2, 0, 3, 1}));
    QCOMPARE(bundle.rankfile,
             std::string("rank 0=grid02 slot=0-3\n"
                         "rank 1=grid00 slot=0-3\n"
                         "rank 2=grid03 slot=0-3\n"
                         "rank 3=grid01 slot=0-3\n"));
    QCOMPARE(bundle.machinefile, std::string("grid02\ngrid00\ngrid03\ngrid01\n"));
    const std::string common = "-n 4 --host grid02:1,grid00:1,grid03:1,grid01:1 ";
    QCOMPARE(bundle.optionsOfOpenMpi4, common + "--rankfile rankfile");
    QCOMPARE(bundle.optionsOfOpenMpi5, common + "--map-by rankfile:file=rankfile");
    QVERIFY(bundle.warnings.empty());
}

// Each host has as many slots as ranks; otherwise mpirun would not start them.
void TestLaunchBundle::severalRanksOfANode()
{
    Environment environment = grid();
    environment.nodes[1].slots = 3;
    const LaunchBundle bundle = launchBundle(environment, nodes({1, 0, 1, 1, 3}));
    QCOMPARE(bundle.rankfile,
             std::string("rank 0=grid01 slot=0-3\n"
                         "rank 1=grid00 slot=0-3\n"
                         "rank 2=grid01 slot=0-3\n"
                         "rank 3=grid01 slot=0-3\n"
                         "rank 4=grid03 slot=0-3\n"));
    QCOMPARE(bundle.machinefile, std::string("grid01\ngrid00\ngrid01\ngrid01\ngrid03\n"));
    QCOMPARE(bundle.optionsOfOpenMpi4,
             std::string("-n 5 --host grid01:3,grid00:1,grid03:1 --rankfile rankfile"));
}

void TestLaunchBundle::cores_data()
{
    QTest::addColumn<quint32>("cores");
    QTest::addColumn<quint32>("slots");
    QTest::addColumn<QString>("range");
    QTest::newRow("one core") << 1U << 1U << "0";
    QTest::newRow("many cores") << 64U << 1U << "0-63";
    // Beyond the cores that there are nothing would be started.
    QTest::newRow("more slots than cores") << 2U << 4U << "0-1";
    QTest::newRow("not known, one slot") << 0U << 1U << "0";
    QTest::newRow("not known, a slot a core") << 0U << 8U << "0-7";
}

void TestLaunchBundle::cores()
{
    QFETCH(quint32, cores);
    QFETCH(quint32, slots);
    QFETCH(QString, range);
    Environment environment;
    environment.nodes = {{.name = "only", .slots = slots, .cores = cores}};
    QCOMPARE(QString::fromStdString(launchBundle(environment, nodes({0})).rankfile),
             "rank 0=only slot=" + range + "\n");
}

void TestLaunchBundle::machinefileOrder_data()
{
    QTest::addColumn<QList<int>>("nodes");
    QTest::addColumn<bool>("keeps");
    QTest::newRow("A B A B") << QList<int>{0, 1, 0, 1} << false;
    QTest::newRow("A A B B") << QList<int>{0, 0, 1, 1} << true;
    QTest::newRow("A") << QList<int>{0} << true;
    QTest::newRow("A A") << QList<int>{0, 0} << true;
    QTest::newRow("B A C") << QList<int>{1, 0, 2} << true;
    QTest::newRow("A B B A") << QList<int>{0, 1, 1, 0} << false;
    QTest::newRow("C A A B B B") << QList<int>{2, 0, 0, 1, 1, 1} << true;
    QTest::newRow("A B C B") << QList<int>{0, 1, 2, 1} << false;
    QTest::newRow("none") << QList<int>{} << true;
}

void TestLaunchBundle::machinefileOrder()
{
    QFETCH(QList<int>, nodes);
    QFETCH(bool, keeps);
    Allocation allocation;
    for (const int node : nodes)
        allocation.emplace_back(static_cast<std::uint32_t>(node));
    QCOMPARE(keepsMachinefileOrder(allocation), keeps);
}

void TestLaunchBundle::warnings()
{
    Environment environment = grid();
    environment.nodes[0].slots = 2;
    environment.nodes[2].cores = 0;
    environment.nodes[2].slots = 8;
    environment.nodes[3].cores = 0;
    const std::string order =
        "mpirun does not keep the order of this machinefile, as it fills each host before the next "
        "one: use the rankfile";
    QCOMPARE(launchBundle(environment, nodes({0, 1, 0})).warnings, std::vector<std::string>{order});
    const std::string one =
        "the rankfile binds to core 0 of grid03, as the environment does not say how many cores "
        "there are, and mpirun starts nothing where there are fewer: write cores = N in [[node]]";
    QCOMPARE(launchBundle(environment, nodes({3, 1})).warnings, std::vector<std::string>{one});
    const auto all = launchBundle(environment, nodes({0, 3, 0, 2})).warnings;
    QCOMPARE(all.size(), std::size_t{2});
    QCOMPARE(all[0], order);
    QVERIFY(all[1].find("core 0 of grid03, cores 0-7 of grid02, as") != std::string::npos);
    // Nothing runs on those of which cores are not known.
    QVERIFY(launchBundle(environment, nodes({0, 0, 1})).warnings.empty());
}

// An environment file may come from somebody else.
void TestLaunchBundle::namesThatAShellWouldRead()
{
    Environment environment;
    environment.nodes = {{.name = "$(touch${IFS}here)", .cores = 1},
                         {.name = "it's;exit", .cores = 1}};
    const LaunchBundle bundle = launchBundle(environment, nodes({0, 1}));
    const std::string quoted = R"('$(touch${IFS}here):1,it'\''s;exit:1')";
    QCOMPARE(bundle.optionsOfOpenMpi4, "-n 2 --host " + quoted + " --rankfile rankfile");
    const Stage stage(bundle, "mpirun (Open MPI) 4.1.4");
    QCOMPARE(stage.run(stage.bundlePath() + "/run", {"true"}, stage.base.filePath("else where"))
                 .section('\n', 0, 3),
             QStringLiteral("<-n>\n<2>\n<--host>\n<$(touch${IFS}here):1,it's;exit:1>"));
    QVERIFY(QDir(stage.base.filePath("else where")).isEmpty());
}

void TestLaunchBundle::scriptText()
{
    const std::string script = launchBundle(grid(), nodes({2, 0})).script;
    QVERIFY(script.starts_with("#!/bin/sh\n"));
    QVERIFY(script.ends_with("\nexit 1\n"));
    // Options for people have no place of this machine in them, and neither has the script.
    QVERIFY(script.find("--rankfile \"$here/rankfile\"") != std::string::npos);
    QVERIFY(script.find("--wdir \"$there\" -n 2") != std::string::npos);
    QVERIFY(script.find("--map-by rankfile:file=rankfile \"$@\"") != std::string::npos);
}

void TestLaunchBundle::scriptStarts_data()
{
    QTest::addColumn<QString>("version");
    QTest::addColumn<QStringList>("placement");
    const QStringList hosts{"-n", "2", "--host", "grid02:1,grid00:1"};
    const QStringList four = hosts + QStringList{"--rankfile", "PLACE/rankfile"};
    const QStringList five = QStringList{"--wdir", "THERE"} + hosts
        + QStringList{"--map-by", "rankfile:file=rankfile"};
    QTest::newRow("4.1") << "mpirun (Open MPI) 4.1.4" << four;
    QTest::newRow("4.0") << "mpirun (Open MPI) 4.0.3" << four;
    QTest::newRow("5.0") << "mpirun (Open MPI) 5.0.7" << five;
    QTest::newRow("later") << "mpirun (Open MPI) 10.4.0" << five;
}

void TestLaunchBundle::scriptStarts()
{
    QFETCH(QString, version);
    QFETCH(QStringList, placement);
    const Stage stage(launchBundle(grid(), nodes({2, 0})), version.toStdString());
    QStringList words = placement;
    words += QStringList{"./program", "with blanks", "", "*", "--rankfile"};
    QString expected;
    for (const QString& word : words)
        expected += '<'
            + QString(word)
                  .replace("PLACE", stage.bundlePath())
                  .replace("THERE", stage.base.filePath("else where"))
            + ">\n";
    // Its exit code is the script's.
    QCOMPARE(stage.run(stage.bundlePath() + "/run",
                       {"./program", "with blanks", "", "*", "--rankfile"},
                       stage.base.filePath("else where")),
             expected + "17");
}

// By a relative path too, and where CDPATH leads elsewhere; the program's own path stays right.
void TestLaunchBundle::scriptFromAnywhere()
{
    const Stage stage(launchBundle(grid(), nodes({2, 0})), "mpirun (Open MPI) 4.1.4");
    const QString rankfile = "<" + stage.bundlePath() + "/rankfile>\n";
    const QString base = stage.base.path();
    QVERIFY(QDir(base).mkpath("else where/the bundle's $HOME"));
    const auto run = [&](const QString& script, const QString& folder, const QString& cdpath = {}) {
        return stage.run(script, {"x"}, folder, cdpath);
    };
    QVERIFY(run("run", stage.bundlePath()).contains(rankfile));
    QVERIFY(run("./run", stage.bundlePath()).contains(rankfile));
    QVERIFY(run("../the bundle's $HOME/run", base + "/else where").contains(rankfile));
    const QString withCdpath = run("the bundle's $HOME/run", base, base + "/else where");
    QVERIFY2(withCdpath.contains(rankfile), qPrintable(withCdpath));
}

void TestLaunchBundle::scriptWithoutMpirun_data()
{
    QTest::addColumn<QString>("version");
    QTest::newRow("no mpirun") << "";
    QTest::newRow("another MPI") << "HYDRA build details:";
    QTest::newRow("too old") << "mpirun (Open MPI) 3.1.6";
}

void TestLaunchBundle::scriptWithoutMpirun()
{
    QFETCH(QString, version);
    const Stage stage(launchBundle(grid(), nodes({2, 0})), version.toStdString());
    QCOMPARE(stage.run(stage.bundlePath() + "/run", {"x"}, stage.base.filePath("else where")),
             QStringLiteral("run: error: no mpirun of Open MPI 4 or 5 is in PATH\n1"));
}

QTEST_GUILESS_MAIN(TestLaunchBundle)

} // namespace tst_launchbundle

#include "tst_launchbundle.moc"
