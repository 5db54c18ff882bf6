// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms.h"

#include "parts.h"
#include "real.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace tasuki::world {

namespace {

/// Messages of two ranks together that are so short do not wait for each other.
constexpr std::size_t shortBytes = std::size_t{8} * 1024;

/// What a rank gives itself. @return an MPI error code
int copyTo(const Span& from, const Span& to)
{
    const Packed data = Packed::ofData(from.data, from.count, from.type);
    const Packed place = Packed::room(to.data, to.count, to.type);
    const std::uint64_t bytes = std::min(data.size(), place.size());
    if (bytes != 0)
        std::memmove(place.bytes(), data.bytes(), bytes);
    const int code = place.unpack(bytes);
    return data.size() > place.size() ? MPI_ERR_TRUNCATE : code;
}

bool commutes(MPI_Op op)
{
    int commutative = 0;
    real::Op_commutative(op, &commutative);
    return commutative != 0;
}

} // namespace

Spans Spans::even(void* data, std::size_t count, MPI_Datatype type, int ranks)
{
    Spans spans;
    spans.data = data;
    const MPI_Aint step = static_cast<MPI_Aint>(count) * shapeOf(type).extent;
    for (int rank = 0; rank < ranks; ++rank) {
        spans.counts.push_back(count);
        spans.places.push_back(rank * step);
        spans.types.push_back(type);
    }
    return spans;
}

Spans Spans::uneven(void* data, const int* counts, const int* displacements, MPI_Datatype type,
                    int ranks)
{
    Spans spans;
    spans.data = data;
    const MPI_Aint extent = shapeOf(type).extent;
    for (int rank = 0; rank < ranks; ++rank) {
        spans.counts.push_back(static_cast<std::size_t>(counts[rank]));
        spans.places.push_back(displacements[rank] * extent);
        spans.types.push_back(type);
    }
    return spans;
}

Spans Spans::parts(void* data, const std::vector<std::size_t>& counts, MPI_Datatype type)
{
    Spans spans;
    spans.data = data;
    MPI_Aint place = 0;
    for (const std::size_t count : counts) {
        spans.counts.push_back(count);
        spans.places.push_back(place);
        spans.types.push_back(type);
        place += static_cast<MPI_Aint>(count) * shapeOf(type).extent;
    }
    return spans;
}

/// Dissemination: after round k each rank knows of 2^k others.
Collective barrier(Exchange exchange)
{
    const int size = exchange.size();
    for (int step = 1; step < size; step *= 2) {
        const int to = (exchange.rank() + step) % size;
        const int from = (exchange.rank() - step + size) % size;
        co_await Exchange::all(exchange.send(to, nullptr, 0, MPI_BYTE),
                               exchange.receive(from, nullptr, 0, MPI_BYTE));
    }
    co_return MPI_SUCCESS;
}

/// A binomial tree.
Collective broadcast(Exchange exchange, Span span, int root)
{
    const int size = exchange.size();
    const int place = (exchange.rank() - root + size) % size;
    int bit = 1;
    for (; bit < size; bit *= 2) {
        if ((place & bit) != 0) {
            const int from = (place - bit + root) % size;
            co_await Exchange::all(exchange.receive(from, span.data, span.count, span.type));
            break;
        }
    }
    std::vector<std::unique_ptr<Request>> sent;
    for (bit /= 2; bit > 0; bit /= 2) {
        if (place + bit < size)
            sent.push_back(
                exchange.send((place + bit + root) % size, span.data, span.count, span.type));
    }
    co_await Exchange::all(std::move(sent));
    co_return MPI_SUCCESS;
}

Collective gather(Exchange exchange, Span own, Spans all, int root)
{
    std::vector<std::unique_ptr<Request>> under;
    const bool inPlace = own.type == MPI_DATATYPE_NULL;
    int code = MPI_SUCCESS;
    for (int rank = 0; exchange.rank() == root && rank < exchange.size(); ++rank) {
        const Span span = all.of(rank);
        if (rank != root)
            under.push_back(exchange.receive(rank, span.data, span.count, span.type));
        else if (!inPlace)
            code = copyTo(own, span);
    }
    if (exchange.rank() != root)
        under.push_back(exchange.send(root, own.data, own.count, own.type));
    co_await Exchange::all(std::move(under));
    co_return code;
}

Collective scatter(Exchange exchange, Spans all, Span own, int root)
{
    std::vector<std::unique_ptr<Request>> under;
    const bool inPlace = own.type == MPI_DATATYPE_NULL;
    int code = MPI_SUCCESS;
    if (exchange.rank() != root)
        under.push_back(exchange.receive(root, own.data, own.count, own.type));
    for (int rank = 0; exchange.rank() == root && rank < exchange.size(); ++rank) {
        const Span span = all.of(rank);
        if (rank != root)
            under.push_back(exchange.send(rank, span.data, span.count, span.type));
        else if (!inPlace)
            code = copyTo(span, own);
    }
    co_await Exchange::all(std::move(under));
    co_return code;
}

