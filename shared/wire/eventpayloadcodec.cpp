// SPDX-License-Identifier: GPL-3.0-or-later
#include "eventpayloadcodec.h"

#include "describedcodec.h"
#include "domain/timerange.h"
#include "eventcodec.h"

#include "link.pb.h"

#include <string_view>

namespace tasuki::link {

namespace {

namespace w = wire::link;

/// Differences of times go modulo 2^64.
std::int64_t minus(WallTime time, std::int64_t wallUs)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(time.time_since_epoch().count())
                                     - static_cast<std::uint64_t>(wallUs));
}

std::int64_t plus(std::int64_t wallUs, std::int64_t difference)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(wallUs)
                                     + static_cast<std::uint64_t>(difference));
}

/// Cuts to the limit, not inside a character of UTF-8.
std::string_view shortened(std::string_view command)
{
    constexpr int longestCharacter = 4;
    std::size_t length = streamedCommandBytes;
    const auto continues = [&](std::size_t at) {
        return (static_cast<unsigned char>(command[at]) & 0xC0U) == 0x80U;
    };
    for (int i = 1; i < longestCharacter && continues(length); ++i)
        --length;
    return command.substr(0, continues(length) ? streamedCommandBytes : length);
}

/// One function an event kind, chosen by type.
struct PayloadEncoder {
    const EventPayload& payload;
    std::int64_t wallUs;
    const SettingsIndex& settings;
    const GroupIndex& groups;
    w::Event& out;

    void operator()(const RunOpened& event) const
    {
        w::RunOpened& message = *out.mutable_run_opened();
        message.set_host(event.host);
        message.set_version(event.version);
        message.set_directory(event.directory);
        message.set_task_list(event.taskList);
        message.set_processors(event.processors);
        message.set_dedicated_master(event.dedicatedMaster);
    }
    void operator()(const TaskAdded& event) const
    {
        define(event.id, event.task, *out.mutable_task_added());
    }
    void operator()(const TaskChanged& event) const
    {
        define(event.id, event.task, *out.mutable_task_changed());
    }
    void operator()(const TaskRemoved& event) const
    {
        out.mutable_task_removed()->set_task(event.id.value());
    }
    void operator()(const TaskReopened& event) const
    {
        out.mutable_task_reopened()->set_task(event.id.value());
    }
    void operator()(const TaskSkipped& event) const
    {
        out.mutable_task_skipped()->set_task(event.id.value());
        out.mutable_task_skipped()->set_because(event.because.value());
    }
    void operator()(const TaskHeld& event) const
    {
        out.mutable_task_held()->set_task(event.id.value());
    }
    void operator()(const TaskReleased& event) const
    {
        out.mutable_task_released()->set_task(event.id.value());
    }
    void operator()(const TaskCancelled& event) const
    {
        out.mutable_task_cancelled()->set_task(event.id.value());
    }
    void operator()(const TaskCancelling& event) const
    {
        out.mutable_task_cancelling()->set_task(event.id.value());
    }
    void operator()(const ProcessorJoined& event) const
    {
        w::ProcessorJoined& message = *out.mutable_processor_joined();
        message.set_rank(event.rank.value());
        message.set_incarnation(event.incarnation.value());
        message.set_host(event.host);
        message.set_pid(event.pid);
        message.set_slot_count(event.slots);
    }
    void operator()(const ProcessorLost& event) const
    {
        w::ProcessorLost& message = *out.mutable_processor_lost();
        message.set_rank(event.rank.value());
        message.set_incarnation(event.incarnation.value());
        message.set_cause(static_cast<std::uint32_t>(event.cause));
    }
    void operator()(const AttemptStarted& event) const
    {
        w::AttemptStarted& message = *out.mutable_attempt_started();
        message.set_task(event.key.task.value());
        message.set_attempt(event.key.number.value());
        message.set_rank(event.rank.value());
        message.set_slot(event.slot.value());
        message.set_started_us(minus(event.startedAt, wallUs));
    }
    void operator()(const AttemptFinished& event) const
    {
        w::AttemptFinished& message = *out.mutable_attempt_finished();
        const AttemptResult& result = event.result;
        message.set_task(event.key.task.value());
        message.set_attempt(event.key.number.value());
        message.set_rank(event.rank.value());
        message.set_slot(event.slot.value());
        message.set_disposition(static_cast<std::uint32_t>(event.disposition));
        message.set_outcome(static_cast<std::uint32_t>(result.outcome));
        message.set_code(result.code);
        message.set_started_us(minus(result.startedAt, wallUs));
        message.set_elapsed_us(result.elapsed.count());
        message.set_user_us(result.usage.user.count());
        message.set_system_us(result.usage.system.count());
        message.set_max_resident_kib(result.usage.maxResidentKiB);
        message.set_standard_output_bytes(result.standardOutput.totalBytes);
        message.set_standard_error_bytes(result.standardError.totalBytes);
    }
    void operator()(const Notice& event) const
    {
        out.mutable_notice()->set_severity(static_cast<std::uint32_t>(event.severity));
        out.mutable_notice()->set_text(event.text.text());
        out.mutable_notice()->set_text_phrase(event.text.code());
    }
    void operator()(const RunClosed& event) const
    {
        out.mutable_run_closed()->set_end(static_cast<std::uint32_t>(event.end));
        out.mutable_run_closed()->set_elapsed_us(event.elapsed.count());
    }

