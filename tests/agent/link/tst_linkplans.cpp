// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "linkfixture.h"

#include <mutex>
#include <vector>

namespace tst_linkplans {

using namespace tasuki;
using namespace tasuki::link;
using namespace tasuki::testing;

namespace {

/// What the server hands on of plans. Any thread.
class Desk {
public:
    void attach(LinkCallbacks& callbacks)
    {
        callbacks.plan = [this](std::uint64_t window, PlanWish wish, PlanOutlet outlet) {
            const std::lock_guard lock(m_mutex);
            m_wishes.emplace_back(window, std::move(wish));
            m_outlet = std::move(outlet);
        };
        callbacks.left = [this](std::uint64_t window) {
            const std::lock_guard lock(m_mutex);
            m_left.push_back(window);
        };
    }
    [[nodiscard]] std::size_t count() const
    {
        const std::lock_guard lock(m_mutex);
        return m_wishes.size();
    }
    [[nodiscard]] std::vector<std::pair<std::uint64_t, PlanWish>> wishes() const
    {
        const std::lock_guard lock(m_mutex);
        return m_wishes;
    }
    [[nodiscard]] std::vector<std::uint64_t> left() const
    {
        const std::lock_guard lock(m_mutex);
        return m_left;
    }
    void tell(std::vector<AgentMessage> messages, bool mayBeLeftOut)
    {
        PlanOutlet outlet;
        {
            const std::lock_guard lock(m_mutex);
            outlet = m_outlet;
        }
        outlet(std::move(messages), mayBeLeftOut);
    }

private:
    mutable std::mutex m_mutex;
    std::vector<std::pair<std::uint64_t, PlanWish>> m_wishes;
    std::vector<std::uint64_t> m_left;
    PlanOutlet m_outlet;
};

constexpr auto patienceMs = 20'000;

} // namespace

/// Plans over the server with real sockets. What breaks it: pieces that are lost or change their
/// order, a window that leaves unseen, progress that piles up for a window that does not read.
class TestLinkPlans : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wishesComeInOrder();
    void isToldWhatComes();
    void leavingIsTold();
    void notBeforeTheHandshake();
    void progressIsLeftOutForTheSlow();
    void anAgentThatDoesNotPlan();
    void toldAfterTheEnd();
};

void TestLinkPlans::wishesComeInOrder()
{
    Desk desk;
    LinkFixture farm;
    desk.attach(farm.callbacks);
    farm.start();
    auto window = farm.window();
    QVERIFY(window);
    const PlanRequest request{.number = 5,
                              .model = PlanModel::Lsmg,
                              .keep = 24,
                              .traceName = "a.alog",
                              .environmentName = "n.toml",
                              .traceBytes = 90 * planPieceBytes,
                              .environmentBytes = 10};
    QVERIFY(window->send(request));
    // More than a window may have open requests: these want no answer.
    constexpr std::size_t pieces = 90;
    for (std::size_t i = 0; i < pieces; ++i)
        QVERIFY(window->send(PlanPiece{5, i, std::string(planPieceBytes / 16, 'x')}));
    QVERIFY(window->send(PlanCancel{5}));
    QTRY_COMPARE_WITH_TIMEOUT(desk.count(), pieces + 2, patienceMs);
    const auto wishes = desk.wishes();
    QVERIFY(std::get<PlanRequest>(wishes.front().second) == request);
    QVERIFY(std::get<PlanCancel>(wishes.back().second) == PlanCancel{5});
    for (std::size_t i = 0; i < pieces; ++i) {
        QCOMPARE(wishes[i + 1].first, wishes.front().first);
        QCOMPARE(std::get<PlanPiece>(wishes[i + 1].second).offset, i);
    }
}

void TestLinkPlans::isToldWhatComes()
{
    Desk desk;
    LinkFixture farm;
    desk.attach(farm.callbacks);
    farm.start();
    auto window = farm.window();
    QVERIFY(window);
    QVERIFY(window->send(PlanRequest{.number = 5}));
    QTRY_COMPARE_WITH_TIMEOUT(desk.count(), std::size_t(1), patienceMs);
    const PlanFound found{.number = 5,
                          .tasks = 2,
                          .timesUs = {2378.0},
                          .nodes = {0, 1},
                          .worstUs = 3369.36,
                          .worstNodes = {1, 0},
                          .sumUs = 5747.36,
                          .tried = 2,
                          .total = 2};
    desk.tell({found, PlanEnded{.number = 5}}, false);
    const auto heard = window->await<PlanFound>();
    QVERIFY(heard && *heard == found);
    QVERIFY(window->await<PlanEnded>().has_value());
    // The stream of events goes on beside it.
    farm.publish(100);
    QVERIFY(window->receiveUpTo(farm.run.last()));
}

