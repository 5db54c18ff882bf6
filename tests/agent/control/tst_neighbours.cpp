// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "control/processhandle.h"
#include "controlfixture.h"

#include <cerrno>
#include <csignal>
#include <sys/resource.h>

namespace tst_neighbours {

using namespace tasuki;
using namespace tasuki::control;
using namespace std::chrono_literals;

namespace {

constexpr ProcessorId self(0);
constexpr ProcessorId childId(1);

} // namespace

class tst_Neighbours : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void killedProcessIsGone()
    {
        SleepingChild child;
        ControlFixture fixture;
        TestNode& node = fixture.add();
        node->learn({child.address(childId)});
        node->watch(childId);
        fixture.runFor(50ms);
        QCOMPARE(node.gone.size(), std::size_t{0});
        QVERIFY(node->presence(childId) == Presence::Running && !node->hasEnded(childId));
        child.signal(SIGKILL);
        QVERIFY(fixture.until([&] { return !node.gone.empty(); }));
        QVERIFY(node.gone == std::vector{childId});
        QVERIFY(node->presence(childId) == Presence::Zombie && node->hasEnded(childId));
        child.reap();
        QVERIFY(node->presence(childId) == Presence::Gone && node->hasEnded(childId));
        fixture.runFor(50ms);
        QCOMPARE(node.gone.size(), std::size_t{1}); // told once
    }

    void stoppedProcessIsStoppedAndGoesOn()
    {
        SleepingChild child;
        ControlFixture fixture;
        TestNode& node = fixture.add();
        node->learn({child.address(childId)});
        node->watch(childId);
        child.signal(SIGSTOP);
        QVERIFY(fixture.until([&] { return node->presence(childId) == Presence::Stopped; }));
        child.signal(SIGCONT);
        QVERIFY(fixture.until([&] { return node->presence(childId) == Presence::Running; }));
        QCOMPARE(node.gone.size(), std::size_t{0});
    }

    // Fails if a kill is not confirmed, be it of a stopped process that nobody watched.
    void killIsConfirmed()
    {
        SleepingChild child;
        ControlFixture fixture;
        TestNode& node = fixture.add();
        node->learn({child.address(childId)});
        child.signal(SIGSTOP);
        QVERIFY(node->kill(childId).ok());
        QVERIFY(fixture.until([&] { return !node.gone.empty(); }));
        QVERIFY(node.gone == std::vector{childId});
        child.reap();
        QVERIFY(node->kill(childId).ok()); // it is dead: what was wanted
    }

    // Fails if a process is taken for another one that had its number.
    void numberThatIsUsedAgainIsNotTheSameProcess()
    {
        SleepingChild child;
        ControlFixture fixture;
        TestNode& node = fixture.add();
        ControlAddress former = child.address(childId);
        --former.processStart; // who had the number before
        node->learn({former});
        QVERIFY(node->presence(childId) == Presence::Gone);
        node->watch(childId);
        QVERIFY(node.gone.empty()); // never from inside
        QVERIFY(fixture.until([&] { return !node.gone.empty(); }));
        QVERIFY(node->kill(childId).ok());
        // The innocent one lives.
        node->learn({child.address(ProcessorId(2))});
        QVERIFY(node->presence(ProcessorId(2)) == Presence::Running);
    }

    void processThatEndedBeforeItWasLearned()
    {
        ControlFixture fixture;
        TestNode& node = fixture.add();
        ControlAddress address;
        {
            const SleepingChild child;
            address = child.address(childId);
        }
        node->learn({address});
        node->watch(childId);
        QVERIFY(node->presence(childId) == Presence::Gone);
        QVERIFY(fixture.until([&] { return node.gone == std::vector{childId}; }));
    }

    // Fails if somebody who has not told its number yet is taken for dead.
    void whoIsNotKnownYetIsNotGone()
    {
        SleepingChild child;
        ControlFixture fixture;
        TestNode& node = fixture.add();
        QVERIFY(node->presence(childId) == Presence::Elsewhere);
        QVERIFY(node->isElsewhere(childId));
        ControlAddress address = child.address(childId);
        address.pid = 0;
        address.processStart = 0;
        node->learn({address});
        node->watch(childId);
        fixture.runFor(20ms);
        QVERIFY(node->presence(childId) == Presence::Elsewhere);
        QVERIFY(node->isElsewhere(childId));
        QVERIFY(node.gone.empty());
        node->learn({child.address(childId)});
        QVERIFY(node->presence(childId) == Presence::Running);
    }

    // Fails if a process is taken for dead because no descriptor is free to look at it.
    void withoutDescriptorsNobodyIsGone()
    {
        SleepingChild child;
        const std::uint64_t start = processStartTicks(child.pid());
        const ProcessHandle known(child.pid(), start);
        // A sanitizer looks at each type once, with descriptors of its own: now, while there are any.
        QVERIFY(!systemError("cannot", EMFILE).text().empty());
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
        rlimit none = before;
        none.rlim_cur = 3; // what is open stays open
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &none), 0);
        const ProcessHandle unknown(child.pid(), start);
        const Presence ofKnown = known.presence();
        const Presence ofUnknown = unknown.presence();
        const bool unknownHasEnded = unknown.hasEnded();
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &before), 0);
        QVERIFY(ofKnown == Presence::Running);
        QVERIFY(ofUnknown == Presence::Elsewhere && !unknownHasEnded);
        child.signal(SIGKILL);
        child.reap();
        QVERIFY(known.presence() == Presence::Gone);
        QVERIFY(unknown.presence() == Presence::Gone && unknown.hasEnded());
    }

    void processesOfOtherHostsAreElsewhere()
    {
        SleepingChild child;
        ControlFixture fixture;
        TestNode& node = fixture.add();
        ControlAddress address = child.address(childId);
        address.hostKey = "another host";
        node->learn({address});
        node->watch(childId);
        QVERIFY(node->presence(childId) == Presence::Elsewhere);
        QVERIFY(node->isElsewhere(childId));
        const auto killed = node->kill(childId);
        QVERIFY(!killed.ok());
        QCOMPARE(killed.error().text(), std::string("processor 1 is not on this host"));
        QVERIFY(node->presence(self) == Presence::Elsewhere); // oneself is not learned
        QVERIFY(node->isElsewhere(self) && !node->hasEnded(self));
        child.signal(SIGKILL);
        fixture.runFor(20ms);
        QVERIFY(node.gone.empty());
    }
};

QTEST_APPLESS_MAIN(tst_Neighbours)

} // namespace tst_neighbours

#include "tst_neighbours.moc"
