// SPDX-License-Identifier: GPL-3.0-or-later
#include "linkcodec.h"

#include "commandcodec.h"
#include "describedcodec.h"
#include "domain/timerange.h"
#include "domaincodec.h"
#include "eventcodec.h"
#include "eventpayloadcodec.h"
#include "plancodec.h"

#include "link.pb.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace tasuki::link {

namespace {

namespace w = wire::link;

void put(const Secret& secret, std::string& out) { out.assign(secret.begin(), secret.end()); }

bool take(const std::string& bytes, Secret& out)
{
    if (bytes.size() != out.size())
        return false;
    std::transform(bytes.begin(), bytes.end(), out.begin(),
                   [](char c) { return static_cast<std::uint8_t>(c); });
    return true;
}

Error badSecret() { return malformed("a nonce or proof that is not 32 bytes long"); }

void encode(const RankProgram& program, w::RankProgram& out)
{
    out.set_rank(static_cast<std::uint32_t>(program.rank.value()));
    out.set_state(static_cast<std::uint32_t>(program.state));
    out.set_call(program.call);
    out.set_messages(program.messages);
    out.set_message_bytes(program.bytes);
    out.set_messages_per_second(program.messagesPerSecond);
    if (program.replayed)
        out.set_replayed(*program.replayed);
    out.set_restart_points(program.restartPoints);
    if (program.pointAge)
        out.set_point_age_ms(static_cast<std::uint64_t>(program.pointAge->count()));
    out.set_no_point(static_cast<std::uint32_t>(program.noPoint));
}

// ---- window to agent

struct ClientEncoder {
    w::ClientMessage& out;

    void operator()(const ClientHello& hello) const
    {
        w::ClientHello& message = *out.mutable_hello();
        message.set_major(hello.protocol.major);
        message.set_minor(hello.protocol.minor);
        put(hello.nonce, *message.mutable_nonce());
        message.set_program_version(hello.programVersion);
        message.set_operator_name(hello.operatorName);
        message.set_run(hello.run);
    }
    void operator()(const ClientProof& proof) const
    {
        put(proof.proof, *out.mutable_proof()->mutable_proof());
    }
    void operator()(const Subscribe& subscribe) const
    {
        out.mutable_subscribe()->set_run(subscribe.run.hex);
        encodePlace(subscribe.after, *out.mutable_subscribe()->mutable_after());
    }
    void operator()(const CommandRequest& request) const
    {
        out.mutable_command()->set_number(request.number);
        encodeCommand(request.command, *out.mutable_command());
    }
    void operator()(const OutputRequest& request) const
    {
        w::OutputRequest& message = *out.mutable_output();
        message.set_number(request.number);
        message.set_task(request.query.key.task.value());
        message.set_attempt(request.query.key.number.value());
        message.set_standard_output_from(request.query.standardOutputFrom);
        message.set_standard_error_from(request.query.standardErrorFrom);
    }
    void operator()(const TaskRequest& request) const
    {
        out.mutable_task()->set_number(request.number);
        out.mutable_task()->set_task(request.id.value());
    }
    void operator()(const Ping& ping) const { out.mutable_ping()->set_number(ping.number); }
    void operator()(const PlanRequest& request) const { encodePlan(request, *out.mutable_plan()); }
    void operator()(const PlanPiece& piece) const
    {
        w::PlanPiece& message = *out.mutable_plan_piece();
        message.set_number(piece.number);
        message.set_offset(piece.offset);
        message.set_content(piece.content);
    }
    void operator()(const PlanCancel& cancel) const
    {
        out.mutable_plan_cancel()->set_number(cancel.number);
    }
};

template <class Message, class Plan>
Result<Message> orError(Result<Plan> plan)
{
    if (!plan)
        return plan.error();
    return Message(std::move(*plan));
}

Result<ClientMessage> take(w::PlanPiece&& in)
{
    if (in.content().empty() || in.content().size() > planPieceBytes)
        return malformed("a piece of a plan that is empty or too large");
    return ClientMessage(PlanPiece{
        .number = in.number(), .offset = in.offset(), .content = std::move(*in.mutable_content())});
}

Result<ClientMessage> take(w::ClientHello&& in)
{
    ClientHello hello{.protocol = {in.major(), in.minor()},
                      .nonce = {},
                      .programVersion = std::move(*in.mutable_program_version()),
                      .operatorName = std::move(*in.mutable_operator_name()),
                      .run = std::move(*in.mutable_run())};
    // Of another major version only the version itself can be understood.
    if (!take(in.nonce(), hello.nonce) && in.major() == protocolVersion.major)
        return badSecret();
    return ClientMessage(std::move(hello));
}

Result<ClientMessage> take(w::ClientProof&& in)
{
    ClientProof proof;
    if (!take(in.proof(), proof.proof))
        return badSecret();
    return ClientMessage(proof);
}

Result<ClientMessage> take(w::CommandRequest&& in)
{
    const std::uint64_t number = in.number();
    auto command = decodeCommand(std::move(in));
    if (!command)
        return command.error();
    return ClientMessage(CommandRequest{number, std::move(*command)});
}

Result<ClientMessage> take(w::ClientMessage& in)
{
    switch (in.message_case()) {
    case w::ClientMessage::kHello: return take(std::move(*in.mutable_hello()));
    case w::ClientMessage::kProof: return take(std::move(*in.mutable_proof()));
    case w::ClientMessage::kSubscribe:
        return ClientMessage(Subscribe{.run = {std::move(*in.mutable_subscribe()->mutable_run())},
                                       .after = decodePlace(in.subscribe().after())});
    case w::ClientMessage::kCommand: return take(std::move(*in.mutable_command()));
    case w::ClientMessage::kOutput:
        return ClientMessage(OutputRequest{
            .number = in.output().number(),
            .query = {.key = {TaskId(in.output().task()), AttemptNumber(in.output().attempt())},
                      .standardOutputFrom = in.output().standard_output_from(),
                      .standardErrorFrom = in.output().standard_error_from()}});
    case w::ClientMessage::kTask:
        return ClientMessage(TaskRequest{in.task().number(), TaskId(in.task().task())});
    case w::ClientMessage::kPing: return ClientMessage(Ping{in.ping().number()});
    case w::ClientMessage::kPlan:
        return orError<ClientMessage>(decodePlan(std::move(*in.mutable_plan())));
    case w::ClientMessage::kPlanPiece: return take(std::move(*in.mutable_plan_piece()));
    case w::ClientMessage::kPlanCancel: return ClientMessage(PlanCancel{in.plan_cancel().number()});
    case w::ClientMessage::MESSAGE_NOT_SET: break;
    }
    return malformed("a message of unknown kind");
}

// ---- agent to window

struct AgentEncoder {
    w::AgentMessage& out;

