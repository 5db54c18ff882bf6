// SPDX-License-Identifier: GPL-3.0-or-later
// Communicators: made, compared and freed. All members of one agree on the context of the next.
#include "algorithms.h"
#include "checks.h"
#include "exported.h"
#include "making.h"
#include "real.h"

#include <algorithm>
#include <type_traits>
#include <vector>

namespace tasuki::world {

namespace {

/// What a rank says when a communicator is split.
struct Choice {
    std::uint64_t context; ///< that it proposes
    int colour;
    int key;
    int rank;
    int filling = 0;
};
// What lives of a rank send is compared, what stands between members too.
static_assert(std::has_unique_object_representations_v<Choice>);

/// Those of a side that have chosen a colour, by key and rank.
/// @param context  gets what the first of them proposes
Group chosen(const Group& side, const std::vector<Choice>& choices, int colour,
             std::uint64_t& context)
{
    std::vector<Choice> same;
    std::ranges::copy_if(choices, std::back_inserter(same),
                         [&](const Choice& one) { return one.colour == colour; });
    std::ranges::stable_sort(same, [](const Choice& a, const Choice& b) {
        return a.key != b.key ? a.key < b.key : a.rank < b.rank;
    });
    Group group;
    if (!same.empty())
        context = same.front().context;
    for (const Choice& one : same)
        group.members.push_back(side.members[static_cast<std::size_t>(one.rank)]);
    return group;
}

int split(const Call& call, const SharedCommunicator& from, int colour, int key, MPI_Comm* made)
{
    std::vector<Choice> choices(static_cast<std::size_t>(from->size()));
    Choice own{.context = call->communicators().proposeContext(call->me()),
               .colour = colour,
               .key = key,
               .rank = from->rank};
    run(*call,
        allgather({*call, from}, {&own, sizeof own, MPI_BYTE},
                  Spans::even(choices.data(), sizeof own, MPI_BYTE, from->size())));
    *made = MPI_COMM_NULL;
    if (colour == MPI_UNDEFINED)
        return MPI_SUCCESS;
    std::uint64_t context = 0;
    Group group = chosen(*from->group, choices, colour, context);
    *made = makeCommunicator(*call, *from, context, std::move(group));
    return MPI_SUCCESS;
}

/// Of those of the same colour on both sides a new one is made; of a colour that one side has not, none.
int splitBetween(const Call& call, const SharedCommunicator& from, int colour, int key,
                 MPI_Comm* made)
{
    std::vector<Choice> choices(static_cast<std::size_t>(from->size()));
    std::vector<Choice> theirs(static_cast<std::size_t>(from->remote->size()));
    Choice own{.context = call->communicators().proposeContext(call->me()),
               .colour = colour,
               .key = key,
               .rank = from->rank};
    run(*call,
        allgather({*call, from->local}, {&own, sizeof own, MPI_BYTE},
                  Spans::even(choices.data(), sizeof own, MPI_BYTE, from->size())));
    exchangeBetween(*call, from, &own, theirs.data(), sizeof own);
    *made = MPI_COMM_NULL;
    if (colour == MPI_UNDEFINED)
        return MPI_SUCCESS;
    std::uint64_t context = 0;
    std::uint64_t theirContext = 0;
    Group group = chosen(*from->group, choices, colour, context);
    Group remote = chosen(*from->remote, theirs, colour, theirContext);
    if (remote.members.empty())
        return MPI_SUCCESS;
    *made = makeCommunicator(*call, *from, std::max(context, theirContext), std::move(group));
    addSide(*call->communicators().find(*made), std::move(remote));
    return MPI_SUCCESS;
}

} // namespace

TASUKI_WORLD(int, Comm_size, MPI_Comm comm, int* size)
{
    const Call call("MPI_Comm_size");
    TASUKI_COMMUNICATOR(found, comm);
    *size = found->size();
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Comm_rank, MPI_Comm comm, int* rank)
{
    const Call call("MPI_Comm_rank");
    TASUKI_COMMUNICATOR(found, comm);
    *rank = found->rank;
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Comm_remote_size, MPI_Comm comm, int* size)
{
    const Call call("MPI_Comm_remote_size");
    TASUKI_COMMUNICATOR(found, comm);
    if (!found->isInter())
        return fail(comm, MPI_ERR_COMM);
    *size = found->remote->size();
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Comm_test_inter, MPI_Comm comm, int* flag)
{
    const Call call("MPI_Comm_test_inter");
    TASUKI_COMMUNICATOR(found, comm);
    *flag = found->isInter() ? 1 : 0;
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Comm_compare, MPI_Comm one, MPI_Comm other, int* result)
{
    const Call call("MPI_Comm_compare");
    TASUKI_COMMUNICATOR(first, one);
    TASUKI_COMMUNICATOR(second, other);
    const auto similar = [](const Group& a, const Group& b) -> int {
        if (a.members == b.members)
            return MPI_CONGRUENT;
        auto x = a.members;
        auto y = b.members;
        std::ranges::sort(x);
        std::ranges::sort(y);
        return x == y ? MPI_SIMILAR : MPI_UNEQUAL;
    };
    if (first == second) {
        *result = MPI_IDENT;
        return MPI_SUCCESS;
    }
    if (first->isInter() != second->isInter()) {
        *result = MPI_UNEQUAL;
        return MPI_SUCCESS;
    }
    *result = similar(*first->group, *second->group);
    if (first->isInter() && *result != MPI_UNEQUAL)
        *result = std::max(*result, similar(*first->remote, *second->remote));
    return MPI_SUCCESS;
}

namespace {

int duplicate(const char* name, MPI_Comm comm, MPI_Comm* made)
{
    const Call call(name);
    TASUKI_COMMUNICATOR(from, comm);
    const std::uint64_t context = agreeOnContext(*call, from);
    MPI_Comm handle = MPI_COMM_NULL;
    // Copies attributes, too, by functions of the user's.
    *made = MPI_COMM_NULL;
    if (const int code = real::Comm_dup(comm, &handle); code != MPI_SUCCESS)
        return fail(comm, code);
    auto copy = std::make_shared<Communicator>(*from);
    copy->handle = handle;
    copy->context = context;
    copy->operations = 0;
    if (copy->isInter())
        addSide(*copy, *copy->remote);
    call->communicators().add(std::move(copy));
    *made = handle;
    return MPI_SUCCESS;
}

} // namespace

TASUKI_WORLD(int, Comm_dup, MPI_Comm comm, MPI_Comm* made)
{
    return duplicate("MPI_Comm_dup", comm, made);
}

namespace {

/// Gives a communicator that is there already the context that all agree on.
Collective giveContext(Program& program, SharedCommunicator from, SharedCommunicator copy)
{
    std::uint64_t context = 0;
    co_await Part(contextOf(program, from, context));
    copy->context = context;
    if (copy->isInter())
        addSide(*copy, *copy->remote);
    co_return MPI_SUCCESS;
}

} // namespace

TASUKI_WORLD(int, Comm_idup, MPI_Comm comm, MPI_Comm* made, MPI_Request* handle)
{
    const Call call("MPI_Comm_idup");
    TASUKI_COMMUNICATOR(from, comm);
    if (const int code = real::Comm_dup(comm, made); code != MPI_SUCCESS)
        return fail(comm, code);
    auto copy = std::make_shared<Communicator>(*from);
    copy->handle = *made;
    copy->operations = 0;
    call->communicators().add(copy);
    auto request = std::make_unique<Request>();
    request->kind = Request::Kind::Collective;
    request->communicator = from;
    request->collective = std::make_unique<Collective>(giveContext(*call, from, std::move(copy)));
    request->collective->resume(*call);
    if (!request->collective->isDone())
        call->follow(*request->collective);
    *handle = request.release()->handle();
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Comm_dup_with_info, MPI_Comm comm, MPI_Info info, MPI_Comm* made)
{
    const int code = duplicate("MPI_Comm_dup_with_info", comm, made);
    if (code == MPI_SUCCESS && info != MPI_INFO_NULL)
        return real::Comm_set_info(*made, info);
    return code;
}

TASUKI_WORLD(int, Comm_split, MPI_Comm comm, int colour, int key, MPI_Comm* made)
{
    const Call call("MPI_Comm_split");
    TASUKI_COMMUNICATOR(from, comm);
    if (colour < 0 && colour != MPI_UNDEFINED)
        return fail(comm, MPI_ERR_ARG);
    return from->isInter() ? splitBetween(call, from, colour, key, made)
                           : split(call, from, colour, key, made);
}

TASUKI_WORLD(int, Comm_split_type, MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made)
{
    static_cast<void>(info);
    const Call call("MPI_Comm_split_type");
    TASUKI_COMMUNICATOR(from, comm);
    if (from->isInter())
        return fail(comm, MPI_ERR_COMM);
    if (type != MPI_UNDEFINED && type < MPI_COMM_TYPE_SHARED)
        return fail(comm, MPI_ERR_ARG);
    // Whatever is shared, it is shared on this host.
    const int host = static_cast<int>(::gethostid() & 0x7fffffff);
    return split(call, from, type == MPI_UNDEFINED ? MPI_UNDEFINED : host, key, made);
}

TASUKI_WORLD(int, Comm_create, MPI_Comm comm, MPI_Group group, MPI_Comm* made)
{
    const Call call("MPI_Comm_create");
    TASUKI_COMMUNICATOR(from, comm);
    const SharedGroup members = groupOf(group);
    if (!members)
        return fail(comm, MPI_ERR_GROUP);
    if (from->isInter()) // those in the group of their side make it
        return splitBetween(call, from,
                            members->rankOf(call->me()) == MPI_UNDEFINED ? MPI_UNDEFINED : 0,
                            members->rankOf(call->me()), made);
    const std::uint64_t context = agreeOnContext(*call, from);
    *made = members->rankOf(call->me()) == MPI_UNDEFINED
        ? MPI_COMM_NULL
        : makeCommunicator(*call, *from, context, *members);
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Comm_create_group, MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made)
{
    const Call call("MPI_Comm_create_group");
    TASUKI_COMMUNICATOR(from, comm);
    const SharedGroup members = groupOf(group);
    if (!members)
        return fail(comm, MPI_ERR_GROUP);
    TASUKI_CHECK(comm, checkSendTag(tag));
    if (members->rankOf(call->me()) == MPI_UNDEFINED) {
        *made = MPI_COMM_NULL;
        return MPI_SUCCESS;
    }
    // Only members call it: they agree among themselves, by messages of the old communicator that nobody else uses.
    const std::uint64_t context = agreeAmong(*call, from, *members, tag);
    *made = makeCommunicator(*call, *from, context, *members);
    return MPI_SUCCESS;
}

namespace {

int attribute(MPI_Comm comm, int key, void* value, int* flag)
{
    const int code = real::Comm_get_attr(comm, key, value, flag);
    // Open MPI knows of this process alone.
    if (code == MPI_SUCCESS && *flag != 0 && key == MPI_UNIVERSE_SIZE
        && Program::current() != nullptr) {
        static const int ranks = static_cast<int>(Program::current()->endpoint().ranks());
        *static_cast<const int**>(value) = &ranks;
    }
    return code;
}

} // namespace

TASUKI_WORLD(int, Comm_get_attr, MPI_Comm comm, int key, void* value, int* flag)
{
    return attribute(comm, key, value, flag);
}
TASUKI_WORLD(int, Attr_get, MPI_Comm comm, int key, void* value, int* flag)
{
    return attribute(comm, key, value, flag);
}

TASUKI_WORLD(int, Comm_free, MPI_Comm* comm)
{
    const Call call("MPI_Comm_free");
    TASUKI_COMMUNICATOR(found, *comm);
    if (*comm == MPI_COMM_WORLD || *comm == MPI_COMM_SELF)
        return fail(*comm, MPI_ERR_COMM);
    MPI_Comm handle = *comm;
    // Functions of attributes may still use it.
    if (const int code = real::Comm_free(&handle); code != MPI_SUCCESS)
        return fail(*comm, code);
    call->communicators().remove(*comm);
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Comm_disconnect, MPI_Comm* comm) { return MPI_Comm_free(comm); }

TASUKI_WORLD(int, Comm_get_parent, MPI_Comm* parent)
{
    *parent = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Intercomm_create, MPI_Comm own, int leader, MPI_Comm bridge, int remoteLeader,
             int tag, MPI_Comm* made)
{
    const Call call("MPI_Intercomm_create");
    TASUKI_COMMUNICATOR(side, own);
    TASUKI_CHECK(own, checkRoot(*side, leader));
    // Leaders tell each other their side and the context that it wants, and then the others of it.
    struct Offer {
        std::uint64_t context;
        std::uint64_t ranks;
    };
    std::uint64_t context = agreeOnContext(*call, side);
    std::vector<WorldRank> remote;
    Offer theirs{};
    if (side->rank == leader) {
        const auto over = call.communicator(bridge);
        if (!over)
            return fail(own, MPI_ERR_COMM);
        TASUKI_CHECK(bridge, checkDestination(*over, remoteLeader));
        const Offer ours{context, static_cast<std::uint64_t>(side->size())};
        swapWith(*call, over, remoteLeader, tag, &ours, sizeof ours, &theirs, sizeof theirs);
        remote.resize(theirs.ranks);
        swapWith(*call, over, remoteLeader, tag, side->group->members.data(),
                 side->group->members.size() * sizeof(WorldRank), remote.data(),
                 remote.size() * sizeof(WorldRank));
    }
    run(*call, broadcast({*call, side}, {&theirs, sizeof theirs, MPI_BYTE}, leader));
    remote.resize(theirs.ranks);
    run(*call,
        broadcast({*call, side}, {remote.data(), remote.size() * sizeof(WorldRank), MPI_BYTE},
                  leader));
    context = std::max(context, theirs.context);
    *made = makeCommunicator(*call, *side, context, *side->group);
    addSide(*call->communicators().find(*made), Group{std::move(remote)});
    return MPI_SUCCESS;
}

TASUKI_WORLD(int, Intercomm_merge, MPI_Comm comm, int high, MPI_Comm* made)
{
    const Call call("MPI_Intercomm_merge");
    TASUKI_COMMUNICATOR(both, comm);
    if (!both->isInter())
        return fail(comm, MPI_ERR_COMM);
    std::vector<int> wishes(static_cast<std::size_t>(both->remote->size()));
    exchangeBetween(*call, both, &high, wishes.data(), sizeof high);
    const std::uint64_t context = agreeOnContext(*call, both);
    const bool theyAreHigh = wishes.front() != 0;
    const bool weAreHigh = high != 0;
    // Of equal wishes the side of the lowest rank comes first.
    const bool weAreFirst = weAreHigh != theyAreHigh
        ? !weAreHigh
        : both->group->members.front() < both->remote->members.front();
    Group all = weAreFirst ? *both->group : *both->remote;
    const Group& others = weAreFirst ? *both->remote : *both->group;
    all.members.insert(all.members.end(), others.members.begin(), others.members.end());
    *made = makeCommunicator(*call, *both, context, std::move(all));
    return MPI_SUCCESS;
}

} // namespace tasuki::world
