// SPDX-License-Identifier: GPL-3.0-or-later
#include "worldcases.h"

#include <algorithm>
#include <array>
#include <string>

namespace worldcases {

namespace {

int comparison(MPI_Comm one, MPI_Comm other)
{
    int result = -1;
    MPI_Comm_compare(one, other, &result);
    return result;
}

int sizeOf(MPI_Comm comm)
{
    int members = 0;
    MPI_Comm_size(comm, &members);
    return members;
}

int rankIn(MPI_Comm comm)
{
    int place = -1;
    MPI_Comm_rank(comm, &place);
    return place;
}

int sumIn(MPI_Comm comm, int value)
{
    int sum = -1;
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
    return sum;
}

bool compared()
{
    Comm copy;
    MPI_Comm_dup(all, &copy);
    Comm turned;
    MPI_Comm_split(all, 0, -rank, &turned);
    const int many = size == 1 ? MPI_CONGRUENT : MPI_UNEQUAL;
    return comparison(all, all) == MPI_IDENT && comparison(all, copy) == MPI_CONGRUENT
        && comparison(all, turned) == (size == 1 ? MPI_CONGRUENT : MPI_SIMILAR)
        && comparison(all, MPI_COMM_SELF) == many;
}

bool copiedWithInfo()
{
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "colour", "green");
    Comm copy;
    MPI_Comm_dup_with_info(all, info, &copy);
    MPI_Info_free(&info);
    MPI_Comm_get_info(copy, &info);
    const bool has = info != MPI_INFO_NULL;
    MPI_Info_free(&info);
    return has && comparison(all, copy) == MPI_CONGRUENT && sumIn(copy, rank) == sumOfRanks();
}

/// Several copies are made at once, while messages go.
bool copiedLater()
{
    std::array<Comm, 3> copies{};
    std::array<MPI_Request, 3> requests{};
    for (int i = 0; i < 3; ++i)
        MPI_Comm_idup(all, &at(copies, i), &at(requests, i));
    int in = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, next(), 1, &in, 1, MPI_INT, before(), 1, all,
                 MPI_STATUS_IGNORE);
    MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE);
    bool right = in == before();
    for (int i = 0; i < 3; ++i)
        right = right && sumIn(at(copies, i), i) == i * size;
    return right;
}

/// Three parts, whose members with the same key stand in the order of their ranks.
bool splitInThree()
{
    Comm part;
    MPI_Comm_split(all, rank % 3, rank % 2, &part);
    std::vector<int> expected;
    for (const int key : {0, 1})
        for (int i = rank % 3; i < size; i += 3)
            if (i % 2 == key)
                expected.push_back(i);
    std::vector<int> members(static_cast<std::size_t>(sizeOf(part)), -1);
    MPI_Allgather(&rank, 1, MPI_INT, members.data(), 1, MPI_INT, part);
    return members == expected;
}

/// Halves of halves, down to each alone.
bool splitToTheEnd()
{
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_dup(all, &part);
    int sum = 0;
    while (sizeOf(part) > 1) {
        MPI_Comm half = MPI_COMM_NULL;
        MPI_Comm_split(part, rankIn(part) < (sizeOf(part) + 1) / 2 ? 0 : 1, 0, &half);
        sum += sumIn(half, 1) == sizeOf(half) ? 0 : 1;
        MPI_Comm_free(&part);
        part = half;
    }
    const bool right = sum == 0 && rankIn(part) == 0
        && comparison(part, MPI_COMM_SELF) != MPI_UNEQUAL;
    MPI_Comm_free(&part);
    return right;
}

bool splitByMemory()
{
    Comm part;
    MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &part);
    MPI_Comm none = MPI_COMM_NULL;
    MPI_Comm_split_type(all, MPI_UNDEFINED, 0, MPI_INFO_NULL, &none);
    return sizeOf(part) == size && rankIn(part) == size - 1 - rank && none == MPI_COMM_NULL;
}

void everySecond(Group& whole, Group& some)
{
    MPI_Comm_group(all, &whole);
    std::array<std::array<int, 3>, 1> range{{{0, size - 1, 2}}};
    MPI_Group_range_incl(whole, 1, reinterpret_cast<int(*)[3]>(range.data()), &some);
}

