// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "communicator.h"
#include "datatype.h"
#include "world/endpoint.h"

#include <mpi.h>

#include <array>
#include <cstdint>
#include <memory>

namespace tasuki::world {

class Collective;

/// What a user waits for. Its handle is its address.
struct Request {
    enum class Kind : std::uint8_t { Nothing, Send, Receive, Collective, General };
    /// Which sends: of persistent ones it is chosen again at each start.
    enum class Mode : std::uint8_t { Standard, Buffered, Synchronous, Ready };

    /// Fortran's layer of Open MPI reads the number of a request in Fortran from a place in it that differs among versions:
    /// so it stands in all of them.
    std::array<std::int32_t, 64> fortran{};
    Kind kind = Kind::Nothing;
    bool persistent = false;
    bool active = true;
    bool cancelled = false; ///< nothing has come for it, and nothing will
    SharedCommunicator communicator;
    std::uint64_t context = 0;

    // Of Send and Receive.
    Mode mode = Mode::Standard;
    int peer = MPI_PROC_NULL; ///< rank, or MPI_ANY_SOURCE, MPI_PROC_NULL
    int tag = 0;
    const void* buffer = nullptr;
    std::size_t count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    bool ownType = false; ///< a copy of the user's, who may free it
    Packed packed;
    Sending sending;
    Receiving receiving;

    std::unique_ptr<Collective> collective; ///< of Collective

    // Of General.
    MPI_Grequest_query_function* query = nullptr;
    MPI_Grequest_free_function* release = nullptr;
    MPI_Grequest_cancel_function* cancel = nullptr;
    void* extra = nullptr;
    bool completed = false;

    Request();
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;
    ~Request();

    [[nodiscard]] MPI_Request handle() { return reinterpret_cast<MPI_Request>(this); }
    static Request* of(MPI_Request handle)
    {
        return handle == MPI_REQUEST_NULL ? nullptr : reinterpret_cast<Request*>(handle);
    }
    [[nodiscard]] bool isDone() const;
};

/// A message that MPI_Mprobe has taken; its handle is its address.
struct TakenMessage {
    std::array<std::int32_t, 64> fortran{}; ///< as Request::fortran
    SharedCommunicator communicator;
    Arrival arrival;

    ~TakenMessage();
};

} // namespace tasuki::world
