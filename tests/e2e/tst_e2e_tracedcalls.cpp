// SPDX-License-Identifier: GPL-3.0-or-later
//
// Programs with calls that the tracer names only, that look instead of wait, or that are not written in C:
// what their logs and plans say. What breaks each test stands above it.
#include <QTest>

#include "agentprocess.h"
#include "plan/callsequence.h"
#include "plan/unfollowed.h"
#include "programlog.h"
#include "tracedprogram.h"
#include "workspace.h"

#include <QFile>
#include <QStandardPaths>

namespace tst_e2e_tracedcalls {

using namespace tasuki::testing;
namespace plan = tasuki::plan;
namespace trace = tasuki::trace;

namespace {

/// @return what a task computes, and the time from its first call after MPI_Init to its last one
std::pair<std::int64_t, std::int64_t> computedOf(const trace::Trace& trace, std::uint32_t task)
{
    const auto steps = plan::callSequences(trace).at(task).steps;
    std::int64_t computedUs = 0;
    for (std::size_t i = 1; i < steps.size(); ++i)
        computedUs += steps[i].beforeUs;
    return {computedUs, steps.back().beginUs - steps.front().endUs};
}

} // namespace

class TestTracedCalls : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fortran_data();
    void fortran();
    void profiledNames();
    void namedCalls_data();
    void namedCalls();
    void planIsRefused();
    void looksAreWaiting();
    void threadsAreKeptApart();
    void endsUnseen_data();
    void endsUnseen();
    void neverCallsInit();
};

void TestTracedCalls::fortran_data()
{
    QTest::addColumn<QString>("definition");
    QTest::newRow("mpif.h") << "-DHEADER";
    QTest::newRow("use mpi") << "-DMODULE";
    QTest::newRow("use mpi_f08") << "-DF08";
}

