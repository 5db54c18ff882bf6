// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "shared/domain/randomhistory.h"

#include "domain/timerange.h"
#include "link.pb.h"
#include "wire/eventcodec.h"
#include "wire/linkcodec.h"

#include <limits>
#include <set>
#include <string>

namespace tst_linkcodec {

using namespace tasuki;
using namespace tasuki::link;
namespace w = tasuki::wire::link;

namespace {

const std::string anyBytes("a\0\xff\n\xc3\xa9", 6);
constexpr auto most64 = std::numeric_limits<std::uint64_t>::max();
constexpr auto most32 = std::numeric_limits<std::uint32_t>::max();

Secret secret(std::uint8_t first)
{
    Secret out{};
    for (auto& byte : out)
        byte = first++;
    return out;
}

std::shared_ptr<const TaskSettings> someSettings()
{
    TaskSettings settings;
    settings.retries.allowed = {1, 2, 3, 65535};
    settings.timeout = std::chrono::milliseconds(1500);
    settings.workingDirectory = anyBytes;
    settings.environment = {{"A", "b"}, {"A", anyBytes}};
    return std::make_shared<const TaskSettings>(settings);
}

Task someTask()
{
    auto links = std::make_shared<TaskLinks>();
    links->label = anyBytes;
    links->after = {TaskId(0), TaskId(7), TaskId(most32)};
    return Task{.command = anyBytes,
                .settings = someSettings(),
                .links = links,
                .stage = most32,
                .position = 3,
                .line = most64};
}

/// What arrives of an event: how much an attempt wrote, but not what.
Event streamed(Event event)
{
    if (auto* finished = std::get_if<AttemptFinished>(&event.payload)) {
        for (auto* stream : {&finished->result.standardOutput, &finished->result.standardError}) {
            stream->head.clear();
            stream->tail.clear();
        }
    }
    return event;
}

Event eventAt(std::uint64_t sequence, EventPayload payload)
{
    return {.id = {Epoch(1), Sequence(sequence)},
            .wallTime = WallTime(std::chrono::microseconds(1'700'000'000'000'000)),
            .monotonic = std::chrono::nanoseconds(5),
            .payload = std::move(payload)};
}

std::vector<Event> streamed(std::vector<Event> events)
{
    for (Event& event : events)
        event = streamed(std::move(event));
    return events;
}

std::vector<ClientMessage> clientMessages()
{
    const std::vector<TaskTarget> targets{{TaskId(0), Revision(1)},
                                          {TaskId(most32), Revision(most64)}};
    const auto settings = someSettings();
    return {
        ClientHello{{1, 7}, secret(1), "0.1.0", anyBytes, "0123456789abcdef0123456789abcdef"},
        ClientProof{secret(9)},
        Subscribe{RunId{"00112233445566778899aabbccddeeff"}, {Epoch(most32), Sequence(most64)}},
        Subscribe{},
        CommandRequest{1, AddTasks{anyBytes, "list.sh"}},
        CommandRequest{1, AddTasks{anyBytes, "list.sh", 1'000'000'000'000}},
        CommandRequest{2,
                       EditTasks{{{targets[0], anyBytes, settings},
                                  {targets[1], "", settings},
                                  {targets[0], "x", std::make_shared<TaskSettings>()}}}},
        CommandRequest{3, CancelTasks{targets}},
        CommandRequest{4, HoldTasks{targets}},
        CommandRequest{5, ReleaseTasks{{}}},
        CommandRequest{6, RepeatTasks{targets}},
        CommandRequest{most64, StopRun{true}},
        CommandRequest{7, StopRun{false}},
        CommandRequest{8,
                       AcknowledgeAlarms{{{{Epoch(1), Sequence(most64)}, {Epoch(2), Sequence(3)}},
                                          {{Epoch(most32), Sequence(1)}}},
                                         anyBytes,
                                         WallTime(std::chrono::microseconds(77))}},
        CommandRequest{9, AcknowledgeAlarms{}},
        CommandRequest{10, DrainProcessor{ProcessorId(most32), true}},
        CommandRequest{11, DrainProcessor{ProcessorId(0), false}},
        CommandRequest{12, StopProcessor{ProcessorId(most32)}},
        CommandRequest{13, PromoteProcessor{ProcessorId(7)}},
        CommandRequest{14, ChangeTopology{most64, anyBytes}},
        CommandRequest{15, ChangeRole{ProcessorId(most32), ProcessorKind::DedicatedMaster}},
        CommandRequest{16, ChangeRole{ProcessorId(0), ProcessorKind::Standby}},
        OutputRequest{8, {{TaskId(3), AttemptNumber(4)}, most64, 0}},
        TaskRequest{9, TaskId(most32)},
        Ping{most64},
        PlanRequest{most64, PlanModel::Lsmg, mostPlanKept, anyBytes, "environment.toml", most64, 1},
        PlanRequest{},
        PlanPiece{7, most64, anyBytes},
        PlanCancel{most64},
    };
}

std::vector<AgentMessage> agentMessages()
{
    const EventId id{Epoch(2), Sequence(77)};
    const CommandAnswer answer{.accepted = true,
                               .reason = anyBytes,
                               .details = {"", anyBytes},
                               .conflicts = {{TaskId(1), ConflictCause::Unknown},
                                             {TaskId(most32), ConflictCause::Removed}},
                               .alarms = {id, {Epoch(most32), Sequence(most64)}}};
    return {
        ServerHello{{1, 2}, secret(3), anyBytes, secret(4)},
        Refused{anyBytes},
        Welcome{RunId{"00112233445566778899aabbccddeeff"}, Epoch(3), anyBytes, "/dir", "host", -1,
                true, WallTime(std::chrono::microseconds(5))},
        SnapshotBegin{true, {}, id},
        Events{{eventAt(1, TaskHeld{TaskId(4)})}, {}},
        Events{},
        SnapshotEnd{id},
        Gap{id},
        Status{WallTime(std::chrono::microseconds(8)), "running", anyBytes, 1, most64, 3, true},
        Status{.programs = {{Rank(0), ProgramState::Outside, "", 0, 0, 0},
                            {Rank(2147483647), ProgramState::Waiting, anyBytes, 1, most64, 3}}},
        CommandReply{most64, answer},
        CommandReply{},
        CommandReply{2,
                     {.accepted = true,
                      .added = AddedTasks{TaskId(5), most32 - 5, {Epoch(2), Sequence(most64)}}}},
        CommandReply{1, {.reason = Phrase::tr("%1; %2")("no", Phrase::tr("wait"))}},
        OutputReply{5,
                    {.key = {TaskId(1), AttemptNumber(2)},
                     .known = true,
                     .running = true,
                     .standardOutput = {most64 - 6, anyBytes, most64},
                     .standardError = {0, "", 0}}},
        TaskReply{6, TaskId(1), true, someTask()},
        TaskReply{7, TaskId(1), false, {}},
        Pong{1},
        Bye{anyBytes},
        PlanProgress{1, PlanPhase::Searching, most32, most64, 2, most64},
        PlanProgress{},
        PlanFound{.number = 2,
                  .tasks = 3,
                  .more = true,
                  .timesUs = {0.1, 1e300},
                  .nodes = {0, 1, 2, most32, 1, 0}},
        PlanFound{.number = most64,
                  .tasks = 2,
                  .timesUs = {-0.5},
                  .nodes = {1, 0},
                  .worstUs = 1.0 / 3.0,
                  .worstNodes = {0, most32},
                  .sumUs = 5e-324,
                  .tried = most64,
                  .total = 9},
        PlanFound{},
        PlanEnded{3,
                  PlanEnd::Replaced,
                  anyBytes,
                  {{.severity = Severity::Warning,
                    .place = {.file = "a.alog", .line = most64, .column = 7},
                    .message = anyBytes,
                    .remedy = "mend it"},
                   {}}},
        PlanEnded{},
    };
}

template <class Change>
QByteArray refusal(Change change)
{
    w::AgentMessage message;
    w::Event& event = *message.mutable_events()->add_events();
    change(message, event);
    const auto decoded = decodeAgentMessage(message.SerializeAsString());
    if (decoded)
        return "accepted";
    return decoded.error().kind == ErrorKind::Protocol
        ? QByteArray::fromStdString(decoded.error().message)
        : "wrong kind";
}

} // namespace

/// Messages of the link, there and back. What breaks it: a field that is forgotten on either side,
/// numbers that are not checked, settings that are sent once a task.
class TestLinkCodec : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void clientMessagesComeBack();
    void agentMessagesComeBack();
    void randomEventsComeBack_data();
    void randomEventsComeBack();
    void extremeEventsComeBack();
    void everyKindOfEventIsCovered();
    void attemptsAreSmall();
    void settingsAreSentOnceAndSharedAgain();
    void longCommandsAreShortened();
    void encoderBeginsAnew();
    void unknownAndImpossibleIsRefused();
    void brokenBytesAreRefused();
    void anotherMajorVersionIsRead();
};

void TestLinkCodec::clientMessagesComeBack()
{
    std::set<std::size_t> kinds;
    for (const ClientMessage& message : clientMessages()) {
        const auto back = decodeClientMessage(encode(message));
        QVERIFY2(back.ok(), back.ok() ? "" : back.error().text().c_str());
        QVERIFY(*back == message);
        kinds.insert(message.index());
    }
    QCOMPARE(kinds.size(), std::variant_size_v<ClientMessage>);
}

void TestLinkCodec::agentMessagesComeBack()
{
    std::set<std::size_t> kinds;
    for (const AgentMessage& message : agentMessages()) {
        const auto back = decodeAgentMessage(encode(message));
        QVERIFY2(back.ok(), back.ok() ? "" : back.error().text().c_str());
        QVERIFY(*back == message);
        kinds.insert(message.index());
    }
    QCOMPARE(kinds.size(), std::variant_size_v<AgentMessage>);
}

void TestLinkCodec::randomEventsComeBack_data()
{
    QTest::addColumn<std::uint32_t>("seed");
    for (std::uint32_t seed = 1; seed <= 10; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

void TestLinkCodec::randomEventsComeBack()
{
    QFETCH(std::uint32_t, seed);
    const std::vector<Event> events = RandomHistory(seed).more(3000);
    const auto back = decodeAgentMessage(encode(AgentMessage(Events{events, {}})));
    QVERIFY2(back.ok(), back.ok() ? "" : back.error().text().c_str());
    const auto& arrived = std::get<Events>(*back);
    QVERIFY(arrived.shortened.empty());
    QCOMPARE(arrived.events.size(), events.size());
    const std::vector<Event> expected = streamed(events);
    for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY2(arrived.events[i] == expected[i],
                 qPrintable(QString("event %1, kind %2").arg(i).arg(expected[i].payload.index())));
}

/// Times and ids at the ends of their ranges.
void TestLinkCodec::extremeEventsComeBack()
{
    constexpr WallTime least{};
    constexpr WallTime most = endOfTimes - std::chrono::microseconds(1);
    const AttemptStarted started{{TaskId(most32), AttemptNumber(most32)},
                                 Rank(std::numeric_limits<std::int32_t>::min()),
                                 SlotIndex(most32),
                                 most};
    AttemptFinished finished{started.key, Rank(7), SlotIndex(0), Disposition::Requeue, {}};
    finished.result.code = std::numeric_limits<std::int32_t>::min();
    finished.result.startedAt = least;
    finished.result.elapsed = longestTime;
    finished.result.usage = {longestTime, longestTime, most64};
    finished.result.standardOutput.totalBytes = most64;
    const std::vector<Event> events{
        {{Epoch(1), Sequence(1)}, least, longestTime, started},
        {{Epoch(1), Sequence(most64)}, most, std::chrono::nanoseconds(0), finished},
        {{Epoch(most32), Sequence(most64)},
         least,
         std::chrono::nanoseconds(1),
         Notice{Severity::Failure, anyBytes}},
    };
    const auto back = decodeAgentMessage(encode(AgentMessage(Events{events, {}})));
    QVERIFY(back.ok());
    QVERIFY(std::get<Events>(*back).events == events);
}

void TestLinkCodec::everyKindOfEventIsCovered()
{
    std::set<std::size_t> kinds;
    for (std::uint32_t seed = 1; seed <= 10; ++seed)
        for (const Event& event : RandomHistory(seed).more(3000))
            kinds.insert(event.payload.index());
    QCOMPARE(kinds.size(), std::variant_size_v<EventPayload>);
}

void TestLinkCodec::attemptsAreSmall()
{
    EventsEncoder encoder;
    constexpr std::uint64_t count = 2000;
    for (std::uint64_t i = 0; i < count; i += 2) {
        const auto task = static_cast<std::uint32_t>(900'000 + i);
        const auto time = [&](std::uint64_t offset) {
            return WallTime(std::chrono::microseconds(1'700'000'000'000'000 + i * 20 + offset));
        };
        const AttemptKey key{TaskId(task), AttemptNumber(1)};
        encoder.add({{Epoch(3), Sequence(1'000'000 + i)},
                     time(0),
                     std::chrono::nanoseconds(i * 20'000),
                     AttemptStarted{key, Rank(63), SlotIndex(15), time(500)}});
        AttemptFinished finished{key, Rank(63), SlotIndex(15), Disposition::Final, {}};
        finished.result = {.outcome = Outcome::Failed,
                           .code = 1,
                           .startedAt = time(0),
                           .elapsed = std::chrono::seconds(100),
                           .usage = {std::chrono::seconds(90), std::chrono::seconds(2), 200'000},
                           .standardOutput = {"head", "tail", 12'345},
                           .standardError = {std::string(60'000, 'x'), "", 60'000}};
        encoder.add({{Epoch(3), Sequence(1'000'001 + i)},
                     time(900),
                     std::chrono::nanoseconds(i * 20'000 + 9'000),
                     finished});
    }
    QCOMPARE(encoder.count(), count);
    const std::size_t estimate = encoder.bytes();
    const std::size_t size = encoder.take().size();
    QVERIFY2(size / count <= 60, qPrintable(QString::number(size / count)));
    QVERIFY(size > count * 10);
    QVERIFY2(estimate >= size * 9 / 10 && estimate <= size * 12 / 10,
             qPrintable(QString("%1 for %2").arg(estimate).arg(size)));
}

void TestLinkCodec::settingsAreSentOnceAndSharedAgain()
{
    TaskSettings large;
    large.environment = {{"NAME", std::string(10'000, 'v')}};
    const auto shared = std::make_shared<const TaskSettings>(large);
    const auto other = someSettings();
    Events events;
    for (std::uint32_t i = 0; i < 1000; ++i)
        events.events.push_back(eventAt(
            i + 1,
            TaskAdded{
                TaskId(i),
                Task{.command = "c", .settings = i % 2 == 0 ? shared : other, .links = nullptr}}));
    const std::string bytes = encode(AgentMessage(events));
    QVERIFY2(bytes.size() < 50'000, qPrintable(QString::number(bytes.size())));
    const auto back = decodeAgentMessage(bytes);
    QVERIFY(back.ok());
    QVERIFY(*back == AgentMessage(events));
    std::set<const TaskSettings*> objects;
    for (const Event& event : std::get<Events>(*back).events)
        objects.insert(std::get<TaskAdded>(event.payload).task.settings.get());
    QCOMPARE(objects.size(), std::size_t{2});
}

void TestLinkCodec::longCommandsAreShortened()
{
    const std::string exact(streamedCommandBytes, 'a');
    const std::string tooLong = exact + 'b';
    const std::string character = std::string(streamedCommandBytes - 1, 'a') + "\u00e9xyz";
    const std::string noText(2 * streamedCommandBytes, '\x80');
    const auto task = [](const std::string& command) {
        return Task{.command = command, .settings = std::make_shared<TaskSettings>(), .links = {}};
    };
    const Events events{{eventAt(1, TaskAdded{TaskId(0), task(exact)}),
                         eventAt(2, TaskAdded{TaskId(1), task(tooLong)}),
                         eventAt(3, TaskChanged{TaskId(1), task(character)}),
                         eventAt(4, TaskChanged{TaskId(1), task(noText)})},
                        {}};
    const auto back = decodeAgentMessage(encode(AgentMessage(events)));
    QVERIFY(back.ok());
    const auto& arrived = std::get<Events>(*back);
    const auto command = [&](std::size_t i) {
        const auto* added = std::get_if<TaskAdded>(&arrived.events[i].payload);
        return added ? added->task.command
                     : std::get<TaskChanged>(arrived.events[i].payload).task.command;
    };
    QCOMPARE(command(0), exact);
    QCOMPARE(command(1), exact);
    QCOMPARE(command(2), std::string(streamedCommandBytes - 1, 'a'));
    QCOMPARE(command(3), std::string(streamedCommandBytes, '\x80'));
    const std::vector<ShortenedCommand> expected{
        {1, tooLong.size()}, {2, character.size()}, {3, noText.size()}};
    QVERIFY(arrived.shortened == expected);
    // What is handed on stays marked.
    QVERIFY(decodeAgentMessage(encode(*back)).value() == *back);
}

void TestLinkCodec::encoderBeginsAnew()
{
    EventsEncoder encoder;
    const auto events = RandomHistory(4).more(10);
    Events all;
    for (const Event& event : events) {
        encoder.add(event);
        QCOMPARE(encoder.last(), event.id);
        auto one = decodeAgentMessage(encoder.take());
        QVERIFY(one.ok());
        QCOMPARE(encoder.count(), std::size_t{0});
        QCOMPARE(encoder.bytes(), std::size_t{0});
        all.events.push_back(std::get<Events>(*one).events.at(0));
    }
    QVERIFY(all.events == streamed(events));
}

void TestLinkCodec::unknownAndImpossibleIsRefused()
{
    using M = w::AgentMessage;
    using E = w::Event;
    QCOMPARE(refusal([](M&, E&) {}), "malformed message: an event of unknown kind");
    const auto refused = [](auto change) {
        const QByteArray text = refusal(change);
        return text.startsWith("malformed message: ") && !text.contains("of unknown kind");
    };
    QCOMPARE(refusal([](M&, E& e) { e.mutable_task_held(); }), "accepted");
    QVERIFY(refused([](M&, E& e) { e.mutable_attempt_finished()->set_outcome(8); }));
    QVERIFY(refused([](M&, E& e) { e.mutable_attempt_finished()->set_disposition(3); }));
    QVERIFY(refused([](M&, E& e) { e.mutable_attempt_finished()->set_elapsed_us(-1); }));
    QVERIFY(refused([](M&, E& e) { e.mutable_attempt_finished()->set_user_us(-1); }));
    QVERIFY(refused([](M&, E& e) { e.mutable_processor_lost()->set_cause(3); }));
    QVERIFY(refused([](M&, E& e) { e.mutable_notice()->set_severity(3); }));
    QVERIFY(refused([](M&, E& e) { e.mutable_run_closed()->set_end(2); }));
    QVERIFY(refused([](M&, E& e) { e.mutable_health_changed()->set_health(7); }));
    QVERIFY(refused([](M&, E& e) { e.mutable_health_changed()->set_cause(8); }));
    QVERIFY(refused([](M&, E& e) { e.mutable_master_changed()->set_role(3); }));
    QVERIFY(refused([](M&, E& e) { e.mutable_subcluster_changed()->set_state(3); }));
    QVERIFY(refused([](M&, E& e) { e.mutable_system_laid_out()->set_policy(3); }));
    QVERIFY(refused([](M&, E& e) { e.mutable_system_laid_out()->add_processors()->set_kind(4); }));
    QVERIFY(refused([](M&, E& e) { e.mutable_system_laid_out()->add_seats()->set_kind(3); }));
    QVERIFY(refused([](M&, E& e) { e.mutable_task_added()->mutable_definition(); }));
    QVERIFY(refused([](M& m, E& e) {
        m.mutable_events()->add_settings();
        e.mutable_task_added()->mutable_definition()->set_settings(1);
    }));
    QVERIFY(refused([](M& m, E& e) {
        m.mutable_events()->add_settings();
        e.mutable_task_added();
    }));
    QVERIFY(refused([](M& m, E& e) {
        m.mutable_events()->add_settings();
        e.mutable_task_added()->mutable_definition()->set_command("abc");
        e.mutable_task_added()->mutable_definition()->set_command_bytes(3);
    }));
    QVERIFY(refused([](M& m, E& e) {
        m.mutable_events()->add_settings()->mutable_retries()->set_exit(65'536);
        e.mutable_task_held();
    }));
    QVERIFY(refused([](M&, E& e) {
        e.set_sequence(most64);
        e.mutable_task_held();
    }));
    QVERIFY(refused([](M& m, E& e) {
        e.set_epoch(most32);
        e.mutable_task_held();
        w::Event& next = *m.mutable_events()->add_events();
        next.set_epoch(1);
        next.mutable_task_held();
    }));
    QVERIFY(refused([](M& m, E& e) {
        e.mutable_task_held();
        for (std::size_t i = 0; i < eventsPerMessage; ++i)
            m.mutable_events()->add_events()->mutable_task_held();
    }));
    QVERIFY(refused([](M& m, E&) { m.mutable_command()->add_conflict_tasks(1); }));
    QVERIFY(refused([](M& m, E&) {
        m.mutable_command()->add_conflict_tasks(1);
        m.mutable_command()->add_conflict_causes(7);
    }));
    QVERIFY(refused([](M& m, E&) {
        m.mutable_output()->mutable_standard_error()->set_content("ab");
        m.mutable_output()->mutable_standard_error()->set_total_bytes(1);
    }));
    QVERIFY(refused([](M& m, E&) {
        m.mutable_output()->mutable_standard_output()->set_offset(2);
        m.mutable_output()->mutable_standard_output()->set_total_bytes(1);
    }));
    QVERIFY(refused([](M& m, E&) {
        m.mutable_hello()->set_major(1);
        m.mutable_hello()->set_nonce(std::string(31, 'n'));
        m.mutable_hello()->set_proof(std::string(32, 'p'));
    }));
    QVERIFY(refused([](M& m, E&) {
        m.mutable_task()->mutable_definition();
        m.mutable_task()->mutable_settings()->set_timeout_ms(-1);
    }));

    const auto clientRefuses = [](auto change) {
        w::ClientMessage message;
        change(message);
        const auto decoded = decodeClientMessage(message.SerializeAsString());
        return !decoded && decoded.error().kind == ErrorKind::Protocol;
    };
    using C = w::ClientMessage;
    QVERIFY(clientRefuses([](C&) {}));
    QVERIFY(clientRefuses([](C& m) { m.mutable_command(); }));
    QVERIFY(clientRefuses([](C& m) { m.mutable_proof()->set_proof(std::string(33, 'p')); }));
    QVERIFY(clientRefuses([](C& m) { m.mutable_hello()->set_major(1); }));
    QVERIFY(clientRefuses([](C& m) { m.mutable_command()->mutable_hold()->add_tasks(1); }));
    QVERIFY(clientRefuses([](C& m) { m.mutable_command()->mutable_acknowledge()->add_alarms(); }));
    QVERIFY(clientRefuses([](C& m) { m.mutable_command()->mutable_edit()->add_edits(); }));
}

/// Every message cut short, and with each byte spoilt: a result or an error, never more than that.
void TestLinkCodec::brokenBytesAreRefused()
{
    int refused = 0;
    const auto tryClient = [&](const std::string& bytes) {
        refused += decodeClientMessage(bytes).ok() ? 0 : 1;
    };
    const auto tryAgent = [&](const std::string& bytes) {
        refused += decodeAgentMessage(bytes).ok() ? 0 : 1;
    };
    const auto mutate = [](const std::string& bytes, const auto& attempt) {
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            attempt(bytes.substr(0, i));
            for (const int flip : {1, 0x80, 0xff}) {
                std::string spoilt = bytes;
                spoilt[i] = static_cast<char>(spoilt[i] ^ flip);
                attempt(spoilt);
            }
        }
    };
    for (const ClientMessage& message : clientMessages())
        mutate(encode(message), tryClient);
    for (const AgentMessage& message : agentMessages())
        mutate(encode(message), tryAgent);
    QVERIFY(refused > 100);
}

void TestLinkCodec::anotherMajorVersionIsRead()
{
    w::ClientMessage hello;
    hello.mutable_hello()->set_major(2);
    hello.mutable_hello()->set_nonce("of another length");
    const auto read = decodeClientMessage(hello.SerializeAsString());
    QVERIFY(read.ok());
    QCOMPARE(std::get<ClientHello>(*read).protocol.major, 2U);
    w::AgentMessage answer;
    answer.mutable_hello()->set_major(2);
    QVERIFY(decodeAgentMessage(answer.SerializeAsString()).ok());
}

QTEST_APPLESS_MAIN(TestLinkCodec)

} // namespace tst_linkcodec

#include "tst_linkcodec.moc"
