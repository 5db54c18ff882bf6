// SPDX-License-Identifier: GPL-3.0-or-later
// Times of MPI operations, the same program under mpirun and in a world: lines "NAME BYTES MICROSECONDS" on rank 0.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

namespace {

int rank = 0;
int size = 0;

/// The median of several measurements of many repetitions, in microseconds each.
double measured(int repetitions, const std::function<void()>& once)
{
    constexpr int measurements = 7;
    std::vector<double> times;
    for (int i = 0; i < 1 + repetitions / 10; ++i)
        once();
    for (int measurement = 0; measurement < measurements; ++measurement) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        for (int i = 0; i < repetitions; ++i)
            once();
        times.push_back((MPI_Wtime() - begin) * 1e6 / repetitions);
    }
    std::sort(times.begin(), times.end());
    return times[measurements / 2];
}

void tell(const char* name, int bytes, double us)
{
    if (rank == 0)
        std::printf("%s %d %.3f\n", name, bytes, us);
    std::fflush(stdout);
}

void pingPong(int bytes)
{
    std::vector<char> buffer(static_cast<std::size_t>(bytes));
    const int repetitions = std::clamp(20'000'000 / (bytes + 2'000), 20, 5'000);
    const double us = measured(repetitions, [&] {
        if (rank == 0) {
            MPI_Send(buffer.data(), bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(buffer.data(), bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            MPI_Recv(buffer.data(), bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(buffer.data(), bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        }
    });
    tell("ping-pong", bytes, us / 2);
}

void allreduce(int bytes)
{
    std::vector<double> in(static_cast<std::size_t>(bytes) / sizeof(double), rank);
    std::vector<double> out(in.size());
    const int count = static_cast<int>(in.size());
    tell("allreduce", bytes, measured(std::clamp(4'000'000 / (bytes + 4'000), 20, 1'000), [&] {
             MPI_Allreduce(in.data(), out.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
         }));
}

void alltoall(int bytes)
{
    std::vector<char> in(static_cast<std::size_t>(bytes) * static_cast<std::size_t>(size));
    std::vector<char> out(in.size());
    tell("alltoall", bytes, measured(std::clamp(4'000'000 / (bytes + 4'000), 20, 1'000), [&] {
             MPI_Alltoall(in.data(), bytes, MPI_BYTE, out.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
         }));
}

/// Each rank gives its neighbours on a line their edges.
void halo(int bytes)
{
    std::vector<char> buffers(static_cast<std::size_t>(bytes) * 4);
    const int left = rank == 0 ? MPI_PROC_NULL : rank - 1;
    const int right = rank + 1 == size ? MPI_PROC_NULL : rank + 1;
    const auto part = [&](std::size_t index) {
        return buffers.data() + index * static_cast<std::size_t>(bytes);
    };
    tell("halo", bytes, measured(std::clamp(8'000'000 / (bytes + 4'000), 20, 1'000), [&] {
             MPI_Request requests[4];
             MPI_Irecv(part(0), bytes, MPI_BYTE, left, 0, MPI_COMM_WORLD, &requests[0]);
             MPI_Irecv(part(1), bytes, MPI_BYTE, right, 0, MPI_COMM_WORLD, &requests[1]);
             MPI_Isend(part(2), bytes, MPI_BYTE, right, 0, MPI_COMM_WORLD, &requests[2]);
             MPI_Isend(part(3), bytes, MPI_BYTE, left, 0, MPI_COMM_WORLD, &requests[3]);
             MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
         }));
}

/// All wait for rank 0, and tell how much of a core that took them, in per cent.
void idle(unsigned seconds)
{
    const auto used = [] {
        rusage usage{};
        ::getrusage(RUSAGE_SELF, &usage);
        const auto of = [](const timeval& time) {
            return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
        };
        return of(usage.ru_utime) + of(usage.ru_stime);
    };
    MPI_Barrier(MPI_COMM_WORLD);
    const double before = used();
    if (rank == 0)
        ::sleep(seconds);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 0)
        std::printf("idle %.3f\n", (used() - before) / seconds * 100);
}

} // namespace

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 2 && std::strcmp(argv[1], "idle") == 0) {
        idle(static_cast<unsigned>(std::atoi(argv[2])));
        MPI_Finalize();
        return 0;
    }
    const int largest = argc > 1 ? std::atoi(argv[1]) : 16 * 1024 * 1024;
    for (int bytes = 8; bytes <= largest; bytes *= 8)
        pingPong(bytes);
    for (int bytes = 8; bytes <= std::min(largest, 1024 * 1024); bytes *= 16) {
        allreduce(bytes);
        alltoall(bytes);
        halo(bytes);
    }
    MPI_Finalize();
    return 0;
}
