// SPDX-License-Identifier: GPL-3.0-or-later
// Whose process is whose: reading /proc, attribution to attempts, and the table of phases.
#include "process/attemptphase.h"
#include "process/lineage.h"
#include "process/processtable.h"

#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <set>
#include <thread>

namespace tst_lineage {

using namespace tasuki;
using namespace tasuki::guardian;

class LineageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsStat();
    void readsMarker();
    void findsItself();
    void findsChildren();
    void descendantsIncludeAllGenerations();
    void spansNameTheOnlyAttempt();
    void attributesProcesses();
    void phasesFollowTheTable();
};

namespace {

constexpr pid_t guardianPid = 10;

AttemptKey key(std::uint32_t task) { return {TaskId(task), AttemptNumber(1)}; }

ProcessMarker marker(std::uint32_t task) { return {"run", Epoch(1), Rank(0), key(task)}; }

ProcessEntry process(pid_t pid, pid_t parent, pid_t session, std::uint64_t ticks, char state = 'S')
{
    return {pid, parent, session, session, state, ticks, "p"};
}

} // namespace

void LineageTest::readsStat()
{
    const auto entry = parseProcessStat(
        "12 (a) b( c) S 3 4 5 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 "
        "98765 222 333\n");
    QVERIFY(entry.has_value());
    QCOMPARE(entry->pid, 12);
    QCOMPARE(QString::fromStdString(entry->name), QStringLiteral("a) b( c"));
    QCOMPARE(entry->state, 'S');
    QCOMPARE(entry->parent, 3);
    QCOMPARE(entry->group, 4);
    QCOMPARE(entry->session, 5);
    QCOMPARE(entry->startTicks, std::uint64_t(98765));
    for (const char* bad :
         {"", "12", "12 (a", "12 (a)", "12 (a) S", "12 (a) S 3 4 5", "x (a) S 3 4 5"})
        QVERIFY2(!parseProcessStat(bad).has_value(), bad);
}

void LineageTest::readsMarker()
{
    const std::string before("A=1\0TASUKI_RUN=ab\0TASUKI_EPOCH=2\0TASUKI_RANK=3\0", 47);
    const std::string after("TASUKI_TASK=4\0X=TASUKI_TASK=7\0TASUKI_ATTEMPT=5\0", 47);
    const auto found = parseProcessMarker(before + after);
    QVERIFY(found.has_value());
    QVERIFY(*found == (ProcessMarker{"ab", Epoch(2), Rank(3), {TaskId(4), AttemptNumber(5)}}));
    QVERIFY(!parseProcessMarker(before).has_value());
    QVERIFY(!parseProcessMarker(before + std::string("TASUKI_TASK=x\0TASUKI_ATTEMPT=5\0", 31)));
}

