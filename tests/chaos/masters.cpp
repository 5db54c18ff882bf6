// SPDX-License-Identifier: GPL-3.0-or-later
//
// The system master dies, again and again, under one long farm. What a kill costs is told by the record: how
// long until a successor acted, and until the first task began after it.
#include "chaosfarm.h"
#include "chaosruns.h"
#include "figures.h"

#include <csignal>
#include <cstdio>
#include <regex>
#include <stdexcept>
#include <thread>

namespace tasuki::testing {

using namespace std::chrono_literals;

namespace {

constexpr int ranks = 8;
constexpr auto longestTakeover = 120s;
constexpr double millisecond = 1000; ///< microseconds

/// A kill, and what the record says about it.
struct Kill {
    int processor = 0;
    WallMicros struck = 0;
    WallMicros succeeded = 0; ///< another one is system master
    WallMicros worked = 0;    ///< a task has begun since
};

class MasterHunt {
public:
    MasterHunt(ChaosFarm& farm, int tasks) : m_farm(farm), m_tasks(tasks) {}

    /// Kills who is system master whenever another equal part of the tasks has begun.
    void run(int kills)
    {
        m_farm.start();
        for (int kill = 0; kill < kills; ++kill) {
            waitForTasks(static_cast<long long>(m_tasks) * (kill + 1) / (kills + 1));
            Kill struck{.processor = m_master, .struck = wallNow()};
            if (!m_farm.strike(m_master, SIGKILL)) {
                throw std::runtime_error("the system master is not there: " + m_farm.said());
            }
            waitForSuccessor();
            std::printf("kill %3d: processor %3d, seen after %6.0f ms\n", kill + 1,
                        struck.processor,
                        static_cast<double>(wallNow() - struck.struck) / millisecond);
            std::fflush(stdout);
            m_kills.push_back(struck);
        }
    }

    /// Adds what the record says.
    void look(const FailoverRecord& record)
    {
        std::size_t next = 0;
        for (const RecordedMaster& master : record.masters()) {
            if (master.role != "system" || master.processor == 0) {
                continue;
            }
            Kill& kill = m_kills.at(next++);
            kill.succeeded = master.at;
            kill.worked = record.sql().number(
                "SELECT min(started_us) FROM (SELECT started_us FROM event WHERE id > (SELECT id "
                "FROM event WHERE kind = 20 AND wall_us = "
                + std::to_string(master.at)
                + " ORDER BY id DESC LIMIT 1) AND kind IN (8, 9) AND started_us >= "
                + std::to_string(kill.struck) + " LIMIT 500)");
        }
    }

    [[nodiscard]] const std::vector<Kill>& kills() const { return m_kills; }

private:
    void waitForTasks(long long wanted)
    {
        const auto limit = std::chrono::steady_clock::now() + 600s;
        while (m_farm.begun() < wanted) {
            if (m_farm.life().ended() || std::chrono::steady_clock::now() > limit) {
                throw std::runtime_error("does not go on: " + m_farm.said() + m_farm.remainder());
            }
            std::this_thread::sleep_for(5ms);
        }
    }

    /// Waits until the farm has told who is system master instead.
    void waitForSuccessor()
    {
        static const std::regex told("processor ([0-9]+)[^\n]* is system master in place of");
        const auto limit = std::chrono::steady_clock::now() + longestTakeover;
        for (int before = m_master; before == m_master;) {
            const std::string said = m_farm.said();
            for (std::sregex_iterator found(said.begin(), said.end(), told), end; found != end;
                 ++found) {
                m_master = std::stoi((*found)[1]);
            }
            if (m_farm.life().ended() || std::chrono::steady_clock::now() > limit) {
                throw std::runtime_error("nobody succeeds: " + said + m_farm.remainder());
            }
            std::this_thread::sleep_for(5ms);
        }
    }

    ChaosFarm& m_farm;
    int m_tasks;
    int m_master = 0;
    std::vector<Kill> m_kills;
};

void printFigures(const std::vector<Kill>& kills)
{
    Figures acted;
    Figures worked;
    for (const Kill& kill : kills) {
        acted.add(static_cast<double>(kill.succeeded - kill.struck) / millisecond);
        worked.add(static_cast<double>(kill.worked - kill.struck) / millisecond);
    }
    Figures::printHeading();
    acted.print("from the kill until another one is recorded as system master");
    worked.print("until the next task began");
}

} // namespace

bool runMasters(const ChaosOptions& options, const std::filesystem::path& place)
{
    const int processors = 1 + ranks + options.kills;
    std::printf("chaos: %d tasks on %d processors, of which %d die as system master\n",
                options.tasks, processors, options.kills);
    ChaosFarm farm({.directory = place / "masters",
                    .topology = chaosSubcluster("left", ranks, options.kills),
                    .tasks = options.tasks,
                    .command = {},
                    .processors = processors});
    MasterHunt hunt(farm, options.tasks);
    hunt.run(options.kills);
    const auto code = farm.end(std::chrono::hours(2));
    if (!code || *code != 0) {
        std::printf("WRONG: %s\n%s%s", code ? "exit code" : "hangs", farm.said().c_str(),
                    farm.remainder().c_str());
        return false;
    }
    const FailoverRecord record = farm.record();
    hunt.look(record);
    printFigures(hunt.kills());
    const std::vector<std::string> problems = record.problems(options.tasks);
    for (const std::string& problem : problems) {
        std::printf("WRONG: %s\n", problem.c_str());
    }
    std::printf("\n%d tasks recorded as done, %lld begun again; %zu problems\n", options.tasks,
                farm.begun() - options.tasks, problems.size());
    return problems.empty();
}

} // namespace tasuki::testing
