// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "communicator.h"
#include "request.h"
#include "restart.h"
#include "world/endpoint.h"

#include <mpi.h>

#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace tasuki::world {

/// This process as a rank of a world: what all calls of MPI share. There is one while the program is between MPI_Init and
/// MPI_Finalize; calls hold its lock.
class Program {
public:
    /// Joins the world that the environment names.
    /// @return what is wrong; empty: it is in
    static std::string join(int threads);
    /// @return null: not initialised, or over, or no rank of a world
    static Program* current();
    /// Leaves: what was sent has arrived.
    static void leave();

    /// One call at a time is in here. Recursive: MPI calls functions of the user, which call MPI.
    [[nodiscard]] std::unique_lock<std::recursive_mutex> lock()
    {
        return std::unique_lock(m_mutex);
    }

    /// A call of MPI begins on this thread, which has the lock.
    void beginCall(const char* name);
    [[nodiscard]] Endpoint& endpoint() { return m_endpoint; }
    [[nodiscard]] Communicators& communicators() { return m_communicators; }
    [[nodiscard]] WorldRank me() const { return m_endpoint.me(); }
    [[nodiscard]] int threads() const { return m_threads; }

    [[nodiscard]] Restart& restart() { return m_restart; }
    /// Whether something goes on that no call waits for.
    [[nodiscard]] bool isBusy();

    // Point to point. Requests are the caller's until finish() or drop().
    std::unique_ptr<Request> beginSend(const SharedCommunicator& communicator,
                                       std::uint64_t context, Request::Mode mode,
                                       const void* buffer, std::size_t count, MPI_Datatype type,
                                       int peer, int tag);
    std::unique_ptr<Request> beginReceive(const SharedCommunicator& communicator,
                                          std::uint64_t context, void* buffer, std::size_t count,
                                          MPI_Datatype type, int peer, int tag);
    std::unique_ptr<Request> beginTaken(TakenMessage& message, void* buffer, std::size_t count,
                                        MPI_Datatype type);
    /// Begins a persistent request anew.
    void start(Request& request);

    /// Moves what can be moved.
    void progress();
    void wait(const std::function<bool()>& holds);
    /// Of a request that is done: its status, and what came stands where it belongs.
    /// @return an MPI error code
    int finish(Request& request, MPI_Status* status);
    void wait(Request& request)
    {
        wait([&] { return request.isDone(); });
    }
    /// The user gives up the request: it is destroyed when it is done.
    void drop(std::unique_ptr<Request> request);
    /// Collective operations that nobody waits for go on in progress().
    void follow(Collective& collective) { m_collectives.push_back(&collective); }
    void unfollow(Collective& collective) { m_collectives.remove(&collective); }
    /// Keeps a datatype that the user frees while collective operations are under way, which may
    /// need it, until they are done.
    /// @return whether it is kept; no: it may go now
    bool keepFreed(MPI_Datatype type);
    bool keepFreed(MPI_Op op);

    // MPI_Buffer_attach: sizes alone; messages are copied elsewhere.
    void* attachedBuffer = nullptr;
    int attachedBytes = 0;
    bool hasBuffer = false;
    void waitForBuffered();
    [[nodiscard]] bool hasRoom(std::uint64_t bytes) const;

private:
    Program(Segment segment, WorldRank me, Endpoint::Options options, int threads,
            std::span<const Determinants::Value> early);
    void makeWorlds();
    void launchSend(Request& request);
    [[nodiscard]] bool hasToSweep() const
    {
        return !m_buffered.empty() || !m_dropped.empty() || !m_freedTypes.empty()
            || !m_freedOps.empty();
    }
    void sweep();
    void releaseFreed();

    std::recursive_mutex m_mutex;
    int m_threads;
    Endpoint m_endpoint;
    Communicators m_communicators;
    Restart m_restart;
    std::list<Collective*> m_collectives;
    struct Buffered {
        std::unique_ptr<std::byte[]> copy;
        std::unique_ptr<Sending> sending;
    };
    std::list<Buffered> m_buffered;
    std::list<std::unique_ptr<Request>> m_dropped;
    std::vector<MPI_Datatype> m_freedTypes;
    std::vector<MPI_Op> m_freedOps;
};

/// A call cannot be done: asks the error handler of the communicator, which may end the program.
/// @return what the call is to return
int fail(MPI_Comm communicator, int code);

} // namespace tasuki::world
