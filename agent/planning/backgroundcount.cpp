// SPDX-License-Identifier: GPL-3.0-or-later
#include "backgroundcount.h"

#include "plan/enumeration.h"

#include <utility>

namespace tasuki::planning {

BackgroundCount::BackgroundCount(std::shared_ptr<const plan::Environment> environment,
                                 std::uint32_t tasks)
{
    std::promise<std::optional<plan::AllocationCount>> promise;
    m_coming = promise.get_future();
    m_thread = std::jthread([environment = std::move(environment), tasks,
                             promise = std::move(promise)](const std::stop_token& stop) mutable {
        promise.set_value(plan::Enumeration(*environment, tasks).count({}, stop));
    });
}

std::optional<plan::AllocationCount> BackgroundCount::within(std::chrono::milliseconds time)
{
    if (m_coming.valid() && m_coming.wait_for(time) == std::future_status::ready)
        m_known = m_coming.get();
    return m_known;
}

} // namespace tasuki::planning
