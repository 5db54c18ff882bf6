// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "files/uniquefd.h"
#include "process/guardianclient.h"
#include "process/processtable.h"

#include <boost/asio/io_context.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tasuki {

/// A GuardianClient with its reactor, and what it has reported.
class GuardianHarness {
public:
    explicit GuardianHarness(GuardianOptions options = {}) : m_options(std::move(options))
    {
        if (m_options.program.empty())
            m_options.program = GUARDIAN;
        m_options.run = RunId::random();
        client.emplace(io, m_options);
        client->setCallbacks({[this](AttemptKey key, WallTime at) { started[key] = at; },
                              [this](AttemptKey key, AttemptResult result) {
                                  ++finishedCount;
                                  doubled = doubled || results.contains(key);
                                  results[key] = std::move(result);
                                  if (onFinished)
                                      onFinished(key);
                              },
                              [this](std::string reason) { failure = std::move(reason); },
                              [this](AttemptKey key, std::vector<UniqueFd> own) {
                                  connectedFirst = connectedFirst && !started.contains(key);
                                  ends[key] = std::move(own);
                              }});
    }

    static AttemptKey key(std::uint32_t task) { return {TaskId(task), AttemptNumber(1)}; }

    void start(std::uint32_t task, std::string command, TaskSettings settings = {},
               std::uint32_t slot = 0)
    {
        client->start({key(task), SlotIndex(slot), std::move(command),
                       std::make_shared<const TaskSettings>(std::move(settings))});
    }

    /// Runs the reactor until the condition holds. @return whether it does in time
    bool runUntil(const std::function<bool()>& condition,
                  std::chrono::milliseconds limit = std::chrono::seconds(90))
    {
        const auto end = std::chrono::steady_clock::now() + limit;
        while (!condition() && std::chrono::steady_clock::now() < end) {
            io.restart();
            io.run_one_for(std::chrono::milliseconds(5));
        }
        return condition();
    }
    bool runUntilFinished(std::uint32_t task,
                          std::chrono::milliseconds limit = std::chrono::seconds(90))
    {
        return runUntil([&] { return results.contains(key(task)); }, limit);
    }
    /// Starts one task and waits for its end; Lost when that does not come.
    AttemptResult run(std::uint32_t task, std::string command, TaskSettings settings = {})
    {
        start(task, std::move(command), std::move(settings));
        return runUntilFinished(task) ? results[key(task)] : AttemptResult{};
    }

    [[nodiscard]] const RunId& runId() const { return m_options.run; }

    boost::asio::io_context io;
    std::optional<GuardianClient> client;
    std::map<AttemptKey, WallTime> started;
    std::map<AttemptKey, AttemptResult> results;
    std::map<AttemptKey, std::vector<UniqueFd>> ends; ///< of streams with the agent
    bool connectedFirst = true;                       ///< before the start was told, each time
    std::function<void(AttemptKey)> onFinished;
    std::size_t finishedCount = 0;
    bool doubled = false; ///< an attempt was reported finished twice
    std::string failure;

private:
    GuardianOptions m_options;
};

/// @return what can be read; a file of /proc may end early because its process has gone
inline std::string fileContent(const std::string& path)
{
    std::string content;
    const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, 4096> buffer;
    for (ssize_t count = 1; fd && count > 0;) {
        count = ::read(fd.get(), buffer.data(), buffer.size());
        content.append(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    }
    return content;
}

/// @return how many living processes have the text in their command line
inline std::size_t countCommandLines(const std::string& text)
{
    std::size_t count = 0;
    for (const ProcessEntry& process : readProcesses()) {
        if (!process.zombie()
            && fileContent("/proc/" + std::to_string(process.pid) + "/cmdline").find(text)
                != std::string::npos)
            ++count;
    }
    return count;
}

/// @return how many living processes execute exactly "sleep SECONDS"
inline std::size_t countSleepers(const std::string& seconds)
{
    std::size_t count = 0;
    const std::string wanted = std::string("sleep") + '\0' + seconds + '\0';
    for (const ProcessEntry& process : readProcesses()) {
        if (!process.zombie()
            && fileContent("/proc/" + std::to_string(process.pid) + "/cmdline") == wanted)
            ++count;
    }
    return count;
}

/// @return how many living processes are marked as a run's
inline std::size_t countMarked(const std::string& run)
{
    std::size_t count = 0;
    for (const ProcessEntry& process : readProcesses()) {
        const auto marker = readProcessMarker(process.pid);
        if (!process.zombie() && marker && marker->run == run)
            ++count;
    }
    return count;
}

/// Waits without a reactor. @return whether the condition came to hold in time
inline bool waitFor(const std::function<bool()>& condition, std::chrono::milliseconds limit)
{
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!condition() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return condition();
}

/// A number of seconds that no other process sleeps for: finds a task's processes by command line.
inline std::string uniqueSeconds()
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    return std::to_string(50'000 + ::getpid() % 40'000) + "." + std::to_string(now);
}

} // namespace tasuki
