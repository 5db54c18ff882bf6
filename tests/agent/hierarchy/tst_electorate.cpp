// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "hierarchy/electorate.h"

#include "membershipstage.h"

namespace tst_electorate {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;
using namespace std::chrono_literals;

namespace {

const SteadyTime noon{100s};
constexpr std::uint64_t noonStamp = 100'000;
constexpr auto window = 3800ms;

/// What is known of eight voters by one of them.
struct Poll {
    explicit Poll(std::uint32_t self) : book(ProcessorId(self))
    {
        book.takeWord({.leader = ProcessorId(self), .when = noonStamp}, noon, noon);
        book.follow(ProcessorId(self));
    }
    /// Some follow since some ms ago.
    void follow(std::initializer_list<std::uint32_t> who, std::uint64_t age, bool alone = true)
    {
        for (const std::uint32_t number : who)
            book.note(ProcessorId(number), noonStamp - age, alone);
    }
    void count(SteadyTime now = noon)
    {
        electorate.count(
            view, [this](ProcessorId one) { return ended.contains(one); },
            [this](ProcessorId one) { return ended.at(one); }, now, window);
    }
    void setVoters(std::initializer_list<std::uint32_t> voters,
                   std::initializer_list<std::uint32_t> toBe = {})
    {
        view.adopt(systemAfter(view, [&](SystemTable& system) {
            system.voters = processors(voters);
            system.votersToBe = processors(toBe);
        }));
    }
    void lose(std::uint32_t number)
    {
        view.adopt(clusterAfter(view, number / 4, [number](ClusterTable& table) {
            table.member(ProcessorId(number))->health = Health::Lost;
        }));
    }
    [[nodiscard]] std::optional<std::uint64_t> majority() const
    {
        return electorate.majority(book);
    }
    [[nodiscard]] std::optional<std::uint64_t> alone() const
    {
        return electorate.majorityAlone(book);
    }

    MembershipView view = startedView();
    SupportBook book;
    Electorate electorate;
    std::map<ProcessorId, SteadyTime> ended; ///< since when that is known
};

} // namespace

class TestElectorate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everybodyVotesAtFirst();
    void ties();
    void onlyVotersCount();
    void bothListsAreNeeded();
    void whoHasEndedCountsNoMore();
    void whoIsOnlySilentCounts();
    void whoHasEndedOfLateCountsAmongThoseAlone();
    void whoDoesNotFollowAlone();
    void allHaveIt();
    void wanted();
};

void TestElectorate::everybodyVotesAtFirst()
{
    Poll poll(4);
    QVERIFY(poll.electorate.empty());
    poll.count();
    QVERIFY(!poll.electorate.empty());
    poll.follow({4, 5, 6, 7}, 0);
    QVERIFY(!poll.majority() && !poll.alone());
    poll.follow({3}, 200);
    QCOMPARE(poll.majority(), std::optional(noonStamp - 200));
    QCOMPARE(poll.alone(), std::optional(noonStamp - 200));
    poll.electorate.clear();
    QVERIFY(poll.electorate.empty());
    QVERIFY(!poll.majority());
    QCOMPARE(votersOf(poll.view), processors({0, 1, 2, 3, 4, 5, 6, 7}));
}

// Fails if both halves go on, or neither does.
void TestElectorate::ties()
{
    Poll without(4);
    without.count();
    without.follow({4, 5, 6, 7}, 0);
    QVERIFY(!without.majority() && !without.alone());
    Poll with(0);
    with.count();
    with.follow({0, 1, 2, 3}, 100);
    QCOMPARE(with.majority(), std::optional(noonStamp - 100));
    QCOMPARE(with.alone(), std::optional(noonStamp - 100));
    // The first is the first voter that has not ended, whoever it is.
    Poll later(4);
    later.ended = {{ProcessorId(0), noon - 10s}, {ProcessorId(1), noon - 10s}};
    later.count();
    later.follow({2, 4, 5}, 0);
    QVERIFY(later.majority() && later.alone());
    Poll last(4);
    last.ended = later.ended;
    last.count();
    last.follow({4, 5, 6}, 0);
    QVERIFY(!last.majority() && !last.alone());
}

void TestElectorate::onlyVotersCount()
{
    Poll poll(4);
    poll.setVoters({0, 1, 4, 5, 6});
    poll.count();
    QCOMPARE(votersOf(poll.view), processors({0, 1, 4, 5, 6}));
    poll.follow({2, 3, 4, 5, 7}, 0);
    QVERIFY(!poll.majority() && !poll.alone());
    poll.follow({6}, 300);
    QCOMPARE(poll.majority(), std::optional(noonStamp - 300));
    // Rows that there are not.
    poll.setVoters({4, 77});
    poll.count();
    QVERIFY(poll.majority().has_value());
}

