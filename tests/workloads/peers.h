// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace tasuki::workloads {

/// The ranks of this start, and MPI from MPI_Init to MPI_Finalize. One at a time, one thread.
///
/// All that passes between ranks is MPI_Send and MPI_Recv. Every exchange below ends whether or not
/// MPI_Send waits for its receiver. Counts must be the same on both sides. A tracer logs nothing before
/// it is told to.
class Peers {
public:
    Peers(int& argc, char**& argv);
    ~Peers();
    Peers(const Peers&) = delete;
    Peers& operator=(const Peers&) = delete;

    [[nodiscard]] int rank() const { return m_rank; }
    [[nodiscard]] int size() const { return m_size; }
    [[nodiscard]] bool isRoot() const { return m_rank == 0; }

    void send(std::span<const double> values, int to) const;
    void send(std::span<const char> bytes, int to) const;
    void receive(std::span<double> values, int from) const;
    void receive(std::span<char> bytes, int from) const;
    /// Receives a message of so many values and forgets what it said.
    void receiveAndForget(std::size_t count, int from) const;

    /// Sends to every other rank, in the order of the ranks.
    void sendToOthers(std::span<const double> values) const;
    /// Adds up what all ranks hold, in the order of the ranks. Rank 0 has the sums then; the others
    /// keep what they have.
    void sumAtRoot(std::span<double> values) const;
    /// Rank 0's values for all.
    void shareFromRoot(std::span<double> values) const;

    /// From here on a tracer of this rank logs, or not.
    void trace(bool on) const;

    /// Returns on rank 0 when all ranks have come here; on the others at once.
    void arrive() const;
    /// Returns on the other ranks when rank 0 has come here.
    void release() const;

private:
    int m_rank = 0;
    int m_size = 1;
};

} // namespace tasuki::workloads
