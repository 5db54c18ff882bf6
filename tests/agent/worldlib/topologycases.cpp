// SPDX-License-Identifier: GPL-3.0-or-later
#include "worldcases.h"

#include <algorithm>
#include <array>

namespace worldcases {

namespace {

int kindOf(MPI_Comm comm)
{
    int kind = -1;
    MPI_Topo_test(comm, &kind);
    return kind;
}

/// A grid of two dimensions with all ranks.
class Grid {
public:
    explicit Grid(bool round)
    {
        MPI_Dims_create(size, 2, dims.data());
        const std::array periods{round ? 1 : 0, round ? 1 : 0};
        MPI_Cart_create(all, 2, dims.data(), periods.data(), 0, &comm);
        MPI_Cart_coords(comm, rank, 2, place.data());
    }

    std::array<int, 2> dims{};
    std::array<int, 2> place{};
    Comm comm;

    /// Of the rank at a place, or MPI_PROC_NULL beyond the edge.
    [[nodiscard]] int at(int first, int second, bool round) const
    {
        if (round) {
            first = (first + dims[0]) % dims[0];
            second = (second + dims[1]) % dims[1];
        }
        const bool inside = first >= 0 && first < dims[0] && second >= 0 && second < dims[1];
        return inside ? first * dims[1] + second : MPI_PROC_NULL;
    }
    /// In the order in which MPI counts neighbours.
    [[nodiscard]] std::array<int, 4> neighbours(bool round) const
    {
        return {at(place[0] - 1, place[1], round), at(place[0] + 1, place[1], round),
                at(place[0], place[1] - 1, round), at(place[0], place[1] + 1, round)};
    }
};

bool dimensions()
{
    std::array<int, 3> free{};
    MPI_Dims_create(24, 3, free.data());
    std::array<int, 3> fixed{0, 3, 0};
    MPI_Dims_create(24, 3, fixed.data());
    std::array<int, 2> prime{};
    MPI_Dims_create(7, 2, prime.data());
    return free == std::array{4, 3, 2} && fixed == std::array{4, 3, 2} && prime == std::array{7, 1};
}

bool gridTellsOfItself()
{
    const Grid grid(true);
    int dimensions = 0;
    MPI_Cartdim_get(grid.comm, &dimensions);
    std::array<int, 2> dims{};
    std::array<int, 2> periods{};
    std::array<int, 2> place{};
    MPI_Cart_get(grid.comm, 2, dims.data(), periods.data(), place.data());
    return kindOf(grid.comm) == MPI_CART && kindOf(all) == MPI_UNDEFINED && dimensions == 2
        && dims == grid.dims && periods == std::array{1, 1} && place == grid.place
        && rank == place[0] * dims[1] + place[1];
}

/// Places beyond the edges of a grid that goes round are places of it.
bool placesGoRound()
{
    const Grid grid(true);
    const std::array beyond{grid.place[0] - grid.dims[0], grid.place[1] + 3 * grid.dims[1]};
    int found = -1;
    MPI_Cart_rank(grid.comm, beyond.data(), &found);
    return found == rank;
}

bool shifts()
{
    bool right = true;
    for (const bool round : {false, true}) {
        const Grid grid(round);
        for (const int by : {1, -1, 2}) {
            int from = 0;
            int to = 0;
            MPI_Cart_shift(grid.comm, 0, by, &from, &to);
            // Twice, where a grid is shorter than the step.
            const int up = round ? (grid.place[0] + by + 2 * grid.dims[0]) % grid.dims[0]
                                 : grid.place[0] + by;
            const int down = round ? (grid.place[0] - by + 2 * grid.dims[0]) % grid.dims[0]
                                   : grid.place[0] - by;
            right = right && to == grid.at(up, grid.place[1], false)
                && from == grid.at(down, grid.place[1], false);
        }
    }
    return right;
}

bool shiftedMessages()
{
    const Grid grid(false);
    int from = 0;
    int to = 0;
    MPI_Cart_shift(grid.comm, 0, 1, &from, &to);
    int in = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, to, 0, &in, 1, MPI_INT, from, 0, grid.comm, MPI_STATUS_IGNORE);
    return in == (from == MPI_PROC_NULL ? -1 : from);
}

bool partsOfGrids()
{
    std::array<int, 3> dims{};
    MPI_Dims_create(size, 3, dims.data());
    const std::array periods{1, 0, 1};
    Comm cube;
    MPI_Cart_create(all, 3, dims.data(), periods.data(), 0, &cube);
    std::array<int, 3> place{};
    MPI_Cart_coords(cube, rank, 3, place.data());
    bool right = true;
    for (int kept = 0; kept < 8; ++kept) {
        const std::array remain{kept & 1, kept >> 1 & 1, kept >> 2 & 1};
        Comm part;
        MPI_Cart_sub(cube, remain.data(), &part);
        int members = 0;
        MPI_Comm_size(part, &members);
        int expected = 1;
        int own = 0;
        for (int i = 0; i < 3; ++i) {
            if (at(remain, i) == 0)
                continue;
            expected *= at(dims, i);
            own = own * at(dims, i) + at(place, i);
        }
        int found = -1;
        MPI_Comm_rank(part, &found);
        right = right && members == expected && found == own;
    }
    return right;
}

/// A grid of fewer ranks: the others are not in it.
bool smallerGrid()
{
    const int few = (size + 1) / 2;
    const int round = 1;
    Comm line;
    MPI_Cart_create(all, 1, &few, &round, 0, &line);
    if (rank >= few)
        return line == MPI_COMM_NULL;
    int from = -1;
    int to = -1;
    MPI_Cart_shift(line, 0, 1, &from, &to);
    return to == (rank + 1) % few && from == (rank - 1 + few) % few;
}

bool mapped()
{
    const int round = 0;
    int place = -5;
    MPI_Cart_map(all, 1, &size, &round, &place);
    return place == rank;
}

bool copiedTopology()
{
    const Grid grid(true);
    Comm copy;
    MPI_Comm_dup(grid.comm, &copy);
    std::array<int, 2> place{};
    MPI_Cart_coords(copy, rank, 2, place.data());
    return kindOf(copy) == MPI_CART && place == grid.place;
}

/// What neighbours of a grid tell each other in all ways there are.
bool neighboursOfGrid(bool round)
{
    const Grid grid(round);
    const auto around = grid.neighbours(round);
    std::array<int, 4> gathered{-9, -9, -9, -9};
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, gathered.data(), 1, MPI_INT, grid.comm);
    const std::array counts{1, 1, 1, 1};
    const std::array places{3, 2, 1, 0};
    std::array<int, 4> turned{-9, -9, -9, -9};
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ineighbor_allgatherv(&rank, 1, MPI_INT, turned.data(), counts.data(), places.data(),
                             MPI_INT, grid.comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    bool right = true;
    for (int i = 0; i < 4; ++i) {
        const int expected = at(around, i) == MPI_PROC_NULL ? -9 : at(around, i);
        right = right && at(gathered, i) == expected && at(turned, 3 - i) == expected;
    }
    return right;
}

/// Each pair of neighbours of a grid without rounds: what one gives to the right, comes from the left.
bool eachNeighbourOfGrid()
{
    const Grid grid(false);
    const auto around = grid.neighbours(false);
    std::array<int, 4> out{};
    for (int i = 0; i < 4; ++i)
        at(out, i) = rank * 10 + i;
    std::array<int, 4> in{-9, -9, -9, -9};
    MPI_Neighbor_alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, grid.comm);
    const std::array counts{1, 1, 1, 1};
    const std::array places{0, 1, 2, 3};
    std::array<int, 4> second{-9, -9, -9, -9};
    MPI_Neighbor_alltoallv(out.data(), counts.data(), places.data(), MPI_INT, second.data(),
                           counts.data(), places.data(), MPI_INT, grid.comm);
    std::array<MPI_Aint, 4> bytes{};
    for (int i = 0; i < 4; ++i)
        at(bytes, i) = i * static_cast<MPI_Aint>(sizeof(int));
    const std::array types{MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    std::array<int, 4> third{-9, -9, -9, -9};
    MPI_Neighbor_alltoallw(out.data(), counts.data(), bytes.data(), types.data(), third.data(),
                           counts.data(), bytes.data(), types.data(), grid.comm);
    bool right = in == second && in == third;
    for (int i = 0; i < 4; ++i)
        right = right
            && at(in, i) == (at(around, i) == MPI_PROC_NULL ? -9 : at(around, i) * 10 + (i ^ 1));
    return right;
}

/// A star: the first rank and each other one.
void star(Comm& comm)
{
    Values index;
    Values edges;
    for (int i = 1; i < size; ++i)
        edges.push_back(i);
    index.push_back(size - 1);
    for (int i = 1; i < size; ++i) {
        edges.push_back(0);
        index.push_back(size - 1 + i);
    }
    edges.push_back(0); // Open MPI takes no null pointer, not even of no edges
    MPI_Graph_create(all, size, index.data(), edges.data(), 0, &comm);
}

bool starTellsOfItself()
{
    Comm comm;
    star(comm);
    int nodes = 0;
    int edges = 0;
    MPI_Graphdims_get(comm, &nodes, &edges);
    int count = -1;
    MPI_Graph_neighbors_count(comm, rank, &count);
    Values found(static_cast<std::size_t>(size), -1);
    MPI_Graph_neighbors(comm, rank, count, found.data());
    Values index(static_cast<std::size_t>(nodes));
    Values ends(static_cast<std::size_t>(edges) + 1);
    MPI_Graph_get(comm, nodes, edges, index.data(), ends.data());
    return kindOf(comm) == MPI_GRAPH && nodes == size && edges == 2 * (size - 1)
        && count == (rank == 0 ? size - 1 : 1)
        && found[0]
        == (rank != 0      ? 0
                : size > 1 ? 1
                           : -1)
        && index.back() == edges;
}

bool neighboursOfStar()
{
    Comm comm;
    star(comm);
    const int count = rank == 0 ? size - 1 : 1;
    Values in(static_cast<std::size_t>(size), -9);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, in.data(), 1, MPI_INT, comm);
    Values out;
    for (int i = 0; i < size; ++i)
        out.push_back(rank * 10 + i);
    Values exchanged(in.size(), -9);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ineighbor_alltoall(out.data(), 1, MPI_INT, exchanged.data(), 1, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    bool right = true;
    for (int i = 0; i < count; ++i) {
        const int peer = rank == 0 ? i + 1 : 0;
        right = right && at(in, i) == peer
            && at(exchanged, i) == peer * 10 + (rank == 0 ? 0 : rank - 1);
    }
    return right;
}

/// Edges of all ranks are told by the first one alone.
bool edgesToldByOne()
{
    Values from;
    Values degrees;
    Values to;
    for (int i = 0; rank == 0 && i < size; ++i) {
        from.push_back(i);
        degrees.push_back(2);
        to.push_back((i + 1) % size);
        to.push_back((i + 2) % size);
    }
    Values weights(to.size());
    std::iota(weights.begin(), weights.end(), 0);
    Comm comm;
    MPI_Dist_graph_create(all, static_cast<int>(from.size()), from.data(), degrees.data(),
                          to.data(), rank == 0 ? weights.data() : MPI_WEIGHTS_EMPTY, MPI_INFO_NULL,
                          0, &comm);
    int in = -1;
    int out = -1;
    int weighted = -1;
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    std::array<int, 2> sources{};
    std::array<int, 2> sourceWeights{};
    std::array<int, 2> destinations{};
    std::array<int, 2> destinationWeights{};
    MPI_Dist_graph_neighbors(comm, 2, sources.data(), sourceWeights.data(), 2, destinations.data(),
                             destinationWeights.data());
    // Their order is the library's; what is an edge, and its weight, is not.
    bool right = in == 2 && out == 2 && weighted != 0 && kindOf(comm) == MPI_DIST_GRAPH;
    for (int i = 0; i < 2; ++i) {
        const int weight = at(destinationWeights, i);
        right = right && weight / 2 == rank
            && at(destinations, i) == (rank + 1 + weight % 2) % size;
        const int other = at(sourceWeights, i);
        right = right && other / 2 == at(sources, i)
            && (at(sources, i) + 1 + other % 2) % size == rank;
    }
    return right;
}

/// Each rank gives to those above it, and gets from those below: the first one gets nothing.
class Ladder {
public:
    Ladder()
    {
        for (int i = 0; i < rank; ++i)
            sources.push_back(i);
        for (int i = rank + 1; i < size; ++i)
            destinations.push_back(i);
        MPI_Dist_graph_create_adjacent(all, static_cast<int>(sources.size()), sources.data(),
                                       MPI_UNWEIGHTED, static_cast<int>(destinations.size()),
                                       destinations.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                       &comm);
    }

