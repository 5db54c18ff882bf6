// SPDX-License-Identifier: GPL-3.0-or-later
#include "settingstext.h"

#include "domain/timerange.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace tasuki {

namespace {

constexpr int retriesColumn = 1;
constexpr int timeoutColumn = 5;
constexpr int directoryColumn = 6;
constexpr int environmentColumn = 7;
constexpr std::string_view timeWord = "#time";
constexpr std::string_view warnWord = "#warn";
constexpr std::string_view seatWord = "#seat";
constexpr std::string_view logWord = "#log"; ///< behind the seat

Error damaged(const Statement& row, const char* what)
{
    return Error{.kind = ErrorKind::Damaged,
                 .message = "the run file is damaged: settings " + std::to_string(row.integer(0))
                     + " have " + what};
}

/// @return whether the whole text is a number
template <class Number>
bool takeNumber(std::string_view text, Number& number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

bool takeTime(std::string_view text, std::chrono::milliseconds& time)
{
    std::int64_t number = 0;
    const bool taken = takeNumber(text, number);
    time = std::chrono::milliseconds(number);
    return taken && number > 0 && isBelievable(time);
}

/// Takes an entry of the environment that is no variable.
/// @return whether it could be read
bool takeWord(std::string_view name, std::string_view value, TaskSettings& settings)
{
    std::chrono::milliseconds time{};
    if (name == timeWord) {
        if (!takeTime(value, time))
            return false;
        settings.expectedTime = time;
    } else if (name == warnWord) {
        const std::size_t at = std::min(value.find('@'), value.size());
        EndWarning warning;
        if (at == value.size() || !takeNumber(value.substr(0, at), warning.signalNumber)
            || warning.signalNumber <= 0 || !takeTime(value.substr(at + 1), time))
            return false;
        warning.before = time;
        settings.warning = warning;
    } else if (name == seatWord) {
        const std::size_t colon = std::min(value.find(':'), value.size());
        std::uint32_t world = 0;
        Rank::Representation rank = 0;
        if (colon == value.size() || !takeNumber(value.substr(0, colon), world)
            || !takeNumber(value.substr(colon + 1), rank) || rank < 0)
            return false;
        settings.seat = WorldSeat{.world = world, .rank = Rank(rank)};
    } else if (name == logWord) {
        if (!settings.seat || !takeNumber(value, settings.seat->logMb))
            return false;
    }
    return true; // others are of a later version
}

} // namespace

Result<TaskSettings> settingsOfRow(const Statement& row)
{
    TaskSettings settings;
    for (std::size_t cause = 0; cause < retryCauseCount; ++cause) {
        const auto allowed = row.integer(retriesColumn + static_cast<int>(cause));
        if (allowed < 0 || allowed > std::numeric_limits<std::uint16_t>::max())
            return damaged(row, "an impossible number of retries");
        settings.retries.allowed[cause] = static_cast<std::uint16_t>(allowed);
    }
    if (!row.isNull(timeoutColumn)) {
        settings.timeout = std::chrono::milliseconds(row.integer(timeoutColumn));
        if (!isBelievable(*settings.timeout))
            return damaged(row, "an impossible time limit");
    }
    settings.workingDirectory = row.bytes(directoryColumn);
    std::string_view rest = row.bytes(environmentColumn);
    while (!rest.empty()) {
        const auto nameEnd = rest.find('\0');
        const auto valueEnd = nameEnd == std::string_view::npos ? nameEnd
                                                                : rest.find('\0', nameEnd + 1);
        if (valueEnd == std::string_view::npos)
            return damaged(row, "an environment that is cut off");
        const std::string_view name = rest.substr(0, nameEnd);
        const std::string_view value = rest.substr(nameEnd + 1, valueEnd - nameEnd - 1);
        if (!name.starts_with('#'))
            settings.environment.emplace_back(name, value);
        else if (!takeWord(name, value, settings))
            return damaged(row, "an impossible time, warning or rank");
        rest.remove_prefix(valueEnd + 1);
    }
    return settings;
}

std::string contentOf(const TaskSettings& settings)
{
    std::string content;
    for (const auto allowed : settings.retries.allowed)
        content += std::to_string(allowed) + ' ';
    content += settings.timeout ? std::to_string(settings.timeout->count()) : "-";
    content += ' ' + std::to_string(settings.workingDirectory.size()) + ' ';
    content += settings.workingDirectory;
    content += environmentBytes(settings);
    return content;
}

std::string environmentBytes(const TaskSettings& settings)
{
    std::string bytes;
    for (const auto& [name, value] : settings.environment) {
        bytes += name;
        bytes += '\0';
        bytes += value;
        bytes += '\0';
    }
    const auto add = [&bytes](std::string_view name, const std::string& value) {
        bytes.append(name).append(1, '\0').append(value).append(1, '\0');
    };
    if (settings.expectedTime)
        add(timeWord, std::to_string(settings.expectedTime->count()));
    if (settings.warning)
        add(warnWord,
            std::to_string(settings.warning->signalNumber) + '@'
                + std::to_string(settings.warning->before.count()));
    if (settings.seat)
        add(seatWord,
            std::to_string(settings.seat->world) + ':'
                + std::to_string(settings.seat->rank.value()));
    if (settings.seat && settings.seat->logMb != 0)
        add(logWord, std::to_string(settings.seat->logMb));
    return bytes;
}

} // namespace tasuki
