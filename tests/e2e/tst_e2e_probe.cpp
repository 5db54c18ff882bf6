// SPDX-License-Identifier: GPL-3.0-or-later
//
// Nodes and links measured under the installed mpirun. What breaks each test stands above it. No
// figure is held against a time that this computer should reach: it may be busy.
#include "agentprocess.h"
#include "workspace.h"

#include "plan/environmentfile.h"

#include <QTest>
#include <csignal>

namespace tst_e2e_probe {

using namespace tasuki;
using namespace tasuki::testing;
using namespace std::chrono_literals;

namespace {

/// Few messages: on a busy computer each can take several milliseconds.
const QStringList shortly{"--repetitions", "12", "--speed-seconds", "0.2"};
constexpr auto patience = 120s;

QByteArrayList linesOf(const QByteArray& text)
{
    QByteArrayList lines = text.split('\n');
    lines.removeAll(QByteArray());
    return lines;
}

/// More than nothing, and less than a computer of today takes by orders of magnitude.
bool plausible(const plan::LinkSpec& link)
{
    return link.a0Us > 0 && link.a0Us < 1e5 && link.a1UsPerByte > 0 && link.a1UsPerByte < 10
        && link.a0Confidence && link.a1Confidence;
}

/// Whether a figure of a link is 0 for want of anything better, and the agent said which.
bool admitsZero(const QByteArray& said, const plan::LinkSpec& link, const std::string& node)
{
    const bool zero = link.a0Us == 0 || link.a1UsPerByte == 0;
    if (!zero || link.a0Us < 0 || link.a0Us >= 1e5 || link.a1UsPerByte < 0
        || link.a1UsPerByte >= 10)
        return false;
    const QByteArray figure = link.a0Us == 0 ? "a0" : "a1";
    for (const QByteArray& line : said.split('\n')) {
        if (line.contains("link ") && line.contains(node.c_str())
            && line.contains(figure + " could not be told from 0"))
            return true;
    }
    return false;
}

plan::EnvironmentReading environmentIn(const Workspace& place, const QString& name)
{
    return plan::readEnvironmentFile(place.path(name).toStdString());
}

} // namespace

class TestProbe : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneHost();
    void figuresArePlausible();
    void ranksAsNodes_data();
    void ranksAsNodes();
    void toStandardOutput();
    void withoutLauncher();
    void wrongOptions_data();
    void wrongOptions();
    void unwritablePlaces_data();
    void unwritablePlaces();
    void interrupt_data();
    void interrupt();
};

// Fails if the two ranks of a host are taken for two nodes, the file does not read back, a figure is
// missing in the table, or a measurement in the list of all.
void TestProbe::oneHost()
{
    const Workspace place;
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Mpirun, 2,
                       QStringList{"probe", "-o", "env.toml", "--csv", "all.csv"} + shortly, {},
                       patience)
                 == 0,
             agent.story());
    const auto reading = environmentIn(place, "env.toml");
    QVERIFY2(reading.environment && reading.diagnostics.empty(), place.read("env.toml"));
    const plan::Environment& environment = *reading.environment;
    QCOMPARE(environment.nodes.size(), 1U);
    QCOMPARE(environment.nodes[0].slots, 2U);
    QCOMPARE(environment.nodes[0].speed, 1.0);
    const QByteArray node = QByteArray::fromStdString(environment.nodes[0].name);
    QVERIFY2(agent.standardOutput().contains("inside " + node), agent.story());
    QVERIFY2(agent.standardOutput().contains("1 (reference)"), agent.story());

    const auto rows = linesOf(place.read("all.csv"));
    QCOMPARE(rows.front(), QByteArray("what,node,peer,rank,round,bytes,repetitions,us"));
    std::map<int, int> repetitions;
    int works = 0;
    for (const QByteArray& row : rows.mid(1)) {
        const auto cells = row.split(',');
        QCOMPARE(cells.size(), 8);
        QVERIFY2(cells[7].toDouble() > 0, row);
        works += cells[0] == "work" ? 1 : 0;
        if (cells[0] == "message")
            repetitions[cells[5].toInt()] += cells[6].toInt();
    }
    QVERIFY(works >= 14); // seven of each rank at least
    QCOMPARE(repetitions.size(), 51U);
    QCOMPARE(repetitions[0], 12);
    QCOMPARE(repetitions[1000], 12);
    QCOMPARE(repetitions[1 << 20], 3);
    QVERIFY2(agent.remainder(2s).empty(), describeAll(agent.allProcesses()));
}