// Fails if a majority of one of two lists does, while voters change.
void TestElectorate::bothListsAreNeeded()
{
    Poll poll(0);
    poll.setVoters({0, 1, 2}, {0, 1, 2, 3, 4, 5, 6});
    poll.count();
    poll.follow({0, 1, 2}, 0);
    QVERIFY(!poll.majority() && !poll.alone());
    poll.follow({6}, 400);
    QCOMPARE(poll.majority(), std::optional(noonStamp - 400)); // by the list that is later
    QCOMPARE(poll.alone(), std::optional(noonStamp - 400));
    Poll former(0);
    former.setVoters({0, 1, 2}, {0, 1, 2, 3, 4, 5, 6});
    former.count();
    former.follow({0, 3, 4, 5, 6}, 0);
    QVERIFY(!former.majority() && !former.alone());
}

void TestElectorate::whoHasEndedCountsNoMore()
{
    Poll poll(4);
    poll.follow({4, 5, 6, 7}, 0);
    poll.ended = {{ProcessorId(3), noon - 10s}};
    poll.count();
    QVERIFY(poll.majority() && poll.alone()); // of seven
}

void TestElectorate::whoIsOnlySilentCounts()
{
    Poll poll(4);
    poll.follow({4, 5, 6, 7}, 0);
    poll.lose(3);
    poll.count();
    QVERIFY(!poll.majority() && !poll.alone()); // of eight
}

// Fails if somebody acts at once on whom a former system master may not have counted yet.
void TestElectorate::whoHasEndedOfLateCountsAmongThoseAlone()
{
    Poll poll(4);
    poll.follow({4, 5, 6, 7}, 0);
    poll.ended = {{ProcessorId(3), noon}};
    poll.count();
    QVERIFY(poll.majority() && !poll.alone());
    poll.count(noon + window - 1ms);
    QVERIFY(!poll.alone());
    poll.count(noon + window);
    QVERIFY(poll.alone());
    // It counts from when that was known first.
    Poll again(4);
    again.follow({4, 5, 6, 7}, 0);
    again.ended = {{ProcessorId(3), noon}};
    again.count();
    again.ended = {{ProcessorId(3), noon + window}};
    again.count(noon + window);
    QVERIFY(again.alone());
    // Who followed before it ended, alone, is one of the majority still.
    Poll before(4);
    before.follow({3, 4, 5, 6, 7}, 0);
    before.ended = {{ProcessorId(3), noon}};
    before.count();
    QVERIFY(before.alone());
}

void TestElectorate::whoDoesNotFollowAlone()
{
    Poll poll(0);
    poll.count();
    poll.follow({0, 1, 2, 3}, 0);
    poll.follow({4, 5}, 500, false);
    QCOMPARE(poll.majority(), std::optional(noonStamp));
    poll.setVoters({1, 2, 3, 4, 5, 6, 7});
    poll.count();
    QCOMPARE(poll.majority(), std::optional(noonStamp - 500));
    QVERIFY(!poll.alone());
    poll.follow({4}, 500);
    QCOMPARE(poll.alone(), std::optional(noonStamp - 500));
}

// Fails if new voters count before all who lived with the former ones know of them.
void TestElectorate::allHaveIt()
{
    Poll poll(0);
    poll.setVoters({0, 1, 4}, {0, 1, 4, 5});
    poll.count();
    poll.follow({0, 1, 4}, 10);
    const auto all = [&] { return poll.electorate.allHave(poll.book, poll.view, noonStamp - 20); };
    QVERIFY(!all()); // those to come as well
    poll.follow({5}, 20);
    QVERIFY(!all()); // a newer one
    poll.follow({5}, 19);
    QVERIFY(all());
    // Who is dead for all need not.
    Poll dead(0);
    dead.setVoters({0, 1, 4, 6}, {0, 1, 4, 5});
    dead.follow({0, 1, 4, 5}, 10);
    dead.count();
    QVERIFY(!dead.electorate.allHave(dead.book, dead.view, noonStamp - 20));
    dead.lose(6);
    dead.count();
    QVERIFY(dead.electorate.allHave(dead.book, dead.view, noonStamp - 20));
}

void TestElectorate::wanted()
{
    Poll poll(0);
    poll.setVoters({0, 1, 2, 3});
    poll.lose(2);
    QCOMPARE(votersWanted(poll.view), processors({0, 1, 3, 4, 5, 6, 7}));
}

QTEST_APPLESS_MAIN(TestElectorate)

} // namespace tst_electorate

#include "tst_electorate.moc"
