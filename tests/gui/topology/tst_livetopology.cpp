// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "sampletopology.h"
#include "topology/livetopology.h"

namespace tst_livetopology {

using namespace tasuki;
using namespace tasuki::testing;
using config::Topology;
using config::TopologyField;

namespace {

constexpr TopologyPlace minimum{.subcluster = 0, .field = TopologyField::Minimum};
constexpr TopologyPlace heartbeat{.subcluster = {}, .field = TopologyField::HeartbeatMs};

} // namespace

/// The topology of a running system beside how it runs.
/// What breaks it: an edit that counts as what runs, something that others say and nobody sees.
class TestLiveTopology : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_steps.clear();
        m_live = std::make_unique<LiveTopology>(m_steps);
        m_live->follow(sampleTopology(), sampleTopology());
    }
    void beginsWithHowItRuns();
    void knowsWhatIsEdited();
    void followsAsAStep();
    void takesWhatRuns();
    void tellsWhatOthersSay();

private:
    QUndoStack m_steps;
    std::unique_ptr<LiveTopology> m_live;
};

void TestLiveTopology::beginsWithHowItRuns()
{
    QVERIFY(m_live->isOfRunningSystem() && m_live->isClean());
    QVERIFY(m_live->topology() == sampleTopology());
    QCOMPARE(m_steps.count(), 0);
    QVERIFY(m_live->fixedReason(TopologyField::Minimum).isEmpty());
    QVERIFY(!m_live->fixedReason(TopologyField::Active).isEmpty());
    QVERIFY(!m_live->hasRoom() && !m_live->addSubcluster());
}

void TestLiveTopology::knowsWhatIsEdited()
{
    QVERIFY(!m_live->runningText(minimum));
    QVERIFY(!m_live->setCells({{0, TopologyField::Minimum, QStringLiteral("3")}}));
    QVERIFY(m_live->isEdited(minimum) && !m_live->isEdited(heartbeat) && !m_live->isClean());
    QCOMPARE(m_live->runningText(minimum), std::optional(QStringLiteral("2")));
    QCOMPARE(m_live->changes().size(), std::size_t{1});
    QVERIFY(!m_live->knownText({.subcluster = 9, .field = TopologyField::Minimum}));
    m_steps.undo();
    QVERIFY(m_live->isClean() && !m_live->runningText(minimum));
}

void TestLiveTopology::followsAsAStep()
{
    Topology theirs = sampleTopology();
    theirs.heartbeat = std::chrono::milliseconds(500);
    QSignalSpy reset(m_live.get(), &EditedTopology::reset);
    m_live->follow(theirs, theirs);
    QVERIFY(m_live->isClean() && reset.isEmpty());
    QCOMPARE(m_steps.count(), 1);
    theirs.subclusters.pop_back(); // other rows
    m_live->follow(theirs, theirs);
    QCOMPARE(reset.size(), 1);
    m_steps.setIndex(0);
    QVERIFY(m_live->topology() == sampleTopology());
    QVERIFY(m_live->known() == theirs && !m_live->isClean());
}

void TestLiveTopology::takesWhatRuns()
{
    QVERIFY(!m_live->setCells({{0, TopologyField::Minimum, QStringLiteral("3")}}));
    QCOMPARE(m_live->setSystem(TopologyField::HeartbeatMs, QStringLiteral("50")), QString());
    m_live->takeKnown({minimum});
    QVERIFY(!m_live->isEdited(minimum) && m_live->isEdited(heartbeat));
    m_live->takeKnown({minimum, heartbeat});
    QVERIFY(m_live->isClean());
    QCOMPARE(m_steps.count(), 4);
    m_steps.undo();
    QVERIFY(m_live->isEdited(heartbeat));
}

void TestLiveTopology::tellsWhatOthersSay()
{
    QSignalSpy marks(m_live.get(), &EditedTopology::marksChanged);
    m_live->setObjections({{.place = minimum, .text = QStringLiteral("refused")}});
    m_live->setObjections({{.place = minimum, .text = QStringLiteral("refused")}});
    QCOMPARE(marks.size(), 1);
    QCOMPARE(m_live->faultAt(minimum), QStringLiteral("refused"));
    QCOMPARE(m_live->faultAt(heartbeat), QString());
    // What is wrong by itself comes first.
    Topology wrong = sampleTopology();
    wrong.subclusters[0].minimum = 9;
    m_live->follow(sampleTopology(), wrong);
    QVERIFY(m_live->faultAt(minimum).contains(QStringLiteral("minimum is 9")));
}

QTEST_GUILESS_MAIN(TestLiveTopology)

} // namespace tst_livetopology

#include "tst_livetopology.moc"
