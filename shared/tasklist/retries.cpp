// SPDX-License-Identifier: GPL-3.0-or-later
#include "retries.h"

#include "domain/nearest.h"

#include <array>
#include <charconv>
#include <optional>

namespace tasuki {

namespace {

// Index: RetryCause.
constexpr std::array<std::string_view, retryCauseCount> causeNames{"exit", "signal", "timeout",
                                                                   "lost"};
constexpr std::array<RetryCause, 3> causesOfBareNumber{RetryCause::Exit, RetryCause::Signal,
                                                       RetryCause::Timeout};

Error badRetries(std::string_view part, std::string_view why)
{
    return Error{
        .kind = ErrorKind::Input,
        .message = '"' + std::string(part) + "\" is not a number of retries: " + std::string(why),
        .remedy = "write a number like 2, or causes like exit:2,signal:1,timeout:0,lost:5"};
}

Result<std::uint16_t> parseCount(std::string_view part, std::string_view digits)
{
    std::uint16_t count = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error == std::errc::result_out_of_range && !digits.starts_with('-'))
        return badRetries(part, "the most is 65535");
    if (error != std::errc() || end != digits.data() + digits.size())
        return badRetries(part, "a whole number from 0 to 65535 was expected");
    return count;
}

} // namespace

Result<RetryBudget> parseRetries(std::string_view text, const RetryBudget& base)
{
    std::optional<std::uint16_t> bare;
    std::array<std::optional<std::uint16_t>, retryCauseCount> named;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string_view part = text.substr(at, end - at);
        at = end + 1;
        const std::size_t colon = part.find(':');
        std::optional<std::uint16_t>* target = &bare;
        if (colon != std::string_view::npos) {
            const std::string_view cause = part.substr(0, colon);
            std::size_t index = 0;
            while (index < causeNames.size() && causeNames[index] != cause)
                ++index;
            if (index == causeNames.size())
                return badRetries(part,
                                  "there is no cause \"" + std::string(cause)
                                      + "\", the nearest is \""
                                      + std::string(nearestName(cause, causeNames)) + "\"");
            target = &named[index];
        }
        const Result<std::uint16_t> count = parseCount(
            part, colon == std::string_view::npos ? part : part.substr(colon + 1));
        if (!count)
            return count.error();
        if (*target)
            return badRetries(part, "it was set before");
        *target = *count;
    }

    RetryBudget budget = base;
    if (bare) {
        for (const RetryCause cause : causesOfBareNumber)
            budget.allowed[static_cast<std::size_t>(cause)] = *bare;
    }
    for (std::size_t i = 0; i < named.size(); ++i) {
        if (named[i])
            budget.allowed[i] = *named[i];
    }
    return budget;
}

std::string formatRetries(const RetryBudget& budget)
{
    std::string text;
    for (std::size_t i = 0; i < retryCauseCount; ++i) {
        if (i != 0)
            text += ',';
        text += std::string(causeNames[i]) + ':' + std::to_string(budget.allowed[i]);
    }
    return text;
}

} // namespace tasuki
