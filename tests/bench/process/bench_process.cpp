// SPDX-License-Identifier: GPL-3.0-or-later
// Rate of `true` through GuardianClient, with capture, beside `xargs -P -I{} sh -c true`, taken in
// turns, so that both see the same machine. Prints one line a round and the median ratio.
#include "process/guardianclient.h"
#include "support/programpart.h"

#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace bench_process_tool {

namespace {

using Seconds = std::chrono::duration<double>;

double guardianRate(unsigned tasks, unsigned slots)
{
    boost::asio::io_context io;
    tasuki::GuardianOptions options;
    options.program = GUARDIAN;
    options.run = tasuki::RunId::random();
    tasuki::GuardianClient client(io, options);
    const auto settings = std::make_shared<const tasuki::TaskSettings>();
    unsigned next = 0;
    unsigned finished = 0;
    std::vector<tasuki::SlotIndex> slotOf(tasks);
    const auto startOne = [&](tasuki::SlotIndex slot) {
        slotOf[next] = slot;
        client.start({{tasuki::TaskId(next), tasuki::AttemptNumber(1)}, slot, "true", settings});
        ++next;
    };
    client.setCallbacks({[](tasuki::AttemptKey, tasuki::WallTime) {},
                         [&](tasuki::AttemptKey key, const tasuki::AttemptResult& result) {
                             if (result.outcome != tasuki::Outcome::Succeeded)
                                 std::abort();
                             if (next < tasks)
                                 startOne(slotOf[key.task.value()]);
                             if (++finished == tasks)
                                 io.stop();
                         },
                         [](const std::string& reason) {
                             std::fprintf(stderr, "%s\n", reason.c_str());
                             std::abort();
                         }});
    const auto begin = std::chrono::steady_clock::now();
    for (unsigned slot = 0; slot < std::min(slots, tasks); ++slot)
        startOne(tasuki::SlotIndex(slot));
    io.run();
    return tasks / Seconds(std::chrono::steady_clock::now() - begin).count();
}

double xargsRate(unsigned tasks, unsigned slots)
{
    const std::string command = "seq " + std::to_string(tasks) + " | xargs -P"
        + std::to_string(slots) + " -I{} sh -c true";
    const auto begin = std::chrono::steady_clock::now();
    if (std::system(command.c_str()) != 0)
        std::abort();
    return tasks / Seconds(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

TASUKI_TOOL_MAIN()
{
    const unsigned tasks = argc > 1 ? static_cast<unsigned>(std::stoul(argv[1])) : 3000;
    const unsigned slots = argc > 2 ? static_cast<unsigned>(std::stoul(argv[2])) : 2;
    std::vector<double> ratios;
    for (int round = 0; round < 7; ++round) {
        const double guardian = guardianRate(tasks, slots);
        const double xargs = xargsRate(tasks, slots);
        ratios.push_back(guardian / xargs);
        std::printf("guardian %7.0f/s   xargs %7.0f/s   ratio %.3f\n", guardian, xargs,
                    ratios.back());
    }
    std::sort(ratios.begin(), ratios.end());
    std::printf("median ratio %.3f (%u tasks, %u slots)\n", ratios[ratios.size() / 2], tasks,
                slots);
    return EXIT_SUCCESS;
}

} // namespace bench_process_tool
