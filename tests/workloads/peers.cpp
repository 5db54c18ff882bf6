// SPDX-License-Identifier: GPL-3.0-or-later
#include "peers.h"

#include <mpi.h>

#include <cassert>
#include <limits>
#include <vector>

namespace tasuki::workloads {

namespace {

/// What a message is for; a mix-up of data and meetings then hangs at once instead of computing on.
enum Tag : int { Data = 0, Meeting = 1 };

int countOf(std::size_t size)
{
    assert(size <= static_cast<std::size_t>(std::numeric_limits<int>::max()));
    return static_cast<int>(size);
}

void sendEmpty(int to) { MPI_Send(nullptr, 0, MPI_CHAR, to, Meeting, MPI_COMM_WORLD); }

void receiveEmpty(int from)
{
    MPI_Recv(nullptr, 0, MPI_CHAR, from, Meeting, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

} // namespace

Peers::Peers(int& argc, char**& argv)
{
    MPI_Init(&argc, &argv);
    trace(false);
    MPI_Comm_rank(MPI_COMM_WORLD, &m_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &m_size);
}

Peers::~Peers() { MPI_Finalize(); }

void Peers::trace(bool on) const { MPI_Pcontrol(on ? 1 : 0); }

void Peers::send(std::span<const double> values, int to) const
{
    MPI_Send(values.data(), countOf(values.size()), MPI_DOUBLE, to, Data, MPI_COMM_WORLD);
}

void Peers::send(std::span<const char> bytes, int to) const
{
    MPI_Send(bytes.data(), countOf(bytes.size()), MPI_CHAR, to, Data, MPI_COMM_WORLD);
}

void Peers::receive(std::span<double> values, int from) const
{
    MPI_Recv(values.data(), countOf(values.size()), MPI_DOUBLE, from, Data, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

void Peers::receive(std::span<char> bytes, int from) const
{
    MPI_Recv(bytes.data(), countOf(bytes.size()), MPI_CHAR, from, Data, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}

void Peers::receiveAndForget(std::size_t count, int from) const
{
    std::vector<double> forgotten(count);
    receive(forgotten, from);
}

void Peers::sendToOthers(std::span<const double> values) const
{
    for (int other = 0; other < m_size; ++other) {
        if (other != m_rank)
            send(values, other);
    }
}

void Peers::sumAtRoot(std::span<double> values) const
{
    if (!isRoot()) {
        send(values, 0);
        return;
    }
    std::vector<double> theirs(values.size());
    for (int other = 1; other < m_size; ++other) {
        receive(theirs, other);
        for (std::size_t index = 0; index < values.size(); ++index)
            values[index] += theirs[index];
    }
}

void Peers::shareFromRoot(std::span<double> values) const
{
    if (isRoot())
        sendToOthers(values);
    else
        receive(values, 0);
}

void Peers::arrive() const
{
    if (!isRoot())
        sendEmpty(0);
    for (int other = 1; isRoot() && other < m_size; ++other)
        receiveEmpty(other);
}

void Peers::release() const
{
    if (!isRoot())
        receiveEmpty(0);
    for (int other = 1; isRoot() && other < m_size; ++other)
        sendEmpty(other);
}

} // namespace tasuki::workloads
