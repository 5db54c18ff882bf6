// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/manualclock.h"
#include "worldhost/worldhost.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tasuki::worldhost::testing {

/// The processors of a launch, each with its ranks of worlds. What they say to each other waits until the test moves it, and so
/// does what they post.
class WorldHostBench {
public:
    struct Said {
        ProcessorId from;
        ProcessorId to;
        WorldWord word;
    };

    /// @param names  of the hosts of processors, by number
    /// @param input  standard input of the launch, at processor 0
    explicit WorldHostBench(std::vector<std::string> names, int input = -1,
                            const std::string& folder = "/tmp")
    {
        for (std::uint32_t i = 0; i < names.size(); ++i) {
            const ProcessorId self(i);
            hosts.push_back(std::make_unique<WorldHost>(
                WorldHost::Setup{
                    .self = self, .hosts = names, .input = i == 0 ? input : -1, .folder = folder},
                WorldHost::Ports{
                    .send =
                        [this, self](ProcessorId to, const WorldWord& word) {
                            Result<WorldWord> read = decodeWorldWord(encode(word));
                            if (!read)
                                qFatal("a word that nobody can read");
                            if (!std::holds_alternative<ProgramShown>(read->word))
                                log.push_back({self, to, *read});
                            said.push_back({self, to, std::move(*read)});
                        },
                    .post = post(),
                    .leader = [] { return ProcessorId(0); },
                    .shown = [this](const ProgramShown& word) { shown[word.program.rank] = word; }},
                clock));
        }
    }

    /// For who posts as hosts do.
    std::function<void(std::function<void()>)> post()
    {
        return [this](std::function<void()> work) {
            const std::lock_guard lock(m_mutex);
            m_posted.push_back(std::move(work));
        };
    }
    WorldHost& operator[](std::uint32_t processor) { return *hosts[processor]; }

    static WorldStart startOf(const std::vector<std::uint32_t>& holders,
                              std::uint32_t generation = 0, std::uint32_t world = 0)
    {
        WorldStart start{.world = world, .generation = generation, .first = Rank(0), .holders = {}};
        for (const std::uint32_t holder : holders)
            start.holders.emplace_back(holder);
        return start;
    }
    /// The processor is to begin as a rank that it holds. What it is told then stands in `joined`.
    void join(std::uint32_t processor, const WorldStart& start)
    {
        const auto rank = std::ranges::find(start.holders, ProcessorId(processor))
            - start.holders.begin();
        hosts[processor]->join(start, static_cast<world::WorldRank>(rank),
                               {.joined =
                                    [this, processor](Result<std::string> path) {
                                        joined[processor].push_back(std::move(path));
                                    },
                                .hopeless =
                                    [this, processor](std::string reason) {
                                        hopeless[processor].push_back(std::move(reason));
                                    }},
                               start.goesOn ? 2 : 1);
    }
    void joinAll(const WorldStart& start)
    {
        for (const ProcessorId holder : start.holders)
            join(holder.value(), start);
    }
    /// Where a processor was told that the memory is; empty: it was not, or not once.
    std::string pathOf(std::uint32_t processor)
    {
        const auto& told = joined[processor];
        return told.size() == 1 && told.front().ok() ? *told.front() : "";
    }

    /// Whether two processors were told of the same memory.
    bool haveOneMemory(std::uint32_t one, std::uint32_t other)
    {
        return isOneMemory(pathOf(one), pathOf(other));
    }
    static bool isOneMemory(const std::string& one, const std::string& other)
    {
        std::error_code error;
        return std::filesystem::equivalent(one, other, error);
    }
    /// It is gone with all that it had.
    void lose(std::uint32_t processor) { hosts[processor].reset(); }

    /// @return whether anything was posted
    bool runPosted()
    {
        std::vector<std::function<void()>> work;
        {
            const std::lock_guard lock(m_mutex);
            work.swap(m_posted);
        }
        for (const auto& one : work)
            one();
        return !work.empty();
    }
    /// What was said arrives. @return whether there was anything
    bool deliver()
    {
        const bool any = !said.empty();
        while (!said.empty()) {
            Said one = std::move(said.front());
            said.pop_front();
            if (hosts[one.to.value()])
                hosts[one.to.value()]->receive(one.from, std::move(one.word));
        }
        return any;
    }
    bool poll()
    {
        bool any = false;
        for (const auto& host : hosts)
            any = (host && host->poll()) || any;
        return any;
    }
    /// Everything that happens within some time of waiting.
    void settle()
    {
        constexpr int rounds = 6;
        constexpr std::chrono::milliseconds step{60}; // longer than any pause
        for (int round = 0; round < rounds; ++round) {
            while (runPosted() || deliver()) {}
            poll();
            clock.advance(step);
        }
        while (runPosted() || deliver()) {}
    }
    /// Goes on until it holds, also with what threads have to do. @return whether it does
    bool until(const std::function<bool()>& holds)
    {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (!holds()) {
            if (std::chrono::steady_clock::now() > end)
                return false;
            const bool posted = runPosted();
            const bool delivered = deliver();
            clock.advance(std::chrono::milliseconds(1));
            if (!poll() && !posted && !delivered)
                std::this_thread::yield();
        }
        return true;
    }
    /// All that was ever said of a kind to a processor, with who said it.
    template <class Kind>
    [[nodiscard]] std::vector<std::pair<ProcessorId, Kind>> told(std::uint32_t to) const
    {
        std::vector<std::pair<ProcessorId, Kind>> found;
        for (const Said& one : log) {
            const auto* word = std::get_if<Kind>(&one.word.word);
            if (word != nullptr && one.to == ProcessorId(to))
                found.emplace_back(one.from, *word);
        }
        return found;
    }

private:
    // Threads of hosts post as long as these live: first here, last to go.
    std::mutex m_mutex;
    std::vector<std::function<void()>> m_posted;

public:
    ManualClock clock;
    std::deque<Said> said;                                            ///< and has not arrived
    std::vector<Said> log;                                            ///< all that was said
    std::map<std::uint32_t, std::vector<Result<std::string>>> joined; ///< by processor
    std::map<std::uint32_t, std::vector<std::string>> hopeless;       ///< by processor
    std::map<Rank, ProgramShown> shown;                               ///< to who leads
    std::vector<std::unique_ptr<WorldHost>> hosts;
};

} // namespace tasuki::worldhost::testing
