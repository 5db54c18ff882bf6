// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/topologytext.h"
#include "topologytesting.h"

#include <QTest>

namespace tst_topologytext {

using namespace tasuki;
using namespace tasuki::config;
using namespace tasuki::testing;

namespace {

QByteArray drawn(const Topology& topology, const std::vector<std::string>& hosts, LineStyle style)
{
    const LayoutReading reading = layOut(topology, hosts);
    return reading.layout ? QByteArray::fromStdString(drawLayout(*reading.layout, style))
                          : told(reading.diagnostics).toUtf8();
}

} // namespace

class TestTopologyText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void twelveProcessors();
    void ascii();
    void wideNames();
    void summary();
};

void TestTopologyText::twelveProcessors()
{
    const QByteArray expected = "system         kind     rank  host   master of\n"
                                "├─ antenna\n"
                                "│  ├─ node0/1\n"
                                "│  │  ├─ 0     I/O         -  node0  system, subcluster, unit\n"
                                "│  │  ├─ 1     active      0  node0\n"
                                "│  │  └─ 2     active      1  node0\n"
                                "│  └─ node0/2\n"
                                "│     ├─ 3     active      2  node0  unit\n"
                                "│     ├─ 4     active      3  node0\n"
                                "│     └─ 5     standby     -  node0\n"
                                "└─ filter\n"
                                "   ├─ node0/1\n"
                                "   │  ├─ 6     I/O         -  node0  subcluster, unit\n"
                                "   │  ├─ 7     active      0  node0\n"
                                "   │  └─ 8     active      1  node0\n"
                                "   └─ node0/2\n"
                                "      ├─ 9     active      2  node0  unit\n"
                                "      ├─ 10    active      3  node0\n"
                                "      └─ 11    standby     -  node0\n";
    const QByteArray text = drawn(twoStages(), std::vector<std::string>(12, "node0"),
                                  LineStyle::Box);
    QVERIFY2(text == expected, text);
}

void TestTopologyText::ascii()
{
    const QByteArray expected = "system      kind    rank  host  master of\n"
                                "`- system\n"
                                "   |- x\n"
                                "   |  |- 0  master     -  x     system, subcluster, unit\n"
                                "   |  `- 2  active     1  x\n"
                                "   `- y\n"
                                "      `- 1  active     0  y     unit\n";
    const QByteArray text = drawn(defaultTopology(3, true), {"x", "y", "x"}, LineStyle::Ascii);
    QVERIFY2(text == expected, text);
}

void TestTopologyText::wideNames()
{
    const QByteArray expected = "system      kind    rank  host  master of\n"
                                "└─ system\n"
                                "   ├─ é\n"
                                "   │  └─ 0  active     0  é     system, subcluster, unit\n"
                                "   └─ xyz\n"
                                "      └─ 1  active     1  xyz   unit\n";
    const QByteArray text = drawn(defaultTopology(2, false), {"é", "xyz"}, LineStyle::Box);
    QVERIFY2(text == expected, text);
}

void TestTopologyText::summary()
{
    Topology topology = twoStages();
    topology.subclusters[0].hosts = {"node0", "node1"};
    topology.subclusters[1] = {.name = "filter", .active = 1, .minimum = 0};
    topology.subclusters[1].dedicatedMaster = true;
    topology.policy = DownPolicy::Stop;
    topology.rejoin = false;
    const QByteArray text = QByteArray::fromStdString(topologySummary(topology));
    QVERIFY2(text
                 == "8 processors in 2 subclusters\n"
                    "heartbeat 100 ms; suspect after 3 heartbeats (300 ms), lost after 10 "
                    "heartbeats (1000 ms); when a subcluster is down: stop; who was cut off does "
                    "not come back\n"
                    "antenna: 4 active, 1 standby, 1 I/O; down below 2; at most 3 takeovers in 60 "
                    "s; 2 units a host; hosts node0, node1\n"
                    "filter: 1 active, 1 dedicated master; never down; at most 3 takeovers in 60 "
                    "s\n",
             text);
    QVERIFY(
        topologySummary(defaultTopology(1, false)).starts_with("1 processor in 1 subcluster\n"));
}

QTEST_APPLESS_MAIN(TestTopologyText)

} // namespace tst_topologytext

#include "tst_topologytext.moc"
