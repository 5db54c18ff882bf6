// SPDX-License-Identifier: GPL-3.0-or-later
#include "worldcases.h"

#include <algorithm>
#include <array>

namespace worldcases {

namespace {

Values placesOf(const Values& counts)
{
    Values places(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
    return places;
}

bool gatheredInPlace()
{
    bool right = true;
    for (int root = 0; root < size; ++root) {
        Values whole = perRank(-1);
        at(whole, rank) = rank * 2;
        if (rank == root)
            MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, whole.data(), 1, MPI_INT, root, all);
        else
            MPI_Gather(&at(whole, rank), 1, MPI_INT, nullptr, 0, MPI_DATATYPE_NULL, root, all);
        for (int i = 0; i < size; ++i)
            right = right && at(whole, i) == (rank == root || i == rank ? i * 2 : -1);
    }
    return right;
}

bool scatteredInPlace()
{
    bool right = true;
    for (int root = 0; root < size; ++root) {
        Values whole = perRank(0);
        std::iota(whole.begin(), whole.end(), root * 10);
        int own = -1;
        if (rank == root)
            MPI_Scatter(whole.data(), 1, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, root, all);
        else
            MPI_Scatter(nullptr, 0, MPI_DATATYPE_NULL, &own, 1, MPI_INT, root, all);
        right = right && (rank == root ? at(whole, rank) : own) == root * 10 + rank;
    }
    return right;
}

/// Odd ranks have something, even ones nothing; blocks stand in the reverse order, with gaps.
struct Uneven {
    Values counts;
    Values places;
    Values own;

    Uneven()
    {
        for (int i = 0; i < size; ++i) {
            counts.push_back(i % 2 == 0 ? 0 : i);
            places.push_back((size - 1 - i) * (size + 1));
        }
        own = Values(static_cast<std::size_t>(at(counts, rank)), rank);
    }
    [[nodiscard]] Values room() const
    {
        return Values(static_cast<std::size_t>(size * (size + 1)), -1);
    }
    [[nodiscard]] Values expected() const
    {
        Values whole = room();
        for (int i = 0; i < size; ++i)
            std::fill_n(whole.begin() + at(places, i), at(counts, i), i);
        return whole;
    }
};

bool unevenToOne()
{
    const Uneven uneven;
    Values whole = uneven.room();
    MPI_Gatherv(uneven.own.data(), at(uneven.counts, rank), MPI_INT, whole.data(),
                uneven.counts.data(), uneven.places.data(), MPI_INT, size - 1, all);
    bool right = rank != size - 1 || whole == uneven.expected();
    Values back(uneven.own.size(), -7);
    MPI_Scatterv(whole.data(), uneven.counts.data(), uneven.places.data(), MPI_INT, back.data(),
                 at(uneven.counts, rank), MPI_INT, size - 1, all);
    right = right && back == uneven.own;
    // In place at the root.
    Values again = uneven.room();
    std::ranges::copy(uneven.own, again.begin() + at(uneven.places, rank));
    const bool isRoot = rank == size - 1;
    MPI_Gatherv(isRoot ? MPI_IN_PLACE : uneven.own.data(), at(uneven.counts, rank), MPI_INT,
                again.data(), uneven.counts.data(), uneven.places.data(), MPI_INT, size - 1, all);
    return right && (!isRoot || again == uneven.expected());
}

bool unevenToAll()
{
    const Uneven uneven;
    Values whole = uneven.room();
    MPI_Allgatherv(uneven.own.data(), at(uneven.counts, rank), MPI_INT, whole.data(),
                   uneven.counts.data(), uneven.places.data(), MPI_INT, all);
    Values again = uneven.room();
    std::ranges::copy(uneven.own, again.begin() + at(uneven.places, rank));
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, again.data(), uneven.counts.data(),
                   uneven.places.data(), MPI_INT, all);
    return whole == uneven.expected() && again == whole;
}

/// From rank i to rank j go (i + j) % 3 numbers: often none.
struct Pairs {
    Values counts;
    Values places;
    Values out;
    Values expected;

