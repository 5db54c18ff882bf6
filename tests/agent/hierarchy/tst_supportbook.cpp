// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "hierarchy/supportbook.h"

#include "hierarchy/codec.h"
#include "membershipstage.h"

namespace tst_supportbook {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;
using namespace std::chrono_literals;

namespace {

const SteadyTime noon{100s};
constexpr std::uint64_t noonStamp = 100'000;
/// So long nobody else was acknowledged by who follows alone.
constexpr auto window = 3800ms;

/// What somebody says who goes by the tables of a view.
Stamp stampBy(const MembershipView& view, std::uint32_t leader, std::uint64_t when)
{
    return {.leader = ProcessorId(leader), .when = when, .table = view.system().version};
}

/// What processor 0 knows, which follows itself, as others did some ms ago.
SupportBook followed(std::initializer_list<std::pair<std::uint32_t, std::uint64_t>> ages)
{
    SupportBook book{ProcessorId(0)};
    book.takeWord({.leader = ProcessorId(0), .when = noonStamp}, noon, noon);
    book.follow(ProcessorId(0));
    for (const auto& [number, age] : ages)
        book.note(ProcessorId(number), noonStamp - age, true);
    return book;
}

} // namespace

class TestSupportBook : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void majorities_data();
    void majorities();
    void onlyNewerWordCounts();
    void onlyByTheSameTableIsAcknowledged_data();
    void onlyByTheSameTableIsAcknowledged();
    void whoHearsOfAnotherIsNotAlone();
    void whatWasMadeLongAgoBindsForLess();
    void whatWasNotAcknowledgedBindsNobody();
    void whoIsLostIsSucceeded();
    void renouncedStampsBindNobody();
    void ownRenouncedStampsCountNoMore();
    void renunciationsAreSaidForAWhile();
    void candidates();
    void reportsAreNeverTooNew();
    void reportsOfOthersAreNotTaken();
    void largeReportsComeInParts();
};

void TestSupportBook::majorities_data()
{
    QTest::addColumn<std::vector<ProcessorId>>("electorate");
    QTest::addColumn<int>("age"); // in ms; -1: there is none
    QTest::newRow("one") << processors({1}) << 100;
    QTest::newRow("nobody") << processors({}) << -1;
    QTest::newRow("two, by the older one") << processors({1, 2}) << 100;
    QTest::newRow("three, by the second") << processors({1, 2, 3}) << 200;
    QTest::newRow("half, with the first") << processors({1, 2, 8, 9}) << 200;
    QTest::newRow("half, without the first") << processors({0, 1, 2, 9}) << -1;
    QTest::newRow("less than half") << processors({1, 7, 8}) << -1;
    QTest::newRow("five") << processors({1, 2, 3, 4, 9}) << 300;
}

// Processors 1 to 4 follow since 100 to 400 ms ago; the others do not.
void TestSupportBook::majorities()
{
    QFETCH(std::vector<ProcessorId>, electorate);
    QFETCH(int, age);
    const SupportBook book = followed({{1, 100}, {2, 200}, {3, 300}, {4, 400}});
    const auto when = book.majority(electorate, false);
    QCOMPARE(when.has_value(), age >= 0);
    if (when)
        QCOMPARE(*when, noonStamp - static_cast<std::uint64_t>(age));
}

void TestSupportBook::onlyNewerWordCounts()
{
    SupportBook book{ProcessorId(1)};
    QVERIFY(!book.newest());
    QVERIFY(book.takeWord({.leader = ProcessorId(0), .when = 500}, noon, noon));
    QVERIFY(!book.takeWord({.leader = ProcessorId(0), .when = 500}, noon + 1s, noon + 1s));
    QVERIFY(!book.takeWord({.leader = ProcessorId(0), .when = 400}, noon + 1s, noon + 1s));
    QVERIFY(!book.newest()); // it follows nobody
    book.follow(ProcessorId(0));
    QCOMPARE(book.newest(), (std::optional(Stamp{ProcessorId(0), 500})));
    QCOMPARE(book.silentFor(noon + 1s), std::chrono::nanoseconds(1s));
    // Of a processor too: an older word that comes by another way changes nothing.
    book.note(ProcessorId(2), 400, true);
    book.note(ProcessorId(2), 300, false);
    QCOMPARE(book.majority(processors({2}), true), std::optional(std::uint64_t(400)));
}

