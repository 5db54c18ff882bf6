// SPDX-License-Identifier: GPL-3.0-or-later
// Cartesian and other graphs of ranks, and operations between neighbours.
#include "algorithms.h"
#include "checks.h"
#include "exported.h"
#include "making.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tasuki::world {

namespace {

#define TASUKI_TOPOLOGY(kind, variable, comm)                                                      \
    TASUKI_COMMUNICATOR(found_, comm);                                                             \
    const auto* const variable = std::get_if<kind>(&found_->topology);                             \
    if (variable == nullptr)                                                                       \
    return fail(comm, MPI_ERR_TOPOLOGY)

int rankAt(const CartTopology& cart, const std::vector<int>& coords)
{
    int rank = 0;
    for (std::size_t d = 0; d < cart.dims.size(); ++d) {
        const int dim = cart.dims[d];
        const int coord = coords[d];
        if ((coord < 0 || coord >= dim) && cart.periods[d] == 0)
            return MPI_PROC_NULL;
        rank = rank * dim + ((coord % dim) + dim) % dim;
    }
    return rank;
}

std::vector<int> coordsOf(const CartTopology& cart, int rank)
{
    std::vector<int> coords(cart.dims.size());
    for (std::size_t d = cart.dims.size(); d-- > 0;) {
        coords[d] = rank % cart.dims[d];
        rank /= cart.dims[d];
    }
    return coords;
}

int shifted(const CartTopology& cart, int rank, int direction, int by)
{
    auto coords = coordsOf(cart, rank);
    coords[static_cast<std::size_t>(direction)] += by;
    return rankAt(cart, coords);
}

std::vector<int> neighboursIn(const GraphTopology& graph, int rank)
{
    const auto index = static_cast<std::size_t>(rank);
    const int begin = rank == 0 ? 0 : graph.index[index - 1];
    return {graph.edges.begin() + begin, graph.edges.begin() + graph.index[index]};
}

} // namespace

Neighbours neighboursOf(const Communicator& communicator)
{
    Neighbours found;
    if (const auto* cart = std::get_if<CartTopology>(&communicator.topology)) {
        for (std::size_t d = 0; d < cart->dims.size(); ++d) {
            found.sources.push_back(shifted(*cart, communicator.rank, static_cast<int>(d), -1));
            found.sources.push_back(shifted(*cart, communicator.rank, static_cast<int>(d), 1));
        }
        found.destinations = found.sources;
    } else if (const auto* graph = std::get_if<GraphTopology>(&communicator.topology)) {
        found.sources = found.destinations = neighboursIn(*graph, communicator.rank);
    } else if (const auto* dist = std::get_if<DistGraphTopology>(&communicator.topology)) {
        found.sources = dist->sources;
        found.destinations = dist->destinations;
    }
    return found;
}

namespace {

/// A communicator of the first ranks of another one, with a topology.
MPI_Comm makeWith(const Call& call, const SharedCommunicator& from, int ranks, Topology topology)
{
    const std::uint64_t context = agreeOnContext(*call, from);
    if (from->rank >= ranks)
        return MPI_COMM_NULL;
    Group group;
    group.members.assign(from->group->members.begin(), from->group->members.begin() + ranks);
    const MPI_Comm made = makeCommunicator(*call, *from, context, std::move(group));
    call->communicators().find(made)->topology = std::move(topology);
    return made;
}

} // namespace

