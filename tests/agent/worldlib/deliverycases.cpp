// SPDX-License-Identifier: GPL-3.0-or-later
#include "worldcases.h"

#include <algorithm>
#include <array>

namespace worldcases {

namespace {

bool matchedLater()
{
    int flag = 1;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Improbe(before(), 18, all, &flag, &message, MPI_STATUS_IGNORE);
    const bool early = flag == 0;
    MPI_Barrier(all);
    const auto out = numbers(70, rank);
    MPI_Send(out.data(), 70, MPI_INT, next(), 18, all);
    MPI_Status status;
    for (flag = 0; flag == 0;)
        MPI_Improbe(MPI_ANY_SOURCE, 18, all, &flag, &message, &status);
    std::vector<int> in(static_cast<std::size_t>(std::max(0, countOf(status))));
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Imrecv(in.data(), static_cast<int>(in.size()), MPI_INT, &message, &request);
    MPI_Wait(&request, &status);
    return early && status.MPI_SOURCE == before() && message == MPI_MESSAGE_NULL && in.size() == 70
        && isFrom(in, before());
}

/// Two of one kind are received in the other order; nobody else sees a message that is taken.
bool matchedApart()
{
    std::array<MPI_Request, 2> sent{};
    const std::array<int, 2> out{rank, -rank};
    for (int i = 0; i < 2; ++i)
        MPI_Isend(&at(out, i), 1, MPI_INT, next(), 19, all, &at(sent, i));
    std::array<MPI_Message, 2> messages{};
    MPI_Mprobe(before(), 19, all, &messages[0], MPI_STATUS_IGNORE);
    MPI_Mprobe(before(), 19, all, &messages[1], MPI_STATUS_IGNORE);
    int flag = 1;
    MPI_Iprobe(before(), 19, all, &flag, MPI_STATUS_IGNORE);
    std::array<int, 2> in{};
    MPI_Mrecv(&in[1], 1, MPI_INT, &messages[1], MPI_STATUS_IGNORE);
    MPI_Mrecv(&in[0], 1, MPI_INT, &messages[0], MPI_STATUS_IGNORE);
    MPI_Waitall(2, sent.data(), MPI_STATUSES_IGNORE);
    return flag == 0 && in[0] == before() && in[1] == -before();
}

bool matchedNobody()
{
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    MPI_Mprobe(MPI_PROC_NULL, 3, all, &message, &status);
    bool right = message == MPI_MESSAGE_NO_PROC && status.MPI_SOURCE == MPI_PROC_NULL;
    MPI_Mrecv(nullptr, 0, MPI_INT, &message, &status);
    right = right && message == MPI_MESSAGE_NULL && status.MPI_SOURCE == MPI_PROC_NULL;
    int flag = 0;
    MPI_Improbe(MPI_PROC_NULL, 3, all, &flag, &message, MPI_STATUS_IGNORE);
    right = right && flag == 1 && message == MPI_MESSAGE_NO_PROC;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Imrecv(nullptr, 0, MPI_INT, &message, &request);
    MPI_Wait(&request, &status);
    return right && status.MPI_SOURCE == MPI_PROC_NULL && countOf(status) == 0;
}

bool matchedLong()
{
    const auto out = numbers(500'000, rank);
    MPI_Request sent = MPI_REQUEST_NULL;
    MPI_Issend(out.data(), 500'000, MPI_INT, next(), 20, all, &sent);
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, all, &message, &status);
    std::vector<int> in(static_cast<std::size_t>(std::max(0, countOf(status))));
    MPI_Mrecv(in.data(), static_cast<int>(in.size()), MPI_INT, &message, &status);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    return in.size() == 500'000 && isFrom(in, before()) && status.MPI_TAG == 20;
}

bool probedAtRandom()
{
    int flag = 1;
    MPI_Iprobe(MPI_ANY_SOURCE, 21, all, &flag, MPI_STATUS_IGNORE);
    const bool early = flag == 0;
    MPI_Status status;
    MPI_Iprobe(MPI_PROC_NULL, 21, all, &flag, &status);
    const bool nobody = flag == 1 && status.MPI_SOURCE == MPI_PROC_NULL && countOf(status) == 0;
    MPI_Barrier(all);
    const auto out = numbers(rank + 1, rank);
    MPI_Send(out.data(), rank + 1, MPI_INT, next(), 21, all);
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, all, &status);
    const bool told = status.MPI_SOURCE == before() && status.MPI_TAG == 21
        && countOf(status) == before() + 1;
    std::vector<int> in(static_cast<std::size_t>(before() + 1));
    MPI_Recv(in.data(), before() + 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, all,
             MPI_STATUS_IGNORE);
    return early && nobody && told && isFrom(in, before());
}

bool highestTag()
{
    int* most = nullptr;
    int has = 0;
    MPI_Comm_get_attr(all, MPI_TAG_UB, static_cast<void*>(&most), &has);
    if (has == 0)
        return false;
    int in = -1;
    MPI_Status status;
    MPI_Sendrecv(&rank, 1, MPI_INT, next(), *most, &in, 1, MPI_INT, before(), *most, all, &status);
    return in == before() && status.MPI_TAG == *most;
}

/// The last one first: each receive looks past all that came before.
bool thousands()
{
    constexpr int count = 2'000;
    const auto out = numbers(count, rank);
    std::vector<int> in(count, -1);
    std::vector<MPI_Request> requests(std::size_t{2} * count);
    for (int i = 0; i < count; ++i)
        MPI_Isend(&at(out, i), 1, MPI_INT, next(), i, all, &at(requests, i));
    for (int i = 0; i < count; ++i)
        MPI_Irecv(&at(in, i), 1, MPI_INT, before(), count - 1 - i, all, &at(requests, count + i));
    MPI_Waitall(2 * count, requests.data(), MPI_STATUSES_IGNORE);
    std::ranges::reverse(in);
    return isFrom(in, before());
}

/// Short and long messages of one sender do not overtake each other.
bool orderOfSizes()
{
    constexpr std::array sizes{1, 100'000, 2, 0, 3'000, 2'048, 2'049, 50'000, 5};
    std::array<std::vector<int>, sizes.size()> out{};
    std::array<MPI_Request, sizes.size()> requests{};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        out[i] = numbers(sizes[i], rank);
        MPI_Isend(out[i].data(), sizes[i], MPI_INT, next(), 22, all, &requests[i]);
    }
    bool right = true;
    for (const int expected : sizes) {
        std::vector<int> in(100'000);
        MPI_Status status;
        MPI_Recv(in.data(), 100'000, MPI_INT, before(), MPI_ANY_TAG, all, &status);
        right = right && countOf(status) == expected;
        in.resize(static_cast<std::size_t>(std::max(0, countOf(status))));
        right = right && isFrom(in, before());
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    return right;
}

/// Receives that were posted get messages in the order of posting, whichever patterns they have.
bool orderOfPosting()
{
    std::array<int, 3> in{-1, -1, -1};
    std::array<MPI_Request, 3> requests{};
    MPI_Irecv(&in[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, all, &requests[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, before(), 23, all, &requests[1]);
    MPI_Irecv(&in[2], 1, MPI_INT, MPI_ANY_SOURCE, 23, all, &requests[2]);
    MPI_Barrier(all);
    for (int i = 0; i < 3; ++i)
        MPI_Send(&i, 1, MPI_INT, next(), 23, all);
    MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE);
    return in == std::array{0, 1, 2};
}

bool longToOneself()
{
    constexpr int count = 2'100'000;
    const auto out = numbers(count, rank);
    std::vector<int> in(out.size());
    MPI_Sendrecv(out.data(), count, MPI_INT, rank, 24, in.data(), count, MPI_INT, rank, 24, all,
                 MPI_STATUS_IGNORE);
    return in == out;
}

bool longToAll()
{
    constexpr int count = 100'000;
    const auto out = numbers(count, rank);
    std::vector<std::vector<int>> in(static_cast<std::size_t>(size), std::vector<int>(count));
    std::vector<MPI_Request> requests(static_cast<std::size_t>(2 * size));
    for (int peer = 0; peer < size; ++peer) {
        MPI_Isend(out.data(), count, MPI_INT, peer, 25, all, &at(requests, peer));
        MPI_Irecv(at(in, peer).data(), count, MPI_INT, peer, 25, all, &at(requests, size + peer));
    }
    MPI_Waitall(2 * size, requests.data(), MPI_STATUSES_IGNORE);
    bool right = true;
    for (int peer = 0; peer < size; ++peer)
        right = right && isFrom(at(in, peer), peer);
    return right;
}

/// Messages that come before anybody asks for them.
bool unexpected()
{
    const auto out = numbers(2'100'000, rank);
    std::array<MPI_Request, 2> sent{};
    MPI_Isend(out.data(), 2'100'000, MPI_INT, next(), 26, all, &sent[0]);
    MPI_Isend(out.data(), 10, MPI_INT, next(), 27, all, &sent[1]);
    MPI_Barrier(all);
    std::vector<int> few(10);
    MPI_Recv(few.data(), 10, MPI_INT, before(), 27, all, MPI_STATUS_IGNORE);
    std::vector<int> many(out.size());
    MPI_Recv(many.data(), 2'100'000, MPI_INT, before(), 26, all, MPI_STATUS_IGNORE);
    MPI_Waitall(2, sent.data(), MPI_STATUSES_IGNORE);
    return isFrom(few, before()) && isFrom(many, before());
}

bool manyToOne()
{
    constexpr int each = 100;
    for (int i = 0; rank != 0 && i < each; ++i)
        MPI_Send(&rank, 1, MPI_INT, 0, 28, all);
    long sum = 0;
    for (int i = 0; rank == 0 && i < each * (size - 1); ++i) {
        int value = 0;
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 28, all, MPI_STATUS_IGNORE);
        sum += value;
    }
    return rank != 0 || sum == static_cast<long>(each) * sumOfRanks();
}

/// A row of ranks with ends.
bool rowWithEnds()
{
    const int left = rank == 0 ? MPI_PROC_NULL : rank - 1;
    const int right = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
    int in = -5;
    MPI_Status status;
    MPI_Sendrecv(&rank, 1, MPI_INT, right, 33, &in, 1, MPI_INT, left, 33, all, &status);
    int replaced = rank;
    MPI_Sendrecv_replace(&replaced, 1, MPI_INT, left, 34, right, 34, all, MPI_STATUS_IGNORE);
    return in == (rank == 0 ? -5 : rank - 1) && status.MPI_SOURCE == left
        && replaced == (rank == size - 1 ? rank : rank + 1);
}

bool shorterThanAsked()
{
    const auto out = numbers(7, rank);
    std::vector<int> in(100, -3);
    MPI_Status status;
    MPI_Sendrecv(out.data(), 7, MPI_INT, next(), 36, in.data(), 100, MPI_INT, before(), 36, all,
                 &status);
    const bool rest = std::all_of(in.begin() + 7, in.end(), [](int value) { return value == -3; });
    in.resize(7);
    return countOf(status) == 7 && rest && isFrom(in, before());
}

bool nothingInside()
{
    MPI_Request sent = MPI_REQUEST_NULL;
    MPI_Issend(nullptr, 0, MPI_INT, next(), 37, all, &sent);
    MPI_Status status;
    MPI_Recv(nullptr, 0, MPI_DOUBLE, before(), 37, all, &status);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    return countOf(status, MPI_DOUBLE) == 0 && status.MPI_SOURCE == before()
        && status.MPI_TAG == 37;
}

} // namespace

std::vector<Case> deliveryCases()
{
    return {
        {"matched later", matchedLater},
        {"matched apart", matchedApart},
        {"matched nobody", matchedNobody},
        {"matched, long", matchedLong},
        {"probed at random", probedAtRandom},
        {"highest tag", highestTag},
        {"thousands of requests", thousands},
        {"order of sizes", orderOfSizes},
        {"order of posting", orderOfPosting},
        {"long, to oneself", longToOneself},
        {"long, to all", longToAll},
        {"unexpected", unexpected},
        {"many to one", manyToOne},
        {"row with ends", rowWithEnds},
        {"shorter than asked", shorterThanAsked},
        {"nothing inside", nothingInside},
    };
}

} // namespace worldcases
