// SPDX-License-Identifier: GPL-3.0-or-later
#include "worldcases.h"

#include <algorithm>
#include <array>

namespace worldcases {

namespace {

bool broadcasts(int count)
{
    bool right = true;
    for (int root = 0; root < size; ++root) {
        auto values = numbers(count, rank == root ? root : -1);
        MPI_Bcast(values.data(), count, MPI_INT, root, all);
        right = right && isFrom(values, root);
    }
    return right;
}

bool reductions()
{
    bool right = true;
    for (int root = 0; root < size; ++root) {
        const std::array<int, 3> in{rank, -rank, 1};
        std::array<int, 3> out{};
        MPI_Reduce(in.data(), out.data(), 3, MPI_INT, MPI_SUM, root, all);
        const int sum = size * (size - 1) / 2;
        right = right && (rank != root || (out[0] == sum && out[1] == -sum && out[2] == size));
    }
    return right;
}

/// (a, b) then (c, d) is (a c, b c + d): in another order it is something else.
void compose(void* first, void* second, int* count, MPI_Datatype*)
{
    const auto* a = static_cast<const long*>(first);
    auto* b = static_cast<long*>(second);
    for (int i = 0; i < *count; ++i) {
        const long scale = a[2 * i] * b[2 * i] % 1'000'003;
        const long shift = (a[2 * i + 1] * b[2 * i] + b[2 * i + 1]) % 1'000'003;
        b[2 * i] = scale;
        b[2 * i + 1] = shift;
    }
}

bool inOrder(bool toAll)
{
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_LONG, &pair);
    MPI_Type_commit(&pair);
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(compose, 0, &op);
    std::array<long, 2> expected{1, 0};
    for (int i = 0; i < size; ++i) {
        const std::array<long, 2> one{i + 2, i * 7 + 1};
        const long scale = expected[0] * one[0] % 1'000'003;
        expected = {scale, (expected[1] * one[0] + one[1]) % 1'000'003};
    }
    const std::array<long, 2> in{rank + 2, rank * 7 + 1};
    std::array<long, 2> out{};
    if (toAll)
        MPI_Allreduce(in.data(), out.data(), 1, pair, op, all);
    else
        MPI_Reduce(in.data(), out.data(), 1, pair, op, size - 1, all);
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
    return out == expected || (!toAll && rank != size - 1);
}

bool places()
{
    struct Value {
        double value;
        int place;
    };
    const Value in{static_cast<double>((rank * 7) % size), rank};
    Value out{};
    MPI_Allreduce(&in, &out, 1, MPI_DOUBLE_INT, MPI_MAXLOC, all);
    double most = -1;
    int place = -1;
    for (int i = 0; i < size; ++i) {
        const auto value = static_cast<double>((i * 7) % size);
        if (value > most) {
            most = value;
            place = i;
        }
    }
    return out.value == most && out.place == place;
}

bool inPlace()
{
    std::vector<int> values(static_cast<std::size_t>(size), -1);
    values[static_cast<std::size_t>(rank)] = rank * 3;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values.data(), 1, MPI_INT, all);
    bool right = true;
    for (int i = 0; i < size; ++i)
        right = right && values[static_cast<std::size_t>(i)] == i * 3;
    int one = rank;
    MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_SUM, all);
    for (int i = 0; i < size; ++i)
        values[static_cast<std::size_t>(i)] = rank * 100 + i;
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values.data(), 1, MPI_INT, all);
    for (int i = 0; i < size; ++i)
        right = right && values[static_cast<std::size_t>(i)] == i * 100 + rank;
    return right && one == size * (size - 1) / 2;
}

