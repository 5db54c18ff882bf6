// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sets what a node's clocks show, see wrongclock.cpp:
//   setclock FILE                          both are right
//   setclock FILE monotonic|boot|both rate R      from now on R seconds pass in one; 0: it stands still
//   setclock FILE monotonic|boot|both behind S    it has stood still for S seconds
#include "wrongclock.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>

namespace {

using namespace wrongclock;

NodeClocks* mapFile(const char* path, bool made)
{
    const int fd = ::open(path, O_RDWR | O_CLOEXEC | (made ? O_CREAT : 0), 0644);
    if (fd < 0 || (made && ::ftruncate(fd, sizeof(NodeClocks)) != 0))
        return nullptr;
    void* const memory = ::mmap(nullptr, sizeof(NodeClocks), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                                0);
    ::close(fd);
    return memory == MAP_FAILED ? nullptr : static_cast<NodeClocks*>(memory);
}

void set(Clock& clock, clockid_t machine, bool behind, double value)
{
    const std::int64_t now = machineTime(machine);
    const Line is = clock.line();
    const auto inNanoseconds = static_cast<std::int64_t>(std::llround(value * rightRate));
    if (behind)
        clock.change({.since = now, .shown = is.at(now) - inNanoseconds, .rate = is.rate});
    else
        clock.change({.since = now, .shown = is.at(now), .rate = inNanoseconds});
}

} // namespace

int main(int count, char** words)
{
    const bool made = count == 2;
    const std::string which = count == 5 ? words[2] : "";
    const std::string what = count == 5 ? words[3] : "";
    const bool both = which == "both";
    if (!made
        && ((!both && which != "monotonic" && which != "boot")
            || (what != "rate" && what != "behind"))) {
        std::fputs("usage: setclock FILE [monotonic|boot|both rate|behind NUMBER]\n", stderr);
        return 2;
    }
    NodeClocks* const clocks = mapFile(words[1], made);
    if (clocks == nullptr) {
        std::perror(words[1]);
        return 1;
    }
    if (made) {
        *clocks = {};
        return 0;
    }
    const double value = std::atof(words[4]);
    if (both || which == "monotonic")
        set(clocks->monotonic, CLOCK_MONOTONIC, what == "behind", value);
    if (both || which == "boot")
        set(clocks->boot, CLOCK_BOOTTIME, what == "behind", value);
    return 0;
}
