// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "hierarchy/codec.h"

#include <algorithm>
#include <random>

namespace tst_controlcodec {

using namespace tasuki;
using namespace tasuki::hierarchy;

namespace {

/// Draws messages in which everything that there is can be.
class Messages {
public:
    explicit Messages(std::uint32_t seed) : m_random(seed) {}

    ControlMessage next(std::size_t kind)
    {
        switch (kind) {
        case 0:
            return Beat{.number = word(),
                        .digest = word(),
                        .own = version(),
                        .turns = word(),
                        .readiness = static_cast<Readiness>(below(3)),
                        .holding = below(2) == 0 ? std::optional(holding()) : std::nullopt,
                        .support = below(2) == 0 ? std::optional(support()) : std::nullopt,
                        .system = version(),
                        .lapsed = below(2) == 0,
                        .generation = Generation(below(9)),
                        .renounced = renounced()};
        case 1: return reply();
        case 2: return Ask{};
        case 3:
            return Banish{.life = Life(below(9)), .forGood = below(2) == 0, .lostFor = perhaps()};
        case 4:
            return Rejoin{.processor = ProcessorId(below(99)),
                          .life = Life(below(9)),
                          .number = word(),
                          .acknowledged = below(2) == 0 ? std::optional(stamp()) : std::nullopt,
                          .sole = below(2) == 0,
                          .system = version(),
                          .generation = Generation(below(99)),
                          .renounced = renounced()};
        case 5:
            return Overlap{.processor = ProcessorId(below(99)),
                           .life = Life(below(9)),
                           .holding = below(2) == 0 ? std::optional(holding()) : std::nullopt,
                           .led = below(2) == 0,
                           .certain = below(2) == 0,
                           .refused = below(99)};
        case 6: return tables();
        case 7: {
            TablesWanted wanted{{.system = version(), .clusters = {}}};
            for (std::uint32_t i = below(5); i > 0; --i)
                wanted.have.clusters.push_back(version());
            return wanted;
        }
        case 8: {
            Observations observations;
            for (std::uint32_t i = below(5); i > 0; --i) {
                observations.observed.push_back(
                    {ProcessorId(below(99)), static_cast<Observation>(below(observationCount)),
                     static_cast<HealthCause>(below(8)), time(), Life(below(9))});
            }
            return observations;
        }
        case 9: {
            Fence fence;
            for (std::uint32_t i = below(5); i > 0; --i)
                fence.processors.emplace_back(below(99));
            return fence;
        }
        case 10: return Taken{holding()};
        case 11: return Vacated{holding()};
        case 12: {
            Orders orders;
            for (std::uint32_t i = below(5); i > 0; --i)
                orders.orders.push_back({.number = 9 - i, .wanted = order()});
            return orders;
        }
        case 13:
            return Admission{
                .life = Life(below(9)), .reply = reply(), .tables = tables(), .lostFor = perhaps()};
        default: {
            Recorded recorded;
            for (std::uint32_t i = below(5); i > 0; --i) {
                const Holding last = holding();
                RecordedSeat& seat = recorded.seats.emplace_back(
                    RecordedSeat{last.seat, last.incarnation, {}});
                if (below(2) == 0)
                    seat.holder = ProcessorId(below(99));
            }
            return recorded;
        }
        }
    }

    std::uint32_t below(std::size_t limit)
    {
        return static_cast<std::uint32_t>(m_random() % limit);
    }

private:
    std::uint64_t word() { return m_random(); }
    Version version() { return {TableTerm(word()), word()}; }
    Holding holding() { return {SeatId(below(99)), Incarnation(below(99))}; }
    std::optional<std::chrono::microseconds> perhaps()
    {
        return below(2) == 0 ? std::optional(time()) : std::nullopt;
    }
    std::chrono::microseconds time() { return std::chrono::microseconds(below(1U << 31U)); }

    BeatReply reply()
    {
        return {.number = word(),
                .digest = word(),
                .leaseAge = time(),
                .grantAge = time(),
                .soleAge = time(),
                .stamp = below(2) == 0 ? std::optional(stamp()) : std::nullopt,
                .stampAge = time(),
                .majorityAge = time(),
                .generation = Generation(below(9)),
                .renounced = renounced()};
    }
    Stamp stamp()
    {
        return {.leader = ProcessorId(below(99)),
                .when = word() >> 24U,
                .table = version(),
                .candidate = below(2) == 0};
    }
    std::vector<Stamp> renounced()
    {
        std::vector<Stamp> out;
        for (std::size_t i = below(mostRenounced + 1); i > 0; --i)
            out.push_back(stamp());
        return out;
    }
    std::vector<ProcessorId> rising()
    {
        std::vector<ProcessorId> out;
        for (std::uint32_t number = below(9); number < 9; number += 1 + below(4))
            out.emplace_back(number);
        return out;
    }
    Support support()
    {
        Support support{.newest = stamp(), .stepMs = 1 + below(999), .first = below(99)};
        for (std::uint32_t i = below(mostSupportSteps + 1); i > 0; --i)
            support.steps.push_back(static_cast<char>(below(256)));
        return support;
    }

