// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "plan/unfollowed.h"
#include "planning.h"

namespace tst_unfollowed {

using namespace tasuki;
using namespace tasuki::plan;
using namespace tasuki::plan::testing;
using Call = trace::MpiCall;

namespace {

double replayedUs(const trace::Trace& trace, double speed)
{
    return Replaying(trace, environmentOf({speed, speed})).runtime();
}

} // namespace

/// How much of a task is in calls that are not followed. What breaks it: a call that is followed, or waits for
/// nobody, is counted; one that is not, is not; or what waits for one that was started before.
class TestUnfollowed : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sharesAndNames();
    void beginAndEndDoNotCount();
    void localCallsAreComputation();
    void waitsForWhatIsNotFollowed();
    void otherThreads();
    void limits();
    void nothingToSay();
};

void TestUnfollowed::sharesAndNames()
{
    TraceMaker maker(2);
    maker.named(0, "MPI_Win_fence", 900, 1000).ends(0, 1000);
    maker.named(1, "MPI_Win_fence", 100, 400).named(1, "MPI_Put", 500, 570).ends(1, 1000);
    const auto shares = unfollowedShares(maker.make());
    QCOMPARE(shares.size(), std::size_t{2});
    QCOMPARE(shares[0].task, 1U);
    QCOMPARE(shares[0].share, 0.37);
    QCOMPARE(shares[0].text(),
             std::string("37 % of task 1 is in MPI_Win_fence and MPI_Put, which are "
                         "not followed"));
    QCOMPARE(shares[1].text(),
             std::string("10 % of task 0 is in MPI_Win_fence, which is not followed"));
}

void TestUnfollowed::beginAndEndDoNotCount()
{
    TraceMaker maker(1);
    maker.named(0, "INIT", 0, 1000).named(0, "COMM_SPLIT", 1100, 1150);
    maker.named(0, "TRACER_SPILL", 1160, 1200).named(0, "FINALIZE", 1200, 9000);
    const auto shares = unfollowedShares(maker.make());
    QCOMPARE(shares.size(), std::size_t{1});
    QCOMPARE(shares[0].share, 0.25);
    QCOMPARE(shares[0].calls, std::vector<std::string>{"MPI_Comm_split"});
}

void TestUnfollowed::localCallsAreComputation()
{
    TraceMaker maker(2);
    maker.named(0, "MPI_Pack", 0, 500).call(0, Call::Barrier, 500, 510).ends(0, 510);
    maker.call(1, Call::Barrier, 400, 510).ends(1, 510);
    const trace::Trace trace = maker.make();
    QVERIFY(unfollowedShares(trace).empty());
    QVERIFY(replayedUs(trace, 1.0) > 1.8 * replayedUs(trace, 2.0) - 200.0);
}

// MPI_Ibarrier and MPI_Wait: the wait takes its time, and is the barrier's.
void TestUnfollowed::waitsForWhatIsNotFollowed()
{
    TraceMaker maker(1);
    maker.named(0, "MPI_Ibarrier", 0, 10, {.requests = {7}});
    maker.call(0, Call::Wait, 100, 600, {.requests = {7}});
    maker.call(0, Call::Wait, 600, 700, {.requests = {8}}).ends(0, 1000);
    const trace::Trace trace = maker.make();
    const auto shares = unfollowedShares(trace);
    QCOMPARE(shares.size(), std::size_t{1});
    QCOMPARE(shares[0].share, 0.51);
    QCOMPARE(shares[0].calls, std::vector<std::string>{"MPI_Ibarrier"});
    // 390 us of computation, and the wait for nothing counts nothing.
    QCOMPARE(replayedUs(trace, 1.0), 10.0 + 90.0 + 500.0 + 300.0);
    QCOMPARE(replayedUs(trace, 2.0), 10.0 + 45.0 + 500.0 + 150.0);
}

// A thread that waits from 100 to 800, beside computation and a call of the first one.
void TestUnfollowed::otherThreads()
{
    TraceMaker maker(2);
    maker.thread(1).call(0, Call::Recv, 100, 800).receives(1);
    maker.thread(0).call(0, Call::Barrier, 500, 600).ends(0, 1000);
    maker.call(1, Call::Send, 400, 410).sends(0, 8).call(1, Call::Barrier, 420, 600).ends(1, 1000);
    const trace::Trace trace = maker.make();
    const auto sequences = callSequences(trace);
    QCOMPARE(sequences[0].steps.size(), std::size_t{1});
    QCOMPARE(sequences[0].steps[0].beforeUs, std::int64_t{500});
    QVERIFY(sequences[0].steps[0].received.empty());
    QCOMPARE(sequences[0].afterUs, std::int64_t{400});
    const auto shares = unfollowedShares(trace);
    QCOMPARE(shares.size(), std::size_t{1});
    QCOMPARE(shares[0].share, 0.6);
    QCOMPARE(shares[0].calls, std::vector<std::string>{"MPI_Recv of another thread"});
}

void TestUnfollowed::limits()
{
    TraceMaker maker(1);
    maker.named(0, "MPI_Win_fence", 0, 200).ends(0, 1000);
    const trace::Trace trace = maker.make();
    const auto refused = unfollowedDiagnostic(trace, 0.1);
    QVERIFY(refused && refused->isError());
    QVERIFY(refused->message.text().starts_with("20 % of task 0 is in MPI_Win_fence"));
    const auto allowed = unfollowedDiagnostic(trace, 0.2);
    QVERIFY(allowed && !allowed->isError());
    const Result<Compiled> compiled = compile(trace, 4096);
    QVERIFY(compiled.ok());
    QCOMPARE(compiled->warnings.size(), std::size_t{1});
    QCOMPARE(compiled->warnings[0].message.text(), allowed->message.text());
}

void TestUnfollowed::nothingToSay()
{
    TraceMaker maker(1);
    maker.named(0, "MPI_Win_fence", 0, 5).ends(0, 1000);
    QVERIFY(!unfollowedDiagnostic(maker.make(), 0.1));
    QVERIFY(unfollowedDiagnostic(maker.make(), 0.001)->isError());
}

QTEST_APPLESS_MAIN(TestUnfollowed)

} // namespace tst_unfollowed

#include "tst_unfollowed.moc"
