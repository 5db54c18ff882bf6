// SPDX-License-Identifier: GPL-3.0-or-later
#include "making.h"

#include "algorithms.h"
#include "betweensides.h"
#include "real.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tasuki::world {

int run(Program& program, Collective collective)
{
    program.wait([&] {
        collective.resume(program);
        return collective.isDone();
    });
    return collective.error();
}

Collective contextOf(Program& program, SharedCommunicator among, std::uint64_t& context)
{
    context = program.communicators().proposeContext(program.me());
    if (!among->isInter()) {
        co_await Part(broadcast({program, among}, {&context, 1, MPI_UINT64_T}, 0));
        co_return MPI_SUCCESS;
    }
    // Of the proposals of the first of each side, that of the lower rank.
    const Exchange between(program, among);
    const Exchange local(program, among->local);
    std::vector<std::uint64_t> theirs(static_cast<std::size_t>(among->remote->size()));
    Spans same = Spans::even(&context, 1, MPI_UINT64_T, among->remote->size());
    std::ranges::fill(same.places, 0);
    co_await Part(
        exchangeAllBetween(between, std::move(same),
                           Spans::even(theirs.data(), 1, MPI_UINT64_T, among->remote->size())));
    co_await Part(broadcast(local, {&context, 1, MPI_UINT64_T}, 0));
    if (among->remote->members.front() < among->group->members.front())
        context = theirs.front();
    co_return MPI_SUCCESS;
}

std::uint64_t agreeOnContext(Program& program, const SharedCommunicator& among)
{
    std::uint64_t context = 0;
    run(program, contextOf(program, among, context));
    return context;
}

std::uint64_t agreeAmong(Program& program, const SharedCommunicator& from, const Group& members,
                         int tag)
{
    // In the context of collective operations, whose tags are lower.
    constexpr int first = 1 << 30;
    std::uint64_t context = program.communicators().proposeContext(program.me());
    const int own = first + tag % first;
    const auto rankIn = [&](std::size_t place) {
        return from->group->rankOf(members.members[place]);
    };
    std::vector<std::unique_ptr<Request>> under;
    if (members.rankOf(program.me()) != 0) {
        under.push_back(program.beginReceive(from, from->context + 1, &context, sizeof context,
                                             MPI_BYTE, rankIn(0), own));
    } else {
        for (std::size_t place = 1; place < members.members.size(); ++place)
            under.push_back(program.beginSend(from, from->context + 1, Request::Mode::Standard,
                                              &context, sizeof context, MPI_BYTE, rankIn(place),
                                              own));
    }
    program.wait(
        [&] { return std::ranges::all_of(under, [](const auto& one) { return one->isDone(); }); });
    return context;
}

MPI_Comm makeCommunicator(Program& program, const Communicator& from, std::uint64_t context,
                          Group group)
{
    MPI_Comm handle = MPI_COMM_NULL;
    real::Comm_split(from.handle, 0, 0, &handle);
    auto made = std::make_shared<Communicator>();
    made->handle = handle;
    made->context = context;
    made->rank = group.rankOf(program.me());
    made->group = std::make_shared<const Group>(std::move(group));
    program.communicators().add(std::move(made));
    return handle;
}

void addSide(Communicator& communicator, Group remote)
{
    communicator.remote = std::make_shared<const Group>(std::move(remote));
    auto local = std::make_shared<Communicator>();
    local->handle = communicator.handle;
    local->context = communicator.context + 2;
    local->group = communicator.group;
    local->rank = communicator.rank;
    communicator.local = std::move(local);
}

void swapWith(Program& program, const SharedCommunicator& over, int peer, int tag, const void* out,
              std::size_t outBytes, void* in, std::size_t inBytes)
{
    const auto received = program.beginReceive(over, over->context, in, inBytes, MPI_BYTE, peer,
                                               tag);
    const auto sent = program.beginSend(over, over->context, Request::Mode::Standard, out, outBytes,
                                        MPI_BYTE, peer, tag);
    program.wait([&] { return received->isDone() && sent->isDone(); });
}

void exchangeBetween(Program& program, const SharedCommunicator& both, const void* out, void* in,
                     std::size_t bytes)
{
    const Exchange exchange(program, both);
    std::vector<std::unique_ptr<Request>> under;
    for (int peer = 0; peer < both->remote->size(); ++peer) {
        under.push_back(exchange.receive(
            peer, static_cast<std::byte*>(in) + static_cast<std::size_t>(peer) * bytes, bytes,
            MPI_BYTE));
        under.push_back(exchange.send(peer, out, bytes, MPI_BYTE));
    }
    program.wait(
        [&] { return std::ranges::all_of(under, [](const auto& one) { return one->isDone(); }); });
}

} // namespace tasuki::world
