// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "plan/timeline.h"
#include "planning.h"

#include <cmath>
#include <vector>

namespace tst_plantimeline {

using namespace tasuki;
using namespace tasuki::plan;
using namespace tasuki::plan::testing;
using Call = trace::MpiCall;

namespace {

Timeline predicted(const trace::Trace& trace, const Environment& environment)
{
    const auto shared = std::make_shared<const Environment>(environment);
    const auto compiled = compile(trace, environment.eagerBytes);
    return predictedTimeline(std::make_shared<const Program>(compiled->program), shared,
                             inOrder(trace.tasks()));
}

TimelineSpan span(std::uint32_t task, SpanKind kind, double beginUs, double endUs,
                  std::uint32_t call = trace::none)
{
    return {
        .task = trace::Task(task), .kind = kind, .beginUs = beginUs, .endUs = endUs, .call = call};
}

PathPiece piece(PathPiece::Kind kind, std::uint32_t task, std::uint32_t to, double beginUs,
                double endUs)
{
    return {.kind = kind,
            .task = trace::Task(task),
            .to = trace::Task(to),
            .beginUs = beginUs,
            .endUs = endUs};
}

void verifyWholePath(const Timeline& timeline)
{
    double now = 0.0;
    for (const PathPiece& each : timeline.criticalPath) {
        QVERIFY2(std::abs(each.beginUs - now) < 1e-6, qPrintable(QString::number(now)));
        now = each.endUs;
    }
    QCOMPARE(now, timeline.endUs);
}

} // namespace

class TestPlanTimeline : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void traced();
    void paper();
    void rendezvousPath();
    void collectivePath();
    void pathOfChains();
    void totals();
};

void TestPlanTimeline::traced()
{
    const Timeline timeline = tracedTimeline(paperTrace());
    QCOMPARE(timeline.tasks, 2U);
    QCOMPARE(timeline.endUs, 2198.0);
    QCOMPARE(timeline.spans,
             (std::vector{span(0, SpanKind::Call, 1335, 1575, 0),
                          span(1, SpanKind::Call, 1189, 2198, 1)}));
    QCOMPARE(timeline.arrows.size(), std::size_t(1));
    QCOMPARE(timeline.arrows[0].sentUs, 1335.0);
    QCOMPARE(timeline.arrows[0].arrivedUs, 2198.0);
    QVERIFY(timeline.criticalPath.empty());
}

void TestPlanTimeline::paper()
{
    const Timeline timeline = predicted(paperTrace(), environmentOf({0.5, 1.0}));
    QCOMPARE(timeline.endUs, 3369.36);
    QCOMPARE(
        timeline.spans,
        (std::vector{span(0, SpanKind::Compute, 0, 2670), span(0, SpanKind::Call, 2670, 3150, 0),
                     span(1, SpanKind::Compute, 0, 1189),
                     span(1, SpanKind::Wait, 1189, timeline.endUs, 1)}));
    QCOMPARE(timeline.arrows,
             (std::vector{TimelineArrow{.from = trace::Task(0),
                                        .to = trace::Task(1),
                                        .sentUs = 2670,
                                        .arrivedUs = timeline.endUs,
                                        .message = 0}}));
    QCOMPARE(timeline.criticalPath,
             (std::vector{piece(PathPiece::Kind::Compute, 0, 0, 0, 2670),
                          piece(PathPiece::Kind::Message, 0, 1, 2670, timeline.endUs)}));
}

// The message sets out when the receive is posted: the path goes through the receiver.
void TestPlanTimeline::rendezvousPath()
{
    TraceMaker maker(2);
    maker.call(0, Call::Send, 100, 3000).sends(1, 100'000);
    maker.ends(0, 3500);
    maker.call(1, Call::Recv, 1000, 3000).receives(0);
    const Timeline timeline = predicted(maker.make(), environmentOf({1.0, 1.0}));
    QCOMPARE(timeline.endUs, 9560.0);
    QCOMPARE(timeline.criticalPath,
             (std::vector{piece(PathPiece::Kind::Compute, 1, 1, 0, 1000),
                          piece(PathPiece::Kind::Message, 0, 1, 1000, 9060),
                          piece(PathPiece::Kind::Compute, 0, 0, 9060, 9560)}));
    verifyWholePath(timeline);
}

void TestPlanTimeline::collectivePath()
{
    TraceMaker maker(4);
    for (std::uint32_t task = 0; task < 4; ++task) {
        maker.call(task, Call::Barrier, 100 + (task == 2 ? 900 : 0), 1200);
        maker.ends(task, 1300);
    }
    const Timeline timeline = predicted(maker.make(), environmentOf({1.0, 1.0, 1.0, 1.0}));
    QCOMPARE(timeline.endUs, 1000.0 + 120.0 + 100.0);
    verifyWholePath(timeline);
    QCOMPARE(timeline.criticalPath.front(), piece(PathPiece::Kind::Compute, 2, 2, 0, 1000));
    QCOMPARE(pathTotals(timeline).messageUs, 120.0);
    QCOMPARE(timeline.arrows.size(), std::size_t(8));
    QCOMPARE(timeline.arrows[0].message, trace::none);
}

// A chain of tasks that hand on: the path is as long as the runtime, whatever the nodes.
void TestPlanTimeline::pathOfChains()
{
    for (const double speed : {0.2, 1.0, 3.0}) {
        TraceMaker maker(3);
        std::int64_t now = 0;
        for (int round = 0; round < 20; ++round) {
            for (std::uint32_t task = 0; task < 3; ++task) {
                const std::uint64_t bytes = round % 5 == 0 ? 100'000 : 500;
                maker.call(task, Call::Send, now + 100, now + 110).sends((task + 1) % 3, bytes);
                maker.call((task + 1) % 3, Call::Recv, now + 60, now + 190).receives(task);
                now += 200;
            }
        }
        verifyWholePath(predicted(maker.make(), environmentOf({1.0, speed, 0.5})));
    }
}

void TestPlanTimeline::totals()
{
    const PathTotals totals = pathTotals(predicted(paperTrace(), environmentOf({0.5, 1.0})));
    QCOMPARE(totals.computeUs, 2670.0);
    QCOMPARE(totals.messageUs, 699.36);
    QCOMPARE(totals.callUs, 0.0);
    QCOMPARE(totals.computeOfTaskUs, (std::vector{2670.0, 0.0}));
}

QTEST_GUILESS_MAIN(TestPlanTimeline)

} // namespace tst_plantimeline

#include "tst_plantimeline.moc"
