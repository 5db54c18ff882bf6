// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandcodec.h"

#include "describedcodec.h"
#include "domain/timerange.h"
#include "domaincodec.h"
#include "eventpayloadcodec.h"

#include "link.pb.h"

#include <limits>
#include <unordered_map>

namespace tasuki::link {

namespace {

namespace w = wire::link;

void encodeTargets(const std::vector<TaskTarget>& targets, w::Targets& out)
{
    for (const TaskTarget& target : targets) {
        out.add_tasks(target.id.value());
        out.add_bases(target.base.value());
    }
}

Result<std::vector<TaskTarget>> decodeTargets(const w::Targets& message)
{
    if (message.tasks_size() != message.bases_size())
        return malformed("tasks and revisions differ in number");
    std::vector<TaskTarget> targets;
    targets.reserve(static_cast<std::size_t>(message.tasks_size()));
    for (int i = 0; i < message.tasks_size(); ++i)
        targets.push_back({TaskId(message.tasks(i)), Revision(message.bases(i))});
    return targets;
}

template <class Command>
Result<OperatorCommand> withTargets(const w::Targets& message)
{
    auto targets = decodeTargets(message);
    if (!targets)
        return targets.error();
    return OperatorCommand(Command{std::move(*targets)});
}

void encodeEdits(const EditTasks& command, w::EditTasks& out)
{
    std::unordered_map<const TaskSettings*, std::uint32_t> indices;
    for (const TaskEdit& edit : command.edits) {
        const auto [place, isNew] = indices.try_emplace(edit.settings.get(),
                                                        static_cast<std::uint32_t>(indices.size()));
        if (isNew)
            wire::encode(*edit.settings, *out.add_settings());
        w::TaskEdit& item = *out.add_edits();
        item.set_task(edit.target.id.value());
        item.set_base(edit.target.base.value());
        item.set_command(edit.command);
        item.set_settings(place->second);
    }
}

Result<OperatorCommand> decodeEdits(w::EditTasks&& message)
{
    SettingsTable settings;
    for (const wire::TaskSettings& item : message.settings()) {
        auto decoded = wire::decode(item);
        if (!decoded)
            return decoded.error();
        settings.push_back(std::make_shared<const TaskSettings>(std::move(*decoded)));
    }
    EditTasks command;
    command.edits.reserve(static_cast<std::size_t>(message.edits_size()));
    for (w::TaskEdit& item : *message.mutable_edits()) {
        if (item.settings() >= settings.size())
            return malformed("an edit refers to settings that were not sent");
        command.edits.push_back({.target = {TaskId(item.task()), Revision(item.base())},
                                 .command = std::move(*item.mutable_command()),
                                 .settings = settings[item.settings()]});
    }
    return OperatorCommand(std::move(command));
}

Result<OperatorCommand> decodeAcknowledge(w::AcknowledgeAlarms&& message)
{
    if (message.alarms_size() != message.bases_size())
        return malformed("alarms and their acknowledgements differ in number");
    AcknowledgeAlarms command{.targets = {}, .comment = std::move(*message.mutable_comment())};
    for (int i = 0; i < message.alarms_size(); ++i)
        command.targets.push_back(
            {.alarm = decodePlace(message.alarms(i)), .base = decodePlace(message.bases(i))});
    if (message.has_until_us()) {
        command.until = WallTime(std::chrono::microseconds(message.until_us()));
        if (!isBelievable(*command.until))
            return malformed(unbelievableTime);
    }
    return OperatorCommand(std::move(command));
}

Result<OperatorCommand> decodeAdd(w::AddTasks&& message)
{
    constexpr std::uint64_t mostLines = std::uint64_t{1} << 48U;
    if (message.lines_before() >= mostLines)
        return malformed("a line that no list has");
    return OperatorCommand(AddTasks{.text = std::move(*message.mutable_text()),
                                    .name = std::move(*message.mutable_name()),
                                    .firstLine = message.lines_before() + 1});
}

struct Encoder {
    w::CommandRequest& out;

