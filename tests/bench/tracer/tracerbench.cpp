// SPDX-License-Identifier: GPL-3.0-or-later
// tracerbench self|pingpong|exchange ROUNDS: prints how many seconds the rounds took, and how many calls
// of MPI rank 0 made in them. Where no rank waits for another, it is seconds of the processor, which
// other programs do not lengthen.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mpi.h>
#include <string_view>
#include <vector>

namespace {

constexpr int smallCount = 1;
constexpr int edgeCount = 1024;

/// A rank to itself: nobody else is waited for, so that the calls alone are measured.
void toItself(int rounds, int rank, int)
{
    double value = 0;
    double got = 0;
    for (int round = 0; round < rounds; ++round) {
        MPI_Sendrecv(&value, smallCount, MPI_DOUBLE, rank, 1, &got, smallCount, MPI_DOUBLE, rank, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/// Two ranks and small messages.
void pingPong(int rounds, int rank, int)
{
    double value = 0;
    const int other = 1 - rank;
    for (int round = 0; round < rounds; ++round) {
        if (rank == 0)
            MPI_Send(&value, smallCount, MPI_DOUBLE, other, 1, MPI_COMM_WORLD);
        MPI_Recv(&value, smallCount, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(&value, smallCount, MPI_DOUBLE, other, 1, MPI_COMM_WORLD);
    }
}

/// As programs do: compute on an array, exchange its edges with both neighbours, now and then a sum.
void exchange(int rounds, int rank, int size)
{
    constexpr std::size_t cells = 40'000;
    std::vector<double> field(cells, 1.0);
    std::array<std::array<double, edgeCount>, 4> edges{};
    const int left = (rank + size - 1) % size;
    const int right = (rank + 1) % size;
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 1; i + 1 < cells; ++i)
            field[i] = 0.25 * (field[i - 1] + 2.0 * field[i] + field[i + 1]);
        std::array<MPI_Request, 4> requests{};
        MPI_Irecv(edges[0].data(), edgeCount, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(edges[1].data(), edgeCount, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(edges[2].data(), edgeCount, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(edges[3].data(), edgeCount, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
        if (round % 10 == 9)
            MPI_Allreduce(MPI_IN_PLACE, field.data(), 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
}

struct Way {
    std::string_view name;
    void (*run)(int rounds, int rank, int size);
    double callsPerRound;
    clockid_t clock;
};

constexpr std::array ways{
    Way{"self", toItself, 1.0, CLOCK_THREAD_CPUTIME_ID},
    Way{"pingpong", pingPong, 2.0, CLOCK_MONOTONIC},
    Way{"exchange", exchange, 5.1, CLOCK_MONOTONIC},
};

double secondsOf(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void measure(const Way& way, int rounds)
{
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    way.run(rounds / 10 + 1, rank, size);
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = secondsOf(way.clock);
    way.run(rounds, rank, size);
    const double seconds = secondsOf(way.clock) - begin;
    if (rank == 0)
        std::printf("%.9f %.0f\n", seconds, way.callsPerRound * rounds);
}

} // namespace

int main(int count, char** arguments)
{
    if (count != 3 || std::atoi(arguments[2]) <= 0) {
        std::fputs("tracerbench self|pingpong|exchange ROUNDS\n", stderr);
        return 2;
    }
    MPI_Init(&count, &arguments);
    for (const Way& way : ways) {
        if (way.name == arguments[1])
            measure(way, std::atoi(arguments[2]));
    }
    MPI_Finalize();
    return 0;
}
