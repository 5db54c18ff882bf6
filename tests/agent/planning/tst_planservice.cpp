// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "plan/environmentfile.h"
#include "plan/modelpredictor.h"
#include "plan/search.h"
#include "planning/planservice.h"
#include "support/manualclock.h"
#include "trace/alogreader.h"

#include <atomic>
#include <map>
#include <mutex>

namespace tst_planservice {

using namespace tasuki;
using namespace tasuki::planning;
using namespace std::chrono_literals;

namespace {

constexpr int patienceMs = 90'000; ///< sanitizers and busy machines are slow

/// The paper's Table 1.
const std::string paperLog = "155 1 0 1 0 1189\n"
                             "161 0 0 1 0 1335\n"
                             "-101 0 0 1 0 1 1395 0 7992\n"
                             "162 0 0 2 0 1 1575\n"
                             "-102 1 0 0 0 1 2158 0 7992\n"
                             "156 1 0 2 0 1 2198\n";

std::string environmentOf(const std::vector<double>& speeds)
{
    plan::Environment environment;
    environment.linkDefault = {.a0Us = 60.0, .a1UsPerByte = 0.08};
    for (const double speed : speeds)
        environment.nodes.push_back(
            {.name = "n" + std::to_string(environment.nodes.size()), .speed = speed});
    environment.links.resize(speeds.size() * speeds.size());
    return plan::environmentText(environment);
}

/// Tasks that compute and meet: on ten unequal nodes their search takes long.
std::string longLog(int tasks)
{
    std::string log = "-13 0 11 12 0 0 yellow:x BARRIER\n";
    for (int round = 1; round <= 400; ++round)
        for (const int type : {11, 12})
            for (int task = 0; task < tasks; ++task)
                log += std::to_string(type) + ' ' + std::to_string(task) + " 0 0 0 "
                    + std::to_string(1000 * round + (type == 11 ? task : 50)) + '\n';
    return log;
}

/// A window without a link: keeps what it is told.
class Window {
public:
    Window(PlanService& service, std::uint64_t number) : m_service(service), m_number(number) {}

    void say(link::PlanWish wish)
    {
        m_service.take(m_number, std::move(wish),
                       [heard = m_heard](std::vector<link::AgentMessage> messages, bool) {
                           const std::lock_guard lock(heard->mutex);
                           for (auto& message : messages)
                               heard->messages.push_back(std::move(message));
                       });
    }
    void ask(std::uint64_t number, const std::string& environment, const std::string& trace,
             std::size_t pieceBytes = 1000)
    {
        say(link::PlanRequest{.number = number,
                              .keep = 1000,
                              .traceName = "a.alog",
                              .environmentName = "n.toml",
                              .traceBytes = trace.size(),
                              .environmentBytes = environment.size()});
        const std::string all = environment + trace;
        for (std::size_t at = 0; at < all.size(); at += pieceBytes)
            say(link::PlanPiece{number, at, all.substr(at, pieceBytes)});
    }
    void leave() { m_service.left(m_number); }

    template <class Message>
    [[nodiscard]] std::vector<Message> heard(std::uint64_t number) const
    {
        std::vector<Message> found;
        const std::lock_guard lock(m_heard->mutex);
        for (const auto& message : m_heard->messages)
            if (const auto* wanted = std::get_if<Message>(&message))
                if (wanted->number == number)
                    found.push_back(*wanted);
        return found;
    }
    [[nodiscard]] bool ended(std::uint64_t number) const
    {
        return !heard<link::PlanEnded>(number).empty();
    }
    /// How a plan ended: "3" or "2 why".
    [[nodiscard]] QString end(std::uint64_t number) const
    {
        const auto ends = heard<link::PlanEnded>(number);
        if (ends.size() != 1)
            return QStringLiteral("%1 ends").arg(ends.size());
        static const std::map<link::PlanEnd, QString> words{{link::PlanEnd::Whole, "whole"},
                                                            {link::PlanEnd::Stopped, "stopped"},
                                                            {link::PlanEnd::Failed, "failed: "},
                                                            {link::PlanEnd::Replaced, "replaced"}};
        return words.at(ends[0].end) + QString::fromStdString(ends[0].reason);
    }
    [[nodiscard]] bool searches(std::uint64_t number) const
    {
        const auto progress = heard<link::PlanProgress>(number);
        return !progress.empty() && progress.back().phase == link::PlanPhase::Searching
            && progress.back().tried > 0;
    }

private:
    struct Heard {
        std::mutex mutex;
        std::vector<link::AgentMessage> messages;
    };
    PlanService& m_service;
    std::uint64_t m_number;
    std::shared_ptr<Heard> m_heard = std::make_shared<Heard>();
};

PlanServiceLimits quickLimits()
{
    PlanServiceLimits limits;
    limits.plans = 2;
    limits.pace.progress = 5ms;
    limits.pace.partial = 10ms;
    return limits;
}

} // namespace

/// What breaks it: a plan that goes on though nobody wants it, an end that is told twice or never, a
/// result that is not that of a search at home, windows that wait for each other for ever.
class TestPlanService : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsWhatASearchAtHomeFinds();
    void lsmg();
    void manyAllocationsComeInParts();
    void errorsAreToldInOneLine_data();
    void errorsAreToldInOneLine();
    void wrongPieces();
    void othersNumbersChangeNothing();
    void cancelled();
    void moreThanCanBeCounted();
    void partialResults();
    void anotherPlanReplacesTheFirst();
    void windowThatLeaves();
    void oneAfterTheOther();
    void refusedWhenThereAreMany();
    void silentUploadsGiveWay();
    void endsWhileItSearches();
};

