// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "hierarchy/supportbook.h"

#include "hierarchy/codec.h"
#include "keeperstage.h"

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;
using namespace std::chrono_literals;

namespace {

const SteadyTime noon{100s};
constexpr std::uint64_t noonStamp = 100'000;

std::vector<ProcessorId> processors(std::initializer_list<std::uint32_t> numbers)
{
    return {numbers.begin(), numbers.end()};
}

/// What processor 0 knows, which follows itself, as others did some ms ago.
SupportBook followed(std::initializer_list<std::pair<std::uint32_t, std::uint64_t>> ages)
{
    SupportBook book{ProcessorId(0)};
    book.takeWord({.reign = ProcessorId(0), .when = noonStamp}, noon);
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
    void whoHearsOfAnotherIsNotAlone();
    void whoIsLostIsSucceeded();
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
    QVERIFY(book.takeWord({.reign = ProcessorId(0), .when = 500}, noon));
    QVERIFY(!book.takeWord({.reign = ProcessorId(0), .when = 500}, noon + 1s));
    QVERIFY(!book.takeWord({.reign = ProcessorId(0), .when = 400}, noon + 1s));
    QVERIFY(!book.newest()); // it follows nobody
    book.follow(ProcessorId(0));
    QCOMPARE(book.newest(), (std::optional(Stamp{ProcessorId(0), 500})));
    QCOMPARE(book.silentFor(noon + 1s), std::chrono::nanoseconds(1s));
    // Of a processor too: an older word that comes by another way changes nothing.
    book.note(ProcessorId(2), 400, true);
    book.note(ProcessorId(2), 300, false);
    QCOMPARE(book.majority(processors({2}), true), std::optional(std::uint64_t(400)));
}

void TestSupportBook::whoHearsOfAnotherIsNotAlone()
{
    const Picture picture = startedPicture();
    SupportBook book{ProcessorId(5)};
    book.takeWord({.reign = ProcessorId(0), .when = 500}, noon);
    book.follow(ProcessorId(4));
    QVERIFY(!book.undivided(picture, noon + 3500ms, 3500ms));
    QVERIFY(book.undivided(picture, noon + 3501ms, 3500ms));
    // Who does not follow alone counts, but not for the one that is to act.
    book.note(ProcessorId(5), 700, false);
    QVERIFY(book.majority(processors({5}), false).has_value());
    QVERIFY(!book.majority(processors({5}), true).has_value());
}

void TestSupportBook::whoIsLostIsSucceeded()
{
    Picture picture = startedPicture();
    SupportBook book{ProcessorId(5)};
    book.takeWord({.reign = ProcessorId(0), .when = 500}, noon);
    book.follow(ProcessorId(1));
    QVERIFY(!book.undivided(picture, noon, 3500ms));
    ClusterTable table = picture.cluster(SubclusterId(0));
    table.member(ProcessorId(0))->health = Health::Lost;
    table.writer = ProcessorId(1);
    ++table.version.term;
    QVERIFY(picture.adopt(std::make_shared<const ClusterTable>(table)));
    QVERIFY(book.undivided(picture, noon, 3500ms));
    // But not by another one than who wrote it.
    book.follow(ProcessorId(4));
    QVERIFY(!book.undivided(picture, noon, 3500ms));
}

void TestSupportBook::reportsAreNeverTooNew()
{
    const Picture picture = startedPicture();
    const ClusterTable& table = picture.cluster(SubclusterId(1)); // processors 4 to 7
    SupportBook book{ProcessorId(4)};
    book.takeWord({.reign = ProcessorId(0), .when = noonStamp}, noon);
    QVERIFY(!book.report(table, 25ms));
    book.follow(ProcessorId(0));
    book.note(ProcessorId(5), noonStamp - 26, true);
    book.note(ProcessorId(7), noonStamp - 100, false);
    book.note(ProcessorId(6), noonStamp - 90'000, false);
    const auto support = book.report(table, 25ms);
    QVERIFY(support.has_value());
    SupportBook above{ProcessorId(0)};
    above.takeWord({.reign = ProcessorId(0), .when = noonStamp + 40}, noon);
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
    const Picture picture = startedPicture();
    const ClusterTable& table = picture.cluster(SubclusterId(1));
    SupportBook book = followed({});
    Support support{.newest = {ProcessorId(4), noonStamp}, .steps = {'\0'}};
    book.take(table, support);
    QVERIFY(!book.majority(processors({4}), false)); // of who follows somebody else
    support.newest.reign = ProcessorId(0);
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
    const Picture picture(places, {}, {});
    const ClusterTable& table = picture.cluster(SubclusterId(0));
    SupportBook book{ProcessorId(3)};
    book.takeWord({.reign = ProcessorId(0), .when = noonStamp}, noon);
    book.follow(ProcessorId(0));
    std::vector<ProcessorId> all;
    for (std::uint32_t number = 2; number < many; ++number) {
        book.note(ProcessorId(number), noonStamp - 100, true);
        all.emplace_back(number);
    }
    SupportBook above = followed({});
    for (int beat = 0; beat < 3; ++beat) {
        QVERIFY(!above.majority(all, true) || beat > 1);
        const Beat message{.number = ~std::uint64_t{0},
                           .digest = ~std::uint64_t{0},
                           .own = {~std::uint64_t{0}, ~std::uint64_t{0}},
                           .turns = ~std::uint64_t{0},
                           .readiness = Readiness::Leaving,
                           .holding = Holding{SeatId(~0U), Incarnation(~0U)},
                           .support = book.report(table, 25ms)};
        // With all else that is in a datagram of 1,200 bytes.
        QVERIFY(encode(message).size() < 1'000);
        above.take(table, *message.support);
    }
    QCOMPARE(above.majority(all, true), std::optional(noonStamp - 100));
    QCOMPARE(above.majority(processors({many - 1}), true), std::optional(noonStamp - 100));
}

QTEST_APPLESS_MAIN(TestSupportBook)

#include "tst_supportbook.moc"
