// SPDX-License-Identifier: GPL-3.0-or-later
#include "probechannel.h"

#include "probe/cardtests.h"

#include <algorithm>
#include <chrono>
#include <mpi.h>
#include <thread>

namespace tasuki::probe {

namespace {

constexpr int hostTag = 1;
constexpr int orderTag = 2;
constexpr int answerTag = 3;
constexpr int messageTag = 4;
/// Before the clock runs: wakes the partner and the connection.
constexpr std::uint64_t warmUps = 2;

class Nap {
public:
    void sleep()
    {
        constexpr std::chrono::microseconds longest{1000};
        std::this_thread::sleep_for(m_next);
        m_next = std::min(m_next * 2, longest);
    }

private:
    std::chrono::microseconds m_next{20};
};

int countOf(std::uint64_t bytes) { return static_cast<int>(bytes); }

constexpr int streamTag = 5;

/// All messages wait to be sent at the same time.
void sendStreams(const std::vector<char>& buffer, const std::vector<ProbeChannel::Stream>& streams,
                 MPI_Comm handle)
{
    std::vector<MPI_Request> requests;
    for (const ProbeChannel::Stream& stream : streams) {
        for (std::uint64_t i = 0; i < stream.messages; ++i)
            MPI_Isend(buffer.data(), countOf(streamMessageBytes), MPI_BYTE, stream.peer, streamTag,
                      handle, &requests.emplace_back());
    }
    MPI_Waitall(countOf(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

/// @param buffer  with room for a message of each
void receiveStreams(std::vector<char>& buffer, std::vector<ProbeChannel::Stream> streams,
                    MPI_Comm handle)
{
    std::vector<MPI_Request> requests(streams.size(), MPI_REQUEST_NULL);
    const auto startNext = [&](std::size_t i) {
        if (streams[i].messages-- > 0)
            MPI_Irecv(buffer.data() + i * streamMessageBytes, countOf(streamMessageBytes), MPI_BYTE,
                      streams[i].peer, streamTag, handle, &requests[i]);
    };
    for (std::size_t i = 0; i < streams.size(); ++i)
        startNext(i);
    for (;;) {
        int index = MPI_UNDEFINED;
        MPI_Waitany(countOf(requests.size()), requests.data(), &index, MPI_STATUS_IGNORE);
        if (index == MPI_UNDEFINED)
            return;
        startNext(static_cast<std::size_t>(index));
    }
}

} // namespace

struct ProbeChannel::Communicator {
    MPI_Comm handle = MPI_COMM_NULL;

    [[nodiscard]] std::optional<MPI_Status> waiting(int rank, int tag) const
    {
        int found = 0;
        MPI_Status status;
        MPI_Iprobe(rank, tag, handle, &found, &status);
        return found != 0 ? std::optional(status) : std::nullopt;
    }

    [[nodiscard]] MPI_Status await(int rank, int tag) const
    {
        Nap nap;
        for (;;) {
            if (const auto status = waiting(rank, tag))
                return *status;
            nap.sleep();
        }
    }

    /// Takes the message that a look has found.
    template <class Value>
    [[nodiscard]] std::vector<Value> take(const MPI_Status& status, MPI_Datatype type) const
    {
        int count = 0;
        MPI_Get_count(&status, type, &count);
        std::vector<Value> values(static_cast<std::size_t>(count));
        MPI_Recv(values.data(), count, type, status.MPI_SOURCE, status.MPI_TAG, handle,
                 MPI_STATUS_IGNORE);
        return values;
    }
};

ProbeChannel::ProbeChannel() : m_communicator(std::make_unique<Communicator>())
{
    MPI_Comm_dup(MPI_COMM_WORLD, &m_communicator->handle);
    MPI_Comm_set_errhandler(m_communicator->handle, MPI_ERRORS_ARE_FATAL);
}

ProbeChannel::~ProbeChannel() { MPI_Comm_free(&m_communicator->handle); }

std::vector<std::string> ProbeChannel::gather(const std::string& host)
{
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(m_communicator->handle, &rank);
    MPI_Comm_size(m_communicator->handle, &size);
    if (rank != 0) {
        MPI_Send(host.data(), countOf(host.size()), MPI_CHAR, 0, hostTag, m_communicator->handle);
        return {};
    }
    std::vector<std::string> hosts(static_cast<std::size_t>(size));
    hosts[0] = host;
    for (int other = 1; other < size; ++other) {
        const std::vector<char> name = m_communicator->take<char>(
            m_communicator->await(other, hostTag), MPI_CHAR);
        hosts[static_cast<std::size_t>(other)].assign(name.begin(), name.end());
    }
    return hosts;
}

void ProbeChannel::give(int rank, const Order& order)
{
    std::vector<std::uint64_t> words{static_cast<std::uint64_t>(order.kind)};
    words.insert(words.end(), order.words.begin(), order.words.end());
    MPI_Send(words.data(), countOf(words.size()), MPI_UINT64_T, rank, orderTag,
             m_communicator->handle);
}

bool ProbeChannel::orderWaits() { return m_communicator->waiting(0, orderTag).has_value(); }

Order ProbeChannel::takeOrder()
{
    const std::vector<std::uint64_t> words = m_communicator->take<std::uint64_t>(
        m_communicator->await(0, orderTag), MPI_UINT64_T);
    return {.kind = static_cast<OrderKind>(words.front()),
            .words = {words.begin() + 1, words.end()}};
}

void ProbeChannel::answer(const std::vector<double>& values)
{
    MPI_Send(values.data(), countOf(values.size()), MPI_DOUBLE, 0, answerTag,
             m_communicator->handle);
}

std::optional<Answer> ProbeChannel::takeAnswer()
{
    const auto status = m_communicator->waiting(MPI_ANY_SOURCE, answerTag);
    if (!status)
        return std::nullopt;
    return Answer{.rank = status->MPI_SOURCE,
                  .values = m_communicator->take<double>(*status, MPI_DOUBLE)};
}

Answer ProbeChannel::awaitAnswer()
{
    const MPI_Status status = m_communicator->await(MPI_ANY_SOURCE, answerTag);
    return {.rank = status.MPI_SOURCE, .values = m_communicator->take<double>(status, MPI_DOUBLE)};
}

std::vector<double> ProbeChannel::lead(int peer, const std::vector<Exchange>& exchanges)
{
    const MPI_Comm handle = m_communicator->handle;
    const auto toAndFro = [&](std::uint64_t bytes, std::uint64_t repetitions) {
        m_buffer.resize(std::max<std::size_t>(m_buffer.size(), bytes));
        for (std::uint64_t i = 0; i < repetitions; ++i) {
            MPI_Send(m_buffer.data(), countOf(bytes), MPI_BYTE, peer, messageTag, handle);
            MPI_Recv(m_buffer.data(), countOf(bytes), MPI_BYTE, peer, messageTag, handle,
                     MPI_STATUS_IGNORE);
        }
    };
    toAndFro(0, warmUps);
    std::vector<double> means;
    for (const Exchange& exchange : exchanges) {
        const auto begin = std::chrono::steady_clock::now();
        toAndFro(exchange.bytes, exchange.repetitions);
        const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now()
            - begin;
        means.push_back(time.count() / 2 / static_cast<double>(exchange.repetitions));
    }
    return means;
}

void ProbeChannel::follow(int peer, const std::vector<Exchange>& exchanges)
{
    const MPI_Comm handle = m_communicator->handle;
    const auto echo = [&](std::uint64_t bytes, std::uint64_t repetitions) {
        m_buffer.resize(std::max<std::size_t>(m_buffer.size(), bytes));
        for (std::uint64_t i = 0; i < repetitions; ++i) {
            MPI_Recv(m_buffer.data(), countOf(bytes), MPI_BYTE, peer, messageTag, handle,
                     MPI_STATUS_IGNORE);
            MPI_Send(m_buffer.data(), countOf(bytes), MPI_BYTE, peer, messageTag, handle);
        }
    };
    echo(0, warmUps);
    for (const Exchange& exchange : exchanges)
        echo(exchange.bytes, exchange.repetitions);
}

ProbeChannel::Sending ProbeChannel::sendOne(int peer, std::uint64_t bytes)
{
    using Clock = std::chrono::steady_clock;
    const MPI_Comm handle = m_communicator->handle;
    m_buffer.resize(std::max<std::size_t>(m_buffer.size(), bytes));
    MPI_Recv(nullptr, 0, MPI_BYTE, peer, messageTag, handle, MPI_STATUS_IGNORE);
    const Clock::time_point begin = Clock::now();
    MPI_Send(m_buffer.data(), countOf(bytes), MPI_BYTE, peer, messageTag, handle);
    const std::chrono::duration<double, std::micro> sent = Clock::now() - begin;
    MPI_Recv(nullptr, 0, MPI_BYTE, peer, messageTag, handle, MPI_STATUS_IGNORE);
    const std::chrono::duration<double, std::micro> answered = Clock::now() - begin;
    return {.sentUs = sent.count(), .answeredUs = answered.count()};
}

void ProbeChannel::takeOne(int peer, std::uint64_t bytes)
{
    const MPI_Comm handle = m_communicator->handle;
    m_buffer.resize(std::max<std::size_t>(m_buffer.size(), bytes));
    MPI_Send(nullptr, 0, MPI_BYTE, peer, messageTag, handle);
    MPI_Recv(m_buffer.data(), countOf(bytes), MPI_BYTE, peer, messageTag, handle,
             MPI_STATUS_IGNORE);
    MPI_Send(nullptr, 0, MPI_BYTE, peer, messageTag, handle);
}

double ProbeChannel::pour(bool incoming, const std::vector<Stream>& streams)
{
    const MPI_Comm handle = m_communicator->handle;
    const auto hearAll = [&] {
        for (const Stream& stream : streams)
            MPI_Recv(nullptr, 0, MPI_BYTE, stream.peer, messageTag, handle, MPI_STATUS_IGNORE);
    };
    m_buffer.resize(std::max(m_buffer.size(), streams.size() * streamMessageBytes));
    hearAll(); // they are ready
    const auto begin = std::chrono::steady_clock::now();
    for (const Stream& stream : streams)
        MPI_Send(nullptr, 0, MPI_BYTE, stream.peer, messageTag, handle);
    if (incoming) {
        receiveStreams(m_buffer, streams, handle);
    } else {
        sendStreams(m_buffer, streams, handle);
        hearAll(); // they have everything
    }
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
    return time.count();
}

void ProbeChannel::join(bool incoming, const Stream& stream)
{
    const MPI_Comm handle = m_communicator->handle;
    m_buffer.resize(std::max<std::size_t>(m_buffer.size(), streamMessageBytes));
    const auto tell = [&] { MPI_Send(nullptr, 0, MPI_BYTE, stream.peer, messageTag, handle); };
    tell();
    MPI_Recv(nullptr, 0, MPI_BYTE, stream.peer, messageTag, handle, MPI_STATUS_IGNORE);
    if (incoming) {
        sendStreams(m_buffer, {stream}, handle);
    } else {
        receiveStreams(m_buffer, {stream}, handle);
        tell();
    }
}

} // namespace tasuki::probe
