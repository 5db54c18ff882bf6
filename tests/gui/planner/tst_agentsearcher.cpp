// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "gui/client/agentfixture.h"
#include "planner/agentsearcher.h"
#include "planner/plansession.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace tst_agentsearcher {

using namespace tasuki;
using namespace tasuki::planner;
using namespace tasuki::testing;

namespace {

/// The paper's Table 1.
const QByteArray paperLog = "155 1 0 1 0 1189\n"
                            "161 0 0 1 0 1335\n"
                            "-101 0 0 1 0 1 1395 0 7992\n"
                            "162 0 0 2 0 1 1575\n"
                            "-102 1 0 0 0 1 2158 0 7992\n"
                            "156 1 0 2 0 1 2198\n";

std::shared_ptr<const plan::Environment> twoNodes()
{
    auto environment = std::make_shared<plan::Environment>();
    environment->linkDefault = {.a0Us = 60.0, .a1UsPerByte = 0.08};
    environment->nodes = {{.name = "n0"}, {.name = "n1", .speed = 0.5}};
    return environment;
}

/// What an agent would find of it.
link::PlanFound foundOf(std::uint64_t number)
{
    return {.number = number,
            .tasks = 2,
            .timesUs = {2378.0, 3369.36},
            .nodes = {0, 1, 1, 0},
            .worstUs = 3369.36,
            .worstNodes = {1, 0},
            .sumUs = 5747.36,
            .tried = 2,
            .total = 2};
}

} // namespace

/// A session whose searches an agent does, which does as the test says. What breaks it: a trace that
/// arrives changed, results that are believed whatever they say, a loss that nobody is told of.
class TestAgentSearcher : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void sendsBothFilesInPieces();
    void showsWhatComes();
    void partsAreOneResult();
    void cancelledKeepsWhatWasFound();
    void cancelledWhileConnecting();
    void editEndsTheSearch();
    void agentRefuses();
    void losses_data();
    void losses();
    void nonsense_data();
    void nonsense();
    void traceThatHasChanged();
    void anotherPlanNumberIsNothing();
    void quickSearchesStayHere();
    void anotherPlaceEndsTheSearch();
    void closesWhileItSearches();

private:
    void startAgent(Manners manners = {});
    /// Opens the trace and begins a search with the agent.
    void begin();
    void searchAndAwaitPlan();
    template <class Message>
    void say(Message message)
    {
        message.number = m_number;
        m_agent->say(message);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeAgent> m_agent;
    std::unique_ptr<PlanSession> m_session;
    std::uint64_t m_number = 0; ///< of the plan that the agent was asked for
};

void TestAgentSearcher::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_session = std::make_unique<PlanSession>();
}

void TestAgentSearcher::cleanup()
{
    m_session.reset();
    m_agent.reset();
}

void TestAgentSearcher::startAgent(Manners manners)
{
    m_agent = std::make_unique<FakeAgent>(m_folder->path().toStdString(), RunId::random(), Epoch(1),
                                          manners);
}

