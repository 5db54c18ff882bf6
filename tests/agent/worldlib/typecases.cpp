// SPDX-License-Identifier: GPL-3.0-or-later
#include "worldcases.h"

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstring>
#include <string>

namespace worldcases {

namespace {

/// Places of a row of numbers that are in a message.
using Chosen = std::vector<int>;

/// Sends some of 100 numbers around, by a type, and receives them by the same type and as a plain row.
bool arrives(MPI_Datatype type, const Chosen& chosen, int count = 1)
{
    const auto out = numbers(100, rank);
    const auto theirs = numbers(100, before());
    std::vector<int> same(100, -1);
    std::vector<int> row(chosen.size(), -1);
    std::array<MPI_Request, 2> sent{};
    MPI_Isend(out.data(), count, type, next(), 1, all, &sent[0]);
    MPI_Isend(out.data(), count, type, next(), 2, all, &sent[1]);
    MPI_Recv(same.data(), count, type, before(), 1, all, MPI_STATUS_IGNORE);
    MPI_Status status;
    MPI_Recv(row.data(), static_cast<int>(row.size()), MPI_INT, before(), 2, all, &status);
    MPI_Waitall(2, sent.data(), MPI_STATUSES_IGNORE);
    std::vector<int> expected(100, -1);
    bool right = countOf(status) == static_cast<int>(chosen.size());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        at(expected, chosen[i]) = at(theirs, chosen[i]);
        right = right && row[i] == at(theirs, chosen[i]);
    }
    return right && same == expected;
}

bool indexed()
{
    const std::array lengths{2, 0, 1, 3};
    const std::array places{10, 0, 5, 20};
    Type type;
    MPI_Type_indexed(4, lengths.data(), places.data(), MPI_INT, &type);
    MPI_Type_commit(&type);
    return arrives(type, {10, 11, 5, 20, 21, 22});
}

bool indexedBytes()
{
    const std::array lengths{1, 2};
    const std::array<MPI_Aint, 2> places{40, 80};
    Type type;
    MPI_Type_create_hindexed(2, lengths.data(), places.data(), MPI_INT, &type);
    MPI_Type_commit(&type);
    return arrives(type, {10, 20, 21});
}

bool indexedBlocks()
{
    const std::array places{3, 30, 12};
    const std::array<MPI_Aint, 3> bytes{12, 120, 48};
    Type type;
    MPI_Type_create_indexed_block(3, 2, places.data(), MPI_INT, &type);
    MPI_Type_commit(&type);
    Type same;
    MPI_Type_create_hindexed_block(3, 2, bytes.data(), MPI_INT, &same);
    MPI_Type_commit(&same);
    const Chosen chosen{3, 4, 30, 31, 12, 13};
    const bool first = arrives(type, chosen);
    return arrives(same, chosen) && first;
}

bool vectorsOfVectors()
{
    Type pair;
    MPI_Type_vector(2, 1, 3, MPI_INT, &pair);
    Type pairs;
    MPI_Type_create_hvector(3, 1, 40, pair, &pairs);
    MPI_Type_commit(&pairs);
    return arrives(pairs, {0, 3, 10, 13, 20, 23});
}

/// Elements one after the other, each of which has its own extent.
bool resized()
{
    Type column;
    MPI_Type_vector(3, 1, 10, MPI_INT, &column);
    Type narrow;
    MPI_Type_create_resized(column, 0, sizeof(int), &narrow);
    MPI_Type_commit(&narrow);
    return arrives(narrow, {0, 10, 20, 1, 11, 21}, 2);
}

bool backwards()
{
    Type down;
    MPI_Type_vector(4, 1, -2, MPI_INT, &down);
    const int one = 1;
    const MPI_Aint place = 6 * sizeof(int);
    Type type;
    MPI_Type_create_struct(1, &one, &place, &down, &type);
    MPI_Type_commit(&type);
    return arrives(type, {6, 4, 2, 0});
}

bool subarray(int order)
{
    const std::array sizes{10, 10};
    const std::array parts{2, 3};
    const std::array starts{4, 1};
    Type type;
    MPI_Type_create_subarray(2, sizes.data(), parts.data(), starts.data(), order, MPI_INT, &type);
    MPI_Type_commit(&type);
    if (order == MPI_ORDER_C)
        return arrives(type, {41, 42, 43, 51, 52, 53});
    return arrives(type, {14, 15, 24, 25, 34, 35});
}

/// The blocks of all ranks make up the whole.
bool distributed(int distribution)
{
    const std::array whole{12, 14};
    const std::array kinds{distribution, MPI_DISTRIBUTE_BLOCK};
    const std::array arguments{MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    std::array<int, 2> processes{};
    MPI_Dims_create(size, 2, processes.data());
    Type type;
    MPI_Type_create_darray(size, rank, 2, whole.data(), kinds.data(), arguments.data(),
                           processes.data(), MPI_ORDER_C, MPI_INT, &type);
    MPI_Type_commit(&type);
    const auto values = numbers(12 * 14, 3);
    MPI_Request sent = MPI_REQUEST_NULL;
    MPI_Isend(values.data(), 1, type, 0, 4, all, &sent);
    std::vector<int> collected(values.size(), -1);
    for (int peer = 0; rank == 0 && peer < size; ++peer) {
        Type theirs;
        MPI_Type_create_darray(size, peer, 2, whole.data(), kinds.data(), arguments.data(),
                               processes.data(), MPI_ORDER_C, MPI_INT, &theirs);
        MPI_Type_commit(&theirs);
        MPI_Recv(collected.data(), 1, theirs, peer, 4, all, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    return rank != 0 || collected == values;
}

struct Particle {
    char kind;
    double place[3];
    int number;
    short flags[3];
};

void particleType(Type& type)
{
    const std::array lengths{1, 3, 1, 3};
    const std::array<MPI_Aint, 4> places{offsetof(Particle, kind), offsetof(Particle, place),
                                         offsetof(Particle, number), offsetof(Particle, flags)};
    const std::array types{MPI_CHAR, MPI_DOUBLE, MPI_INT, MPI_SHORT};
    Type bare;
    MPI_Type_create_struct(4, lengths.data(), places.data(), types.data(), &bare);
    MPI_Type_create_resized(bare, 0, sizeof(Particle), &type);
    MPI_Type_commit(&type);
}

Particle particle(int seed)
{
    return {static_cast<char>('a' + seed % 20),
            {seed + 0.5, seed * 2.0, -1.0 * seed},
            seed,
            {static_cast<short>(seed), 2, 3}};
}

bool isParticle(const Particle& one, int seed)
{
    const Particle other = particle(seed);
    return one.kind == other.kind && std::equal(one.place, one.place + 3, other.place)
        && one.number == other.number && std::equal(one.flags, one.flags + 3, other.flags);
}

bool structures(int count)
{
    Type type;
    particleType(type);
    std::vector<Particle> out;
    for (int i = 0; i < count; ++i)
        out.push_back(particle(rank * 10 + i));
    std::vector<Particle> in(out.size());
    MPI_Sendrecv(out.data(), count, type, next(), 5, in.data(), count, type, before(), 5, all,
                 MPI_STATUS_IGNORE);
    bool right = true;
    for (int i = 0; i < count; ++i)
        right = right && isParticle(at(in, i), before() * 10 + i);
    return right;
}

bool structuresForAll()
{
    Type type;
    particleType(type);
    const Particle own = particle(rank);
    std::vector<Particle> everybody(static_cast<std::size_t>(size));
    MPI_Allgather(&own, 1, type, everybody.data(), 1, type, all);
    Particle first = own;
    MPI_Bcast(&first, 1, type, size - 1, all);
    bool right = isParticle(first, size - 1);
    for (int i = 0; i < size; ++i)
        right = right && isParticle(at(everybody, i), i);
    return right;
}

/// Long, with gaps on one side only.
bool longWithGaps()
{
    constexpr int count = 200'000;
    Type gaps;
    MPI_Type_vector(count, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    const auto out = numbers(2 * count, rank);
    std::vector<int> row(count);
    MPI_Sendrecv(out.data(), 1, gaps, next(), 6, row.data(), count, MPI_INT, before(), 6, all,
                 MPI_STATUS_IGNORE);
    bool right = row[1] == before() * 1000 + 2 && row.back() == before() * 1000 + 2 * (count - 1);
    const auto plain = numbers(count, rank);
    std::vector<int> wide(out.size(), -1);
    MPI_Sendrecv(plain.data(), count, MPI_INT, next(), 7, wide.data(), 1, gaps, before(), 7, all,
                 MPI_STATUS_IGNORE);
    right = right && wide[1] == -1 && wide[2] == before() * 1000 + 1;
    return right && wide[2 * (count - 1)] == before() * 1000 + count - 1;
}

/// A square matrix that is spread by rows comes back by columns.
bool transposed()
{
    Type column;
    MPI_Type_vector(size, 1, size, MPI_INT, &column);
    Type narrow;
    MPI_Type_create_resized(column, 0, sizeof(int), &narrow);
    MPI_Type_commit(&narrow);
    std::vector<int> row;
    for (int i = 0; i < size; ++i)
        row.push_back(rank * 100 + i);
    std::vector<int> matrix(static_cast<std::size_t>(size * size));
    MPI_Gather(row.data(), size, MPI_INT, matrix.data(), 1, narrow, 0, all);
    bool right = true;
    for (int i = 0; rank == 0 && i < size * size; ++i)
        right = right && at(matrix, i) == i % size * 100 + i / size;
    std::vector<int> back(row.size());
    MPI_Scatter(matrix.data(), 1, narrow, back.data(), size, MPI_INT, 0, all);
    return right && back == row;
}

bool interleaved()
{
    Type column;
    MPI_Type_vector(4, 1, size, MPI_INT, &column);
    Type narrow;
    MPI_Type_create_resized(column, 0, sizeof(int), &narrow);
    MPI_Type_commit(&narrow);
    const auto own = numbers(4, rank);
    std::vector<int> whole(static_cast<std::size_t>(4 * size));
    MPI_Allgather(own.data(), 4, MPI_INT, whole.data(), 1, narrow, all);
    bool right = true;
    for (int i = 0; i < 4 * size; ++i)
        right = right && at(whole, i) == i % size * 1000 + i / size;
    return right;
}

bool eachOfItsOwn()
{
    // To rank i go i % 3 + 1 numbers of every second place.
    std::vector<Type> types(3);
    for (int i = 0; i < 3; ++i) {
        MPI_Type_vector(i + 1, 1, 2, MPI_INT, &at(types, i));
        MPI_Type_commit(&at(types, i));
    }
    const std::vector<int> ones(static_cast<std::size_t>(size), 1);
    std::vector<int> places;
    std::vector<MPI_Datatype> sent;
    const std::vector<MPI_Datatype> got(ones.size(), at(types, rank % 3));
    for (int i = 0; i < size; ++i) {
        places.push_back(i * 8 * static_cast<int>(sizeof(int)));
        sent.push_back(at(types, i % 3));
    }
    const auto out = numbers(8 * size, rank);
    std::vector<int> in(out.size(), -1);
    MPI_Alltoallw(out.data(), ones.data(), places.data(), sent.data(), in.data(), ones.data(),
                  places.data(), got.data(), all);
    bool right = true;
    for (int i = 0; i < size; ++i)
        for (int k = 0; k < 8; ++k)
            right = right
                && at(in, i * 8 + k)
                    == (k % 2 == 0 && k / 2 <= rank % 3 ? i * 1000 + rank * 8 + k : -1);
    return right;
}

bool fromBottom()
{
    auto values = numbers(5, rank);
    int single = rank;
    const std::array lengths{5, 1};
    std::array<MPI_Aint, 2> places{};
    MPI_Get_address(values.data(), &places[0]);
    MPI_Get_address(&single, &places[1]);
    Type type;
    MPI_Type_create_hindexed(2, lengths.data(), places.data(), MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Bcast(MPI_BOTTOM, 1, type, size - 1, all);
    const bool broadcast = isFrom(values, size - 1) && single == size - 1;
    std::ranges::copy(numbers(5, rank), values.begin());
    MPI_Sendrecv_replace(MPI_BOTTOM, 1, type, next(), 8, before(), 8, all, MPI_STATUS_IGNORE);
    return broadcast && isFrom(values, before()) && single == size - 1;
}

void sumOfPairs(void* first, void* second, int* count, MPI_Datatype*)
{
    const auto* in = static_cast<const int*>(first);
    auto* out = static_cast<int*>(second);
    for (int i = 0; i < *count; ++i, in += 3, out += 3) {
        out[0] += in[0];
        out[2] += in[2];
    }
}

/// What is between the parts of a type stays as it is.
bool reducedWithGaps()
{
    Type type;
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    Op op;
    MPI_Op_create(sumOfPairs, 1, &op);
    const std::array<int, 6> in{rank, 50, 1, 2 * rank, 60, 1};
    std::array<int, 6> out{-1, -2, -3, -4, -5, -6};
    MPI_Allreduce(in.data(), out.data(), 2, type, op, all);
    return out == std::array{sumOfRanks(), -2, size, 2 * sumOfRanks(), -5, size};
}

/// A message that ends within an element.
bool partOfAnElement()
{
    Type pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    const std::array out{1, 2, 3};
    std::array<int, 4> in{-1, -1, -1, -1};
    MPI_Status status;
    MPI_Sendrecv(out.data(), 3, MPI_INT, next(), 9, in.data(), 2, pair, before(), 9, all, &status);
    int elements = 0;
    MPI_Get_elements(&status, pair, &elements);
    MPI_Count many = 0;
    MPI_Get_elements_x(&status, pair, &many);
    return in == std::array{1, 2, 3, -1} && countOf(status, pair) == MPI_UNDEFINED && elements == 3
        && many == 3;
}

bool statusIsSet()
{
    MPI_Status status{};
    MPI_Status_set_elements(&status, MPI_DOUBLE, 6);
    MPI_Status_set_cancelled(&status, 1);
    int flag = 0;
    MPI_Test_cancelled(&status, &flag);
    MPI_Status large{};
    MPI_Status_set_elements_x(&large, MPI_INT, 9);
    return countOf(status, MPI_DOUBLE) == 6 && countOf(status, MPI_BYTE) == 48 && flag == 1
        && countOf(large) == 9;
}

/// Packed by a type, sent as MPI_PACKED, unpacked by another one.
bool packedByType()
{
    Type every;
    MPI_Type_vector(10, 1, 3, MPI_INT, &every);
    MPI_Type_commit(&every);
    int room = 0;
    MPI_Pack_size(1, every, all, &room);
    std::vector<char> bytes(static_cast<std::size_t>(room));
    const auto out = numbers(30, rank);
    int place = 0;
    MPI_Pack(out.data(), 1, every, bytes.data(), room, &place, all);
    std::vector<char> got(bytes.size());
    MPI_Status status;
    MPI_Sendrecv(bytes.data(), place, MPI_PACKED, next(), 10, got.data(), room, MPI_PACKED,
                 before(), 10, all, &status);
    std::vector<int> in(10);
    int from = 0;
    MPI_Unpack(got.data(), countOf(status, MPI_PACKED), &from, in.data(), 10, MPI_INT, all);
    return in[0] == before() * 1000 && in[9] == before() * 1000 + 27 && from == place;
}

/// What was packed arrives in the place of plain elements, too.
bool packedForPlain()
{
    const auto out = numbers(20, rank);
    std::array<char, 200> bytes{};
    int place = 0;
    MPI_Pack(out.data(), 20, MPI_INT, bytes.data(), 200, &place, all);
    std::vector<int> in(20);
    MPI_Sendrecv(bytes.data(), place, MPI_PACKED, next(), 11, in.data(), 20, MPI_INT, before(), 11,
                 all, MPI_STATUS_IGNORE);
    return isFrom(in, before());
}

bool packedForOthers()
{
    MPI_Aint room = 0;
    MPI_Pack_external_size("external32", 6, MPI_INT, &room);
    std::vector<char> bytes(static_cast<std::size_t>(room));
    const auto out = numbers(6, rank);
    MPI_Aint place = 0;
    MPI_Pack_external("external32", out.data(), 6, MPI_INT, bytes.data(), room, &place);
    std::vector<char> got(bytes.size());
    MPI_Sendrecv(bytes.data(), static_cast<int>(place), MPI_BYTE, next(), 12, got.data(),
                 static_cast<int>(room), MPI_BYTE, before(), 12, all, MPI_STATUS_IGNORE);
    std::vector<int> in(6);
    MPI_Aint from = 0;
    MPI_Unpack_external("external32", got.data(), room, &from, in.data(), 6, MPI_INT);
    return room == 24 && isFrom(in, before()) && got[3] == static_cast<char>(before() * 1000 % 256);
}

bool typesTellOfThemselves()
{
    Type inner;
    MPI_Type_vector(2, 3, 5, MPI_DOUBLE, &inner);
    Type copy;
    MPI_Type_dup(inner, &copy);
    MPI_Type_set_name(copy, "pairs of three");
    std::array<char, MPI_MAX_OBJECT_NAME> name{};
    int length = 0;
    MPI_Type_get_name(copy, name.data(), &length);
    int bytes = 0;
    MPI_Type_size(copy, &bytes);
    MPI_Aint lower = -1;
    MPI_Aint extent = 0;
    MPI_Type_get_extent(copy, &lower, &extent);
    int integers = 0;
    int addresses = 0;
    int types = 0;
    int combiner = 0;
    MPI_Type_get_envelope(inner, &integers, &addresses, &types, &combiner);
    return std::string(name.data()) == "pairs of three" && length == 14 && bytes == 48 && lower == 0
        && extent == 64 && integers == 3 && types == 1 && combiner == MPI_COMBINER_VECTOR;
}

/// A persistent request keeps the types that it was made with.
bool freedBeforeStart()
{
    MPI_Datatype every = MPI_DATATYPE_NULL;
    MPI_Type_vector(10, 1, 2, MPI_INT, &every);
    MPI_Type_commit(&every);
    const auto out = numbers(20, rank);
    std::vector<int> in(20, -1);
    std::array<MPI_Request, 2> requests{};
    MPI_Send_init(out.data(), 1, every, next(), 13, all, &requests[0]);
    MPI_Recv_init(in.data(), 1, every, before(), 13, all, &requests[1]);
    MPI_Type_free(&every);
    bool right = every == MPI_DATATYPE_NULL;
    for (int round = 0; round < 2; ++round) {
        std::ranges::fill(in, -1);
        MPI_Startall(2, requests.data());
        MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
        right = right && in[18] == before() * 1000 + 18 && in[19] == -1;
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    return right;
}

/// A new type at the place of one that was freed is another type.
bool typesThatComeAndGo()
{
    bool right = true;
    for (int gap = 1; gap <= 20; ++gap) {
        Type every;
        MPI_Type_vector(5, 1, gap, MPI_INT, &every);
        MPI_Type_commit(&every);
        Chosen chosen;
        for (int i = 0; i < 5; ++i)
            chosen.push_back(i * gap);
        right = arrives(every, chosen) && right;
    }
    return right;
}

/// The same of types that stand in others only: rows, forwards and backwards.
bool innerTypesThatComeAndGo()
{
    bool right = true;
    const std::array down{4, 3, 2, 1, 0};
    for (int i = 0; i < 20; ++i) {
        MPI_Datatype inner = MPI_DATATYPE_NULL;
        if (i % 2 == 0)
            MPI_Type_contiguous(5, MPI_INT, &inner);
        else
            MPI_Type_create_indexed_block(5, 1, down.data(), MPI_INT, &inner);
        Type outer;
        MPI_Type_contiguous(1, inner, &outer);
        MPI_Type_commit(&outer);
        MPI_Type_free(&inner);
        right = arrives(outer, i % 2 == 0 ? Chosen{0, 1, 2, 3, 4} : Chosen{4, 3, 2, 1, 0}) && right;
    }
    return right;
}

bool withoutContents()
{
    Type nothing;
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    int value = 5;
    MPI_Status status;
    MPI_Sendrecv(&value, 3, nothing, next(), 14, &value, 3, nothing, before(), 14, all, &status);
    MPI_Bcast(&value, 2, nothing, 0, all);
    return value == 5 && status.MPI_SOURCE == before() && countOf(status, MPI_BYTE) == 0;
}

template <class Value>
bool goesAround(MPI_Datatype type, Value (*make)(int))
{
    // A long double has bytes that say nothing, but are sent: in memory that was zero they are the same in each life.
    static std::array<Value, 3> out;
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = make(rank + static_cast<int>(i));
    std::array<Value, 3> in{};
    MPI_Status status;
    MPI_Sendrecv(out.data(), 3, type, next(), 15, in.data(), 3, type, before(), 15, all, &status);
    return countOf(status, type) == 3 && in[0] == make(before()) && in[2] == make(before() + 2);
}

bool predefined()
{
    using Complex = std::complex<double>;
    bool right = goesAround<long double>(MPI_LONG_DOUBLE, [](int i) { return i / 3.0L; });
    right = goesAround<Complex>(MPI_CXX_DOUBLE_COMPLEX, [](int i) { return Complex(i, -i); })
        && right;
    right = goesAround<bool>(MPI_CXX_BOOL, [](int i) { return i % 2 == 0; }) && right;
    right = goesAround<wchar_t>(MPI_WCHAR, [](int i) { return static_cast<wchar_t>(L'a' + i); })
        && right;
    right = goesAround<MPI_Aint>(MPI_AINT, [](int i) { return MPI_Aint{1} << (i + 30); }) && right;
    return goesAround<std::int8_t>(MPI_INT8_T, [](int i) { return static_cast<std::int8_t>(-i); })
        && right;
}

} // namespace

std::vector<Case> typeCases()
{
    return {
        {"indexed", indexed},
        {"indexed by bytes", indexedBytes},
        {"indexed blocks", indexedBlocks},
        {"vectors of vectors", vectorsOfVectors},
        {"resized", resized},
        {"backwards", backwards},
        {"part of an array", [] { return subarray(MPI_ORDER_C); }},
        {"part of an array of Fortran", [] { return subarray(MPI_ORDER_FORTRAN); }},
        {"spread in blocks", [] { return distributed(MPI_DISTRIBUTE_BLOCK); }},
        {"spread in turn", [] { return distributed(MPI_DISTRIBUTE_CYCLIC); }},
        {"structures", [] { return structures(10); }},
        {"many structures", [] { return structures(5'000); }},
        {"structures for all", structuresForAll},
        {"long with gaps", longWithGaps},
        {"transposed", transposed},
        {"interleaved", interleaved},
        {"each of its own type", eachOfItsOwn},
        {"from the bottom", fromBottom},
        {"reduced with gaps", reducedWithGaps},
        {"part of an element", partOfAnElement},
        {"status is set", statusIsSet},
        {"packed by type", packedByType},
        {"packed for plain elements", packedForPlain},
        {"packed for others", packedForOthers},
        {"types tell of themselves", typesTellOfThemselves},
        {"types freed before a start", freedBeforeStart},
        {"types that come and go", typesThatComeAndGo},
        {"inner types that come and go", innerTypesThatComeAndGo},
        {"types without contents", withoutContents},
        {"predefined types", predefined},
    };
}

} // namespace worldcases