void TestSupportBook::onlyByTheSameTableIsAcknowledged_data()
{
    QTest::addColumn<int>("newer"); // the stamp's table, by revisions
    QTest::addColumn<bool>("has");
    QTest::newRow("older") << -1 << false;
    QTest::newRow("the same") << 0 << true;
    QTest::newRow("newer") << 1 << false;
}

// Fails if who counts other voters than this processor knows can count on it.
void TestSupportBook::onlyByTheSameTableIsAcknowledged()
{
    QFETCH(int, newer);
    QFETCH(bool, has);
    MembershipView view = startedView();
    SupportBook book{ProcessorId(5)};
    Stamp stamp = stampBy(view, 0, 500);
    stamp.table.revision += static_cast<std::uint64_t>(newer);
    book.takeWord(stamp, noon, noon);
    book.follow(ProcessorId(0));
    book.acknowledge(view, noon, window);
    QCOMPARE(book.acknowledged().has_value(), has);
    QCOMPARE(book.acknowledged(ProcessorId(5)), std::uint64_t(has ? 500 : 0));
    QCOMPARE(book.report(view.cluster(SubclusterId(1)), 25ms)->steps.size(),
             std::size_t(has ? 1 : 0));
    // When its own is the same it does.
    if (newer == 1) {
        view.adopt(systemAfter(view, [](SystemTable&) {}));
        book.acknowledge(view, noon, window);
        QCOMPARE(book.acknowledged(ProcessorId(5)), std::uint64_t(500));
    }
}

void TestSupportBook::whoHearsOfAnotherIsNotAlone()
{
    const MembershipView view = startedView();
    SupportBook book{ProcessorId(5)};
    book.takeWord(stampBy(view, 0, 500), noon, noon);
    book.follow(ProcessorId(0));
    book.acknowledge(view, noon + 1s, window); // counts from when it was made
    QVERIFY(book.acknowledged()->second);
    book.takeWord(stampBy(view, 4, 700), noon + 3s, noon + 3s);
    book.follow(ProcessorId(4));
    QVERIFY(!book.acknowledged());
    book.acknowledge(view, noon + window, window);
    QCOMPARE(book.acknowledged()->first, (Stamp{.leader = ProcessorId(4), .when = 700}));
    QVERIFY(!book.acknowledged()->second);
    // Who does not follow alone counts, but not for the one that is to act.
    QVERIFY(book.majority(processors({5}), false).has_value());
    QVERIFY(!book.majority(processors({5}), true).has_value());
    book.acknowledge(view, noon + window + 1ms, window);
    QVERIFY(book.acknowledged()->second);
    QVERIFY(book.majority(processors({5}), true).has_value());
}

// A stamp may have been long on its way.
void TestSupportBook::whatWasMadeLongAgoBindsForLess()
{
    const MembershipView view = startedView();
    SupportBook book{ProcessorId(5)};
    book.takeWord(stampBy(view, 0, 500), noon - 1s, noon);
    QCOMPARE(book.newestMade(), SteadyTime{}); // of nobody
    book.follow(ProcessorId(0));
    QCOMPARE(book.newestMade(), noon - 1s);
    QCOMPARE(book.silentFor(noon), std::chrono::nanoseconds(0));
    book.acknowledge(view, noon, window);
    // By another way it has come sooner.
    book.takeWord(stampBy(view, 0, 500), noon - 2s, noon);
    QCOMPARE(book.newestMade(), noon - 2s);
    book.takeWord(stampBy(view, 4, 700), noon, noon);
    book.follow(ProcessorId(4));
    book.acknowledge(view, noon - 1s + window, window);
    QVERIFY(!book.acknowledged()->second);
    book.acknowledge(view, noon - 1s + window + 1ms, window);
    QVERIFY(book.acknowledged()->second);
}

