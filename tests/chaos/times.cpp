// SPDX-License-Identifier: GPL-3.0-or-later
//
// Processors of each role die or are stopped, one after the other, and what the record says of when that was and how long it
// took is compared with the kills and with what went on.
#include "chaosfarm.h"
#include "chaosruns.h"
#include "figures.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <thread>

namespace tasuki::testing {

using namespace std::chrono_literals;

namespace {

constexpr double inMs = 1e3; ///< microseconds
constexpr double lossLimitMs = 20;
/// Who is stopped is given up after a second of silence, between two beats.
constexpr double stopLimitMs = 1'500;
/// What others decide of who is silent is heard with the next beat; the end of a process is seen by all.
constexpr double beatMs = 100;

/// Somebody who dies, and what of.
struct Victim {
    int processor;
    const char* role;
};

/// A farm of two subclusters of eight, in units of four, and who dies in it, in this order. Each seat that
/// becomes free there has a standby left.
struct Scene {
    int io;
    int active;
    std::vector<Victim> victims;
};

// The numbers of a subcluster go by kind: I/O, active, standby.
const std::vector<Scene>& scenes()
{
    static const std::vector<Scene> all{
        // 0 and 8 are the masters; 2 to 4, 10 to 12 hold ranks
        {.io = 2,
         .active = 3,
         .victims = {{7, "standby"},
                     {15, "standby"},
                     {2, "active"},
                     {10, "active"},
                     {1, "I/O"},
                     {9, "I/O"}}},
        // 1 to 4, 9 to 12 hold ranks; 4 and 12 are the first of their units
        {.io = 1,
         .active = 4,
         .victims = {{4, "unit master"},
                     {12, "unit master"},
                     {8, "cluster master"},
                     {9, "cluster master"},
                     {0, "system master"},
                     {1, "system master"}}}};
    return all;
}

/// What comes of the kills of a role; differences in milliseconds, both ways.
struct RoleFigures {
    Figures signalToLoss;
    Figures endToLoss; ///< of the process
    Figures detection;
    Figures takenToNext;
    Figures takeover;
    int kills = 0;
    int beyond = 0; ///< times that are off by more than their limits

    void note(Figures& figures, double difference, double limit)
    {
        figures.add(std::abs(difference));
        beyond += std::abs(difference) > limit ? 1 : 0;
    }
};

struct Struck {
    Victim victim;
    WallMicros signalled;
    WallMicros ended; ///< who is stopped is killed when it is given up
};

/// Waits until the farm has told of so many successions: who dies before it leads is nobody's successor.
void waitForSuccessors(const ChaosFarm& farm, std::size_t wanted)
{
    const auto limit = std::chrono::steady_clock::now() + 60s;
    for (;;) {
        const std::string said = farm.said();
        static const std::string words = " is system master in place of ";
        std::size_t found = 0;
        for (auto place = said.find(words); place != std::string::npos;
             place = said.find(words, place + words.size())) {
            ++found;
        }
        if (found >= wanted) {
            return;
        }
        if (std::chrono::steady_clock::now() > limit) {
            throw std::runtime_error("nobody succeeds: " + said);
        }
        std::this_thread::sleep_for(5ms);
    }
}

/// @return when a place acts again, in milliseconds since 1970
double actsAt(WallMicros lost, const RecordedTakeover& taken)
{
    return static_cast<double>(lost) / inMs + taken.detectionMs + taken.takeoverMs;
}

class Times {
public:
    /// @param stops  they are stopped, not killed
    Times(double limitMs, bool stops) : m_limit(limitMs + (stops ? beatMs : 0)), m_stops(stops) {}

    void play(const Scene& scene, const std::filesystem::path& directory, std::mt19937_64& random);
    /// @return how many kills there were of the role of which there were fewest
    [[nodiscard]] int fewest() const;
    bool print() const;

private:
    void compare(const FailoverRecord& record, const Struck& struck);
    void compareTakeover(const FailoverRecord& record, const Struck& struck, WallMicros lost,
                         RoleFigures& figures);
    void wrong(const Struck& struck, const std::string& what);

