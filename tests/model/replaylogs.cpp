// SPDX-License-Identifier: GPL-3.0-or-later
// Makes logs of what membership agents decide in courses of outages, and replays them. See tests/model/run.
#include "replaycourse.h"
#include "support/programpart.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>

namespace replaylogs_tool {

using namespace tasuki::membership;

namespace {

int replayFile(const char* path)
{
    std::ifstream in(path);
    if (!in) {
        std::fprintf(stderr, "replaylogs: cannot read %s\n", path);
        return 2;
    }
    const Replay replay = replayed(in);
    for (const Divergence& found : replay.divergences())
        std::printf("%s:%zu: %s: %s\n", path, found.line, found.rule.c_str(), found.what.c_str());
    std::printf("%zu events, %zu divergences\n", replay.events(), replay.divergences().size());
    return replay.divergences().empty() ? 0 : 1;
}

/// @return the exit code
int replayCourses(std::size_t count)
{
    ReplayFigures all;
    const auto& rows = tasuki::hierarchy::testing::outageRows();
    std::vector<ReplayFigures> ofRows(rows.size());
    constexpr std::size_t mostTold = 20;
    for (std::size_t i = 0; i < count; ++i) {
        const tasuki::hierarchy::testing::OutageRow& row = rows[i % rows.size()];
        const std::uint64_t seed = 1 + i / rows.size();
        const ReplayResult result = replayCourse(row, seed);
        ofRows[i % rows.size()].add(result);
        all.add(result);
        if (result.divergences.empty() || all.diverging > mostTold)
            continue;
        const Divergence& first = result.divergences.front();
        std::printf("%s, seed %llu: line %zu: %s: %s\n", row.name.c_str(),
                    static_cast<unsigned long long>(seed), first.line, first.rule.c_str(),
                    first.what.c_str());
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
        print(rows[i].name, ofRows[i]);
    print("all", all);
    return all.divergences == 0 && all.logs > 0 ? 0 : 1;
}

} // namespace

TASUKI_TOOL_MAIN()
try {
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "--log" && argc == 4) {
        for (const tasuki::hierarchy::testing::OutageRow& row :
             tasuki::hierarchy::testing::outageRows()) {
            if (row.name == argv[2]) {
                std::cout << courseLog(row, std::strtoull(argv[3], nullptr, 10));
                return 0;
            }
        }
    } else if (what == "--file" && argc == 3) {
        return replayFile(argv[2]);
    } else if (argc <= 2) {
        constexpr int usual = 1000;
        const int count = argc == 2 ? std::atoi(argv[1]) : usual;
        if (count > 0)
            return replayCourses(static_cast<std::size_t>(count));
    }
    std::fprintf(stderr, "Usage: replaylogs [COUNT] | --log ROW SEED | --file LOG\n");
    return 2;
} catch (const std::exception& error) {
    std::fprintf(stderr, "replaylogs: no log: %s\n", error.what());
    return 2;
}

} // namespace replaylogs_tool
