// SPDX-License-Identifier: GPL-3.0-or-later
// Requests that are made once and started often. A start is logged as the call that it repeats: the
// one of MPI_Send_init as MPI_Isend.
#include "calllog.h"
#include "exported.h"
#include "real.h"

#include <array>

using namespace tasuki::tracer;

namespace {

void remember(CallLog& call, const MPI_Request* request, MPI_Comm communicator, Request made)
{
    call.follow([&](Tracer& tracer) {
        made.persistent = true;
        made.communicator = tracer.communicators().of(communicator).number();
        tracer.requests().add(toHandle(*request), made);
        if (made.receives)
            tracer.communicators().hold(made.communicator);
    });
}

int rememberSend(int result, State state, const Outgoing& outgoing, const MPI_Request* request)
{
    if (result != MPI_SUCCESS || outgoing.peer == MPI_PROC_NULL)
        return result;
    Request made{.startedAs = state};
    CallLog call{state, CallLog::Aside{}};
    call.follow([&](Tracer& tracer) {
        made.peer = tracer.communicators().of(outgoing.communicator).worldRank(outgoing.peer);
        made.tag = outgoing.tag;
        made.bytes = bytesOf(outgoing.count, outgoing.type);
    });
    remember(call, request, outgoing.communicator, made);
    return result;
}

/// @param isLast  of those that the call starts: it takes the call's time
void followStart(CallLog& call, Tracer& tracer, Handle handle, bool isLast)
{
    Request* request = tracer.requests().find(handle);
    if (request == nullptr || !request->persistent)
        return;
    request->active = true;
    request->number = 0;
    if (!call)
        return;
    const std::int64_t beginNs = call.beginNs();
    const std::int64_t endNs = isLast ? call.endNs() : beginNs;
    request->number = tracer.nextRequestNumber();
    tracer.recordBegin(request->startedAs, beginNs, std::array{request->number});
    if (!request->receives && request->peer != noPeer) {
        tracer.record({.timeNs = beginNs,
                       .bytes = request->bytes & maxRecordBytes,
                       .kind = RecordKind::Sent,
                       .peer = request->peer,
                       .tag = request->tag,
                       .communicator = request->communicator,
                       .request = request->number});
    }
    tracer.record({.timeNs = endNs, .kind = RecordKind::End, .state = request->startedAs});
}

} // namespace

TASUKI_MPI int MPI_Send_init(const void* buffer, int count, MPI_Datatype type, int peer, int tag,
                             MPI_Comm communicator, MPI_Request* request)
{
    return rememberSend(real::Send_init(buffer, count, type, peer, tag, communicator, request),
                        State::Isend, {count, type, peer, tag, communicator}, request);
}

TASUKI_MPI int MPI_Ssend_init(const void* buffer, int count, MPI_Datatype type, int peer, int tag,
                              MPI_Comm communicator, MPI_Request* request)
{
    return rememberSend(real::Ssend_init(buffer, count, type, peer, tag, communicator, request),
                        State::Issend, {count, type, peer, tag, communicator}, request);
}

TASUKI_MPI int MPI_Bsend_init(const void* buffer, int count, MPI_Datatype type, int peer, int tag,
                              MPI_Comm communicator, MPI_Request* request)
{
    return rememberSend(real::Bsend_init(buffer, count, type, peer, tag, communicator, request),
                        State::Ibsend, {count, type, peer, tag, communicator}, request);
}

TASUKI_MPI int MPI_Rsend_init(const void* buffer, int count, MPI_Datatype type, int peer, int tag,
                              MPI_Comm communicator, MPI_Request* request)
{
    return rememberSend(real::Rsend_init(buffer, count, type, peer, tag, communicator, request),
                        State::Irsend, {count, type, peer, tag, communicator}, request);
}

TASUKI_MPI int MPI_Recv_init(void* buffer, int count, MPI_Datatype type, int peer, int tag,
                             MPI_Comm communicator, MPI_Request* request)
{
    const int result = real::Recv_init(buffer, count, type, peer, tag, communicator, request);
    if (result == MPI_SUCCESS && peer != MPI_PROC_NULL) {
        CallLog call{State::Irecv, CallLog::Aside{}};
        remember(call, request, communicator, {.startedAs = State::Irecv, .receives = true});
    }
    return result;
}

TASUKI_MPI int MPI_Start(MPI_Request* request)
{
    CallLog call{State::Isend};
    const int result = real::Start(request);
    if (result == MPI_SUCCESS) {
        call.returned();
        call.follow([&](Tracer& tracer) { followStart(call, tracer, toHandle(*request), true); });
    }
    return result;
}

TASUKI_MPI int MPI_Startall(int count, MPI_Request requests[])
{
    CallLog call{State::Isend};
    const int result = real::Startall(count, requests);
    if (result == MPI_SUCCESS) {
        call.returned();
        call.follow([&](Tracer& tracer) {
            // As many calls one after the other.
            for (int i = 0; i < count; ++i)
                followStart(call, tracer, toHandle(requests[i]), i + 1 == count);
        });
    }
    return result;
}
