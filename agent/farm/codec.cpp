// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages.h"

#include "tasuki.pb.h"
#include "wire/domaincodec.h"

#include <limits>
#include <type_traits>
#include <unordered_map>

namespace tasuki::farm {

namespace {

using Wire = wire::FarmEnvelope;
using WireKeys = google::protobuf::RepeatedField<std::uint32_t>;

Error malformed(std::string what)
{
    return Error{.kind = ErrorKind::Protocol, .message = "malformed message: " + std::move(what)};
}

std::int64_t toMicroseconds(WallTime time) { return time.time_since_epoch().count(); }

/// @param out  takes task and attempt in turn
void putKeys(const std::vector<AttemptKey>& keys, WireKeys& out)
{
    for (const AttemptKey& key : keys) {
        out.Add(key.task.value());
        out.Add(key.number.value());
    }
}

void put(Hello&& message, wire::Hello& hello)
{
    hello.set_host(std::move(message.host));
    hello.set_pid(message.pid);
    hello.set_slot_count(message.slotCount);
    if (message.standing == Standing{})
        return;
    wire::Standing& standing = *hello.mutable_standing();
    putKeys(message.standing.running, *standing.mutable_running());
    putKeys(message.standing.queued, *standing.mutable_queued());
    putKeys(message.standing.ended, *standing.mutable_ended());
}

void put(Hello&& message, Wire& out) { put(std::move(message), *out.mutable_hello()); }

void put(Report&& message, wire::Report& report)
{
    report.set_number(message.number);
    for (const StartedAttempt& started : message.started) {
        wire::StartedAttempt& item = *report.add_started();
        item.set_task(started.key.task.value());
        item.set_attempt(started.key.number.value());
        item.set_slot(started.slot.value());
        item.set_started_us(toMicroseconds(started.startedAt));
    }
    for (FinishedAttempt& finished : message.finished) {
        wire::FinishedAttempt& item = *report.add_finished();
        item.set_task(finished.key.task.value());
        item.set_attempt(finished.key.number.value());
        item.set_slot(finished.slot.value());
        wire::encode(std::move(finished.result), *item.mutable_result());
    }
}

void put(Report&& message, Wire& out) { put(std::move(message), *out.mutable_report()); }

void put(Returned&& message, Wire& out)
{
    putKeys(message.keys, *out.mutable_returned()->mutable_keys());
}

void put(Withdrawn&& message, Wire& out)
{
    putKeys(message.keys, *out.mutable_withdrawn()->mutable_keys());
}

void put(Withdraw&& message, Wire& out)
{
    putKeys(message.keys, *out.mutable_withdraw()->mutable_keys());
}

void put(Warn&& message, Wire& out)
{
    wire::Warn& warn = *out.mutable_warn();
    putKeys(message.keys, *warn.mutable_keys());
    warn.set_signal_number(static_cast<std::uint32_t>(message.signalNumber));
}

void put(Stop&& message, Wire& out) { putKeys(message.keys, *out.mutable_stop()->mutable_keys()); }

void put(OutputPiece&& piece, wire::OutputPiece& out)
{
    out.set_offset(piece.offset);
    out.set_bytes(std::move(piece.bytes));
    out.set_total_bytes(piece.totalBytes);
}

void put(Peeked&& message, wire::Peeked& peeked)
{
    peeked.set_number(message.number);
    peeked.set_task(message.answer.key.task.value());
    peeked.set_attempt(message.answer.key.number.value());
    peeked.set_known(message.answer.known);
    peeked.set_running(message.answer.running);
    put(std::move(message.answer.standardOutput), *peeked.mutable_standard_output());
    put(std::move(message.answer.standardError), *peeked.mutable_standard_error());
}

void put(Peeked&& message, Wire& out) { put(std::move(message), *out.mutable_peeked()); }

void put(OutputFetched&& message, Wire& out)
{
    wire::OutputFetched& fetched = *out.mutable_output_fetched();
    put(Peeked{.number = message.number, .answer = std::move(message.output.answer)},
        *fetched.mutable_answer());
    fetched.set_problem(std::move(message.output.problem));
}

void put(Peek&& message, wire::Peek& peek)
{
    peek.set_number(message.number);
    peek.set_task(message.query.key.task.value());
    peek.set_attempt(message.query.key.number.value());
    peek.set_standard_output_from(message.query.standardOutputFrom);
    peek.set_standard_error_from(message.query.standardErrorFrom);
}

void put(Peek&& message, Wire& out) { put(std::move(message), *out.mutable_peek()); }

void put(FetchOutput&& message, Wire& out)
{
    wire::FetchOutput& fetch = *out.mutable_fetch_output();
    put(Peek{.number = message.number, .query = message.query}, *fetch.mutable_query());
    fetch.set_wait(message.wait);
}

void put(ReleaseOutput&& message, Wire& out)
{
    wire::ReleaseOutput& release = *out.mutable_release_output();
    release.set_task(message.key.task.value());
    release.set_attempt(message.key.number.value());
}

void put(Broken&& message, Wire& out)
{
    out.mutable_broken()->set_reason(std::move(message.reason));
}

void put(Welcome&& message, Wire& out)
{
    wire::Welcome& welcome = *out.mutable_welcome();
    welcome.set_run(std::move(message.run));
    welcome.set_directory(std::move(message.directory));
}

void put(Assign&& message, Wire& out)
{
    wire::Assign& assign = *out.mutable_assign();
    std::unordered_map<const TaskSettings*, std::uint32_t> indices;
    for (AssignedTask& task : message.tasks) {
        const auto [place, isNew] = indices.try_emplace(task.settings.get(),
                                                        static_cast<std::uint32_t>(indices.size()));
        if (isNew)
            wire::encode(*task.settings, *assign.add_settings());
        wire::AssignedTask& item = *assign.add_tasks();
        item.set_task(task.key.task.value());
        item.set_attempt(task.key.number.value());
        item.set_command(std::move(task.command));
        item.set_settings(place->second);
    }
}

void put(Recall&& message, Wire& out) { out.mutable_recall()->set_count(message.count); }

void put(CrewReport&& message, Wire& out)
{
    wire::CrewReport& report = *out.mutable_crew_report();
    report.set_number(message.number);
    for (JoinedRank& joined : message.joined) {
        wire::JoinedRank& item = *report.add_joined();
        item.set_rank(joined.held.rank.value());
        item.set_incarnation(joined.held.incarnation.value());
        item.set_holder(joined.holder.value());
        put(std::move(joined.hello), *item.mutable_hello());
    }
    putKeys(message.claimed, *report.mutable_claimed());
    for (RankReport& ofRank : message.reports) {
        wire::RankReport& item = *report.add_reports();
        item.set_rank(ofRank.rank.value());
        put(std::move(ofRank.report), *item.mutable_report());
    }
    putKeys(message.returned, *report.mutable_returned());
}

void put(Muster&& message, Wire& out)
{
    wire::Muster& muster = *out.mutable_muster();
    muster.set_run(std::move(message.run));
    muster.set_directory(std::move(message.directory));
    muster.set_era(message.era);
    muster.set_by_record(message.byRecord);
    for (const MusteredAttempt& attempt : message.attempts) {
        wire::MusteredAttempt& item = *muster.add_attempts();
        item.set_task(attempt.key.task.value());
        item.set_attempt(attempt.key.number.value());
        if (attempt.startedOn)
            item.set_started_on(attempt.startedOn->value());
    }
}

void put(CrewHello&&, Wire& out) { out.mutable_crew_hello(); }
void put(Mustered&&, Wire& out) { out.mutable_mustered(); }
void put(RollCall&& message, Wire& out) { out.mutable_roll_call()->set_era(message.era); }
void put(CrewRollCall&&, Wire& out) { out.mutable_crew_roll_call(); }
void put(Noted&& message, Wire& out) { out.mutable_noted()->set_up_to(message.upTo); }
void put(CrewNoted&& message, Wire& out) { out.mutable_crew_noted()->set_up_to(message.upTo); }
void put(Left&&, Wire& out) { out.mutable_left(); }
void put(Halt&&, Wire& out) { out.mutable_halt(); }
void put(RecordWord&& message, Wire& out) { out.set_record_word(std::move(message.bytes)); }
void put(Goodbye&& message, Wire& out) { out.mutable_goodbye()->set_losses(message.losses); }

AttemptKey keyOf(std::uint32_t task, std::uint32_t attempt)
{
    return {TaskId(task), AttemptNumber(attempt)};
}

/// @return whether the numbers are tasks and attempts in turn
bool takeKeys(const WireKeys& in, std::vector<AttemptKey>& keys)
{
    if (in.size() % 2 != 0)
        return false;
    keys.reserve(static_cast<std::size_t>(in.size()) / 2);
    for (int i = 0; i < in.size(); i += 2)
        keys.push_back(keyOf(in.Get(i), in.Get(i + 1)));
    return true;
}

Error oddKeys() { return malformed("odd number of keys"); }

template <class Message>
Result<FarmMessage> takeMessageOfKeys(const WireKeys& in)
{
    Message message;
    if (!takeKeys(in, message.keys))
        return oddKeys();
    return FarmMessage(std::move(message));
}

Result<Hello> take(wire::Hello&& hello)
{
    if (hello.slot_count() == 0)
        return malformed("a processor without slots");
    Hello message{.host = std::move(*hello.mutable_host()),
                  .pid = hello.pid(),
                  .slotCount = hello.slot_count()};
    const wire::Standing& standing = hello.standing();
    if (!takeKeys(standing.running(), message.standing.running)
        || !takeKeys(standing.queued(), message.standing.queued)
        || !takeKeys(standing.ended(), message.standing.ended))
        return oddKeys();
    return message;
}

Result<Report> take(wire::Report&& report)
{
    Report message;
    message.number = report.number();
    message.started.reserve(static_cast<std::size_t>(report.started_size()));
    for (const wire::StartedAttempt& item : report.started()) {
        message.started.push_back(
            {.key = keyOf(item.task(), item.attempt()),
             .slot = SlotIndex(item.slot()),
             .startedAt = WallTime(std::chrono::microseconds(item.started_us()))});
    }
    message.finished.reserve(static_cast<std::size_t>(report.finished_size()));
    for (wire::FinishedAttempt& item : *report.mutable_finished()) {
        Result<AttemptResult> result = wire::decode(std::move(*item.mutable_result()));
        if (!result)
            return result.error();
        message.finished.push_back({.key = keyOf(item.task(), item.attempt()),
                                    .slot = SlotIndex(item.slot()),
                                    .result = std::move(*result)});
    }
    return message;
}

Result<CrewReport> take(wire::CrewReport&& report)
{
    CrewReport message;
    message.number = report.number();
    for (wire::JoinedRank& item : *report.mutable_joined()) {
        Result<Hello> hello = take(std::move(*item.mutable_hello()));
        if (!hello)
            return hello.error();
        message.joined.push_back(
            {.held = {.rank = Rank(item.rank()), .incarnation = Incarnation(item.incarnation())},
             .holder = ProcessorId(item.holder()),
             .hello = std::move(*hello)});
    }
    message.reports.reserve(static_cast<std::size_t>(report.reports_size()));
    for (wire::RankReport& item : *report.mutable_reports()) {
        Result<Report> ofRank = take(std::move(*item.mutable_report()));
        if (!ofRank)
            return ofRank.error();
        message.reports.push_back({.rank = Rank(item.rank()), .report = std::move(*ofRank)});
    }
    if (!takeKeys(report.claimed(), message.claimed)
        || !takeKeys(report.returned(), message.returned))
        return oddKeys();
    return message;
}

Muster take(wire::Muster&& muster)
{
    Muster message{.run = std::move(*muster.mutable_run()),
                   .directory = std::move(*muster.mutable_directory()),
                   .era = muster.era(),
                   .byRecord = muster.by_record(),
                   .attempts = {}};
    message.attempts.reserve(static_cast<std::size_t>(muster.attempts_size()));
    for (const wire::MusteredAttempt& item : muster.attempts()) {
        message.attempts.push_back({.key = keyOf(item.task(), item.attempt()),
                                    .startedOn = item.has_started_on()
                                        ? std::optional(Rank(item.started_on()))
                                        : std::nullopt});
    }
    return message;
}

template <class Message>
Result<FarmMessage> asFarmMessage(Result<Message> message)
{
    if (!message)
        return message.error();
    return FarmMessage(std::move(*message));
}

OutputPiece take(wire::OutputPiece&& in)
{
    return {.offset = in.offset(),
            .bytes = std::move(*in.mutable_bytes()),
            .totalBytes = in.total_bytes()};
}

Peeked take(wire::Peeked&& in)
{
    return {.number = in.number(),
            .answer = {.key = keyOf(in.task(), in.attempt()),
                       .known = in.known(),
                       .running = in.running(),
                       .standardOutput = take(std::move(*in.mutable_standard_output())),
                       .standardError = take(std::move(*in.mutable_standard_error()))}};
}

OutputFetched take(wire::OutputFetched&& in)
{
    Peeked answer = take(std::move(*in.mutable_answer()));
    return {.number = answer.number,
            .output = {.answer = std::move(answer.answer),
                       .problem = std::move(*in.mutable_problem())}};
}

Peek take(const wire::Peek& in)
{
    return {.number = in.number(),
            .query = {.key = keyOf(in.task(), in.attempt()),
                      .standardOutputFrom = in.standard_output_from(),
                      .standardErrorFrom = in.standard_error_from()}};
}

FetchOutput take(const wire::FetchOutput& in)
{
    const Peek query = take(in.query());
    return {.number = query.number, .query = query.query, .wait = in.wait()};
}

Result<FarmMessage> take(const wire::Warn& warn)
{
    constexpr std::uint32_t highestSignal = 64;
    Warn message;
    if (!takeKeys(warn.keys(), message.keys))
        return oddKeys();
    if (warn.signal_number() == 0 || warn.signal_number() > highestSignal)
        return malformed("a warning without a signal");
    message.signalNumber = static_cast<std::int32_t>(warn.signal_number());
    return FarmMessage(std::move(message));
}

FarmMessage take(wire::Welcome&& welcome)
{
    return FarmMessage(Welcome{.run = std::move(*welcome.mutable_run()),
                               .directory = std::move(*welcome.mutable_directory())});
}

Result<FarmMessage> take(wire::Assign&& assign)
{
    std::vector<std::shared_ptr<const TaskSettings>> settings;
    for (const wire::TaskSettings& item : assign.settings()) {
        Result<TaskSettings> decoded = wire::decode(item);
        if (!decoded)
            return decoded.error();
        settings.push_back(std::make_shared<const TaskSettings>(std::move(*decoded)));
    }
    Assign message;
    message.tasks.reserve(static_cast<std::size_t>(assign.tasks_size()));
    for (wire::AssignedTask& item : *assign.mutable_tasks()) {
        if (item.settings() >= settings.size())
            return malformed("a task refers to settings that were not sent");
        message.tasks.push_back({.key = keyOf(item.task(), item.attempt()),
                                 .command = std::move(*item.mutable_command()),
                                 .settings = settings[item.settings()]});
    }
    return FarmMessage(std::move(message));
}

Result<FarmMessage> takeUpward(Wire& in)
{
    switch (in.message_case()) {
    case Wire::kHello: return asFarmMessage(take(std::move(*in.mutable_hello())));
    case Wire::kReport: return asFarmMessage(take(std::move(*in.mutable_report())));
    case Wire::kReturned: return takeMessageOfKeys<Returned>(in.returned().keys());
    case Wire::kWithdrawn: return takeMessageOfKeys<Withdrawn>(in.withdrawn().keys());
    case Wire::kPeeked: return FarmMessage(take(std::move(*in.mutable_peeked())));
    case Wire::kOutputFetched: return FarmMessage(take(std::move(*in.mutable_output_fetched())));
    case Wire::kLeft: return FarmMessage(Left{});
    case Wire::kBroken:
        return FarmMessage(Broken{std::move(*in.mutable_broken()->mutable_reason())});
    case Wire::kCrewHello: return FarmMessage(CrewHello{});
    case Wire::kMustered: return FarmMessage(Mustered{});
    case Wire::kCrewReport: return asFarmMessage(take(std::move(*in.mutable_crew_report())));
    default: return malformed("unknown kind");
    }
}

Result<FarmMessage> take(Wire& in)
{
    switch (in.message_case()) {
    case Wire::kRollCall: return FarmMessage(RollCall{in.roll_call().era()});
    case Wire::kWelcome: return take(std::move(*in.mutable_welcome()));
    case Wire::kAssign: return take(std::move(*in.mutable_assign()));
    case Wire::kRecall: return FarmMessage(Recall{in.recall().count()});
    case Wire::kWithdraw: return takeMessageOfKeys<Withdraw>(in.withdraw().keys());
    case Wire::kStop: return takeMessageOfKeys<Stop>(in.stop().keys());
    case Wire::kPeek: return FarmMessage(take(in.peek()));
    case Wire::kFetchOutput: return FarmMessage(take(in.fetch_output()));
    case Wire::kReleaseOutput:
        return FarmMessage(
            ReleaseOutput{.key = keyOf(in.release_output().task(), in.release_output().attempt())});
    case Wire::kHalt: return FarmMessage(Halt{});
    case Wire::kWarn: return take(in.warn());
    case Wire::kNoted: return FarmMessage(Noted{in.noted().up_to()});
    case Wire::kCrewRollCall: return FarmMessage(CrewRollCall{});
    case Wire::kMuster: return FarmMessage(take(std::move(*in.mutable_muster())));
    case Wire::kCrewNoted: return FarmMessage(CrewNoted{in.crew_noted().up_to()});
    case Wire::kRecordWord: return FarmMessage(RecordWord{std::move(*in.mutable_record_word())});
    case Wire::kGoodbye: return FarmMessage(Goodbye{in.goodbye().losses()});
    default: return takeUpward(in);
    }
}

/// Index of the first kind that goes down the tree.
constexpr std::size_t firstDownward = 11;
static_assert(std::is_same_v<std::variant_alternative_t<firstDownward, FarmMessage>, RollCall>);

} // namespace

bool goesUp(const FarmMessage& message) { return message.index() < firstDownward; }

std::string encode(Envelope&& envelope)
{
    Wire out;
    out.set_epoch(envelope.epoch.value());
    out.set_rank(envelope.held.rank.value());
    out.set_incarnation(envelope.held.incarnation.value());
    out.set_term(envelope.term);
    if (envelope.crew)
        out.set_crew(envelope.crew->value());
    std::visit([&out](auto&& message) { put(std::move(message), out); },
               std::move(envelope.message));
    return out.SerializeAsString();
}

Result<Envelope> decode(const std::string& bytes)
{
    Wire in;
    if (bytes.size() > std::size_t{std::numeric_limits<int>::max()} || !in.ParseFromString(bytes))
        return malformed("not a farm message");
    Result<FarmMessage> message = take(in);
    if (!message)
        return message.error();
    return Envelope{.epoch = Epoch(in.epoch()),
                    .held = {.rank = Rank(in.rank()), .incarnation = Incarnation(in.incarnation())},
                    .message = std::move(*message),
                    .crew = in.has_crew() ? std::optional(CrewId(in.crew())) : std::nullopt,
                    .term = in.term()};
}

} // namespace tasuki::farm