// Fails if a0 or a1 are nothing, or off by orders of magnitude. A computer that is busy at the moment
// gets another chance.
void TestProbe::figuresArePlausible()
{
    constexpr int chances = 3;
    const Workspace place;
    bool good = false;
    for (int chance = 0; chance < chances && !good; ++chance) {
        AgentProcess agent(place);
        QVERIFY2(
            agent.run(Start::Mpirun, 2,
                      {"probe", "-o", "env.toml", "--repetitions", "40", "--speed-seconds", "0.1"},
                      {}, patience)
                == 0,
            agent.story());
        good = plausible(environmentIn(place, "env.toml").environment->linkInside);
    }
    QVERIFY2(good, place.read("env.toml"));
}

void TestProbe::ranksAsNodes_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::newRow("one after the other") << QStringList{"--one-by-one"};
    QTest::newRow("at once") << QStringList{"--parallel"};
    QTest::newRow("small messages") << QStringList{"--largest", "1000"};
}

// Fails if a pair is left out or measured by the wrong ranks, or a rank hangs waiting for another.
void TestProbe::ranksAsNodes()
{
    QFETCH(QStringList, options);
    const Workspace place;
    AgentProcess agent(place);
    QVERIFY2(
        agent.run(Start::Mpirun, 4,
                  QStringList{"probe", "-o", "env.toml", "--ranks-as-nodes"} + shortly + options,
                  {}, patience)
            == 0,
        agent.story());
    const auto reading = environmentIn(place, "env.toml");
    QVERIFY2(reading.environment && reading.diagnostics.empty(), place.read("env.toml"));
    const plan::Environment& environment = *reading.environment;
    QCOMPARE(environment.nodes.size(), 4U);
    int references = 0;
    for (std::uint32_t a = 0; a < 4; ++a) {
        const plan::NodeSpec& node = environment.nodes[a];
        QVERIFY2(QByteArray::fromStdString(node.name).endsWith('-' + QByteArray::number(a)),
                 node.name.c_str());
        QCOMPARE(node.slots, 1U);
        QVERIFY(node.speed > 0.01 && node.speed <= 1.0);
        references += node.speed == 1.0 && !node.speedConfidence ? 1 : 0;
        for (std::uint32_t b = 0; b < a; ++b) {
            const plan::LinkSpec& link = environment.link(plan::Node(a), plan::Node(b));
            QVERIFY(environment.links[environment.indexOf(plan::Node(a), plan::Node(b))]);
            QVERIFY(link == environment.link(plan::Node(b), plan::Node(a)));
            // Small messages alone tell little of a1, and ranks that share busy cores little of
            // either; then it says of that link so.
            QVERIFY2(plausible(link) || admitsZero(agent.standardError(), link, node.name),
                     place.read("env.toml"));
        }
    }
    QCOMPARE(references, 1);
    QVERIFY2(agent.remainder(2s).empty(), describeAll(agent.allProcesses()));
}

// Fails if tables are mixed into the file.
void TestProbe::toStandardOutput()
{
    const Workspace place;
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Mpirun, 2, QStringList{"probe", "-o", "-"} + shortly, {}, patience)
                 == 0,
             agent.story());
    const auto reading = plan::readEnvironmentText(agent.standardOutput().toStdString(), "stdout");
    QVERIFY2(reading.environment && reading.diagnostics.empty(), agent.story());
    QVERIFY2(agent.standardError().contains("R^2"), agent.story());
    QCOMPARE(place.count("*"), 0);
}

void TestProbe::withoutLauncher()
{
    const Workspace place;
    AgentProcess agent(place);
    QVERIFY2(
        agent.run(Start::Alone, 0, {"probe", "-o", "env.toml", "--quiet", "--speed-seconds", "0.1"})
            == 0,
        agent.story());
    QVERIFY2(environmentIn(place, "env.toml").environment, place.read("env.toml"));
    QVERIFY2(agent.standardOutput().isEmpty(), agent.story());
    QVERIFY2(agent.standardError().contains("all ranks are on one node"), agent.story());
}

void TestProbe::wrongOptions_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("unknown") << QStringList{"--repetitoins", "3"} << QByteArray("--repetitoins");
    QTest::newRow("no number") << QStringList{"--largest", "1 MB"}
                               << QByteArray("--largest '1 MB'");
    QTest::newRow("no such node") << QStringList{"--reference", "nobody-here"}
                                  << QByteArray("--reference 'nobody-here' is no node here");
}