    void operator()(const ServerHello& hello) const
    {
        w::ServerHello& message = *out.mutable_hello();
        message.set_major(hello.protocol.major);
        message.set_minor(hello.protocol.minor);
        put(hello.nonce, *message.mutable_nonce());
        message.set_program_version(hello.programVersion);
        put(hello.proof, *message.mutable_proof());
    }
    void operator()(const Refused& refused) const
    {
        out.mutable_refused()->set_reason(refused.reason);
    }
    void operator()(const Welcome& welcome) const
    {
        w::Welcome& message = *out.mutable_welcome();
        message.set_run(welcome.run.hex);
        message.set_epoch(welcome.epoch.value());
        message.set_run_file(welcome.runFile);
        message.set_directory(welcome.directory);
        message.set_host(welcome.host);
        message.set_pid(welcome.pid);
        message.set_serve(welcome.serve);
        message.set_now_us(welcome.now.time_since_epoch().count());
    }
    void operator()(const SnapshotBegin& begin) const
    {
        w::SnapshotBegin& message = *out.mutable_snapshot_begin();
        message.set_reset(begin.reset);
        encodePlace(begin.after, *message.mutable_after());
        encodePlace(begin.upTo, *message.mutable_up_to());
    }
    void operator()(const Events& events) const
    {
        EventsEncoder encoder;
        for (const Event& event : events.events)
            encoder.add(event);
        const bool parsed = out.ParseFromString(encoder.take());
        static_cast<void>(parsed);
        assert(parsed);
        for (const ShortenedCommand& mark : events.shortened)
            shorten(*out.mutable_events()->mutable_events(static_cast<int>(mark.index)),
                    mark.commandBytes);
    }
    void operator()(const SnapshotEnd& end) const
    {
        encodePlace(end.upTo, *out.mutable_snapshot_end()->mutable_up_to());
    }
    void operator()(const Gap& gap) const
    {
        encodePlace(gap.lastDelivered, *out.mutable_gap()->mutable_last_delivered());
    }
    void operator()(const Status& status) const
    {
        w::Status& message = *out.mutable_status();
        message.set_now_us(status.now.time_since_epoch().count());
        message.set_phase(status.phase);
        message.set_stalled(status.stalled);
        message.set_slot_count(status.slots);
        message.set_outstanding(status.outstanding);
        message.set_uncommitted(status.uncommitted);
        message.set_recovery(status.recovery);
        for (const RankProgram& program : status.programs)
            encode(program, *message.add_programs());
    }
    void operator()(const CommandReply& reply) const
    {
        out.mutable_command()->set_number(reply.number);
        encodeAnswer(reply.answer, *out.mutable_command());
    }
    void operator()(const OutputReply& reply) const
    {
        out.mutable_output()->set_number(reply.number);
        encodeOutput(reply.answer, *out.mutable_output());
    }
    void operator()(const TaskReply& reply) const
    {
        w::TaskReply& message = *out.mutable_task();
        message.set_number(reply.number);
        message.set_task(reply.id.value());
        if (!reply.known)
            return;
        encodeTask(reply.task, *message.mutable_definition());
        wire::encode(*reply.task.settings, *message.mutable_settings());
    }
    void operator()(const Pong& pong) const { out.mutable_pong()->set_number(pong.number); }
    void operator()(const Bye& bye) const { out.mutable_bye()->set_reason(bye.reason); }
    void operator()(const PlanProgress& progress) const
    {
        encodePlan(progress, *out.mutable_plan_progress());
    }
    void operator()(const PlanFound& found) const { encodePlan(found, *out.mutable_plan_found()); }
    void operator()(const PlanEnded& ended) const { encodePlan(ended, *out.mutable_plan_ended()); }

