// SPDX-License-Identifier: GPL-3.0-or-later
// tracee SCENARIO [EXIT CODE]
#include "tracee.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

namespace tracee {

void require(bool holds, const char* what)
{
    if (holds)
        return;
    std::fprintf(stderr, "tracee: %s does not hold\n", what);
    std::_Exit(99);
}

void Numbers::check(int sender) const
{
    for (const int value : m_values)
        require(value == sender, "the message is what was sent");
}

void threads()
{
    constexpr int rounds = 100;
    std::vector<std::thread> all;
    for (int number = 0; number < 3; ++number) {
        all.emplace_back([number] {
            const Ring ring{MPI_COMM_WORLD};
            const int tag = 100 + number;
            for (int round = 0; round < rounds; ++round) {
                Numbers out = Numbers::from(tag, ring.rank);
                Numbers in = Numbers::room(tag, ring.previous);
                MPI_Request request = MPI_REQUEST_NULL;
                MPI_Irecv(in.data(), in.count(), MPI_INT, ring.previous, tag, MPI_COMM_WORLD,
                          &request);
                MPI_Send(out.data(), out.count(), MPI_INT, ring.next, tag, MPI_COMM_WORLD);
                MPI_Wait(&request, MPI_STATUS_IGNORE);
                in.check(ring.previous);
            }
        });
    }
    for (std::thread& thread : all)
        thread.join();
}

void longRun()
{
    const Ring ring{MPI_COMM_WORLD};
    for (int round = 0; round < 30'000; ++round) {
        const int value = ring.rank;
        int got = -1;
        MPI_Sendrecv(&value, 1, MPI_INT, ring.next, 1, &got, 1, MPI_INT, ring.previous, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        require(got == ring.previous, "the number is that of the rank before");
    }
}

namespace {

void nothing() {}

void abortEarly()
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (Ring{MPI_COMM_WORLD}.rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 7);
    MPI_Barrier(MPI_COMM_WORLD);
}

void leaveEarly() { std::exit(0); }

struct Scenario {
    std::string_view name;
    void (*run)();
    int threads = MPI_THREAD_SINGLE;
};

constexpr std::array scenarios{
    Scenario{"blocking", blocking},
    Scenario{"probes", probes},
    Scenario{"requests", requests},
    Scenario{"anyrequests", anyRequests},
    Scenario{"persistent", persistent},
    Scenario{"collectives", collectives},
    Scenario{"vectors", vectorCollectives},
    Scenario{"communicators", communicators},
    Scenario{"inter", interCommunicators},
    Scenario{"part", partOfAll},
    Scenario{"partrequests", partsOfRequests},
    Scenario{"partpersistent", partsOfPersistent},
    Scenario{"partprobes", partsOfProbes},
    Scenario{"threads", threads, MPI_THREAD_MULTIPLE},
    Scenario{"partthreads", partsOfThreads, MPI_THREAD_MULTIPLE},
    Scenario{"long", longRun},
    Scenario{"profiled", profiled},
    Scenario{"onesided", oneSided},
    Scenario{"nonblocking", nonBlocking},
    Scenario{"files", files},
    Scenario{"looks", looks},
    Scenario{"waitingthread", waitingThread, MPI_THREAD_MULTIPLE},
    Scenario{"nothing", nothing},
    Scenario{"abort", abortEarly},
    Scenario{"leave", leaveEarly},
    Scenario{"killed", killed},
    Scenario{"vanishes", vanishes},
};

int run(const Scenario& scenario, int* count, char*** arguments)
{
    if (scenario.threads == MPI_THREAD_SINGLE) {
        MPI_Init(count, arguments);
    } else {
        int provided = MPI_THREAD_SINGLE;
        MPI_Init_thread(count, arguments, scenario.threads, &provided);
        require(provided >= scenario.threads, "MPI gives the threads that are asked for");
    }
    scenario.run();
    const Ring ring{MPI_COMM_WORLD};
    if (ring.rank == 0)
        std::printf("%s with %d ranks is done\n", scenario.name.data(), ring.size);
    MPI_Finalize();
    return 0;
}

} // namespace
} // namespace tracee

int main(int count, char** arguments)
{
    const std::string_view name = count > 1 ? arguments[1] : "";
    const int code = count > 2 ? std::atoi(arguments[2]) : 0;
    if (name == "noinit")
        return code;
    for (const tracee::Scenario& scenario : tracee::scenarios) {
        if (scenario.name == name)
            return tracee::run(scenario, &count, &arguments) + code;
    }
    std::fprintf(stderr, "tracee: there is no scenario '%s'\n", name.data());
    return 98;
}
