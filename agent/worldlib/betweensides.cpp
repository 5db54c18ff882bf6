// SPDX-License-Identifier: GPL-3.0-or-later
#include "betweensides.h"

#include <numeric>
#include <utility>

/// What an operation does among its own side is begun with it: ranks that have several under way begin all in the same order.
namespace tasuki::world {

Collective barrierBetween(Exchange exchange)
{
    const Exchange first = exchange.local();
    const Exchange second = exchange.local();
    co_await Part(barrier(first));
    if (exchange.rank() == 0)
        co_await Exchange::all(exchange.receive(0, nullptr, 0, MPI_BYTE),
                               exchange.send(0, nullptr, 0, MPI_BYTE));
    co_await Part(barrier(second));
    co_return MPI_SUCCESS;
}

Collective broadcastBetween(Exchange exchange, Span span, int root)
{
    const Exchange local = exchange.local();
    if (root == MPI_ROOT)
        co_await Exchange::all(exchange.send(0, span.data, span.count, span.type));
    if (root < 0)
        co_return MPI_SUCCESS;
    if (exchange.rank() == 0)
        co_await Exchange::all(exchange.receive(root, span.data, span.count, span.type));
    co_await Part(broadcast(local, span, 0));
    co_return MPI_SUCCESS;
}

Collective gatherBetween(Exchange exchange, Span own, Spans all, int root)
{
    std::vector<std::unique_ptr<Request>> under;
    for (int peer = 0; root == MPI_ROOT && peer < exchange.remoteSize(); ++peer) {
        const Span span = all.of(peer);
        under.push_back(exchange.receive(peer, span.data, span.count, span.type));
    }
    if (root >= 0)
        under.push_back(exchange.send(root, own.data, own.count, own.type));
    co_await Exchange::all(std::move(under));
    co_return MPI_SUCCESS;
}

Collective scatterBetween(Exchange exchange, Spans all, Span own, int root)
{
    std::vector<std::unique_ptr<Request>> under;
    for (int peer = 0; root == MPI_ROOT && peer < exchange.remoteSize(); ++peer) {
        const Span span = all.of(peer);
        under.push_back(exchange.send(peer, span.data, span.count, span.type));
    }
    if (root >= 0)
        under.push_back(exchange.receive(root, own.data, own.count, own.type));
    co_await Exchange::all(std::move(under));
    co_return MPI_SUCCESS;
}

Collective exchangeAllBetween(Exchange exchange, Spans sent, Spans got)
{
    std::vector<std::unique_ptr<Request>> under;
    for (int peer = 0; peer < exchange.remoteSize(); ++peer) {
        const Span in = got.of(peer);
        const Span out = sent.of(peer);
        under.push_back(exchange.receive(peer, in.data, in.count, in.type));
        under.push_back(exchange.send(peer, out.data, out.count, out.type));
    }
    co_await Exchange::all(std::move(under));
    co_return MPI_SUCCESS;
}

Collective reduceBetween(Exchange exchange, const void* from, Span to, MPI_Op op, int root)
{
    const Exchange local = exchange.local();
    if (root == MPI_ROOT)
        co_await Exchange::all(exchange.receive(0, to.data, to.count, to.type));
    if (root < 0)
        co_return MPI_SUCCESS;
    const Elements whole(to.count, to.type);
    co_await Part(reduce(local, from, {whole.begin(), to.count, to.type}, op, 0));
    if (exchange.rank() == 0)
        co_await Exchange::all(exchange.send(root, whole.begin(), to.count, to.type));
    co_return MPI_SUCCESS;
}

Collective allreduceBetween(Exchange exchange, const void* from, Span to, MPI_Op op)
{
    const Exchange first = exchange.local();
    const Exchange second = exchange.local();
    const Elements whole(to.count, to.type);
    co_await Part(reduce(first, from, {whole.begin(), to.count, to.type}, op, 0));
    if (exchange.rank() == 0)
        co_await Exchange::all(exchange.receive(0, to.data, to.count, to.type),
                               exchange.send(0, whole.begin(), to.count, to.type));
    co_await Part(broadcast(second, to, 0));
    co_return MPI_SUCCESS;
}

Collective reduceScatterBetween(Exchange exchange, const void* from, void* to,
                                std::vector<std::size_t> counts, MPI_Datatype type, MPI_Op op)
{
    const Exchange first = exchange.local();
    const Exchange second = exchange.local();
    const std::size_t all = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    const Elements ours(all, type);
    const Elements theirs(all, type);
    co_await Part(reduce(first, from, {ours.begin(), all, type}, op, 0));
    if (exchange.rank() == 0)
        co_await Exchange::all(exchange.receive(0, theirs.begin(), all, type),
                               exchange.send(0, ours.begin(), all, type));
    co_await Part(scatter(second, Spans::parts(theirs.begin(), counts, type),
                          {to, counts[static_cast<std::size_t>(exchange.rank())], type}, 0));
    co_return MPI_SUCCESS;
}

} // namespace tasuki::world
