// SPDX-License-Identifier: GPL-3.0-or-later
#include "datatype.h"

#include "real.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <cstring>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tasuki::world {

namespace {

struct KnownType {
    TypeShape shape;
    std::uint32_t asked = 0;   ///< bits of operations of MPI's own that were asked for
    std::uint32_t allowed = 0; ///< those of them that the type allows
};
std::mutex shapesMutex;
std::unordered_map<MPI_Datatype, KnownType> shapes;

/// MPI_ERRORS_RETURN as the handler of MPI_COMM_WORLD, as long as it lives: Open MPI takes that one for what belongs to no
/// communicator.
class ErrorsReturn {
public:
    ErrorsReturn()
    {
        real::Comm_get_errhandler(MPI_COMM_WORLD, &m_before);
        real::Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    }
    ErrorsReturn(const ErrorsReturn&) = delete;
    ErrorsReturn& operator=(const ErrorsReturn&) = delete;
    ~ErrorsReturn()
    {
        real::Comm_set_errhandler(MPI_COMM_WORLD, m_before);
        real::Errhandler_free(&m_before);
    }

private:
    MPI_Errhandler m_before = MPI_ERRHANDLER_NULL;
};

/// @return which operation of MPI's own it is; none: it is a user's
std::optional<unsigned> placeOf(MPI_Op op)
{
    static const std::array own{MPI_SUM,    MPI_MAX,    MPI_MIN,     MPI_PROD, MPI_LAND,
                                MPI_LOR,    MPI_LXOR,   MPI_BAND,    MPI_BOR,  MPI_BXOR,
                                MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP};
    const auto found = std::ranges::find(own, op);
    if (found == own.end())
        return std::nullopt;
    return static_cast<unsigned>(found - own.begin());
}

/// Whether a type is a row of equal predefined elements without gaps.
bool isRow(MPI_Datatype type)
{
    int integers = 0;
    int addresses = 0;
    int types = 0;
    int combiner = 0;
    if (real::Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS)
        return false;
    if (combiner == MPI_COMBINER_NAMED)
        return true;
    if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP)
        return false;
    std::vector<int> counts(static_cast<std::size_t>(std::max(1, integers)));
    std::vector<MPI_Aint> places(static_cast<std::size_t>(std::max(1, addresses)));
    MPI_Datatype inner = MPI_DATATYPE_NULL;
    if (real::Type_get_contents(type, integers, addresses, 1, counts.data(), places.data(), &inner)
        != MPI_SUCCESS)
        return false;
    const bool row = shapeOf(inner).plain;
    real::Type_get_envelope(inner, &integers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED) {
        forgetShape(inner); // the user may have freed it: it goes with the outer one
        real::Type_free(&inner);
    }
    return row;
}

TypeShape knownOrMeasured(MPI_Datatype type)
{
    {
        const std::scoped_lock lock(shapesMutex);
        if (const auto found = shapes.find(type); found != shapes.end())
            return found->second.shape;
    }
    TypeShape shape;
    MPI_Count size = 0;
    MPI_Aint lower = 0;
    real::Type_size_x(type, &size);
    real::Type_get_extent(type, &lower, &shape.extent);
    shape.size = static_cast<std::uint64_t>(std::max<MPI_Count>(0, size));
    shape.plain = lower == 0 && shape.extent == static_cast<MPI_Aint>(shape.size) && isRow(type);
    const std::scoped_lock lock(shapesMutex);
    shapes.emplace(type, KnownType{.shape = shape});
    return shape;
}

/// Counts what forgetShape() was called for: what a thread remembers by itself holds for as long as it stays the same.
std::atomic<std::uint64_t> forgotten = 0;

/// Packs in steps that an int can count.
template <class Step>
int inSteps(std::size_t count, const TypeShape& shape, Step step)
{
    const std::size_t most = std::max<std::size_t>(
        1, shape.size == 0 ? count : static_cast<std::size_t>(INT_MAX / 2) / shape.size);
    for (std::size_t done = 0; done < count;) {
        const std::size_t now = std::min(most, count - done);
        if (const int code = step(done, static_cast<int>(now)); code != MPI_SUCCESS)
            return code;
        done += now;
    }
    return MPI_SUCCESS;
}

} // namespace

TypeShape shapeOf(MPI_Datatype type)
{
    // Most calls are about the type of the last one.
    struct Last {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        std::uint64_t at = 0;
        TypeShape shape;
    };
    thread_local Last last;
    const std::uint64_t now = forgotten.load(std::memory_order_acquire);
    if (last.type != type || last.at != now)
        last = {type, now, knownOrMeasured(type)};
    return last.shape;
}

