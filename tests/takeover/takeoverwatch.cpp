// SPDX-License-Identifier: GPL-3.0-or-later
// Tells when the ranks of a world begin another life, from outside: polls what their programs show of themselves in the memory of
// the world. Usage: takeoverwatch MEMORY. Prints "NANOSECONDS RANK WHAT MESSAGES" (CLOCK_MONOTONIC, as Python's time.monotonic_ns) until it is
// ended: "inside" when another process is the rank and inside MPI, "message" for the first that it sends after that, "sent" for the
// first that no life before has sent. MESSAGES: that all lives of the rank have sent, those that were sent once more too.
#include "support/programpart.h"
#include "world/segment.h"

#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

namespace takeoverwatch_tool {

using namespace tasuki;
using namespace tasuki::world;

namespace {

constexpr std::chrono::microseconds lookPause{200};

struct Watched {
    std::uint32_t process = 0;
    std::uint64_t messages = 0; ///< of all lives, also those that are sent once more
    std::uint64_t sent = 0;     ///< bytes that no life before has sent
    bool waitsForMessage = false;
    bool waitsForNewOne = false;
};

std::uint64_t sentBytes(const Segment& segment, WorldRank rank)
{
    std::uint64_t bytes = 0;
    for (WorldRank to = 0; to < segment.layout().ranks; ++to)
        bytes += segment.stream(rank, to).written.load();
    return bytes;
}

void tell(WorldRank rank, const char* what, std::uint64_t messages)
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    std::printf(
        "%lld %u %s %llu\n",
        static_cast<long long>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()),
        rank, what, static_cast<unsigned long long>(messages));
    std::fflush(stdout);
}

void look(const Segment& segment, WorldRank number, Watched& rank)
{
    const ProgramStatus& shown = segment.status(number);
    const std::uint32_t process = shown.process.load();
    if (process != rank.process && shown.phase.load() == ProgramPhase::Inside) {
        tell(number, "inside", shown.messages.load());
        rank = {.process = process,
                .messages = shown.messages.load(),
                .sent = sentBytes(segment, number),
                .waitsForMessage = true,
                .waitsForNewOne = true};
    }
    if (rank.waitsForMessage && shown.messages.load() != rank.messages) {
        tell(number, "message", shown.messages.load());
        rank.waitsForMessage = false;
    }
    if (rank.waitsForNewOne && sentBytes(segment, number) > rank.sent) {
        tell(number, "sent", shown.messages.load());
        rank.waitsForNewOne = false;
    }
}

} // namespace

TASUKI_TOOL_MAIN()
{
    const auto segment = argc == 2
        ? Segment::open(argv[1])
        : Result<Segment>(Error{.message = "usage: takeoverwatch MEMORY"});
    if (!segment || segment->layout().logBytes == 0) {
        std::fprintf(stderr, "takeoverwatch: error: %s\n",
                     segment ? "the world keeps no messages" : segment.error().text().c_str());
        return 2;
    }
    std::vector<Watched> ranks(segment->layout().ranks);
    for (;;) {
        for (WorldRank rank = 0; rank < ranks.size(); ++rank)
            look(*segment, rank, ranks[rank]);
        std::this_thread::sleep_for(lookPause);
    }
}

} // namespace takeoverwatch_tool
