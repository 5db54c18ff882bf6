// SPDX-License-Identifier: GPL-3.0-or-later
#include "domaincodec.h"

#include "domain/timerange.h"

#include "tasuki.pb.h"

#include <limits>

namespace tasuki::wire {

namespace {

constexpr std::uint32_t highestSignal = 64;

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

} // namespace

Error malformed(std::string what)
{
    return Error{.kind = ErrorKind::Protocol, .message = "malformed message: " + std::move(what)};
}

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
    if (settings.seat) {
        out.mutable_seat()->set_world(settings.seat->world);
        out.mutable_seat()->set_rank(static_cast<std::uint32_t>(settings.seat->rank.value()));
        out.mutable_seat()->set_log_mb(settings.seat->logMb);
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
    if (message.has_seat()) {
        if (message.seat().rank() > std::uint32_t{std::numeric_limits<std::int32_t>::max()})
            return malformed("a seat of an impossible rank");
        settings.seat = tasuki::WorldSeat{
            .world = message.seat().world(),
            .rank = Rank(static_cast<Rank::Representation>(message.seat().rank())),
            .logMb = message.seat().log_mb()};
    }
    settings.workingDirectory = message.working_directory();
    for (const Variable& variable : message.environment())
        settings.environment.emplace_back(variable.name(), variable.value());
    return settings;
}

} // namespace tasuki::wire