    ClusterRules rules()
    {
        return {.minimum = below(9),
                .restarts = below(9),
                .within = std::chrono::seconds(1 + below(999))};
    }
    TableOrder order()
    {
        switch (below(4)) {
        case 0: return DrainOrder{ProcessorId(below(99)), below(2) == 0};
        case 1: return PromoteOrder{ProcessorId(below(99))};
        case 2: return KindOrder{ProcessorId(below(99)), static_cast<ProcessorKind>(below(4))};
        default: return RulesOrder{SubclusterId(below(9)), rules()};
        }
    }

    ClusterTablePtr cluster()
    {
        ClusterTable table{.subcluster = SubclusterId(below(9)),
                           .version = version(),
                           .writer = ProcessorId(below(99)),
                           .state = static_cast<ClusterState>(below(3)),
                           .members = {},
                           .seats = {},
                           .rules = rules(),
                           .takeovers = {},
                           .ordered = {ProcessorId(below(99)), word()}};
        for (std::uint32_t i = below(4); i > 0; --i)
            table.takeovers.push_back(time());
        for (std::uint32_t number = 0; number < below(6); ++number) {
            table.seats.push_back(
                {.seat = SeatId(3 * number),
                 .kind = static_cast<SeatKind>(below(3)),
                 .incarnation = Incarnation(below(99)),
                 .givenUp = below(2) == 0,
                 .open = below(2) == 0,
                 .previous = below(2) == 0 ? std::optional(ProcessorId(below(9))) : std::nullopt,
                 .taken = below(2) == 0,
                 .takeover = below(2) == 0 ? time() : notKnown});
        }
        for (std::uint32_t number = 0; number < below(9); ++number) {
            MemberRow row{.processor = ProcessorId(2 * number),
                          .unit = UnitId(below(9)),
                          .kind = static_cast<ProcessorKind>(below(4)),
                          .health = static_cast<Health>(below(7)),
                          .cause = static_cast<HealthCause>(below(8)),
                          .drained = below(2) == 0,
                          .vacating = below(2) == 0,
                          .promoted = below(3),
                          .lostAt = below(2) == 0 ? std::optional(WallTime(time())) : std::nullopt,
                          .detection = below(2) == 0 ? time() : notKnown,
                          .life = Life(1 + below(3)),
                          .ended = below(2) == 0};
            if (!table.seats.empty() && below(2) == 0)
                row.seat = table.seats[below(table.seats.size())].seat;
            table.members.push_back(row);
        }
        return std::make_shared<const ClusterTable>(table);
    }

    Tables tables()
    {
        Tables out;
        for (std::uint32_t i = below(4); i > 0; --i)
            out.clusters.push_back(cluster());
        if (below(2) == 0) {
            out.system = std::make_shared<const SystemTable>(
                SystemTable{.version = version(),
                            .writer = ProcessorId(below(99)),
                            .started = below(2) == 0,
                            .settings = {.heartbeat = std::chrono::milliseconds(1 + below(9999)),
                                         .suspectAfter = 1 + below(9),
                                         .lostAfter = 10 + below(9),
                                         .policy = static_cast<DownPolicy>(below(3)),
                                         .rejoin = below(2) == 0},
                            .voters = rising(),
                            .votersToBe = rising()});
        }
        return out;
    }

    std::mt19937_64 m_random;
};

constexpr std::size_t kinds = std::variant_size_v<ControlMessage>;

bool equal(const Tables& one, const Tables& other)
{
    return std::ranges::equal(one.clusters, other.clusters,
                              [](const auto& a, const auto& b) { return *a == *b; })
        && (one.system == nullptr) == (other.system == nullptr)
        && (one.system == nullptr || *one.system == *other.system);
}

bool equal(const Admission& one, const Admission& other)
{
    return one.life == other.life && one.reply == other.reply && equal(one.tables, other.tables)
        && one.lostFor == other.lostFor;
}

bool equal(const auto& one, const auto& other) { return one == other; }

bool equal(const ControlMessage& one, const ControlMessage& other)
{
    return one.index() == other.index()
        && std::visit(
               [&](const auto& content) {
                   return equal(content, std::get<std::decay_t<decltype(content)>>(other));
               },
               one);
}

} // namespace

class TestControlCodec : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void roundTrip();
    void truncated();
    void flippedBits();
    void whatThereIsNot_data();
    void whatThereIsNot();
};

