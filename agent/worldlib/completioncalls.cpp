// SPDX-License-Identifier: GPL-3.0-or-later
// Waiting for requests.
#include "checks.h"
#include "collective.h"
#include "exported.h"

#include <algorithm>
#include <utility>

namespace tasuki::world {

namespace {

bool isActive(MPI_Request handle)
{
    const Request* request = Request::of(handle);
    return request != nullptr && (!request->persistent || request->active);
}

void emptyStatus(MPI_Status* status)
{
    if (status == MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = MPI_ANY_SOURCE;
    status->MPI_TAG = MPI_ANY_TAG;
    status->_cancelled = 0;
    status->_ucount = 0;
}

/// Ends one that is done. @return an error code
int end(Program& program, MPI_Request* handle, MPI_Status* status)
{
    Request* request = Request::of(*handle);
    if (request == nullptr) {
        emptyStatus(status);
        return MPI_SUCCESS;
    }
    const int code = program.finish(*request, status);
    if (!request->persistent) {
        if (request->collective)
            program.unfollow(*request->collective);
        delete request;
        *handle = MPI_REQUEST_NULL;
    }
    return code;
}

MPI_Comm communicatorOf(MPI_Request handle)
{
    const Request* request = Request::of(handle);
    return request != nullptr && request->communicator ? request->communicator->handle
                                                       : MPI_COMM_WORLD;
}

MPI_Status* statusAt(MPI_Status* statuses, int index)
{
    return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + index;
}

bool isDone(MPI_Request handle)
{
    const Request* request = Request::of(handle);
    return request == nullptr || request->isDone();
}

int endAll(Program& program, int count, MPI_Request* requests, MPI_Status* statuses)
{
    bool wrong = false;
    MPI_Comm comm = MPI_COMM_WORLD;
    for (int i = 0; i < count; ++i) {
        const MPI_Comm own = communicatorOf(requests[i]);
        const int code = end(program, &requests[i], statusAt(statuses, i));
        if (statuses != MPI_STATUSES_IGNORE)
            statuses[i].MPI_ERROR = code;
        if (code != MPI_SUCCESS && !std::exchange(wrong, true))
            comm = own;
    }
    return wrong ? fail(comm, MPI_ERR_IN_STATUS) : MPI_SUCCESS;
}

/// @return the first that is done among those that are active; count: none is; -1: none is active
int firstDone(int count, const MPI_Request* requests)
{
    bool any = false;
    for (int i = 0; i < count; ++i) {
        if (!isActive(requests[i]))
            continue;
        any = true;
        if (isDone(requests[i]))
            return i;
    }
    return any ? count : -1;
}

int endSome(Program& program, int count, MPI_Request* requests, int* ended, int* indices,
            MPI_Status* statuses)
{
    *ended = 0;
    bool wrong = false;
    MPI_Comm comm = MPI_COMM_WORLD;
    for (int i = 0; i < count; ++i) {
        if (!isActive(requests[i]) || !isDone(requests[i]))
            continue;
        const MPI_Comm own = communicatorOf(requests[i]);
        MPI_Status* const status = statusAt(statuses, *ended);
        const int code = end(program, &requests[i], status);
        if (status != MPI_STATUS_IGNORE)
            status->MPI_ERROR = code;
        if (code != MPI_SUCCESS && !std::exchange(wrong, true))
            comm = own;
        indices[(*ended)++] = i;
    }
    return wrong ? fail(comm, MPI_ERR_IN_STATUS) : MPI_SUCCESS;
}

} // namespace

TASUKI_WORLD(int, Wait, MPI_Request* handle, MPI_Status* status)
{
    const Call call("MPI_Wait");
    if (Request* request = Request::of(*handle))
        call->wait(*request);
    const MPI_Comm comm = communicatorOf(*handle);
    TASUKI_CHECK(comm, end(*call, handle, status));
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Test, MPI_Request* handle, int* flag, MPI_Status* status)
{
    const Call call("MPI_Test");
    call->progress();
    *flag = isDone(*handle) ? 1 : 0;
    if (*flag == 0)
        return MPI_SUCCESS;
    const MPI_Comm comm = communicatorOf(*handle);
    TASUKI_CHECK(comm, end(*call, handle, status));
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Waitall, int count, MPI_Request* requests, MPI_Status* statuses)
{
    const Call call("MPI_Waitall");
    call->wait([&] { return std::all_of(requests, requests + count, isDone); });
    return endAll(*call, count, requests, statuses);
}

TASUKI_WORLD(int, Testall, int count, MPI_Request* requests, int* flag, MPI_Status* statuses)
{
    const Call call("MPI_Testall");
    call->progress();
    *flag = std::all_of(requests, requests + count, isDone) ? 1 : 0;
    return *flag != 0 ? endAll(*call, count, requests, statuses) : MPI_SUCCESS;
}

TASUKI_WORLD(int, Waitany, int count, MPI_Request* requests, int* index, MPI_Status* status)
{
    const Call call("MPI_Waitany");
    call->endpoint().observe();
    int first = -1;
    call->wait([&] {
        first = firstDone(count, requests);
        return first != count || count == 0;
    });
    if (first < 0 || count == 0) {
        *index = MPI_UNDEFINED;
        emptyStatus(status);
        return MPI_SUCCESS;
    }
    *index = first;
    const MPI_Comm comm = communicatorOf(requests[first]);
    TASUKI_CHECK(comm, end(*call, &requests[first], status));
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Testany, int count, MPI_Request* requests, int* index, int* flag,
             MPI_Status* status)
{
    const Call call("MPI_Testany");
    call->progress();
    const int first = firstDone(count, requests);
    *flag = first != count || count == 0 ? 1 : 0;
    *index = MPI_UNDEFINED;
    if (first < 0 || count == 0)
        emptyStatus(status);
    if (*flag == 0 || first < 0 || count == 0)
        return MPI_SUCCESS;
    *index = first;
    const MPI_Comm comm = communicatorOf(requests[first]);
    TASUKI_CHECK(comm, end(*call, &requests[first], status));
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Waitsome, int count, MPI_Request* requests, int* ended, int* indices,
             MPI_Status* statuses)
{
    const Call call("MPI_Waitsome");
    call->endpoint().observe();
    int first = -1;
    call->wait([&] {
        first = firstDone(count, requests);
        return first != count || count == 0;
    });
    if (first < 0 || count == 0) {
        *ended = MPI_UNDEFINED;
        return MPI_SUCCESS;
    }
    return endSome(*call, count, requests, ended, indices, statuses);
}

TASUKI_WORLD(int, Testsome, int count, MPI_Request* requests, int* ended, int* indices,
             MPI_Status* statuses)
{
    const Call call("MPI_Testsome");
    call->progress();
    if (count == 0 || firstDone(count, requests) < 0) {
        *ended = MPI_UNDEFINED;
        return MPI_SUCCESS;
    }
    return endSome(*call, count, requests, ended, indices, statuses);
}

TASUKI_WORLD(int, Request_get_status, MPI_Request handle, int* flag, MPI_Status* status)
{
    const Call call("MPI_Request_get_status");
    call->progress();
    Request* request = Request::of(handle);
    *flag = isDone(handle) ? 1 : 0;
    if (*flag == 0)
        return MPI_SUCCESS;
    if (request == nullptr || !request->active) {
        emptyStatus(status);
        return MPI_SUCCESS;
    }
    if (request->kind == Request::Kind::General) {
        MPI_Status own{};
        return request->query(request->extra, status == MPI_STATUS_IGNORE ? &own : status);
    }
    // It stays as it is.
    const int code = call->finish(*request, status);
    request->active = true;
    return code;
}

TASUKI_WORLD(int, Request_free, MPI_Request* handle)
{
    const Call call("MPI_Request_free");
    Request* request = Request::of(*handle);
    if (request == nullptr)
        return fail(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    *handle = MPI_REQUEST_NULL;
    std::unique_ptr<Request> owned(request);
    if (owned->persistent && !owned->active)
        return MPI_SUCCESS;
    owned->persistent = false;
    call->drop(std::move(owned));
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Cancel, MPI_Request* handle)
{
    const Call call("MPI_Cancel");
    Request* request = Request::of(*handle);
    if (request == nullptr)
        return fail(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    if (request->kind == Request::Kind::General)
        return request->cancel(request->extra, request->completed ? 1 : 0);
    call->progress();
    // What was sent is on its way: it is not called back.
    if (request->kind == Request::Kind::Receive && request->active && request->peer != MPI_PROC_NULL
        && !request->receiving.done)
        request->cancelled = call->endpoint().cancel({.context = request->context},
                                                     request->receiving);
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Test_cancelled, const MPI_Status* status, int* flag)
{
    *flag = status->_cancelled;
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Start, MPI_Request* handle)
{
    const Call call("MPI_Start");
    Request* request = Request::of(*handle);
    if (request == nullptr || !request->persistent || request->active)
        return fail(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    call->start(*request);
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Startall, int count, MPI_Request* requests)
{
    const Call call("MPI_Startall");
    for (int i = 0; i < count; ++i) {
        Request* request = Request::of(requests[i]);
        if (request == nullptr || !request->persistent || request->active)
            return fail(MPI_COMM_WORLD, MPI_ERR_REQUEST);
        call->start(*request);
    }
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Grequest_start, MPI_Grequest_query_function* query,
             MPI_Grequest_free_function* release, MPI_Grequest_cancel_function* cancel, void* extra,
             MPI_Request* handle)
{
    const Call call("MPI_Grequest_start");
    auto request = std::make_unique<Request>();
    request->kind = Request::Kind::General;
    request->query = query;
    request->release = release;
    request->cancel = cancel;
    request->extra = extra;
    *handle = request.release()->handle();
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Grequest_complete, MPI_Request handle)
{
    const Call call("MPI_Grequest_complete");
    Request* request = Request::of(handle);
    if (request == nullptr || request->kind != Request::Kind::General)
        return fail(MPI_COMM_WORLD, MPI_ERR_REQUEST);
    request->completed = true;
    return MPI_SUCCESS;
}

} // namespace tasuki::world
