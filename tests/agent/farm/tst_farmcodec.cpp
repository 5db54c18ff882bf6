// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "farm/messages.h"
#include "schedulertesting.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace tst_farmcodec {

using namespace std::chrono_literals;
using namespace std::string_literals;
using namespace tasuki;
using namespace tasuki::farm;
using tasuki::farm::testing::key;

namespace {

const std::string allBytes = [] {
    std::string bytes;
    for (int value = 0; value < 256; ++value)
        bytes.push_back(static_cast<char>(value));
    return bytes;
}();

AttemptResult fullResult()
{
    AttemptResult result;
    result.outcome = Outcome::Signalled;
    result.code = -9;
    result.startedAt = WallTime(1'700'000'000'123'456us);
    result.elapsed = 90'000'000'001us;
    result.usage = {.user = 3us, .system = 4us, .maxResidentKiB = 1ULL << 40U};
    result.standardOutput = {.head = allBytes, .tail = "end\0"s, .totalBytes = 1ULL << 50U};
    result.standardError = {.head = "\0\0\xff"s, .tail = {}, .totalBytes = 3};
    return result;
}

TaskSettings fullSettings()
{
    TaskSettings settings;
    settings.retries.allowed = {1, 2, 65'535, 0};
    settings.timeout = 86'400'000ms;
    settings.workingDirectory = "/data/\xe9\xff"s;
    settings.environment = {{"A", "1"}, {"A", "2"}, {"B", allBytes}, {"", ""}};
    return settings;
}

Hello fullHello()
{
    return {.host = "n",
            .pid = -1,
            .slotCount = 2,
            .standing = {.running = {key(1), key(2, 3)},
                         .queued = {key(4'294'967'295U, 4'294'967'295U)},
                         .ended = {key(5), key(6), key(7)}}};
}

GroupReport fullGroupReport(std::vector<FinishedAttempt> finished)
{
    GroupReport report;
    report.claimed = {{TaskId(7), AttemptNumber(3)}};
    report.number = 1ULL << 40U;
    report.joined = {
        {.held = {Rank(4), Incarnation(3)},
         .holder = ProcessorId(9),
         .hello = {.host = "n", .pid = 3, .slotCount = 1}},
        {.held = {Rank(5), Incarnation(1)}, .holder = ProcessorId(0), .hello = fullHello()}};
    report.reports = {
        {Rank(4), {.started = {{key(1, 2), SlotIndex(3), WallTime(5us)}}, .finished = {}}},
        {Rank(5), {.started = {}, .finished = std::move(finished), .number = 7}}};
    report.returned = {key(8), key(9, 2)};
    return report;
}

/// One of each kind with every field set, and some with none.
std::vector<FarmMessage> examples()
{
    FinishedAttempt finished{key(7, 3), SlotIndex(255), fullResult()};
    FinishedAttempt plain{key(0, 1), SlotIndex(0), AttemptResult{}};
    plain.result.outcome = Outcome::Succeeded;
    const auto full = std::make_shared<const TaskSettings>(fullSettings());
    const auto plainSettings = std::make_shared<const TaskSettings>();
    return {
        Hello{.host = "n\xff de"s, .pid = 1LL << 40, .slotCount = 4'294'967'295U},
        Hello{.host = {}, .pid = 0, .slotCount = 1},
        fullHello(),
        Report{},
        Report{.started = {}, .finished = {}, .number = 1ULL << 50U},
        Report{.started = {{key(1, 2), SlotIndex(3), WallTime(5us)},
                           {key(4'294'967'295U, 4'294'967'295U), SlotIndex(0), WallTime(-1us)}},
               .finished = {finished, plain}},
        Returned{},
        Returned{{key(5), key(4, 9), key(3)}},
        Withdrawn{},
        Withdrawn{{key(5), key(4, 9), key(4'294'967'295U, 4'294'967'295U)}},
        Peeked{},
        Peeked{.number = 4'294'967'295U,
               .answer = {.key = key(7, 3),
                          .known = true,
                          .running = true,
                          .standardOutput = {.offset = 1ULL << 50U,
                                             .bytes = allBytes,
                                             .totalBytes = (1ULL << 50U) + 256},
                          .standardError = {.offset = 3, .bytes = "\0\xff"s, .totalBytes = 5}}},
        Peeked{.number = 1, .answer = {.key = key(0), .known = true, .running = false}},
        OutputFetched{},
        OutputFetched{.number = 7,
                      .output = {.answer = {.key = key(7, 3),
                                            .known = true,
                                            .standardOutput = {.offset = 1ULL << 50U,
                                                               .bytes = allBytes,
                                                               .totalBytes = (1ULL << 50U) + 256}},
                                 .problem = "no space\0"s}},
        FetchOutput{},
        FetchOutput{.number = 8,
                    .query = {.key = key(7, 3),
                              .standardOutputFrom = 1ULL << 50U,
                              .standardErrorFrom = notNow},
                    .wait = true},
        ReleaseOutput{key(4'294'967'295U, 4'294'967'295U)},
        Warn{.keys = {key(5), key(4, 9)}, .signalNumber = 10},
        Left{},
        Broken{"the guardian ended: \xe9\xff\0 status 1"s},
        GroupHello{},
        Resynced{},
        fullGroupReport({finished, plain}),
        GroupReport{},
        ResyncCall{},
        ResyncCall{Era(1ULL << 62U)},
        Welcome{.run = "0123456789abcdef0123456789abcdef", .directory = "/home/caf\xe9\xff"s},
        Assign{},
        Assign{{{key(1), "echo \0 \xff"s, full},
                {key(2, 8), "", plainSettings},
                {key(3), allBytes, full}}},
        Recall{},
        Recall{4'294'967'295U},
        Withdraw{},
        Withdraw{{key(1), key(1, 2)}},
        Stop{},
        Stop{{key(8, 4'294'967'295U)}},
        Peek{},
        Peek{.number = 4'294'967'295U,
             .query = {.key = key(9, 2),
                       .standardOutputFrom = std::numeric_limits<std::uint64_t>::max(),
                       .standardErrorFrom = 1}},
        Halt{},
        Noted{},
        Noted{std::numeric_limits<std::uint64_t>::max()},
        GroupResyncCall{},
        Resync{},
        Resync{.run = "0123",
               .directory = "/\xe9\xff"s,
               .era = Era(1ULL << 61U),
               .attempts = {{key(1, 2), Rank(0)}, {key(3), std::nullopt}, {key(4), Rank(-1)}}},
        GroupNoted{},
        GroupNoted{1ULL << 50U},
        Goodbye{},
        Goodbye{.losses = true},
        RecordWord{std::string("\0w\xff", 3)},
        WorldMail{std::string("\0v\xff", 3)},
        OutputPrinted{{{key(7, 2), 4'294'967'296U, 9, false}, {key(8, 1), 0, 0, true}}},
    };
}

bool same(const Assign& one, const Assign& other)
{
    return std::ranges::equal(
        one.tasks, other.tasks, [](const AssignedTask& a, const AssignedTask& b) {
            return a.key == b.key && a.command == b.command && *a.settings == *b.settings;
        });
}

bool same(const FarmMessage& one, const FarmMessage& other)
{
    if (one.index() != other.index())
        return false;
    return std::visit(
        [&other]<class Kind>(const Kind& message) {
            if constexpr (std::is_same_v<Kind, Assign>)
                return same(message, std::get<Kind>(other));
            else
                return message == std::get<Kind>(other);
        },
        one);
}

std::string encoded(FarmMessage message)
{
    return encode(
        {.epoch = Epoch(7), .held = {Rank(-5), Incarnation(8)}, .message = std::move(message)});
}

/// A refusal in words, without a value.
bool isRefused(const Result<Envelope>& result)
{
    return !result.ok() && result.error().kind == ErrorKind::Protocol
        && !result.error().message.empty();
}

/// Numbers of a decoded message that the code behind relies on.
bool isSound(const FarmMessage& message)
{
    if (const auto* hello = std::get_if<Hello>(&message))
        return hello->slotCount > 0;
    if (const auto* assign = std::get_if<Assign>(&message)) {
        return std::ranges::all_of(assign->tasks, [](const AssignedTask& task) {
            return task.settings != nullptr
                && (!task.settings->timeout || *task.settings->timeout > 0ms);
        });
    }
    if (const auto* report = std::get_if<Report>(&message)) {
        return std::ranges::all_of(report->finished, [](const FinishedAttempt& attempt) {
            const auto& out = attempt.result.standardOutput;
            const auto& err = attempt.result.standardError;
            return attempt.result.outcome <= Outcome::NotStarted && attempt.result.elapsed >= 0us
                && out.totalBytes >= out.head.size() + out.tail.size()
                && err.totalBytes >= err.head.size() + err.tail.size();
        });
    }
    return true;
}

} // namespace

/// Every kind there and back, and what must be refused.
class TestFarmCodec : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyKindComesBack();
    void levelAndLeadershipComeBack();
    void largeOutputComesBack();
    void settingsAreSentOnceAMessage();
    void directionsAreKnown();
    void emptyAndForeignBytesAreRefused();
    void hostileNumbersAreRefused();
    void truncationsAreRefusedOrSound();
    void randomMutationsAreRefusedOrSound();
    void randomBytesAreRefusedOrSound();
};

void TestFarmCodec::everyKindComesBack()
{
    std::set<std::size_t> kinds;
    for (const FarmMessage& message : examples()) {
        kinds.insert(message.index());
        const Result<Envelope> back = decode(encoded(message));
        QVERIFY2(back.ok(), qPrintable(QStringLiteral("kind %1").arg(message.index())));
        QCOMPARE(back->epoch, Epoch(7));
        QVERIFY(back->held == (HeldRank{Rank(-5), Incarnation(8)}));
        QVERIFY2(same(message, back->message),
                 qPrintable(QStringLiteral("kind %1").arg(message.index())));
    }
    QCOMPARE(kinds.size(), std::variant_size_v<FarmMessage>);
}

void TestFarmCodec::levelAndLeadershipComeBack()
{
    const Result<Envelope> ofRank = decode(encoded(Halt{}));
    QVERIFY(ofRank.ok());
    QVERIFY(!ofRank->group.has_value());
    QCOMPARE(ofRank->leadership, LeadershipNumber());
    // The first worker group has number 0: not the same as none.
    for (const GroupId group : {GroupId(0), GroupId(7)}) {
        const Result<Envelope> ofGroup = decode(
            encode({.epoch = Epoch(7),
                    .held = {},
                    .message = Halt{},
                    .group = group,
                    .leadership = LeadershipNumber(1ULL << 63U)}));
        QVERIFY(ofGroup.ok());
        QCOMPARE(ofGroup->group, std::optional(group));
        QCOMPARE(ofGroup->leadership, LeadershipNumber(1ULL << 63U));
        QVERIFY(ofGroup->held == HeldRank{});
    }
}

void TestFarmCodec::largeOutputComesBack()
{
    Report report;
    std::mt19937 random(1);
    for (std::uint32_t task = 0; task < 40; ++task) {
        AttemptResult result = fullResult();
        result.standardOutput.head.assign(1U << 20U, static_cast<char>(random()));
        result.standardError = {
            .head = {}, .tail = std::string(70'000, '\0'), .totalBytes = 90'000};
        report.finished.push_back({key(task), SlotIndex(task), std::move(result)});
    }
    const Result<Envelope> back = decode(encoded(report));
    QVERIFY(back.ok());
    QVERIFY(same(FarmMessage(report), back->message));
}

void TestFarmCodec::settingsAreSentOnceAMessage()
{
    const auto settings = std::make_shared<const TaskSettings>(fullSettings());
    Assign assign;
    for (std::uint32_t task = 0; task < 1'000; ++task)
        assign.tasks.push_back({key(task), "x", settings});
    const std::string bytes = encoded(assign);
    QVERIFY(bytes.size() < 20'000);
    const Result<Envelope> back = decode(bytes);
    QVERIFY(back.ok());
    const Assign* message = std::get_if<Assign>(&back->message);
    QVERIFY(message);
    QVERIFY(message->tasks.front().settings == message->tasks.back().settings);
}

void TestFarmCodec::directionsAreKnown()
{
    for (const FarmMessage& message : examples()) {
        const bool up = std::holds_alternative<Hello>(message)
            || std::holds_alternative<Report>(message) || std::holds_alternative<Returned>(message)
            || std::holds_alternative<Withdrawn>(message) || std::holds_alternative<Peeked>(message)
            || std::holds_alternative<Left>(message) || std::holds_alternative<Broken>(message)
            || std::holds_alternative<GroupHello>(message)
            || std::holds_alternative<Resynced>(message)
            || std::holds_alternative<GroupReport>(message)
            || std::holds_alternative<OutputFetched>(message);
        QCOMPARE(goesUp(message), up);
    }
}

void TestFarmCodec::emptyAndForeignBytesAreRefused()
{
    QVERIFY(isRefused(decode("")));
    QVERIFY(isRefused(decode("hello")));
    QVERIFY(isRefused(decode(std::string(100'000, '\xff'))));
    // Of a newer version: a kind that is not known here, more fields than here.
    std::string unknown = encode({.epoch = Epoch(3), .held = {}, .message = Left{}});
    QVERIFY(decode(unknown).ok());
    QVERIFY(isRefused(decode(unknown + "\x01"s)));
    unknown.back() = '\x7f';
    QVERIFY(isRefused(decode(unknown)));
}

void TestFarmCodec::hostileNumbersAreRefused()
{
    const auto refuses = [](FarmMessage message) {
        return isRefused(decode(encode({.epoch = Epoch(1),
                                        .held = {.rank = Rank(1), .incarnation = Incarnation(1)},
                                        .message = std::move(message)})));
    };
    const auto refusesResult = [&](const auto& change) {
        AttemptResult wrong;
        change(wrong);
        const Report report{.started = {}, .finished = {{{}, {}, wrong}}};
        return refuses(report)
            && refuses(GroupReport{.joined = {}, .reports = {{Rank(1), report}}, .returned = {}});
    };
    const auto refusesSettings = [&](const auto& change) {
        TaskSettings wrong;
        change(wrong);
        return refuses(Assign{{{{}, "x", std::make_shared<const TaskSettings>(wrong)}}});
    };
    QVERIFY(refuses(Hello{.host = "h", .slotCount = 0}));
    QVERIFY(refuses(GroupReport{.joined = {{{}, {}, Hello{}}}, .reports = {}, .returned = {}}));
    QVERIFY(refuses(Warn{.keys = {}, .signalNumber = 0}));
    QVERIFY(refuses(Warn{.keys = {}, .signalNumber = 65}));
    QVERIFY(refuses(Assign{{{{}, "x", nullptr}}})); // no settings at all
    QVERIFY(refusesSettings([](TaskSettings& s) { s.timeout = 0ms; }));
    QVERIFY(refusesSettings([](TaskSettings& s) { s.expectedTime = -1ms; }));
    QVERIFY(refusesSettings([](TaskSettings& s) { s.warning = EndWarning{0, 5ms}; }));
    QVERIFY(refusesSettings([](TaskSettings& s) { s.warning = EndWarning{12, 0ms}; }));
    QVERIFY(refusesResult([](AttemptResult& r) { r.outcome = Outcome(8); }));
    QVERIFY(refusesResult([](AttemptResult& r) { r.elapsed = -1us; }));
    QVERIFY(refusesResult([](AttemptResult& r) { r.usage.user = -1us; }));
    QVERIFY(refusesResult([](AttemptResult& r) { r.startedAt = WallTime(-1us); }));
    QVERIFY(refusesResult(
        [](AttemptResult& r) { r.standardOutput = {.head = "abc", .tail = {}, .totalBytes = 2}; }));
}

void TestFarmCodec::truncationsAreRefusedOrSound()
{
    for (const FarmMessage& message : examples()) {
        const std::string bytes = encoded(message);
        for (std::size_t length = 0; length < bytes.size(); ++length) {
            const Result<Envelope> back = decode(bytes.substr(0, length));
            QVERIFY(back.ok() ? isSound(back->message) : isRefused(back));
        }
    }
}

void TestFarmCodec::randomMutationsAreRefusedOrSound()
{
    std::mt19937 random(20'240'601);
    const std::vector<FarmMessage> originals = examples();
    int refused = 0;
    int understood = 0;
    for (int round = 0; round < 10'000; ++round) {
        std::string bytes = encoded(originals[random() % originals.size()]);
        for (auto changes = 1 + random() % 4; changes > 0; --changes) {
            const auto place = bytes.empty() ? 0 : random() % bytes.size();
            switch (random() % 4) {
            case 0:
                if (!bytes.empty())
                    bytes[place] = static_cast<char>(random());
                break;
            case 1:
                if (!bytes.empty())
                    bytes[place] = static_cast<char>(bytes[place] ^ (1 << random() % 8));
                break;
            case 2: bytes.insert(place, 1, static_cast<char>(random())); break;
            case 3: bytes.erase(place, random() % 8); break;
            }
        }
        Result<Envelope> back = decode(bytes);
        if (!back) {
            QVERIFY(isRefused(back));
            ++refused;
            continue;
        }
        QVERIFY(isSound(back->message));
        const FarmMessage message = back->message;
        const Result<Envelope> again = decode(encode(std::move(*back)));
        QVERIFY(again.ok()); // what was understood can be said
        QVERIFY(same(message, again->message));
        ++understood;
    }
    QVERIFY(refused > 1'000);
    QVERIFY(understood > 1'000);
}

void TestFarmCodec::randomBytesAreRefusedOrSound()
{
    std::mt19937 random(7);
    for (int round = 0; round < 10'000; ++round) {
        std::string bytes(random() % 64, '\0');
        for (char& byte : bytes)
            byte = static_cast<char>(random());
        const Result<Envelope> back = decode(bytes);
        QVERIFY(back.ok() ? isSound(back->message) : isRefused(back));
    }
}

QTEST_APPLESS_MAIN(TestFarmCodec)

} // namespace tst_farmcodec

#include "tst_farmcodec.moc"
