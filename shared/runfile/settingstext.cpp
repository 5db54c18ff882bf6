// SPDX-License-Identifier: GPL-3.0-or-later
#include "settingstext.h"

#include <limits>

namespace tasuki {

namespace {

constexpr int retriesColumn = 1;
constexpr int timeoutColumn = 5;
constexpr int directoryColumn = 6;
constexpr int environmentColumn = 7;

Error damaged(const Statement& row, const char* what)
{
    return Error{.kind = ErrorKind::Damaged,
                 .message = "the run file is damaged: settings " + std::to_string(row.integer(0))
                     + " have " + what};
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
    if (!row.isNull(timeoutColumn))
        settings.timeout = std::chrono::milliseconds(row.integer(timeoutColumn));
    settings.workingDirectory = row.bytes(directoryColumn);
    std::string_view rest = row.bytes(environmentColumn);
    while (!rest.empty()) {
        const auto nameEnd = rest.find('\0');
        const auto valueEnd = nameEnd == std::string_view::npos ? nameEnd
                                                                : rest.find('\0', nameEnd + 1);
        if (valueEnd == std::string_view::npos)
            return damaged(row, "an environment that is cut off");
        settings.environment.emplace_back(rest.substr(0, nameEnd),
                                          rest.substr(nameEnd + 1, valueEnd - nameEnd - 1));
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
    return bytes;
}

} // namespace tasuki
