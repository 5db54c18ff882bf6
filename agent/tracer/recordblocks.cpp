// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordblocks.h"

#include "complaint.h"
#include "real.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace tasuki::tracer {

namespace {

constexpr int orderTag = 2;
constexpr int blockTag = 3;
constexpr int idTag = 4;

constexpr int orderMore = 1;
constexpr int orderEnough = 0;

/// How long ids may be in one message.
constexpr std::uint64_t idsPerMessage = 1U << 20;

/// Waits without keeping a core from those who have work: first the others of the core may run, later
/// the core may rest.
int awaitPolitely(MPI_Request& request, MPI_Status& status)
{
    constexpr int eager = 200;
    for (int round = 0;; ++round) {
        int done = 0;
        const int result = real::Test(&request, &done, &status);
        if (done != 0 || result != MPI_SUCCESS)
            return result;
        if (round < eager)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
}

int receivedRecords(const MPI_Status& status)
{
    int bytes = 0;
    real::Get_count(&status, MPI_BYTE, &bytes);
    return std::max(bytes, 0) / static_cast<int>(sizeof(Record));
}

std::size_t readBlock(EventBuffer::Reader& reader, std::span<Record> block)
{
    auto count = reader.read(block);
    if (count)
        return *count;
    complain(count.error().message + "; the trace lacks what follows");
    return 0;
}

} // namespace

std::span<const Record> OwnRecords::next()
{
    return std::span{m_block}.first(readBlock(m_reader, m_block));
}

RemoteRecords::RemoteRecords(MPI_Comm communicator, int rank)
    : m_communicator(communicator), m_rank(rank)
{
    for (auto& block : m_blocks)
        block.resize(blockRecords);
    ask();
}

RemoteRecords::~RemoteRecords()
{
    if (m_request != MPI_REQUEST_NULL)
        awaitBlock();
    real::Send(&orderEnough, 1, MPI_INT, m_rank, orderTag, m_communicator);
}

void RemoteRecords::ask()
{
    real::Irecv(m_blocks[m_coming].data(), static_cast<int>(blockRecords * sizeof(Record)),
                MPI_BYTE, m_rank, blockTag, m_communicator, &m_request);
    real::Send(&orderMore, 1, MPI_INT, m_rank, orderTag, m_communicator);
}

std::size_t RemoteRecords::awaitBlock()
{
    MPI_Status status;
    if (awaitPolitely(m_request, status) != MPI_SUCCESS)
        return 0;
    return static_cast<std::size_t>(receivedRecords(status));
}

std::span<const Record> RemoteRecords::next()
{
    if (m_request == MPI_REQUEST_NULL)
        return {};
    const std::size_t count = awaitBlock();
    const std::vector<Record>& came = m_blocks[m_coming];
    m_coming = 1 - m_coming;
    if (count > 0)
        ask();
    return std::span{came}.first(count);
}

void serveRecords(MPI_Comm communicator, const EventBuffer& events)
{
    EventBuffer::Reader reader{events};
    std::vector<Record> block(blockRecords);
    // Read before it is asked for.
    std::size_t count = readBlock(reader, block);
    for (;;) {
        int order = orderEnough;
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Status status;
        if (real::Irecv(&order, 1, MPI_INT, 0, orderTag, communicator, &request) != MPI_SUCCESS
            || awaitPolitely(request, status) != MPI_SUCCESS || order == orderEnough)
            return;
        real::Send(block.data(), static_cast<int>(count * sizeof(Record)), MPI_BYTE, 0, blockTag,
                   communicator);
        count = readBlock(reader, block);
    }
}

std::vector<CommunicatorId> receiveIds(MPI_Comm communicator, int rank, std::uint64_t count)
{
    std::vector<CommunicatorId> ids(count);
    for (std::uint64_t at = 0; at < count; at += idsPerMessage) {
        const auto part = static_cast<int>(std::min(idsPerMessage, count - at));
        real::Recv(ids.data() + at, part, MPI_UINT64_T, rank, idTag, communicator,
                   MPI_STATUS_IGNORE);
    }
    return ids;
}

void sendIds(MPI_Comm communicator, const std::vector<CommunicatorId>& ids)
{
    for (std::uint64_t at = 0; at < ids.size(); at += idsPerMessage) {
        const auto part = static_cast<int>(std::min<std::uint64_t>(idsPerMessage, ids.size() - at));
        real::Send(ids.data() + at, part, MPI_UINT64_T, 0, idTag, communicator);
    }
}

} // namespace tasuki::tracer
