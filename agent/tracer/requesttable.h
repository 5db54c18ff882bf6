// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tasuki::tracer {

/// A handle of MPI as a number.
using Handle = std::uint64_t;

/// What was started and has not been waited for, or can be started again.
struct Request {
    std::uint32_t number = 0; ///< of its last start, from 1; 0: that was not logged
    State startedAs = State::Isend;
    bool receives = false;
    bool persistent = false;
    bool active = false;            ///< started; a request that is not persistent always is
    std::uint32_t communicator = 0; ///< the rank's own number
    std::int32_t peer = noPeer;     ///< of a send, rank of MPI_COMM_WORLD
    std::int32_t tag = 0;           ///< of a send
    std::uint64_t bytes = 0;        ///< of a send
};

/// The requests of one rank by handle. MPI gives one handle to several sends that were done at once;
/// those are told apart by nothing and found in the order of their starts. Not synchronised.
class RequestTable {
public:
    RequestTable();

    void add(Handle handle, const Request& request);
    /// @return the oldest of the handle, null when there is none; valid until the next add() or take()
    [[nodiscard]] Request* find(Handle handle);
    /// Removes the oldest of the handle.
    std::optional<Request> take(Handle handle);
    [[nodiscard]] std::size_t size() const { return m_size; }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    struct Node {
        Request request;
        std::uint32_t next = none; ///< younger one of the same handle, or the next free node
    };
    /// Open addressing; a slot without a node is empty.
    struct Slot {
        Handle handle = 0;
        std::uint32_t oldest = none;
        std::uint32_t youngest = none;
    };

    [[nodiscard]] std::size_t home(Handle handle) const;
    [[nodiscard]] std::size_t slotOf(Handle handle) const;
    void erase(std::size_t slot);
    void grow();

    std::vector<Slot> m_slots; ///< a power of two
    unsigned m_shift = 0;      ///< 64 - log2 of it
    std::size_t m_used = 0;
    std::vector<Node> m_nodes;
    std::uint32_t m_free = none;
    std::size_t m_size = 0;
};

} // namespace tasuki::tracer