TASUKI_WORLD(int, Cart_create, MPI_Comm comm, int dimensions, const int* dims, const int* periods,
             int reorder, MPI_Comm* made)
{
    static_cast<void>(reorder);
    const Call call("MPI_Cart_create");
    const auto from = call.communicator(comm);
    if (!from || from->isInter())
        return fail(from ? comm : MPI_COMM_WORLD, MPI_ERR_COMM);
    if (dimensions < 0)
        return fail(comm, MPI_ERR_ARG);
    long ranks = 1;
    for (int d = 0; d < dimensions; ++d) {
        if (dims[d] <= 0)
            return fail(comm, MPI_ERR_ARG);
        ranks *= dims[d];
    }
    if (ranks > from->size())
        return fail(comm, MPI_ERR_ARG);
    *made = makeWith(call, from, static_cast<int>(ranks),
                     CartTopology{{dims, dims + dimensions}, {periods, periods + dimensions}});
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Cartdim_get, MPI_Comm comm, int* dimensions)
{
    const Call call("MPI_Cartdim_get");
    TASUKI_TOPOLOGY(CartTopology, cart, comm);
    *dimensions = static_cast<int>(cart->dims.size());
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Cart_get, MPI_Comm comm, int most, int* dims, int* periods, int* coords)
{
    const Call call("MPI_Cart_get");
    TASUKI_TOPOLOGY(CartTopology, cart, comm);
    const auto own = coordsOf(*cart, found_->rank);
    for (std::size_t d = 0; d < cart->dims.size() && static_cast<int>(d) < most; ++d) {
        dims[d] = cart->dims[d];
        periods[d] = cart->periods[d];
        coords[d] = own[d];
    }
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Cart_rank, MPI_Comm comm, const int* coords, int* rank)
{
    const Call call("MPI_Cart_rank");
    TASUKI_TOPOLOGY(CartTopology, cart, comm);
    const std::vector<int> wanted(coords, coords + cart->dims.size());
    const int at = rankAt(*cart, wanted);
    if (at == MPI_PROC_NULL)
        return fail(comm, MPI_ERR_ARG);
    *rank = at;
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Cart_coords, MPI_Comm comm, int rank, int most, int* coords)
{
    const Call call("MPI_Cart_coords");
    TASUKI_TOPOLOGY(CartTopology, cart, comm);
    if (rank < 0 || rank >= found_->size())
        return fail(comm, MPI_ERR_RANK);
    const auto at = coordsOf(*cart, rank);
    for (std::size_t d = 0; d < at.size() && static_cast<int>(d) < most; ++d)
        coords[d] = at[d];
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Cart_shift, MPI_Comm comm, int direction, int by, int* source, int* destination)
{
    const Call call("MPI_Cart_shift");
    TASUKI_TOPOLOGY(CartTopology, cart, comm);
    if (direction < 0 || direction >= static_cast<int>(cart->dims.size()))
        return fail(comm, MPI_ERR_ARG);
    *source = shifted(*cart, found_->rank, direction, -by);
    *destination = shifted(*cart, found_->rank, direction, by);
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Cart_sub, MPI_Comm comm, const int* remain, MPI_Comm* made)
{
    const Call call("MPI_Cart_sub");
    TASUKI_TOPOLOGY(CartTopology, cart, comm);
    const auto from = call.communicator(comm);
    const auto own = coordsOf(*cart, from->rank);
    CartTopology rest;
    for (std::size_t d = 0; d < cart->dims.size(); ++d) {
        if (remain[d] != 0) {
            rest.dims.push_back(cart->dims[d]);
            rest.periods.push_back(cart->periods[d]);
        }
    }
    Group group;
    for (int rank = 0; rank < from->size(); ++rank) {
        const auto at = coordsOf(*cart, rank);
        bool same = true;
        for (std::size_t d = 0; d < at.size(); ++d)
            same = same && (remain[d] != 0 || at[d] == own[d]);
        if (same)
            group.members.push_back(from->group->members[static_cast<std::size_t>(rank)]);
    }
    const std::uint64_t context = agreeOnContext(*call, from);
    *made = makeCommunicator(*call, *from, context, std::move(group));
    call->communicators().find(*made)->topology = std::move(rest);
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Cart_map, MPI_Comm comm, int dimensions, const int* dims, const int* periods,
             int* rank)
{
    static_cast<void>(periods);
    const Call call("MPI_Cart_map");
    TASUKI_COMMUNICATOR(from, comm);
    const long ranks = std::accumulate(dims, dims + dimensions, 1L,
                                       [](long all, int dim) { return all * dim; });
    if (ranks > from->size() || ranks <= 0)
        return fail(comm, MPI_ERR_ARG);
    *rank = from->rank < ranks ? from->rank : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Graph_create, MPI_Comm comm, int nodes, const int* index, const int* edges,
             int reorder, MPI_Comm* made)
{
    static_cast<void>(reorder);
    const Call call("MPI_Graph_create");
    const auto from = call.communicator(comm);
    if (!from || from->isInter())
        return fail(from ? comm : MPI_COMM_WORLD, MPI_ERR_COMM);
    if (nodes < 0 || nodes > from->size())
        return fail(comm, MPI_ERR_ARG);
    GraphTopology graph;
    if (nodes > 0) {
        graph.index.assign(index, index + nodes);
        graph.edges.assign(edges, edges + index[nodes - 1]);
    }
    if (std::ranges::any_of(graph.edges, [&](int edge) { return edge < 0 || edge >= nodes; }))
        return fail(comm, MPI_ERR_TOPOLOGY);
    *made = makeWith(call, from, nodes, std::move(graph));
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Graphdims_get, MPI_Comm comm, int* nodes, int* edges)
{
    const Call call("MPI_Graphdims_get");
    TASUKI_TOPOLOGY(GraphTopology, graph, comm);
    *nodes = static_cast<int>(graph->index.size());
    *edges = static_cast<int>(graph->edges.size());
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Graph_get, MPI_Comm comm, int mostIndex, int mostEdges, int* index, int* edges)
{
    const Call call("MPI_Graph_get");
    TASUKI_TOPOLOGY(GraphTopology, graph, comm);
    std::copy_n(graph->index.begin(),
                std::min<std::size_t>(graph->index.size(), static_cast<std::size_t>(mostIndex)),
                index);
    std::copy_n(graph->edges.begin(),
                std::min<std::size_t>(graph->edges.size(), static_cast<std::size_t>(mostEdges)),
                edges);
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Graph_neighbors_count, MPI_Comm comm, int rank, int* count)
{
    const Call call("MPI_Graph_neighbors_count");
    TASUKI_TOPOLOGY(GraphTopology, graph, comm);
    if (rank < 0 || rank >= found_->size())
        return fail(comm, MPI_ERR_RANK);
    *count = static_cast<int>(neighboursIn(*graph, rank).size());
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Graph_neighbors, MPI_Comm comm, int rank, int most, int* neighbours)
{
    const Call call("MPI_Graph_neighbors");
    TASUKI_TOPOLOGY(GraphTopology, graph, comm);
    if (rank < 0 || rank >= found_->size())
        return fail(comm, MPI_ERR_RANK);
    const auto all = neighboursIn(*graph, rank);
    std::copy_n(all.begin(), std::min<std::size_t>(all.size(), static_cast<std::size_t>(most)),
                neighbours);
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Graph_map, MPI_Comm comm, int nodes, const int* index, const int* edges,
             int* rank)
{
    static_cast<void>(index);
    static_cast<void>(edges);
    const Call call("MPI_Graph_map");
    TASUKI_COMMUNICATOR(from, comm);
    if (nodes < 1 || nodes > from->size())
        return fail(comm, MPI_ERR_ARG);
    *rank = from->rank < nodes ? from->rank : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Topo_test, MPI_Comm comm, int* status)
{
    const Call call("MPI_Topo_test");
    TASUKI_COMMUNICATOR(found, comm);
    constexpr int kinds[] = {MPI_UNDEFINED, MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH};
    *status = kinds[found->topology.index()];
    return MPI_SUCCESS;
}