/// A ring: in each step what came last is handed on.
Collective allgather(Exchange exchange, Span own, Spans all)
{
    const int size = exchange.size();
    const int rank = exchange.rank();
    const Span mine = all.of(rank);
    int code = MPI_SUCCESS;
    if (own.type != MPI_DATATYPE_NULL) // else it stands there already
        code = copyTo(own, mine);
    for (int step = 0; step + 1 < size; ++step) {
        const Span out = all.of((rank - step + size) % size);
        const Span in = all.of((rank - step - 1 + 2 * size) % size);
        co_await Exchange::all(
            exchange.receive((rank - 1 + size) % size, in.data, in.count, in.type),
            exchange.send((rank + 1) % size, out.data, out.count, out.type));
    }
    co_return code;
}

/// In each step with one partner, so that no rank is besieged: with short messages it is not.
Collective alltoall(Exchange exchange, Spans sent, Spans got, bool inPlace)
{
    const int size = exchange.size();
    const int rank = exchange.rank();
    std::vector<std::vector<std::byte>> copies; // of what will be written over
    for (int peer = 0; inPlace && peer < size; ++peer) {
        const Span span = got.of(peer);
        const Packed packed = Packed::ofData(span.data, span.count, span.type);
        copies.emplace_back(packed.bytes(), packed.bytes() + packed.size());
    }
    std::vector<std::unique_ptr<Request>> under;
    for (int step = 1; step < size; ++step) {
        const int to = (rank + step) % size;
        const int from = (rank - step + size) % size;
        const Span in = got.of(from);
        under.push_back(exchange.receive(from, in.data, in.count, in.type));
        std::size_t bytes = in.bytes();
        if (inPlace) {
            const auto& copy = copies[static_cast<std::size_t>(to)];
            under.push_back(exchange.send(to, copy.data(), copy.size(), MPI_BYTE));
            bytes += copy.size();
        } else {
            const Span out = sent.of(to);
            under.push_back(exchange.send(to, out.data, out.count, out.type));
            bytes += out.bytes();
        }
        if (bytes > shortBytes && step + 1 < size)
            co_await Exchange::all(std::exchange(under, {}));
    }
    const int code = inPlace ? MPI_SUCCESS : copyTo(sent.of(rank), got.of(rank));
    co_await Exchange::all(std::move(under));
    co_return code;
}

namespace {

/// A binomial tree in the order of ranks, so that operations that do not commute are right, too; then to the root.
Collective reduceByTree(Exchange exchange, const void* from, Span to, MPI_Op op, int root)
{
    const int size = exchange.size();
    const bool turned = commutes(op);
    const int shift = turned ? root : 0;
    const int place = (exchange.rank() - shift + size) % size;
    Elements mine(to.count, to.type);
    Elements theirs(to.count, to.type);
    copyElements(from, mine.begin(), to.count, to.type);
    int code = MPI_SUCCESS;
    for (int bit = 1; bit < size; bit *= 2) {
        if ((place & bit) != 0) {
            co_await Exchange::all(
                exchange.send((place - bit + shift) % size, mine.begin(), to.count, to.type));
            break;
        }
        if (place + bit >= size)
            continue;
        co_await Exchange::all(
            exchange.receive((place + bit + shift) % size, theirs.begin(), to.count, to.type));
        if (code == MPI_SUCCESS)
            code = combine(mine.begin(), theirs.begin(), to.count, to.type, op);
        std::swap(mine, theirs);
    }
    if (place == 0 && exchange.rank() == root)
        copyElements(mine.begin(), to.data, to.count, to.type);
    else if (place == 0)
        co_await Exchange::all(exchange.send(root, mine.begin(), to.count, to.type));
    else if (exchange.rank() == root && !turned)
        co_await Exchange::all(exchange.receive(0, to.data, to.count, to.type));
    co_return code;
}

/// Recursive doubling among the greatest power of two of ranks; what is more of them joins a neighbour. All compute the same,
/// in the order of ranks, so all get the same bits.
Collective allreduceByDoubling(Exchange exchange, const void* from, Span to, MPI_Op op)
{
    const int size = exchange.size();
    const int rank = exchange.rank();
    int power = 1;
    while (power * 2 <= size)
        power *= 2;
    const int more = size - power; // of the first 2 * more ranks each odd one stands for two
    Elements mine(to.count, to.type);
    Elements theirs(to.count, to.type);
    copyElements(from, mine.begin(), to.count, to.type);
    int code = MPI_SUCCESS;
    int place = rank - more;
    if (rank < 2 * more && rank % 2 == 0) {
        co_await Exchange::all(exchange.send(rank + 1, mine.begin(), to.count, to.type));
        co_await Exchange::all(exchange.receive(rank + 1, to.data, to.count, to.type));
        co_return code;
    }
    if (rank < 2 * more) {
        co_await Exchange::all(exchange.receive(rank - 1, theirs.begin(), to.count, to.type));
        code = combine(theirs.begin(), mine.begin(), to.count, to.type, op);
        place = rank / 2;
    }
    for (int bit = 1; bit < power; bit *= 2) {
        const int other = place ^ bit;
        const int peer = other < more ? other * 2 + 1 : other + more;
        co_await Exchange::all(exchange.receive(peer, theirs.begin(), to.count, to.type),
                               exchange.send(peer, mine.begin(), to.count, to.type));
        if (code != MPI_SUCCESS)
            continue;
        if (other < place) {
            code = combine(theirs.begin(), mine.begin(), to.count, to.type, op);
        } else {
            code = combine(mine.begin(), theirs.begin(), to.count, to.type, op);
            std::swap(mine, theirs);
        }
    }
    copyElements(mine.begin(), to.data, to.count, to.type);
    if (rank < 2 * more)
        co_await Exchange::all(exchange.send(rank - 1, to.data, to.count, to.type));
    co_return code;
}

Collective reduceAndScatter(Exchange exchange, const void* from, void* to,
                            std::vector<std::size_t> counts, MPI_Datatype type, MPI_Op op)
{
    const Exchange second = exchange.another();
    const std::size_t all = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    const Elements whole(all, type);
    co_await Part(reduce(exchange, from, {whole.begin(), all, type}, op, 0));
    co_await Part(scatter(second, Spans::parts(whole.begin(), counts, type),
                          {to, counts[static_cast<std::size_t>(exchange.rank())], type}, 0));
    co_return MPI_SUCCESS;
}

} // namespace

