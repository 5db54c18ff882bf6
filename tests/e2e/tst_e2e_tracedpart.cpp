// SPDX-License-Identifier: GPL-3.0-or-later
//
// Programs that choose with MPI_Pcontrol which part of them is logged: what their logs and predictions
// say. What breaks each test stands above it.
#include <QTest>

#include "plan/compiler.h"
#include "plan/loggedpart.h"
#include "plan/replay.h"
#include "programlog.h"
#include "tracedprogram.h"
#include "workspace.h"

#include <QRegularExpression>

#include <algorithm>
#include <memory>
#include <set>
#include <string>

namespace tst_e2e_tracedpart {

using namespace tasuki::testing;
namespace plan = tasuki::plan;
namespace trace = tasuki::trace;

namespace {

/// The stretches in which a task logged nothing.
std::vector<trace::Call> offStretches(const ProgramLog& log, std::uint32_t task)
{
    return log.calls("TRACER_OFF", task);
}

/// @return the state in which an event stands; states are not one within another
std::string stateAround(const trace::Trace& trace, std::uint32_t event)
{
    std::string state;
    for (std::uint32_t index = 0; index < event; ++index) {
        const trace::Event& before = trace.events[index];
        if (before.task != trace.events[event].task)
            continue;
        if (before.kind == trace::EventKind::Begin)
            state = trace.stateOf(trace.calls[before.subject]).name;
        else if (before.kind == trace::EventKind::End)
            state.clear();
    }
    return state;
}

/// Numbers of the requests that calls of these states name, each as often as it is named.
std::multiset<std::uint32_t> requestsOf(const ProgramLog& log, std::uint32_t task,
                                        std::initializer_list<const char*> states)
{
    std::multiset<std::uint32_t> numbers;
    for (const char* state : states) {
        for (const trace::Call& call : log.calls(state, task)) {
            const auto requests = log.detailOf(call).requests;
            numbers.insert(requests.begin(), requests.end());
        }
    }
    return numbers;
}

} // namespace

class TestTracedPart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partIsLogged_data();
    void partIsLogged();
    void requestsCross_data();
    void requestsCross();
    void severalThreads();
    void workloadIsItsWork();
};

void TestTracedPart::partIsLogged_data()
{
    QTest::addColumn<int>("ranks");
    for (const int ranks : {1, 2, 4})
        QTest::addRow("%d", ranks) << ranks;
}

// Fails if a call is logged that should not be, or the other way round; if communicators that are made
// while nothing is logged, by some or by all, are mistaken later; if the stretches without a log are
// not in it, or do not reach its end.
void TestTracedPart::partIsLogged()
{
    QFETCH(int, ranks);
    const Workspace place;
    TracedProgram program(place);
    QVERIFY2(program.run(ranks, {"part"}) == 0, program.story());
    QVERIFY2(program.complaints().isEmpty(), program.story());
    const ProgramLog log(place.path("trace.alog"));
    QCOMPARE(log.problems(), QByteArray());
    std::vector<Letter> expected;
    for (const int tag : {80, 81, 81, 82, 83, 83})
        addRing(expected, ranks, tag);
    QCOMPARE(listed(log.letters()), listed(expected));
    std::set<std::uint32_t> communicators{0};
    communicators.merge(log.communicatorsOf(81));
    QCOMPARE(communicators.size(), std::size_t{3});
    communicators.merge(log.communicatorsOf(82));
    QCOMPARE(communicators.size(), std::size_t{4});
    communicators.merge(log.communicatorsOf(80));
    QCOMPARE(communicators.size(), std::size_t{5});
    QCOMPARE(log.communicatorsOf(83), std::set<std::uint32_t>{0});

    const std::int64_t endUs = log.trace().events.back().timeUs;
    for (std::uint32_t task = 0; task < static_cast<std::uint32_t>(ranks); ++task) {
        QCOMPARE(log.callsOf(task),
                 QByteArray(task == 0 ? "COMM_DUP 1, SENDRECV 6, TRACER_OFF 4"
                                      : "COMM_DUP 1, COMM_SPLIT 1, SENDRECV 6, TRACER_OFF 3"));
        QCOMPARE(log.calls("FINALIZE", task).size(), std::size_t{0});
        const auto stretches = offStretches(log, task);
        QVERIFY(stretches.front().beginUs >= log.calls("INIT", task).at(0).endUs);
        // All have come to MPI_Finalize: within what lies between the ends of a barrier.
        QVERIFY(stretches.back().endUs > endUs - 5'000'000);
        for (const trace::Call& call : log.calls("SENDRECV", task)) {
            QVERIFY(call.beginUs >= stretches.front().endUs);
            QVERIFY(call.endUs <= stretches.back().beginUs);
        }
    }
}

void TestTracedPart::requestsCross_data()
{
    QTest::addColumn<QString>("scenario");
    QTest::addColumn<QList<int>>("tags");
    QTest::addColumn<QList<int>>("late"); ///< whose receive is completed while nothing is logged
    QTest::newRow("requests") << "partrequests"
                              << QList<int>{85, 86, 86, 87, 88, 88, 89, 90, 90, 90}
                              << QList<int>{86, 87, 88};
    QTest::newRow("persistent") << "partpersistent" << QList<int>{91, 91, 91, 91} << QList<int>{91};
    QTest::newRow("probes") << "partprobes" << QList<int>{92, 93, 96} << QList<int>{92};
}