bool unequalParts()
{
    std::vector<int> counts;
    std::vector<int> starts;
    int total = 0;
    for (int i = 0; i < size; ++i) {
        counts.push_back(i + 1);
        starts.push_back(total);
        total += i + 1;
    }
    const std::vector<int> own(static_cast<std::size_t>(rank + 1), rank);
    std::vector<int> whole(static_cast<std::size_t>(total), -1);
    MPI_Gatherv(own.data(), rank + 1, MPI_INT, whole.data(), counts.data(), starts.data(), MPI_INT,
                0, all);
    bool right = true;
    for (int i = 0; rank == 0 && i < size; ++i)
        right = right
            && whole[static_cast<std::size_t>(starts[static_cast<std::size_t>(i)] + i)] == i;
    std::vector<int> back(static_cast<std::size_t>(rank + 1), -1);
    MPI_Scatterv(whole.data(), counts.data(), starts.data(), MPI_INT, back.data(), rank + 1,
                 MPI_INT, 0, all);
    std::ranges::fill(whole, -1);
    MPI_Allgatherv(own.data(), rank + 1, MPI_INT, whole.data(), counts.data(), starts.data(),
                   MPI_INT, all);
    return right && back == own && std::ranges::count(whole, size - 1) == size;
}

bool everybody()
{
    std::vector<int> out;
    for (int i = 0; i < size; ++i)
        out.push_back(rank * 100 + i);
    std::vector<int> in(out.size(), -1);
    MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, all);
    bool right = true;
    for (int i = 0; i < size; ++i)
        right = right && in[static_cast<std::size_t>(i)] == i * 100 + rank;
    return right;
}

bool prefixes()
{
    int scan = -1;
    MPI_Scan(&rank, &scan, 1, MPI_INT, MPI_SUM, all);
    int before = 0;
    MPI_Exscan(&rank, &before, 1, MPI_INT, MPI_SUM, all);
    return scan == rank * (rank + 1) / 2 && (rank == 0 || before == rank * (rank - 1) / 2);
}

bool scattered()
{
    std::vector<int> in(static_cast<std::size_t>(size), rank);
    int own = -1;
    MPI_Reduce_scatter_block(in.data(), &own, 1, MPI_INT, MPI_SUM, all);
    std::vector<int> counts(static_cast<std::size_t>(size), 1);
    int other = -1;
    MPI_Reduce_scatter(in.data(), &other, counts.data(), MPI_INT, MPI_MAX, all);
    return own == size * (size - 1) / 2 && other == size - 1;
}

bool severalUnderWay()
{
    std::array<MPI_Request, 4> requests{};
    int sum = 0;
    int most = 0;
    int from = rank == 1 % size ? 55 : 0;
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, all, &requests[0]);
    MPI_Ibcast(&from, 1, MPI_INT, 1 % size, all, &requests[1]);
    MPI_Ibarrier(all, &requests[2]);
    MPI_Iallreduce(&rank, &most, 1, MPI_INT, MPI_MAX, all, &requests[3]);
    std::ranges::reverse(requests);
    MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
    return sum == size * (size - 1) / 2 && most == size - 1 && from == 55;
}

bool splitting()
{
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(all, rank % 2, -rank, &half);
    int place = -1;
    int members = -1;
    MPI_Comm_rank(half, &place);
    MPI_Comm_size(half, &members);
    int lowest = -1;
    MPI_Allreduce(&rank, &lowest, 1, MPI_INT, MPI_MIN, half);
    MPI_Comm_free(&half);
    const int same = rank % 2 == 0 ? (size + 1) / 2 : size / 2;
    return half == MPI_COMM_NULL && members == same && place == same - 1 - rank / 2
        && lowest == rank % 2;
}

bool undefinedColour()
{
    MPI_Comm some = MPI_COMM_NULL;
    MPI_Comm_split(all, rank == 0 ? MPI_UNDEFINED : 1, 0, &some);
    if (rank == 0)
        return some == MPI_COMM_NULL;
    int members = 0;
    MPI_Comm_size(some, &members);
    MPI_Comm_free(&some);
    return members == size - 1;
}