    Pairs()
    {
        for (int i = 0; i < size; ++i) {
            counts.push_back((rank + i) % 3);
            for (int k = 0; k < (rank + i) % 3; ++k) {
                out.push_back(rank * 100 + i);
                expected.push_back(i * 100 + rank);
            }
        }
        places = placesOf(counts);
    }
};

bool unevenBetweenPairs()
{
    Pairs pairs;
    Values in(pairs.out.size(), -1);
    MPI_Alltoallv(pairs.out.data(), pairs.counts.data(), pairs.places.data(), MPI_INT, in.data(),
                  pairs.counts.data(), pairs.places.data(), MPI_INT, all);
    MPI_Alltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, pairs.out.data(),
                  pairs.counts.data(), pairs.places.data(), MPI_INT, all);
    return in == pairs.expected && pairs.out == in;
}

bool typedBetweenPairs()
{
    Pairs pairs;
    Values bytes = pairs.places;
    for (int& place : bytes)
        place *= static_cast<int>(sizeof(int));
    const std::vector<MPI_Datatype> types(bytes.size(), MPI_INT);
    Values in(pairs.out.size(), -1);
    MPI_Alltoallw(pairs.out.data(), pairs.counts.data(), bytes.data(), types.data(), in.data(),
                  pairs.counts.data(), bytes.data(), types.data(), all);
    MPI_Alltoallw(MPI_IN_PLACE, nullptr, nullptr, nullptr, pairs.out.data(), pairs.counts.data(),
                  bytes.data(), types.data(), all);
    return in == pairs.expected && pairs.out == in;
}

bool withoutElements()
{
    int untouched = 5;
    const Values none = perRank(0);
    MPI_Reduce(nullptr, &untouched, 0, MPI_INT, MPI_SUM, 0, all);
    MPI_Allreduce(nullptr, &untouched, 0, MPI_INT, MPI_SUM, all);
    MPI_Scan(nullptr, &untouched, 0, MPI_INT, MPI_SUM, all);
    MPI_Gather(&untouched, 0, MPI_INT, &untouched, 0, MPI_INT, 0, all);
    MPI_Allgatherv(&untouched, 0, MPI_INT, &untouched, none.data(), none.data(), MPI_INT, all);
    MPI_Alltoallv(&untouched, none.data(), none.data(), MPI_INT, &untouched, none.data(),
                  none.data(), MPI_INT, all);
    MPI_Reduce_scatter(&untouched, &untouched + 1, none.data(), MPI_INT, MPI_SUM, all);
    return untouched == 5;
}

/// Broadcasts from changing roots, one right after the other.
bool oneAfterTheOther()
{
    bool right = true;
    for (int i = 0; i < 200; ++i) {
        int value = rank == i % size ? i : -1;
        MPI_Bcast(&value, 1, MPI_INT, i % size, all);
        right = right && value == i;
    }
    return right;
}

bool longForAll()
{
    constexpr int count = 30'000;
    const auto own = numbers(count, rank);
    Values whole(static_cast<std::size_t>(count * size));
    MPI_Allgather(own.data(), count, MPI_INT, whole.data(), count, MPI_INT, all);
    bool right = true;
    for (int i = 0; i < size; ++i)
        right = right && at(whole, i * count + 1) == i * 1000 + 1;
    Values in(whole.size());
    MPI_Alltoall(whole.data(), count, MPI_INT, in.data(), count, MPI_INT, all);
    for (int i = 0; i < size; ++i)
        right = right && at(in, i * count + 1) == rank * 1000 + 1;
    return right;
}