bool isBuiltIn(MPI_Op op) { return placeOf(op).has_value(); }

bool isReducible(MPI_Datatype type, MPI_Op op)
{
    const auto place = placeOf(op);
    if (!place)
        return true;
    const std::uint32_t bit = 1U << *place;
    shapeOf(type); // from now on it is known
    {
        const std::scoped_lock lock(shapesMutex);
        if (const KnownType& known = shapes[type]; (known.asked & bit) != 0)
            return (known.allowed & bit) != 0;
    }
    bool allowed = false;
    {
        const ErrorsReturn instead;
        allowed = real::Reduce_local(nullptr, nullptr, 0, type, op) == MPI_SUCCESS;
    }
    const std::scoped_lock lock(shapesMutex);
    KnownType& known = shapes[type];
    known.asked |= bit;
    known.allowed |= allowed ? bit : 0;
    return allowed;
}

void forgetShape(MPI_Datatype type)
{
    const std::scoped_lock lock(shapesMutex);
    shapes.erase(type);
    forgotten.fetch_add(1, std::memory_order_release);
}

Packed Packed::ofData(const void* buffer, std::size_t count, MPI_Datatype type)
{
    Packed packed = room(const_cast<void*>(buffer), count, type);
    if (!packed.m_copy)
        return packed;
    const TypeShape shape = shapeOf(type);
    inSteps(count, shape, [&](std::size_t done, int now) {
        int position = 0;
        return real::Pack(static_cast<const std::byte*>(buffer)
                              + static_cast<MPI_Aint>(done) * shape.extent,
                          now, type, packed.m_bytes + done * shape.size,
                          static_cast<int>(shape.size) * now, &position, MPI_COMM_SELF);
    });
    return packed;
}

Packed Packed::room(void* buffer, std::size_t count, MPI_Datatype type)
{
    const TypeShape shape = shapeOf(type);
    Packed packed;
    packed.m_size = count * shape.size;
    packed.m_buffer = buffer;
    packed.m_type = type;
    packed.m_bytes = static_cast<std::byte*>(buffer);
    if (!shape.plain && packed.m_size != 0) {
        packed.m_copy = std::make_unique_for_overwrite<std::byte[]>(packed.m_size);
        packed.m_bytes = packed.m_copy.get();
    }
    return packed;
}

int Packed::unpack(std::uint64_t bytes) const
{
    if (!m_copy || bytes == 0)
        return MPI_SUCCESS;
    const TypeShape shape = shapeOf(m_type);
    const auto whole = static_cast<std::size_t>(bytes / shape.size);
    auto* const begin = static_cast<std::byte*>(m_buffer);
    const int code = inSteps(whole, shape, [&](std::size_t done, int now) {
        int position = 0;
        return real::Unpack(m_bytes + done * shape.size, static_cast<int>(shape.size) * now,
                            &position, begin + static_cast<MPI_Aint>(done) * shape.extent, now,
                            m_type, MPI_COMM_SELF);
    });
    const auto rest = static_cast<std::size_t>(bytes % shape.size);
    if (rest == 0 || code != MPI_SUCCESS)
        return code;
    // A message that ends within an element: what it does not have stays as it is.
    std::byte* const last = begin + static_cast<MPI_Aint>(whole) * shape.extent;
    const Packed element = ofData(last, 1, m_type);
    std::memcpy(element.m_bytes, m_bytes + whole * shape.size, rest);
    return element.unpack(shape.size);
}

Elements::Elements(std::size_t count, MPI_Datatype type)
{
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    real::Type_get_true_extent(type, &lower, &extent);
    const MPI_Aint step = shapeOf(type).extent;
    const auto all = static_cast<MPI_Aint>(count == 0 ? 0 : count - 1) * (step < 0 ? -step : step)
        + extent;
    m_memory = std::make_unique_for_overwrite<std::byte[]>(
        static_cast<std::size_t>(std::max<MPI_Aint>(all, 1)));
    m_begin = m_memory.get() - lower
        + (step < 0 && count > 1 ? static_cast<MPI_Aint>(count - 1) * -step : 0);
}

void copyElements(const void* from, void* to, std::size_t count, MPI_Datatype type)
{
    if (from == to || count == 0)
        return;
    const Packed data = Packed::ofData(from, count, type);
    const Packed place = Packed::room(to, count, type);
    if (data.size() == 0)
        return;
    std::memmove(place.bytes(), data.bytes(), data.size());
    place.unpack(data.size());
}

} // namespace tasuki::world