void LineageTest::findsItself()
{
    const auto table = readProcesses();
    const auto self = std::find_if(table.begin(), table.end(),
                                   [](const auto& each) { return each.pid == ::getpid(); });
    QVERIFY(self != table.end());
    QCOMPARE(self->parent, ::getppid());
    QCOMPARE(self->session, ::getsid(0));
    QVERIFY(self->startTicks <= nowInTicks());
    QVERIFY(nowInTicks() - self->startTicks < 100'000);
}

void LineageTest::findsChildren()
{
    // One of another thread, one that has ended.
    pid_t first = -1;
    std::thread([&first] {
        first = ::fork();
        if (first == 0) {
            ::pause();
            ::_exit(0);
        }
    }).join();
    const pid_t second = ::fork();
    if (second == 0)
        ::_exit(0);
    QVERIFY(first > 0 && second > 0);
    siginfo_t info{};
    QCOMPARE(::waitid(P_PID, static_cast<id_t>(second), &info, WEXITED | WNOWAIT), 0);
    const auto table = readChildrenOf({::getpid(), second});
    const auto all = readProcesses();
    ::kill(first, SIGKILL);
    ::waitpid(first, nullptr, 0);
    ::waitpid(second, nullptr, 0);
    std::set<pid_t> found;
    for (const ProcessEntry& child : table) {
        QCOMPARE(child.parent, ::getpid());
        QCOMPARE(child.zombie(), child.pid == second);
        found.insert(child.pid);
    }
    QVERIFY(found == (std::set<pid_t>{first, second}));
    QVERIFY(std::ranges::count(all, ::getpid(), &ProcessEntry::parent) == 2);
    QVERIFY(readChildrenOf({second}).empty());
}

void LineageTest::descendantsIncludeAllGenerations()
{
    const std::vector<ProcessEntry> table{process(5, 20, 5, 0), process(10, 1, 10, 0),
                                          process(20, 10, 20, 0), process(30, 1, 30, 0),
                                          process(40, 5, 40, 0)};
    std::set<pid_t> found;
    for (const auto& each : descendantsOf(table, 10))
        found.insert(each.pid);
    QVERIFY(found == (std::set<pid_t>{5, 20, 40}));
}

void LineageTest::spansNameTheOnlyAttempt()
{
    AttemptSpans spans;
    spans.begin(key(1), 100);
    QVERIFY(!spans.onlyOneAt(90));
    QVERIFY(spans.onlyOneAt(500) == key(1));
    spans.begin(key(2), 200);
    QVERIFY(spans.onlyOneAt(150) == key(1));
    QVERIFY(!spans.onlyOneAt(300));
    spans.end(key(1), 400);
    QVERIFY(!spans.onlyOneAt(300));
    QVERIFY(spans.onlyOneAt(500) == key(2));
}

void LineageTest::attributesProcesses()
{
    AttemptSpans spans;
    spans.begin(key(1), 100);
    spans.begin(key(2), 200);
    std::map<pid_t, ProcessMarker> markers{
        {100, marker(1)}, {200, marker(2)}, {120, marker(1)}, {220, marker(2)}};
    auto foreign = marker(1);
    foreign.epoch = Epoch(7);
    markers[130] = foreign;
    const std::vector<ProcessEntry> below{
        process(100, guardianPid, 100, 100),      // its first process
        process(200, guardianPid, 200, 200),      // another attempt's
        process(101, 100, 100, 110),              // a child
        process(102, guardianPid, 100, 110),      // an orphan of its session
        process(120, guardianPid, 120, 210),      // detached, still marked
        process(121, 120, 121, 250),              // and its detached, unmarked child
        process(130, guardianPid, 130, 110),      // marked by another epoch
        process(140, guardianPid, 140, 150),      // unmarked, from when only attempt 1 ran
        process(150, guardianPid, 150, 250),      // unmarked, could be either's
        process(151, 150, 150, 260),              // below that one
        process(160, guardianPid, 100, 110, 'Z'), // dead
        process(220, guardianPid, 220, 210),
    };
    Lineage lineage(marker(1), 100);
    const auto read = [&](pid_t pid) -> std::optional<ProcessMarker> {
        const auto place = markers.find(pid);
        return place == markers.end() ? std::nullopt : std::optional(place->second);
    };
    std::set<pid_t> found;
    for (const auto& each : lineage.members(below, guardianPid, spans, read))
        found.insert(each.pid);
    QVERIFY(found == (std::set<pid_t>{100, 101, 102, 120, 121, 140}));

    // The session of 121 is known by now, though its parent is gone and it has a new parent.
    const std::vector<ProcessEntry> later{process(123, guardianPid, 121, 300)};
    QCOMPARE(lineage.members(later, guardianPid, spans, read).size(), std::size_t(1));
}

void LineageTest::phasesFollowTheTable()
{
    using enum AttemptPhase;
    QCOMPARE(nextPhase(Preparing, AttemptEvent::Launched), Running);
    QCOMPARE(nextPhase(Preparing, AttemptEvent::StopGently), Ended);
    QCOMPARE(nextPhase(Running, AttemptEvent::Exited), Ended);
    QCOMPARE(nextPhase(Running, AttemptEvent::StopGently), Terminating);
    QCOMPARE(nextPhase(Running, AttemptEvent::StopNow), Killing);
    QCOMPARE(nextPhase(Terminating, AttemptEvent::Exited), Terminating);
    QCOMPARE(nextPhase(Terminating, AttemptEvent::StopNow), Killing);
    QCOMPARE(nextPhase(Terminating, AttemptEvent::GraceOver), Killing);
    QCOMPARE(nextPhase(Killing, AttemptEvent::Exited), Killing);
    QCOMPARE(nextPhase(Killing, AttemptEvent::NothingLeft), Ended);
    for (std::size_t event = 0; event < attemptEventCount; ++event)
        QCOMPARE(nextPhase(Ended, static_cast<AttemptEvent>(event)), Ended);
}

QTEST_APPLESS_MAIN(LineageTest)

} // namespace tst_lineage

#include "tst_lineage.moc"
