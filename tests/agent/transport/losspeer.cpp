// SPDX-License-Identifier: GPL-3.0-or-later
// A processor of a launch that loses rank 1. usage: losspeer killed|stopped
//
// Everybody sends to everybody. Rank 1 soon kills or stops itself, while large and small messages
// to and from it are under way. The others go on sending to it for a while, as processors do that
// have not noticed, and until something is kept for it, which takes longer on a busy machine; then they
// forget it, exchange numbered messages among themselves, and leave.
#include "transport/mpi/mpiruntime.h"
#include "transport/mpi/mpitransport.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <thread>
#include <unistd.h>

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

constexpr ProcessorId doomed(1);
constexpr int exchanged = 200;
constexpr std::size_t largeBytes = 300'000;

std::chrono::steady_clock::time_point now() { return std::chrono::steady_clock::now(); }

/// One line in one write, so that lines of several processes do not mix.
void say(const std::string& line)
{
    const std::string whole = line + "\n";
    static_cast<void>(std::fwrite(whole.data(), 1, whole.size(), stdout));
    std::fflush(stdout);
}

class Peer {
public:
    explicit Peer(const MpiRuntime& runtime) : m_transport(runtime)
    {
        m_transport.setHandler(
            [this](ProcessorId from, const Message& message) { take(from, message); });
    }

    /// Noise to all, the doomed included, until `end`; then, until `latest`, while all that was sent to
    /// the doomed has left.
    void sendNoise(std::chrono::steady_clock::time_point end,
                   std::chrono::steady_clock::time_point latest)
    {
        const auto goesOn = [&] {
            return now() < end || (now() < latest && m_transport.pending(doomed) == 0);
        };
        for (int round = 0; goesOn(); ++round) {
            for (std::uint32_t rank = 0; rank < size(); ++rank) {
                if (ProcessorId(rank) != m_transport.self())
                    m_transport.send(ProcessorId(rank),
                                     Message(round % 4 == 0 ? largeBytes : 20, 'n'));
            }
            for (int turn = 0; turn < 10; ++turn)
                m_transport.poll();
            std::this_thread::sleep_for(1ms);
        }
    }

    /// @return how many messages to the doomed had not left
    std::size_t forgetTheDoomed()
    {
        const std::size_t pending = m_transport.pending(doomed);
        m_transport.forget(doomed);
        return pending;
    }

    /// Numbered messages between the living. @return whether all of them came, in order
    bool exchangeAmongTheLiving()
    {
        for (int number = 0; number < exchanged; ++number) {
            for (std::uint32_t rank = 0; rank < size(); ++rank) {
                if (isLivingPeer(ProcessorId(rank)))
                    m_transport.send(ProcessorId(rank), "#" + std::to_string(number));
            }
        }
        const auto end = now() + 20s;
        while (!m_failed && now() < end) {
            m_transport.poll();
            bool complete = m_transport.pending() == 0;
            for (std::uint32_t rank = 0; rank < size(); ++rank)
                complete = complete
                    && (!isLivingPeer(ProcessorId(rank)) || m_next[ProcessorId(rank)] == exchanged);
            if (complete)
                return true;
        }
        return false;
    }

private:
    [[nodiscard]] std::uint32_t size() const
    {
        return static_cast<std::uint32_t>(m_transport.size());
    }
    [[nodiscard]] bool isLivingPeer(ProcessorId rank) const
    {
        return rank != doomed && rank != m_transport.self();
    }

    void take(ProcessorId from, const Message& message)
    {
        if (message.empty() || message.front() != '#')
            return;
        int& next = m_next[from];
        m_failed = m_failed || message != "#" + std::to_string(next);
        ++next;
    }

    MpiTransport m_transport;
    std::map<ProcessorId, int> m_next;
    bool m_failed = false;
};

} // namespace

int main(int argc, char** argv)
{
    auto started = MpiRuntime::start(argc, argv);
    if (!started || argc != 2)
        return 2;
    MpiRuntime& runtime = **started;
    const std::string me = "rank " + std::to_string(runtime.self().value());
    if (!runtime.agreeAllReady(runtime.size() >= 3))
        return 2;
    auto peer = std::make_unique<Peer>(runtime);
    if (runtime.self() == doomed) {
        say("doomed pid " + std::to_string(getpid()));
        peer->sendNoise(now() + 100ms, now());
        std::raise(std::strcmp(argv[1], "killed") == 0 ? SIGKILL : SIGSTOP);
        _exit(3);
    }
    peer->sendNoise(now() + 500ms, now() + 10s);
    const std::size_t unsent = peer->forgetTheDoomed();
    const bool complete = peer->exchangeAmongTheLiving();
    say(me + (complete ? " exchanged " : " failed to exchange ") + std::to_string(exchanged)
        + (unsent > 0 ? ", kept some" : ", kept none")
        + (runtime.recoveryEnabled() ? ", recovery on" : ", recovery off") + ", pid "
        + std::to_string(getpid()));
    const int code = complete ? 0 : 1;
    // What MPI holds for the doomed is given up here.
    peer.reset();
    const auto leaving = now();
    runtime.leave(LeaveMode::AfterLoss, code, 2s);
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(now() - leaving);
    say(me + " finalised in " + std::to_string(took.count()) + " ms");
    return code;
}
