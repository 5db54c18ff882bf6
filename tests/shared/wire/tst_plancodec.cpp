// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "link.pb.h"
#include "wire/linkcodec.h"

#include <functional>
#include <limits>
#include <string>

namespace tst_plancodec {

using namespace tasuki;
using namespace tasuki::link;
namespace w = tasuki::wire::link;

namespace {

template <class Decoded>
QByteArray outcome(const Decoded& decoded)
{
    if (decoded)
        return "accepted";
    return decoded.error().kind == ErrorKind::Protocol
        ? QByteArray::fromStdString(decoded.error().message)
        : "wrong kind";
}

QByteArray fromWindow(const std::function<void(w::ClientMessage&)>& change)
{
    w::ClientMessage message;
    change(message);
    return outcome(decodeClientMessage(message.SerializeAsString()));
}

QByteArray fromAgent(const std::function<void(w::AgentMessage&)>& change)
{
    w::AgentMessage message;
    change(message);
    return outcome(decodeAgentMessage(message.SerializeAsString()));
}

/// Two allocations of two tasks, and the worst one.
w::PlanFound& found(w::AgentMessage& message)
{
    w::PlanFound& out = *message.mutable_plan_found();
    out.set_tasks(2);
    out.add_times_us(1.0);
    out.add_times_us(2.0);
    for (const std::uint32_t node : {0U, 1U, 1U, 0U})
        out.add_nodes(node);
    out.add_worst_nodes(1);
    out.add_worst_nodes(0);
    out.set_tried(2);
    return out;
}

} // namespace

/// What breaks it: numbers of a plan that are believed without being looked at.
class TestPlanCodec : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void requests();
    void pieces();
    void progress();
    void allocations();
    void ends();
};

void TestPlanCodec::requests()
{
    const auto request = [](std::uint32_t model, std::uint64_t keep) {
        return fromWindow([&](w::ClientMessage& message) {
            message.mutable_plan()->set_model(model);
            message.mutable_plan()->set_keep(keep);
        });
    };
    QCOMPARE(request(1, 10'000), "accepted");
    QVERIFY2(request(2, 1).endsWith("a plan with an unknown model"), request(2, 1));
    QVERIFY2(request(0, 0).endsWith("a plan that keeps 0 allocations, not 1 to 10000"),
             request(0, 0));
    QVERIFY2(request(0, 10'001).endsWith("a plan that keeps 10001 allocations, not 1 to 10000"),
             request(0, 10'001));
}

void TestPlanCodec::pieces()
{
    const auto piece = [](std::size_t bytes) {
        return fromWindow([&](w::ClientMessage& message) {
            message.mutable_plan_piece()->set_content(std::string(bytes, 'x'));
        });
    };
    const QByteArray refused = "a piece of a plan that is empty or too large";
    QCOMPARE(piece(planPieceBytes), "accepted");
    QVERIFY2(piece(planPieceBytes + 1).endsWith(refused), piece(planPieceBytes + 1));
    QVERIFY2(piece(0).endsWith(refused), piece(0));
}

void TestPlanCodec::progress()
{
    const auto phase = [](std::uint32_t number) {
        return fromAgent(
            [&](w::AgentMessage& message) { message.mutable_plan_progress()->set_phase(number); });
    };
    QCOMPARE(phase(2), "accepted");
    QVERIFY2(phase(3).endsWith("a plan in an unknown phase"), phase(3));
}

void TestPlanCodec::allocations()
{
    const QByteArray nodes = "allocations that do not have a node for each task";
    const QByteArray number = "a runtime that is no number";
    QCOMPARE(fromAgent([](w::AgentMessage& message) { found(message); }), "accepted");
    const auto refused = [](const QByteArray& why,
                            const std::function<void(w::PlanFound&)>& change) {
        const QByteArray said = fromAgent(
            [&](w::AgentMessage& message) { change(found(message)); });
        return said.endsWith(why) ? QByteArray() : said;
    };
    QCOMPARE(refused(nodes, [](auto& out) { out.add_nodes(0); }), "");
    QCOMPARE(refused(nodes, [](auto& out) { out.set_tasks(3); }), "");
    QCOMPARE(refused(nodes, [](auto& out) { out.clear_worst_nodes(); }), "");
    QCOMPARE(refused(nodes, [](auto& out) { out.set_more(true); }), "");
    QCOMPARE(refused(nodes, [](auto& out) { out.set_tried(0); }), "");
    QCOMPARE(refused(nodes,
                     [](auto& out) {
                         // 2^31 tasks of two allocations: 2^32 nodes are not 0.
                         out.set_tasks(1U << 31U);
                         out.clear_nodes();
                     }),
             "");
    const double infinity = std::numeric_limits<double>::infinity();
    const double none = std::numeric_limits<double>::quiet_NaN();
    QCOMPARE(refused(number, [&](auto& out) { out.set_times_us(1, none); }), "");
    QCOMPARE(refused(number, [&](auto& out) { out.set_worst_us(infinity); }), "");
    QCOMPARE(refused(number, [&](auto& out) { out.set_sum_us(-infinity); }), "");
}

void TestPlanCodec::ends()
{
    const auto end = [](std::uint32_t number, std::uint32_t severity) {
        return fromAgent([&](w::AgentMessage& message) {
            message.mutable_plan_ended()->set_end(number);
            message.mutable_plan_ended()->add_notes()->set_severity(severity);
        });
    };
    QCOMPARE(end(3, 2), "accepted");
    QVERIFY2(end(4, 0).endsWith("an unknown end of a plan"), end(4, 0));
    QVERIFY2(end(0, 3).endsWith("a note of unknown severity"), end(0, 3));
}

QTEST_APPLESS_MAIN(TestPlanCodec)

} // namespace tst_plancodec

#include "tst_plancodec.moc"
