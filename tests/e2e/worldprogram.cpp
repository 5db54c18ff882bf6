// SPDX-License-Identifier: GPL-3.0-or-later
// An MPI program that ends in one way or another. Usage: worldprogram WAY. What it was started as it learns from the environment:
// some ways end before MPI_Init.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

int numberIn(const char* variable)
{
    const char* const text = std::getenv(variable);
    return text == nullptr ? -1 : std::atoi(text);
}

void print(std::size_t megabytes)
{
    std::string line(1023, 'x');
    line += '\n';
    for (std::size_t i = 0; i < megabytes * 1024; ++i)
        std::fwrite(line.data(), 1, line.size(), stdout);
}

/// Messages around, until a rank has sent so many.
/// @param pauseUntil  in the middle a file of this name is waited for, with .RANK behind it one made to say so; null: no pause
void talk(int rank, int size, int count, const char* pauseUntil)
{
    std::vector<int> got(4096);
    std::vector<int> sent(4096, rank);
    for (int i = 0; i < count; ++i) {
        MPI_Sendrecv(sent.data(), 4096, MPI_INT, (rank + 1) % size, 7, got.data(), 4096, MPI_INT,
                     (rank + size - 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        int all = 0;
        MPI_Allreduce(&got[0], &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (got[0] != (rank + size - 1) % size || all != size * (size - 1) / 2)
            MPI_Abort(MPI_COMM_WORLD, 3);
        if (i != count / 2 || pauseUntil == nullptr)
            continue;
        std::ofstream(std::string(pauseUntil) + "." + std::to_string(rank)) << "waits\n";
        while (::access(pauseUntil, F_OK) != 0)
            ::usleep(10'000);
    }
}

/// A message of so many megabytes around, each byte of which is known.
void sendLong(int rank, int size, std::size_t megabytes)
{
    const std::size_t bytes = megabytes << 20U;
    std::vector<unsigned char> sent(bytes);
    std::vector<unsigned char> got(bytes);
    const auto byteOf = [](std::size_t at, int of) {
        return static_cast<unsigned char>(at * 31 + (at >> 12U) + static_cast<std::size_t>(of));
    };
    for (std::size_t i = 0; i < bytes; ++i)
        sent[i] = byteOf(i, rank);
    const int from = (rank + size - 1) % size;
    MPI_Sendrecv(sent.data(), static_cast<int>(bytes), MPI_BYTE, (rank + 1) % size, 7, got.data(),
                 static_cast<int>(bytes), MPI_BYTE, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (std::size_t i = 0; i < bytes; ++i)
        if (got[i] != byteOf(i, from))
            MPI_Abort(MPI_COMM_WORLD, 4);
}

} // namespace

int main(int argc, char** argv)
{
    const std::string way = argc > 1 ? argv[1] : "";
    if (way == "outside" && numberIn("TASUKI_WORLD_RANK") == 2)
        return 0;
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 1) {
        if (way == "abort")
            MPI_Abort(MPI_COMM_WORLD, 7);
        if (way == "crash")
            std::abort();
        if (way == "exit")
            std::exit(0);
        if (way == "leave")
            ::_exit(0);
        if (way == "code")
            std::exit(9);
    }
    if (way == "fork" && ::fork() == 0) {
        ::sleep(rank == 0 ? 1000 : 0);
        ::_exit(0);
    }
    if (way == "wait" || (way == "idle" && rank == 0))
        ::sleep(1000);
    if (way == "print" && rank == 0)
        print(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1);
    if (way == "talk")
        talk(rank, size, argc > 2 ? std::atoi(argv[2]) : 1, argc > 3 ? argv[3] : nullptr);
    if (way == "long")
        sendLong(rank, size, argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && way != "print")
        std::printf("%d ranks\n", size);
    MPI_Finalize();
    return 0;
}
