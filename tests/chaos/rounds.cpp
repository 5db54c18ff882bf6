// SPDX-License-Identifier: GPL-3.0-or-later
//
// Random kills and stops, of all roles alike. Wrong is
//   - a run that does not end, or ends with a code that its losses do not explain;
//   - one that cannot be resumed to its end, where so many died that a subcluster was down;
//   - a task that is not recorded done exactly once, a seat with two holders under one incarnation;
//   - a process that lives on.
#include "cast.h"
#include "chaosfarm.h"
#include "chaosruns.h"
#include "figures.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <thread>

namespace tasuki::testing {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

namespace {

constexpr auto longestRun = 90s;
constexpr WallMicros lostAfterMicros = 1'000'000;
constexpr int interrupted = 4; ///< exit code of the agent: ended early, can be resumed

/// A signal at a moment of a round.
struct Shot {
    milliseconds moment{};
    ChaosRole role{};       ///< who plays it then is struck; if nobody, nothing happens
    unsigned choice = 0;    ///< which of these
    std::size_t victim = 0; ///< each has one number: who is to be woken was stopped under it
    int signal = 0;
    bool forGood = true;   ///< of a stop: nobody wakes it
    int processor = -1;    ///< who was struck
    WallMicros struck = 0; ///< 0: it was not there any more
};

struct Totals {
    int kills = 0;
    int stops = 0;
    int wakings = 0;
    int resumed = 0;
    std::size_t decisions = 0; ///< that were replayed
    std::array<int, chaosRoles> killsOf{};
    std::array<int, chaosRoles> stopsOf{};
    LossFigures figures;
};

int between(int lowest, int highest, std::mt19937_64& random)
{
    return std::uniform_int_distribution<int>(lowest, highest)(random);
}

/// One to four processors of roles drawn alike: most are killed, others stopped, of which half wake up
/// again.
std::vector<Shot> planned(std::mt19937_64& random)
{
    constexpr int mostVictims = 4;
    constexpr int mostPause = 700;
    constexpr int choices = 1000;
    const int victims = between(1, mostVictims, random);
    std::vector<Shot> shots;
    milliseconds moment{};
    for (int victim = 0; victim < victims; ++victim) {
        // Some at the same moment.
        moment += milliseconds(std::max(0, between(-mostPause / 3, mostPause, random)));
        Shot shot{
            .moment = moment,
            .role = static_cast<ChaosRole>(between(0, static_cast<int>(chaosRoles) - 1, random)),
            .choice = static_cast<unsigned>(between(0, choices, random)),
            .victim = static_cast<std::size_t>(victim)};
        const int dice = between(0, 9, random);
        shot.signal = dice < 6 ? SIGKILL : SIGSTOP;
        shot.forGood = dice < 8;
        shots.push_back(shot);
        if (!shot.forGood) {
            shot.moment += milliseconds(between(100, 3000, random));
            shot.signal = SIGCONT;
            shots.push_back(shot);
        }
    }
    std::ranges::stable_sort(shots, {}, &Shot::moment);
    return shots;
}

class ChaosRound {
public:
    ChaosRound(ChaosFarm& farm, int tasks, bool replays)
        : m_farm(farm), m_tasks(tasks), m_replays(replays)
    {}

    void run(std::vector<Shot> shots, Totals& totals)
    {
        m_farm.start();
        shoot(shots, totals);
        std::optional<int> code = ended();
        if (code == interrupted && subclusterWasDown()) {
            m_story += " down, resumed;";
            ++totals.resumed;
            m_farm.resume();
            code = ended();
        }
        if (code && *code != 0) {
            problem("exit code " + std::to_string(*code) + ": " + m_farm.said());
        }
        if (m_replays) {
            replay(totals);
        }
        const FailoverRecord record = m_farm.record();
        for (const std::string& found : record.problems(m_tasks)) {
            problem(found);
        }
        for (const Shot& shot : shots) {
            const bool kill = shot.signal == SIGKILL;
            if (shot.struck != 0 && (kill || (shot.signal == SIGSTOP && shot.forGood))) {
                totals.figures.add(record, shot.processor, shot.struck, kill);
            }
        }
        m_story += ' ' + std::to_string(record.losses().size()) + " lost, "
            + std::to_string(record.takeovers().size()) + " taken over";
    }

    void replay(Totals& totals)
    {
        const auto [events, divergences] = m_farm.replayDecisions();
        totals.decisions += events;
        for (const std::string& found : divergences) {
            problem(found);
        }
    }

    void problem(const std::string& text) { m_problems.push_back(text); }
    [[nodiscard]] const std::vector<std::string>& problems() const { return m_problems; }
    [[nodiscard]] const std::string& story() const { return m_story; }

private:
    void shoot(std::vector<Shot>& shots, Totals& totals)
    {
        const auto begin = std::chrono::steady_clock::now();
        for (Shot& shot : shots) {
            std::this_thread::sleep_until(begin + shot.moment);
            if (!aim(shot)) {
                continue;
            }
            const WallMicros now = wallNow();
            if (m_farm.life().ended() || !m_farm.strike(shot.processor, shot.signal)) {
                continue;
            }
            shot.struck = now;
            count(shot, totals);
            m_story += shot.signal == SIGKILL ? " kill "
                : shot.signal == SIGSTOP      ? " stop "
                                              : " wake ";
            m_story += std::to_string(shot.processor) + ',';
        }
    }