namespace {

/// The real number of weights that a user gives.
bool hasWeights(const int* weights) { return weights != MPI_UNWEIGHTED; }

/// Whether all are ranks of a communicator.
bool areRanks(const Communicator& of, const int* ranks, std::size_t count)
{
    return std::all_of(ranks, ranks + count,
                       [&](int rank) { return rank >= 0 && rank < of.size(); });
}

/// Whether none is below zero.
bool areCounts(const int* counts, std::size_t count)
{
    return std::all_of(counts, counts + count, [](int one) { return one >= 0; });
}

bool areWeights(const int* weights, std::size_t count)
{
    return !hasWeights(weights) || weights == MPI_WEIGHTS_EMPTY || areCounts(weights, count);
}

} // namespace

TASUKI_WORLD(int, Dist_graph_create_adjacent, MPI_Comm comm, int inDegree, const int* sources,
             const int* sourceWeights, int outDegree, const int* destinations,
             const int* destinationWeights, MPI_Info info, int reorder, MPI_Comm* made)
{
    static_cast<void>(info);
    static_cast<void>(reorder);
    const Call call("MPI_Dist_graph_create_adjacent");
    const auto from = call.communicator(comm);
    if (!from || from->isInter())
        return fail(from ? comm : MPI_COMM_WORLD, MPI_ERR_COMM);
    if (inDegree < 0 || outDegree < 0)
        return fail(comm, MPI_ERR_ARG);
    const auto in = static_cast<std::size_t>(inDegree);
    const auto out = static_cast<std::size_t>(outDegree);
    if (!areRanks(*from, sources, in) || !areRanks(*from, destinations, out)
        || !areWeights(sourceWeights, in) || !areWeights(destinationWeights, out))
        return fail(comm, MPI_ERR_ARG);
    DistGraphTopology graph;
    graph.weighted = hasWeights(sourceWeights) && hasWeights(destinationWeights);
    graph.sources.assign(sources, sources + inDegree);
    graph.destinations.assign(destinations, destinations + outDegree);
    if (graph.weighted && sourceWeights != MPI_WEIGHTS_EMPTY)
        graph.sourceWeights.assign(sourceWeights, sourceWeights + inDegree);
    if (graph.weighted && destinationWeights != MPI_WEIGHTS_EMPTY)
        graph.destinationWeights.assign(destinationWeights, destinationWeights + outDegree);
    *made = makeWith(call, from, from->size(), std::move(graph));
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Dist_graph_create, MPI_Comm comm, int count, const int* sources,
             const int* degrees, const int* destinations, const int* weights, MPI_Info info,
             int reorder, MPI_Comm* made)
{
    static_cast<void>(info);
    static_cast<void>(reorder);
    const Call call("MPI_Dist_graph_create");
    const auto from = call.communicator(comm);
    if (!from || from->isInter())
        return fail(from ? comm : MPI_COMM_WORLD, MPI_ERR_COMM);
    if (count < 0 || !areCounts(degrees, static_cast<std::size_t>(count)))
        return fail(comm, MPI_ERR_ARG);
    const auto edges = static_cast<std::size_t>(std::accumulate(degrees, degrees + count, 0));
    if (!areRanks(*from, sources, static_cast<std::size_t>(count))
        || !areRanks(*from, destinations, edges) || !areWeights(weights, edges))
        return fail(comm, MPI_ERR_ARG);
    struct Edge {
        int source;
        int destination;
        int weight;
    };
    std::vector<Edge> own;
    std::size_t next = 0;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < degrees[i]; ++k, ++next)
            own.push_back(
                {sources[i], destinations[next],
                 hasWeights(weights) && weights != MPI_WEIGHTS_EMPTY ? weights[next] : 0});
    }
    // All edges to all: each takes its own.
    int bytes = static_cast<int>(own.size() * sizeof(Edge));
    std::vector<int> sizes(static_cast<std::size_t>(from->size()));
    run(*call,
        allgather({*call, from}, {&bytes, 1, MPI_INT},
                  Spans::even(sizes.data(), 1, MPI_INT, from->size())));
    std::vector<int> places(sizes.size());
    std::exclusive_scan(sizes.begin(), sizes.end(), places.begin(), 0);
    std::vector<Edge> all(static_cast<std::size_t>(places.back() + sizes.back()) / sizeof(Edge));
    run(*call,
        allgather({*call, from}, {own.data(), static_cast<std::size_t>(bytes), MPI_BYTE},
                  Spans::uneven(all.data(), sizes.data(), places.data(), MPI_BYTE, from->size())));
    DistGraphTopology graph;
    graph.weighted = hasWeights(weights);
    for (const Edge& edge : all) {
        if (edge.destination == from->rank) {
            graph.sources.push_back(edge.source);
            graph.sourceWeights.push_back(edge.weight);
        }
        if (edge.source == from->rank) {
            graph.destinations.push_back(edge.destination);
            graph.destinationWeights.push_back(edge.weight);
        }
    }
    *made = makeWith(call, from, from->size(), std::move(graph));
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Dist_graph_neighbors_count, MPI_Comm comm, int* inDegree, int* outDegree,
             int* weighted)
{
    const Call call("MPI_Dist_graph_neighbors_count");
    TASUKI_TOPOLOGY(DistGraphTopology, graph, comm);
    *inDegree = static_cast<int>(graph->sources.size());
    *outDegree = static_cast<int>(graph->destinations.size());
    *weighted = graph->weighted ? 1 : 0;
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Dist_graph_neighbors, MPI_Comm comm, int mostIn, int* sources, int* sourceWeights,
             int mostOut, int* destinations, int* destinationWeights)
{
    const Call call("MPI_Dist_graph_neighbors");
    TASUKI_TOPOLOGY(DistGraphTopology, graph, comm);
    const auto give = [](const std::vector<int>& from, int* to, int most) {
        if (to != MPI_UNWEIGHTED && to != MPI_WEIGHTS_EMPTY)
            std::copy_n(from.begin(),
                        std::min<std::size_t>(from.size(), static_cast<std::size_t>(most)), to);
    };
    give(graph->sources, sources, mostIn);
    give(graph->destinations, destinations, mostOut);
    if (graph->weighted) {
        give(graph->sourceWeights, sourceWeights, mostIn);
        give(graph->destinationWeights, destinationWeights, mostOut);
    }
    return MPI_SUCCESS;
}