void TestControlCodec::roundTrip()
{
    Messages messages(1);
    for (int round = 0; round < 300; ++round) {
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            const ControlMessage message = messages.next(kind);
            QCOMPARE(message.index(), kind);
            const Result<ControlMessage> back = decode(encode(message));
            QVERIFY(back.ok());
            QVERIFY(equal(message, back.value()));
        }
    }
}

void TestControlCodec::truncated()
{
    Messages messages(2);
    QVERIFY(!decode({}).ok());
    int refused = 0;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        const std::string bytes = encode(messages.next(kind));
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            const Result<ControlMessage> message = decode(bytes.substr(0, size));
            if (message.ok())
                QVERIFY(decode(encode(message.value())).ok());
            else
                ++refused;
        }
    }
    QVERIFY(refused > 50);
}

void TestControlCodec::flippedBits()
{
    Messages messages(3);
    int accepted = 0;
    int refused = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string bytes = encode(messages.next(static_cast<std::size_t>(round) % kinds));
        for (std::uint32_t flips = 1 + messages.below(3); flips > 0; --flips)
            bytes[messages.below(bytes.size())] ^= static_cast<char>(1U << messages.below(8));
        const Result<ControlMessage> message = decode(bytes);
        // What is taken is a message like any other.
        if (message.ok())
            QVERIFY(equal(decode(encode(message.value())).value(), message.value()));
        else
            QCOMPARE(message.error().kind, ErrorKind::Protocol);
        (message.ok() ? accepted : refused) += 1;
    }
    QVERIFY(accepted > 100 && refused > 100);
}

