// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/layout.h"
#include "config/topologyfile.h"
#include "topologytesting.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

namespace tst_topologyfile {

using namespace tasuki;
using namespace tasuki::config;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

/// What is written of a topology reads back as the same, and is written the same again.
void comesBack(const Topology& topology)
{
    QVERIFY(topologyFaults(topology).empty());
    const std::string text = topologyFileText(topology);
    const auto reading = readTopologyText(text, "t.toml");
    QVERIFY2(reading.topology && reading.diagnostics.empty(),
             qPrintable(told(reading.diagnostics) + '\n' + QString::fromStdString(text)));
    QVERIFY2(*reading.topology == topology, text.c_str());
    QCOMPARE(topologyFileText(*reading.topology), text);
}

} // namespace

class TestTopologyFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void roundTrip();
    void worldsComeBack();
    void faultsAreWhatReadsBackWrong();
    void textIsReadable();
    void filesThatCannotBeRead();
    void writesWholeOrNotAtAll();
    void examplesAreRight();
};

void TestTopologyFile::roundTrip()
{
    std::mt19937_64 random(7);
    for (int i = 0; i < 400; ++i) {
        comesBack(someTopology(random));
        if (QTest::currentTestFailed())
            return;
    }
}

void TestTopologyFile::worldsComeBack()
{
    const std::string odd = "a\\b \"c\" 'd' # { } = , \t\xE8\xA8\x88 \x7F";
    const std::vector<WorldSpec> worlds{
        {.command = "./solver", .directory = {}},
        {.command = odd, .directory = odd, .environment = {{"A", odd}, {"_b1", ""}, {"c", "1\n2"}}},
        {.command = " x ", .directory = {}, .deadline = std::chrono::seconds(1)},
        {.command = "x", .directory = {}, .deterministic = false},
        {.command = "x", .directory = {}, .logMb = 0},
        {.command = "x", .directory = {}, .logMb = 65'536},
        {.command = "x",
         .directory = "/",
         .environment = {{"A", "1"}},
         .deadline = std::chrono::seconds(315'360'000)}};
    Topology topology = twoStages();
    for (const WorldSpec& world : worlds) {
        topology.subclusters[1].world = world;
        comesBack(topology);
        if (QTest::currentTestFailed())
            return;
    }
    topology.subclusters[1].world = WorldSpec{.command = "x", .directory = {}};
    for (const std::int64_t seconds :
         {std::int64_t{-1}, std::int64_t{0}, std::int64_t{315'360'001}}) {
        topology.subclusters[1].world->deadline = std::chrono::seconds(seconds);
        QCOMPARE(topologyFaults(topology).size(), std::size_t{1});
    }
    topology.subclusters[1].world = WorldSpec{.command = "\t", .directory = {}};
    QCOMPARE(topologyFaults(topology).size(), std::size_t{1});
}

// What an editor is told of a topology is what a reader would tell of its file.
void TestTopologyFile::faultsAreWhatReadsBackWrong()
{
    std::mt19937_64 random(8);
    for (int i = 0; i < 400; ++i) {
        Topology topology = someTopology(random, 50);
        SubclusterSpec& spec = topology.subclusters.back();
        switch (random() % 9) {
        case 0: topology.heartbeat = std::chrono::milliseconds(random() % 20); break;
        case 1: topology.lostAfter = static_cast<std::uint32_t>(random() % 20); break;
        case 2: spec.name = random() % 2 == 0 ? "" : "a b"; break;
        case 3: spec.active = static_cast<std::uint32_t>(random() % 3); break;
        case 4: spec.standby = 100'000 + static_cast<std::uint32_t>(random() % 2); break;
        case 5: spec.units = static_cast<std::uint32_t>(random() % 100); break;
        case 6: spec.hosts = {"x", random() % 2 == 0 ? "x" : "y"}; break;
        case 7: spec.restarts.within = std::chrono::seconds(random() % 2); break;
        default: topology.subclusters.push_back(topology.subclusters.front()); break;
        }
        const auto faults = topologyFaults(topology);
        const auto reading = readTopologyText(topologyFileText(topology), "t.toml");
        QVERIFY2(reading.diagnostics.size() == faults.size(),
                 qPrintable(told(reading.diagnostics)));
        QCOMPARE(reading.topology.has_value(), faults.empty());
        if (faults.size() == 1) {
            const Diagnostic& only = reading.diagnostics.front();
            QVERIFY(only.message.text().starts_with(faults[0].message.text()));
            QCOMPARE(only.remedy.text(), faults[0].remedy.text());
        }
    }
}

void TestTopologyFile::textIsReadable()
{
    Topology topology = twoStages();
    topology.subclusters[0].hosts = {"node0", "node1"};
    topology.subclusters[1].units.reset();
    topology.subclusters[1].dedicatedMaster = true;
    const QByteArray expected =
        "# Subclusters and their processors; tasuki-agent check draws them.\n"
        "\n"
        "[system]\n"
        "heartbeat_ms = 100        # every processor says so often that it lives\n"
        "suspect_after = 3         # heartbeats of silence; it gets nothing new then\n"
        "lost_after = 10           # heartbeats of silence; it is killed and replaced then\n"
        "policy = \"restart\"        # continue | restart | stop, when a subcluster is down\n"
        "rejoin = true             # who was cut off and gave itself up may come back as a "
        "standby\n"
        "\n"
        "[[subcluster]]\n"
        "name = \"antenna\"\n"
        "active = 4                # processors that hold a rank\n"
        "standby = 1               # processors that take over the rank of a lost one\n"
        "io = 1                    # processors that pass data in and out\n"
        "minimum = 2               # with fewer ranks held it is down\n"
        "hosts = [\"node0\", \"node1\"]  # whose processors it takes\n"
        "units = 2                 # of each host\n"
        "restarts = { count = 3, within_s = 60 }  # more takeovers: ranks are given up\n"
        "dedicated_master = false  # one more processor, which is master alone\n"
        "\n"
        "[[subcluster]]\n"
        "name = \"filter\"\n"
        "active = 4\n"
        "standby = 1\n"
        "io = 1\n"
        "minimum = 2\n"
        "restarts = { count = 3, within_s = 60 }\n"
        "dedicated_master = true\n";
    const QByteArray text = QByteArray::fromStdString(topologyFileText(topology));
    QVERIFY2(text == expected, text);
}

void TestTopologyFile::filesThatCannotBeRead()
{
    const QTemporaryDir folder;
    const auto tellOf = [&](const char* name) {
        const auto reading = readTopologyFile(folder.filePath(name).toStdString());
        return reading.topology ? QString() : told(reading.diagnostics);
    };
    QVERIFY2(tellOf("none.toml")
                 .endsWith("none.toml: error: cannot read it: No such file or "
                           "directory; name a topology file"),
             qPrintable(tellOf("none.toml")));
    QVERIFY2(tellOf(".").contains("error: cannot read it: Is a directory; name"),
             qPrintable(tellOf(".")));
    QFile large(folder.filePath("large.toml"));
    QVERIFY(large.open(QIODevice::WriteOnly) && large.resize(largestTopologyFile + 1));
    QVERIFY2(tellOf("large.toml")
                 .endsWith("large.toml: error: it is larger than 16 MiB; name a "
                           "topology file"),
             qPrintable(tellOf("large.toml")));
    QFile closed(folder.filePath("closed.toml"));
    QVERIFY(closed.open(QIODevice::WriteOnly) && closed.setPermissions({}));
    if (::geteuid() != 0)
        QVERIFY2(tellOf("closed.toml").contains("cannot read it: Permission denied"),
                 qPrintable(tellOf("closed.toml")));
}

void TestTopologyFile::writesWholeOrNotAtAll()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath("t.toml").toStdString();
    const Topology topology = twoStages();
    QVERIFY(writeTopologyFile(path, topology));
    QVERIFY(*readTopologyFile(path).topology == topology);
    QVERIFY(!writeTopologyFile(folder.path().toStdString(), topology));
    QVERIFY(!writeTopologyFile(folder.filePath("none/t.toml").toStdString(), topology));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"t.toml"});
}

void TestTopologyFile::examplesAreRight()
{
    const QDir examples(TASUKI_TOPOLOGIES);
    const QStringList names = examples.entryList({"*.toml"}, QDir::Files);
    QVERIFY(names.size() >= 3);
    for (const QString& name : names) {
        const auto reading = readTopologyFile(examples.filePath(name).toStdString());
        QVERIFY2(reading.topology && reading.diagnostics.empty(),
                 qPrintable(told(reading.diagnostics)));
        const auto laidOut = layOut(*reading.topology, exampleHosts(*reading.topology),
                                    reading.places);
        QVERIFY2(laidOut.layout && laidOut.diagnostics.empty(),
                 qPrintable(told(laidOut.diagnostics)));
    }
}

QTEST_APPLESS_MAIN(TestTopologyFile)

} // namespace tst_topologyfile

#include "tst_topologyfile.moc"
