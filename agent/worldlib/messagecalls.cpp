// SPDX-License-Identifier: GPL-3.0-or-later
// Messages between two ranks.
#include "checks.h"
#include "exported.h"
#include "real.h"

#include <vector>

namespace tasuki::world {

namespace {

using Mode = Request::Mode;

int checkSend(const Communicator& to, const void* buffer, int count, MPI_Datatype type, int peer,
              int tag)
{
    if (const int code = checkBuffer(buffer, count, type); code != MPI_SUCCESS)
        return code;
    if (const int code = checkSendTag(tag); code != MPI_SUCCESS)
        return code;
    return checkDestination(to, peer);
}

int checkReceive(const Communicator& from, const void* buffer, int count, MPI_Datatype type,
                 int peer, int tag)
{
    if (const int code = checkBuffer(buffer, count, type); code != MPI_SUCCESS)
        return code;
    if (const int code = checkReceiveTag(tag); code != MPI_SUCCESS)
        return code;
    return checkSource(from, peer);
}

int checkRoom(Program& program, Mode mode, int count, MPI_Datatype type)
{
    if (mode != Mode::Buffered)
        return MPI_SUCCESS;
    program.progress();
    const auto bytes = static_cast<std::uint64_t>(count) * shapeOf(type).size;
    return program.hasRoom(bytes) ? MPI_SUCCESS : MPI_ERR_BUFFER;
}

int send(const char* name, Mode mode, const void* buffer, int count, MPI_Datatype type, int peer,
         int tag, MPI_Comm comm)
{
    const Call call(name);
    TASUKI_COMMUNICATOR(to, comm);
    TASUKI_CHECK(comm, checkSend(*to, buffer, count, type, peer, tag));
    TASUKI_CHECK(comm, checkRoom(*call, mode, count, type));
    const auto request = call->beginSend(to, to->context, mode, buffer,
                                         static_cast<std::size_t>(count), type, peer, tag);
    call->wait(*request);
    return MPI_SUCCESS;
}

/// A type of the user's is copied: it may be freed before the request is done.
void keepType(Request& request)
{
    int integers = 0;
    int addresses = 0;
    int types = 0;
    int combiner = MPI_COMBINER_NAMED;
    real::Type_get_envelope(request.type, &integers, &addresses, &types, &combiner);
    if (combiner == MPI_COMBINER_NAMED)
        return;
    MPI_Datatype copy = MPI_DATATYPE_NULL;
    if (real::Type_dup(request.type, &copy) == MPI_SUCCESS) {
        request.type = copy;
        request.ownType = true;
    }
}

int isend(const char* name, Mode mode, const void* buffer, int count, MPI_Datatype type, int peer,
          int tag, MPI_Comm comm, MPI_Request* handle)
{
    const Call call(name);
    TASUKI_COMMUNICATOR(to, comm);
    TASUKI_CHECK(comm, checkSend(*to, buffer, count, type, peer, tag));
    TASUKI_CHECK(comm, checkRoom(*call, mode, count, type));
    auto request = call->beginSend(to, to->context, mode, buffer, static_cast<std::size_t>(count),
                                   type, peer, tag);
    *handle = request.release()->handle();
    return MPI_SUCCESS;
}

int makePersistent(const char* name, Request::Kind kind, Mode mode, const void* buffer, int count,
                   MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request* handle)
{
    const Call call(name);
    TASUKI_COMMUNICATOR(with, comm);
    TASUKI_CHECK(comm,
                 kind == Request::Kind::Send ? checkSend(*with, buffer, count, type, peer, tag)
                                             : checkReceive(*with, buffer, count, type, peer, tag));
    auto request = std::make_unique<Request>();
    request->kind = kind;
    request->persistent = true;
    request->active = false;
    request->communicator = with;
    request->context = with->context;
    request->mode = mode;
    request->peer = peer;
    request->tag = tag;
    request->buffer = buffer;
    request->count = static_cast<std::size_t>(count);
    request->type = type;
    keepType(*request);
    *handle = request.release()->handle();
    return MPI_SUCCESS;
}

/// Looks for a message. @return an error code; `found` is null: there is none
int probe(Program& program, const Communicator& from, int source, int tag, bool blocks,
          const Arrival** found)
{
    const Pattern pattern{.context = from.context,
                          .source = source == MPI_ANY_SOURCE ? Pattern::any : source,
                          .tag = tag == MPI_ANY_TAG ? Pattern::any : tag};
    program.progress();
    *found = program.endpoint().look(pattern);
    if (blocks)
        program.wait([&] {
            *found = program.endpoint().look(pattern);
            return *found != nullptr;
        });
    return MPI_SUCCESS;
}

void tell(const Arrival& arrival, MPI_Status* status)
{
    if (status == MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = arrival.head.source;
    status->MPI_TAG = arrival.head.tag;
    status->_cancelled = 0;
    status->_ucount = static_cast<std::size_t>(arrival.head.bytes);
}

void tellNobody(MPI_Status* status)
{
    if (status == MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = MPI_PROC_NULL;
    status->MPI_TAG = MPI_ANY_TAG;
    status->_cancelled = 0;
    status->_ucount = 0;
}

/// @param message  null: it stays where it is
int probeCall(const char* name, bool blocks, int source, int tag, MPI_Comm comm, int* flag,
              MPI_Message* message, MPI_Status* status)
{
    const Call call(name);
    TASUKI_COMMUNICATOR(from, comm);
    TASUKI_CHECK(comm, checkReceiveTag(tag));
    TASUKI_CHECK(comm, checkSource(*from, source));
    if (source == MPI_PROC_NULL) {
        *flag = 1;
        if (message != nullptr)
            *message = MPI_MESSAGE_NO_PROC;
        tellNobody(status);
        return MPI_SUCCESS;
    }
    const Arrival* found = nullptr;
    probe(*call, *from, source, tag, blocks, &found);
    *flag = found != nullptr ? 1 : 0;
    if (message != nullptr)
        *message = MPI_MESSAGE_NULL;
    if (found == nullptr)
        return MPI_SUCCESS;
    tell(*found, status);
    if (message == nullptr)
        return MPI_SUCCESS;
    auto taken = call->endpoint().take(
        {.context = from->context, .source = found->head.source, .tag = found->head.tag});
    *message = reinterpret_cast<MPI_Message>(
        new TakenMessage{.communicator = from, .arrival = std::move(*taken)});
    return MPI_SUCCESS;
}

std::unique_ptr<Request> receiveTaken(Program& program, void* buffer, int count, MPI_Datatype type,
                                      MPI_Message* message)
{
    const std::unique_ptr<TakenMessage> taken(reinterpret_cast<TakenMessage*>(*message));
    *message = MPI_MESSAGE_NULL;
    return program.beginTaken(*taken, buffer, static_cast<std::size_t>(count), type);
}

} // namespace

/// The calls that send in one mode: at once, with a request, with one that is used again.
#define TASUKI_SENDS(name, withRequest, mode)                                                      \
    TASUKI_WORLD(int, name, const void* buffer, int count, MPI_Datatype type, int peer, int tag,   \
                 MPI_Comm comm)                                                                    \
    {                                                                                              \
        return send("MPI_" #name, mode, buffer, count, type, peer, tag, comm);                     \
    }                                                                                              \
    TASUKI_WORLD(int, withRequest, const void* buffer, int count, MPI_Datatype type, int peer,     \
                 int tag, MPI_Comm comm, MPI_Request* request)                                     \
    {                                                                                              \
        return isend("MPI_" #withRequest, mode, buffer, count, type, peer, tag, comm, request);    \
    }                                                                                              \
    TASUKI_WORLD(int, name##_init, const void* buffer, int count, MPI_Datatype type, int peer,     \
                 int tag, MPI_Comm comm, MPI_Request* request)                                     \
    {                                                                                              \
        return makePersistent("MPI_" #name "_init", Request::Kind::Send, mode, buffer, count,      \
                              type, peer, tag, comm, request);                                     \
    }

TASUKI_SENDS(Send, Isend, Mode::Standard)
TASUKI_SENDS(Bsend, Ibsend, Mode::Buffered)
TASUKI_SENDS(Ssend, Issend, Mode::Synchronous)
TASUKI_SENDS(Rsend, Irsend, Mode::Ready)

TASUKI_WORLD(int, Recv_init, void* buffer, int count, MPI_Datatype type, int peer, int tag,
             MPI_Comm comm, MPI_Request* request)
{
    return makePersistent("MPI_Recv_init", Request::Kind::Receive, Mode::Standard, buffer, count,
                          type, peer, tag, comm, request);
}

TASUKI_WORLD(int, Recv, void* buffer, int count, MPI_Datatype type, int peer, int tag,
             MPI_Comm comm, MPI_Status* status)
{
    const Call call("MPI_Recv");
    TASUKI_COMMUNICATOR(from, comm);
    TASUKI_CHECK(comm, checkReceive(*from, buffer, count, type, peer, tag));
    const auto request = call->beginReceive(from, from->context, buffer,
                                            static_cast<std::size_t>(count), type, peer, tag);
    call->wait(*request);
    TASUKI_CHECK(comm, call->finish(*request, status));
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Irecv, void* buffer, int count, MPI_Datatype type, int peer, int tag,
             MPI_Comm comm, MPI_Request* handle)
{
    const Call call("MPI_Irecv");
    TASUKI_COMMUNICATOR(from, comm);
    TASUKI_CHECK(comm, checkReceive(*from, buffer, count, type, peer, tag));
    auto request = std::make_unique<Request>();
    request->kind = Request::Kind::Receive;
    request->communicator = from;
    request->context = from->context;
    request->peer = peer;
    request->tag = tag;
    request->buffer = buffer;
    request->count = static_cast<std::size_t>(count);
    request->type = type;
    keepType(*request);
    call->start(*request);
    *handle = request.release()->handle();
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Sendrecv, const void* sent, int sentCount, MPI_Datatype sentType, int to,
             int sentTag, void* got, int gotCount, MPI_Datatype gotType, int source, int gotTag,
             MPI_Comm comm, MPI_Status* status)
{
    const Call call("MPI_Sendrecv");
    TASUKI_COMMUNICATOR(with, comm);
    TASUKI_CHECK(comm, checkSend(*with, sent, sentCount, sentType, to, sentTag));
    TASUKI_CHECK(comm, checkReceive(*with, got, gotCount, gotType, source, gotTag));
    const auto in = call->beginReceive(with, with->context, got, static_cast<std::size_t>(gotCount),
                                       gotType, source, gotTag);
    const auto out = call->beginSend(with, with->context, Mode::Standard, sent,
                                     static_cast<std::size_t>(sentCount), sentType, to, sentTag);
    call->wait([&] { return in->isDone() && out->isDone(); });
    TASUKI_CHECK(comm, call->finish(*in, status));
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Sendrecv_replace, void* buffer, int count, MPI_Datatype type, int to, int sentTag,
             int source, int gotTag, MPI_Comm comm, MPI_Status* status)
{
    const Call call("MPI_Sendrecv_replace");
    TASUKI_COMMUNICATOR(with, comm);
    TASUKI_CHECK(comm, checkSend(*with, buffer, count, type, to, sentTag));
    TASUKI_CHECK(comm, checkReceive(*with, buffer, count, type, source, gotTag));
    // As bytes: elements that stand far apart are no reason for a copy of what is between them.
    const Packed data = Packed::ofData(buffer, static_cast<std::size_t>(count), type);
    const std::vector<std::byte> copy(data.bytes(), data.bytes() + data.size());
    const auto in = call->beginReceive(with, with->context, buffer, static_cast<std::size_t>(count),
                                       type, source, gotTag);
    const auto out = call->beginSend(with, with->context, Mode::Standard, copy.data(), copy.size(),
                                     MPI_BYTE, to, sentTag);
    call->wait([&] { return in->isDone() && out->isDone(); });
    TASUKI_CHECK(comm, call->finish(*in, status));
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Probe, int source, int tag, MPI_Comm comm, MPI_Status* status)
{
    int flag = 0;
    return probeCall("MPI_Probe", true, source, tag, comm, &flag, nullptr, status);
}
TASUKI_WORLD(int, Iprobe, int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status)
{
    return probeCall("MPI_Iprobe", false, source, tag, comm, flag, nullptr, status);
}
TASUKI_WORLD(int, Mprobe, int source, int tag, MPI_Comm comm, MPI_Message* message,
             MPI_Status* status)
{
    int flag = 0;
    return probeCall("MPI_Mprobe", true, source, tag, comm, &flag, message, status);
}
TASUKI_WORLD(int, Improbe, int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
             MPI_Status* status)
{
    return probeCall("MPI_Improbe", false, source, tag, comm, flag, message, status);
}

TASUKI_WORLD(int, Mrecv, void* buffer, int count, MPI_Datatype type, MPI_Message* message,
             MPI_Status* status)
{
    const Call call("MPI_Mrecv");
    TASUKI_CHECK(MPI_COMM_WORLD, checkBuffer(buffer, count, type));
    if (*message == MPI_MESSAGE_NO_PROC) {
        *message = MPI_MESSAGE_NULL;
        tellNobody(status);
        return MPI_SUCCESS;
    }
    if (*message == MPI_MESSAGE_NULL)
        return fail(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    const auto request = receiveTaken(*call, buffer, count, type, message);
    call->wait(*request);
    TASUKI_CHECK(request->communicator->handle, call->finish(*request, status));
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Imrecv, void* buffer, int count, MPI_Datatype type, MPI_Message* message,
             MPI_Request* handle)
{
    const Call call("MPI_Imrecv");
    TASUKI_CHECK(MPI_COMM_WORLD, checkBuffer(buffer, count, type));
    if (*message == MPI_MESSAGE_NULL)
        return fail(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    if (*message == MPI_MESSAGE_NO_PROC) {
        *message = MPI_MESSAGE_NULL;
        const auto self = call->communicators().share(MPI_COMM_SELF);
        *handle = call->beginReceive(self, self->context, buffer, 0, MPI_BYTE, MPI_PROC_NULL,
                                     MPI_ANY_TAG)
                      .release()
                      ->handle();
        return MPI_SUCCESS;
    }
    auto request = receiveTaken(*call, buffer, count, type, message);
    keepType(*request);
    *handle = request.release()->handle();
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Buffer_attach, void* buffer, int size)
{
    const Call call("MPI_Buffer_attach");
    if (call->hasBuffer || size < 0)
        return fail(MPI_COMM_WORLD, size < 0 ? MPI_ERR_ARG : MPI_ERR_BUFFER);
    call->attachedBuffer = buffer;
    call->attachedBytes = size;
    call->hasBuffer = true;
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Buffer_detach, void* buffer, int* size)
{
    const Call call("MPI_Buffer_detach");
    if (!call->hasBuffer)
        return fail(MPI_COMM_WORLD, MPI_ERR_BUFFER);
    call->waitForBuffered();
    *static_cast<void**>(buffer) = call->attachedBuffer;
    *size = call->attachedBytes;
    call->hasBuffer = false;
    return MPI_SUCCESS;
}

} // namespace tasuki::world
