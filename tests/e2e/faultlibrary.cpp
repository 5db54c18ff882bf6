// SPDX-License-Identifier: GPL-3.0-or-later
//
// Preloaded into the agents of a launch: one of them ends in a way that no signal from outside brings
// about, when a file appears. The environment says who, how and when:
//     TASUKI_FAULT_PROCESSOR  its number in the launch
//     TASUKI_FAULT_KIND       exit0, exit1, segv or abort (MPI_Abort)
//     TASUKI_FAULT_FILE       the file whose appearance is waited for
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

namespace {

bool is(const char* text, const char* wanted) { return text != nullptr && !strcmp(text, wanted); }

void* waitAndFail(void* /*unused*/)
{
    const char* const file = getenv("TASUKI_FAULT_FILE");
    const char* const kind = getenv("TASUKI_FAULT_KIND");
    const timespec pause{.tv_sec = 0, .tv_nsec = 1'000'000};
    while (access(file, F_OK) != 0) {
        nanosleep(&pause, nullptr);
    }
    if (is(kind, "exit0")) {
        exit(0);
    }
    if (is(kind, "exit1")) {
        exit(1);
    }
    if (is(kind, "segv")) {
        static int* volatile nowhere = nullptr;
        *nowhere = 1;
    }
    if (is(kind, "abort")) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    return nullptr;
}

__attribute__((constructor)) void beginToWait()
{
    // Guardian and tasks inherit it from the agent, and are not concerned.
    unsetenv("LD_PRELOAD");
    const char* const number = getenv("OMPI_COMM_WORLD_RANK");
    if (!is(program_invocation_short_name, "tasuki-agent")
        || getenv("TASUKI_FAULT_PROCESSOR") == nullptr
        || !is(number, getenv("TASUKI_FAULT_PROCESSOR"))
        || getenv("TASUKI_FAULT_FILE") == nullptr) {
        return;
    }
    // The agent's signals are for its own threads.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread{};
    if (pthread_create(&thread, nullptr, waitAndFail, nullptr) == 0) {
        pthread_detach(thread);
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

} // namespace
