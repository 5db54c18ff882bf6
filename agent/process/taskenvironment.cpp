// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/taskenvironment.h"

#include "process/childkind.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tasuki::guardian {
namespace {

constexpr std::array<std::string_view, 8> markerNames{
    "TASUKI_RUN",     "TASUKI_EPOCH", "TASUKI_RANK",   "TASUKI_TASK",
    "TASUKI_ATTEMPT", "TASUKI_SLOT",  "TASUKI_OUTPUT", "TASUKI_CHANNEL"};

/// What one run tells its tasks must not be told by another one's.
bool isMarker(std::string_view name)
{
    return std::find(markerNames.begin(), markerNames.end(), name) != markerNames.end();
}

std::string_view nameOf(std::string_view variable)
{
    return variable.substr(0, variable.find('='));
}

} // namespace

TaskEnvironment::TaskEnvironment(const char* const* inherited, const RunId& run, Epoch epoch,
                                 Rank rank,
                                 const std::vector<std::pair<std::string, std::string>>& added)
{
    m_variables.push_back("TASUKI_RUN=" + run.hex);
    m_variables.push_back("TASUKI_EPOCH=" + std::to_string(epoch.value()));
    m_variables.push_back("TASUKI_RANK=" + std::to_string(rank.value()));
    for (; *inherited != nullptr; ++inherited) {
        if (!isMarker(nameOf(*inherited)))
            m_variables.emplace_back(*inherited);
    }
    for (const auto& [name, value] : added) {
        if (isMarker(name))
            continue;
        m_ofWorld = m_ofWorld || name == "TASUKI_WORLD";
        const auto place = std::find_if(
            m_variables.begin(), m_variables.end(),
            [&, &wanted = name](const std::string& each) { return nameOf(each) == wanted; });
        if (place != m_variables.end())
            *place = name + "=" + value;
        else
            m_variables.push_back(name + "=" + value);
    }
}

AttemptEnvironment TaskEnvironment::forAttempt(AttemptKey key, SlotIndex slot,
                                               const std::string& output, bool channel)
{
    std::vector<char*> block;
    block.reserve(m_variables.size() + 6);
    for (std::string& each : m_variables)
        block.push_back(each.data());
    std::vector<std::string> own{"TASUKI_TASK=" + std::to_string(key.task.value()),
                                 "TASUKI_ATTEMPT=" + std::to_string(key.number.value()),
                                 "TASUKI_SLOT=" + std::to_string(slot.value())};
    if (m_ofWorld)
        own.push_back("TASUKI_OUTPUT=" + output);
    if (channel)
        own.push_back("TASUKI_CHANNEL=" + std::to_string(channelDescriptor));
    return {std::move(own), std::move(block)};
}

AttemptEnvironment::AttemptEnvironment(std::vector<std::string> own, std::vector<char*> shared)
    : m_own(std::move(own)), m_block(std::move(shared))
{
    for (std::string& each : m_own)
        m_block.push_back(each.data());
    m_block.push_back(nullptr);
}

} // namespace tasuki::guardian
