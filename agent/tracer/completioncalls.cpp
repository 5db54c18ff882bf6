// SPDX-License-Identifier: GPL-3.0-or-later
// Waits and tests: here messages come whose receive was started before.
#include "calllog.h"
#include "exported.h"
#include "real.h"
#include "scratch.h"

#include <algorithm>
#include <optional>

using namespace tasuki::tracer;

namespace {

/// A request that a call waits for or has completed.
struct Waited {
    Handle handle = 0;
    /// Nothing: one that is not known, of a collective call for instance, or that was not started.
    std::optional<Request> request;
    const MPI_Status* status = nullptr; ///< null: it failed

    /// 0: none, or none of a call that was logged.
    [[nodiscard]] std::uint32_t number() const { return request ? request->number : 0; }
};

/// Out of the table before MPI may use its handle again; a persistent one stays there.
std::optional<Request> takeStarted(Tracer& tracer, Handle handle)
{
    const Request* known = tracer.requests().find(handle);
    if (known == nullptr || !known->active)
        return std::nullopt;
    const Request request = *known;
    if (!request.persistent)
        tracer.requests().take(handle);
    return request;
}

/// What the call has left as it was.
void putBack(Tracer& tracer, Waited& waited)
{
    if (waited.request && !waited.request->persistent)
        tracer.requests().add(waited.handle, *waited.request);
    waited.request.reset();
}

/// What came of a receive, and the end of the request. A message counts with the start of its receive:
/// it is logged when that was, even if the call that completes it is not. Else the send that was logged
/// would be taken for that of the next message.
void complete(CallLog& call, Tracer& tracer, const Waited& waited)
{
    if (!waited.request)
        return;
    const Request& request = *waited.request;
    if (request.number != 0 && request.receives && waited.status != nullptr) {
        int cancelled = 0;
        real::Test_cancelled(waited.status, &cancelled);
        if (cancelled == 0) {
            call.writeReceived(tracer, *waited.status,
                               tracer.communicators().at(request.communicator), request.number);
        }
    }
    if (!request.persistent) {
        if (request.receives)
            tracer.communicators().release(request.communicator);
    } else if (Request* kept = tracer.requests().find(waited.handle); kept != nullptr) {
        kept->active = false;
    }
}

/// In the order in which the receives were started: that is the order in which MPI gave them messages,
/// whatever the order of the program's array.
void completeAll(CallLog& call, Tracer& tracer, std::span<Waited> all)
{
    if (!std::ranges::is_sorted(all, {}, &Waited::number))
        std::ranges::sort(all, {}, &Waited::number);
    for (const Waited& one : all)
        complete(call, tracer, one);
}

void beginWaiting(CallLog& call, State state, Tracer& tracer, std::span<const Waited> all)
{
    if (!call)
        return;
    Scratch<std::uint32_t> numbers{all.size()};
    if (!numbers.ok())
        throw std::bad_alloc();
    std::size_t count = 0;
    for (const Waited& one : all) {
        if (one.number() != 0)
            numbers[count++] = one.number();
    }
    tracer.recordBegin(state, call.beginNs(), numbers.first(count));
}

/// The statuses that a call fills: the program's, or where it wants none, own ones.
class Statuses {
public:
    Statuses(MPI_Status* programs, int count, bool traced)
        : m_own(traced && programs == MPI_STATUSES_IGNORE
                    ? static_cast<std::size_t>(std::max(count, 0))
                    : 0),
          m_used(m_own.size() > 0 ? m_own.data() : programs)
    {}
    [[nodiscard]] bool ok() const { return m_own.ok(); }
    [[nodiscard]] MPI_Status* used() const { return m_used; }

private:
    Scratch<MPI_Status> m_own;
    MPI_Status* m_used;
};

/// The handles of an array, which MPI overwrites.
class Handles {
public:
    Handles(const MPI_Request* requests, int count, bool traced) noexcept
        : m_handles(traced ? static_cast<std::size_t>(std::max(count, 0)) : 0)
    {
        for (std::size_t i = 0; m_handles.ok() && i < m_handles.size(); ++i)
            m_handles[i] = toHandle(requests[i]);
    }
    [[nodiscard]] bool ok() const { return m_handles.ok(); }
    [[nodiscard]] Handle operator[](int i) { return m_handles[static_cast<std::size_t>(i)]; }

private:
    Scratch<Handle> m_handles;
};

/// Follows a call that waits for none in particular, or for none at all, after it: it is known by then
/// what it has completed. When that is nothing, nothing is logged.
/// @param statusOf   gives the status of the i-th completed one
/// @param handleOf   gives its handle
template <class HandleOf, class StatusOf>
void followCompleted(CallLog& call, State state, int count, HandleOf&& handleOf,
                     StatusOf&& statusOf)
{
    if (count <= 0)
        return;
    call.returned();
    call.foundSomething();
    call.follow([&](Tracer& tracer) {
        Scratch<Waited> done{static_cast<std::size_t>(count)};
        if (!done.ok())
            throw std::bad_alloc();
        std::size_t used = 0;
        for (int i = 0; i < count; ++i) {
            const Handle handle = handleOf(i);
            if (handle == toHandle(MPI_REQUEST_NULL))
                continue;
            const Request* known = tracer.requests().find(handle);
            if (known != nullptr && !known->active)
                continue;
            done[used++] = {handle, takeStarted(tracer, handle), statusOf(i)};
        }
        if (used == 0)
            return;
        const std::span<Waited> all = done.first(used);
        beginWaiting(call, state, tracer, all);
        completeAll(call, tracer, all);
        if (call)
            tracer.record({.timeNs = call.endNs(), .kind = RecordKind::End, .state = state});
    });
}

bool completed(int result, const MPI_Status& status)
{
    return result == MPI_SUCCESS
        || (result == MPI_ERR_IN_STATUS && status.MPI_ERROR == MPI_SUCCESS);
}

} // namespace