int copied = 0;
int copyValue(MPI_Comm, int, void*, void* value, void* to, int* flag)
{
    ++copied;
    *static_cast<void**>(to) = value;
    *flag = 1;
    return MPI_SUCCESS;
}

bool attributes()
{
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(copyValue, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
    MPI_Comm_set_attr(all, key, &rank);
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(all, &copy);
    void* value = nullptr;
    int flag = 0;
    MPI_Comm_get_attr(copy, key, static_cast<void*>(&value), &flag);
    int result = 0;
    MPI_Comm_compare(all, copy, &result);
    MPI_Comm_free(&copy);
    MPI_Comm_delete_attr(all, key);
    MPI_Comm_free_keyval(&key);
    int* most = nullptr;
    int has = 0;
    MPI_Comm_get_attr(all, MPI_TAG_UB, static_cast<void*>(&most), &has);
    return copied == 1 && flag == 1 && value == &rank && result == MPI_CONGRUENT && has == 1
        && *most >= 32767;
}

bool contextsAreApart()
{
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(all, &copy);
    const int one = 1;
    const int two = 2;
    MPI_Request requests[2];
    MPI_Isend(&one, 1, MPI_INT, next(), 0, all, &requests[0]);
    MPI_Isend(&two, 1, MPI_INT, next(), 0, copy, &requests[1]);
    int first = 0;
    int second = 0;
    MPI_Recv(&second, 1, MPI_INT, before(), 0, copy, MPI_STATUS_IGNORE);
    MPI_Recv(&first, 1, MPI_INT, before(), 0, all, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_free(&copy);
    return first == 1 && second == 2;
}

bool groups()
{
    MPI_Group whole = MPI_GROUP_NULL;
    MPI_Comm_group(all, &whole);
    const int last = size - 1;
    MPI_Group only = MPI_GROUP_NULL;
    MPI_Group rest = MPI_GROUP_NULL;
    MPI_Group both = MPI_GROUP_NULL;
    MPI_Group_incl(whole, 1, &last, &only);
    MPI_Group_excl(whole, 1, &last, &rest);
    MPI_Group_union(only, rest, &both);
    int result = 0;
    MPI_Group_compare(whole, both, &result);
    int place = -5;
    const int zero = 0;
    MPI_Group_translate_ranks(both, 1, &zero, whole, &place);
    MPI_Group none = MPI_GROUP_NULL;
    MPI_Group_intersection(only, rest, &none);
    int members = -1;
    MPI_Group_size(none, &members);
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_create(all, rest, &made);
    const bool right = (made == MPI_COMM_NULL) == (rank == last);
    if (made != MPI_COMM_NULL)
        MPI_Comm_free(&made);
    for (MPI_Group* group : {&whole, &only, &rest, &both})
        MPI_Group_free(group);
    return right && result == (size == 1 ? MPI_IDENT : MPI_SIMILAR) && place == last
        && members == 0;
}

bool sides()
{
    if (size < 2)
        return true;
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(all, rank % 2, rank, &half);
    MPI_Comm inter = MPI_COMM_NULL;
    MPI_Intercomm_create(half, 0, all, 1 - rank % 2, 12, &inter);
    int remote = 0;
    MPI_Comm_remote_size(inter, &remote);
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, inter);
    int expected = 0;
    for (int i = 1 - rank % 2; i < size; i += 2)
        expected += i;
    MPI_Comm merged = MPI_COMM_NULL;
    MPI_Intercomm_merge(inter, rank % 2, &merged);
    int place = -1;
    MPI_Comm_rank(merged, &place);
    const int evens = (size + 1) / 2;
    for (MPI_Comm* comm : {&half, &inter, &merged})
        MPI_Comm_free(comm);
    return remote == (rank % 2 == 0 ? size / 2 : evens) && sum == expected
        && place == (rank % 2 == 0 ? rank / 2 : evens + rank / 2);
}

bool grid()
{
    std::array<int, 2> dims{};
    MPI_Dims_create(size, 2, dims.data());
    const std::array<int, 2> periods{1, 0};
    MPI_Comm cart = MPI_COMM_NULL;
    MPI_Cart_create(all, 2, dims.data(), periods.data(), 0, &cart);
    std::array<int, 2> coords{};
    MPI_Cart_coords(cart, rank, 2, coords.data());
    int back = -1;
    MPI_Cart_rank(cart, coords.data(), &back);
    int left = 0;
    int right = 0;
    MPI_Cart_shift(cart, 1, 1, &left, &right);
    std::array<int, 4> in{-1, -1, -1, -1};
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, in.data(), 1, MPI_INT, cart);
    const std::array<int, 2> remain{0, 1};
    MPI_Comm row = MPI_COMM_NULL;
    MPI_Cart_sub(cart, remain.data(), &row);
    int columns = 0;
    MPI_Comm_size(row, &columns);
    MPI_Comm_free(&row);
    MPI_Comm_free(&cart);
    return back == rank && columns == dims[1] && (left == MPI_PROC_NULL) == (coords[1] == 0)
        && in[2] == (left == MPI_PROC_NULL ? -1 : left)
        && in[3] == (right == MPI_PROC_NULL ? -1 : right);
}