void TestPlanService::findsWhatASearchAtHomeFinds()
{
    const std::string environment = environmentOf({1.0, 0.5, 0.7, 0.1});
    const ManualClock clock;
    PlanService service(clock, quickLimits());
    Window window(service, 1);
    window.ask(7, environment, paperLog, 100); // pieces across the border of the files
    QTRY_VERIFY_WITH_TIMEOUT(window.ended(7), patienceMs);
    QCOMPARE(window.end(7), QStringLiteral("whole"));

    const auto reading = trace::readAlog(paperLog, "a.alog");
    const auto nodes = std::make_shared<const plan::Environment>(
        *plan::readEnvironmentText(environment, "n.toml").environment);
    std::vector<Diagnostic> warnings;
    const auto predictor = plan::modelPredictor(plan::Model::Replay, reading.trace, nodes,
                                                warnings);
    QVERIFY(predictor.ok());
    std::atomic<std::uint64_t> tried = 0;
    const plan::Ranking ranking = plan::search(*nodes, 2, **predictor, {.keep = 1000}, {}, tried);
    const auto found = window.heard<link::PlanFound>(7);
    QVERIFY(!found.empty());
    const link::PlanFound& last = found.back();
    QCOMPARE(last.total, std::uint64_t(12));
    QCOMPARE(last.tried, ranking.tried());
    QCOMPARE(last.timesUs.size(), std::size_t(12));
    const auto best = ranking.best();
    for (std::size_t i = 0; i < best.size(); ++i) {
        QVERIFY(last.timesUs[i] == best[i].timeUs); // to the last bit
        QCOMPARE(last.nodes[2 * i], best[i].allocation[0].value());
        QCOMPARE(last.nodes[2 * i + 1], best[i].allocation[1].value());
    }
    QVERIFY(last.worstUs == ranking.worst().timeUs);
    QVERIFY(last.sumUs == ranking.sumUs());
    const auto progress = window.heard<link::PlanProgress>(7);
    QCOMPARE(progress.front().phase, link::PlanPhase::Waiting);
    QCOMPARE(progress.back().tasks, 2U);
    QCOMPARE(progress.back().records, std::uint64_t(6));
}

void TestPlanService::lsmg()
{
    const ManualClock clock;
    PlanService service(clock, quickLimits());
    Window window(service, 1);
    const std::string environment = environmentOf({1.0, 0.1});
    window.say(link::PlanRequest{.number = 1,
                                 .model = link::PlanModel::Lsmg,
                                 .keep = 1,
                                 .traceBytes = paperLog.size(),
                                 .environmentBytes = environment.size()});
    window.say(link::PlanPiece{1, 0, environment + paperLog});
    QTRY_VERIFY_WITH_TIMEOUT(window.ended(1), patienceMs);
    const auto found = window.heard<link::PlanFound>(1);
    QCOMPARE(found.back().timesUs.size(), std::size_t(1));
    QCOMPARE(found.back().timesUs[0], 2034.36);
    QCOMPARE(found.back().tried, std::uint64_t(2));
}