Collective reduce(Exchange exchange, const void* from, Span to, MPI_Op op, int root)
{
    if (goesInParts(exchange, to.count, to.type, op))
        return reduceInParts(std::move(exchange), from, to, op, root);
    return reduceByTree(std::move(exchange), from, to, op, root);
}

Collective allreduce(Exchange exchange, const void* from, Span to, MPI_Op op)
{
    if (goesInParts(exchange, to.count, to.type, op))
        return allreduceInParts(std::move(exchange), from, to, op);
    return allreduceByDoubling(std::move(exchange), from, to, op);
}

Collective reduceScatter(Exchange exchange, const void* from, void* to,
                         std::vector<std::size_t> counts, MPI_Datatype type, MPI_Op op)
{
    const std::size_t all = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    if (goesInParts(exchange, all, type, op))
        return reduceScatterInParts(std::move(exchange), from, to, std::move(counts), type, op);
    return reduceAndScatter(std::move(exchange), from, to, std::move(counts), type, op);
}

Collective scan(Exchange exchange, const void* from, Span to, MPI_Op op, bool exclusive)
{
    const int rank = exchange.rank();
    Elements partial(to.count, to.type); // of ranks around this one that are known
    Elements theirs(to.count, to.type);
    Elements below(to.count, to.type); // of ranks below this one, once there is any
    bool any = false;
    copyElements(from, partial.begin(), to.count, to.type);
    Elements own(to.count, to.type);
    copyElements(from, own.begin(), to.count, to.type);
    int code = MPI_SUCCESS;
    for (int bit = 1; bit < exchange.size(); bit *= 2) {
        const int peer = rank ^ bit;
        if (peer >= exchange.size())
            continue;
        co_await Exchange::all(exchange.receive(peer, theirs.begin(), to.count, to.type),
                               exchange.send(peer, partial.begin(), to.count, to.type));
        if (code != MPI_SUCCESS)
            continue;
        if (peer > rank) {
            code = combine(partial.begin(), theirs.begin(), to.count, to.type, op);
            std::swap(partial, theirs);
            continue;
        }
        if (any)
            code = combine(theirs.begin(), below.begin(), to.count, to.type, op);
        else
            copyElements(theirs.begin(), below.begin(), to.count, to.type);
        any = true;
        if (code == MPI_SUCCESS)
            code = combine(theirs.begin(), partial.begin(), to.count, to.type, op);
    }
    if (exclusive) {
        if (any)
            copyElements(below.begin(), to.data, to.count, to.type);
        co_return code;
    }
    if (any && code == MPI_SUCCESS)
        code = combine(below.begin(), own.begin(), to.count, to.type, op);
    copyElements(own.begin(), to.data, to.count, to.type);
    co_return code;
}

Collective neighbours(Exchange exchange, std::vector<int> sources, std::vector<int> destinations,
                      Spans sent, Spans got, bool mirrored)
{
    std::vector<std::unique_ptr<Request>> under;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const std::size_t place = mirrored ? i ^ 1U : i;
        const Span in = got.of(static_cast<int>(place));
        under.push_back(exchange.receive(sources[place], in.data, in.count, in.type));
    }
    for (std::size_t i = 0; i < destinations.size(); ++i) {
        const Span out = sent.of(static_cast<int>(i));
        under.push_back(exchange.send(destinations[i], out.data, out.count, out.type));
    }
    co_await Exchange::all(std::move(under));
    co_return MPI_SUCCESS;
}

} // namespace tasuki::world
