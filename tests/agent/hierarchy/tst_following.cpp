// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "partsfixture.h"

namespace tst_following {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;
using namespace std::chrono_literals;

namespace {

constexpr std::chrono::nanoseconds longAgo = 1h;

BeatReply saying(const Parts& parts, std::uint32_t leader, std::uint64_t after = 0)
{
    return {.stamp = Stamp{.leader = ProcessorId(leader),
                           .when = stampTime(parts.now()) + after,
                           .table = parts.state->at.view.system().version}};
}

} // namespace

/// Whom a processor follows, and who follows it.
class TestFollowing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void followsWhomItsParentFollows()
    {
        Parts parts(5);
        QVERIFY(parts->following.takeStamp(ProcessorId(4), saying(parts, 0), 0ns, parts.now()));
        QCOMPARE(parts->following.leader(), std::optional(ProcessorId(0)));
        QVERIFY(parts->following.isRecent(parts.now()));
        QVERIFY(!parts->following.takeStamp(ProcessorId(4), saying(parts, 0), 0ns,
                                            parts.now())); // no news
        QVERIFY(!parts->following.takeStamp(ProcessorId(4), saying(parts, 5), 0ns,
                                            parts.now())); // itself
    }

    void leavesWhoHadAMajorityOnlyWhenThatOneHasStoodDown()
    {
        Parts parts(5);
        QVERIFY(parts->following.takeStamp(ProcessorId(4), saying(parts, 0), 0ns, parts.now()));
        QVERIFY(!parts->following.takeStamp(ProcessorId(6), saying(parts, 4), 0ns, parts.now()));
        parts->following.hasStoodDown(ProcessorId(0));
        QVERIFY(
            parts->following.takeStamp(ProcessorId(4), saying(parts, 4, 1), longAgo, parts.now()));
        QCOMPARE(parts->following.leader(), std::optional(ProcessorId(4)));
    }

    // Fails if somebody goes to and fro between two of whom neither gets a majority by that.
    void aSystemMasterThatItHasJustChosenItKeepsForAMoment()
    {
        const auto takes = [](bool candidate, std::chrono::nanoseconds later) {
            Parts parts(5);
            parts->following.takeStamp(ProcessorId(4), saying(parts, 0), longAgo, parts.now());
            parts.clock.advance(later);
            BeatReply other = saying(parts, 4);
            other.stamp->candidate = candidate;
            return parts->following.takeStamp(ProcessorId(6), other, 0ns, parts.now());
        };
        QVERIFY(!takes(true, 200ms));
        QVERIFY(takes(false, 200ms)); // that one is a system master, too
        QVERIFY(takes(true, 550ms));
    }

    void aGrantOfAnotherOneSaysNothing()
    {
        Parts parts(5, {0});
        parts->following.takeStamp(ProcessorId(4), saying(parts, 0), 0ns, parts.now());
        parts.clock.advance(1s);
        parts->following.takeGrant(saying(parts, 4), parts.now(), parts->lease);
        QCOMPARE(parts->lease.grant().age(parts.now()), std::chrono::nanoseconds(1s));
        parts->following.takeGrant(saying(parts, 0), parts.now(), parts->lease);
        QCOMPARE(parts->lease.grant().age(parts.now()), std::chrono::nanoseconds(0));
    }

    void aMajorityOfVotersGrants()
    {
        Parts parts(0, {4, 5, 6, 7});
        const auto always = [&](SubclusterId) { return parts.now(); };
        parts.clock.advance(1s);
        parts->following.stampHere(parts.now());
        const std::uint64_t when = stampTime(parts.now());
        parts->following.countElectorate(always, parts.now());
        for (const std::uint32_t number : {1U, 2U})
            parts->following.note(ProcessorId(number), when, true);
        parts->following.countFollowers(parts->lease, parts.now());
        QCOMPARE(parts->lease.grant().age(parts.now()), std::chrono::nanoseconds(1s));
        QVERIFY(!parts->following.trustedItself(parts->lease, parts.now()));
        parts->following.note(ProcessorId(4), when, true); // on a tie the side of the first one
        parts->following.countFollowers(parts->lease, parts.now());
        QVERIFY(parts->lease.grant().age(parts.now()) < 1ms);
        QVERIFY(parts->following.trustedItself(parts->lease, parts.now()));
    }

    void anSuccessorGoesOnUnderTheGrantOfTheOneBefore()
    {
        Parts parts(4, {0});
        BeatReply reply = saying(parts, 0);
        parts->following.takeStamp(ProcessorId(0), reply, 700ms, parts.now());
        parts->following.inheritGrant(parts->lease, {ProcessorId(0)});
        QCOMPARE(parts->lease.grant().age(parts.now()), std::chrono::nanoseconds(700ms));
        parts->following.inheritGrant(parts->lease, {}); // it lives
        QCOMPARE(parts->lease.grant().given(), SteadyTime{});
    }

    void votersChangeInTwoSteps()
    {
        Parts parts(0, {4, 5, 6, 7});
        const auto always = [&](SubclusterId) { return parts.now(); };
        parts.change(
            1, [](ClusterTable& table) { table.member(ProcessorId(7))->health = Health::Lost; });
        const auto all = [&](std::uint64_t when) {
            for (std::uint32_t number = 0; number < 7; ++number)
                parts->following.note(ProcessorId(number), when, true);
        };
        parts->following.stampHere(parts.now());
        parts->following.countElectorate(always, parts.now());
        QVERIFY(!parts->following.nextVoters(parts->lease, parts.now())); // nobody follows yet
        all(stampTime(parts.now()));
        const auto joint = parts->following.nextVoters(parts->lease, parts.now());
        QVERIFY(joint.has_value());
        QCOMPARE(joint->votersToBe, processors({0, 1, 2, 3, 4, 5, 6}));
        SystemTable table = *joint;
        ++table.version.revision;
        parts->at.view.adopt(std::make_shared<const SystemTable>(table));
        parts->following.wrote(table, parts.now());
        QVERIFY(!parts->following.nextVoters(parts->lease, parts.now())); // who had it before?
        parts.clock.advance(100ms);
        parts->following.stampHere(parts.now());
        parts->following.countElectorate(always, parts.now());
        all(stampTime(parts.now()));
        const auto after = parts->following.nextVoters(parts->lease, parts.now());
        QVERIFY(after.has_value());
        QCOMPARE(after->voters, processors({0, 1, 2, 3, 4, 5, 6}));
        QVERIFY(after->votersToBe.empty());
    }
};

QTEST_APPLESS_MAIN(TestFollowing)

} // namespace tst_following

#include "tst_following.moc"
