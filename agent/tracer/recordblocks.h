// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "communicatornumbers.h"
#include "eventbuffer.h"
#include "logmerger.h"

#include <array>
#include <cstdint>
#include <mpi.h>
#include <span>
#include <vector>

namespace tasuki::tracer {

/// How records travel: rank 0 asks for a block, the other rank sends it, until rank 0 says that it is
/// enough.
inline constexpr std::size_t blockRecords = 1024;

/// The records of rank 0 itself.
class OwnRecords final : public RecordStream {
public:
    explicit OwnRecords(const EventBuffer& events) : m_reader(events), m_block(blockRecords) {}
    std::span<const Record> next() override;

private:
    EventBuffer::Reader m_reader;
    std::vector<Record> m_block;
};

/// At rank 0, the records of another rank; the next block is on its way while one is used. On
/// destruction the other rank is let go.
class RemoteRecords final : public RecordStream {
public:
    RemoteRecords(MPI_Comm communicator, int rank);
    ~RemoteRecords() override;
    std::span<const Record> next() override;

private:
    void ask();
    std::size_t awaitBlock();

    MPI_Comm m_communicator;
    int m_rank;
    std::array<std::vector<Record>, 2> m_blocks;
    std::size_t m_coming = 0; ///< which one is being filled
    MPI_Request m_request = MPI_REQUEST_NULL;
};

/// The other side of RemoteRecords: until rank 0 lets go.
void serveRecords(MPI_Comm communicator, const EventBuffer& events);

/// At rank 0.
std::vector<CommunicatorId> receiveIds(MPI_Comm communicator, int rank, std::uint64_t count);
void sendIds(MPI_Comm communicator, const std::vector<CommunicatorId>& ids);

} // namespace tasuki::tracer
