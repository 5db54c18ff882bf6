// SPDX-License-Identifier: GPL-3.0-or-later
//
// A plain MPI task farm, to measure Tasuki against: rank 0 only schedules and blocks in
// MPI_Recv(MPI_ANY_SOURCE), every other rank asks for a command, gets its length and then its text,
// and runs it with std::system. No record, no capture, no recovery.
//
//     mpirun -n WORKERS+1 articlefarm TASKS
//
// Prints the seconds between the agreement to start and the last finished task.
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

constexpr int scheduler = 0;
constexpr int askTag = 1;
constexpr int lengthTag = 2;
constexpr int textTag = 3;

bool readCommands(const char* path, std::vector<std::string>& commands)
{
    std::ifstream list(path);
    if (!list) {
        return false;
    }
    for (std::string line; std::getline(list, line);) {
        if (!line.empty() && line.front() != '#') {
            commands.push_back(line);
        }
    }
    return true;
}

void schedule(const std::vector<std::string>& commands, int workers)
{
    std::size_t next = 0;
    while (workers > 0) {
        int request = 0;
        MPI_Status status;
        MPI_Recv(&request, 1, MPI_INT, MPI_ANY_SOURCE, askTag, MPI_COMM_WORLD, &status);
        const int worker = status.MPI_SOURCE;
        // The terminating zero is counted, so that a length of 0 can mean "nothing left".
        int length = 0;
        if (next < commands.size()) {
            length = static_cast<int>(commands[next].size()) + 1;
        }
        MPI_Send(&length, 1, MPI_INT, worker, lengthTag, MPI_COMM_WORLD);
        if (length == 0) {
            --workers;
            continue;
        }
        MPI_Send(commands[next].c_str(), length, MPI_CHAR, worker, textTag, MPI_COMM_WORLD);
        ++next;
    }
}

/// @return how many commands did not succeed
int work()
{
    int failures = 0;
    std::vector<char> command;
    while (true) {
        const int request = 1;
        MPI_Send(&request, 1, MPI_INT, scheduler, askTag, MPI_COMM_WORLD);
        int length = 0;
        MPI_Recv(&length, 1, MPI_INT, scheduler, lengthTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (length == 0) {
            return failures;
        }
        command.resize(static_cast<std::size_t>(length));
        MPI_Recv(command.data(), length, MPI_CHAR, scheduler, textTag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        if (std::system(command.data()) != 0) {
            ++failures;
        }
    }
}

} // namespace

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    std::vector<std::string> commands;
    int ready = 1;
    if (rank == scheduler) {
        ready = argc == 2 && size > 1 && readCommands(argv[1], commands) ? 1 : 0;
        if (ready == 0) {
            std::fprintf(stderr, "usage: mpirun -n 2 (or more) articlefarm TASKS\n");
        }
    }
    int allReady = 0;
    MPI_Allreduce(&ready, &allReady, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);

    int failures = 0;
    if (allReady != 0) {
        const auto begin = std::chrono::steady_clock::now();
        int mine = 0;
        if (rank == scheduler) {
            schedule(commands, size - 1);
        } else {
            mine = work();
        }
        MPI_Allreduce(&mine, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (rank == scheduler) {
            const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
            std::printf("Elapsed time: %.3f [s]\n", elapsed.count());
        }
    }
    MPI_Finalize();
    return allReady != 0 && failures == 0 ? 0 : 1;
}