void TestControlCodec::whatThereIsNot_data()
{
    QTest::addColumn<ControlMessage>("message");
    const auto table = [](const auto& change) {
        ClusterTable wrong;
        for (std::uint32_t number = 0; number < 2; ++number) {
            wrong.members.emplace_back().processor = ProcessorId(number);
            wrong.seats.emplace_back().seat = SeatId(number);
        }
        change(wrong);
        return ControlMessage(
            Tables{.clusters = {std::make_shared<const ClusterTable>(wrong)}, .system = nullptr});
    };
    const auto system = [](const auto& change) {
        SystemTable wrong;
        change(wrong);
        return ControlMessage(
            Tables{.clusters = {}, .system = std::make_shared<const SystemTable>(wrong)});
    };
    using namespace std::chrono_literals;
    QTest::newRow("health") << table([](auto& t) { t.members[0].health = Health(7); });
    QTest::newRow("kind") << table([](auto& t) { t.members[0].kind = ProcessorKind(4); });
    QTest::newRow("cause") << table([](auto& t) { t.members[0].cause = HealthCause(8); });
    QTest::newRow("life") << table([](auto& t) { t.members[0].life = Life(); });
    QTest::newRow("state") << table([](auto& t) { t.state = ClusterState(3); });
    QTest::newRow("kind of seat") << table([](auto& t) { t.seats[1].kind = SeatKind(3); });
    QTest::newRow("no such seat") << table([](auto& t) { t.members[1].seat = SeatId(2); });
    QTest::newRow("twice") << table([](auto& t) { t.members[1].processor = ProcessorId(0); });
    QTest::newRow("disorder") << table([](auto& t) { std::swap(t.seats[0], t.seats[1]); });
    QTest::newRow("negative") << table([](auto& t) { t.members[0].detection = -2us; });
    QTest::newRow("long ago") << table([](auto& t) { t.members[0].lostAt = WallTime(-1us); });
    QTest::newRow("ages") << table([](auto& t) { t.seats[0].takeover = std::chrono::years(99); });
    QTest::newRow("takeovers to come") << table([](auto& t) { t.takeovers = {-1us}; });
    QTest::newRow("takeovers in no time") << table([](auto& t) { t.rules.within = 0s; });
    QTest::newRow("for too long") << table([](auto& t) { t.rules.within = 1'000'001s; });
    QTest::newRow("no rhythm") << system([](auto& s) { s.settings.heartbeat = 0ms; });
    QTest::newRow("too slow") << system([](auto& s) { s.settings.heartbeat = 2h; });
    QTest::newRow("lost first") << system(
        [](auto& s) { s.settings.lostAfter = s.settings.suspectAfter; });
    QTest::newRow("too late") << system([](auto& s) { s.settings.lostAfter = 100'001; });
    QTest::newRow("policy") << system([](auto& s) { s.settings.policy = DownPolicy(3); });
    QTest::newRow("readiness") << ControlMessage(Beat{.readiness = Readiness(3)});
    QTest::newRow("age of a lease") << ControlMessage(BeatReply{.leaseAge = -1us});
    QTest::newRow("age of a grant") << ControlMessage(BeatReply{.grantAge = -1us});
    QTest::newRow("age of one alone") << ControlMessage(BeatReply{.soleAge = -1us});
    QTest::newRow("stamp of no time")
        << ControlMessage(BeatReply{.stamp = Stamp{ProcessorId(), std::uint64_t{1} << 60U}});
    QTest::newRow("age of a stamp") << ControlMessage(BeatReply{.stampAge = -1us});
    QTest::newRow("age of a leader") << ControlMessage(BeatReply{.majorityAge = -1us});
    QTest::newRow("lost after this") << ControlMessage(Banish{.lostFor = -1us});
    QTest::newRow("lost after it is let in")
        << ControlMessage(Admission{.life = Life(1), .reply = {}, .tables = {}, .lostFor = -1us});
    QTest::newRow("generation of no term")
        << ControlMessage(Beat{.generation = Generation(std::uint64_t{1} << 32U)});
    QTest::newRow("generation of no term, in a reply")
        << ControlMessage(BeatReply{.generation = Generation(std::uint64_t{1} << 32U)});
    const std::vector<Stamp> tooMany(mostRenounced + 1);
    QTest::newRow("renounced too much") << ControlMessage(Beat{.renounced = tooMany});
    QTest::newRow("renounced too much, in a reply")
        << ControlMessage(BeatReply{.renounced = tooMany});
    QTest::newRow("renounced too much, in a plea")
        << ControlMessage(Rejoin{.processor = {}, .renounced = tooMany});
    QTest::newRow("acknowledged at no time") << ControlMessage(
        Rejoin{.processor = {}, .acknowledged = Stamp{ProcessorId(), std::uint64_t{1} << 60U}});
    QTest::newRow("voters in disorder") << system([](auto& s) {
        s.voters = {ProcessorId(2), ProcessorId(1)};
    });
    QTest::newRow("voter twice") << system([](auto& s) {
        s.votersToBe = {ProcessorId(1), ProcessorId(1)};
    });
    const auto support = [](const auto& change) {
        Support wrong;
        change(wrong);
        return ControlMessage(Beat{.support = wrong});
    };
    QTest::newRow("steps of no length") << support([](auto& s) { s.stepMs = 0; });
    QTest::newRow("steps too long") << support([](auto& s) { s.stepMs = 4'000'000; });
    QTest::newRow("support of too many")
        << support([](auto& s) { s.steps.resize(mostSupportSteps + 1); });
    QTest::newRow("support of no time")
        << support([](auto& s) { s.newest.when = std::uint64_t{1} << 60U; });
    QTest::newRow("observation") << ControlMessage(
        Observations{{{ProcessorId(), Observation(11), HealthCause::None, 0us}}});
    QTest::newRow("orders in disorder")
        << ControlMessage(Orders{{{2, PromoteOrder{}}, {1, PromoteOrder{}}}});
    QTest::newRow("order twice") << ControlMessage(
        Orders{{{2, PromoteOrder{}}, {2, PromoteOrder{}}}});
    QTest::newRow("wanted kind") << ControlMessage(
        Orders{{{1, KindOrder{ProcessorId(), ProcessorKind(4)}}}});
    QTest::newRow("wanted rules") << ControlMessage(
        Orders{{{1, RulesOrder{SubclusterId(), {.within = 0s}}}}});
    QTest::newRow("since") << ControlMessage(Observations{
        {{ProcessorId(), Observation::Gone, HealthCause::None, std::chrono::microseconds::max()}}});
}

void TestControlCodec::whatThereIsNot()
{
    QFETCH(ControlMessage, message);
    const Result<ControlMessage> back = decode(encode(message));
    QVERIFY(!back.ok());
    QCOMPARE(back.error().kind, ErrorKind::Protocol);
}

QTEST_APPLESS_MAIN(TestControlCodec)

} // namespace tst_controlcodec

#include "tst_controlcodec.moc"