    /// @return whether there is somebody to be struck
    bool aim(Shot& shot)
    {
        if (shot.signal == SIGCONT) {
            const auto before = m_struck.find(shot.victim);
            shot.processor = before == m_struck.end() ? -1 : before->second.processor;
            return shot.processor >= 0;
        }
        const std::vector<int> candidates = m_cast.in(shot.role);
        if (candidates.empty()) {
            return false;
        }
        shot.processor = candidates[shot.choice % candidates.size()];
        m_struck[shot.victim] = {.processor = shot.processor, .at = wallNow()};
        return true;
    }

    void count(const Shot& shot, Totals& totals)
    {
        const auto role = static_cast<std::size_t>(shot.role);
        switch (shot.signal) {
        case SIGKILL:
            ++totals.kills;
            ++totals.killsOf.at(role);
            m_cast.lose(shot.processor);
            break;
        case SIGSTOP:
            ++totals.stops;
            ++totals.stopsOf.at(role);
            m_cast.lose(shot.processor); // for a while at least
            break;
        default:
            ++totals.wakings;
            if (shot.struck - m_struck.at(shot.victim).at < lostAfterMicros) {
                m_cast.regain(shot.processor);
            }
            break;
        }
    }

    std::optional<int> ended()
    {
        const std::optional<int> code = m_farm.end(longestRun);
        if (!code) {
            problem("hangs: " + m_farm.said() + m_farm.remainder());
        }
        return code;
    }

    [[nodiscard]] bool subclusterWasDown() const
    {
        return m_farm.record().sql().number(
                   "SELECT count(*) FROM detail AS d JOIN event AS e ON e.id = d.event AND e.kind "
                   "= 21 WHERE d.name = 'state' AND d.value = 2")
            > 0;
    }

    ChaosFarm& m_farm;
    int m_tasks;
    bool m_replays;
    Cast m_cast;
    struct Struck {
        int processor = 0;
        WallMicros at = 0;
    };
    std::map<std::size_t, Struck> m_struck; ///< by the victim's number
    std::vector<std::string> m_problems;
    std::string m_story;
};

bool usesTcp(int round, ChaosOptions::Transport transport)
{
    return transport == ChaosOptions::Transport::Tcp
        || (transport == ChaosOptions::Transport::Both && round % 2 == 1);
}

/// @return whether nothing was wrong
bool playRound(const ChaosOptions& options, int number, bool tcp,
               const std::filesystem::path& directory, std::mt19937_64& random, Totals& totals)
{
    std::vector<Shot> shots = planned(random);
    std::printf("%5d  %-4s ", number + 1, tcp ? "tcp" : "shm");
    std::fflush(stdout);
    constexpr int tasks = 500;
    ChaosFarm::Setup setup{.directory = directory,
                           .topology = chaosSubcluster("left", 3, 2)
                               + chaosSubcluster("right", 3, 2),
                           .tasks = tasks,
                           .decisions = options.decisions};
    if (tcp) {
        setup.launcherOptions = {"--mca", "btl", "tcp,self"};
    }
    ChaosFarm farm(setup);
    ChaosRound round(farm, tasks, options.decisions);
    try {
        round.run(std::move(shots), totals);
    } catch (const std::exception& error) {
        round.problem(error.what());
    }
    std::printf("%s  %s\n", round.story().c_str(), round.problems().empty() ? "good" : "WRONG");
    for (const std::string& found : round.problems()) {
        std::printf("       %s\n", found.c_str());
    }
    std::fflush(stdout);
    return round.problems().empty();
}

} // namespace

bool runRounds(const ChaosOptions& options, const std::filesystem::path& place)
{
    std::printf("chaos: %d rounds on %d processors, --seed %llu\n", options.rounds,
                ChaosFarm::usualProcessors, options.seed);
    std::mt19937_64 random(options.seed);
    Totals totals;
    int wrong = 0;
    for (int number = 0; number < options.rounds; ++number) {
        const auto directory = place / std::to_string(number + 1);
        const bool good = playRound(options, number, usesTcp(number, options.transport), directory,
                                    random, totals);
        wrong += good ? 0 : 1;
        if (good || !options.keep) {
            std::filesystem::remove_all(directory);
        }
    }
    std::printf("\n%d rounds: %d kills, %d stops, %d of them woken, %d takeovers; %d times so many "
                "were lost that the run was resumed\n\n",
                options.rounds, totals.kills, totals.stops, totals.wakings,
                totals.figures.takeovers, totals.resumed);
    std::printf("%-16s %6s %6s\n", "role", "kills", "stops");
    for (std::size_t role = 0; role < chaosRoles; ++role) {
        std::printf("%-16s %6d %6d\n", chaosRoleName(static_cast<ChaosRole>(role)).data(),
                    totals.killsOf.at(role), totals.stopsOf.at(role));
    }
    std::printf("\n");
    totals.figures.print();
    std::printf("\n%zu decisions about membership replayed; %d of %d rounds were wrong\n",
                totals.decisions, wrong, options.rounds);
    return wrong == 0;
}

} // namespace tasuki::testing
