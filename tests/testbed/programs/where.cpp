// SPDX-License-Identifier: GPL-3.0-or-later
// Each rank prints its host, told to rank 0 by a message: so it also says that all can be reached.
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <vector>

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    constexpr int length = 64;
    std::array<char, length> host{};
    gethostname(host.data(), length - 1);
    std::vector<std::array<char, length>> hosts(static_cast<std::size_t>(size));
    MPI_Allgather(host.data(), length, MPI_CHAR, hosts.data(), length, MPI_CHAR, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; ++i)
        std::printf("rank=%d host=%s\n", i, hosts[static_cast<std::size_t>(i)].data());
    std::fflush(stdout);
    MPI_Finalize();
    return 0;
}
