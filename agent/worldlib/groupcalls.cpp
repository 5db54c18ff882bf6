// SPDX-License-Identifier: GPL-3.0-or-later
// Groups: who is in them, and in which order.
#include "checks.h"
#include "exported.h"
#include "fortrannumbers.h"
#include "real.h"

#include <algorithm>
#include <set>
#include <vector>

namespace tasuki::world {

namespace {

#define TASUKI_GROUP(variable, handle)                                                             \
    const SharedGroup variable = groupOf(handle);                                                  \
    if (!(variable))                                                                               \
    return fail(MPI_COMM_WORLD, MPI_ERR_GROUP)

int made(Group group, MPI_Group* handle)
{
    *handle = handleOf(std::make_shared<const Group>(std::move(group)));
    return MPI_SUCCESS;
}

/// The places that ranges name; none: one of them names no place, or one twice.
bool placesOf(const Group& group, int count, int (*ranges)[3], std::vector<int>& places)
{
    std::set<int> seen;
    for (int i = 0; i < count; ++i) {
        const int first = ranges[i][0];
        const int last = ranges[i][1];
        const int step = ranges[i][2];
        if (step == 0 || (first < last && step < 0) || (first > last && step > 0))
            return false;
        for (int place = first; step > 0 ? place <= last : place >= last; place += step) {
            if (place < 0 || place >= group.size() || !seen.insert(place).second)
                return false;
            places.push_back(place);
        }
    }
    return true;
}

bool areOnce(const Group& group, int count, const int* places)
{
    std::set<int> seen;
    return std::all_of(places, places + count, [&](int place) {
        return place >= 0 && place < group.size() && seen.insert(place).second;
    });
}

Group without(const Group& group, const std::vector<int>& places)
{
    Group rest;
    for (int place = 0; place < group.size(); ++place)
        if (std::find(places.begin(), places.end(), place) == places.end())
            rest.members.push_back(group.members[static_cast<std::size_t>(place)]);
    return rest;
}

Group with(const Group& group, const std::vector<int>& places)
{
    Group some;
    for (const int place : places)
        some.members.push_back(group.members[static_cast<std::size_t>(place)]);
    return some;
}

} // namespace

TASUKI_WORLD(int, Comm_group, MPI_Comm comm, MPI_Group* group)
{
    const Call call("MPI_Comm_group");
    TASUKI_COMMUNICATOR(found, comm);
    *group = handleOf(found->group);
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Comm_remote_group, MPI_Comm comm, MPI_Group* group)
{
    const Call call("MPI_Comm_remote_group");
    const auto found = call.communicator(comm);
    if (!found || !found->isInter())
        return fail(found ? comm : MPI_COMM_WORLD, MPI_ERR_COMM);
    *group = handleOf(found->remote);
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Group_size, MPI_Group handle, int* size)
{
    TASUKI_GROUP(group, handle);
    *size = group->size();
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Group_rank, MPI_Group handle, int* rank)
{
    const Call call("MPI_Group_rank");
    TASUKI_GROUP(group, handle);
    *rank = group->rankOf(call->me());
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Group_translate_ranks, MPI_Group one, int count, const int* places,
             MPI_Group other, int* translated)
{
    TASUKI_GROUP(from, one);
    TASUKI_GROUP(to, other);
    for (int i = 0; i < count; ++i) {
        if (places[i] == MPI_PROC_NULL) {
            translated[i] = MPI_PROC_NULL;
            continue;
        }
        if (places[i] < 0 || places[i] >= from->size())
            return fail(MPI_COMM_WORLD, MPI_ERR_RANK);
        translated[i] = to->rankOf(from->members[static_cast<std::size_t>(places[i])]);
    }
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Group_compare, MPI_Group one, MPI_Group other, int* result)
{
    TASUKI_GROUP(first, one);
    TASUKI_GROUP(second, other);
    auto a = first->members;
    auto b = second->members;
    *result = MPI_IDENT;
    if (a == b)
        return MPI_SUCCESS;
    std::ranges::sort(a);
    std::ranges::sort(b);
    *result = a == b ? MPI_SIMILAR : MPI_UNEQUAL;
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Group_union, MPI_Group one, MPI_Group other, MPI_Group* result)
{
    TASUKI_GROUP(first, one);
    TASUKI_GROUP(second, other);
    Group all = *first;
    for (const WorldRank member : second->members)
        if (first->rankOf(member) == MPI_UNDEFINED)
            all.members.push_back(member);
    return made(std::move(all), result);
}

TASUKI_WORLD(int, Group_intersection, MPI_Group one, MPI_Group other, MPI_Group* result)
{
    TASUKI_GROUP(first, one);
    TASUKI_GROUP(second, other);
    Group both;
    for (const WorldRank member : first->members)
        if (second->rankOf(member) != MPI_UNDEFINED)
            both.members.push_back(member);
    return made(std::move(both), result);
}

TASUKI_WORLD(int, Group_difference, MPI_Group one, MPI_Group other, MPI_Group* result)
{
    TASUKI_GROUP(first, one);
    TASUKI_GROUP(second, other);
    Group rest;
    for (const WorldRank member : first->members)
        if (second->rankOf(member) == MPI_UNDEFINED)
            rest.members.push_back(member);
    return made(std::move(rest), result);
}

TASUKI_WORLD(int, Group_incl, MPI_Group handle, int count, const int* places, MPI_Group* result)
{
    TASUKI_GROUP(group, handle);
    if (!areOnce(*group, count, places))
        return fail(MPI_COMM_WORLD, MPI_ERR_RANK);
    return made(with(*group, {places, places + count}), result);
}

TASUKI_WORLD(int, Group_excl, MPI_Group handle, int count, const int* places, MPI_Group* result)
{
    TASUKI_GROUP(group, handle);
    if (!areOnce(*group, count, places))
        return fail(MPI_COMM_WORLD, MPI_ERR_RANK);
    return made(without(*group, {places, places + count}), result);
}

TASUKI_WORLD(int, Group_range_incl, MPI_Group handle, int count, int ranges[][3], MPI_Group* result)
{
    TASUKI_GROUP(group, handle);
    std::vector<int> places;
    if (!placesOf(*group, count, ranges, places))
        return fail(MPI_COMM_WORLD, MPI_ERR_RANK);
    return made(with(*group, places), result);
}

TASUKI_WORLD(int, Group_range_excl, MPI_Group handle, int count, int ranges[][3], MPI_Group* result)
{
    TASUKI_GROUP(group, handle);
    std::vector<int> places;
    if (!placesOf(*group, count, ranges, places))
        return fail(MPI_COMM_WORLD, MPI_ERR_RANK);
    return made(without(*group, places), result);
}

TASUKI_WORLD(MPI_Fint, Group_c2f, MPI_Group handle)
{
    return handle == MPI_GROUP_NULL || handle == MPI_GROUP_EMPTY || !groupOf(handle)
        ? real::Group_c2f(handle)
        : fortranOf(handle);
}

TASUKI_WORLD(MPI_Group, Group_f2c, MPI_Fint number)
{
    void* const found = handleOfFortran(number);
    return found == nullptr ? real::Group_f2c(number) : static_cast<MPI_Group>(found);
}

TASUKI_WORLD(int, Group_free, MPI_Group* handle)
{
    TASUKI_GROUP(group, *handle);
    freeGroup(*handle);
    *handle = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}

} // namespace tasuki::world
