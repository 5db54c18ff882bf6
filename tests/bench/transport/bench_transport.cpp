// SPDX-License-Identifier: GPL-3.0-or-later
// The MPI transport beside MPI_Send and MPI_Recv, interleaved in one run of two processors: message
// rate, round trip, bandwidth, and the CPU that an idle processor uses. Prints medians and ratios.
#include "reactor/reactor.h"
#include "reactor/timer.h"
#include "transport/mpi/mpiruntime.h"
#include "transport/mpi/mpitransport.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mpi.h>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <vector>

using namespace tasuki;

namespace {

constexpr int rateMessages = 200'000;
constexpr int roundTrips = 1'000;
constexpr std::size_t smallBytes = 64;
constexpr std::size_t largeBytes = std::size_t{64} << 20U;
constexpr int largeMessages = 4;
constexpr int rounds = 5;

double seconds(const std::function<void()>& work)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// rank 0 sends `count` messages, rank 1 answers the last one.
double rawOneWay(int rank, int count, std::size_t bytes)
{
    std::string buffer(bytes, 'x');
    const int size = static_cast<int>(bytes);
    return seconds([&] {
        for (int done = 0; done < count; ++done) {
            if (rank == 0)
                MPI_Send(buffer.data(), size, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
            else
                MPI_Recv(buffer.data(), size, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    });
}

double rawRoundTrips(int rank, int count)
{
    std::string buffer(smallBytes, 'x');
    const int size = static_cast<int>(smallBytes);
    return seconds([&] {
        for (int done = 0; done < count; ++done) {
            if (rank == 0)
                MPI_Send(buffer.data(), size, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(buffer.data(), size, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 1)
                MPI_Send(buffer.data(), size, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        }
    });
}

/// Runs until `done` with a bare loop, or with the reactor as the agent does.
using Loop = std::function<void(Transport&, const std::function<bool()>& done)>;

void bareLoop(Transport& transport, const std::function<bool()>& done)
{
    while (!done())
        transport.poll();
}

void reactorLoop(Transport& transport, const std::function<bool()>& done)
{
    const SystemClock clock;
    Reactor reactor(clock);
    PollCall polling([&] {
        const bool moved = transport.poll();
        if (done())
            reactor.stop();
        return moved;
    });
    reactor.add(polling);
    reactor.run();
    reactor.remove(polling);
}

double oneWay(Transport& transport, const Loop& loop, int count, std::size_t bytes)
{
    const ProcessorId peer(1 - transport.self().value());
    int got = 0;
    transport.setHandler([&](ProcessorId, const Message&) {
        if (++got == count && transport.self() == ProcessorId(1))
            transport.send(peer, "all");
    });
    const int due = transport.self() == ProcessorId(0) ? 1 : count;
    std::vector<Message> messages;
    if (transport.self() == ProcessorId(0))
        messages.assign(static_cast<std::size_t>(count), Message(bytes, 'x'));
    return seconds([&] {
        for (Message& message : messages)
            transport.send(peer, std::move(message));
        loop(transport, [&] { return got == due && transport.pending() == 0; });
    });
}

double transportRoundTrips(Transport& transport, const Loop& loop, int count)
{
    const ProcessorId peer(1 - transport.self().value());
    int got = 0;
    transport.setHandler([&](ProcessorId, Message message) {
        ++got;
        if (transport.self() == ProcessorId(1) || got < count)
            transport.send(peer, std::move(message));
    });
    return seconds([&] {
        if (transport.self() == ProcessorId(0))
            transport.send(peer, Message(smallBytes, 'x'));
        loop(transport, [&] { return got == count && transport.pending() == 0; });
    });
}

double cpuSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto time = [](const timeval& value) {
        return static_cast<double>(value.tv_sec) + 1e-6 * static_cast<double>(value.tv_usec);
    };
    return time(usage.ru_utime) + time(usage.ru_stime);
}

/// CPU of an idle processor in percent of a core, from 5 seconds on.
double idleCpu(Transport& transport, int measured)
{
    const SystemClock clock;
    Reactor reactor(clock);
    PollCall polling([&] { return transport.poll(); });
    reactor.add(polling);
    Timer timer(reactor);
    double before = 0.0;
    timer.startAfter(std::chrono::seconds(5), [&] {
        before = cpuSeconds();
        timer.startAfter(std::chrono::seconds(measured), [&] { reactor.stop(); });
    });
    reactor.run();
    const double used = cpuSeconds() - before;
    reactor.remove(polling);
    return 100.0 * used / measured;
}

struct Figures {
    std::vector<double> raw;
    std::vector<double> bare;
    std::vector<double> reactor;
};

/// @param amount  what was done in the measured time: messages or bytes, in `unit` times seconds
void print(const char* name, const Figures& figures, double amount, const char* unit)
{
    const double raw = amount / median(figures.raw);
    const double bare = amount / median(figures.bare);
    const double reactor = amount / median(figures.reactor);
    std::printf("%-12s %12.0f %12.0f %12.0f %-8s  ratio %.2f, with reactor %.2f\n", name, raw, bare,
                reactor, unit, bare / raw, reactor / raw);
}

void compare(MpiRuntime& runtime, Transport& transport)
{
    const int rank = static_cast<int>(runtime.self().value());
    Figures rate;
    Figures trip;
    Figures wide;
    for (int round = 0; round < rounds; ++round) {
        rate.raw.push_back(rawOneWay(rank, rateMessages, smallBytes));
        rate.bare.push_back(oneWay(transport, bareLoop, rateMessages, smallBytes));
        rate.reactor.push_back(oneWay(transport, reactorLoop, rateMessages, smallBytes));
        trip.raw.push_back(rawRoundTrips(rank, roundTrips));
        trip.bare.push_back(transportRoundTrips(transport, bareLoop, roundTrips));
        trip.reactor.push_back(transportRoundTrips(transport, reactorLoop, roundTrips));
        wide.raw.push_back(rawOneWay(rank, largeMessages, largeBytes));
        wide.bare.push_back(oneWay(transport, bareLoop, largeMessages, largeBytes));
        wide.reactor.push_back(oneWay(transport, reactorLoop, largeMessages, largeBytes));
    }
    if (rank != 0)
        return;
    std::printf("%-12s %12s %12s %12s\n", "", "MPI", "transport", "in reactor");
    print("64 bytes", rate, rateMessages, "1/s");
    print("round trips", trip, roundTrips, "1/s");
    print("64 MiB", wide, 1e-6 * largeMessages * static_cast<double>(largeBytes), "MB/s");
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv)
{
    auto started = MpiRuntime::start(argc, argv);
    if (!started)
        return 1;
    MpiRuntime& runtime = **started;
    if (runtime.size() != 2) {
        std::fprintf(stderr, "start with: mpirun -n 2 bench_transport [idle seconds]\n");
        runtime.leave(LeaveMode::Together, 2);
        return 2;
    }
    const int idleSeconds = argc > 1 ? std::atoi(argv[1]) : 10;
    {
        MpiTransport transport(runtime);
        compare(runtime, transport);
        transport.setHandler({});
        if (idleSeconds > 0) {
            const double percent = idleCpu(transport, idleSeconds);
            double both[2] = {0.0, 0.0};
            MPI_Gather(&percent, 1, MPI_DOUBLE, both, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
            if (runtime.self() == ProcessorId(0))
                std::printf("idle CPU     %.2f %% and %.2f %% of a core\n", both[0], both[1]);
        }
    }
    runtime.leave(LeaveMode::Together, 0);
    return 0;
}