    /// What is described.
    template <class Payload>
    void operator()(const Payload&) const
    {
        encodeDescribed(payload, out);
    }

    void define(TaskId id, const Task& task, w::TaskDefined& message) const
    {
        message.set_task(id.value());
        w::Task& definition = *message.mutable_definition();
        if (task.command.size() > streamedCommandBytes) {
            const std::string_view start = shortened(task.command);
            definition.set_command(start.data(), start.size());
            definition.set_command_bytes(task.command.size());
        } else {
            definition.set_command(task.command);
        }
        encodePlace(task, groups, definition);
        definition.set_settings(settings(task.settings));
    }

    static void encodePlace(const Task& task, const GroupIndex& index, w::Task& definition)
    {
        definition.set_stage(task.stage);
        definition.set_position(task.position);
        definition.set_line(task.line);
        if (!task.links)
            return;
        w::TaskLinks& links = *definition.mutable_links();
        links.set_label(task.links->label);
        encodePrerequisites(task.links->after, index, links);
    }
};

/// The settings are left null.
Result<Task> decodeDefinition(w::Task&& message, const GroupTable& groups)
{
    Task task;
    task.command = std::move(*message.mutable_command());
    task.stage = message.stage();
    task.position = message.position();
    task.line = message.line();
    if (!message.has_links())
        return task;
    auto after = decodePrerequisites(message.links(), groups);
    if (!after)
        return after.error();
    auto links = std::make_shared<TaskLinks>();
    links->label = std::move(*message.mutable_links()->mutable_label());
    links->after = std::move(*after);
    task.links = std::move(links);
    return task;
}

class Decoder {
public:
    Decoder(std::int64_t wallUs, const SettingsTable& settings, const GroupTable& groups)
        : m_wallUs(wallUs), m_settings(settings), m_groups(groups)
    {}

    /// The first thing that is wrong; empty: nothing.
    [[nodiscard]] const std::string& problem() const { return m_problem; }

    EventPayload payload(w::Event& in)
    {
        switch (in.payload_case()) {
        case w::Event::kAttemptStarted: return started(in.attempt_started());
        case w::Event::kAttemptFinished: return finished(in.attempt_finished());
        case w::Event::kTaskAdded:
            return TaskAdded{TaskId(in.task_added().task()), task(*in.mutable_task_added())};
        case w::Event::kTaskChanged:
            return TaskChanged{TaskId(in.task_changed().task()), task(*in.mutable_task_changed())};
        case w::Event::kTaskRemoved: return TaskRemoved{TaskId(in.task_removed().task())};
        case w::Event::kTaskReopened: return TaskReopened{TaskId(in.task_reopened().task())};
        case w::Event::kTaskSkipped:
            return TaskSkipped{TaskId(in.task_skipped().task()),
                               TaskId(in.task_skipped().because())};
        case w::Event::kTaskHeld: return TaskHeld{TaskId(in.task_held().task())};
        case w::Event::kTaskReleased: return TaskReleased{TaskId(in.task_released().task())};
        case w::Event::kTaskCancelled: return TaskCancelled{TaskId(in.task_cancelled().task())};
        case w::Event::kTaskCancelling: return TaskCancelling{TaskId(in.task_cancelling().task())};
        case w::Event::kRunOpened: return opened(*in.mutable_run_opened());
        case w::Event::kRunClosed:
            return RunClosed{
                word(in.run_closed().end(), RunEnd::Interrupted, "an unknown end of a run"),
                duration(in.run_closed().elapsed_us())};
        case w::Event::kProcessorJoined: return joined(*in.mutable_processor_joined());
        case w::Event::kProcessorLost:
            return ProcessorLost{
                Rank(in.processor_lost().rank()), Incarnation(in.processor_lost().incarnation()),
                word(in.processor_lost().cause(), LossCause::Left, "an unknown cause of a loss")};
        case w::Event::kNotice:
            return Notice{word(in.notice().severity(), Severity::Failure, "an unknown severity"),
                          Phrase::decoded(in.notice().text_phrase(),
                                          std::move(*in.mutable_notice()->mutable_text()))};
        default: break;
        }
        EventPayload described;
        if (!decodeDescribed(in, described, m_problem))
            complain("an event of unknown kind");
        return described;
    }

private:
    void complain(const char* problem)
    {
        if (m_problem.empty())
            m_problem = problem;
    }

