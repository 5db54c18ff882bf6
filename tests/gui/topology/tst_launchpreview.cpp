// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "sampletopology.h"
#include "topology/launchpreview.h"

namespace tst_launchpreview {

using namespace tasuki;
using namespace tasuki::testing;
using config::Topology;
using config::TopologyField;

/// What breaks it: a launch that is read as another, a problem that points to the wrong cell, rows
/// that are not what the agent makes of the topology.
class TestLaunchPreview : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsLaunches();
    void refusesLaunches_data();
    void refusesLaunches();
    void dealsProcessors();
    void saysWhichCellDoesNotFit();
    void hasNoLayoutOfAWrongTopology();
    void saysNumbersInFewWords();
};

void TestLaunchPreview::readsLaunches()
{
    const Topology topology = sampleTopology();
    QCOMPARE(readLaunch(QString(), topology).hosts, config::exampleHosts(topology));
    QCOMPARE(readLaunch(QStringLiteral(" 3 "), topology).hosts,
             (std::vector<std::string>{"node0", "node0", "node0"}));
    const std::vector<std::string> more = readLaunch(QStringLiteral("14"), topology).hosts;
    QCOMPARE(more.size(), std::size_t{14});
    QCOMPARE(more.back(), more[11]);
    QCOMPARE(readLaunch(QStringLiteral("a:2, b;c:1"), topology).hosts,
             (std::vector<std::string>{"a", "a", "b", "c"}));
    QVERIFY(readLaunch(QStringLiteral("a:2"), topology).problem.isEmpty());
}

void TestLaunchPreview::refusesLaunches_data()
{
    QTest::addColumn<QString>("text");
    for (const char* text :
         {"0", "a:", "a:0", "a:-1", ":4", "a:b", "20001", "a:20000, b:1", "a:99999999999"})
        QTest::newRow(text) << QString::fromLatin1(text);
}

void TestLaunchPreview::refusesLaunches()
{
    QFETCH(QString, text);
    const LaunchReading reading = readLaunch(text, sampleTopology());
    QVERIFY(!reading.problem.isEmpty());
    QVERIFY(reading.hosts.empty());
}

void TestLaunchPreview::dealsProcessors()
{
    const LaunchPreview preview = previewLaunch(sampleTopology(), QString());
    QVERIFY(preview.layout && preview.problems.empty());
    QCOMPARE(preview.processors, std::size_t{12});
    const TextTable units = unitTable(*preview.layout);
    QCOMPARE(units.rows.size(), std::size_t{3});
    QCOMPARE(
        units.rows[0],
        (QStringList{QStringLiteral("node0/1"), QStringLiteral("antenna"), QStringLiteral("node0"),
                     QStringLiteral("3"), QStringLiteral("0"), QStringLiteral("0-2")}));
    const TextTable processors = processorTable(*preview.layout);
    QCOMPARE(processors.rows.size(), std::size_t{12});
    for (const QStringList& row : processors.rows)
        QCOMPARE(row.size(), processors.titles.size());
    // I/O processors come first, and are masters.
    QCOMPARE(processors.rows[0].mid(4),
             (QStringList{QStringLiteral("I/O"), QString(),
                          QStringLiteral("system, subcluster, unit")}));
    QCOMPARE(processors.rows[1].mid(4, 2),
             (QStringList{QStringLiteral("active"), QStringLiteral("0")}));
}

void TestLaunchPreview::saysWhichCellDoesNotFit()
{
    const Topology topology = sampleTopology();
    const LaunchPreview few = previewLaunch(topology, QStringLiteral("10"));
    QVERIFY(!few.layout);
    QCOMPARE(few.problems.size(), std::size_t{1});
    QVERIFY(few.problems[0].text.contains(QStringLiteral("needs 12 processors")));
    QCOMPARE(few.problems[0].place.subcluster, std::optional<std::size_t>(0));

    const LaunchPreview unknown = previewLaunch(topology, QStringLiteral("a:6, b:6"));
    QVERIFY(!unknown.layout);
    QVERIFY(unknown.problems[0].text.contains(QStringLiteral("\"node0\"")));
    QVERIFY((unknown.problems[0].place == TopologyPlace{0, TopologyField::Hosts}));

    Topology second = topology;
    second.subclusters[1].hosts = {"node1", "node2"};
    const LaunchPreview units = previewLaunch(second, QStringLiteral("node0:6, node1:6, node2:0"));
    QVERIFY(!units.layout);
    const LaunchPreview unused = previewLaunch(second, QStringLiteral("node0:6 node1:6 node2"));
    QVERIFY(!unused.layout);
    second.subclusters[1].units = 3;
    const LaunchPreview tooFew = previewLaunch(second, QStringLiteral("node0:6 node1:4 node2:2"));
    QVERIFY(!tooFew.layout);
    QVERIFY((tooFew.problems[0].place == TopologyPlace{1, TopologyField::Units}));
}

void TestLaunchPreview::hasNoLayoutOfAWrongTopology()
{
    Topology topology = sampleTopology();
    topology.subclusters[0].minimum = 9;
    const LaunchPreview preview = previewLaunch(topology, QString());
    QVERIFY(!preview.layout && preview.problems.empty());
    QVERIFY(!previewLaunch({}, QString()).layout);
    Topology large = sampleTopology();
    large.subclusters[0].active = 100'000;
    const LaunchPreview tooMany = previewLaunch(large, QString());
    QVERIFY(!tooMany.layout);
    QCOMPARE(tooMany.problems.size(), std::size_t{1});
    QCOMPARE(tooMany.problems[0].severity, Severity::Information);
}

void TestLaunchPreview::saysNumbersInFewWords()
{
    const auto text = [](std::initializer_list<std::uint32_t> numbers) {
        std::vector<ProcessorId> processors;
        for (const std::uint32_t number : numbers)
            processors.emplace_back(number);
        return rangesText(processors);
    };
    QCOMPARE(text({}), QString());
    QCOMPARE(text({4}), QStringLiteral("4"));
    QCOMPARE(text({0, 1, 2, 4, 7, 8}), QStringLiteral("0-2, 4, 7-8"));
}

QTEST_APPLESS_MAIN(TestLaunchPreview)

} // namespace tst_launchpreview

#include "tst_launchpreview.moc"
