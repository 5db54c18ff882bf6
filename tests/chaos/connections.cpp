// SPDX-License-Identifier: GPL-3.0-or-later
//
// Processors die while strangers crowd every port of the launch: takeovers and windows must not notice.
#include "chaosfarm.h"
#include "chaosruns.h"
#include "crowd.h"
#include "figures.h"

#include "linkclient.h"
#include "wire/accessfile.h"

#include <array>
#include <csignal>
#include <cstdio>
#include <map>
#include <optional>
#include <stdexcept>
#include <thread>

namespace tasuki::testing {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace {

constexpr int standbysEach = 4; ///< in each of two subclusters
constexpr int killsOfACrowd = 2 * standbysEach
    + 1;                               ///< of those who hold ranks, and of the system master
constexpr int reopenedPerSecond = 200; ///< for each port
constexpr double targetMs = 50;

struct Outcome {
    LossFigures losses;
    /// From the verdict until another one acts as system master, which reads the record first; and the same
    /// where there are no strangers.
    Figures masters;
    Figures mastersAlone;
    Figures joined; ///< from a window's wish to connect until it is in and has been answered
    int kills = 0;
    int windowsRefused = 0;
    std::size_t longestLog = 0; ///< lines of a run
    Crowd::Counts crowd;
};

void waitUntilSaid(ChaosFarm& farm, const std::string& words, std::size_t wanted)
{
    const auto limit = steady_clock::now() + 60s;
    while (count(farm.said(), words) < wanted) {
        if (steady_clock::now() > limit || farm.life().ended()) {
            throw std::runtime_error("no '" + words + "': " + farm.said());
        }
        std::this_thread::sleep_for(2ms);
    }
}

/// Somebody opens a window, over both sockets.
void openWindows(const std::filesystem::path& directory, Outcome& outcome)
{
    const auto agents = link::listAccessFiles(directory / ".access").agents;
    if (agents.empty()) {
        throw std::runtime_error("no agent can be found by windows");
    }
    for (const auto over : {LinkClient::Over::Unix, LinkClient::Over::Tcp}) {
        const auto began = steady_clock::now();
        LinkClient window(agents.front().access, over);
        const std::string problem = window.connected() ? window.join() : "cannot connect";
        if (!problem.empty() || !window.send(link::Ping{1}) || !window.await<link::Pong>()) {
            std::printf("a window is not served over %s: %s\n",
                        over == LinkClient::Over::Unix ? "the Unix socket" : "TCP",
                        problem.c_str());
            ++outcome.windowsRefused;
            continue;
        }
        outcome.joined.add(
            std::chrono::duration<double, std::milli>(steady_clock::now() - began).count());
    }
}

/// Ports of the launch. Those of mpirun itself are the launcher's affair.
std::vector<ListeningPort> portsOf(ChaosFarm& farm)
{
    std::vector<pid_t> processes;
    for (const auto& [number, pid] : farm.life().agents()) {
        processes.push_back(pid);
    }
    return listeningPorts(processes);
}

/// Waits until all have tried to connect, and what comes is only what comes again.
void crowdIn(const Crowd& crowd, long long wanted)
{
    const auto limit = steady_clock::now() + 60s;
    while (crowd.counts().opened < wanted) {
        if (steady_clock::now() > limit) {
            throw std::runtime_error("the crowd does not come");
        }
        std::this_thread::sleep_for(50ms);
    }
    std::this_thread::sleep_for(1s);
}

void killInTurn(ChaosFarm& farm, const std::filesystem::path& directory, int kills,
                std::mt19937_64& random, std::vector<std::pair<int, WallMicros>>& struck,
                Outcome& outcome)
{
    std::array<int, 2> holders{1, 7};
    openWindows(directory, outcome);
    for (int kill = 0; kill < kills; ++kill) {
        std::this_thread::sleep_for(
            std::chrono::milliseconds(std::uniform_int_distribution<int>(200, 400)(random)));
        const bool last = kill + 1 == kills;
        const int victim = last ? 0 : holders.at(static_cast<std::size_t>(kill % 2))++;
        struck.emplace_back(victim, wallNow());
        if (!farm.strike(victim, SIGKILL)) {
            throw std::runtime_error("who is to die is not there: " + farm.said());
        }
        if (last) {
            waitUntilSaid(farm, " is system master in place of ", 1);
        } else {
            waitUntilSaid(farm, "is taken over on", struck.size());
        }
        openWindows(directory, outcome);
    }
}

void endInOrder(ChaosFarm& farm)
{
    std::this_thread::sleep_for(500ms);
    farm.life().interrupt();
    std::this_thread::sleep_for(200ms);
    farm.life().interrupt();
    if (!farm.end(60s)) {
        throw std::runtime_error("hangs: " + farm.said() + farm.remainder());
    }
}

ChaosFarm::Setup setupIn(const std::filesystem::path& directory)
{
    return {.directory = directory,
            .topology = chaosSubcluster("left", 1, standbysEach)
                + chaosSubcluster("right", 1, standbysEach),
            .tasks = 40'000};
}

void addMasters(const FailoverRecord& record, Figures& figures)
{
    for (const RecordedTakeover& taken : record.takeovers()) {
        if (taken.from == 0 && taken.place == "system master") {
            figures.add(taken.takeoverMs);
        }
    }
}

/// The system master alone is killed, and there are no strangers.
void playAlone(const std::filesystem::path& directory, Outcome& outcome)
{
    ChaosFarm farm(setupIn(directory));
    farm.start();
    std::this_thread::sleep_for(3s); // so much work is done as beside a crowd
    if (!farm.strike(0, SIGKILL)) {
        throw std::runtime_error("who is to die is not there: " + farm.said());
    }
    waitUntilSaid(farm, " is system master in place of ", 1);
    endInOrder(farm);
    addMasters(farm.record(), outcome.mastersAlone);
}

void playOne(const ChaosOptions& options, const std::filesystem::path& directory, int kills,
             std::mt19937_64& random, Outcome& outcome)
{
    ChaosFarm farm(setupIn(directory));
    farm.start();
    const std::vector<ListeningPort> ports = portsOf(farm);
    std::map<std::string, int> owners;
    for (const ListeningPort& port : ports) {
        ++owners[port.owner];
    }
    for (const auto& [owner, number] : owners) {
        std::printf("%d ports of %s, %d connections each\n", number, owner.c_str(),
                    options.connections);
    }
    std::vector<std::pair<int, WallMicros>> struck;
    {
        const Crowd crowd(ports, options.connections, reopenedPerSecond);
        crowdIn(crowd, static_cast<long long>(ports.size()) * options.connections);
        killInTurn(farm, directory, kills, random, struck, outcome);
        outcome.crowd = crowd.counts();
    }
    endInOrder(farm);
    const FailoverRecord record = farm.record();
    for (const auto& [processor, at] : struck) {
        if (processor != 0) {
            outcome.losses.add(record, processor, at, true);
        }
    }
    addMasters(record, outcome.masters);
    outcome.kills += kills;
    outcome.longestLog = std::max(outcome.longestLog, count(farm.said(), "\n"));
}

} // namespace

bool runConnections(const ChaosOptions& options, const std::filesystem::path& place)
{
    constexpr std::size_t mostLines = 400;
    std::printf(
        "chaos: %d kills while %d connections of strangers stand at each port, --seed %llu\n",
        options.kills, options.connections, options.seed);
    std::mt19937_64 random(options.seed);
    Outcome outcome;
    int masters = 0;
    while (outcome.kills < options.kills) {
        const int kills = std::min(killsOfACrowd, options.kills - outcome.kills);
        playAlone(place / ("alone" + std::to_string(masters)), outcome);
        playOne(options, place / std::to_string(outcome.kills), kills, random, outcome);
        ++masters;
        std::printf("%d kills; %lld connections opened, %lld of them closed by the other end, %lld "
                    "held\n",
                    outcome.kills, outcome.crowd.opened, outcome.crowd.closed, outcome.crowd.held);
        std::fflush(stdout);
    }
    outcome.losses.print();
    outcome.masters.print("lost -> another system master");
    outcome.mastersAlone.print("the same without strangers");
    outcome.joined.print("a window connects and is answered");
    const bool all = outcome.losses.takeovers + masters == options.kills;
    const double limit = std::max(targetMs, static_cast<double>(options.limitMs));
    const bool quick = outcome.losses.lossToTaken.quantile(0.99) <= limit
        && outcome.losses.lossToWorker.quantile(0.99) <= limit
        && outcome.masters.quantile(0.99) <= outcome.mastersAlone.quantile(0.99) + limit;
    const bool quiet = outcome.longestLog <= mostLines;
    std::printf(
        "\n%d of %d kills of ranks were followed by a takeover; p99 is %s the target of %.0f "
        "ms, of a system master by so much more than without strangers; %d windows not served; at most "
        "%zu lines of log a run, %s\n",
        outcome.losses.takeovers, options.kills - masters, quick ? "within" : "BEYOND", limit,
        outcome.windowsRefused, outcome.longestLog, quiet ? "few" : "TOO MANY");
    return all && quick && quiet && outcome.windowsRefused == 0;
}

} // namespace tasuki::testing
