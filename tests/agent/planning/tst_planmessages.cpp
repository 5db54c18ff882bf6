// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "planning/planmessages.h"

#include <bit>
#include <limits>
#include <random>

namespace tst_planmessages {

using namespace tasuki;
using namespace tasuki::planning;

namespace {

/// What a message must agree with, as both ends know it.
struct Agreement {
    std::size_t keep = 1;
    std::uint32_t tasks = 1;
    std::uint32_t nodes = 1;
};

Result<PlanMessage> decoded(const Message& bytes, const Agreement& agreement)
{
    return decode(bytes, agreement.keep, agreement.tasks, agreement.nodes);
}

plan::Ranking randomRanking(std::mt19937_64& random, const Agreement& agreement, std::size_t tried)
{
    plan::Ranking ranking(agreement.keep);
    for (std::size_t index = 0; index < tried; ++index) {
        plan::Allocation allocation;
        for (std::uint32_t task = 0; task < agreement.tasks; ++task)
            allocation.emplace_back(static_cast<std::uint32_t>(random() % agreement.nodes));
        ranking.add(allocation, static_cast<double>(random() % 1000) / 7.0);
    }
    return ranking;
}

bool same(const plan::Ranked& one, const plan::Ranked& other)
{
    return one.timeUs == other.timeUs && one.allocation == other.allocation;
}

bool same(const plan::Ranking& one, const plan::Ranking& other)
{
    return one.tried() == other.tried() && one.sumUs() == other.sumUs()
        && std::ranges::equal(one.best(), other.best(),
                              [](const auto& a, const auto& b) { return same(a, b); })
        && (one.tried() == 0 || same(one.worst(), other.worst()));
}

/// Three allocations of two tasks to three nodes.
constexpr Agreement small{.keep = 2, .tasks = 2, .nodes = 3};

Found smallFound()
{
    Found found{.ranking = plan::Ranking(small.keep), .whole = true};
    found.ranking.add({plan::Node(0), plan::Node(1)}, 10.0);
    found.ranking.add({plan::Node(2), plan::Node(2)}, 30.0);
    found.ranking.add({plan::Node(1), plan::Node(0)}, 20.0);
    return found;
}

/// The numbers of a Found, by their place behind the letter.
enum Place : std::size_t { Whole, TriedCount, Sum, BestCount, FirstTime, FirstNode };

Message with(Message message, std::size_t place, std::uint64_t number)
{
    for (std::size_t byte = 0; byte < 8; ++byte)
        message[1 + 8 * place + byte] = static_cast<char>(number >> (8 * byte) & 0xffU);
    return message;
}

Message with(Message message, std::size_t place, double number)
{
    return with(std::move(message), place, std::bit_cast<std::uint64_t>(number));
}

} // namespace

/// What breaks it: a field that is not sent, or bytes from elsewhere that are believed.
class TestPlanMessages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void carriesRankings();
    void carriesTheOthers();
    void receivedRankingGoesOn();
    void cutOffIsNone();
    void moreIsNone();
    void refused_data();
    void refused();
    void otherAgreementIsNone();
    void survivesRandomBytes();
};

void TestPlanMessages::carriesRankings()
{
    std::mt19937_64 random(20261119);
    for (int round = 0; round < 300; ++round) {
        const Agreement agreement{.keep = 1 + random() % 12,
                                  .tasks = static_cast<std::uint32_t>(1 + random() % 6),
                                  .nodes = static_cast<std::uint32_t>(1 + random() % 5)};
        // Empty ones, fewer than are kept, and more.
        const std::size_t tried = round % 5 == 0 ? 0 : random() % 30;
        const Found sent{.ranking = randomRanking(random, agreement, tried),
                         .whole = random() % 2 == 0};
        const Result<PlanMessage> got = decoded(encode(sent), agreement);
        QVERIFY(got.ok());
        const auto* found = std::get_if<Found>(&*got);
        QVERIFY(found != nullptr);
        QCOMPARE(found->whole, sent.whole);
        QVERIFY(same(found->ranking, sent.ranking));
    }
}

void TestPlanMessages::carriesTheOthers()
{
    for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{40'320}, ~std::uint64_t{0}}) {
        const Result<PlanMessage> got = decoded(encode(Tried{.allocations = count}), small);
        QVERIFY(got.ok());
        QVERIFY(std::holds_alternative<Tried>(*got));
        QCOMPARE(std::get<Tried>(*got).allocations, count);
    }
    const Result<PlanMessage> got = decoded(encode(Stop{}), small);
    QVERIFY(got.ok());
    QVERIFY(std::holds_alternative<Stop>(*got));
}

// What comes over the wire is put together with others as if it had been made here.
void TestPlanMessages::receivedRankingGoesOn()
{
    std::mt19937_64 random(7);
    const Agreement agreement{.keep = 5, .tasks = 3, .nodes = 4};
    for (int round = 0; round < 50; ++round) {
        plan::Ranking here = randomRanking(random, agreement, random() % 12);
        const plan::Ranking there = randomRanking(random, agreement, random() % 12);
        const Result<PlanMessage> got = decoded(encode(Found{.ranking = there}), agreement);
        QVERIFY(got.ok());
        plan::Ranking received = std::get<Found>(*got).ranking;
        received.add(here);
        here.add(there);
        QCOMPARE(received.tried(), here.tried());
        QVERIFY(std::ranges::equal(received.best(), here.best(),
                                   [](const auto& a, const auto& b) { return same(a, b); }));
        QVERIFY(here.tried() == 0 || same(received.worst(), here.worst()));
    }
}