    /// An event that was shortened before stays so when it is handed on.
    static void shorten(w::Event& event, std::uint64_t commandBytes)
    {
        w::TaskDefined& defined = event.has_task_added() ? *event.mutable_task_added()
                                                         : *event.mutable_task_changed();
        defined.mutable_definition()->set_command_bytes(commandBytes);
    }
};

Result<AgentMessage> take(w::ServerHello&& in)
{
    ServerHello hello{.protocol = {in.major(), in.minor()},
                      .nonce = {},
                      .programVersion = std::move(*in.mutable_program_version()),
                      .proof = {}};
    const bool whole = take(in.nonce(), hello.nonce) && take(in.proof(), hello.proof);
    if (!whole && in.major() == protocolVersion.major)
        return badSecret();
    return AgentMessage(std::move(hello));
}

Result<AgentMessage> take(w::Welcome&& in)
{
    const WallTime now{std::chrono::microseconds(in.now_us())};
    if (!isBelievable(now))
        return malformed(unbelievableTime);
    return AgentMessage(Welcome{.run = {std::move(*in.mutable_run())},
                                .epoch = Epoch(in.epoch()),
                                .runFile = std::move(*in.mutable_run_file()),
                                .directory = std::move(*in.mutable_directory()),
                                .host = std::move(*in.mutable_host()),
                                .pid = in.pid(),
                                .serve = in.serve(),
                                .now = now});
}

Result<AgentMessage> take(w::Events&& in)
{
    auto events = decodeEvents(std::move(in));
    if (!events)
        return events.error();
    return AgentMessage(std::move(*events));
}

std::optional<std::chrono::milliseconds> pointAgeOf(const w::RankProgram& program)
{
    constexpr std::uint64_t longest = std::uint64_t{1} << 50U;
    if (!program.has_point_age_ms())
        return std::nullopt;
    return std::chrono::milliseconds(std::min(program.point_age_ms(), longest));
}

Result<AgentMessage> take(w::Status&& in)
{
    const WallTime now{std::chrono::microseconds(in.now_us())};
    if (!isBelievable(now))
        return malformed(unbelievableTime);
    std::vector<RankProgram> programs;
    for (w::RankProgram& one : *in.mutable_programs()) {
        if (one.rank() > std::uint32_t{std::numeric_limits<Rank::Representation>::max()}
            || one.state() > static_cast<std::uint32_t>(ProgramState::Over)
            || one.no_point() > static_cast<std::uint32_t>(PointObstacle::Full))
            return malformed("the program of an impossible rank, or in an impossible state");
        programs.push_back(
            {.rank = Rank(static_cast<Rank::Representation>(one.rank())),
             .state = static_cast<ProgramState>(one.state()),
             .call = std::move(*one.mutable_call()),
             .messages = one.messages(),
             .bytes = one.message_bytes(),
             .messagesPerSecond = one.messages_per_second(),
             .replayed = one.has_replayed() ? std::optional(one.replayed()) : std::nullopt,
             .restartPoints = one.restart_points(),
             .pointAge = pointAgeOf(one),
             .noPoint = static_cast<PointObstacle>(one.no_point())});
    }
    return AgentMessage(Status{.now = now,
                               .phase = std::move(*in.mutable_phase()),
                               .stalled = std::move(*in.mutable_stalled()),
                               .slots = in.slot_count(),
                               .outstanding = in.outstanding(),
                               .uncommitted = in.uncommitted(),
                               .recovery = in.recovery(),
                               .programs = std::move(programs)});
}

Result<AgentMessage> take(w::CommandReply&& in)
{
    const std::uint64_t number = in.number();
    auto answer = decodeAnswer(std::move(in));
    if (!answer)
        return answer.error();
    return AgentMessage(CommandReply{number, std::move(*answer)});
}

Result<AgentMessage> take(w::OutputReply&& in)
{
    const std::uint64_t number = in.number();
    auto answer = decodeOutput(std::move(in));
    if (!answer)
        return answer.error();
    return AgentMessage(OutputReply{number, std::move(*answer)});
}

Result<AgentMessage> take(w::TaskReply&& in)
{
    TaskReply reply{
        .number = in.number(), .id = TaskId(in.task()), .known = in.has_definition(), .task = {}};
    if (!reply.known)
        return AgentMessage(std::move(reply));
    auto settings = wire::decode(in.settings());
    if (!settings)
        return settings.error();
    reply.task = decodeTask(std::move(*in.mutable_definition()));
    reply.task.settings = std::make_shared<const TaskSettings>(std::move(*settings));
    return AgentMessage(std::move(reply));
}

Result<AgentMessage> take(w::AgentMessage& in)
{
    switch (in.message_case()) {
    case w::AgentMessage::kHello: return take(std::move(*in.mutable_hello()));
    case w::AgentMessage::kRefused:
        return AgentMessage(Refused{std::move(*in.mutable_refused()->mutable_reason())});
    case w::AgentMessage::kWelcome: return take(std::move(*in.mutable_welcome()));
    case w::AgentMessage::kSnapshotBegin:
        return AgentMessage(SnapshotBegin{.reset = in.snapshot_begin().reset(),
                                          .after = decodePlace(in.snapshot_begin().after()),
                                          .upTo = decodePlace(in.snapshot_begin().up_to())});
    case w::AgentMessage::kEvents: return take(std::move(*in.mutable_events()));
    case w::AgentMessage::kSnapshotEnd:
        return AgentMessage(SnapshotEnd{decodePlace(in.snapshot_end().up_to())});
    case w::AgentMessage::kGap: return AgentMessage(Gap{decodePlace(in.gap().last_delivered())});
    case w::AgentMessage::kStatus: return take(std::move(*in.mutable_status()));
    case w::AgentMessage::kCommand: return take(std::move(*in.mutable_command()));
    case w::AgentMessage::kOutput: return take(std::move(*in.mutable_output()));
    case w::AgentMessage::kTask: return take(std::move(*in.mutable_task()));
    case w::AgentMessage::kPong: return AgentMessage(Pong{in.pong().number()});
    case w::AgentMessage::kBye:
        return AgentMessage(Bye{std::move(*in.mutable_bye()->mutable_reason())});
    case w::AgentMessage::kPlanProgress:
        return orError<AgentMessage>(decodePlan(in.plan_progress()));
    case w::AgentMessage::kPlanFound: return orError<AgentMessage>(decodePlan(in.plan_found()));
    case w::AgentMessage::kPlanEnded:
        return orError<AgentMessage>(decodePlan(std::move(*in.mutable_plan_ended())));
    case w::AgentMessage::MESSAGE_NOT_SET: break;
    }
    return malformed("a message of unknown kind");
}

template <class Wire>
bool parse(std::string_view payload, Wire& out)
{
    return payload.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max())
        && out.ParseFromArray(payload.data(), static_cast<int>(payload.size()));
}

} // namespace

std::string encode(const ClientMessage& message)
{
    w::ClientMessage out;
    std::visit(ClientEncoder{out}, message);
    return out.SerializeAsString();
}

std::string encode(const AgentMessage& message)
{
    w::AgentMessage out;
    std::visit(AgentEncoder{out}, message);
    return out.SerializeAsString();
}

Result<ClientMessage> decodeClientMessage(std::string_view payload)
{
    w::ClientMessage message;
    if (!parse(payload, message))
        return malformed("bytes that make no message");
    return take(message);
}

Result<AgentMessage> decodeAgentMessage(std::string_view payload)
{
    w::AgentMessage message;
    if (!parse(payload, message))
        return malformed("bytes that make no message");
    return take(message);
}

} // namespace tasuki::link