// Fails if what was only heard, and never acknowledged, keeps a processor from following another one.
void TestSupportBook::whatWasNotAcknowledgedBindsNobody()
{
    const MembershipView view = startedView();
    SupportBook book{ProcessorId(5)};
    Stamp old = stampBy(view, 0, 500);
    --old.table.revision;
    book.takeWord(old, noon, noon);
    book.follow(ProcessorId(0));
    book.acknowledge(view, noon, window); // by another table
    book.takeWord(stampBy(view, 1, 600), noon, noon);
    book.takeWord(stampBy(view, 4, 700), noon, noon);
    book.follow(ProcessorId(4));
    book.acknowledge(view, noon, window);
    QVERIFY(book.acknowledged()->second);
    // A newer word of one that was acknowledged does not make that acknowledgement newer.
    book.takeWord(stampBy(view, 1, 601), noon + 1s, noon + 1s);
    book.follow(ProcessorId(1));
    book.acknowledge(view, noon + 1s, window);
    book.takeWord(stampBy(view, 1, 602), noon + 10s, noon + 10s);
    book.follow(ProcessorId(4));
    book.acknowledge(view, noon + 1s + window, window);
    QVERIFY(!book.acknowledged()->second);
    book.takeWord(stampBy(view, 4, 800), noon + 1s + window, noon + 1s + window);
    book.acknowledge(view, noon + 1s + window + 1ms, window);
    QVERIFY(book.acknowledged()->second);
}

void TestSupportBook::whoIsLostIsSucceeded()
{
    MembershipView view = startedView();
    SupportBook book{ProcessorId(5)};
    book.takeWord(stampBy(view, 0, 500), noon, noon);
    book.follow(ProcessorId(0));
    book.acknowledge(view, noon, window);
    book.takeWord(stampBy(view, 1, 600), noon, noon);
    book.follow(ProcessorId(1));
    book.acknowledge(view, noon, window);
    QVERIFY(!book.acknowledged()->second);
    const auto bury = [&view](bool ended) {
        return view.adopt(clusterAfter(view, 0, [ended](ClusterTable& table) {
            table.member(ProcessorId(0))->health = Health::Lost;
            table.member(ProcessorId(0))->ended = ended;
            table.writer = ProcessorId(1);
            table.version.term = table.version.term.next();
        }));
    };
    // Who does not know the table may trust it again.
    QVERIFY(bury(false));
    book.acknowledge(view, noon, window);
    QVERIFY(!book.acknowledged()->second);
    QVERIFY(bury(true));
    book.acknowledge(view, noon, window);
    QVERIFY(book.acknowledged()->second);
    // But not by another one than who wrote it.
    book.takeWord(stampBy(view, 4, 700), noon, noon);
    book.follow(ProcessorId(4));
    book.acknowledge(view, noon, window);
    QVERIFY(!book.acknowledged()->second);
}

// Fails if stamps on which nothing hangs keep others from following another one for the whole time.
void TestSupportBook::renouncedStampsBindNobody()
{
    const MembershipView view = startedView();
    SupportBook book{ProcessorId(5)};
    book.takeWord(stampBy(view, 0, 500), noon, noon);
    book.follow(ProcessorId(0));
    book.acknowledge(view, noon, window);
    book.takeWord(stampBy(view, 4, 700), noon, noon);
    book.follow(ProcessorId(4));
    book.acknowledge(view, noon, window);
    QVERIFY(!book.acknowledged()->second);
    book.takeRenounced({.leader = ProcessorId(0), .when = 499}, noon); // not that one
    book.acknowledge(view, noon, window);
    QVERIFY(!book.acknowledged()->second);
    book.takeRenounced({.leader = ProcessorId(0), .when = 500}, noon);
    book.acknowledge(view, noon, window);
    QVERIFY(book.acknowledged()->second);
    // Nobody acknowledges it any more, but what comes later.
    book.follow(ProcessorId(0));
    book.acknowledge(view, noon, window);
    QVERIFY(!book.acknowledged());
    book.takeWord(stampBy(view, 0, 501), noon, noon);
    book.acknowledge(view, noon, window);
    QCOMPARE(book.acknowledged(ProcessorId(5)), std::uint64_t(501));
    // What is older than what is known says nothing.
    book.takeRenounced({.leader = ProcessorId(0), .when = 400}, noon);
    QCOMPARE(book.renounced(noon, window), std::vector{(Stamp{ProcessorId(0), 500})});
}