void TestPlanMessages::cutOffIsNone()
{
    const std::vector<PlanMessage> all{smallFound(),
                                       Found{.ranking = plan::Ranking(small.keep), .whole = true},
                                       Tried{.allocations = 5}, Stop{}};
    for (const PlanMessage& message : all) {
        const Message whole = encode(message);
        for (std::size_t length = 0; length < whole.size(); ++length) {
            const Result<PlanMessage> got = decoded(whole.substr(0, length), small);
            QVERIFY2(!got.ok(), qPrintable(QString::number(length)));
            QCOMPARE(got.error().kind, ErrorKind::Protocol);
        }
    }
}

void TestPlanMessages::moreIsNone()
{
    const std::vector<PlanMessage> all{smallFound(),
                                       Found{.ranking = plan::Ranking(small.keep), .whole = true},
                                       Tried{.allocations = 5}, Stop{}};
    for (const PlanMessage& message : all) {
        for (const std::size_t more : {1U, 8U, 24U}) {
            const Result<PlanMessage> got = decoded(encode(message) + std::string(more, '\0'),
                                                    small);
            QVERIFY(!got.ok());
            QCOMPARE(got.error().kind, ErrorKind::Protocol);
        }
    }
}

void TestPlanMessages::refused_data()
{
    constexpr double infinite = std::numeric_limits<double>::infinity();
    constexpr double noNumber = std::numeric_limits<double>::quiet_NaN();
    const Message whole = encode(smallFound());
    // Behind two allocations, each a time and two nodes, stands the worst one.
    constexpr std::size_t worstTime = FirstTime + 6;
    Message lower = whole;
    lower.front() = 'f';
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* name, const Message& bytes) {
        QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()));
    };
    row("nothing", {});
    row("other letter", lower);
    row("no letter", Message(1, '\0') + whole.substr(1));
    row("Tried as a Stop", "S" + encode(Tried{.allocations = 5}).substr(1));
    row("Stop as a Tried", "T");
    row("Tried as a Found", "F" + encode(Tried{.allocations = 5}).substr(1));
    row("whole is neither yes nor no", with(whole, Whole, std::uint64_t{2}));
    row("more than are kept",
        with(with(whole, BestCount, std::uint64_t{3}), TriedCount, std::uint64_t{9}));
    row("far too many", with(whole, BestCount, ~std::uint64_t{0}));
    row("more than were tried", with(whole, TriedCount, std::uint64_t{1}));
    row("fewer than must be kept", with(whole, BestCount, std::uint64_t{1}));
    row("nothing tried, something found", with(whole, TriedCount, std::uint64_t{0}));
    row("something tried, nothing found", with(whole, BestCount, std::uint64_t{0}));
    row("sum is no number", with(whole, Sum, noNumber));
    row("sum is infinite", with(whole, Sum, infinite));
    row("time is no number", with(whole, FirstTime, noNumber));
    row("time is infinite", with(whole, FirstTime, infinite));
    row("time is minus infinite", with(whole, FirstTime, -infinite));
    row("worst time is no number", with(whole, worstTime, noNumber));
    row("node out of range", with(whole, FirstNode, std::uint64_t{small.nodes}));
    row("node beyond 32 bits", with(whole, FirstNode, std::uint64_t{1} << 32U));
    row("worst node out of range", with(whole, worstTime + 2, std::uint64_t{small.nodes}));
}

void TestPlanMessages::refused()
{
    QFETCH(QByteArray, bytes);
    const Result<PlanMessage> got = decoded(bytes.toStdString(), small);
    QVERIFY(!got.ok());
    QCOMPARE(got.error().kind, ErrorKind::Protocol);
    QVERIFY(!got.error().message.empty());
}

// A rank that searches something else than this one.
void TestPlanMessages::otherAgreementIsNone()
{
    const Message whole = encode(smallFound());
    QVERIFY(decoded(whole, small).ok());
    for (const Agreement& other : {Agreement{.keep = 1, .tasks = 2, .nodes = 3},
                                   Agreement{.keep = 3, .tasks = 2, .nodes = 3},
                                   Agreement{.keep = 2, .tasks = 1, .nodes = 3},
                                   Agreement{.keep = 2, .tasks = 3, .nodes = 3},
                                   Agreement{.keep = 2, .tasks = 2, .nodes = 2}}) {
        const Result<PlanMessage> got = decoded(whole, other);
        QVERIFY(!got.ok());
        QCOMPARE(got.error().kind, ErrorKind::Protocol);
    }
}

void TestPlanMessages::survivesRandomBytes()
{
    std::mt19937_64 random(1);
    const Message whole = encode(smallFound());
    int believed = 0;
    for (int round = 0; round < 20'000; ++round) {
        Message message = whole;
        if (round % 2 == 0)
            message[random() % message.size()] = static_cast<char>(random());
        else
            message = "TFS"[random() % 3]
                + std::string(random() % 120, static_cast<char>(random()));
        const Result<PlanMessage> got = decoded(message, small);
        if (!got) {
            QCOMPARE(got.error().kind, ErrorKind::Protocol);
            continue;
        }
        ++believed;
        // The order of the best is not kept, all else is.
        const Result<PlanMessage> again = decoded(encode(*got), small);
        QVERIFY(again.ok());
        QCOMPARE(again->index(), got->index());
    }
    QVERIFY(believed > 0);
}

QTEST_APPLESS_MAIN(TestPlanMessages)

} // namespace tst_planmessages

#include "tst_planmessages.moc"
