// SPDX-License-Identifier: GPL-3.0-or-later
#include "slotcount.h"

#include <algorithm>
#include <thread>

#include <sched.h>

namespace tasuki {

std::vector<std::uint32_t> usableCoreNumbers()
{
    std::vector<std::uint32_t> numbers;
    // A thread of its own tries to use them all: the system leaves out those that it may not use.
    std::thread([&numbers] {
        cpu_set_t all;
        CPU_ZERO(&all);
        for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            CPU_SET(cpu, &all);
        ::sched_setaffinity(0, sizeof(all), &all);
        if (::sched_getaffinity(0, sizeof(all), &all) != 0)
            return;
        for (std::uint32_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
            if (CPU_ISSET(cpu, &all))
                numbers.push_back(cpu);
        }
    }).join();
    return numbers;
}

std::size_t usableCores() { return std::max<std::size_t>(1, usableCoreNumbers().size()); }

std::vector<std::uint32_t> coreShare(const std::vector<std::uint32_t>& cores, std::size_t ranks,
                                     std::size_t index)
{
    if (ranks > cores.size() || index >= ranks)
        return {};
    const auto at = [&](std::size_t rank) {
        return cores.begin() + static_cast<std::ptrdiff_t>(rank * cores.size() / ranks);
    };
    return {at(index), at(index + 1)};
}

std::uint32_t slotShare(std::size_t cores, std::size_t ranks, std::size_t index)
{
    const std::size_t share = cores / ranks + (index < cores % ranks ? 1 : 0);
    return static_cast<std::uint32_t>(std::max<std::size_t>(share, 1));
}

} // namespace tasuki
