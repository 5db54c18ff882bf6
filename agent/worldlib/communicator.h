// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "group.h"
#include "world/savedstate.h"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

namespace tasuki::world {

struct CartTopology {
    std::vector<int> dims;
    std::vector<int> periods;
};
struct GraphTopology {
    std::vector<int> index; ///< as MPI_Graph_create takes it
    std::vector<int> edges;
};
struct DistGraphTopology {
    std::vector<int> sources;
    std::vector<int> sourceWeights;
    std::vector<int> destinations;
    std::vector<int> destinationWeights;
    bool weighted = false;
};
using Topology = std::variant<std::monostate, CartTopology, GraphTopology, DistGraphTopology>;

/// A communicator of the world. Its handle is a communicator of Open MPI with this process alone, which keeps attributes, name,
/// info and error handler.
struct Communicator {
    MPI_Comm handle = MPI_COMM_NULL;
    /// Of messages between ranks; that of collective operations is the next, and the two after them are those of `local`.
    std::uint64_t context = 0;
    SharedGroup group;                        ///< of this side
    SharedGroup remote;                       ///< of the other side; null: it has none
    std::shared_ptr<Communicator> local = {}; ///< of this side alone, where there is another
    int rank = 0;                             ///< of this process in `group`
    Topology topology = {};
    std::uint32_t operations = 0; ///< collective ones that were begun

    [[nodiscard]] bool isInter() const { return remote != nullptr; }
    [[nodiscard]] int size() const { return group->size(); }
    /// Those whom messages go to.
    [[nodiscard]] const Group& peers() const { return remote ? *remote : *group; }
};
using SharedCommunicator = std::shared_ptr<Communicator>;

/// Whom a rank gets something from, and whom it gives something.
struct Neighbours {
    std::vector<int> sources;
    std::vector<int> destinations;
};
/// By the topology of a communicator; none where it has none. Stands in topologycalls.cpp.
Neighbours neighboursOf(const Communicator& communicator);

/// All communicators of this process, by their handles.
class Communicators {
public:
    /// @return null: there is none with that handle
    [[nodiscard]] Communicator* find(MPI_Comm handle);
    [[nodiscard]] SharedCommunicator share(MPI_Comm handle);
    Communicator& add(SharedCommunicator communicator);
    void remove(MPI_Comm handle);

    /// A context that nobody else proposes: it has the rank of who does. Members of a new communicator take that of one of them.
    [[nodiscard]] std::uint64_t proposeContext(WorldRank me)
    {
        constexpr std::uint64_t contextsOfOne = 4;
        constexpr unsigned rankShift = 40;
        return (std::uint64_t{me} << rankShift) + contextsOfOne * ++m_proposed;
    }

    /// Of all, in the order in which they were made.
    [[nodiscard]] std::vector<std::uint64_t> contexts() const;
    /// What a restart point saves of them.
    void save(StateWriter& state) const;
    /// @return false: there are others than those that were saved
    bool restore(StateReader& state);

private:
    std::vector<SharedCommunicator> m_all; ///< few, and the latest is asked for most
    std::uint64_t m_proposed = 1;          ///< those of MPI_COMM_WORLD and MPI_COMM_SELF are given
};

} // namespace tasuki::world