void TestAgentSearcher::begin()
{
    const QString path = m_folder->filePath(QStringLiteral("paper.alog"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(paperLog) == paperLog.size());
    file.close();
    m_session->open(path);
    m_session->setEnvironment(twoNodes());
    QTRY_VERIFY(m_session->result().has_value());
    m_session->setSearcher(std::make_unique<AgentSearcher>(m_agent->access(), nullptr, quick));
    m_session->search();
    QCOMPARE(m_session->state(), PlanSession::State::Searching);
    QVERIFY(m_session->searchesElsewhere());
}

void TestAgentSearcher::searchAndAwaitPlan()
{
    begin();
    QTRY_VERIFY(!m_agent->said<link::PlanRequest>().empty());
    m_number = m_agent->said<link::PlanRequest>().back().number;
}

void TestAgentSearcher::sendsBothFilesInPieces()
{
    startAgent();
    searchAndAwaitPlan();
    const auto request = m_agent->said<link::PlanRequest>().back();
    QCOMPARE(request.model, link::PlanModel::Replay);
    QCOMPARE(request.keep, link::mostPlanKept);
    QCOMPARE(request.traceName, std::string("paper.alog"));
    QCOMPARE(request.traceBytes, static_cast<std::uint64_t>(paperLog.size()));
    std::string content;
    const auto arrived = [&] {
        content.clear();
        for (const auto& piece : m_agent->said<link::PlanPiece>()) {
            if (piece.number != m_number || piece.offset != content.size())
                return false;
            content += piece.content;
        }
        return content.size() == request.traceBytes + request.environmentBytes;
    };
    QTRY_VERIFY(arrived());
    QVERIFY(QByteArray::fromStdString(content).endsWith(paperLog));
    QVERIFY(content.find("name = \"n1\"") < request.environmentBytes);
    QTRY_COMPARE(m_session->progress().phase, SearchPhase::Sending);
    QCOMPARE(m_session->progress().tried, std::uint64_t(content.size()));
}

void TestAgentSearcher::showsWhatComes()
{
    startAgent();
    searchAndAwaitPlan();
    const link::PlanProgress waiting;
    say(waiting);
    QTRY_COMPARE(m_session->progress().phase, SearchPhase::Waiting);
    say(link::PlanProgress{
        .phase = link::PlanPhase::Searching, .tasks = 2, .records = 6, .tried = 1, .total = 2});
    QTRY_COMPARE(m_session->progress().phase, SearchPhase::Searching);
    QCOMPARE(m_session->progress().tried, std::uint64_t(1));
    auto partial = foundOf(0);
    partial.timesUs = {3369.36};
    partial.nodes = {1, 0};
    partial.sumUs = 3369.36;
    partial.tried = 1;
    say(partial);
    QTRY_VERIFY(m_session->result().has_value() && !m_session->result()->last);
    QCOMPARE(m_session->state(), PlanSession::State::Searching);
    QCOMPARE(m_session->result()->ranking.tried(), std::uint64_t(1));
    // Timelines of what was found so far can be looked at meanwhile.
    QSignalSpy timelines(m_session.get(), &PlanSession::timelineReady);
    m_session->select(m_session->result()->ranking.best().front().allocation);
    QTRY_COMPARE(timelines.size(), 1);
    say(foundOf(0));
    say(link::PlanEnded{
        .notes = {
            {.severity = Severity::Warning, .place = {}, .message = "a guess", .remedy = {}}}});
    QTRY_COMPARE(m_session->state(), PlanSession::State::Ready);
    const SearchResult& result = *m_session->result();
    QVERIFY(result.last);
    QCOMPARE(result.total, plan::AllocationCount(2));
    QCOMPARE(result.ranking.best()[0].timeUs, 2378.0);
    QCOMPARE(result.ranking.worst().timeUs, 3369.36);
    QCOMPARE(result.ranking.meanUs(), 5747.36 / 2);
    QCOMPARE(result.diagnostics.size(), std::size_t(1));
    QVERIFY(m_session->failure().isEmpty());
}

void TestAgentSearcher::partsAreOneResult()
{
    startAgent();
    searchAndAwaitPlan();
    link::PlanFound first{.tasks = 2, .more = true, .timesUs = {2378.0}, .nodes = {0, 1}};
    auto second = foundOf(0);
    second.timesUs = {3369.36};
    second.nodes = {1, 0};
    say(first);
    say(second);
    say(link::PlanEnded{});
    QTRY_COMPARE(m_session->state(), PlanSession::State::Ready);
    QCOMPARE(m_session->result()->ranking.best().size(), std::size_t(2));
    QCOMPARE(m_session->result()->ranking.best()[1].timeUs, 3369.36);
}

void TestAgentSearcher::cancelledKeepsWhatWasFound()
{
    startAgent();
    searchAndAwaitPlan();
    m_session->cancel();
    QTRY_COMPARE(m_agent->said<link::PlanCancel>().size(), std::size_t(1));
    QCOMPARE(m_agent->said<link::PlanCancel>()[0].number, m_number);
    auto found = foundOf(0);
    found.timesUs.resize(1);
    found.nodes.resize(2);
    found.tried = 1;
    say(found);
    say(link::PlanEnded{.end = link::PlanEnd::Stopped});
    QTRY_COMPARE(m_session->state(), PlanSession::State::Ready);
    QVERIFY(m_session->isUnfinished());
    QVERIFY(m_session->failure().isEmpty());
}

void TestAgentSearcher::cancelledWhileConnecting()
{
    Manners mute;
    mute.greets = false;
    startAgent(mute);
    begin();
    QTRY_COMPARE(m_agent->connections(), 1);
    m_session->cancel();
    QTRY_COMPARE(m_session->state(), PlanSession::State::Ready);
    QVERIFY(m_session->failure().isEmpty());
}

void TestAgentSearcher::editEndsTheSearch()
{
    startAgent();
    searchAndAwaitPlan();
    m_session->setModel(Model::Lsmg);
    QTRY_COMPARE(m_agent->said<link::PlanCancel>().size(), std::size_t(1));
    say(foundOf(0));                              // late
    QTRY_VERIFY(m_session->result().has_value()); // of the search that follows by itself
    QCOMPARE(m_session->result()->model, Model::Lsmg);
    m_session->search();
    QTRY_COMPARE(m_agent->said<link::PlanRequest>().size(), std::size_t(2));
    QCOMPARE(m_agent->said<link::PlanRequest>()[1].model, link::PlanModel::Lsmg);
    QVERIFY(m_agent->said<link::PlanRequest>()[1].number > m_number);
    QCOMPARE(m_agent->connections(), 2);
}

void TestAgentSearcher::agentRefuses()
{
    startAgent();
    searchAndAwaitPlan();
    say(link::PlanEnded{.end = link::PlanEnd::Failed, .reason = "there are 4 already"});
    QTRY_COMPARE(m_session->state(), PlanSession::State::Ready);
    QCOMPARE(m_session->failure(), QStringLiteral("there are 4 already"));
    // The same search here.
    m_session->setSearcher(nullptr);
    m_session->search();
    QVERIFY(m_session->failure().isEmpty());
    QTRY_COMPARE(m_session->state(), PlanSession::State::Ready);
    QCOMPARE(m_session->result()->ranking.tried(), std::uint64_t(2));
}

void TestAgentSearcher::losses_data()
{
    QTest::addColumn<QString>("how");
    QTest::addColumn<QString>("reason");
    QTest::newRow("connection") << "hang up"
                                << "closed the connection";
    QTest::newRow("goodbye") << "bye"
                             << "the agent has ended";
    QTest::newRow("older version") << "older"
                                   << "older version";
    QTest::newRow("no agent") << "gone"
                              << "access";
    QTest::newRow("wrong token") << "token"
                                 << "token";
}

void TestAgentSearcher::losses()
{
    QFETCH(QString, how);
    QFETCH(QString, reason);
    Manners manners;
    if (how == QLatin1String("older"))
        manners.protocol.minor = 0;
    manners.wrongToken = how == QLatin1String("token");
    startAgent(manners);
    if (how == QLatin1String("gone"))
        m_agent->leave();
    if (how == QLatin1String("hang up") || how == QLatin1String("bye")) {
        searchAndAwaitPlan();
        auto found = foundOf(0);
        found.total = 9;
        say(found);
        QTRY_VERIFY(!m_session->result()->last);
        if (how == QLatin1String("bye"))
            m_agent->leave();
        else
            m_agent->hangUp();
    } else {
        begin();
    }
    QTRY_COMPARE(m_session->state(), PlanSession::State::Ready);
    QVERIFY2(m_session->failure().contains(reason), qPrintable(m_session->failure()));
    // What had been found stays.
    QVERIFY(m_session->result().has_value());
    QCOMPARE(m_session->result()->ranking.tried(), std::uint64_t(2));
}

void TestAgentSearcher::nonsense_data()
{
    QTest::addColumn<int>("which");
    QTest::newRow("another count of tasks") << 0;
    QTest::newRow("an unknown node") << 1;
    QTest::newRow("an unknown worst node") << 2;
    QTest::newRow("more kept than tried") << 3;
    QTest::newRow("more tried than there are") << 4;
    QTest::newRow("broken bytes") << 5;
}

void TestAgentSearcher::nonsense()
{
    QFETCH(int, which);
    startAgent();
    searchAndAwaitPlan();
    auto found = foundOf(0);
    switch (which) {
    case 0:
        found.tasks = 1;
        found.nodes = {0, 1};
        found.worstNodes = {1};
        break;
    case 1: found.nodes[3] = 2; break;
    case 2: found.worstNodes[0] = 7; break;
    case 3: found.tried = 1; break;
    case 4: found.total = 1; break;
    default: m_agent->sayRaw(std::string("\2\0\0\0\xff\xff", 6)); break;
    }
    if (which < 5)
        say(found);
    QTRY_COMPARE(m_session->state(), PlanSession::State::Ready);
    QVERIFY2(m_session->failure().contains(QStringLiteral("makes no sense")),
             qPrintable(m_session->failure()));
    QVERIFY(m_session->result()->last);
}

void TestAgentSearcher::traceThatHasChanged()
{
    startAgent();
    searchAndAwaitPlan();
    say(link::PlanProgress{
        .phase = link::PlanPhase::Searching, .tasks = 2, .records = 7, .tried = 0, .total = 2});
    QTRY_COMPARE(m_session->state(), PlanSession::State::Ready);
    QVERIFY2(m_session->failure().contains(QStringLiteral("open it again")),
             qPrintable(m_session->failure()));
}

void TestAgentSearcher::anotherPlanNumberIsNothing()
{
    startAgent();
    searchAndAwaitPlan();
    m_agent->say(foundOf(m_number + 1));
    m_agent->say(link::PlanEnded{.number = m_number - 1});
    m_agent->say(link::PlanProgress{.number = m_number + 1, .tried = 77});
    say(foundOf(0));
    say(link::PlanEnded{});
    QTRY_COMPARE(m_session->state(), PlanSession::State::Ready);
    QVERIFY(m_session->progress().tried != 77);
    QVERIFY(m_session->failure().isEmpty());
}

void TestAgentSearcher::quickSearchesStayHere()
{
    startAgent();
    searchAndAwaitPlan();
    say(foundOf(0));
    say(link::PlanEnded{});
    QTRY_COMPARE(m_session->state(), PlanSession::State::Ready);
    m_session->setModel(Model::Lsmg);
    QTRY_VERIFY(m_session->result().has_value());
    QCOMPARE(m_agent->said<link::PlanRequest>().size(), std::size_t(1));
}

void TestAgentSearcher::anotherPlaceEndsTheSearch()
{
    startAgent();
    searchAndAwaitPlan();
    m_session->setSearcher(nullptr);
    QCOMPARE(m_session->state(), PlanSession::State::Ready);
    m_session->search();
    QTRY_COMPARE(m_session->state(), PlanSession::State::Ready);
    QVERIFY(m_session->result()->last);
}

void TestAgentSearcher::closesWhileItSearches()
{
    startAgent();
    searchAndAwaitPlan();
    m_session.reset();
}

QTEST_GUILESS_MAIN(TestAgentSearcher)

} // namespace tst_agentsearcher

#include "tst_agentsearcher.moc"
