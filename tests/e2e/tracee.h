// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <mpi.h>
#include <vector>

/// A program to be traced: each scenario sends messages along a ring, from each rank to the next one,
/// of a length that tag and sender give. tst_e2e_tracer knows the same.
namespace tracee {

struct Ring {
    int rank = 0;
    int size = 1;
    int next = 0;
    int previous = 0;

    explicit Ring(MPI_Comm communicator)
    {
        MPI_Comm_rank(communicator, &rank);
        MPI_Comm_size(communicator, &size);
        next = (rank + 1) % size;
        previous = (rank + size - 1) % size;
    }
};

/// Numbers of a message, each of which is its sender.
class Numbers {
public:
    /// To be sent.
    static Numbers from(int tag, int sender)
    {
        return Numbers{std::vector<int>(lengthOf(tag, sender), sender)};
    }
    /// To be received.
    static Numbers room(int tag, int sender)
    {
        return Numbers{std::vector<int>(lengthOf(tag, sender), -1)};
    }
    static std::size_t lengthOf(int tag, int sender)
    {
        return static_cast<std::size_t>(tag + sender);
    }

    [[nodiscard]] int* data() { return m_values.data(); }
    [[nodiscard]] int count() const { return static_cast<int>(m_values.size()); }
    /// Ends the program when something else came.
    void check(int sender) const;

private:
    explicit Numbers(std::vector<int> values) : m_values(std::move(values)) {}
    std::vector<int> m_values;
};

/// Ends the program, with a line that says where, unless it holds.
void require(bool holds, const char* what);

void blocking();
void probes();
void requests();
void anyRequests();
void persistent();
void collectives();
void vectorCollectives();
void communicators();
void interCommunicators();
void partOfAll();
void partsOfRequests();
void partsOfPersistent();
void partsOfProbes();
void threads();
void partsOfThreads();
void longRun();
void profiled();
void oneSided();
void nonBlocking();
void files();
void looks();
void waitingThread();
void killed();
void vanishes();

} // namespace tracee