namespace {

/// Gets what to send and to receive for so many neighbours, and waits or makes a request.
template <class Make>
int withNeighbours(const char* name, MPI_Comm comm, MPI_Request* handle, Make make)
{
    const Call call(name);
    TASUKI_COMMUNICATOR(with, comm);
    if (with->topology.index() == 0)
        return fail(comm, MPI_ERR_TOPOLOGY);
    Neighbours around = neighboursOf(*with);
    auto [sent, got] = make(static_cast<int>(around.destinations.size()),
                            static_cast<int>(around.sources.size()));
    Collective collective = neighbours(
        {*call, with}, std::move(around.sources), std::move(around.destinations), std::move(sent),
        std::move(got), std::holds_alternative<CartTopology>(with->topology));
    if (handle == nullptr) {
        const int code = run(*call, std::move(collective));
        return code == MPI_SUCCESS ? code : fail(comm, code);
    }
    auto request = std::make_unique<Request>();
    request->kind = Request::Kind::Collective;
    request->communicator = with;
    request->collective = std::make_unique<Collective>(std::move(collective));
    request->collective->resume(*call);
    if (!request->collective->isDone())
        call->follow(*request->collective);
    *handle = request.release()->handle();
    return MPI_SUCCESS;
}

/// The same elements for each neighbour.
Spans toAll(const void* data, int count, MPI_Datatype type, int ranks)
{
    Spans spans = Spans::even(const_cast<void*>(data), static_cast<std::size_t>(count), type,
                              ranks);
    std::ranges::fill(spans.places, 0);
    return spans;
}

Spans even(const void* data, int count, MPI_Datatype type, int ranks)
{
    return Spans::even(const_cast<void*>(data), static_cast<std::size_t>(count), type, ranks);
}

Spans uneven(const void* data, const int* counts, const int* places, MPI_Datatype type, int ranks)
{
    return Spans::uneven(const_cast<void*>(data), counts, places, type, ranks);
}

Spans mixed(const void* data, const int* counts, const MPI_Aint* places, const MPI_Datatype* types,
            int ranks)
{
    return Spans::mixed(const_cast<void*>(data), counts, places, types, ranks);
}

} // namespace

