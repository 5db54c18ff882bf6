// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts.h"

#include "real.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <numeric>
#include <utility>

namespace tasuki::world {

namespace {

/// From how many bytes on. Copies of shorter rows are made in memory that the process has already; of longer ones each has new pages.
constexpr std::size_t longBytes = std::size_t{128} * 1024;
constexpr std::size_t leastPartBytes = std::size_t{8} * 1024;
/// Longer rows are reduced in turns with so many bytes a rank, which stay in a core's cache.
constexpr std::size_t turnBytes = std::size_t{256} * 1024;

/// The parts of a row, or of a turn of it, in bytes from its begin.
class Parts {
public:
    Parts(std::size_t begin, std::size_t count, std::size_t ranks, std::size_t extent)
        : m_begin(begin), m_count(count), m_ranks(ranks), m_extent(extent)
    {}
    [[nodiscard]] std::size_t count(std::size_t rank) const
    {
        return first(rank + 1) - first(rank);
    }
    [[nodiscard]] std::size_t place(std::size_t rank) const
    {
        return (m_begin + first(rank)) * m_extent;
    }

private:
    [[nodiscard]] std::size_t first(std::size_t rank) const { return m_count * rank / m_ranks; }

    std::size_t m_begin;
    std::size_t m_count;
    std::size_t m_ranks;
    std::size_t m_extent;
};

std::size_t extentOf(MPI_Datatype type) { return static_cast<std::size_t>(shapeOf(type).extent); }

std::size_t elementsOfTurn(const Exchange& exchange, MPI_Datatype type)
{
    return std::max<std::size_t>(1, turnBytes / extentOf(type))
        * static_cast<std::size_t>(exchange.size());
}

/// This rank's part, of all ranks.
/// @param own   where it is to stand; what this rank has stands there already
/// @param from  the begin of the row that this rank has
/// @param theirs  room for a part
template <class Place, class Count>
Collective reducePart(Exchange exchange, std::byte* own, const std::byte* from, std::byte* theirs,
                      Place place, Count count, MPI_Datatype type, MPI_Op op)
{
    const auto size = static_cast<std::size_t>(exchange.size());
    const auto me = static_cast<std::size_t>(exchange.rank());
    int code = MPI_SUCCESS;
    for (std::size_t step = 1; step < size; ++step) {
        const std::size_t source = (me + size - step) % size;
        const std::size_t target = (me + step) % size;
        co_await Exchange::all(
            exchange.receive(static_cast<int>(source), theirs, count(me), type),
            exchange.send(static_cast<int>(target), from + place(target), count(target), type));
        if (code == MPI_SUCCESS)
            code = combine(theirs, own, count(me), type, op);
    }
    co_return code;
}

/// The same of parts of equal size. What this rank has is put where its part is to stand. Precondition: `parts` outlives it.
Collective reducePart(Exchange exchange, std::byte* own, const std::byte* from, std::byte* theirs,
                      const Parts& parts, MPI_Datatype type, MPI_Op op)
{
    const auto me = static_cast<std::size_t>(exchange.rank());
    if (own != from + parts.place(me))
        std::memcpy(own, from + parts.place(me), parts.count(me) * extentOf(type));
    return reducePart(
        exchange, own, from, theirs, [&parts](std::size_t rank) { return parts.place(rank); },
        [&parts](std::size_t rank) { return parts.count(rank); }, type, op);
}

} // namespace

int combine(const void* from, void* to, std::size_t count, MPI_Datatype type, MPI_Op op)
{
    for (std::size_t done = 0; done < count;) {
        const std::size_t now = std::min<std::size_t>(count - done, INT_MAX);
        const MPI_Aint bytes = static_cast<MPI_Aint>(done) * shapeOf(type).extent;
        const int code = real::Reduce_local(static_cast<const std::byte*>(from) + bytes,
                                            static_cast<std::byte*>(to) + bytes,
                                            static_cast<int>(now), type, op);
        if (code != MPI_SUCCESS)
            return code;
        done += now;
    }
    return MPI_SUCCESS;
}

bool goesInParts(const Exchange& exchange, std::size_t count, MPI_Datatype type, MPI_Op op)
{
    const TypeShape shape = shapeOf(type);
    const std::size_t bytes = count * static_cast<std::size_t>(shape.size);
    return exchange.size() > 1 && shape.plain && bytes > longBytes
        && bytes / static_cast<std::size_t>(exchange.size()) >= leastPartBytes && isBuiltIn(op);
}

Collective allreduceInParts(Exchange exchange, const void* from, Span to, MPI_Op op)
{
    const auto size = static_cast<std::size_t>(exchange.size());
    const auto me = static_cast<std::size_t>(exchange.rank());
    const std::size_t turn = elementsOfTurn(exchange, to.type);
    const auto* const in = static_cast<const std::byte*>(from);
    auto* const out = static_cast<std::byte*>(to.data);
    const Elements theirs(std::min(turn, to.count) / size + 1, to.type);
    for (std::size_t begin = 0; begin < to.count; begin += turn) {
        const Parts parts(begin, std::min(turn, to.count - begin), size, extentOf(to.type));
        std::byte* const own = out + parts.place(me);
        co_await Part(reducePart(exchange, own, in, static_cast<std::byte*>(theirs.begin()), parts,
                                 to.type, op));
        std::vector<std::unique_ptr<Request>> under;
        for (std::size_t step = 1; step < size; ++step) {
            const std::size_t source = (me + size - step) % size;
            under.push_back(exchange.receive(static_cast<int>(source), out + parts.place(source),
                                             parts.count(source), to.type));
            under.push_back(
                exchange.send(static_cast<int>((me + step) % size), own, parts.count(me), to.type));
        }
        co_await Exchange::all(std::move(under));
    }
    co_return MPI_SUCCESS;
}

Collective reduceInParts(Exchange exchange, const void* from, Span to, MPI_Op op, int root)
{
    const auto size = static_cast<std::size_t>(exchange.size());
    const auto me = static_cast<std::size_t>(exchange.rank());
    const bool isRoot = exchange.rank() == root;
    const std::size_t turn = elementsOfTurn(exchange, to.type);
    const auto* const in = static_cast<const std::byte*>(from);
    const std::size_t most = std::min(turn, to.count) / size + 1;
    const Elements theirs(most, to.type);
    const Elements elsewhere(isRoot ? 0 : most, to.type); // only the root has room for the whole
    for (std::size_t begin = 0; begin < to.count; begin += turn) {
        const Parts parts(begin, std::min(turn, to.count - begin), size, extentOf(to.type));
        auto* const out = static_cast<std::byte*>(to.data);
        auto* const own = isRoot ? out + parts.place(me)
                                 : static_cast<std::byte*>(elsewhere.begin());
        co_await Part(reducePart(exchange, own, in, static_cast<std::byte*>(theirs.begin()), parts,
                                 to.type, op));
        std::vector<std::unique_ptr<Request>> under;
        for (std::size_t rank = 0; isRoot && rank < size; ++rank) {
            if (rank != me)
                under.push_back(exchange.receive(static_cast<int>(rank), out + parts.place(rank),
                                                 parts.count(rank), to.type));
        }
        if (!isRoot)
            under.push_back(exchange.send(root, own, parts.count(me), to.type));
        co_await Exchange::all(std::move(under));
    }
    co_return MPI_SUCCESS;
}

Collective reduceScatterInParts(Exchange exchange, const void* from, void* to,
                                std::vector<std::size_t> counts, MPI_Datatype type, MPI_Op op)
{
    const auto me = static_cast<std::size_t>(exchange.rank());
    const auto* const in = static_cast<const std::byte*>(from);
    std::vector<std::size_t> places(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), places.begin(), std::size_t{0});
    const auto placeOf = [&](std::size_t rank) { return places[rank] * extentOf(type); };
    const Elements theirs(counts[me], type);
    // In place, others still read what stands where the result goes.
    const bool inPlace = from == to;
    const Elements aside(inPlace ? counts[me] : 0, type);
    auto* const own = static_cast<std::byte*>(inPlace ? aside.begin() : to);
    std::memcpy(own, in + placeOf(me), counts[me] * extentOf(type));
    co_await Part(reducePart(
        exchange, own, in, static_cast<std::byte*>(theirs.begin()), placeOf,
        [&](std::size_t rank) { return counts[rank]; }, type, op));
    if (inPlace)
        std::memcpy(to, own, counts[me] * extentOf(type));
    co_return MPI_SUCCESS;
}

} // namespace tasuki::world
