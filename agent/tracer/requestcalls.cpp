// SPDX-License-Identifier: GPL-3.0-or-later
// Sends and receives that are started now and waited for later.
#include "calllog.h"
#include "exported.h"
#include "real.h"

#include <array>
#include <optional>

using namespace tasuki::tracer;

namespace {

/// @param start  calls the real one
template <class Start>
int startSend(State state, const Outgoing& outgoing, const MPI_Request* request, Start&& start)
{
    CallLog call{state};
    std::uint32_t number = 0;
    call.log([&](Tracer& tracer) {
        // What goes nowhere has one handle for all, and is over at once.
        if (outgoing.peer == MPI_PROC_NULL) {
            call.writeBegin(tracer);
            return;
        }
        number = tracer.nextRequestNumber();
        tracer.recordBegin(state, call.beginNs(), std::array{number});
        call.writeSent(tracer, outgoing, number);
    });
    const int result = start();
    call.returned();
    if (outgoing.peer != MPI_PROC_NULL && result == MPI_SUCCESS) {
        call.follow([&](Tracer& tracer) {
            tracer.requests().add(toHandle(*request),
                                  {.number = number, .startedAs = state, .active = true});
        });
    }
    return call.end(result);
}

/// @param holdCommunicator  gives the number of the communicator, held, under the lock; nothing: what
///                          it receives is not logged
template <class HoldCommunicator, class Start>
int startReceive(bool fromNobody, const MPI_Request* request, HoldCommunicator&& holdCommunicator,
                 Start&& start)
{
    CallLog call{State::Irecv};
    Request started{.startedAs = State::Irecv, .active = true};
    call.follow([&](Tracer& tracer) {
        std::optional<std::uint32_t> communicator;
        if (!fromNobody) {
            communicator = holdCommunicator(tracer, bool{call});
            if (call || communicator)
                started.number = tracer.nextRequestNumber();
        }
        started.receives = communicator.has_value();
        started.communicator = communicator.value_or(0);
        if (call)
            tracer.recordBegin(State::Irecv, call.beginNs(),
                               {&started.number, fromNobody ? 0U : 1U});
    });
    const int result = start();
    call.returned();
    if (!fromNobody) {
        call.follow([&](Tracer& tracer) {
            if (result == MPI_SUCCESS)
                tracer.requests().add(toHandle(*request), started);
            else if (started.receives)
                tracer.communicators().release(started.communicator);
        });
    }
    return call.end(result);
}

} // namespace

TASUKI_MPI int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int peer, int tag,
                         MPI_Comm communicator, MPI_Request* request)
{
    return startSend(State::Isend, {count, type, peer, tag, communicator}, request, [&] {
        return real::Isend(buffer, count, type, peer, tag, communicator, request);
    });
}

TASUKI_MPI int MPI_Issend(const void* buffer, int count, MPI_Datatype type, int peer, int tag,
                          MPI_Comm communicator, MPI_Request* request)
{
    return startSend(State::Issend, {count, type, peer, tag, communicator}, request, [&] {
        return real::Issend(buffer, count, type, peer, tag, communicator, request);
    });
}

TASUKI_MPI int MPI_Ibsend(const void* buffer, int count, MPI_Datatype type, int peer, int tag,
                          MPI_Comm communicator, MPI_Request* request)
{
    return startSend(State::Ibsend, {count, type, peer, tag, communicator}, request, [&] {
        return real::Ibsend(buffer, count, type, peer, tag, communicator, request);
    });
}

TASUKI_MPI int MPI_Irsend(const void* buffer, int count, MPI_Datatype type, int peer, int tag,
                          MPI_Comm communicator, MPI_Request* request)
{
    return startSend(State::Irsend, {count, type, peer, tag, communicator}, request, [&] {
        return real::Irsend(buffer, count, type, peer, tag, communicator, request);
    });
}

TASUKI_MPI int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int peer, int tag,
                         MPI_Comm communicator, MPI_Request* request)
{
    return startReceive(
        peer == MPI_PROC_NULL, request,
        [&](Tracer& tracer, bool logged) -> std::optional<std::uint32_t> {
            if (!logged)
                return std::nullopt;
            const std::uint32_t number = tracer.communicators().of(communicator).number();
            tracer.communicators().hold(number);
            return number;
        },
        [&] { return real::Irecv(buffer, count, type, peer, tag, communicator, request); });
}

TASUKI_MPI int MPI_Imrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message,
                          MPI_Request* request)
{
    const Handle handle = toHandle(*message);
    const bool fromNobody = *message == MPI_MESSAGE_NO_PROC;
    return startReceive(
        fromNobody, request,
        [handle](Tracer& tracer, bool) -> std::optional<std::uint32_t> {
            const auto known = tracer.foundMessages().take(handle);
            if (!known)
                return std::nullopt;
            return known->communicator;
        },
        [&] { return real::Imrecv(buffer, count, type, message, request); });
}

TASUKI_MPI int MPI_Request_free(MPI_Request* request)
{
    CallLog call{State::Isend, CallLog::Aside{}};
    // Before the handle may be used again. The end of a receive that is freed is never seen.
    call.follow([&](Tracer& tracer) {
        const auto taken = tracer.requests().take(toHandle(*request));
        if (taken && taken->receives)
            tracer.communicators().release(taken->communicator);
    });
    return real::Request_free(request);
}