void TestPlanService::manyAllocationsComeInParts()
{
    PlanServiceLimits limits = quickLimits();
    limits.pace.keptNodes = 600 * 7;
    limits.pace.partial = 1h;
    const ManualClock clock;
    PlanService service(clock, limits);
    Window window(service, 1);
    // 5,040 allocations, of which 1,000 are wanted and 600 fit.
    window.ask(1, environmentOf({1, 2, 3, 4, 5, 6, 7}), longLog(7));
    QTRY_VERIFY_WITH_TIMEOUT(window.ended(1), patienceMs);
    std::size_t kept = 0;
    for (const auto& part : window.heard<link::PlanFound>(1))
        kept += part.timesUs.size();
    QCOMPARE(kept, std::size_t(600));
    QVERIFY(!window.heard<link::PlanFound>(1).back().more);
    QCOMPARE(window.heard<link::PlanFound>(1).back().tried, std::uint64_t(5'040));
}

void TestPlanService::errorsAreToldInOneLine_data()
{
    QTest::addColumn<QByteArray>("environment");
    QTest::addColumn<QByteArray>("trace");
    QTest::addColumn<QString>("end");
    const QByteArray good = QByteArray::fromStdString(environmentOf({1.0, 0.5}));
    const QByteArray log = QByteArray::fromStdString(paperLog);
    QTest::newRow("environment") << QByteArray("speed = 1\n") << log << "failed: n.toml:1:";
    QTest::newRow("trace") << good << QByteArray("what is this\n") << "failed: a.alog:";
    QTest::newRow("empty trace") << good << QByteArray() << "failed: ";
    QTest::newRow("too few slots") << QByteArray::fromStdString(environmentOf({1.0})) << log
                                   << "failed: the trace has 2 tasks, the nodes have 1 slot; add "
                                      "nodes to the environment, or raise their slots";
}

void TestPlanService::errorsAreToldInOneLine()
{
    QFETCH(QByteArray, environment);
    QFETCH(QByteArray, trace);
    QFETCH(QString, end);
    const ManualClock clock;
    PlanService service(clock, quickLimits());
    Window window(service, 1);
    window.ask(1, environment.toStdString(), trace.toStdString());
    QTRY_VERIFY_WITH_TIMEOUT(window.ended(1), patienceMs);
    QVERIFY2(window.end(1).startsWith(end), qPrintable(window.end(1)));
    QVERIFY(window.end(1).size() > QStringLiteral("failed: ").size());
    QVERIFY(!window.end(1).contains(QLatin1Char('\n')));
    QVERIFY(window.heard<link::PlanFound>(1).empty());
}

void TestPlanService::wrongPieces()
{
    const ManualClock clock;
    PlanService service(clock, quickLimits());
    Window window(service, 1);
    window.say(link::PlanRequest{.number = 1, .traceBytes = 10, .environmentBytes = 10});
    window.say(link::PlanPiece{1, 1, "x"});
    QCOMPARE(window.end(1),
             QStringLiteral("failed: a piece of the plan's files came for byte 1, "
                            "expected byte 0 of 20"));
    window.say(link::PlanRequest{.number = 2, .traceBytes = 10, .environmentBytes = 10});
    window.say(link::PlanPiece{2, 0, std::string(15, 'x')});
    window.say(link::PlanPiece{2, 15, std::string(6, 'x')});
    QCOMPARE(window.end(2),
             QStringLiteral("failed: a piece of the plan's files came for byte 15, "
                            "expected byte 15 of 20"));
    window.say(link::PlanRequest{
        .number = 3, .traceBytes = (std::uint64_t{256} << 20U) + 1, .environmentBytes = 10});
    QCOMPARE(window.end(3),
             QStringLiteral("failed: the trace has 256 MiB, an agent takes up to 256 MiB; search "
                            "in the window, or with tasuki-agent plan"));
    window.say(link::PlanRequest{
        .number = 4, .traceBytes = 1, .environmentBytes = std::uint64_t{1} << 63U});
    QVERIFY2(window.end(4).startsWith(QStringLiteral("failed: the environment has 8796093022208")),
             qPrintable(window.end(4)));
}

void TestPlanService::othersNumbersChangeNothing()
{
    const ManualClock clock;
    PlanService service(clock, quickLimits());
    Window window(service, 1);
    Window other(service, 2);
    window.say(link::PlanCancel{1});
    window.say(link::PlanPiece{1, 0, "x"});
    window.leave();
    const std::string environment = environmentOf({1.0, 0.5});
    window.say(link::PlanRequest{.number = 2,
                                 .keep = 10,
                                 .traceBytes = paperLog.size(),
                                 .environmentBytes = environment.size()});
    window.say(link::PlanCancel{1});
    window.say(link::PlanPiece{3, 0, "x"});
    other.say(link::PlanCancel{2});
    other.say(link::PlanPiece{2, 0, "x"});
    window.say(link::PlanPiece{2, 0, environment + paperLog});
    window.say(link::PlanPiece{2, 0, "once more"});
    QTRY_VERIFY_WITH_TIMEOUT(window.ended(2), patienceMs);
    QCOMPARE(window.end(2), QStringLiteral("whole"));
    window.say(link::PlanCancel{2});
    window.say(link::PlanPiece{2, 0, "late"});
    QCOMPARE(window.end(2), QStringLiteral("whole"));
    QVERIFY(!window.ended(1) && !window.ended(3) && !other.ended(2));
}

void TestPlanService::cancelled()
{
    const ManualClock clock;
    PlanService service(clock, quickLimits());
    Window window(service, 1);
    window.say(link::PlanRequest{.number = 1, .traceBytes = 10, .environmentBytes = 10});
    window.say(link::PlanCancel{1});
    QCOMPARE(window.end(1), QStringLiteral("stopped"));
    window.ask(2, environmentOf({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), longLog(10));
    QTRY_VERIFY_WITH_TIMEOUT(window.searches(2), patienceMs);
    window.say(link::PlanCancel{2});
    QTRY_VERIFY_WITH_TIMEOUT(window.ended(2), patienceMs);
    QCOMPARE(window.end(2), QStringLiteral("stopped"));
    const link::PlanFound last = window.heard<link::PlanFound>(2).back();
    QVERIFY(last.tried > 0 && last.tried < 3'628'800);
    QCOMPARE(last.total, std::uint64_t(3'628'800));
    QVERIFY(!last.timesUs.empty());
}

// They were counted by going through 2^30 sets of nodes, in the farm's first rank.
void TestPlanService::moreThanCanBeCounted()
{
    const ManualClock clock;
    PlanService service(clock, quickLimits());
    Window window(service, 1);
    std::vector<double> speeds;
    for (int node = 0; node < 30; ++node)
        speeds.push_back(1.0 + 0.01 * node);
    window.ask(1, environmentOf(speeds), longLog(30));
    QTRY_VERIFY_WITH_TIMEOUT(window.searches(1), patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!window.heard<link::PlanFound>(1).empty(), patienceMs);
    window.say(link::PlanCancel{1});
    QTRY_VERIFY_WITH_TIMEOUT(window.ended(1), patienceMs);
    QCOMPARE(window.end(1), QStringLiteral("stopped"));
    QCOMPARE(window.heard<link::PlanFound>(1).back().total,
             std::numeric_limits<std::uint64_t>::max());
}

void TestPlanService::partialResults()
{
    const ManualClock clock;
    PlanService service(clock, quickLimits());
    Window window(service, 1);
    window.ask(1, environmentOf({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), longLog(10));
    QTRY_VERIFY_WITH_TIMEOUT(window.heard<link::PlanFound>(1).size() >= 3, patienceMs);
    QVERIFY(!window.ended(1));
    std::uint64_t tried = 0;
    double best = std::numeric_limits<double>::max();
    for (const auto& found : window.heard<link::PlanFound>(1)) {
        QVERIFY(found.tried > tried && found.timesUs.front() <= best);
        tried = found.tried;
        best = found.timesUs.front();
    }
    window.leave();
}

void TestPlanService::anotherPlanReplacesTheFirst()
{
    const ManualClock clock;
    PlanService service(clock, quickLimits());
    Window window(service, 1);
    window.ask(1, environmentOf({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), longLog(10));
    QTRY_VERIFY_WITH_TIMEOUT(window.searches(1), patienceMs);
    window.ask(2, environmentOf({1.0, 0.5}), paperLog);
    QCOMPARE(window.end(1), QStringLiteral("replaced"));
    QTRY_VERIFY_WITH_TIMEOUT(window.ended(2), patienceMs);
    QCOMPARE(window.end(2), QStringLiteral("whole"));
    QCOMPARE(window.end(1), QStringLiteral("replaced"));
}

void TestPlanService::windowThatLeaves()
{
    const ManualClock clock;
    PlanService service(clock, quickLimits());
    Window window(service, 1);
    Window other(service, 2);
    window.ask(1, environmentOf({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), longLog(10));
    QTRY_VERIFY_WITH_TIMEOUT(window.searches(1), patienceMs);
    window.leave();
    const std::size_t heard = window.heard<link::PlanProgress>(1).size();
    // The search would go on for minutes: that the other's begins shows that it does not.
    other.ask(1, environmentOf({1.0, 0.5}), paperLog);
    QTRY_VERIFY_WITH_TIMEOUT(other.ended(1), patienceMs);
    QCOMPARE(window.heard<link::PlanProgress>(1).size(), heard);
    QVERIFY(!window.ended(1));
}

void TestPlanService::oneAfterTheOther()
{
    const ManualClock clock;
    PlanService service(clock, quickLimits());
    Window window(service, 1);
    Window other(service, 2);
    window.ask(1, environmentOf({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), longLog(10));
    QTRY_VERIFY_WITH_TIMEOUT(window.searches(1), patienceMs);
    other.ask(1, environmentOf({1.0, 0.5}), paperLog);
    QTRY_COMPARE_WITH_TIMEOUT(other.heard<link::PlanProgress>(1).size(), std::size_t(1),
                              patienceMs);
    QCOMPARE(other.heard<link::PlanProgress>(1)[0].phase, link::PlanPhase::Waiting);
    window.say(link::PlanCancel{1});
    QTRY_VERIFY_WITH_TIMEOUT(other.ended(1), patienceMs);
    QCOMPARE(other.end(1), QStringLiteral("whole"));
}

void TestPlanService::refusedWhenThereAreMany()
{
    const ManualClock clock;
    PlanService service(clock, quickLimits());
    Window first(service, 1);
    Window second(service, 2);
    Window third(service, 3);
    const link::PlanRequest request{.number = 1, .traceBytes = 10, .environmentBytes = 10};
    first.say(request);
    second.say(request);
    third.say(request);
    QCOMPARE(third.end(1),
             QStringLiteral("failed: this agent has plans to work out already, 2 in all; try again "
                            "later, or search in the window"));
    first.leave();
    third.say(link::PlanRequest{.number = 2, .traceBytes = 10, .environmentBytes = 10});
    QVERIFY(!third.ended(2));
    // Or when their files together are large.
    third.leave();
    const std::uint64_t large = std::uint64_t{250} << 20U;
    second.say(link::PlanRequest{.number = 2, .traceBytes = large});
    third.say(link::PlanRequest{.number = 3, .traceBytes = large, .environmentBytes = 13U << 20U});
    QVERIFY2(third.end(3).startsWith(QStringLiteral("failed: this agent has plans")),
             qPrintable(third.end(3)));
    third.say(link::PlanRequest{.number = 4, .traceBytes = large});
    QVERIFY(!third.ended(4));
}

void TestPlanService::silentUploadsGiveWay()
{
    ManualClock clock;
    PlanService service(clock, quickLimits());
    Window first(service, 1);
    Window second(service, 2);
    Window third(service, 3);
    const link::PlanRequest request{.number = 1, .traceBytes = 10, .environmentBytes = 10};
    first.say(request);
    second.say(request);
    clock.advance(50s);
    second.say(link::PlanPiece{1, 0, "x"});
    clock.advance(11s);
    third.say(request);
    QCOMPARE(first.end(1),
             QStringLiteral("failed: the rest of its files did not come for 60 s, "
                            "and others waited"));
    QVERIFY(!second.ended(1) && !third.ended(1));
}

void TestPlanService::endsWhileItSearches()
{
    const ManualClock clock;
    auto service = std::make_unique<PlanService>(clock, quickLimits());
    Window window(*service, 1);
    window.ask(1, environmentOf({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), longLog(10));
    QTRY_VERIFY_WITH_TIMEOUT(window.searches(1), patienceMs);
    service.reset();
    QVERIFY(!window.ended(1));
}

QTEST_GUILESS_MAIN(TestPlanService)

} // namespace tst_planservice

#include "tst_planservice.moc"
