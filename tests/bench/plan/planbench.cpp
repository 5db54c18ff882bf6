// SPDX-License-Identifier: GPL-3.0-or-later
//
// planbench [COLUMNS]: how fast allocations are predicted. The trace of an LU decomposition of eight
// tasks, on eight different nodes: records of the log a second on one core, by both models and by
// the plain way; then all 40,320 allocations. Exit code 0: the plain way came to nearly the same.
#include "lutrace.h"
#include "plainreplay.h"
#include "plan/compiler.h"
#include "plan/enumeration.h"
#include "plan/lsmg.h"
#include "plan/replay.h"
#include "plan/search.h"
#include "support/programpart.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>

namespace planbench_tool {

using namespace tasuki;
using namespace tasuki::bench;

namespace {

constexpr std::uint32_t tasks = 8;

plan::Environment unequalNodes()
{
    plan::Environment environment;
    environment.linkDefault = {.a0Us = 60.0, .a1UsPerByte = 0.08};
    for (std::uint32_t node = 0; node < tasks; ++node)
        environment.nodes.push_back(
            {.name = "grid0" + std::to_string(node), .speed = 1.0 / (1.0 + 0.3 * node)});
    environment.links.resize(std::size_t{tasks} * tasks);
    for (std::uint32_t node = 1; node < tasks; ++node)
        environment.links[environment.indexOf(plan::Node(0), plan::Node(node))] = plan::LinkSpec{
            .a0Us = 60.0 + 10.0 * node, .a1UsPerByte = 0.08};
    return environment;
}

std::vector<plan::Allocation> someAllocations(const plan::Environment& environment,
                                              std::size_t count)
{
    std::vector<plan::Allocation> some;
    [[maybe_unused]] const bool all =
        plan::Enumeration(environment, tasks).visit({}, [&](const plan::Allocation& allocation) {
            some.push_back(allocation);
            return some.size() < count;
        });
    return some;
}

double secondsOf(const std::function<void()>& work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Records a second, the best of several times.
double rateOf(std::uint64_t records, const std::function<void()>& work)
{
    double best = 1e30;
    for (int repeat = 0; repeat < 5; ++repeat)
        best = std::min(best, secondsOf(work));
    return static_cast<double>(records) / best;
}

void printRate(const char* way, double rate, double plain)
{
    std::printf("%-28s %10.1f M records/s  %8.2f of the plain way\n", way, rate / 1e6,
                rate / plain);
}

void printSearch(const char* model, const plan::Environment& environment,
                 const plan::Predictor& predictor, std::uint32_t threads)
{
    std::atomic<std::uint64_t> tried = 0;
    plan::Ranking ranking(1);
    const double seconds = secondsOf([&] {
        ranking = plan::search(environment, tasks, predictor, {.keep = 10, .threads = threads}, {},
                               tried);
    });
    std::printf("all %llu allocations, %-7s %2u thread%s %8.2f s   best %.1f ms, spread %.1f %%\n",
                static_cast<unsigned long long>(ranking.tried()), model, threads,
                threads == 1 ? ": " : "s:", seconds, ranking.best().front().timeUs / 1e3,
                100.0 * ranking.spread());
}

} // namespace

TASUKI_TOOL_MAIN()
{
    const auto columns = static_cast<std::uint32_t>(argc > 1 ? std::atoi(argv[1]) : 1000);
    const trace::Trace trace = luTrace(tasks, columns);
    const auto environment = std::make_shared<plan::Environment>(unequalNodes());
    auto compiled = plan::compile(trace, environment->eagerBytes);
    if (!compiled) {
        std::fprintf(stderr, "planbench: %s\n", compiled.error().text().c_str());
        return 1;
    }
    const auto program = std::make_shared<plan::Program>(std::move(compiled->program));
    plan::Replay replay(program, environment);
    plan::Lsmg lsmg(std::make_shared<plan::LsmgProgram>(plan::lsmgProgram(trace)), environment);
    const auto allocations = someAllocations(*environment, 64);
    const std::uint64_t records = trace.events.size() * allocations.size();
    std::printf("LU of %u columns on %u tasks: %zu records, %zu operations, %u marks\n", columns,
                tasks, trace.events.size(), program->ops.size(), program->marks);

    std::vector<double> plainUs(allocations.size());
    std::vector<double> replayUs(allocations.size());
    std::vector<double> lsmgUs(allocations.size());
    const double plain = rateOf(records, [&] {
        for (std::size_t index = 0; index < allocations.size(); ++index)
            plainUs[index] = plainReplay(trace, *environment, allocations[index]);
    });
    printRate("plain way, one core", plain, plain);
    printRate("replay, one core", rateOf(records, [&] { replay.predict(allocations, replayUs); }),
              plain);
    printRate("lsmg, one core", rateOf(records, [&] { lsmg.predict(allocations, lsmgUs); }), plain);
    for (const std::uint32_t threads : {1U, std::max(1U, std::thread::hardware_concurrency())})
        printSearch("replay", *environment, replay, threads);
    printSearch("lsmg", *environment, lsmg, std::max(1U, std::thread::hardware_concurrency()));

    for (std::size_t index = 0; index < allocations.size(); ++index) {
        if (std::abs(plainUs[index] - replayUs[index]) > 0.05 * plainUs[index]) {
            std::fprintf(stderr, "planbench: allocation %zu: %.1f us plain, %.1f us replayed\n",
                         index, plainUs[index], replayUs[index]);
            return 1;
        }
    }
    return 0;
}

} // namespace planbench_tool
