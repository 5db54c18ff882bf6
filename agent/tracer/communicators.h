// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "communicatornumbers.h"
#include "handle.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mpi.h>
#include <unordered_map>
#include <vector>

namespace tasuki::tracer {

/// A communicator of the program. Its peers are those whom a rank in a call means: of an
/// inter-communicator the remote group.
class Communicator {
public:
    Communicator(std::uint32_t number, std::vector<std::int32_t> peers)
        : m_number(number), m_peers(std::move(peers))
    {}

    /// The process's own number, as records have it.
    [[nodiscard]] std::uint32_t number() const { return m_number; }
    /// @return the rank in MPI_COMM_WORLD; noPeer for MPI_PROC_NULL and for what is outside of it
    [[nodiscard]] std::int32_t worldRank(int rank) const
    {
        const auto at = static_cast<std::size_t>(rank);
        return rank >= 0 && at < m_peers.size() ? m_peers[at] : noPeer;
    }

private:
    std::uint32_t m_number;
    std::vector<std::int32_t> m_peers;
};

/// The communicators of one process by handle. Not synchronised, but for agree().
class Communicators {
public:
    /// Knows MPI_COMM_WORLD and MPI_COMM_SELF.
    Communicators();
    ~Communicators();
    Communicators(const Communicators&) = delete;
    Communicators& operator=(const Communicators&) = delete;

    [[nodiscard]] std::int32_t worldRank() const { return m_worldRank; }

    /// One that was made by a call that is not traced is known by its members alone: two with the
    /// same members are then one.
    /// @param communicator  MPI_COMM_NULL gives MPI_COMM_WORLD
    Communicator& of(MPI_Comm communicator)
    {
        const Handle handle = toHandle(communicator);
        return handle == m_lastHandle ? *m_last : lookUp(communicator);
    }
    /// @param number  of one that is in use or that a request holds
    Communicator& at(std::uint32_t number) { return *m_entries.at(number).communicator; }

    /// Collective over a new communicator, not to be called under a lock.
    /// @return what all members call it
    CommunicatorId agree(MPI_Comm communicator);
    void add(MPI_Comm communicator, CommunicatorId id);
    /// To be called before the handle may be used again.
    void remove(MPI_Comm communicator);

    /// Requests keep a communicator that the program has freed.
    void hold(std::uint32_t number) { ++m_entries.at(number).held; }
    void release(std::uint32_t number);

    /// @return of all that there ever were, by the process's own numbers
    [[nodiscard]] const std::vector<CommunicatorId>& ids() const { return m_ids; }

private:
    struct Entry {
        std::unique_ptr<Communicator> communicator;
        std::uint32_t held = 0;
        bool freed = false;
    };

    Communicator& lookUp(MPI_Comm communicator);
    [[nodiscard]] std::vector<std::int32_t> membersOf(MPI_Comm communicator, bool remote) const;
    [[nodiscard]] CommunicatorId idOfMembers(MPI_Comm communicator, bool remote) const;
    void erase(std::uint32_t number);

    MPI_Group m_world = MPI_GROUP_NULL;
    int m_worldRank = 0;
    std::atomic<std::uint32_t> m_made{1}; ///< 1 is MPI_COMM_SELF
    std::unordered_map<Handle, std::uint32_t> m_numbers;
    std::unordered_map<std::uint32_t, Entry> m_entries;
    std::vector<CommunicatorId> m_ids;
    Handle m_lastHandle = 0; ///< of m_last
    Communicator* m_last = nullptr;
};

} // namespace tasuki::tracer
