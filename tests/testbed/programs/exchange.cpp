// SPDX-License-Identifier: GPL-3.0-or-later
// exchange STEPS OPERATIONS BYTES: two ranks compute and exchange small messages in each step. Prints
// what a model of it needs (seconds of a step's work on the machine itself, of a message one way)
// and how long the steps took, for two patterns:
//   turns     rank 0 computes and sends, then rank 1 does: the times add up
//   together  both compute, then rank 1 sends and gets an answer: the slower one counts
#include "fixedwork.h"

#include <mpi.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using tasuki::testbed::fixedWork;

constexpr int warmUp = 50;
constexpr int messages = 501;
constexpr int references = 501;

struct Loop {
    int rank;
    long long operations;
    std::vector<char> bytes;

    void send()
    {
        MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_CHAR, 1 - rank, 0,
                 MPI_COMM_WORLD);
    }
    void receive()
    {
        MPI_Recv(bytes.data(), static_cast<int>(bytes.size()), MPI_CHAR, 1 - rank, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    void inTurns()
    {
        if (rank == 1)
            receive();
        fixedWork(operations);
        send();
        if (rank == 0)
            receive();
    }
    void together()
    {
        fixedWork(operations);
        if (rank == 1)
            send();
        receive();
        if (rank == 0)
            send();
    }
    void messageOnly()
    {
        if (rank == 0)
            send();
        receive();
        if (rank == 1)
            send();
    }
};

double oneWay(Loop& loop)
{
    std::vector<double> times;
    for (int i = 0; i < messages; ++i) {
        const double start = MPI_Wtime();
        loop.messageOnly();
        times.push_back((MPI_Wtime() - start) / 2);
    }
    return tasuki::testbed::median(times.data(), messages);
}

template <typename Step>
double secondsOf(int steps, Step step)
{
    for (int i = 0; i < warmUp; ++i)
        step();
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < steps; ++i)
        step();
    return MPI_Wtime() - start;
}

} // namespace

int main(int argc, char** argv)
{
    const int steps = argc > 1 ? std::atoi(argv[1]) : 0;
    const long long operations = argc > 2 ? std::atoll(argv[2]) : 0;
    const int bytes = argc > 3 ? std::atoi(argv[3]) : -1;
    if (argc != 4 || steps < 1 || operations < 1 || bytes < 0) {
        std::fprintf(stderr, "Usage: exchange STEPS OPERATIONS BYTES\n");
        return 2;
    }
    const double reference = tasuki::testbed::referenceSeconds(operations, references);
    MPI_Init(&argc, &argv);
    Loop loop{.rank = 0,
              .operations = operations,
              .bytes = std::vector<char>(static_cast<std::size_t>(bytes))};
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &loop.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2) {
        std::fprintf(stderr, "exchange: error: %d ranks, expected 2\n", size);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const double message = oneWay(loop);
    const double turns = secondsOf(steps, [&loop] { loop.inTurns(); });
    const double together = secondsOf(steps, [&loop] { loop.together(); });
    if (loop.rank == 0) {
        std::printf("work=%.9f message=%.9f turns=%.6f together=%.6f\n", reference, message, turns,
                    together);
    }
    std::fflush(stdout);
    MPI_Finalize();
    return 0;
}