    template <class E>
    E word(std::uint32_t value, E last, const char* what)
    {
        if (value <= static_cast<std::uint32_t>(last))
            return static_cast<E>(value);
        complain(what);
        return E{};
    }

    std::chrono::microseconds duration(std::int64_t microseconds)
    {
        const std::chrono::microseconds duration(microseconds);
        if (!isBelievable(duration))
            complain(unbelievableDuration);
        return duration;
    }

    /// @param sinceEvent  microseconds since the event's time
    WallTime time(std::int64_t sinceEvent)
    {
        const WallTime time{std::chrono::microseconds(plus(m_wallUs, sinceEvent))};
        if (!isBelievable(time))
            complain(unbelievableTime);
        return time;
    }

    EventPayload started(const w::AttemptStarted& in)
    {
        return AttemptStarted{.key = {TaskId(in.task()), AttemptNumber(in.attempt())},
                              .rank = Rank(in.rank()),
                              .slot = SlotIndex(in.slot()),
                              .startedAt = time(in.started_us())};
    }

    EventPayload finished(const w::AttemptFinished& in)
    {
        AttemptFinished out{
            .key = {TaskId(in.task()), AttemptNumber(in.attempt())},
            .rank = Rank(in.rank()),
            .slot = SlotIndex(in.slot()),
            .disposition = word(in.disposition(), Disposition::Requeue, "an unknown disposition"),
            .result = {}};
        AttemptResult& result = out.result;
        result.outcome = word(in.outcome(), Outcome::NotStarted, "an unknown outcome");
        result.code = in.code();
        result.startedAt = time(in.started_us());
        result.elapsed = duration(in.elapsed_us());
        result.usage = {.user = duration(in.user_us()),
                        .system = duration(in.system_us()),
                        .maxResidentKiB = in.max_resident_kib()};
        result.standardOutput.totalBytes = in.standard_output_bytes();
        result.standardError.totalBytes = in.standard_error_bytes();
        return out;
    }

    static EventPayload opened(w::RunOpened& in)
    {
        return RunOpened{.host = std::move(*in.mutable_host()),
                         .version = std::move(*in.mutable_version()),
                         .directory = std::move(*in.mutable_directory()),
                         .taskList = std::move(*in.mutable_task_list()),
                         .processors = in.processors(),
                         .dedicatedMaster = in.dedicated_master()};
    }

    static EventPayload joined(w::ProcessorJoined& in)
    {
        return ProcessorJoined{.rank = Rank(in.rank()),
                               .incarnation = Incarnation(in.incarnation()),
                               .host = std::move(*in.mutable_host()),
                               .pid = in.pid(),
                               .slots = in.slot_count()};
    }

    Task task(w::TaskDefined& in)
    {
        if (!in.has_definition() || in.definition().settings() >= m_settings.size()) {
            complain("a task refers to settings that were not sent");
            return {};
        }
        const std::uint32_t index = in.definition().settings();
        const std::uint64_t whole = in.definition().command_bytes();
        if (whole != 0 && whole <= in.definition().command().size())
            complain("a shortened command is not shorter");
        auto out = decodeDefinition(std::move(*in.mutable_definition()), m_groups);
        if (!out) {
            complain("a task comes after a group that was not sent");
            return {};
        }
        out->settings = m_settings[index];
        return std::move(*out);
    }

    std::int64_t m_wallUs;
    const SettingsTable& m_settings;
    const GroupTable& m_groups;
    std::string m_problem;
};

} // namespace

void encodePayload(const EventPayload& payload, std::int64_t wallUs, const SettingsIndex& settings,
                   const GroupIndex& groups, w::Event& out)
{
    std::visit(PayloadEncoder{payload, wallUs, settings, groups, out}, payload);
}

Result<void> decodePayload(w::Event&& message, std::int64_t wallUs, const SettingsTable& settings,
                           const GroupTable& groups, EventPayload& out)
{
    Decoder decoder(wallUs, settings, groups);
    out = decoder.payload(message);
    if (!decoder.problem().empty())
        return malformed(decoder.problem());
    return {};
}

std::uint64_t wholeCommandBytes(const w::Event& message)
{
    if (message.has_task_added())
        return message.task_added().definition().command_bytes();
    if (message.has_task_changed())
        return message.task_changed().definition().command_bytes();
    return 0;
}

void encodeTask(const Task& task, w::Task& out)
{
    out.set_command(task.command);
    PayloadEncoder::encodePlace(task, {}, out);
}

Task decodeTask(w::Task&& message)
{
    if (message.has_links()) // a task by itself comes without groups
        message.mutable_links()->clear_after_groups();
    return std::move(decodeDefinition(std::move(message), {})).value();
}

} // namespace tasuki::link