bool createdByAll()
{
    Group whole;
    Group some;
    everySecond(whole, some);
    Comm made;
    MPI_Comm_create(all, some, &made);
    if (rank % 2 != 0)
        return made == MPI_COMM_NULL;
    return sizeOf(made) == (size + 1) / 2 && rankIn(made) == rank / 2;
}

/// Only members take part; the others make theirs at the same time.
bool createdByMembers()
{
    Group whole;
    Group even;
    everySecond(whole, even);
    Group odd;
    MPI_Group_difference(whole, even, &odd);
    Comm made;
    MPI_Comm_create_group(all, rank % 2 == 0 ? even : odd, 5, &made);
    Comm again;
    if (rank % 2 == 0)
        MPI_Comm_create_group(all, even, 6, &again);
    return sumIn(made, 1) == sizeOf(made) && rankIn(made) == rank / 2
        && (rank % 2 != 0 || sumIn(again, 1) == sizeOf(made));
}

bool manyAtOnce()
{
    std::vector<Comm> comms(60);
    for (std::size_t i = 0; i < comms.size(); ++i)
        MPI_Comm_dup(i == 0 ? all : static_cast<MPI_Comm>(comms[i - 1]), &comms[i]);
    std::vector<MPI_Request> requests(2 * comms.size());
    std::vector<int> out(comms.size());
    std::vector<int> in(comms.size(), -1);
    std::iota(out.begin(), out.end(), rank);
    for (std::size_t i = 0; i < comms.size(); ++i)
        MPI_Isend(&out[i], 1, MPI_INT, next(), 0, comms[i], &requests[i]);
    for (std::size_t i = comms.size(); i-- > 0;)
        MPI_Irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comms[i],
                  &requests[comms.size() + i]);
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    std::iota(out.begin(), out.end(), before());
    return in == out;
}

/// Who frees a communicator may still wait for its messages.
bool freedBeforeTheMessage()
{
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(all, &comm);
    int in = -1;
    std::array<MPI_Request, 2> requests{};
    MPI_Irecv(&in, 1, MPI_INT, before(), 2, comm, &requests[0]);
    MPI_Isend(&rank, 1, MPI_INT, next(), 2, comm, &requests[1]);
    MPI_Comm_free(&comm);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    return in == before();
}

bool named()
{
    Comm copy;
    MPI_Comm_dup(all, &copy);
    MPI_Comm_set_name(copy, "a copy");
    std::array<char, MPI_MAX_OBJECT_NAME> name{};
    int length = 0;
    MPI_Comm_get_name(copy, name.data(), &length);
    std::array<char, MPI_MAX_OBJECT_NAME> world{};
    int worldLength = 0;
    MPI_Comm_get_name(all, world.data(), &worldLength);
    return std::string(name.data()) == "a copy" && length == 6
        && std::string(world.data()) == "MPI_COMM_WORLD";
}

int setAside(MPI_Comm, int, void* extra, void*, void*, int* flag)
{
    ++*static_cast<int*>(extra);
    *flag = 0;
    return MPI_SUCCESS;
}

int noted(MPI_Comm, int, void* value, void* extra)
{
    *static_cast<int*>(extra) += *static_cast<int*>(value);
    return MPI_SUCCESS;
}

bool attributesAreDeleted()
{
    int calls = 0;
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(setAside, noted, &key, &calls);
    int hundred = 100;
    int thousand = 1000;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(all, &comm);
    MPI_Comm_set_attr(comm, key, &hundred);
    Comm copy; // the attribute is not copied
    MPI_Comm_dup(comm, &copy);
    void* value = nullptr;
    int flag = 1;
    MPI_Comm_get_attr(copy, key, static_cast<void*>(&value), &flag);
    const bool right = flag == 0 && calls == 1;
    MPI_Comm_set_attr(comm, key, &thousand); // the old value is deleted
    const bool replaced = calls == 101;
    MPI_Comm_free_keyval(&key);
    MPI_Comm_free(&comm);
    return right && replaced && calls == 1101 && key == MPI_KEYVAL_INVALID;
}

