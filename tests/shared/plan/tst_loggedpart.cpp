// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "plan/callsequence.h"
#include "plan/loggedpart.h"
#include "planning.h"

namespace tst_loggedpart {

using namespace tasuki;
using namespace tasuki::plan;
using namespace tasuki::plan::testing;
using Call = trace::MpiCall;

/// Traces of programs that have chosen what of them is logged. Links: 60 us + 0.08 us a byte.
class TestLoggedPart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void workAlone_data();
    void workAlone();
    void everythingCountsWithout();
    void computationAroundAStretch();
    void messageAcrossAStretch();
    void endInAStretchIsNone();
    void waitingIsToldByTracedTimes();
    void finalizeThatIsLogged();
    void callThatOverlapsAStretch();
    void stretchWithoutEnd();
    void nothingButStretches();
};

namespace {

double lsmgRuntime(const trace::Trace& trace, const Environment& environment)
{
    Lsmg model(std::make_shared<LsmgProgram>(lsmgProgram(trace)),
               std::make_shared<Environment>(environment));
    return predictOne(model, inOrder(trace.tasks()));
}

/// 500 us of task 0, then 1000 bytes to task 1, which has computed for 300 us, and 200 us of task 1.
void addWork(TraceMaker& maker, std::int64_t begin0Us, std::int64_t begin1Us)
{
    maker.call(0, Call::Send, begin0Us + 500, begin0Us + 510).sends(1, 1000);
    maker.ends(0, begin0Us + 510);
    maker.call(1, Call::Recv, begin1Us + 300, begin1Us + 700).receives(0);
    maker.ends(1, begin1Us + 900);
}

/// The same between MPI_Init and set-up on one side, check and MPI_Finalize on the other.
trace::Trace workOfAProgram()
{
    TraceMaker maker(2);
    maker.named(0, "INIT", 0, 100'000);
    maker.call(0, Call::Unlogged, 100'000, 250'000);
    maker.named(1, "INIT", 30'000, 100'010);
    maker.call(1, Call::Unlogged, 100'010, 250'100);
    addWork(maker, 250'000, 250'100);
    maker.call(0, Call::Unlogged, 250'510, 400'000);
    maker.call(1, Call::Unlogged, 251'000, 400'000);
    return maker.make();
}

} // namespace

void TestLoggedPart::workAlone_data()
{
    QTest::addColumn<double>("speed0");
    QTest::addColumn<double>("speed1");
    QTest::addColumn<double>("replay");
    QTest::addColumn<double>("lsmg");
    // The message is there after 500 + 60 + 80.
    QTest::newRow("as traced") << 1.0 << 1.0 << 840.0 << 840.0;
    QTest::newRow("slow sender") << 0.1 << 1.0 << 5340.0 << 5340.0;
    // The receive is called after 3000; by the paper's procedure it ends at 640 all the same.
    QTest::newRow("slow receiver") << 1.0 << 0.1 << 5000.0 << 2640.0;
}

// Fails if what was not logged, MPI_Init, what was before it or MPI_Finalize adds to what the work alone
// takes.
void TestLoggedPart::workAlone()
{
    QFETCH(double, speed0);
    QFETCH(double, speed1);
    QFETCH(double, replay);
    QFETCH(double, lsmg);
    TraceMaker alone(2);
    addWork(alone, 0, 0);
    const Environment environment = environmentOf({speed0, speed1});
    for (const trace::Trace& trace : {alone.make(), workOfAProgram()}) {
        Replaying replaying(trace, environment);
        QVERIFY(replaying.compiled.ok());
        QVERIFY(replaying.compiled->warnings.empty());
        QCOMPARE(replaying.runtime(), replay);
        QCOMPARE(lsmgRuntime(trace, environment), lsmg);
        QCOMPARE(tracedRuntimeUs(trace), 900.0);
    }
}

void TestLoggedPart::everythingCountsWithout()
{
    TraceMaker maker(1);
    maker.named(0, "MPI_Init", 1000, 2000);
    maker.named(0, "MPI_Finalize", 3000, 3500);
    const trace::Trace trace = maker.make();
    QCOMPARE(tracedRuntimeUs(trace), 3500.0);
    Replaying replaying(trace, environmentOf({0.5}));
    QCOMPARE(replaying.runtime(), 2000.0 + 1000.0 + 2000.0 + 500.0);
    QCOMPARE(lsmgRuntime(trace, environmentOf({0.5})), 5500.0);
}

// What is before and after a stretch is one computation.
void TestLoggedPart::computationAroundAStretch()
{
    TraceMaker maker(1);
    maker.named(0, "MPI_Init_thread", 1000, 2000);
    maker.named(0, "solve", 2100, 2200);
    maker.call(0, Call::Unlogged, 2300, 9000);
    maker.call(0, Call::Barrier, 9100, 9110);
    maker.call(0, Call::Unlogged, 9150, 9200);
    maker.ends(0, 9260);
    const trace::Trace trace = maker.make();
    const auto sequence = callSequences(trace).at(0);
    QCOMPARE(sequence.steps.size(), std::size_t{1});
    QCOMPARE(sequence.steps[0].beforeUs, 300 + 100);
    QCOMPARE(sequence.steps[0].beginUs, 9100);
    QCOMPARE(sequence.afterUs, 40 + 60);
    QCOMPARE(tracedRuntimeUs(trace), 510.0);
    QCOMPARE(lsmgRuntime(trace, environmentOf({0.5})), 800.0 + 10.0 + 200.0);
}

// Sent before a stretch of the sender, received after one of the receiver.
void TestLoggedPart::messageAcrossAStretch()
{
    TraceMaker maker(2);
    maker.call(0, Call::Send, 100, 110).sends(1, 1000);
    maker.call(0, Call::Unlogged, 110, 5000);
    maker.ends(0, 5100);
    maker.call(1, Call::Unlogged, 50, 6000);
    maker.call(1, Call::Recv, 6010, 6015).receives(0);
    const trace::Trace trace = maker.make();
    Replaying replaying(trace, environmentOf({1.0, 1.0}));
    // Task 1 calls it after 60 us; the message is there at 100 + 140.
    QCOMPARE(replaying.callEnd(3), 240.0);
    QCOMPARE(replaying.runtime(), 240.0);
    QCOMPARE(lsmgRuntime(trace, environmentOf({1.0, 1.0})), 240.0);
    QCOMPARE(tracedRuntimeUs(trace), 210.0);
}

// A receive that is completed in a stretch: the send takes the time it took.
void TestLoggedPart::endInAStretchIsNone()
{
    TraceMaker maker(2);
    maker.call(0, Call::Send, 100, 170).sends(1, 1000);
    maker.call(1, Call::Irecv, 20, 30, {.requests = {1}});
    maker.call(1, Call::Unlogged, 40, 6000).receives(0, 1);
    const trace::Trace trace = maker.make();
    QVERIFY(trace.messages.at(0).matched());
    for (const CallSequence& sequence : callSequences(trace)) {
        for (const CallStep& step : sequence.steps)
            QVERIFY(step.received.empty());
    }
    Replaying replaying(trace, environmentOf({0.5, 0.5}));
    QCOMPARE(replaying.runtime(), 200.0 + 70.0);
    QCOMPARE(lsmgRuntime(trace, environmentOf({0.5, 0.5})), 270.0);
}

// Whether a receive waited is a matter of the clock that the tasks share, whatever each leaves out.
void TestLoggedPart::waitingIsToldByTracedTimes()
{
    TraceMaker maker(2);
    maker.call(0, Call::Unlogged, 0, 10'000);
    maker.call(0, Call::Send, 10'100, 10'110).sends(1, 1000);
    // Called 9,800 us before its message was sent: nothing of that is its own time.
    maker.call(1, Call::Recv, 300, 10'200).receives(0);
    Replaying replaying(maker.make(), environmentOf({1.0, 1.0}));
    QCOMPARE(replaying.runtime(), 300.0);
}

void TestLoggedPart::finalizeThatIsLogged()
{
    TraceMaker maker(1);
    maker.named(0, "INIT", 0, 1000);
    maker.call(0, Call::Unlogged, 1000, 2000);
    maker.named(0, "FINALIZE", 2300, 9000);
    const trace::Trace trace = maker.make();
    QCOMPARE(tracedRuntimeUs(trace), 300.0);
    Replaying replaying(trace, environmentOf({0.5}));
    QCOMPARE(replaying.runtime(), 600.0);
    QCOMPARE(lsmgRuntime(trace, environmentOf({0.5})), 600.0);
}

// As threads make them: a call of one of them ends after another one has turned logging off.
void TestLoggedPart::callThatOverlapsAStretch()
{
    trace::Trace trace;
    trace.taskNames.resize(1);
    trace.states = {{.beginId = 1, .endId = 2, .name = "MPI_Barrier", .call = Call::Barrier},
                    {.beginId = 3, .endId = 4, .name = "TRACER_OFF", .call = Call::Unlogged}};
    const trace::Task task(0);
    trace.calls = {{.state = 0, .task = task, .beginUs = 100, .endUs = 150},
                   {.state = 1, .task = task, .beginUs = 120, .endUs = 1000, .depth = 1}};
    using Kind = trace::EventKind;
    for (const auto& [timeUs, call, kind] :
         {std::tuple{100, 0U, Kind::Begin}, std::tuple{120, 1U, Kind::Begin},
          std::tuple{150, 0U, Kind::End}, std::tuple{1000, 1U, Kind::End}})
        trace.events.push_back({.timeUs = timeUs, .task = task, .subject = call, .kind = kind});
    const auto sequence = callSequences(trace).at(0);
    QCOMPARE(sequence.steps.size(), std::size_t{1});
    QCOMPARE(sequence.steps[0].beforeUs, 100);
    QCOMPARE(sequence.afterUs, 0);
    QCOMPARE(tracedRuntimeUs(trace), 120.0);
}

// The log was cut off.
void TestLoggedPart::stretchWithoutEnd()
{
    TraceMaker maker(1);
    maker.call(0, Call::Unlogged, 100, 100);
    maker.ends(0, 5000);
    trace::Trace trace = maker.make();
    std::erase_if(trace.events,
                  [](const trace::Event& event) { return event.kind == trace::EventKind::End; });
    trace.calls[0].endUs = 5000;
    QCOMPARE(tracedRuntimeUs(trace), 100.0);
    QCOMPARE(lsmgRuntime(trace, environmentOf({1.0})), 100.0);
    QCOMPARE(Replaying(trace, environmentOf({1.0})).runtime(), 100.0);
}

void TestLoggedPart::nothingButStretches()
{
    TraceMaker maker(2);
    maker.call(0, Call::Unlogged, 0, 5000);
    const trace::Trace trace = maker.make();
    QCOMPARE(tracedRuntimeUs(trace), 0.0);
    QCOMPARE(Replaying(trace, environmentOf({1.0, 1.0})).runtime(), 0.0);
    QCOMPARE(tracedRuntimeUs(trace::Trace()), 0.0);
}

QTEST_GUILESS_MAIN(TestLoggedPart)

} // namespace tst_loggedpart

#include "tst_loggedpart.moc"