// Fails if a program that calls MPI from Fortran leaves no log, or a log that lacks calls or has them twice.
void TestTracedCalls::fortran()
{
    QFETCH(QString, definition);
    if (QStandardPaths::findExecutable("mpif90").isEmpty()
        || QStandardPaths::findExecutable("gfortran").isEmpty())
        QSKIP("there is no gfortran");
    const Workspace place;
    QProcess compiler;
    compiler.setWorkingDirectory(place.path());
    compiler.start("mpif90", {"-cpp", definition, TASUKI_RING, "-o", "ring"});
    QVERIFY(compiler.waitForFinished(60'000));
    QVERIFY2(compiler.exitCode() == 0, compiler.readAllStandardError());
    TracedProgram program(place);
    program.setProgram(place.path("ring"));
    QVERIFY2(program.run(3, {}) == 0, program.story());
    QVERIFY2(program.output().contains("3.0"), program.story());
    const ProgramLog log(place.path("trace.alog"));
    QCOMPARE(log.problems(), QByteArray());
    std::vector<Letter> expected;
    addRing(expected, 3, 7, 20, sizeof(int));
    QCOMPARE(listed(log.letters()), listed(expected));
    for (std::uint32_t task = 0; task < 3; ++task)
        QCOMPARE(log.callsOf(task), QByteArray("ALLREDUCE 1, IRECV 20, SEND 20, WAIT 20"));
}

// Fails if what is called by its PMPI_ name is not logged, or twice.
void TestTracedCalls::profiledNames()
{
    const Workspace place;
    TracedProgram program(place);
    QVERIFY2(program.run(2, {"profiled"}) == 0, program.story());
    const ProgramLog log(place.path("trace.alog"));
    QCOMPARE(log.problems(), QByteArray());
    QCOMPARE(log.callsOf(0), QByteArray("BARRIER 1, IRECV 1, SEND 1, WAIT 1"));
    QCOMPARE(log.trace().messages.size(), std::size_t{2});
}

void TestTracedCalls::namedCalls_data()
{
    QTest::addColumn<QString>("scenario");
    QTest::addColumn<QByteArray>("calls");
    QTest::addColumn<QByteArray>("share");
    QTest::newRow("one-sided") << "onesided"
                               << QByteArray("MPI_Put 4, MPI_Win_create 1, MPI_Win_fence 5, "
                                             "MPI_Win_free 1")
                               << QByteArray("MPI_Win_fence");
    QTest::newRow("non-blocking collective")
        << "nonblocking" << QByteArray("MPI_Ibarrier 4, WAIT 4") << QByteArray("MPI_Ibarrier");
    QTest::newRow("files") << "files"
                           << QByteArray(
                                  "MPI_File_close 1, MPI_File_open 1, MPI_File_write_at_all 1")
                           << QByteArray();
}

// Fails if such a call has no name in the log, if what MPI calls inside it is logged, or if the time that a
// task waits there is not told.
void TestTracedCalls::namedCalls()
{
    QFETCH(QString, scenario);
    QFETCH(QByteArray, calls);
    QFETCH(QByteArray, share);
    const Workspace place;
    TracedProgram program(place);
    QVERIFY2(program.run(2, {scenario}) == 0, program.story());
    const ProgramLog log(place.path("trace.alog"));
    QCOMPARE(log.problems(), QByteArray());
    for (const std::uint32_t task : {0U, 1U})
        QCOMPARE(log.callsOf(task), calls);
    if (share.isEmpty())
        return;
    const auto shares = plan::unfollowedShares(log.trace());
    QVERIFY(!shares.empty());
    QCOMPARE(shares.front().task, 1U);
    QVERIFY2(shares.front().share > 0.5 && shares.front().text().find(share) != std::string::npos,
             shares.front().text().c_str());
}

// Fails if a plan is made of what nobody knows, or cannot be had by who wants it all the same.
void TestTracedCalls::planIsRefused()
{
    const Workspace place;
    TracedProgram program(place);
    QVERIFY2(program.run(2, {"onesided"}) == 0, program.story());
    place.write("nodes.toml",
                "[link_default]\na0_us = 5.0\na1_us_per_byte = 0.001\n"
                "[[node]]\nname = \"fast\"\nspeed = 2.0\n"
                "[[node]]\nname = \"slow\"\nspeed = 1.0\n");
    const QStringList asked{"plan", "trace.alog", "-e", "nodes.toml", "--quiet"};
    AgentProcess agent(place);
    QVERIFY2(agent.run(Start::Alone, 1, asked) == 2, agent.story());
    const QByteArray told = agent.standardError();
    QVERIFY2(told.contains(" % of task 1 is in MPI_Win_") && told.contains("MPI_Win_fence")
                 && told.contains(" not followed; "),
             agent.story());
    QVERIFY2(told.contains("--unfollowed PERCENT"), agent.story());
    QCOMPARE(agent.standardOutput(), QByteArray());
    AgentProcess again(place);
    QVERIFY2(again.run(Start::Alone, 1, asked + QStringList{"--unfollowed", "100"}) == 0,
             again.story());
    QVERIFY2(again.standardError().contains("not followed"), again.story());
}

// Fails if a task that waits by looking again and again counts as one that computes.
void TestTracedCalls::looksAreWaiting()
{
    const Workspace place;
    TracedProgram program(place);
    QVERIFY2(program.run(2, {"looks"}) == 0, program.story());
    const ProgramLog log(place.path("trace.alog"));
    QCOMPARE(log.problems(), QByteArray());
    const auto [looking, lookingAll] = computedOf(log.trace(), 1);
    const auto [computing, computingAll] = computedOf(log.trace(), 0);
    QVERIFY2(looking * 5 < lookingAll, qPrintable(QString::number(looking)));
    QVERIFY2(computing * 5 > computingAll * 4, qPrintable(QString::number(computing)));
    QVERIFY(plan::unfollowedShares(log.trace()).empty());
}

// Fails if a thread that waits hides what another one does, or mixes up its calls; or if nobody says that a plan
// cannot know who waits for whom.
void TestTracedCalls::threadsAreKeptApart()
{
    const Workspace place;
    TracedProgram program(place);
    QVERIFY2(program.run(2, {"waitingthread"}) == 0, program.story());
    const ProgramLog log(place.path("trace.alog"));
    const trace::Trace& trace = log.trace();
    for (const std::uint32_t task : {0U, 1U}) {
        QCOMPARE(log.callsOf(task), QByteArray("BARRIER 4, RECV 1, SEND 1"));
        const plan::CallSequence sequence = plan::callSequences(trace).at(task);
        QCOMPARE(sequence.steps.size(), std::size_t{1 + 4 + 1 + 1});
        const auto [computedUs, allUs] = computedOf(trace, task);
        QVERIFY2(computedUs >= 35'000, qPrintable(QString::number(computedUs)));
    }
    for (const trace::Message& message : trace.messages) {
        QVERIFY(message.matched());
        QCOMPARE(trace.events[message.sent].thread, std::uint16_t{0});
        QVERIFY(trace.events[message.received].thread > 0);
    }
    const auto shares = plan::unfollowedShares(trace);
    QCOMPARE(shares.size(), std::size_t{2});
    QVERIFY(shares.front().share > 0.2); // half of it, where nothing else runs
    QCOMPARE(shares.front().calls, std::vector<std::string>{"MPI_Recv of another thread"});
}

void TestTracedCalls::endsUnseen_data()
{
    QTest::addColumn<QString>("scenario");
    QTest::newRow("killed") << "killed";
    QTest::newRow("_exit") << "vanishes";
}

// Fails if a program is killed, or ends itself so that nothing of it can tell, and nobody says that there is no
// trace; if the trace of the run before stands in its place, or is lost.
void TestTracedCalls::endsUnseen()
{
    QFETCH(QString, scenario);
    // An mpirun that aborts does not wait for what comes last: a line that it has not read then is lost, on a busy machine.
    constexpr int tries = 3;
    for (int i = 1; i <= tries; ++i) {
        const Workspace place;
        place.write("trace.alog", "of an earlier run");
        TracedProgram program(place);
        program.run(2, {scenario});
        QVERIFY(!place.exists("trace.alog"));
        QCOMPARE(place.read("trace.alog.earlier"), QByteArray("of an earlier run"));
        const QByteArrayList told = program.complaints();
        if (told.isEmpty() && i < tries)
            continue;
        QVERIFY2(told.size() == 1, program.story());
        QVERIFY2(told.front().startsWith(
                     "tasuki-alog: rank 0 was ended or killed before MPI_Finalize; there "
                     "is no trace of this run; that of an earlier run is now '"),
                 program.story());
        break;
    }
}

// Fails if that is not told, told by all ranks, or told by programs that know nothing of MPI.
void TestTracedCalls::neverCallsInit()
{
    const Workspace place;
    TracedProgram program(place);
    QVERIFY2(program.run(2, {"noinit"}) == 0, program.story());
    QCOMPARE(program.complaints(),
             QByteArrayList{"tasuki-alog: rank 0 ended without MPI_Init; there is no trace of it"});
    program.setProgram("true");
    QVERIFY2(program.run(2, {}) == 0, program.story());
    QCOMPARE(program.complaints(), QByteArrayList());
}

QTEST_GUILESS_MAIN(TestTracedCalls)

} // namespace tst_e2e_tracedcalls

#include "tst_e2e_tracedcalls.moc"