// Fails if a message is logged at one end alone because its requests are started or completed while
// nothing is logged; if a call names a request that was not logged or that another call has
// completed; or if the program does not end.
void TestTracedPart::requestsCross()
{
    QFETCH(QString, scenario);
    QFETCH(QList<int>, tags);
    QFETCH(QList<int>, late);
    for (const int ranks : {2, 3}) {
        const Workspace place;
        TracedProgram program(place);
        QVERIFY2(program.run(ranks, {scenario}) == 0, program.story());
        QVERIFY2(program.complaints().isEmpty(), program.story());
        const ProgramLog log(place.path("trace.alog"));
        QCOMPARE(log.problems(), QByteArray());
        std::vector<Letter> expected;
        for (const int tag : tags)
            addRing(expected, ranks, tag);
        QCOMPARE(listed(log.letters()), listed(expected));

        std::vector<int> receivedLate;
        for (const trace::Message& message : log.trace().messages) {
            if (message.to.value() != 0)
                continue;
            QCOMPARE(message.communicator, 0U);
            if (stateAround(log.trace(), message.received) == "TRACER_OFF")
                receivedLate.push_back(message.tag);
        }
        std::ranges::sort(receivedLate);
        QCOMPARE(QList<int>(receivedLate.begin(), receivedLate.end()), late);

        for (std::uint32_t task = 0; task < static_cast<std::uint32_t>(ranks); ++task) {
            auto started = requestsOf(log, task, {"ISEND", "IRECV"});
            for (const trace::Message& message : log.trace().messages) {
                // MPI_Imrecv was not logged, but what it receives.
                if (message.to.value() == task && message.tag == 93)
                    started.insert(message.receiveRequest);
                if (message.to.value() == task && message.receiveRequest != trace::none)
                    QCOMPARE(started.count(message.receiveRequest), std::size_t{1});
                if (message.from.value() == task && message.sendRequest != trace::none)
                    QCOMPARE(started.count(message.sendRequest), std::size_t{1});
            }
            const auto completed = requestsOf(
                log, task, {"WAIT", "WAITALL", "WAITANY", "WAITSOME", "TESTALL"});
            QVERIFY(!completed.empty());
            for (const std::uint32_t number : completed) {
                QCOMPARE(completed.count(number), std::size_t{1});
                QCOMPARE(started.count(number), std::size_t{1});
            }
        }
    }
}

// Fails if a thread that chooses what is logged makes others crash or hang, or if a stretch without a
// log does not end. What the others send is logged or not, as it comes.
void TestTracedPart::severalThreads()
{
    const Workspace place;
    TracedProgram program(place);
    QVERIFY2(program.run(2, {"partthreads"}) == 0, program.story());
    QVERIFY2(program.complaints().isEmpty(), program.story());
    const ProgramLog log(place.path("trace.alog"));
    QCOMPARE(log.trace().tasks(), 2U);
    for (std::uint32_t task = 0; task < 2; ++task) {
        QCOMPARE(offStretches(log, task).size(), std::size_t{50});
        QCOMPARE(log.calls("FINALIZE", task).size(), std::size_t{1});
    }
}

// Fails if what a workload measures is not what its trace and the prediction are about: all that it
// does before and after, MPI_Init among it, takes many times as long.
void TestTracedPart::workloadIsItsWork()
{
    const Workspace place;
    TracedProgram program(place);
    program.setProgram(QStringLiteral(TASUKI_LU));
    QVERIFY2(program.run(2, {"--size", "200"}) == 0, program.story());
    const auto found = QRegularExpression(QStringLiteral(" seconds=([0-9.]+) "))
                           .match(QString::fromUtf8(program.output()));
    QVERIFY2(found.hasMatch(), program.story());
    const double measuredUs = found.captured(1).toDouble() * 1e6;
    const ProgramLog log(place.path("trace.alog"));
    QCOMPARE(log.problems(), QByteArray());

    std::int64_t longestUs = 0;
    for (std::uint32_t task = 0; task < 2; ++task) {
        const auto stretches = offStretches(log, task);
        QCOMPARE(stretches.size(), std::size_t{2});
        longestUs = std::max(longestUs, stretches[1].beginUs - stretches[0].endUs);
    }
    const double tracedUs = plan::tracedRuntimeUs(log.trace());
    // And the moment between MPI_Init and the program's choice.
    QVERIFY(tracedUs >= static_cast<double>(longestUs));
    QVERIFY(tracedUs < static_cast<double>(longestUs) + 100'000.0);
    // The processor may be taken away between the clock that the program reads and the tracer's.
    QVERIFY2(tracedUs > measuredUs / 3.0 && tracedUs < measuredUs * 3.0 + 200'000.0,
             qPrintable(QString("%1 us traced, %2 us measured").arg(tracedUs).arg(measuredUs)));

    plan::Environment environment;
    environment.nodes.push_back({.name = "one", .slots = 2});
    const auto compiled = plan::compile(log.trace(), environment.eagerBytes);
    QVERIFY(compiled.ok());
    plan::Replay replay(std::make_shared<const plan::Program>(compiled->program),
                        std::make_shared<const plan::Environment>(environment));
    const double predictedUs = plan::predictOne(replay,
                                                {tasuki::plan::Node(0), tasuki::plan::Node(0)});
    QVERIFY2(predictedUs > 0.0 && predictedUs < tracedUs * 2.0,
             qPrintable(QString("%1 us traced, %2 us predicted").arg(tracedUs).arg(predictedUs)));
}

QTEST_GUILESS_MAIN(TestTracedPart)

} // namespace tst_e2e_tracedpart

#include "tst_e2e_tracedpart.moc"