/// Nobody is through a barrier that not all have begun.
bool barrierHoldsBack()
{
    MPI_Request request = MPI_REQUEST_NULL;
    bool early = false;
    int heard = 0;
    if (rank != 0) {
        MPI_Ibarrier(all, &request);
        for (int i = 0; i < 50; ++i) {
            int flag = 0;
            MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
            early = early || flag != 0;
        }
        MPI_Send(&rank, 1, MPI_INT, 0, 1, all);
    } else {
        for (int i = 1; i < size; ++i)
            MPI_Recv(&heard, 1, MPI_INT, i, 1, all, MPI_STATUS_IGNORE);
        MPI_Ibarrier(all, &request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return !early;
}

/// All kinds at once, ended from the last to the first, with messages in between.
bool allKindsAtOnce()
{
    const auto isSum = [](int value) { return value == sumOfRanks(); };
    std::vector<MPI_Request> requests(13);
    Values gathered = perRank(-1);
    Values everybody = perRank(-1);
    Values exchanged = perRank(-1);
    Values out = perRank(rank);
    const Values ones = perRank(1);
    Values places = perRank(0);
    std::iota(places.begin(), places.end(), 0);
    Values variably = perRank(-1);
    int scattered = -1;
    int root = rank == 0 ? 99 : -1;
    std::array<int, 6> sums{-1, -1, -1, -1, -1, -1};
    MPI_Ibarrier(all, &requests[0]);
    MPI_Ibcast(&root, 1, MPI_INT, 0, all, &requests[1]);
    MPI_Igather(&rank, 1, MPI_INT, gathered.data(), 1, MPI_INT, 0, all, &requests[2]);
    MPI_Iscatter(places.data(), 1, MPI_INT, &scattered, 1, MPI_INT, size - 1, all, &requests[3]);
    MPI_Iallgather(&rank, 1, MPI_INT, everybody.data(), 1, MPI_INT, all, &requests[4]);
    MPI_Ialltoall(out.data(), 1, MPI_INT, exchanged.data(), 1, MPI_INT, all, &requests[5]);
    MPI_Iallgatherv(&rank, 1, MPI_INT, variably.data(), ones.data(), places.data(), MPI_INT, all,
                    &requests[6]);
    MPI_Ireduce(&rank, &sums[0], 1, MPI_INT, MPI_SUM, 0, all, &requests[7]);
    MPI_Iallreduce(&rank, &sums[1], 1, MPI_INT, MPI_SUM, all, &requests[8]);
    MPI_Ireduce_scatter(out.data(), &sums[2], ones.data(), MPI_INT, MPI_SUM, all, &requests[9]);
    MPI_Ireduce_scatter_block(out.data(), &sums[3], 1, MPI_INT, MPI_SUM, all, &requests[10]);
    MPI_Iscan(&rank, &sums[4], 1, MPI_INT, MPI_SUM, all, &requests[11]);
    MPI_Iexscan(&rank, &sums[5], 1, MPI_INT, MPI_SUM, all, &requests[12]);
    int message = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, next(), 3, &message, 1, MPI_INT, before(), 3, all,
                 MPI_STATUS_IGNORE);
    while (!requests.empty()) {
        MPI_Wait(&requests.back(), MPI_STATUS_IGNORE);
        requests.pop_back();
    }
    bool right = message == before() && root == 99 && scattered == rank && everybody == places
        && exchanged == places && variably == places && (rank != 0 || gathered == places);
    right = right && (rank != 0 || isSum(sums[0])) && isSum(sums[1]) && isSum(sums[2])
        && isSum(sums[3]) && sums[4] == rank * (rank + 1) / 2;
    return right && (rank == 0 || sums[5] == rank * (rank - 1) / 2);
}

/// Those with parts of their own size, of their own type, and in place, without waiting.
bool unevenLater()
{
    Pairs pairs;
    const Uneven uneven;
    Values in(pairs.out.size(), -1);
    Values typed(pairs.out.size(), -1);
    Values bytes = pairs.places;
    for (int& place : bytes)
        place *= static_cast<int>(sizeof(int));
    const std::vector<MPI_Datatype> types(bytes.size(), MPI_INT);
    Values whole = uneven.room();
    Values back(uneven.own.size(), -1);
    const Values source = uneven.expected();
    int sum = rank;
    std::array<MPI_Request, 5> requests{};
    MPI_Ialltoallv(pairs.out.data(), pairs.counts.data(), pairs.places.data(), MPI_INT, in.data(),
                   pairs.counts.data(), pairs.places.data(), MPI_INT, all, &requests[0]);
    MPI_Ialltoallw(pairs.out.data(), pairs.counts.data(), bytes.data(), types.data(), typed.data(),
                   pairs.counts.data(), bytes.data(), types.data(), all, &requests[1]);
    MPI_Igatherv(uneven.own.data(), at(uneven.counts, rank), MPI_INT, whole.data(),
                 uneven.counts.data(), uneven.places.data(), MPI_INT, 0, all, &requests[2]);
    MPI_Iscatterv(source.data(), uneven.counts.data(), uneven.places.data(), MPI_INT, back.data(),
                  at(uneven.counts, rank), MPI_INT, 0, all, &requests[3]);
    MPI_Iallreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, all, &requests[4]);
    for (int flag = 0; flag == 0;)
        MPI_Testall(5, requests.data(), &flag, MPI_STATUSES_IGNORE);
    return in == pairs.expected && typed == in && back == uneven.own && sum == sumOfRanks()
        && (rank != 0 || whole == source);
}