#define TASUKI_NEIGHBOURS(name, sentSpans, gotSpans, ...)                                          \
    TASUKI_WORLD(int, Neighbor_##name, __VA_ARGS__, MPI_Comm comm)                                 \
    {                                                                                              \
        return withNeighbours("MPI_Neighbor_" #name, comm, nullptr,                                \
                              [&](int out, int in) { return std::pair(sentSpans, gotSpans); });    \
    }                                                                                              \
    TASUKI_WORLD(int, Ineighbor_##name, __VA_ARGS__, MPI_Comm comm, MPI_Request* request)          \
    {                                                                                              \
        return withNeighbours("MPI_Ineighbor_" #name, comm, request,                               \
                              [&](int out, int in) { return std::pair(sentSpans, gotSpans); });    \
    }

TASUKI_NEIGHBOURS(allgather, toAll(sent, sentCount, sentType, out),
                  even(got, gotCount, gotType, in), const void* sent, int sentCount,
                  MPI_Datatype sentType, void* got, int gotCount, MPI_Datatype gotType)
TASUKI_NEIGHBOURS(allgatherv, toAll(sent, sentCount, sentType, out),
                  uneven(got, counts, places, gotType, in), const void* sent, int sentCount,
                  MPI_Datatype sentType, void* got, const int* counts, const int* places,
                  MPI_Datatype gotType)
TASUKI_NEIGHBOURS(alltoall, even(sent, sentCount, sentType, out), even(got, gotCount, gotType, in),
                  const void* sent, int sentCount, MPI_Datatype sentType, void* got, int gotCount,
                  MPI_Datatype gotType)
TASUKI_NEIGHBOURS(alltoallv, uneven(sent, sentCounts, sentPlaces, sentType, out),
                  uneven(got, gotCounts, gotPlaces, gotType, in), const void* sent,
                  const int* sentCounts, const int* sentPlaces, MPI_Datatype sentType, void* got,
                  const int* gotCounts, const int* gotPlaces, MPI_Datatype gotType)
TASUKI_NEIGHBOURS(alltoallw, mixed(sent, sentCounts, sentPlaces, sentTypes, out),
                  mixed(got, gotCounts, gotPlaces, gotTypes, in), const void* sent,
                  const int* sentCounts, const MPI_Aint* sentPlaces, const MPI_Datatype* sentTypes,
                  void* got, const int* gotCounts, const MPI_Aint* gotPlaces,
                  const MPI_Datatype* gotTypes)

} // namespace tasuki::world