bool circle()
{
    const int from = before();
    const int to = next();
    MPI_Comm graph = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(all, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    int in = -1;
    MPI_Neighbor_alltoall(&rank, 1, MPI_INT, &in, 1, MPI_INT, graph);
    MPI_Comm_free(&graph);
    return in == before();
}

bool errorsAreReturned()
{
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(all, &copy);
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
    int value = 0;
    const auto classOf = [](int code) {
        int found = 0;
        MPI_Error_class(code, &found);
        return found;
    };
    const bool right = classOf(MPI_Send(&value, 1, MPI_INT, size, 0, copy)) == MPI_ERR_RANK
        && classOf(MPI_Send(&value, -1, MPI_INT, 0, 0, copy)) == MPI_ERR_COUNT
        && classOf(MPI_Send(&value, 1, MPI_INT, 0, -3, copy)) == MPI_ERR_TAG
        && classOf(MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, 0, copy)) == MPI_ERR_TYPE
        && classOf(MPI_Bcast(&value, 1, MPI_INT, size, copy)) == MPI_ERR_ROOT;
    std::array<int, 2> two{1, 2};
    MPI_Request sent = MPI_REQUEST_NULL;
    MPI_Isend(two.data(), 2, MPI_INT, rank, 0, copy, &sent);
    const bool truncated = classOf(MPI_Recv(&value, 1, MPI_INT, rank, 0, copy, MPI_STATUS_IGNORE))
        == MPI_ERR_TRUNCATE;
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    MPI_Comm_free(&copy);
    return right && truncated;
}

} // namespace

std::vector<Case> groupCases()
{
    std::vector<Case> list;
    for (const int count : {0, 1, 1000, 2048, 2049, 100'000, 1'000'000})
        list.push_back({"broadcast", [count] { return broadcasts(count); }});
    const std::vector<Case> others{
        {"reduce", reductions},
        {"reduce in order", [] { return inOrder(false); }},
        {"allreduce in order", [] { return inOrder(true); }},
        {"largest and its place", places},
        {"in place", inPlace},
        {"unequal parts", unequalParts},
        {"all to all", everybody},
        {"scan", prefixes},
        {"reduce and scatter", scattered},
        {"several at once", severalUnderWay},
        {"split", splitting},
        {"no colour", undefinedColour},
        {"attributes", attributes},
        {"contexts", contextsAreApart},
        {"groups", groups},
        {"two sides", sides},
        {"grid", grid},
        {"circle", circle},
        {"errors", errorsAreReturned},
    };
    list.insert(list.end(), others.begin(), others.end());
    return list;
}

} // namespace worldcases
