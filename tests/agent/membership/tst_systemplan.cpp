// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>

#include "config/topologyfile.h"
#include "domain/systemstate.h"
#include "membership/briefing.h"
#include "membership/layoutevent.h"
#include "membership/systemplan.h"

namespace tst_systemplan {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

const std::string twoNodes = "[[subcluster]]\nname = \"a\"\nactive = 2\nstandby = 1\nio = 1\n"
                             "hosts = [\"n0\"]\n[[subcluster]]\nname = \"b\"\nactive = 2\n";
const std::vector<std::string> sixOnTwo{"n0", "n0", "n0", "n0", "n1", "n1"};

control::ControlAddress addressOf(std::uint32_t number)
{
    return {.processor = ProcessorId(number),
            .hosts = {"127.0.0.1", "::1"},
            .udpPort = 65'535,
            .tcpPort = 1,
            .hostKey = std::string("boot \0 \xff", 8),
            .pid = 4'000'000'000 + number,
            .processStart = ~std::uint64_t{0}};
}

} // namespace

/// What the processors of a launch agree on before they work.
class TestSystemPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutATopology();
    void silenceWithoutATopology_data();
    void silenceWithoutATopology();
    void fromAFile();
    void faultsNameTheFile();
    void sharesOfHosts();
    void layoutIsRecorded();
    void briefingsComeBack();
    void addressesComeBack();
};

void TestSystemPlan::withoutATopology()
{
    const SystemPlanning planning = planSystem(PlainSystem{.dedicatedMaster = true}, sixOnTwo);
    QVERIFY(planning.plan && planning.diagnostics.empty());
    QCOMPARE(planning.plan->layout.subclusters.size(), std::size_t(1));
    QCOMPARE(planning.plan->layout.units.size(), std::size_t(2)); // one a host
    QCOMPARE(planning.plan->layout.of(ProcessorId(0)).kind, ProcessorKind::DedicatedMaster);
    QCOMPARE(planning.plan->layout.of(ProcessorId(1)).seat, SeatId(0));
    QCOMPARE(planning.plan->topology.heartbeat, 100ms);
}

void TestSystemPlan::silenceWithoutATopology_data()
{
    QTest::addColumn<int>("lostAfterMs");
    QTest::addColumn<int>("heartbeatMs");
    QTest::newRow("3 s") << 3'000 << 300;
    QTest::newRow("shortest") << 100 << 10;
    QTest::newRow("shorter than any") << 20 << 10;
    QTest::newRow("longer than any") << 1'000'000 << 10'000;
}

void TestSystemPlan::silenceWithoutATopology()
{
    QFETCH(int, lostAfterMs);
    QFETCH(int, heartbeatMs);
    const SystemPlanning planning = planSystem(
        PlainSystem{.lostAfter = std::chrono::milliseconds(lostAfterMs)}, sixOnTwo);
    QVERIFY(planning.plan);
    QCOMPARE(planning.plan->topology.heartbeat.count(), std::int64_t(heartbeatMs));
}

void TestSystemPlan::fromAFile()
{
    const QTemporaryDir directory;
    const std::string path = directory.filePath(QStringLiteral("t.toml")).toStdString();
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(twoNodes.c_str());
    file.close();
    const SystemPlanning planning = planSystem(path, sixOnTwo);
    QVERIFY(planning.plan);
    QCOMPARE(planning.plan->topologyFile, path);
    // Who reads what the first has read deals the same.
    const SystemPlanning again = planSystemText(config::topologyFileText(planning.plan->topology),
                                                path, sixOnTwo);
    QVERIFY(again.plan);
    QCOMPARE(again.plan->layout, planning.plan->layout);
    QCOMPARE(again.plan->topology, planning.plan->topology);
}