bool attributesOfLateCopies()
{
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
    Comm first;
    MPI_Comm_dup(all, &first);
    int value = 3;
    MPI_Comm_set_attr(first, key, &value);
    Comm copy;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm_idup(first, &copy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    int* found = nullptr;
    int flag = 0;
    MPI_Comm_get_attr(copy, key, static_cast<void*>(&found), &flag);
    MPI_Comm_free_keyval(&key);
    return flag == 1 && found == &value;
}

bool predefinedAttributes()
{
    bool right = true;
    for (const int key : {MPI_TAG_UB, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_UNIVERSE_SIZE}) {
        int* value = nullptr;
        int flag = 0;
        MPI_Comm_get_attr(all, key, static_cast<void*>(&value), &flag);
        right = right && (key == MPI_UNIVERSE_SIZE || flag == 1);
    }
    return right;
}

bool rangesOfRanks()
{
    Group whole;
    MPI_Comm_group(all, &whole);
    int down[1][3] = {{size - 1, 0, -1}};
    Group turned;
    MPI_Group_range_incl(whole, 1, down, &turned);
    Group none;
    MPI_Group_range_excl(whole, 1, down, &none);
    int place = -1;
    MPI_Group_rank(turned, &place);
    int members = -1;
    MPI_Group_size(none, &members);
    int same = -1;
    MPI_Group_compare(whole, turned, &same);
    int empty = -1;
    MPI_Group_compare(none, MPI_GROUP_EMPTY, &empty);
    return place == size - 1 - rank && members == 0 && empty == MPI_IDENT
        && same == (size == 1 ? MPI_IDENT : MPI_SIMILAR);
}

bool setsOfRanks()
{
    Group whole;
    Group some;
    everySecond(whole, some);
    Group rest;
    MPI_Group_difference(whole, some, &rest);
    Group both;
    MPI_Group_union(rest, some, &both);
    Group common;
    MPI_Group_intersection(both, some, &common);
    int result = -1;
    MPI_Group_compare(common, some, &result);
    const std::array<int, 2> asked{0, MPI_PROC_NULL};
    std::array<int, 2> found{};
    // Open MPI 4 finds nobody in a group without members, not even MPI_PROC_NULL.
    MPI_Group_translate_ranks(both, 2, asked.data(), size == 1 ? both : rest, found.data());
    int place = -1;
    MPI_Group_rank(rest, &place);
    // The union begins with what stands in its first group.
    return result == MPI_IDENT && found[0] == 0 && found[1] == MPI_PROC_NULL
        && place == (rank % 2 == 0 ? MPI_UNDEFINED : rank / 2);
}

/// Even ranks and odd ranks, with an intercommunicator between them.
class Sides {
public:
    Sides()
    {
        MPI_Comm_split(all, rank % 2, rank, &half);
        MPI_Intercomm_create(half, 0, all, 1 - rank % 2, 13, &inter);
        MPI_Comm_remote_size(inter, &others);
        for (int i = 1 - rank % 2; i < size; i += 2)
            sumOfOthers += i;
    }

    Comm half;
    Comm inter;
    int others = 0;
    int sumOfOthers = 0;
    const bool isEven = rank % 2 == 0;
    /// Of an operation whose root is the first even rank.
    const int root = !isEven ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
};

bool sidesTellOfThemselves()
{
    const Sides sides;
    int flag = 0;
    MPI_Comm_test_inter(sides.inter, &flag);
    int plain = 1;
    MPI_Comm_test_inter(all, &plain);
    Group remote;
    MPI_Comm_remote_group(sides.inter, &remote);
    int members = -1;
    MPI_Group_size(remote, &members);
    Comm copy;
    MPI_Comm_dup(sides.inter, &copy);
    return flag == 1 && plain == 0 && members == sides.others
        && members + sizeOf(sides.inter) == size && comparison(sides.inter, copy) == MPI_CONGRUENT;
}

bool messagesBetweenSides()
{
    const Sides sides;
    // Each sends to all of the other side, who know it by its place there.
    std::vector<MPI_Request> requests(static_cast<std::size_t>(sides.others));
    for (int i = 0; i < sides.others; ++i)
        MPI_Isend(&rank, 1, MPI_INT, i, 0, sides.inter, &at(requests, i));
    bool right = true;
    for (int i = 0; i < sides.others; ++i) {
        int value = -1;
        MPI_Status status;
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, sides.inter, &status);
        right = right && value == 2 * status.MPI_SOURCE + (sides.isEven ? 1 : 0);
    }
    MPI_Waitall(sides.others, requests.data(), MPI_STATUSES_IGNORE);
    return right;
}

