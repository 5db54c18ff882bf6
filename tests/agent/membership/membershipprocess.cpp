// SPDX-License-Identifier: GPL-3.0-or-later
// membershipprocess NUMBER TOPOLOGY KEY [HOSTS]: one processor with a membership agent and nothing else. HOSTS has a
// letter for each processor, its host: those of others are neither seen nor killed, and who was fenced
// asks to be let in again. Prints where it can
// be reached; reads everybody's addresses, a line each, and an empty line; then prints what it is
// told, with the time of the system's steady clock in nanoseconds, until standard input ends. Lines
// that come meanwhile are orders: "drain N 0|1", "promote N", "kind N KIND", "stop N",
// "heartbeat MS"; each is answered.
#include "config/layout.h"
#include "config/topologyfile.h"
#include "membership/firstview.h"
#include "membership/membershipthread.h"

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fcntl.h>
#include <functional>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>

namespace {

using namespace tasuki;

long long now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

std::string lineOf(const control::ControlAddress& address)
{
    std::ostringstream line;
    line << address.processor.value() << ' ' << address.udpPort << ' ' << address.tcpPort << ' '
         << address.pid << ' ' << address.processStart << ' ' << address.hosts.size();
    for (const std::string& host : address.hosts)
        line << ' ' << host;
    line << ' ' << address.hostKey; // may have blanks
    return line.str();
}

control::ControlAddress addressOf(const std::string& line)
{
    std::istringstream in(line);
    control::ControlAddress address;
    std::uint32_t processor = 0;
    std::size_t hosts = 0;
    in >> processor >> address.udpPort >> address.tcpPort >> address.pid >> address.processStart
        >> hosts;
    address.processor = ProcessorId(processor);
    for (std::string host; hosts > 0 && in >> host; --hosts)
        address.hosts.push_back(host);
    in >> std::ws;
    std::getline(in, address.hostKey);
    return address;
}

/// What the main thread of an agent does for its membership agent: functions that come from other threads.
class Loop {
public:
    void post(std::function<void()> work)
    {
        const std::lock_guard lock(m_mutex);
        m_work.push_back(std::move(work));
        m_wake.notify_one();
    }
    void end()
    {
        post([this] { m_over = true; });
    }
    /// @param turned  called at least every 50 ms
    void run(const std::function<void()>& turned)
    {
        while (!m_over) {
            std::deque<std::function<void()>> work;
            {
                std::unique_lock lock(m_mutex);
                m_wake.wait_for(lock, std::chrono::milliseconds(50),
                                [this] { return !m_work.empty(); });
                work.swap(m_work);
            }
            for (const auto& one : work)
                one();
            turned();
        }
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::function<void()>> m_work;
    bool m_over = false;
};

void printPicture(const hierarchy::MembershipView& view)
{
    std::printf("%lld view %d", now(), view.system().started ? 1 : 0);
    for (std::uint32_t i = 0; i < view.processorCount(); ++i) {
        const hierarchy::MemberRow& row = view.member(ProcessorId(i));
        std::printf(" %d:%d:%d:%d:%u:%d", static_cast<int>(row.health), static_cast<int>(row.cause),
                    row.seat ? static_cast<int>(row.seat->value()) : -1, row.drained ? 1 : 0,
                    row.promoted, static_cast<int>(row.kind));
    }
    std::printf(" %lld", static_cast<long long>(view.system().settings.heartbeat.count()));
    std::printf("\n");
    std::fflush(stdout);
}

void give(MembershipThread& membership, const std::string& line)
{
    std::istringstream in(line);
    std::string word;
    std::uint32_t number = 0;
    int value = 0;
    in >> word >> number >> value;
    const auto answer = [](const Result<void>& result) {
        std::printf("%lld answer %s\n", now(), result ? "accepted" : result.error().text().c_str());
        std::fflush(stdout);
    };
    const ProcessorId processor(number);
    if (word == "drain")
        membership.order(hierarchy::DrainOrder{processor, value != 0}, answer);
    else if (word == "promote")
        membership.order(hierarchy::PromoteOrder{processor}, answer);
    else if (word == "kind")
        membership.order(hierarchy::KindOrder{processor, static_cast<ProcessorKind>(value)},
                         answer);
    else if (word == "stop")
        membership.order(hierarchy::StopOrder{processor}, answer);
    else if (word == "heartbeat")
        membership.changeSettings({.heartbeat = std::chrono::milliseconds(number)}, answer);
}

/// Where each processor is.
std::vector<std::string> hostsOf(const std::string& letters, std::size_t processors)
{
    std::vector<std::string> hosts(processors, "node");
    for (std::size_t i = 0; i < std::min(letters.size(), processors); ++i)
        hosts[i] += letters[i];
    return hosts;
}

int run(std::uint32_t number, const char* file, const char* keyText, const std::string& letters)
{
    const config::TopologyReading reading = config::readTopologyFile(file);
    if (!reading.topology)
        return 2;
    const std::vector<std::string> hosts = hostsOf(letters, reading.topology->processors());
    const config::LayoutReading layout = config::layOut(*reading.topology, hosts);
    if (!layout.layout)
        return 3;
    control::RunKey key{};
    for (std::size_t i = 0; i < key.size() && keyText[i] != 0; ++i)
        key[i] = static_cast<std::byte>(keyText[i]);

    Loop loop;
    const auto say = [](const char* word) {
        std::printf("%lld %s\n", now(), word);
        std::fflush(stdout);
    };
    Result<std::unique_ptr<MembershipThread>> membership = Error{};
    membership = MembershipThread::open(
        {.self = ProcessorId(number),
         .view = firstView(*reading.topology, *layout.layout),
         .key = key,
         .epoch = Epoch(1),
         .otherHosts = !letters.empty(),
         .hostKey = letters.empty() ? std::string() : hosts[number]},
        [&loop](std::function<void()> work) { loop.post(std::move(work)); },
        {.changed = printPicture,
         .holding =
             [](std::optional<hierarchy::Holding> holding) {
                 std::printf("%lld holding %d %u\n", now(),
                             holding ? static_cast<int>(holding->seat.value()) : -1,
                             holding ? holding->incarnation.value() : 0);
                 std::fflush(stdout);
             },
         .standing =
             [](hierarchy::Standing standing) {
                 std::printf("%lld standing %d\n", now(), static_cast<int>(standing));
                 std::fflush(stdout);
             },
         .fenced =
             [&] {
                 say("fenced");
                 if (!letters.empty())
                     (*membership)->comeBack();
             },
         .rejoined = [&] { say("rejoined"); },
         .shutOut = [&] { say("shutout"); },
         .lengthened =
             [](std::chrono::nanoseconds by) {
                 std::printf("%lld lengthened %lld\n", now(), static_cast<long long>(by.count()));
                 std::fflush(stdout);
             },
         .problem = [](const Error& error) { std::cerr << error.text() << '\n'; }});
    if (!membership) {
        std::cerr << membership.error().text() << '\n';
        return 4;
    }
    std::cout << lineOf((*membership)->address()) << std::endl;
    std::vector<control::ControlAddress> addresses;
    for (std::string line; std::getline(std::cin, line) && !line.empty();)
        addresses.push_back(addressOf(line));
    (*membership)->begin(addresses);
    (*membership)->setReadiness(hierarchy::Readiness::Ready);
    std::thread input([&loop, &membership] {
        for (std::string line; std::getline(std::cin, line);)
            loop.post([&membership, line] { give(**membership, line); });
        loop.end();
    });
    loop.run([&] { (*membership)->turned(); });
    input.join();
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 4 && argc != 5)
        return 2;
    return run(static_cast<std::uint32_t>(std::atoi(argv[1])), argv[2], argv[3],
               argc == 5 ? argv[4] : "");
}
