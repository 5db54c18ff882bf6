// SPDX-License-Identifier: GPL-3.0-or-later
#include "relayline.h"

#include "accessjson.h"

#include <algorithm>

namespace tasuki::link {

namespace {

constexpr std::string_view begin = "tasuki-relay 1 ";
constexpr std::string_view ofAgent = "agent ";
constexpr std::string_view ofRecord = "record ";

} // namespace

std::string relayText(const RelayLine& line)
{
    std::string json = jsonOf(line.access);
    // Texts in it have none.
    std::ranges::replace(json, '\n', ' ');
    return std::string(begin) + std::string(line.record ? ofRecord : ofAgent) + json + '\n';
}

std::optional<Result<RelayLine>> relayLineOf(std::string_view text)
{
    if (!text.starts_with(begin))
        return std::nullopt;
    text.remove_prefix(begin.size());
    const bool record = text.starts_with(ofRecord);
    if (!record && !text.starts_with(ofAgent))
        return std::nullopt;
    text.remove_prefix(record ? ofRecord.size() : ofAgent.size());
    auto access = accessOfJson(text);
    if (!access)
        return Result<RelayLine>(access.error());
    return Result<RelayLine>(RelayLine{.access = std::move(*access), .record = record});
}

} // namespace tasuki::link
