// SPDX-License-Identifier: GPL-3.0-or-later
#include "calllog.h"

#include "real.h"

#include <algorithm>

namespace tasuki::tracer {

namespace {

/// @return of the message; 0 where the status cannot tell
std::uint64_t receivedBytes(const MPI_Status& status)
{
    int count = 0;
    real::Get_count(&status, MPI_BYTE, &count);
    if (count >= 0)
        return static_cast<std::uint64_t>(count);
    MPI_Count elements = 0;
    real::Get_elements_x(&status, MPI_BYTE, &elements);
    return elements > 0 ? static_cast<std::uint64_t>(elements) : 0;
}

} // namespace

std::uint64_t bytesOf(int count, MPI_Datatype type)
{
    if (count <= 0)
        return 0;
    int size = 0;
    real::Type_size(type, &size);
    MPI_Count large = size;
    if (size < 0)
        real::Type_size_x(type, &large);
    const std::uint64_t bytes = large > 0
        ? static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(large)
        : 0;
    return std::min(bytes, maxRecordBytes);
}

void CallLog::writeBegin(Tracer& tracer) const
{
    tracer.record({.timeNs = m_beginNs, .kind = RecordKind::Begin, .state = m_state});
}

void CallLog::writeSent(Tracer& tracer, const Outgoing& outgoing, std::uint32_t request) const
{
    const Communicator& communicator = tracer.communicators().of(outgoing.communicator);
    const std::int32_t peer = communicator.worldRank(outgoing.peer);
    if (peer == noPeer)
        return;
    tracer.record({.timeNs = m_beginNs,
                   .bytes = bytesOf(outgoing.count, outgoing.type) & maxRecordBytes,
                   .kind = RecordKind::Sent,
                   .peer = peer,
                   .tag = outgoing.tag,
                   .communicator = communicator.number(),
                   .request = request});
}

void CallLog::writeReceived(Tracer& tracer, const MPI_Status& status,
                            const Communicator& communicator, std::uint32_t request)
{
    const std::int32_t peer = communicator.worldRank(status.MPI_SOURCE);
    if (peer == noPeer)
        return;
    tracer.record({.timeNs = endNs(),
                   .bytes = receivedBytes(status) & maxRecordBytes,
                   .kind = RecordKind::Received,
                   .peer = peer,
                   .tag = status.MPI_TAG,
                   .communicator = communicator.number(),
                   .request = request});
}

void CallLog::writeCollective(Tracer& tracer, MPI_Comm communicator, int root,
                              std::uint64_t bytes) const
{
    const Communicator& known = tracer.communicators().of(communicator);
    const std::int32_t rootTask = root == MPI_ROOT ? tracer.communicators().worldRank()
                                                   : known.worldRank(root);
    tracer.record({.timeNs = m_beginNs,
                   .bytes = std::min(bytes, maxRecordBytes) & maxRecordBytes,
                   .kind = RecordKind::Begin,
                   .state = m_state,
                   .peer = rootTask,
                   .communicator = known.number()});
}

void CallLog::beginLook() noexcept
{
    if (s_looks.waitsSince(m_beginNs))
        m_beginNs = s_looks.beginNs();
    else
        interruptLooks();
}

void CallLog::foundNothing() noexcept
{
    if (!m_logged)
        return;
    returned();
    s_looks.inVain(m_state, m_beginNs, endNs());
}

void CallLog::logLook(int result, bool found) noexcept
{
    if (result != MPI_SUCCESS)
        return;
    if (!found)
        return foundNothing();
    foundSomething();
    begin();
    end(result);
}

void CallLog::interruptLooks() noexcept
{
    const auto run = s_looks.interrupt();
    Tracer* const tracer = activeTracer();
    if (!run || tracer == nullptr)
        return;
    try {
        const auto guard = tracer->lock();
        tracer->record({.timeNs = run->beginNs, .kind = RecordKind::Begin, .state = run->state});
        tracer->record({.timeNs = run->endNs, .kind = RecordKind::End, .state = run->state});
    } catch (...) {
        tracer->stop();
    }
}

void CallLog::beginCommunicator(MPI_Comm communicator) noexcept
{
    log([&](Tracer& tracer) { writeCollective(tracer, communicator, noRoot, 0); });
}

void CallLog::received(const MPI_Status& status, MPI_Comm communicator) noexcept
{
    returned();
    log([&](Tracer& tracer) {
        writeReceived(tracer, status, tracer.communicators().of(communicator), 0);
    });
}

void CallLog::madeCommunicator(MPI_Comm communicator) noexcept
{
    if (m_tracer == nullptr || communicator == MPI_COMM_NULL)
        return;
    try {
        const CommunicatorId id = m_tracer->communicators().agree(communicator);
        const auto guard = m_tracer->lock();
        m_tracer->communicators().add(communicator, id);
    } catch (...) {
        giveUp();
    }
}

int CallLog::end(int result) noexcept
{
    if (!m_logged)
        return result;
    const std::int64_t timeNs = endNs();
    log([&](Tracer& tracer) {
        tracer.record({.timeNs = timeNs, .kind = RecordKind::End, .state = m_state});
    });
    return result;
}

} // namespace tasuki::tracer
