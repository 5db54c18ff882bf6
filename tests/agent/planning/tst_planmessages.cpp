// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "codec/codec.h"
#include "planning/planmessages.h"

#include <limits>
#include <random>
#include <vector>

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

/// A Found field by field, as it is written; each can be wrong.
struct Written {
    std::uint32_t kind = foundKind;
    std::uint8_t whole = 1;
    std::uint64_t tried = 3;
    double sumUs = 60.0;
    std::uint64_t best = 2; ///< as said
    std::vector<std::uint64_t> nodes{0, 1};
    double timeUs = 10.0;
    std::vector<std::uint64_t> worstNodes{2, 2};
    double worstUs = 30.0;

    static constexpr std::uint32_t triedKind = 0, foundKind = 1, stopKind = 2;

    [[nodiscard]] Message bytes() const
    {
        Message out;
        codec::Writer write(out);
        write(kind, whole, tried, sumUs, best, nodes, timeUs);
        write(std::vector<std::uint64_t>{1, 0}, 20.0, true, worstNodes, worstUs);
        return out;
    }
};

/// The bytes of a message with another kind before them.
Message as(std::uint32_t kind, const PlanMessage& message)
{
    Message out;
    codec::Writer write(out);
    write(kind);
    return out + encode(message).substr(1);
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
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* name, const Message& bytes) {
        QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()));
    };
    row("nothing", {});
    row("other kind", as(3, smallFound()));
    row("Tried as a Stop", as(Written::stopKind, Tried{.allocations = 5}));
    row("Stop as a Tried", as(Written::triedKind, Stop{}));
    row("Tried as a Found", as(Written::foundKind, Tried{.allocations = 5}));
    row("whole is neither yes nor no", Written{.whole = 2}.bytes());
    row("more than are kept", Written{.tried = 9, .best = 3}.bytes());
    row("far too many", Written{.best = ~std::uint64_t{0}}.bytes());
    row("more than were tried", Written{.tried = 1}.bytes());
    row("fewer than must be kept", Written{.best = 1}.bytes());
    row("nothing tried, something found", Written{.tried = 0}.bytes());
    row("something tried, nothing found", Written{.best = 0}.bytes());
    row("sum is no number", Written{.sumUs = noNumber}.bytes());
    row("sum is infinite", Written{.sumUs = infinite}.bytes());
    row("time is no number", Written{.timeUs = noNumber}.bytes());
    row("time is infinite", Written{.timeUs = infinite}.bytes());
    row("time is minus infinite", Written{.timeUs = -infinite}.bytes());
    row("worst time is no number", Written{.worstUs = noNumber}.bytes());
    row("node out of range", Written{.nodes = {small.nodes, 1}}.bytes());
    row("node beyond 32 bits", Written{.nodes = {std::uint64_t{1} << 32U, 1}}.bytes());
    row("fewer nodes than tasks", Written{.nodes = {0}}.bytes());
    row("worst node out of range", Written{.worstNodes = {2, small.nodes}}.bytes());
}

void TestPlanMessages::refused()
{
    QFETCH(QByteArray, bytes);
    QCOMPARE(Written{}.bytes(), encode(smallFound())); // nothing but what a row changes is wrong
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
