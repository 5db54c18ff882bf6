// SPDX-License-Identifier: GPL-3.0-or-later
// Starts a program as the ranks of a world on this host, and waits for all of them. Usage: worldrun LIBRARY N PROGRAM [ARGUMENT...]
#include "world/segment.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv)
{
    using tasuki::world::Segment;
    if (argc < 4) {
        std::fprintf(stderr, "usage: worldrun LIBRARY N PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    const int ranks = std::atoi(argv[2]);
    const auto segment = Segment::create({.ranks = static_cast<std::uint32_t>(ranks)});
    if (!segment) {
        std::fprintf(stderr, "worldrun: %s\n", segment.error().text().c_str());
        return 2;
    }
    const std::string path = segment->path();
    std::vector<pid_t> processes;
    for (int rank = 0; rank < ranks; ++rank) {
        const pid_t process = ::fork();
        if (process == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            ::setenv("LD_PRELOAD", argv[1], 1);
            ::setenv("TASUKI_WORLD", path.c_str(), 1);
            ::setenv("TASUKI_WORLD_RANK", std::to_string(rank).c_str(), 1);
            ::execvp(argv[3], argv + 3);
            std::perror(argv[3]);
            ::_exit(127);
        }
        processes.push_back(process);
    }
    // One that ends wrongly ends all: the others would wait for it.
    int worst = 0;
    for (std::size_t ended = 0; ended < processes.size(); ++ended) {
        int status = 0;
        ::wait(&status);
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        if (code == 0 || worst != 0)
            continue;
        worst = code;
        for (const pid_t process : processes)
            ::kill(process, SIGKILL);
    }
    return worst;
}