TASUKI_MPI int MPI_Wait(MPI_Request* request, MPI_Status* status)
{
    CallLog call{State::Wait};
    if (!call.traced())
        return real::Wait(request, status);
    Waited waited{.handle = toHandle(*request), .request = {}, .status = nullptr};
    call.follow([&](Tracer& tracer) {
        waited.request = takeStarted(tracer, waited.handle);
        beginWaiting(call, State::Wait, tracer, {&waited, 1});
    });
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    const int result = real::Wait(request, used);
    call.returned();
    if (waited.request) {
        call.follow([&](Tracer& tracer) {
            waited.status = result == MPI_SUCCESS ? used : nullptr;
            complete(call, tracer, waited);
        });
    }
    return call.end(result);
}

TASUKI_MPI int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    CallLog call{State::Waitall};
    const bool traced = call.traced();
    Statuses filled{statuses, count, traced};
    Scratch<Waited> waited{traced ? static_cast<std::size_t>(std::max(count, 0)) : 0};
    if (!traced || !filled.ok() || !waited.ok()) {
        call.giveUp();
        return real::Waitall(count, requests, statuses);
    }
    const std::span<Waited> all = waited.first(waited.size());
    call.follow([&](Tracer& tracer) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i].handle = toHandle(requests[i]);
            all[i].request = takeStarted(tracer, all[i].handle);
        }
        beginWaiting(call, State::Waitall, tracer, all);
    });
    const int result = real::Waitall(count, requests, filled.used());
    call.returned();
    call.follow([&](Tracer& tracer) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (completed(result, filled.used()[i]))
                all[i].status = &filled.used()[i];
            else if (requests[i] != MPI_REQUEST_NULL)
                putBack(tracer, all[i]);
        }
        completeAll(call, tracer, all);
    });
    return call.end(result);
}

TASUKI_MPI int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status)
{
    CallLog call{State::Waitany};
    Handles handles{requests, count, call.traced()};
    if (!call.traced() || !handles.ok())
        return real::Waitany(count, requests, index, status);
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    const int result = real::Waitany(count, requests, index, used);
    if (result == MPI_SUCCESS && *index != MPI_UNDEFINED) {
        followCompleted(
            call, State::Waitany, 1, [&](int) { return handles[*index]; },
            [&](int) { return used; });
    }
    return result;
}