// Fails if who has renounced its stamps can act on acknowledgements of these.
void TestSupportBook::ownRenouncedStampsCountNoMore()
{
    SupportBook book = followed({{1, 0}, {2, 100}});
    QCOMPARE(book.majority(processors({1}), true), std::optional(noonStamp));
    book.renounce(noon);
    QVERIFY(!book.majority(processors({1, 2}), false));
    QVERIFY(!book.majority(processors({1}), true));
    QCOMPARE(book.acknowledged(ProcessorId(1)), std::uint64_t(0));
    book.note(ProcessorId(1), noonStamp + 1, true);
    QCOMPARE(book.majority(processors({1}), true), std::optional(noonStamp + 1));
    QVERIFY(!book.majority(processors({2}), false));
}

void TestSupportBook::renunciationsAreSaidForAWhile()
{
    SupportBook book{ProcessorId(0)};
    QVERIFY(book.renounced(noon, window).empty());
    book.renounce(noon);
    const Stamp own{.leader = ProcessorId(0), .when = noonStamp};
    QCOMPARE(book.renounced(noon + window, window), std::vector{own});
    QVERIFY(book.renounced(noon + window + 1ms, window).empty());
    // Not longer as it is heard again.
    book.takeRenounced(own, noon + 1s);
    QVERIFY(book.renounced(noon + window + 1ms, window).empty());
    // The newest, when there are many.
    for (std::uint32_t number = 1; number <= mostRenounced + 2; ++number)
        book.takeRenounced({ProcessorId(number), 7}, noon + std::chrono::milliseconds(number));
    const auto said = book.renounced(noon + 1s, window);
    QCOMPARE(said.size(), mostRenounced);
    QCOMPARE(said.front(), (Stamp{ProcessorId(mostRenounced + 2), 7}));
    QCOMPARE(said.back(), (Stamp{ProcessorId(3), 7}));
}

void TestSupportBook::candidates()
{
    const MembershipView view = startedView();
    SupportBook book{ProcessorId(5)};
    book.follow(ProcessorId(4));
    Stamp stamp = stampBy(view, 4, 500);
    stamp.candidate = true;
    book.takeWord(stamp, noon, noon);
    QCOMPARE(book.newest(), std::optional(stamp));
    // One that was made in the same instant when it was none any more, with its table.
    stamp.candidate = false;
    ++stamp.table.revision;
    QVERIFY(!book.takeWord(stamp, noon, noon));
    QCOMPARE(book.newest(), std::optional(stamp));
    Stamp late = stampBy(view, 4, 500);
    late.candidate = true;
    book.takeWord(late, noon, noon);
    QCOMPARE(book.newest(), std::optional(stamp));
}