/// Long ones of several communicators, ended in the order in which they are done.
bool manyCommunicators()
{
    constexpr int count = 20'000;
    std::array<Comm, 4> comms{};
    std::array<std::vector<int>, 4> values{};
    std::array<MPI_Request, 4> requests{};
    for (int i = 0; i < 4; ++i) {
        MPI_Comm_dup(all, &at(comms, i));
        at(values, i) = numbers(count, rank == i % size ? i : -1);
    }
    // Each rank begins at another place: they belong to different communicators.
    for (int k = 0; k < 4; ++k) {
        const int i = (k + rank) % 4;
        MPI_Ibcast(at(values, i).data(), count, MPI_INT, i % size, at(comms, i), &at(requests, i));
    }
    for (int done = 0; done < 4; ++done) {
        int index = 0;
        MPI_Waitany(4, requests.data(), &index, MPI_STATUS_IGNORE);
    }
    bool right = true;
    for (int i = 0; i < 4; ++i)
        right = right && isFrom(at(values, i), i);
    return right;
}

void addAll(void* first, void* second, int* count, MPI_Datatype*)
{
    const auto* in = static_cast<const int*>(first);
    auto* out = static_cast<int*>(second);
    for (int i = 0; i < *count; ++i)
        out[i] += in[i];
}

/// The types and the operation are given up, and others made, before all ranks have begun.
bool freedEarly()
{
    const auto make = [](int gap) {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Type_vector(1'000, 1, gap, MPI_INT, &type);
        MPI_Type_commit(&type);
        return type;
    };
    MPI_Datatype every = make(2);
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(addAll, 1, &op);
    Values sent = numbers(2'000, rank);
    Values gathered(static_cast<std::size_t>(2'000 * size), -1);
    Values sums(5'000, -1);
    const Values ones(sums.size(), 1);
    std::array<MPI_Request, 3> requests{};
    MPI_Ibcast(sent.data(), 1, every, size - 1, all, &requests[0]);
    MPI_Igather(ones.data(), 1'000, MPI_INT, gathered.data(), 1, every, 0, all, &requests[1]);
    MPI_Iallreduce(ones.data(), sums.data(), 5'000, MPI_INT, op, all, &requests[2]);
    MPI_Type_free(&every);
    MPI_Op_free(&op);
    MPI_Datatype other = make(3);
    MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE);
    MPI_Type_free(&other);
    const Values theirs = numbers(2'000, size - 1);
    const Values own = numbers(2'000, rank);
    bool right = every == MPI_DATATYPE_NULL && op == MPI_OP_NULL
        && std::ranges::count(sums, size) == 5'000;
    for (int i = 0; i < 1'999; ++i)
        right = right && at(sent, i) == (i % 2 == 0 ? at(theirs, i) : at(own, i))
            && (rank != 0 || at(gathered, i) == (i % 2 == 0 ? 1 : -1));
    return right;
}

bool alone()
{
    int sum = -1;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    int gathered = -1;
    MPI_Gather(&rank, 1, MPI_INT, &gathered, 1, MPI_INT, 0, MPI_COMM_SELF);
    int below = 8;
    MPI_Exscan(&rank, &below, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    MPI_Request request = MPI_REQUEST_NULL;
    int exchanged = -1;
    MPI_Ialltoall(&rank, 1, MPI_INT, &exchanged, 1, MPI_INT, MPI_COMM_SELF, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_SELF);
    return sum == rank && gathered == rank && below == 8 && exchanged == rank;
}

} // namespace

std::vector<Case> collectiveCases()
{
    return {
        {"gathered in place", gatheredInPlace},
        {"scattered in place", scatteredInPlace},
        {"uneven, to one", unevenToOne},
        {"uneven, to all", unevenToAll},
        {"uneven, between pairs", unevenBetweenPairs},
        {"typed, between pairs", typedBetweenPairs},
        {"without elements", withoutElements},
        {"one after the other", oneAfterTheOther},
        {"long, for all", longForAll},
        {"a barrier holds back", barrierHoldsBack},
        {"all kinds at once", allKindsAtOnce},
        {"uneven, later", unevenLater},
        {"many communicators", manyCommunicators},
        {"freed early", freedEarly},
        {"alone", alone},
    };
}

} // namespace worldcases