    void operator()(const AddTasks& command) const
    {
        out.mutable_add()->set_text(command.text);
        out.mutable_add()->set_name(command.name);
        out.mutable_add()->set_lines_before(command.firstLine - 1);
    }
    void operator()(const EditTasks& command) const { encodeEdits(command, *out.mutable_edit()); }
    void operator()(const CancelTasks& command) const
    {
        encodeTargets(command.targets, *out.mutable_cancel());
    }
    void operator()(const HoldTasks& command) const
    {
        encodeTargets(command.targets, *out.mutable_hold());
    }
    void operator()(const ReleaseTasks& command) const
    {
        encodeTargets(command.targets, *out.mutable_release());
    }
    void operator()(const RepeatTasks& command) const
    {
        encodeTargets(command.targets, *out.mutable_repeat());
    }
    void operator()(const StopRun& command) const { out.mutable_stop()->set_kill(command.kill); }
    void operator()(const AcknowledgeAlarms& command) const
    {
        w::AcknowledgeAlarms& message = *out.mutable_acknowledge();
        for (const AlarmTarget& target : command.targets) {
            encodePlace(target.alarm, *message.add_alarms());
            encodePlace(target.base, *message.add_bases());
        }
        message.set_comment(command.comment);
        if (command.until)
            message.set_until_us(command.until->time_since_epoch().count());
    }
    void operator()(const DrainProcessor& command) const
    {
        out.mutable_drain()->set_processor(command.processor.value());
        out.mutable_drain()->set_drained(command.drained);
    }
    void operator()(const StopProcessor& command) const
    {
        out.mutable_stop_processor()->set_processor(command.processor.value());
    }
    void operator()(const PromoteProcessor& command) const
    {
        out.mutable_promote()->set_processor(command.processor.value());
    }
    void operator()(const ChangeTopology& command) const
    {
        out.mutable_change_topology()->set_base(command.base);
        out.mutable_change_topology()->set_text(command.text);
    }
    void operator()(const ChangeRole& command) const
    {
        out.mutable_change_role()->set_processor(command.processor.value());
        out.mutable_change_role()->set_kind(static_cast<std::uint32_t>(command.kind));
    }
};

void encodePiece(const OutputPiece& piece, w::OutputPiece& out)
{
    out.set_offset(piece.offset);
    out.set_content(piece.bytes);
    out.set_total_bytes(piece.totalBytes);
}

bool decodePiece(w::OutputPiece&& message, OutputPiece& out)
{
    out.offset = message.offset();
    out.totalBytes = message.total_bytes();
    out.bytes = std::move(*message.mutable_content());
    return out.offset <= out.totalBytes && out.bytes.size() <= out.totalBytes - out.offset;
}

} // namespace

void encodeCommand(const OperatorCommand& command, w::CommandRequest& out)
{
    std::visit(Encoder{out}, command);
}

Result<OperatorCommand> decodeCommand(w::CommandRequest&& message)
{
    switch (message.command_case()) {
    case w::CommandRequest::kAdd: return decodeAdd(std::move(*message.mutable_add()));
    case w::CommandRequest::kEdit: return decodeEdits(std::move(*message.mutable_edit()));
    case w::CommandRequest::kCancel: return withTargets<CancelTasks>(message.cancel());
    case w::CommandRequest::kHold: return withTargets<HoldTasks>(message.hold());
    case w::CommandRequest::kRelease: return withTargets<ReleaseTasks>(message.release());
    case w::CommandRequest::kRepeat: return withTargets<RepeatTasks>(message.repeat());
    case w::CommandRequest::kStop: return OperatorCommand(StopRun{message.stop().kill()});
    case w::CommandRequest::kAcknowledge:
        return decodeAcknowledge(std::move(*message.mutable_acknowledge()));
    case w::CommandRequest::kDrain:
        return OperatorCommand(DrainProcessor{.processor = ProcessorId(message.drain().processor()),
                                              .drained = message.drain().drained()});
    case w::CommandRequest::kStopProcessor:
        return OperatorCommand(StopProcessor{ProcessorId(message.stop_processor().processor())});
    case w::CommandRequest::kPromote:
        return OperatorCommand(PromoteProcessor{ProcessorId(message.promote().processor())});
    case w::CommandRequest::kChangeTopology:
        return OperatorCommand(
            ChangeTopology{.base = message.change_topology().base(),
                           .text = std::move(*message.mutable_change_topology()->mutable_text())});
    case w::CommandRequest::kChangeRole:
        if (message.change_role().kind() > static_cast<std::uint32_t>(ProcessorKind::Standby))
            return malformed("a role of unknown kind");
        return OperatorCommand(
            ChangeRole{.processor = ProcessorId(message.change_role().processor()),
                       .kind = static_cast<ProcessorKind>(message.change_role().kind())});
    case w::CommandRequest::COMMAND_NOT_SET: break;
    }
    return malformed("a command of unknown kind");
}

void encodeAnswer(const CommandAnswer& answer, w::CommandReply& out)
{
    out.set_accepted(answer.accepted);
    out.set_reason(answer.reason.text());
    out.set_reason_phrase(answer.reason.code());
    for (const std::string& line : answer.details)
        out.add_details(line);
    for (const TaskConflict& conflict : answer.conflicts) {
        out.add_conflict_tasks(conflict.id.value());
        out.add_conflict_causes(static_cast<std::uint32_t>(conflict.cause));
    }
    for (const EventId alarm : answer.alarms)
        encodePlace(alarm, *out.add_conflict_alarms());
    if (answer.added) {
        out.mutable_added()->set_first(answer.added->first.value());
        out.mutable_added()->set_count(answer.added->count);
        encodePlace(answer.added->recorded, *out.mutable_added()->mutable_recorded());
    }
}

Result<CommandAnswer> decodeAnswer(w::CommandReply&& message)
{
    if (message.conflict_tasks_size() != message.conflict_causes_size())
        return malformed("conflicting tasks and causes differ in number");
    CommandAnswer answer{
        .accepted = message.accepted(),
        .reason = Phrase::decoded(message.reason_phrase(), std::move(*message.mutable_reason())),
        .details = {},
        .conflicts = {}};
    for (std::string& line : *message.mutable_details())
        answer.details.push_back(std::move(line));
    for (int i = 0; i < message.conflict_tasks_size(); ++i) {
        const std::uint32_t cause = message.conflict_causes(i);
        if (cause > static_cast<std::uint32_t>(ConflictCause::Removed))
            return malformed("an unknown cause of a conflict");
        answer.conflicts.push_back(
            {TaskId(message.conflict_tasks(i)), static_cast<ConflictCause>(cause)});
    }
    for (const w::EventPlace& alarm : message.conflict_alarms())
        answer.alarms.push_back(decodePlace(alarm));
    if (message.has_added()) {
        const w::AddedTasks& added = message.added();
        if (added.count() > std::numeric_limits<std::uint32_t>::max() - added.first())
            return malformed("more tasks than a run can have");
        answer.added = AddedTasks{.first = TaskId(added.first()),
                                  .count = added.count(),
                                  .recorded = decodePlace(added.recorded())};
    }
    return answer;
}

void encodeOutput(const OutputAnswer& answer, w::OutputReply& out)
{
    out.set_task(answer.key.task.value());
    out.set_attempt(answer.key.number.value());
    out.set_known(answer.known);
    out.set_running(answer.running);
    encodePiece(answer.standardOutput, *out.mutable_standard_output());
    encodePiece(answer.standardError, *out.mutable_standard_error());
}

Result<OutputAnswer> decodeOutput(w::OutputReply&& message)
{
    OutputAnswer answer{.key = {TaskId(message.task()), AttemptNumber(message.attempt())},
                        .known = message.known(),
                        .running = message.running(),
                        .standardOutput = {},
                        .standardError = {}};
    if (!decodePiece(std::move(*message.mutable_standard_output()), answer.standardOutput)
        || !decodePiece(std::move(*message.mutable_standard_error()), answer.standardError))
        return malformed("a piece of output beyond what was written");
    return answer;
}

} // namespace tasuki::link
