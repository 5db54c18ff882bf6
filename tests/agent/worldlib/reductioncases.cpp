// SPDX-License-Identifier: GPL-3.0-or-later
#include "worldcases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>

namespace worldcases {

namespace {

bool reducedInPlace()
{
    bool right = true;
    for (int root = 0; root < size; ++root) {
        std::array<int, 2> values{rank, 1};
        MPI_Reduce(rank == root ? MPI_IN_PLACE : values.data(), values.data(), 2, MPI_INT, MPI_SUM,
                   root, all);
        right = right
            && (rank == root ? values == std::array{sumOfRanks(), size}
                             : values == std::array{rank, 1});
    }
    int sum = rank + 1;
    MPI_Scan(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, all);
    int below = rank + 1;
    MPI_Exscan(MPI_IN_PLACE, &below, 1, MPI_INT, MPI_SUM, all);
    return right && sum == (rank + 1) * (rank + 2) / 2
        && (rank == 0 || below == rank * (rank + 1) / 2);
}

/// Rank i gets i numbers: the first one nothing.
bool reducedAndSpread()
{
    Values counts;
    for (int i = 0; i < size; ++i)
        counts.push_back(i);
    const int total = sumOfRanks();
    Values in = numbers(total, rank);
    Values out(static_cast<std::size_t>(rank), -1);
    MPI_Reduce_scatter(in.data(), out.data(), counts.data(), MPI_INT, MPI_SUM, all);
    bool right = true;
    for (int i = 0; i < rank; ++i)
        right = right && at(out, i) == 1000 * sumOfRanks() + size * (rank * (rank - 1) / 2 + i);
    MPI_Reduce_scatter(MPI_IN_PLACE, in.data(), counts.data(), MPI_INT, MPI_SUM, all);
    in.resize(out.size());
    Values even = numbers(2 * size, rank);
    MPI_Reduce_scatter_block(MPI_IN_PLACE, even.data(), 2, MPI_INT, MPI_MAX, all);
    return right && in == out && even[0] == (size - 1) * 1000 + 2 * rank;
}

/// Each operation, by what it does to the numbers of all ranks one after the other.
template <class Value>
bool reducesAs(MPI_Op op, MPI_Datatype type, Value (*own)(int), Value (*combine)(Value, Value))
{
    Value expected = own(0);
    for (int i = 1; i < size; ++i)
        expected = combine(expected, own(i));
    const std::array<Value, 3> in{own(rank), own(rank), own(rank)};
    std::array<Value, 3> out{};
    MPI_Allreduce(in.data(), out.data(), 3, type, op, all);
    return out[0] == expected && out[2] == expected;
}

bool wholeNumbers()
{
    using Number = long;
    const auto own = [](int i) { return Number{i % 3} + 1; };
    bool right = reducesAs<Number>(MPI_PROD, MPI_LONG, own,
                                   [](Number a, Number b) { return a * b; });
    right = reducesAs<Number>(MPI_MIN, MPI_LONG, own,
                              [](Number a, Number b) { return std::min(a, b); })
        && right;
    right = reducesAs<Number>(MPI_BAND, MPI_LONG, own, [](Number a, Number b) { return a & b; })
        && right;
    right = reducesAs<Number>(MPI_BOR, MPI_LONG, own, [](Number a, Number b) { return a | b; })
        && right;
    return reducesAs<Number>(MPI_BXOR, MPI_LONG, own, [](Number a, Number b) { return a ^ b; })
        && right;
}

bool truths()
{
    const auto own = [](int i) { return i % 2; };
    bool right = reducesAs<int>(MPI_LAND, MPI_INT, own,
                                [](int a, int b) { return a != 0 && b != 0 ? 1 : 0; });
    right = reducesAs<int>(MPI_LOR, MPI_INT, own,
                           [](int a, int b) { return a != 0 || b != 0 ? 1 : 0; })
        && right;
    return reducesAs<int>(MPI_LXOR, MPI_INT, own,
                          [](int a, int b) { return (a != 0) != (b != 0) ? 1 : 0; })
        && right;
}

bool brokenNumbers()
{
    using Complex = std::complex<double>;
    bool right = reducesAs<double>(
        MPI_MAX, MPI_DOUBLE, [](int i) { return std::sin(i); },
        [](double a, double b) { return std::max(a, b); });
    right = reducesAs<float>(
                MPI_SUM, MPI_FLOAT, [](int i) { return static_cast<float>(i) / 2; },
                [](float a, float b) { return a + b; })
        && right;
    return reducesAs<Complex>(
               MPI_SUM, MPI_CXX_DOUBLE_COMPLEX, [](int i) { return Complex(i, 2 * i); },
               [](Complex a, Complex b) { return a + b; })
        && right;
}

/// Of equal values the lowest place counts.
bool placesOfEqual()
{
    struct Place {
        int value;
        int place;
    };
    const std::array<Place, 2> in{Place{7, rank}, Place{rank == 0 ? 1 : rank % 2, rank}};
    std::array<Place, 2> most{};
    std::array<Place, 2> least{};
    MPI_Allreduce(in.data(), most.data(), 2, MPI_2INT, MPI_MAXLOC, all);
    MPI_Reduce(in.data(), least.data(), 2, MPI_2INT, MPI_MINLOC, 0, all);
    const bool least0 = rank != 0
        || (least[0].place == 0 && least[1].place == (size > 2 ? 2 : 0)
            && least[1].value == (size > 2 ? 0 : 1));
    return most[0].place == 0 && most[1].value == 1 && most[1].place == 0 && least0;
}

/// Sums of broken numbers depend on the order: it is the same everywhere.
bool sameBits(int count)
{
    std::vector<double> in;
    for (int i = 0; i < count; ++i)
        in.push_back(1.0 / (1 + rank * 7 + i % 1013) * (i % 2 == 0 ? 1 : 1e10));
    std::vector<double> out(in.size());
    MPI_Allreduce(in.data(), out.data(), count, MPI_DOUBLE, MPI_SUM, all);
    std::vector<double> first = out;
    MPI_Bcast(first.data(), count, MPI_DOUBLE, 0, all);
    double expected = 0;
    for (int i = 0; i < size; ++i)
        expected += 1.0 / (1 + i * 7);
    return std::memcmp(first.data(), out.data(), out.size() * sizeof(double)) == 0
        && std::abs(out[0] - expected) < 1e-12;
}

bool longReductions(int count)
{
    const auto in = numbers(count, rank);
    Values out(in.size());
    MPI_Allreduce(in.data(), out.data(), count, MPI_INT, MPI_SUM, all);
    bool right = true;
    for (int i = 0; i < count; ++i)
        right = right && at(out, i) == 1000 * sumOfRanks() + i * size;
    Values most(in);
    MPI_Allreduce(MPI_IN_PLACE, most.data(), count, MPI_INT, MPI_MAX, all);
    Values least(in.size());
    MPI_Reduce(in.data(), least.data(), count, MPI_INT, MPI_MIN, size - 1, all);
    return right && isFrom(most, size - 1) && (rank != size - 1 || isFrom(least, 0));
}

/// In place, and to each its part: the last rank gets most of them.
bool longParts()
{
    constexpr int each = 40'000;
    bool right = true;
    for (int root = 0; root < size; root += 2) {
        auto values = numbers(each * 3, rank);
        MPI_Reduce(rank == root ? MPI_IN_PLACE : values.data(), values.data(), each * 3, MPI_INT,
                   MPI_MAX, root, all);
        right = right && isFrom(values, rank == root ? size - 1 : rank);
    }
    Values counts = perRank(each);
    counts.back() = 2 * each;
    const int total = each * (size + 1);
    auto in = numbers(total, rank);
    Values out(static_cast<std::size_t>(at(counts, rank)), -1);
    MPI_Reduce_scatter(in.data(), out.data(), counts.data(), MPI_INT, MPI_SUM, all);
    for (int i = 0; i < at(counts, rank); ++i)
        right = right && at(out, i) == 1000 * sumOfRanks() + size * (rank * each + i);
    MPI_Reduce_scatter(MPI_IN_PLACE, in.data(), counts.data(), MPI_INT, MPI_SUM, all);
    in.resize(out.size());
    return right && in == out;
}

/// Reductions of long rows, which are not waited for, ended in the other order.
bool longLater()
{
    constexpr int count = 150'000;
    std::array<std::vector<double>, 3> values{};
    std::array<MPI_Request, 3> requests{};
    for (int i = 0; i < 3; ++i) {
        at(values, i).assign(count, rank + i);
        MPI_Iallreduce(MPI_IN_PLACE, at(values, i).data(), count, MPI_DOUBLE, MPI_SUM, all,
                       &at(requests, i));
    }
    bool right = true;
    for (int i = 2; i >= 0; --i) {
        MPI_Wait(&at(requests, i), MPI_STATUS_IGNORE);
        right = right && std::ranges::count(at(values, i), sumOfRanks() + i * size) == count;
    }
    return right;
}

/// Maps x -> a x + b modulo 100, as the number 100 a + b, one after the other: that is associative and does not commute.
int after(int first, int second)
{
    const int a = first / 100 * (second / 100) % 100;
    return a * 100 + (second / 100 * (first % 100) + second % 100) % 100;
}

void allAfter(void* first, void* second, int* count, MPI_Datatype*)
{
    const auto* in = static_cast<const int*>(first);
    auto* out = static_cast<int*>(second);
    for (int i = 0; i < *count; ++i)
        out[i] = after(in[i], out[i]);
}

int mapOf(int i) { return (2 * i + 3) * 100 + i + 1; }

bool prefixesInOrder()
{
    Op op;
    MPI_Op_create(allAfter, 0, &op);
    int upToThis = mapOf(0);
    int upToLast = mapOf(0);
    int upToBefore = 0;
    for (int i = 1; i < size; ++i) {
        if (i == rank)
            upToBefore = upToLast;
        upToLast = after(upToLast, mapOf(i));
        if (i == rank)
            upToThis = upToLast;
    }
    const int own = mapOf(rank);
    int scan = -1;
    MPI_Scan(&own, &scan, 1, MPI_INT, op, all);
    int below = -1;
    MPI_Exscan(&own, &below, 1, MPI_INT, op, all);
    const Values row = perRank(own);
    int part = -1;
    MPI_Reduce_scatter_block(row.data(), &part, 1, MPI_INT, op, all);
    int whole = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(&own, &whole, 1, MPI_INT, op, all, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    int commutative = 1;
    MPI_Op_commutative(op, &commutative);
    return commutative == 0 && scan == upToThis && (rank == 0 || below == upToBefore)
        && part == upToLast && whole == upToLast;
}

/// Long, so that other ways are taken than for few numbers.
bool longInOrder()
{
    constexpr int count = 50'000;
    Op op;
    MPI_Op_create(allAfter, 0, &op);
    int expected = mapOf(0);
    for (int i = 1; i < size; ++i)
        expected = after(expected, mapOf(i));
    const Values in(count, mapOf(rank));
    Values out(count, -1);
    MPI_Allreduce(in.data(), out.data(), count, MPI_INT, op, all);
    const bool right = std::ranges::count(out, expected) == count;
    MPI_Reduce(in.data(), out.data(), count, MPI_INT, op, size - 1, all);
    return right && std::ranges::count(out, expected) == count;
}

bool locally()
{
    const std::array in{1, 2, 3};
    std::array out{10, 20, 30};
    MPI_Reduce_local(in.data(), out.data(), 3, MPI_INT, MPI_SUM);
    int commutative = 0;
    MPI_Op_commutative(MPI_SUM, &commutative);
    return out == std::array{11, 22, 33} && commutative == 1;
}

} // namespace

std::vector<Case> reductionCases()
{
    std::vector<Case> list{
        {"reduced in place", reducedInPlace},
        {"reduced and spread", reducedAndSpread},
        {"whole numbers", wholeNumbers},
        {"truths", truths},
        {"broken numbers", brokenNumbers},
        {"places of equal values", placesOfEqual},
        {"prefixes in order", prefixesInOrder},
        {"long, in order", longInOrder},
        {"long parts", longParts},
        {"long, later", longLater},
        {"locally", locally},
    };
    for (const int count : {3, 8'191, 8'192, 100'003})
        list.push_back({"same bits", [count] { return sameBits(count); }});
    for (const int count : {2'049, 16'384, 300'001})
        list.push_back({"long reductions", [count] { return longReductions(count); }});
    return list;
}

} // namespace worldcases
