// SPDX-License-Identifier: GPL-3.0-or-later
// Tags 110 to 119: calls that are named only, looks that find nothing, threads that wait.
#include "tracee.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

namespace tracee {

namespace {

constexpr int rounds = 4;

/// Uses the processor.
void compute(std::chrono::milliseconds time)
{
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {}
}

void lateFirst()
{
    if (Ring{MPI_COMM_WORLD}.rank == 0)
        compute(std::chrono::milliseconds(30));
}

} // namespace

/// As the Fortran layer of Open MPI calls MPI.
void profiled()
{
    const Ring ring{MPI_COMM_WORLD};
    Numbers out = Numbers::from(110, ring.rank);
    Numbers in = Numbers::room(110, ring.previous);
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Irecv(in.data(), in.count(), MPI_INT, ring.previous, 110, MPI_COMM_WORLD, &request);
    PMPI_Send(out.data(), out.count(), MPI_INT, ring.next, 110, MPI_COMM_WORLD);
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
    in.check(ring.previous);
    PMPI_Barrier(MPI_COMM_WORLD);
}

void oneSided()
{
    const Ring ring{MPI_COMM_WORLD};
    int value = -1;
    MPI_Win window = MPI_WIN_NULL;
    MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    for (int round = 0; round < rounds; ++round) {
        lateFirst();
        MPI_Put(&ring.rank, 1, MPI_INT, ring.next, 0, 1, MPI_INT, window);
        MPI_Win_fence(0, window);
        require(value == ring.previous, "the number is that of the rank before");
    }
    MPI_Win_free(&window);
}

void nonBlocking()
{
    for (int round = 0; round < rounds; ++round) {
        lateFirst();
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

/// MPI-IO calls other functions of MPI itself.
void files()
{
    const Ring ring{MPI_COMM_WORLD};
    char name[] = "tracee.data";
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, ring.rank * static_cast<int>(sizeof(int)), &ring.rank, 1, MPI_INT,
                          MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

/// All but the first wait by looking: at a request without a pause, for a message with pauses.
void looks()
{
    const Ring ring{MPI_COMM_WORLD};
    for (int round = 0; round < rounds; ++round) {
        const int tag = 111 + round % 2;
        lateFirst();
        int value = ring.rank;
        if (ring.rank == 0) {
            for (int other = 1; other < ring.size; ++other)
                MPI_Send(&value, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
        } else if (round % 2 == 0) {
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Irecv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &request);
            for (int flag = 0; flag == 0;)
                MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        } else {
            for (int flag = 0; flag == 0;) {
                MPI_Iprobe(0, tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
                std::this_thread::sleep_for(std::chrono::microseconds(500));
            }
            MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        require(value == 0, "the number is the first rank's");
    }
}

/// A second thread waits all the time for a message, which comes in the end.
void waitingThread()
{
    const Ring ring{MPI_COMM_WORLD};
    int value = -1;
    std::thread waits([&] {
        MPI_Recv(&value, 1, MPI_INT, ring.previous, 114, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
    for (int round = 0; round < rounds; ++round) {
        compute(std::chrono::milliseconds(10));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Send(&ring.rank, 1, MPI_INT, ring.next, 114, MPI_COMM_WORLD);
    waits.join();
    require(value == ring.previous, "the number is that of the rank before");
}

void killed()
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (Ring{MPI_COMM_WORLD}.rank == 1)
        std::raise(SIGKILL);
    MPI_Barrier(MPI_COMM_WORLD);
}

/// Ends without what is to be done at the end of a program.
void vanishes()
{
    MPI_Barrier(MPI_COMM_WORLD);
    std::_Exit(0);
}

} // namespace tracee
