// SPDX-License-Identifier: GPL-3.0-or-later
// Tags 60 to 75: messages over communicators other than MPI_COMM_WORLD.
#include "tracee.h"

#include <array>

namespace tracee {

namespace {

/// One message a member, of a length that the sender's rank in MPI_COMM_WORLD gives.
void exchangeOver(MPI_Comm communicator, int tag)
{
    const Ring world{MPI_COMM_WORLD};
    const Ring ring{communicator};
    Numbers out = Numbers::from(tag, world.rank);
    std::vector<int> in(Numbers::lengthOf(tag, world.size), -1);
    MPI_Sendrecv(out.data(), out.count(), MPI_INT, ring.next, tag, in.data(),
                 static_cast<int>(in.size()), MPI_INT, ring.previous, tag, communicator,
                 MPI_STATUS_IGNORE);
    require(in.front() >= 0, "a message came");
}

/// Two that differ in nothing but themselves, and a message of one tag over each.
void twins()
{
    const Ring ring{MPI_COMM_WORLD};
    std::array<MPI_Comm, 2> both{};
    MPI_Comm_dup(MPI_COMM_WORLD, &both[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &both[1]);
    std::array in{Numbers::room(60, ring.previous), Numbers::room(60, ring.previous)};
    std::array<MPI_Request, 2> receives{};
    for (std::size_t i = 0; i < 2; ++i) {
        MPI_Irecv(in[i].data(), in[i].count(), MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, both[i],
                  &receives[i]);
    }
    Numbers out = Numbers::from(60, ring.rank);
    // The other one first.
    MPI_Send(out.data(), out.count(), MPI_INT, ring.next, 60, both[1]);
    MPI_Send(out.data(), out.count(), MPI_INT, ring.next, 60, both[0]);
    // A receive lives longer than the program's hold of its communicator.
    MPI_Comm_free(&both[0]);
    MPI_Waitall(2, receives.data(), MPI_STATUSES_IGNORE);
    in[0].check(ring.previous);
    in[1].check(ring.previous);
    MPI_Comm_free(&both[1]);
}

void splits()
{
    const Ring ring{MPI_COMM_WORLD};
    MPI_Comm halves = MPI_COMM_NULL;
    // Ranks in the opposite order.
    MPI_Comm_split(MPI_COMM_WORLD, ring.rank % 2, -ring.rank, &halves);
    exchangeOver(halves, 61);
    int value = ring.rank;
    MPI_Bcast(&value, 1, MPI_INT, 0, halves);
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(halves, &copy);
    exchangeOver(copy, 62);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&halves);
    // Rank 0 is in none.
    MPI_Comm others = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, ring.rank == 0 ? MPI_UNDEFINED : 0, 0, &others);
    if (others != MPI_COMM_NULL) {
        exchangeOver(others, 63);
        MPI_Comm_free(&others);
    }
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    exchangeOver(host, 64);
    MPI_Comm_free(&host);
}

void groups()
{
    const Ring ring{MPI_COMM_WORLD};
    MPI_Group world = MPI_GROUP_NULL;
    MPI_Group two = MPI_GROUP_NULL;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    const std::array<int, 2> members{ring.size - 1, 0};
    MPI_Group_incl(world, 2, members.data(), &two);
    MPI_Comm both = MPI_COMM_NULL;
    MPI_Comm_create(MPI_COMM_WORLD, two, &both);
    if (both != MPI_COMM_NULL) {
        exchangeOver(both, 65);
        MPI_Comm_free(&both);
        MPI_Comm_create_group(MPI_COMM_WORLD, two, 0, &both);
        exchangeOver(both, 66);
        MPI_Comm_free(&both);
    }
    MPI_Group_free(&two);
    MPI_Group_free(&world);
}

void topologies()
{
    const Ring ring{MPI_COMM_WORLD};
    const std::array<int, 2> sizes{ring.size, 1};
    const std::array<int, 2> periods{1, 1};
    MPI_Comm grid = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes.data(), periods.data(), 0, &grid);
    exchangeOver(grid, 67);
    const std::array<int, 2> kept{1, 0};
    MPI_Comm column = MPI_COMM_NULL;
    MPI_Cart_sub(grid, kept.data(), &column);
    exchangeOver(column, 68);
    MPI_Comm_free(&column);
    MPI_Comm_free(&grid);
    MPI_Comm graph = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &ring.previous, MPI_UNWEIGHTED, 1, &ring.next,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    exchangeOver(graph, 69);
    MPI_Comm_free(&graph);
}

} // namespace

void communicators()
{
    twins();
    splits();
    groups();
    topologies();
    exchangeOver(MPI_COMM_SELF, 70);
    // Made by a call that is not traced.
    MPI_Comm later = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm_idup(MPI_COMM_WORLD, &later, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    exchangeOver(later, 71);
    MPI_Comm_free(&later);
}

/// Even and odd ranks; ranks without a partner on the other side send nothing.
void interCommunicators()
{
    const Ring ring{MPI_COMM_WORLD};
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, ring.rank % 2, ring.rank, &half);
    MPI_Comm inter = MPI_COMM_NULL;
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, ring.rank % 2 == 0 ? 1 : 0, 5, &inter);
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(inter, &copy);
    const int partner = ring.rank ^ 1;
    int tag = 72;
    for (const MPI_Comm over : {inter, copy}) {
        if (partner < ring.size) {
            Numbers out = Numbers::from(tag, ring.rank);
            Numbers in = Numbers::room(tag, partner);
            MPI_Sendrecv(out.data(), out.count(), MPI_INT, ring.rank / 2, tag, in.data(),
                         in.count(), MPI_INT, ring.rank / 2, tag, over, MPI_STATUS_IGNORE);
            in.check(partner);
        }
        ++tag;
    }
    // From rank 0 to the odd ones.
    int value = ring.rank;
    const int evenRoot = ring.rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Bcast(&value, 1, MPI_INT, ring.rank % 2 == 0 ? evenRoot : 0, inter);
    require(ring.rank % 2 == 0 || value == 0, "MPI_Bcast between groups");
    MPI_Comm merged = MPI_COMM_NULL;
    MPI_Intercomm_merge(inter, ring.rank % 2, &merged);
    exchangeOver(merged, 74);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&copy);
    MPI_Comm_disconnect(&inter);
    MPI_Comm_free(&half);
}

} // namespace tracee
