// SPDX-License-Identifier: GPL-3.0-or-later
// awake COMMAND ARGUMENTS...: runs the command, and keeps the processors busy meanwhile with work
// that yields to any other. A processor that wakes up from idling computes more slowly at first,
// which a node that sleeps long would do more often than another. Its exit code is the command's.
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr int exitNoCommand = 127;
constexpr int exitWrongUsage = 2;
constexpr int exitOfSignal = 128;

volatile std::uint64_t seen = 1;
volatile std::sig_atomic_t command = 0;

/// Ends by SIGKILL, which the kernel sends at the latest when this program ends.
[[noreturn]] void keepBusy(int processor, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(processor), &one);
    const sched_param parameters{};
    if (sched_setaffinity(0, sizeof one, &one) != 0
        || sched_setscheduler(0, SCHED_IDLE, &parameters) != 0)
        _exit(0);
    for (;;)
        seen = seen * 6364136223846793005ULL + 1;
}

void passOn(int signal)
{
    if (command > 0)
        kill(command, signal);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2) {
        std::fprintf(stderr, "Usage: awake COMMAND ARGUMENTS...\n");
        return exitWrongUsage;
    }
    const pid_t self = getpid();
    std::vector<pid_t> busy;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    for (int processor = 0; processor < processors; ++processor) {
        const pid_t child = fork();
        if (child == 0)
            keepBusy(processor, self);
        if (child > 0)
            busy.push_back(child);
    }
    const pid_t child = fork();
    if (child == 0) {
        execvp(argv[1], argv + 1);
        std::perror(argv[1]);
        _exit(exitNoCommand);
    }
    command = child;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        std::signal(signal, &passOn);
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0) {}
    for (const pid_t process : busy) {
        kill(process, SIGKILL);
        waitpid(process, nullptr, 0);
    }
    return WIFSIGNALED(status) ? exitOfSignal + WTERMSIG(status) : WEXITSTATUS(status);
}