bool rootsBetweenSides()
{
    const Sides sides;
    int value = rank == 0 ? 44 : -1;
    MPI_Bcast(&value, 1, MPI_INT, sides.root, sides.inter);
    bool right = value == (sides.isEven && rank != 0 ? -1 : 44);
    Values gathered(static_cast<std::size_t>(size), -1);
    MPI_Gather(&rank, 1, MPI_INT, gathered.data(), 1, MPI_INT, sides.root, sides.inter);
    for (int i = 0; rank == 0 && i < sides.others; ++i)
        right = right && at(gathered, i) == 2 * i + 1;
    int back = -1;
    MPI_Scatter(gathered.data(), 1, MPI_INT, &back, 1, MPI_INT, sides.root, sides.inter);
    int sum = -1;
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, sides.root, sides.inter);
    MPI_Barrier(sides.inter);
    return right && (sides.isEven || back == rank) && (rank != 0 || sum == sides.sumOfOthers);
}

bool allBetweenSides()
{
    const Sides sides;
    Values got(static_cast<std::size_t>(sides.others), -1);
    MPI_Allgather(&rank, 1, MPI_INT, got.data(), 1, MPI_INT, sides.inter);
    const Values out(got.size(), rank + 1);
    Values in(got.size(), -1);
    MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, sides.inter);
    bool right = true;
    for (int i = 0; i < sides.others; ++i)
        right = right && at(got, i) == 2 * i + (sides.isEven ? 1 : 0)
            && at(in, i) == at(got, i) + 1;
    int sum = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, sides.inter, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return right && sum == sides.sumOfOthers;
}

bool mergedSides()
{
    const Sides sides;
    Comm evensFirst;
    MPI_Intercomm_merge(sides.inter, sides.isEven ? 0 : 1, &evensFirst);
    Comm oddsFirst;
    MPI_Intercomm_merge(sides.inter, sides.isEven ? 1 : 0, &oddsFirst);
    const int evens = (size + 1) / 2;
    return sumIn(evensFirst, rank) == sumOfRanks()
        && rankIn(evensFirst) == (sides.isEven ? 0 : evens) + rank / 2
        && rankIn(oddsFirst) == (sides.isEven ? size / 2 : 0) + rank / 2;
}

/// Of both sides those with the same colour keep together.
bool splitSides()
{
    const Sides sides;
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(sides.inter, rank / 2 % 2, 0, &part);
    // Four ranks make two pairs; with two or three, one side of the second colour is empty.
    const int others = (sides.others + 1 - rank / 2 % 2) / 2;
    bool right = (part != MPI_COMM_NULL) == (others > 0);
    if (part != MPI_COMM_NULL) {
        int remote = -1;
        MPI_Comm_remote_size(part, &remote);
        int sum = -1;
        const int one = 1;
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, part);
        right = right && remote == others && sum == others;
        MPI_Comm_free(&part);
    }
    return right;
}

} // namespace

std::vector<Case> communicatorCases()
{
    return {
        {"compared", compared},
        {"copied with info", copiedWithInfo},
        {"copied later", copiedLater},
        {"split in three", splitInThree},
        {"split to the end", splitToTheEnd},
        {"split by memory", splitByMemory},
        {"created by all", createdByAll},
        {"created by members", createdByMembers},
        {"many communicators at once", manyAtOnce},
        {"freed before the message", freedBeforeTheMessage},
        {"named", named},
        {"attributes are deleted", attributesAreDeleted},
        {"attributes of late copies", attributesOfLateCopies},
        {"predefined attributes", predefinedAttributes},
        {"ranges of ranks", rangesOfRanks},
        {"sets of ranks", setsOfRanks},
        {"sides tell of themselves", withTwo<sidesTellOfThemselves>},
        {"messages between sides", withTwo<messagesBetweenSides>},
        {"roots between sides", withTwo<rootsBetweenSides>},
        {"all between sides", withTwo<allBetweenSides>},
        {"merged sides", withTwo<mergedSides>},
        {"split sides", withTwo<splitSides>},
    };
}

} // namespace worldcases
