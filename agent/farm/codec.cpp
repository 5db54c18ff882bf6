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

Error malformed(std::string what)
{
    return Error{.kind = ErrorKind::Protocol, .message = "malformed message: " + std::move(what)};
}

std::int64_t toMicroseconds(WallTime time) { return time.time_since_epoch().count(); }

void put(Hello&& message, Wire& out)
{
    wire::Hello& hello = *out.mutable_hello();
    hello.set_host(std::move(message.host));
    hello.set_pid(message.pid);
    hello.set_slot_count(message.slotCount);
}

void put(Report&& message, Wire& out)
{
    wire::Report& report = *out.mutable_report();
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

template <class WireMessage>
void putKeys(const std::vector<AttemptKey>& keys, WireMessage& out)
{
    for (const AttemptKey& key : keys) {
        out.add_keys(key.task.value());
        out.add_keys(key.number.value());
    }
}

void put(Returned&& message, Wire& out) { putKeys(message.keys, *out.mutable_returned()); }
void put(Withdrawn&& message, Wire& out) { putKeys(message.keys, *out.mutable_withdrawn()); }
void put(Withdraw&& message, Wire& out) { putKeys(message.keys, *out.mutable_withdraw()); }
void put(Stop&& message, Wire& out) { putKeys(message.keys, *out.mutable_stop()); }

void put(OutputPiece&& piece, wire::OutputPiece& out)
{
    out.set_offset(piece.offset);
    out.set_bytes(std::move(piece.bytes));
    out.set_total_bytes(piece.totalBytes);
}

void put(Peeked&& message, Wire& out)
{
    wire::Peeked& peeked = *out.mutable_peeked();
    peeked.set_number(message.number);
    peeked.set_task(message.answer.key.task.value());
    peeked.set_attempt(message.answer.key.number.value());
    peeked.set_known(message.answer.known);
    peeked.set_running(message.answer.running);
    put(std::move(message.answer.standardOutput), *peeked.mutable_standard_output());
    put(std::move(message.answer.standardError), *peeked.mutable_standard_error());
}

void put(Peek&& message, Wire& out)
{
    wire::Peek& peek = *out.mutable_peek();
    peek.set_number(message.number);
    peek.set_task(message.query.key.task.value());
    peek.set_attempt(message.query.key.number.value());
    peek.set_standard_output_from(message.query.standardOutputFrom);
    peek.set_standard_error_from(message.query.standardErrorFrom);
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

void put(Left&&, Wire& out) { out.mutable_left(); }
void put(Halt&&, Wire& out) { out.mutable_halt(); }
void put(Goodbye&& message, Wire& out) { out.mutable_goodbye()->set_losses(message.losses); }

AttemptKey keyOf(std::uint32_t task, std::uint32_t attempt)
{
    return {TaskId(task), AttemptNumber(attempt)};
}

Result<FarmMessage> take(wire::Hello&& hello)
{
    if (hello.slot_count() == 0)
        return malformed("a processor without slots");
    return FarmMessage(Hello{.host = std::move(*hello.mutable_host()),
                             .pid = hello.pid(),
                             .slotCount = hello.slot_count()});
}

Result<FarmMessage> take(wire::Report&& report)
{
    Report message;
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
    return FarmMessage(std::move(message));
}

template <class Message, class WireMessage>
Result<FarmMessage> takeKeys(const WireMessage& in)
{
    if (in.keys_size() % 2 != 0)
        return malformed("odd number of keys");
    Message message;
    for (int i = 0; i < in.keys_size(); i += 2)
        message.keys.push_back(keyOf(in.keys(i), in.keys(i + 1)));
    return FarmMessage(std::move(message));
}

OutputPiece take(wire::OutputPiece&& in)
{
    return {.offset = in.offset(),
            .bytes = std::move(*in.mutable_bytes()),
            .totalBytes = in.total_bytes()};
}

FarmMessage take(wire::Peeked&& in)
{
    return Peeked{.number = in.number(),
                  .answer = {.key = keyOf(in.task(), in.attempt()),
                             .known = in.known(),
                             .running = in.running(),
                             .standardOutput = take(std::move(*in.mutable_standard_output())),
                             .standardError = take(std::move(*in.mutable_standard_error()))}};
}

FarmMessage take(const wire::Peek& in)
{
    return Peek{.number = in.number(),
                .query = {.key = keyOf(in.task(), in.attempt()),
                          .standardOutputFrom = in.standard_output_from(),
                          .standardErrorFrom = in.standard_error_from()}};
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

Result<FarmMessage> take(Wire& in)
{
    switch (in.message_case()) {
    case Wire::kHello: return take(std::move(*in.mutable_hello()));
    case Wire::kReport: return take(std::move(*in.mutable_report()));
    case Wire::kReturned: return takeKeys<Returned>(in.returned());
    case Wire::kWithdrawn: return takeKeys<Withdrawn>(in.withdrawn());
    case Wire::kPeeked: return take(std::move(*in.mutable_peeked()));
    case Wire::kLeft: return FarmMessage(Left{});
    case Wire::kBroken:
        return FarmMessage(Broken{std::move(*in.mutable_broken()->mutable_reason())});
    case Wire::kWelcome: return take(std::move(*in.mutable_welcome()));
    case Wire::kAssign: return take(std::move(*in.mutable_assign()));
    case Wire::kRecall: return FarmMessage(Recall{in.recall().count()});
    case Wire::kWithdraw: return takeKeys<Withdraw>(in.withdraw());
    case Wire::kStop: return takeKeys<Stop>(in.stop());
    case Wire::kPeek: return take(in.peek());
    case Wire::kHalt: return FarmMessage(Halt{});
    case Wire::kGoodbye: return FarmMessage(Goodbye{in.goodbye().losses()});
    case Wire::MESSAGE_NOT_SET: break;
    }
    return malformed("unknown kind");
}

/// Index of the first kind that a master sends.
constexpr std::size_t firstOfMaster = 7;
static_assert(std::is_same_v<std::variant_alternative_t<firstOfMaster, FarmMessage>, Welcome>);

} // namespace

bool isForMaster(const FarmMessage& message) { return message.index() < firstOfMaster; }

std::string encode(Envelope&& envelope)
{
    Wire out;
    out.set_epoch(envelope.epoch.value());
    out.set_rank(envelope.held.rank.value());
    out.set_incarnation(envelope.held.incarnation.value());
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
                    .message = std::move(*message)};
}

} // namespace tasuki::farm
