// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "control/controlnetwork.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

namespace tasuki::control {

/// One processor of a test, and what it heard.
struct TestNode {
    std::unique_ptr<ControlNetwork> network;
    struct Heard {
        ControlSender from;
        std::string bytes;
        bool operator==(const Heard&) const = default;
    };
    std::vector<Heard> datagrams;
    std::vector<Heard> messages;
    std::vector<ProcessorId> gone;
    std::vector<ControlSender> olderLives;
    std::vector<std::string> problems;
    std::function<void()> onMessage = {}; ///< after each, if set

    ControlNetwork* operator->() const { return network.get(); }
};

/// The key of all tests that do not need another one.
RunKey testKey();

/// Options whose times are short.
ControlOptions quickOptions();

/// Processors that share one event loop, on loopback.
class ControlFixture {
public:
    /// Adds a processor, whose number is the count of those before. Fails hard without sockets.
    TestNode& add(const ControlOptions& options = quickOptions(), const RunKey& key = testKey());
    /// All learn of all.
    void introduce();

    [[nodiscard]] TestNode& at(std::size_t index) { return *m_nodes[index]; }
    [[nodiscard]] std::size_t size() const { return m_nodes.size(); }
    [[nodiscard]] boost::asio::io_context& context() { return m_context; }

    /// Runs the loop until a condition holds.
    /// @return whether it did within the limit
    bool until(const std::function<bool()>& condition,
               std::chrono::milliseconds limit = std::chrono::seconds(20));
    /// Runs the loop for a time: to see that something does not happen.
    void runFor(std::chrono::milliseconds time);

private:
    boost::asio::io_context m_context;
    std::vector<std::unique_ptr<TestNode>> m_nodes;
};

/// A child process that only sleeps. Killed and waited for at the end.
class SleepingChild {
public:
    SleepingChild();
    SleepingChild(const SleepingChild&) = delete;
    SleepingChild& operator=(const SleepingChild&) = delete;
    ~SleepingChild();

    [[nodiscard]] pid_t pid() const { return m_pid; }
    void signal(int number) const;
    /// Takes its exit status: from then on its number is free. Waits for the end.
    void reap();
    /// Its address as processor `id` of this host; nobody answers there.
    [[nodiscard]] ControlAddress address(ProcessorId id) const;

private:
    pid_t m_pid;
    bool m_reaped = false;
};

} // namespace tasuki::control