    double m_limit;
    bool m_stops;
    std::map<std::string, RoleFigures> m_roles;
    int m_wrong = 0;
};

void Times::play(const Scene& scene, const std::filesystem::path& directory,
                 std::mt19937_64& random)
{
    constexpr int ofEach = 8;
    std::string topology;
    for (const char* name : {"left", "right"}) {
        topology += chaosSubcluster(name, scene.active, ofEach - scene.io - scene.active, scene.io);
    }
    ChaosFarm farm({.directory = directory,
                    .topology = topology,
                    .tasks = 6'000,
                    .command = "sleep 0.02",
                    .processors = 2 * ofEach});
    farm.start();
    std::vector<Struck> struck;
    std::size_t masters = 0;
    for (const Victim& victim : scene.victims) {
        // Anywhere between two beats, when all is calm again.
        std::this_thread::sleep_for(
            std::chrono::milliseconds(std::uniform_int_distribution<int>(700, 900)(random)));
        const WallMicros signalled = wallNow();
        const WallMicros ended = farm.strikeAndWait(victim.processor, m_stops ? SIGSTOP : SIGKILL);
        if (ended == 0) {
            throw std::runtime_error("who is to die is not there: " + farm.said());
        }
        struck.push_back({victim, signalled, ended});
        masters += std::string(victim.role) == "system master" ? 1U : 0U;
        waitForSuccessors(farm, masters);
    }
    std::this_thread::sleep_for(1500ms);
    farm.life().interrupt();
    std::this_thread::sleep_for(200ms);
    farm.life().interrupt();
    if (!farm.end(60s)) {
        throw std::runtime_error("hangs: " + farm.said() + farm.remainder());
    }
    const FailoverRecord record = farm.record();
    for (const Struck& one : struck) {
        compare(record, one);
    }
}

void Times::wrong(const Struck& struck, const std::string& what)
{
    std::printf("WRONG: %s, processor %d: %s\n", struck.victim.role, struck.victim.processor,
                what.c_str());
    ++m_wrong;
}

void Times::compare(const FailoverRecord& record, const Struck& struck)
{
    RoleFigures& figures = m_roles[struck.victim.role];
    ++figures.kills;
    const auto loss = record.lossOf(struck.victim.processor);
    if (!loss || loss->lostAt == 0) {
        wrong(struck,
              loss ? "the record does not say when it was lost" : "is not recorded as lost");
        return;
    }
    const double signalToLoss = static_cast<double>(loss->lostAt - struck.signalled) / inMs;
    if (m_stops) {
        figures.note(figures.signalToLoss, signalToLoss, stopLimitMs);
    } else {
        figures.signalToLoss.add(std::abs(signalToLoss));
        figures.note(figures.endToLoss, static_cast<double>(loss->lostAt - struck.ended) / inMs,
                     lossLimitMs);
    }
    compareTakeover(record, struck, loss->lostAt, figures);
}

/// What was taken over acts again at the recorded loss, detection and takeover together: soon the first
/// task begins there, and what has no tasks is recorded at once.
void Times::compareTakeover(const FailoverRecord& record, const Struck& struck, WallMicros lost,
                            RoleFigures& figures)
{
    int found = 0;
    double systemActs = 0; // before that nobody hands out tasks
    for (const RecordedTakeover& taken : record.takeovers()) {
        if (taken.from == struck.victim.processor && taken.place == "system master") {
            systemActs = actsAt(lost, taken);
        }
    }
    for (const RecordedTakeover& taken : record.takeovers()) {
        if (taken.from != struck.victim.processor || taken.at < struck.signalled) {
            continue;
        }
        ++found;
        if (taken.detectionMs <= 0 || taken.takeoverMs <= 0) {
            wrong(struck, taken.place + " is taken over in no time");
            continue;
        }
        const double acts = std::max(actsAt(lost, taken), systemActs);
        const bool ofRank = taken.place.find("rank") != std::string::npos;
        const bool ofSystem = taken.place == "system master";
        figures.detection.add(taken.detectionMs);
        figures.takeover.add(taken.takeoverMs);
        if (!ofRank && !ofSystem && std::string(struck.victim.role) == "system master") {
            continue; // nobody recorded it just then
        }
        const WallMicros next = ofRank ? record.firstStart(taken.seat, struck.ended) : taken.at;
        if (next == 0) {
            wrong(struck, "no task has begun on " + taken.place);
            continue;
        }
        figures.note(figures.takenToNext, static_cast<double>(next) / inMs - acts, m_limit);
    }
    if (found == 0 && std::string(struck.victim.role) != "standby") {
        wrong(struck, "nobody has taken its place");
    }
}

int Times::fewest() const
{
    std::size_t known = 0;
    for (const Scene& scene : scenes()) {
        known += scene.victims.size() / 2;
    }
    int least = m_roles.size() < known ? 0 : 1'000'000;
    for (const auto& [role, figures] : m_roles) {
        least = std::min(least, figures.kills);
    }
    return least;
}

bool Times::print() const
{
    int beyond = 0;
    for (const auto& [role, figures] : m_roles) {
        std::printf("\n%s: %d %s\n", role.c_str(), figures.kills, m_stops ? "stops" : "kills");
        Figures::printHeading();
        figures.signalToLoss.print("signal - recorded loss");
        if (!m_stops) {
            figures.endToLoss.print("end of process - recorded loss");
        }
        figures.takenToNext.print("loss+detection+takeover - next");
        figures.detection.print("recorded detection");
        figures.takeover.print("recorded takeover");
        beyond += figures.beyond;
    }
    std::printf(
        "\n%d times are off by more than %.0f ms (losses) or %.0f ms (the next start); %d wrong\n",
        beyond, m_stops ? stopLimitMs : lossLimitMs, m_limit, m_wrong);
    return beyond == 0 && m_wrong == 0;
}

} // namespace

bool runTimes(const ChaosOptions& options, const std::filesystem::path& place)
{
    std::printf("chaos: the times of %d %s of each role, --seed %llu\n", options.kills,
                options.stops ? "stops" : "kills", options.seed);
    std::mt19937_64 random(options.seed);
    Times times(options.limitMs, options.stops);
    for (int round = 0; times.fewest() < options.kills; ++round) {
        int number = 0;
        for (const Scene& scene : scenes()) {
            times.play(scene, place / (std::to_string(round) + '.' + std::to_string(number++)),
                       random);
        }
        std::printf("%d of %d\n", times.fewest(), options.kills);
        std::fflush(stdout);
    }
    return times.print();
}

} // namespace tasuki::testing
