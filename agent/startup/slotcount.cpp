// SPDX-License-Identifier: GPL-3.0-or-later
#include "slotcount.h"

#include <algorithm>
#include <thread>

#include <sched.h>

namespace tasuki {

std::size_t usableCores()
{
    std::size_t count = 1;
    // A thread of its own tries to use them all: the system leaves out those that it may not use.
    std::thread([&count] {
        cpu_set_t all;
        CPU_ZERO(&all);
        for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            CPU_SET(cpu, &all);
        ::sched_setaffinity(0, sizeof(all), &all);
        if (::sched_getaffinity(0, sizeof(all), &all) == 0)
            count = static_cast<std::size_t>(CPU_COUNT(&all));
    }).join();
    return count;
}

std::uint32_t slotShare(std::size_t cores, std::size_t ranks, std::size_t index)
{
    const std::size_t share = cores / ranks + (index < cores % ranks ? 1 : 0);
    return static_cast<std::uint32_t>(std::max<std::size_t>(share, 1));
}

} // namespace tasuki