void TestSupportBook::reportsAreNeverTooNew()
{
    const MembershipView view = startedView();
    const ClusterTable& table = view.cluster(SubclusterId(1)); // processors 4 to 7
    SupportBook book{ProcessorId(4)};
    book.takeWord({.leader = ProcessorId(0), .when = noonStamp}, noon, noon);
    QVERIFY(!book.report(table, 25ms));
    book.follow(ProcessorId(0));
    book.note(ProcessorId(5), noonStamp - 26, true);
    book.note(ProcessorId(7), noonStamp - 100, false);
    book.note(ProcessorId(6), noonStamp - 90'000, false);
    const auto support = book.report(table, 25ms);
    QVERIFY(support.has_value());
    SupportBook above{ProcessorId(0)};
    above.takeWord({.leader = ProcessorId(0), .when = noonStamp + 40}, noon, noon);
    above.follow(ProcessorId(0));
    above.take(table, *support);
    QCOMPARE(above.majority(processors({5}), true), std::optional(noonStamp - 50));
    QCOMPARE(above.majority(processors({7}), false), std::optional(noonStamp - 100));
    QVERIFY(!above.majority(processors({7}), true));
    QVERIFY(!above.majority(processors({6}), false)); // too long ago to be said
    // Rows that there are not.
    Support wrong = *support;
    wrong.first = 4;
    above.take(table, wrong);
    wrong.first = 3;
    above.take(table, wrong);
    QCOMPARE(above.majority(processors({7}), true), std::optional(noonStamp - 50));
}

void TestSupportBook::reportsOfOthersAreNotTaken()
{
    const MembershipView view = startedView();
    const ClusterTable& table = view.cluster(SubclusterId(1));
    SupportBook book = followed({});
    Support support{.newest = {ProcessorId(4), noonStamp}, .steps = {'\0'}};
    book.take(table, support);
    QVERIFY(!book.majority(processors({4}), false)); // of who follows somebody else
    support.newest.leader = ProcessorId(0);
    book.take(table, support);
    QVERIFY(book.majority(processors({4}), false).has_value());
    // Who changes sides begins anew.
    book.follow(ProcessorId(4));
    book.follow(ProcessorId(0));
    QVERIFY(!book.majority(processors({4}), false));
}

void TestSupportBook::largeReportsComeInParts()
{
    constexpr std::uint32_t many = 2000;
    std::vector<Place> places(many);
    const MembershipView view(places, {}, {});
    const ClusterTable& table = view.cluster(SubclusterId(0));
    SupportBook book{ProcessorId(3)};
    book.takeWord({.leader = ProcessorId(0),
                   .when = noonStamp,
                   .table = {TableTerm(~std::uint64_t{0}), ~std::uint64_t{0}},
                   .candidate = true},
                  noon, noon);
    book.follow(ProcessorId(0));
    std::vector<ProcessorId> all;
    for (std::uint32_t number = 2; number < many; ++number) {
        book.note(ProcessorId(number), noonStamp - 100, true);
        all.emplace_back(number);
    }
    const std::vector renounced(mostRenounced, Stamp{ProcessorId(many), std::uint64_t{1} << 43U});
    SupportBook above = followed({});
    for (int beat = 0; beat < 3; ++beat) {
        QVERIFY(!above.majority(all, true) || beat > 1);
        const Beat message{.number = ~std::uint64_t{0},
                           .digest = ~std::uint64_t{0},
                           .own = {TableTerm(~std::uint64_t{0}), ~std::uint64_t{0}},
                           .turns = ~std::uint64_t{0},
                           .readiness = Readiness::Leaving,
                           .holding = Holding{SeatId(~0U), Incarnation(~0U)},
                           .support = book.report(table, 25ms),
                           .system = {TableTerm(~std::uint64_t{0}), ~std::uint64_t{0}},
                           .lapsed = true,
                           .generation = Generation(std::uint64_t{1} << 31U),
                           .renounced = renounced};
        // What a datagram of 1,200 bytes holds besides its header and tag.
        QVERIFY(encode(message).size() <= 1'152);
        above.take(table, *message.support);
    }
    QCOMPARE(above.majority(all, true), std::optional(noonStamp - 100));
    QCOMPARE(above.majority(processors({many - 1}), true), std::optional(noonStamp - 100));
}

QTEST_APPLESS_MAIN(TestSupportBook)

} // namespace tst_supportbook

#include "tst_supportbook.moc"
