// SPDX-License-Identifier: GPL-3.0-or-later
// Receives that are done when they return, and looks at what has come.
#include "calllog.h"
#include "exported.h"
#include "real.h"

using namespace tasuki::tracer;

namespace {

/// Remembers which communicator a message came over, for MPI_Mrecv. One that is found while nothing is
/// logged was sent before: MPI_Mrecv then is a call without a message, like those whose send is not
/// logged.
void found(CallLog& call, MPI_Message message, MPI_Comm communicator)
{
    if (message == MPI_MESSAGE_NULL || message == MPI_MESSAGE_NO_PROC)
        return;
    call.log([&](Tracer& tracer) {
        const std::uint32_t number = tracer.communicators().of(communicator).number();
        tracer.foundMessages().add(toHandle(message), {.communicator = number});
        tracer.communicators().hold(number);
    });
}

} // namespace

TASUKI_MPI int MPI_Recv(void* buffer, int count, MPI_Datatype type, int peer, int tag,
                        MPI_Comm communicator, MPI_Status* status)
{
    CallLog call{State::Recv};
    call.begin();
    MPI_Status own;
    MPI_Status* used = call && status == MPI_STATUS_IGNORE ? &own : status;
    const int result = real::Recv(buffer, count, type, peer, tag, communicator, used);
    if (call && result == MPI_SUCCESS)
        call.received(*used, communicator);
    return call.end(result);
}

TASUKI_MPI int MPI_Mrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message,
                         MPI_Status* status)
{
    CallLog call{State::Recv};
    call.begin();
    const Handle handle = toHandle(*message);
    MPI_Status own;
    MPI_Status* used = call.traced() && status == MPI_STATUS_IGNORE ? &own : status;
    const int result = real::Mrecv(buffer, count, type, message, used);
    call.returned();
    call.follow([&](Tracer& tracer) {
        const auto known = tracer.foundMessages().take(handle);
        if (!known)
            return;
        if (result == MPI_SUCCESS)
            call.writeReceived(tracer, *used, tracer.communicators().at(known->communicator), 0);
        tracer.communicators().release(known->communicator);
    });
    return call.end(result);
}

TASUKI_MPI int MPI_Probe(int peer, int tag, MPI_Comm communicator, MPI_Status* status)
{
    CallLog call{State::Probe};
    call.begin();
    return call.end(real::Probe(peer, tag, communicator, status));
}

TASUKI_MPI int MPI_Iprobe(int peer, int tag, MPI_Comm communicator, int* flag, MPI_Status* status)
{
    CallLog call{State::Iprobe, CallLog::Look{}};
    const int result = real::Iprobe(peer, tag, communicator, flag, status);
    call.logLook(result, *flag != 0);
    return result;
}

TASUKI_MPI int MPI_Mprobe(int peer, int tag, MPI_Comm communicator, MPI_Message* message,
                          MPI_Status* status)
{
    CallLog call{State::Probe};
    call.begin();
    const int result = real::Mprobe(peer, tag, communicator, message, status);
    if (result == MPI_SUCCESS)
        found(call, *message, communicator);
    return call.end(result);
}

TASUKI_MPI int MPI_Improbe(int peer, int tag, MPI_Comm communicator, int* flag,
                           MPI_Message* message, MPI_Status* status)
{
    CallLog call{State::Iprobe, CallLog::Look{}};
    const int result = real::Improbe(peer, tag, communicator, flag, message, status);
    if (result == MPI_SUCCESS && *flag != 0)
        found(call, *message, communicator);
    call.logLook(result, *flag != 0);
    return result;
}