    Values sources;
    Values destinations;
    Comm comm;
};

bool ladderGathers()
{
    const Ladder ladder;
    Values in(static_cast<std::size_t>(size), -9);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, in.data(), 1, MPI_INT, ladder.comm);
    Values later(in.size(), -9);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ineighbor_allgather(&rank, 1, MPI_INT, later.data(), 1, MPI_INT, ladder.comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    bool right = in == later;
    for (int i = 0; i < size; ++i)
        right = right && at(in, i) == (i < rank ? i : -9);
    return right;
}

/// Rank i gives each of those above it i numbers: long ones, and the first rank none.
bool ladderExchanges()
{
    const Ladder ladder;
    constexpr int each = 3'000;
    const std::size_t up = ladder.destinations.size();
    const std::size_t down = ladder.sources.size();
    const Values outCounts(up + 1, rank * each);
    const Values outPlaces(up + 1, 0); // the same for all
    Values inCounts;
    for (const int source : ladder.sources)
        inCounts.push_back(source * each);
    Values inPlaces(down + 1);
    std::exclusive_scan(inCounts.begin(), inCounts.end(), inPlaces.begin(), 0);
    const auto out = numbers(rank * each, rank);
    const int total = std::accumulate(inCounts.begin(), inCounts.end(), 0);
    inCounts.push_back(0);
    Values in(static_cast<std::size_t>(total) + 1, -9);
    MPI_Neighbor_alltoallv(out.data(), outCounts.data(), outPlaces.data(), MPI_INT, in.data(),
                           inCounts.data(), inPlaces.data(), MPI_INT, ladder.comm);
    Values later(in.size(), -9);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ineighbor_alltoallv(out.data(), outCounts.data(), outPlaces.data(), MPI_INT, later.data(),
                            inCounts.data(), inPlaces.data(), MPI_INT, ladder.comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    bool right = in == later && in.back() == -9;
    for (std::size_t i = 1; i < down; ++i) {
        const auto begin = in.begin() + inPlaces[i];
        right = right && isFrom(Values(begin, begin + inCounts[i]), ladder.sources[i]);
    }
    return right;
}

/// Two edges between the same ranks are two.
bool doubleEdges()
{
    const std::array from{before(), before()};
    const std::array to{next(), next()};
    const std::array weights{3, 4};
    Comm comm;
    MPI_Dist_graph_create_adjacent(all, 2, from.data(), weights.data(), 2, to.data(),
                                   weights.data(), MPI_INFO_NULL, 0, &comm);
    const std::array out{rank * 2, rank * 2 + 1};
    std::array<int, 2> in{-1, -1};
    MPI_Neighbor_alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, comm);
    std::array<int, 2> sources{};
    std::array<int, 2> found{};
    std::array<int, 2> destinations{};
    std::array<int, 2> other{};
    MPI_Dist_graph_neighbors(comm, 2, sources.data(), found.data(), 2, destinations.data(),
                             other.data());
    return in == std::array{before() * 2, before() * 2 + 1} && sources == from && destinations == to
        && found == weights && other == weights;
}

/// Nobody has a neighbour.
bool lonely()
{
    Comm comm;
    MPI_Dist_graph_create_adjacent(all, 0, nullptr, MPI_WEIGHTS_EMPTY, 0, nullptr,
                                   MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &comm);
    int in = -1;
    int out = -1;
    int weighted = -1;
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    int untouched = 6;
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, &untouched, 1, MPI_INT, comm);
    int sum = -1;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    return in == 0 && out == 0 && weighted != 0 && untouched == 6 && sum == sumOfRanks();
}

} // namespace

std::vector<Case> topologyCases()
{
    return {
        {"dimensions", dimensions},
        {"a grid tells of itself", gridTellsOfItself},
        {"places go round", placesGoRound},
        {"shifts", shifts},
        {"shifted messages", shiftedMessages},
        {"parts of grids", partsOfGrids},
        {"smaller grid", smallerGrid},
        {"mapped", mapped},
        {"copied topology", copiedTopology},
        {"neighbours of a grid", [] { return neighboursOfGrid(false); }},
        {"neighbours of a round grid", [] { return neighboursOfGrid(true); }},
        {"each neighbour of a grid", eachNeighbourOfGrid},
        {"a star tells of itself", starTellsOfItself},
        {"neighbours of a star", neighboursOfStar},
        {"edges told by one", edgesToldByOne},
        {"a ladder gathers", ladderGathers},
        {"a ladder exchanges", ladderExchanges},
        {"double edges", doubleEdges},
        {"lonely", lonely},
    };
}

} // namespace worldcases
