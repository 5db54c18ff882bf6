// SPDX-License-Identifier: GPL-3.0-or-later
#include "communicatornumbers.h"

#include <algorithm>

namespace tasuki::tracer {

std::vector<std::vector<std::uint32_t>> numberCommunicators(
    const std::vector<std::vector<CommunicatorId>>& ids)
{
    std::vector<CommunicatorId> all{worldId};
    for (const auto& ofTask : ids)
        all.insert(all.end(), ofTask.begin(), ofTask.end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());

    std::vector<std::vector<std::uint32_t>> numbers(ids.size());
    for (std::size_t task = 0; task < ids.size(); ++task) {
        numbers[task].reserve(ids[task].size());
        for (const CommunicatorId id : ids[task]) {
            const auto at = std::ranges::lower_bound(all, id);
            numbers[task].push_back(static_cast<std::uint32_t>(at - all.begin()));
        }
    }
    return numbers;
}

} // namespace tasuki::tracer
