// SPDX-License-Identifier: GPL-3.0-or-later
//
// tracebench DIRECTORY MEGABYTES [REPEATS]: makes a log of an LU decomposition in the directory and reads
// it in turn: into a Trace, and as others do that only split its lines or count them. Times are those of
// the processor, the children's included: medians. Exit code 0: all have seen the same records.
#include "lulog.h"
#include "support/programpart.h"
#include "trace/tracefile.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/resource.h>

namespace tracebench_tool {

namespace {

using namespace tasuki;

double secondsOf(int who)
{
    rusage usage{};
    ::getrusage(who, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double processorSeconds() { return secondsOf(RUSAGE_SELF) + secondsOf(RUSAGE_CHILDREN); }

struct Way {
    const char* name;
    std::function<std::uint64_t(const std::string& path)> records; ///< 0: it failed
    std::vector<double> seconds = {};
};

std::uint64_t readAsTrace(const std::string& path)
{
    const auto reading = trace::readTraceFile(path);
    if (!reading || !reading->diagnostics.empty()) {
        std::fprintf(stderr, "tracebench: %s\n",
                     reading ? reading->diagnostics[0].text().c_str()
                             : reading.error().text().c_str());
        return 0;
    }
    return reading->trace.events.size();
}

/// The six numbers of each line by operator>>, the rest skipped: nothing is made of them.
std::uint64_t readByStream(const std::string& path)
{
    std::ifstream file(path);
    std::uint64_t records = 0;
    std::int64_t type = 0;
    std::int64_t process = 0;
    std::int64_t task = 0;
    std::int64_t data = 0;
    std::int64_t cycle = 0;
    std::int64_t timestamp = 0;
    while (file >> type >> process >> task >> data >> cycle >> timestamp) {
        records += type >= 0 || type < -100 ? 1 : 0;
        constexpr std::streamsize longest = 1 << 20;
        file.ignore(longest, '\n');
    }
    return records;
}

/// @return what a command prints; nothing if it fails
std::uint64_t printedBy(const std::string& command)
{
    FILE* const pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr)
        return 0;
    unsigned long long number = 0;
    const bool isRead = std::fscanf(pipe, "%llu", &number) == 1;
    return ::pclose(pipe) == 0 && isRead ? number : 0;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

bool measure(std::vector<Way>& ways, const std::string& path, std::uint64_t records, int repeats)
{
    bool agree = true;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        for (Way& way : ways) {
            const double begin = processorSeconds();
            const std::uint64_t found = way.records(path);
            way.seconds.push_back(processorSeconds() - begin);
            if (found != records) {
                std::fprintf(stderr, "tracebench: %s has seen %llu of %llu records\n", way.name,
                             static_cast<unsigned long long>(found),
                             static_cast<unsigned long long>(records));
                agree = false;
            }
        }
    }
    return agree;
}

} // namespace

TASUKI_TOOL_MAIN()
{
    const double megabytes = argc > 2 ? std::atof(argv[2]) : 0;
    const int repeats = argc > 3 ? std::atoi(argv[3]) : 5;
    if (megabytes <= 0 || repeats < 1) {
        std::fprintf(stderr, "usage: tracebench DIRECTORY MEGABYTES [REPEATS]\n");
        return EXIT_FAILURE;
    }
    const std::string path = std::string(argv[1]) + "/lu.alog";
    const std::uint64_t records = bench::writeLuLog(path,
                                                    static_cast<std::uint64_t>(megabytes * 1e6));
    if (records == 0) {
        std::fprintf(stderr, "tracebench: cannot write %s\n", path.c_str());
        return EXIT_FAILURE;
    }
    constexpr std::uint64_t headers = 9;
    const std::string quotedPath = "'" + path + "'";
    std::vector<Way> ways{
        {.name = "Tasuki: into a Trace", .records = readAsTrace},
        {.name = "std::istream >>: six numbers a line", .records = readByStream},
        {.name = "awk: sum of the sixth fields",
         .records =
             [&](const std::string&) {
                 return printedBy("LC_ALL=C awk '$1 >= 0 || $1 < -100 { sum += $6; ++n } "
                                  "END { print n, sum }' "
                                  + quotedPath);
             }},
        {.name = "wc -l",
         .records =
             [&](const std::string&) { return printedBy("wc -l < " + quotedPath) - headers; }},
    };
    const bool agree = measure(ways, path, records, repeats);
    const double own = median(ways.front().seconds);
    std::printf("%.0f MB, %llu records, %d times\n%-36s %9s %12s %9s\n", megabytes,
                static_cast<unsigned long long>(records), repeats, "way", "MB/s", "records/s",
                "/ Tasuki");
    for (const Way& way : ways) {
        const double seconds = median(way.seconds);
        std::printf("%-36s %9.0f %12.3g %9.2f\n", way.name, megabytes / seconds,
                    static_cast<double>(records) / seconds, seconds / own);
    }
    return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace tracebench_tool
