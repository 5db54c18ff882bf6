// SPDX-License-Identifier: GPL-3.0-or-later
// A rank of an exchange under mpirun that may kill itself in a chosen round.
//
//     mergepeer VICTIM ROUND begin|middle
//
// Survivors print "rank R of N: DIGEST, E entries, own kept|own lost, closed|not closed".
#include "exchange/exchange.h"
#include "host/hostidentity.h"
#include "merge/mapbuilder.h"
#include "merge/mapmerger.h"
#include "transport/mpi/mpiruntime.h"
#include "transport/mpi/mpitransport.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <thread>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

using namespace tasuki;
using namespace tasuki::merge;
using namespace std::chrono_literals;

struct Fate {
    ProcessorId victim;
    std::uint32_t round = 0;
    bool middle = false;
};

/// Half of the keys are everybody's, half are a rank's own.
MergeMap mapOf(ProcessorId rank)
{
    MapBuilder builder{Law(Law::Kind::Last)};
    constexpr int entries = 2000;
    const std::string filling(60, 'x');
    for (int entry = 0; entry < entries; ++entry) {
        const std::string key = (entry % 2 == 0 ? "all/" : std::to_string(rank.value()) + '/')
            + std::to_string(entry);
        const std::string value = std::to_string(rank.value()) + filling;
        builder.put({.key = key,
                     .value = value,
                     .stamp = {.time = static_cast<std::uint64_t>(entry),
                               .origin = static_cast<std::uint32_t>(rank.value())}});
    }
    return builder.build();
}

/// Tells of processes that have ended, without a reactor.
class Watches {
public:
    void watch(ProcessorId rank, std::int64_t pid)
    {
        if (m_descriptors.count(rank) == 0)
            m_descriptors[rank] = static_cast<int>(
                ::syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0));
    }
    [[nodiscard]] std::vector<ProcessorId> ended() const
    {
        std::vector<ProcessorId> ranks;
        for (const auto& [rank, descriptor] : m_descriptors) {
            pollfd asked{.fd = descriptor, .events = POLLIN, .revents = 0};
            if (descriptor < 0 || ::poll(&asked, 1, 0) == 1)
                ranks.push_back(rank);
        }
        return ranks;
    }

private:
    std::map<ProcessorId, int> m_descriptors;
};

int takePart(const MpiRuntime& mpi, const Fate& fate, std::optional<std::int64_t> master)
{
    const SystemClock clock;
    MpiTransport transport(mpi);
    const MergeMap mine = mapOf(mpi.self());
    const bool doomed = mpi.self() == fate.victim;
    Watches watches;
    if (master)
        watches.watch(ProcessorId(0), *master);
    bool closed = false;
    Exchange* running = nullptr;
    const auto dieIf = [](bool now) {
        if (now)
            ::raise(SIGKILL);
    };
    Exchange exchange(
        {.keep = {},
         .lostAfter = 5s,
         .pace = {.chunkBytes = 2000, .chunksUnderWay = 2},
         .place = {.pid = ::getpid(), .hostKey = hostIdentity().key},
         .listing = {},
         .peakBytes = {}},
        mine, transport, clock,
        {.present =
             [&](ProcessorId rank, const Place& place) {
                 if (rank != mpi.self())
                     watches.watch(rank, place.pid);
             },
         .began = [&](const ViewId&, const View&,
                      const std::string&) { dieIf(doomed && !fate.middle && fate.round == 0); },
         .roundEnded =
             [&](const RoundReport& report) {
                 dieIf(doomed && !fate.middle && report.round + 1 == fate.round);
             },
         .lost = {},
         .agreed =
             [&] {
                 closed = true;
                 running->finish(true);
             }});
    running = &exchange;
    transport.setHandler([&](ProcessorId from, Message message) {
        exchange.receive(from, std::move(message));
        if (doomed && fate.middle && exchange.phase() == Exchange::Phase::Exchanging) {
            const RoundProgress progress = exchange.progress();
            dieIf(progress.round == fate.round && progress.receivedBytes > 0);
        }
    });
    exchange.start();
    while (!exchange.over()) {
        const bool moved = transport.poll();
        if (!exchange.poll() && !moved)
            std::this_thread::sleep_for(1ms);
        for (const ProcessorId rank : watches.ended())
            exchange.processGone(rank);
    }
    const SteadyTime farewell = clock.now() + 2s;
    while ((transport.pending() > 0 || !exchange.quiet()) && clock.now() < farewell)
        transport.poll();
    if (exchange.failure() || !exchange.safe()) {
        std::printf("rank %d failed: %s\n", mpi.self().value(),
                    exchange.failure() ? exchange.failure()->text().c_str() : "not safe");
        return EXIT_FAILURE;
    }
    const MergeMap& result = exchange.result();
    const bool kept = merged(result, mine).digest() == result.digest();
    std::printf("rank %d of %zu: %s, %zu entries, own %s, %s\n", mpi.self().value(), mpi.size(),
                result.digest().hex().c_str(), result.size(), kept ? "kept" : "lost",
                closed ? "closed" : "not closed");
    return EXIT_SUCCESS;
}

} // namespace

int main(int argc, char** argv)
{
    auto mpi = MpiRuntime::start(argc, argv);
    if (!mpi || argc != 4)
        return EXIT_FAILURE;
    const Fate fate{.victim = ProcessorId(static_cast<std::uint32_t>(std::atoi(argv[1]))),
                    .round = static_cast<std::uint32_t>(std::atoi(argv[2])),
                    .middle = std::strcmp(argv[3], "middle") == 0};
    const std::int64_t master = std::atoll(
        (*mpi)->broadcast(std::to_string(::getpid()), ProcessorId(0)).c_str());
    const int code = takePart(
        **mpi, fate, (*mpi)->self() == ProcessorId(0) ? std::nullopt : std::optional(master));
    std::fflush(nullptr);
    (*mpi)->leave(LeaveMode::AfterLoss, code, 1s);
    return code;
}
