// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "startup/startupcensus.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tst_startupcensus {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

constexpr pid_t launcher = 100;

/// A host's processes over time: the launcher, something of somebody else, and ranks.
struct Host {
    explicit Host(std::size_t ranks) : census(launcher, ranks, now) {}

    void add(pid_t pid, const char* name = "tasuki-agent")
    {
        ProcessEntry entry;
        entry.pid = pid;
        entry.parent = launcher;
        entry.state = 'S';
        entry.name = name;
        table.push_back(entry);
    }
    ProcessEntry& process(pid_t pid) { return *std::ranges::find(table, pid, &ProcessEntry::pid); }
    bool look(std::chrono::milliseconds after = 200ms)
    {
        return census.oneHasDied(table, now += after);
    }

    SteadyTime now{};
    StartupCensus census;
    std::vector<ProcessEntry> table = [] {
        std::vector<ProcessEntry> first(2);
        first[0].pid = launcher;
        first[0].name = "mpirun";
        first[1].pid = 7;
        first[1].parent = 1;
        first[1].name = "tasuki-agent";
        return first;
    }();
};

} // namespace

/// When ranks count as dead that MPI's start-up would wait for.
class TestStartupCensus : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void allComeAndStay();
    void whoWasThereAndIsGone();
    void whoIsMissingOnceMayBeThere();
    void zombiesAreDead();
    void whoDiedUnseen();
    void slowOnesAreWaitedFor();
    void helpersOfTheLauncherDoNotCount();
    void howManyNeedNotBeKnown();
};

void TestStartupCensus::allComeAndStay()
{
    Host host(3);
    for (const pid_t rank : {101, 102, 103}) {
        QVERIFY(!host.look());
        host.add(rank);
    }
    for (int i = 0; i < 100; ++i)
        QVERIFY(!host.look());
}

void TestStartupCensus::whoWasThereAndIsGone()
{
    Host host(2);
    host.add(101);
    host.add(102);
    QVERIFY(!host.look());
    host.table.pop_back();
    QVERIFY(!host.look());
    QVERIFY(host.look());
}

void TestStartupCensus::whoIsMissingOnceMayBeThere()
{
    Host host(2);
    host.add(101);
    host.add(102);
    for (int i = 0; i < 10; ++i) {
        QVERIFY(!host.look());
        host.table.pop_back();
        QVERIFY(!host.look());
        host.add(102);
    }
}

void TestStartupCensus::zombiesAreDead()
{
    Host host(1);
    host.add(101);
    QVERIFY(!host.look());
    host.process(101).state = 'Z';
    QVERIFY(!host.look());
    QVERIFY(host.look());
}

void TestStartupCensus::whoDiedUnseen()
{
    Host host(2);
    host.add(101);
    QVERIFY(!host.look());
    QVERIFY(!host.look(3000ms));
    QVERIFY(host.look(1ms));
}

/// Three seconds count from the last one that has come; one whose program has not begun is there.
void TestStartupCensus::slowOnesAreWaitedFor()
{
    Host host(4);
    for (const pid_t rank : {101, 102, 103}) {
        QVERIFY(!host.look(2900ms));
        host.add(rank);
    }
    QVERIFY(!host.look(2900ms));
    host.add(104, "mpirun");
    for (int i = 0; i < 10; ++i)
        QVERIFY(!host.look(1000ms));
    host.process(104).name = "tasuki-agent";
    QVERIFY(!host.look(1000ms));
}

void TestStartupCensus::helpersOfTheLauncherDoNotCount()
{
    Host host(1);
    host.add(101, "ssh");
    QVERIFY(!host.look());
    QVERIFY(host.look(3001ms));
    Host other(1);
    other.add(101);
    other.add(102, "ssh");
    QVERIFY(!other.look());
    other.table.pop_back();
    QVERIFY(!other.look());
    QVERIFY(!other.look());
}

void TestStartupCensus::howManyNeedNotBeKnown()
{
    Host host(0);
    host.add(101);
    for (int i = 0; i < 10; ++i)
        QVERIFY(!host.look(1000ms));
    host.table.pop_back();
    QVERIFY(!host.look());
    QVERIFY(host.look());
}

QTEST_APPLESS_MAIN(TestStartupCensus)

} // namespace tst_startupcensus

#include "tst_startupcensus.moc"
