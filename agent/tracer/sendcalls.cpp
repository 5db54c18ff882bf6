// SPDX-License-Identifier: GPL-3.0-or-later
// Sends that are done when they return, and those that receive at the same time.
#include "calllog.h"
#include "exported.h"
#include "real.h"

using namespace tasuki::tracer;

TASUKI_MPI int MPI_Send(const void* buffer, int count, MPI_Datatype type, int peer, int tag,
                        MPI_Comm communicator)
{
    CallLog call{State::Send};
    call.beginSending({count, type, peer, tag, communicator});
    return call.end(real::Send(buffer, count, type, peer, tag, communicator));
}

TASUKI_MPI int MPI_Ssend(const void* buffer, int count, MPI_Datatype type, int peer, int tag,
                         MPI_Comm communicator)
{
    CallLog call{State::Ssend};
    call.beginSending({count, type, peer, tag, communicator});
    return call.end(real::Ssend(buffer, count, type, peer, tag, communicator));
}

TASUKI_MPI int MPI_Bsend(const void* buffer, int count, MPI_Datatype type, int peer, int tag,
                         MPI_Comm communicator)
{
    CallLog call{State::Bsend};
    call.beginSending({count, type, peer, tag, communicator});
    return call.end(real::Bsend(buffer, count, type, peer, tag, communicator));
}

TASUKI_MPI int MPI_Rsend(const void* buffer, int count, MPI_Datatype type, int peer, int tag,
                         MPI_Comm communicator)
{
    CallLog call{State::Rsend};
    call.beginSending({count, type, peer, tag, communicator});
    return call.end(real::Rsend(buffer, count, type, peer, tag, communicator));
}

TASUKI_MPI int MPI_Sendrecv(const void* sendBuffer, int sendCount, MPI_Datatype sendType,
                            int receiver, int sendTag, void* receiveBuffer, int receiveCount,
                            MPI_Datatype receiveType, int sender, int receiveTag,
                            MPI_Comm communicator, MPI_Status* status)
{
    CallLog call{State::Sendrecv};
    call.beginSending({sendCount, sendType, receiver, sendTag, communicator});
    MPI_Status own;
    MPI_Status* used = call && status == MPI_STATUS_IGNORE ? &own : status;
    const int result = real::Sendrecv(sendBuffer, sendCount, sendType, receiver, sendTag,
                                      receiveBuffer, receiveCount, receiveType, sender, receiveTag,
                                      communicator, used);
    if (call && result == MPI_SUCCESS)
        call.received(*used, communicator);
    return call.end(result);
}

TASUKI_MPI int MPI_Sendrecv_replace(void* buffer, int count, MPI_Datatype type, int receiver,
                                    int sendTag, int sender, int receiveTag, MPI_Comm communicator,
                                    MPI_Status* status)
{
    CallLog call{State::SendrecvReplace};
    call.beginSending({count, type, receiver, sendTag, communicator});
    MPI_Status own;
    MPI_Status* used = call && status == MPI_STATUS_IGNORE ? &own : status;
    const int result = real::Sendrecv_replace(buffer, count, type, receiver, sendTag, sender,
                                              receiveTag, communicator, used);
    if (call && result == MPI_SUCCESS)
        call.received(*used, communicator);
    return call.end(result);
}