void TestSystemPlan::faultsNameTheFile()
{
    const SystemPlanning wrong = planSystemText("[[subcluster]]\nnam = \"a\"\n", "t.toml",
                                                sixOnTwo);
    QVERIFY(!wrong.plan && !wrong.diagnostics.empty());
    QVERIFY(wrong.diagnostics.front().text().starts_with("t.toml:"));
    const SystemPlanning few = planSystemText(twoNodes, "t.toml", {"n0", "n0"});
    QVERIFY(!few.plan && !few.diagnostics.empty());
    QVERIFY(few.diagnostics.front().text().starts_with("t.toml"));
    const SystemPlanning none = planSystem(std::string("/nowhere/t.toml"), sixOnTwo);
    QVERIFY(!none.plan && none.diagnostics.front().isError());
}

void TestSystemPlan::sharesOfHosts()
{
    const SystemPlanning planning = planSystemText(twoNodes, "t.toml", sixOnTwo);
    QVERIFY(planning.plan);
    const auto share = [&](std::uint32_t number) {
        const HostShare made = hostShare(*planning.plan, ProcessorId(number));
        return std::pair(made.ranks, made.index);
    };
    using Share = std::pair<std::size_t, std::size_t>;
    QCOMPARE(share(1), Share(2, 0)); // 0 is I/O
    QCOMPARE(share(2), Share(2, 1));
    QCOMPARE(share(0), Share(2, 1)); // takes the least
    QCOMPARE(share(3), Share(2, 1));
    QCOMPARE(share(4), Share(2, 0));
    QCOMPARE(share(5), Share(2, 1));
}

void TestSystemPlan::layoutIsRecorded()
{
    const SystemPlanning planning = planSystemText(twoNodes, "t.toml", sixOnTwo);
    std::vector<control::ControlAddress> addresses;
    for (std::uint32_t number = 0; number < sixOnTwo.size(); ++number)
        addresses.push_back(addressOf(number));
    const SystemLaidOut event = layoutEvent(*planning.plan, addresses);
    SystemState state;
    QVERIFY(state.apply({.id = {Epoch(1), Sequence(2)}, .at = {}}, event).ok());
    QCOMPARE(state.subclusters().size(), std::size_t(2));
    QCOMPARE(state.units().size(), std::size_t(2));
    QCOMPARE(state.find(ProcessorId(5))->info.pid, addressOf(5).pid);
    QCOMPARE(state.find(ProcessorId(5))->info.host, std::string("n1"));
    QCOMPARE(state.find(SeatId(3))->holder, ProcessorId(5));
    QCOMPARE(seatName(state, SeatId(3)), std::string("b rank 1"));
    QCOMPARE(event.topologyFile, std::string("t.toml"));
    QVERIFY(event.topologyText.find("standby = 1") != std::string::npos);
}

void TestSystemPlan::briefingsComeBack()
{
    Briefing briefing{.epoch = Epoch(7),
                      .key = control::randomRunKey(),
                      .topologyFile = "caf\xe9.toml",
                      .topologyText = twoNodes,
                      .run = RunId::random(),
                      .runFile = "/data/caf\xe9.tasuki",
                      .directory = "/home/\xff",
                      .endsAt = WallTime(std::chrono::microseconds(1'700'000'000'123'456))};
    const std::string bytes = encode(briefing);
    const Result<Briefing> back = decodeBriefing(bytes);
    QVERIFY(back.ok());
    QCOMPARE(*back, briefing);
    for (const std::string& wrong : {std::string(), std::string("x"), bytes.substr(0, 20)})
        QCOMPARE(decodeBriefing(wrong).error().kind, ErrorKind::Protocol);
}

void TestSystemPlan::addressesComeBack()
{
    const Result<control::ControlAddress> back = decodeAddress(encode(addressOf(3)));
    QVERIFY(back.ok());
    QCOMPARE(*back, addressOf(3));
    control::ControlAddress nowhere = addressOf(3);
    nowhere.hosts.clear();
    for (const std::string& wrong : {std::string(), std::string("\xff\xff"), encode(nowhere)})
        QCOMPARE(decodeAddress(wrong).error().kind, ErrorKind::Protocol);
}

QTEST_APPLESS_MAIN(TestSystemPlan)

} // namespace tst_systemplan

#include "tst_systemplan.moc"