TASUKI_MPI int MPI_Waitsome(int count, MPI_Request requests[], int* done, int indices[],
                            MPI_Status statuses[])
{
    CallLog call{State::Waitsome};
    Handles handles{requests, count, call.traced()};
    Statuses filled{statuses, count, call.traced()};
    if (!call.traced() || !handles.ok() || !filled.ok())
        return real::Waitsome(count, requests, done, indices, statuses);
    const int result = real::Waitsome(count, requests, done, indices, filled.used());
    if (result == MPI_SUCCESS && *done != MPI_UNDEFINED) {
        followCompleted(
            call, State::Waitsome, *done, [&](int i) { return handles[indices[i]]; },
            [&](int i) { return &filled.used()[i]; });
    }
    return result;
}

TASUKI_MPI int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status)
{
    CallLog call{State::Test, CallLog::Look{}};
    if (!call.traced())
        return real::Test(request, flag, status);
    const Handle handle = toHandle(*request);
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    const int result = real::Test(request, flag, used);
    if (result == MPI_SUCCESS && *flag != 0) {
        followCompleted(
            call, State::Test, 1, [&](int) { return handle; }, [&](int) { return used; });
    } else if (result == MPI_SUCCESS) {
        call.foundNothing();
    }
    return result;
}

TASUKI_MPI int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[])
{
    CallLog call{State::Testall, CallLog::Look{}};
    Handles handles{requests, count, call.traced()};
    Statuses filled{statuses, count, call.traced()};
    if (!call.traced() || !handles.ok() || !filled.ok())
        return real::Testall(count, requests, flag, statuses);
    const int result = real::Testall(count, requests, flag, filled.used());
    if (result == MPI_SUCCESS && *flag != 0) {
        followCompleted(
            call, State::Testall, count, [&](int i) { return handles[i]; },
            [&](int i) { return &filled.used()[i]; });
    } else if (result == MPI_SUCCESS) {
        call.foundNothing();
    }
    return result;
}

TASUKI_MPI int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag,
                           MPI_Status* status)
{
    CallLog call{State::Testany, CallLog::Look{}};
    Handles handles{requests, count, call.traced()};
    if (!call.traced() || !handles.ok())
        return real::Testany(count, requests, index, flag, status);
    MPI_Status own;
    MPI_Status* used = status == MPI_STATUS_IGNORE ? &own : status;
    const int result = real::Testany(count, requests, index, flag, used);
    if (result == MPI_SUCCESS && *flag != 0 && *index != MPI_UNDEFINED) {
        followCompleted(
            call, State::Testany, 1, [&](int) { return handles[*index]; },
            [&](int) { return used; });
    } else if (result == MPI_SUCCESS && *flag == 0) {
        call.foundNothing();
    }
    return result;
}

TASUKI_MPI int MPI_Testsome(int count, MPI_Request requests[], int* done, int indices[],
                            MPI_Status statuses[])
{
    CallLog call{State::Testsome, CallLog::Look{}};
    Handles handles{requests, count, call.traced()};
    Statuses filled{statuses, count, call.traced()};
    if (!call.traced() || !handles.ok() || !filled.ok())
        return real::Testsome(count, requests, done, indices, statuses);
    const int result = real::Testsome(count, requests, done, indices, filled.used());
    if (result == MPI_SUCCESS && *done != MPI_UNDEFINED) {
        followCompleted(
            call, State::Testsome, *done, [&](int i) { return handles[indices[i]]; },
            [&](int i) { return &filled.used()[i]; });
    }
    if (result == MPI_SUCCESS && *done == 0)
        call.foundNothing();
    return result;
}

TASUKI_MPI int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status)
{
    CallLog call{State::RequestGetStatus, CallLog::Look{}};
    const int result = real::Request_get_status(request, flag, status);
    call.logLook(result, *flag != 0);
    return result;
}