void TestLinkPlans::leavingIsTold()
{
    Desk desk;
    LinkFixture farm;
    desk.attach(farm.callbacks);
    farm.start();
    auto first = farm.window();
    auto second = farm.window();
    QVERIFY(first && second);
    QVERIFY(first->send(PlanRequest{.number = 1}));
    QTRY_COMPARE_WITH_TIMEOUT(desk.count(), std::size_t(1), patienceMs);
    const std::uint64_t number = desk.wishes().front().first;
    QVERIFY(desk.left().empty());
    first.reset();
    QTRY_COMPARE_WITH_TIMEOUT(desk.left(), std::vector{number}, patienceMs);
    // At the agent's end all leave.
    farm.server->close("over");
    QTRY_COMPARE_WITH_TIMEOUT(desk.left().size(), std::size_t(2), patienceMs);
}

void TestLinkPlans::notBeforeTheHandshake()
{
    Desk desk;
    LinkFixture farm;
    desk.attach(farm.callbacks);
    farm.start();
    LinkClient stranger(farm.access());
    QVERIFY(stranger.connected());
    QVERIFY(stranger.send(PlanRequest{.number = 1}));
    QVERIFY(stranger.isDropped());
    QCOMPARE(desk.count(), std::size_t(0));
    QVERIFY(desk.left().empty());
}

void TestLinkPlans::progressIsLeftOutForTheSlow()
{
    Desk desk;
    LinkFixture farm;
    desk.attach(farm.callbacks);
    farm.start();
    auto window = farm.window();
    QVERIFY(window);
    QVERIFY(window->send(PlanRequest{.number = 1}));
    QTRY_COMPARE_WITH_TIMEOUT(desk.count(), std::size_t(1), patienceMs);
    // 400 times 80 kB: more than any socket holds.
    PlanFound large{.number = 1, .tasks = 1};
    large.timesUs.assign(8'000, 1.0);
    large.nodes.assign(8'000, 1);
    large.worstNodes = {1};
    large.tried = 8'000;
    constexpr std::uint64_t rounds = 400;
    for (std::uint64_t i = 0; i < rounds; ++i) {
        large.total = i;
        desk.tell({large}, true);
    }
    desk.tell({PlanEnded{.number = 1}}, false);
    std::size_t heard = 0;
    while (const auto message = window->receive()) {
        if (std::holds_alternative<PlanEnded>(*message))
            break;
        heard += std::holds_alternative<PlanFound>(*message) ? 1 : 0;
    }
    QVERIFY(!window->timedOut());
    QVERIFY2(heard >= 1 && heard < rounds / 2, qPrintable(QString::number(heard)));
}

void TestLinkPlans::anAgentThatDoesNotPlan()
{
    LinkFixture farm;
    farm.start();
    auto window = farm.window();
    QVERIFY(window);
    QVERIFY(window->send(PlanRequest{.number = 3, .traceBytes = 1}));
    QVERIFY(window->send(PlanPiece{3, 0, "x"}));
    QVERIFY(window->send(PlanCancel{3}));
    const auto ended = window->await<PlanEnded>();
    QVERIFY(ended.has_value());
    QCOMPARE(ended->number, std::uint64_t(3));
    QCOMPARE(ended->end, PlanEnd::Failed);
    QCOMPARE(ended->reason, std::string("this agent does not plan"));
    QVERIFY(window->send(Ping{9}));
    QVERIFY(window->await<Pong>().has_value());
}

void TestLinkPlans::toldAfterTheEnd()
{
    Desk desk;
    {
        LinkFixture farm;
        desk.attach(farm.callbacks);
        farm.start();
        auto window = farm.window();
        QVERIFY(window);
        QVERIFY(window->send(PlanRequest{.number = 1}));
        QTRY_COMPARE_WITH_TIMEOUT(desk.count(), std::size_t(1), patienceMs);
        window.reset();
        desk.tell({PlanEnded{.number = 1}}, false);
    }
    desk.tell({PlanEnded{.number = 1}}, false);
    QCOMPARE(desk.left().size(), std::size_t(1));
}

QTEST_GUILESS_MAIN(TestLinkPlans)

} // namespace tst_linkplans

#include "tst_linkplans.moc"
