// SPDX-License-Identifier: GPL-3.0-or-later
#include "domaincodec.h"

#include "domain/timerange.h"

#include "tasuki.pb.h"

#include <limits>

namespace tasuki::wire {

namespace {

constexpr std::uint32_t highestSignal = 64;

Error malformed(std::string what)
{
    return Error{.kind = ErrorKind::Protocol, .message = "malformed message: " + std::move(what)};
}

bool isUsable(std::chrono::milliseconds time) { return isBelievable(time) && time.count() > 0; }

bool decodeBudget(const RetryBudget& message, tasuki::RetryBudget& out)
{
    const std::array<std::uint32_t, retryCauseCount> values{message.exit(), message.signal(),
                                                            message.timeout(), message.lost()};
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] > std::numeric_limits<std::uint16_t>::max())
            return false;
        out.allowed[i] = static_cast<std::uint16_t>(values[i]);
    }
    return true;
}

void encodeStream(tasuki::CapturedStream&& stream, CapturedStream& out)
{
    out.set_total_bytes(stream.totalBytes);
    out.set_head(std::move(stream.head));
    out.set_tail(std::move(stream.tail));
}

bool decodeStream(CapturedStream&& message, tasuki::CapturedStream& out)
{
    out.head = std::move(*message.mutable_head());
    out.tail = std::move(*message.mutable_tail());
    out.totalBytes = message.total_bytes();
    return out.totalBytes >= out.head.size() + out.tail.size();
}

} // namespace

void encode(const tasuki::TaskSettings& settings, TaskSettings& out)
{
    RetryBudget& retries = *out.mutable_retries();
    retries.set_exit(settings.retries.of(RetryCause::Exit));
    retries.set_signal(settings.retries.of(RetryCause::Signal));
    retries.set_timeout(settings.retries.of(RetryCause::Timeout));
    retries.set_lost(settings.retries.of(RetryCause::ProcessorLost));
    if (settings.timeout)
        out.set_timeout_ms(settings.timeout->count());
    if (settings.expectedTime)
        out.set_expected_ms(settings.expectedTime->count());
    if (settings.warning) {
        EndWarning& warning = *out.mutable_warning();
        warning.set_signal_number(static_cast<std::uint32_t>(settings.warning->signalNumber));
        warning.set_before_ms(settings.warning->before.count());
    }
    out.set_working_directory(settings.workingDirectory);
    for (const auto& [name, value] : settings.environment) {
        Variable& variable = *out.add_environment();
        variable.set_name(name);
        variable.set_value(value);
    }
}

Result<tasuki::TaskSettings> decode(const TaskSettings& message)
{
    tasuki::TaskSettings settings;
    if (!decodeBudget(message.retries(), settings.retries))
        return malformed("retry budget over 65535");
    if (message.has_timeout_ms()) {
        settings.timeout = std::chrono::milliseconds(message.timeout_ms());
        if (!isUsable(*settings.timeout))
            return malformed("time limit not above 0, or over 230 years");
    }
    if (message.has_expected_ms()) {
        settings.expectedTime = std::chrono::milliseconds(message.expected_ms());
        if (!isUsable(*settings.expectedTime))
            return malformed("declared time not above 0, or over 230 years");
    }
    if (message.has_warning()) {
        if (message.warning().signal_number() == 0
            || message.warning().signal_number() > highestSignal
            || !isUsable(std::chrono::milliseconds(message.warning().before_ms())))
            return malformed("a warning without signal or time");
        settings.warning = tasuki::EndWarning{
            .signalNumber = static_cast<int>(message.warning().signal_number()),
            .before = std::chrono::milliseconds(message.warning().before_ms())};
    }
    settings.workingDirectory = message.working_directory();
    for (const Variable& variable : message.environment())
        settings.environment.emplace_back(variable.name(), variable.value());
    return settings;
}

void encode(tasuki::AttemptResult&& result, AttemptResult& out)
{
    out.set_outcome(static_cast<std::uint32_t>(result.outcome));
    out.set_code(result.code);
    out.set_started_us(result.startedAt.time_since_epoch().count());
    out.set_elapsed_us(result.elapsed.count());
    if (result.usage != tasuki::ResourceUsage{}) {
        ResourceUsage& usage = *out.mutable_usage();
        usage.set_user_us(result.usage.user.count());
        usage.set_system_us(result.usage.system.count());
        usage.set_max_resident_kib(result.usage.maxResidentKiB);
    }
    if (result.standardOutput.totalBytes != 0)
        encodeStream(std::move(result.standardOutput), *out.mutable_standard_output());
    if (result.standardError.totalBytes != 0)
        encodeStream(std::move(result.standardError), *out.mutable_standard_error());
}

Result<tasuki::AttemptResult> decode(AttemptResult&& message)
{
    tasuki::AttemptResult result;
    if (message.outcome() > static_cast<std::uint32_t>(Outcome::NotStarted))
        return malformed("unknown outcome " + std::to_string(message.outcome()));
    result.outcome = static_cast<Outcome>(message.outcome());
    result.code = message.code();
    result.startedAt = WallTime(std::chrono::microseconds(message.started_us()));
    if (!isBelievable(result.startedAt))
        return malformed(unbelievableTime);
    result.elapsed = std::chrono::microseconds(message.elapsed_us());
    if (!isBelievable(result.elapsed))
        return malformed(unbelievableDuration);
    if (message.has_usage()) {
        result.usage = tasuki::ResourceUsage{
            .user = std::chrono::microseconds(message.usage().user_us()),
            .system = std::chrono::microseconds(message.usage().system_us()),
            .maxResidentKiB = message.usage().max_resident_kib()};
        if (!isBelievable(result.usage.user) || !isBelievable(result.usage.system))
            return malformed(unbelievableDuration);
    }
    if (message.has_standard_output()
        && !decodeStream(std::move(*message.mutable_standard_output()), result.standardOutput))
        return malformed("captured output larger than its total");
    if (message.has_standard_error()
        && !decodeStream(std::move(*message.mutable_standard_error()), result.standardError))
        return malformed("captured output larger than its total");
    return result;
}

} // namespace tasuki::wire