// Fails if every rank tells the error, or if something is written in spite of it.
void TestProbe::wrongOptions()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, expected);
    const Workspace place;
    AgentProcess agent(place);
    QVERIFY2(
        agent.run(Start::Mpirun, 3, QStringList{"probe", "-o", "env.toml"} + arguments, {}, 20s)
            == 2,
        agent.story());
    const auto lines = linesOf(agent.ownError());
    QVERIFY2(lines.size() == 1 && lines.front().contains(expected), agent.story());
    QCOMPARE(place.count("*"), 0);
    AgentProcess alone(place);
    QCOMPARE(alone.run(Start::Alone, 0, QStringList{"probe", "-o", "env.toml"} + arguments), 2);
    QVERIFY2(agent.remainder(2s).empty(), describeAll(agent.allProcesses()));
}

void TestProbe::unwritablePlaces_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("no folder") << QStringList{"-o", "none/env.toml"}
                               << QByteArray("cannot write none/env.toml: No such file");
    QTest::newRow("a folder") << QStringList{"-o", "."} << QByteArray("cannot write .: Is a dir");
    QTest::newRow("a device") << QStringList{"-o", "/dev/null"}
                              << QByteArray("/dev/null is no regular file");
    QTest::newRow("list") << QStringList{"-o", "env.toml", "--csv", "none/all.csv"}
                          << QByteArray("cannot write none/all.csv: No such file");
}

// Fails if it measures first and complains afterwards, or if the old file is gone.
void TestProbe::unwritablePlaces()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, expected);
    const Workspace place;
    place.write("env.toml", "old");
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Mpirun, 2, QStringList{"probe", "--speed-seconds", "30"} + arguments,
                       {}, 20s)
                 == 3,
             agent.story());
    const auto lines = linesOf(agent.ownError());
    QVERIFY2(lines.size() == 1 && lines.front().contains(expected), agent.story());
    QCOMPARE(place.read("env.toml"), QByteArray("old"));
    QCOMPARE(place.count("*"), 1);
    AgentProcess alone(place);
    QCOMPARE(alone.run(Start::Alone, 0, QStringList{"probe"} + arguments), 3);
}

void TestProbe::interrupt_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("meanwhile");
    QTest::newRow("while it computes")
        << QStringList{"--speed-seconds", "100"} << QByteArray("speed of");
    QTest::newRow("while messages travel")
        << QStringList{"--speed-seconds", "0.2", "--repetitions", "1000000"}
        << QByteArray("probe: link ");
}

// Fails if Ctrl-C is taken no notice of, leaves a half-written or another temporary file, replaces the
// old one, or leaves ranks behind.
void TestProbe::interrupt()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, meanwhile);
    const Workspace place;
    place.write("env.toml", "old");
    AgentProcess agent(place);
    agent.start(Start::Mpirun, 3,
                QStringList{"probe", "-o", "env.toml", "--csv", "all.csv", "--ranks-as-nodes"}
                    + options);
    QTRY_VERIFY2_WITH_TIMEOUT(agent.standardError().contains(meanwhile), agent.story(), 90'000);
    QVERIFY(kill(agent.pid(), SIGINT) == 0);
    QVERIFY2(agent.finish(20s) && agent.exitCode() != 0, agent.story());
    QCOMPARE(place.read("env.toml"), QByteArray("old"));
    QCOMPARE(place.count("*"), 1);
    QVERIFY2(agent.remainder(2s).empty(), describeAll(agent.allProcesses()));

    // Where no mpirun is in a hurry, it says what became of it.
    AgentProcess alone(place);
    alone.start(Start::Alone, 0, {"probe", "-o", "env.toml", "--speed-seconds", "100"});
    QTRY_VERIFY2_WITH_TIMEOUT(alone.standardError().contains("speed of"), alone.story(), 90'000);
    QVERIFY(kill(alone.pid(), SIGINT) == 0);
    QVERIFY2(alone.finish(20s), alone.story());
    QCOMPARE(alone.exitCode(), 4);
    QVERIFY2(alone.standardError().contains("probe: interrupted; nothing was written"),
             alone.story());
    QCOMPARE(place.read("env.toml"), QByteArray("old"));
    QCOMPARE(place.count("*"), 1);
}

QTEST_GUILESS_MAIN(TestProbe)

} // namespace tst_e2e_probe

#include "tst_e2e_probe.moc"
