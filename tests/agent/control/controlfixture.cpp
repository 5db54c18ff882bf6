// SPDX-License-Identifier: GPL-3.0-or-later
#include "controlfixture.h"

#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

namespace tasuki::control {

RunKey testKey()
{
    RunKey key{};
    key.fill(std::byte{7});
    return key;
}

ControlOptions quickOptions()
{
    ControlOptions options;
    options.epoch = Epoch(3);
    options.hostKey = "test host";
    return options;
}

TestNode& ControlFixture::add(const ControlOptions& options, const RunKey& key)
{
    m_nodes.push_back(std::make_unique<TestNode>());
    TestNode& node = *m_nodes.back();
    ControlNetwork::Callbacks callbacks;
    callbacks.datagram = [&node](ControlSender from, std::string_view bytes) {
        node.datagrams.push_back({from, std::string(bytes)});
    };
    callbacks.message = [&node](ControlSender from, std::string_view bytes) {
        node.messages.push_back({from, std::string(bytes)});
        if (node.onMessage)
            node.onMessage();
    };
    callbacks.gone = [&node](ProcessorId id) { node.gone.push_back(id); };
    callbacks.olderLife = [&node](ControlSender from) { node.olderLives.push_back(from); };
    callbacks.problem = [&node](const Error& error) { node.problems.push_back(error.text()); };
    const ProcessorId id(static_cast<std::uint32_t>(m_nodes.size() - 1));
    auto network = ControlNetwork::open(m_context, id, key, options, std::move(callbacks));
    if (!network)
        std::abort();
    node.network = std::move(*network);
    return node;
}

void ControlFixture::introduce()
{
    std::vector<ControlAddress> addresses;
    for (const auto& node : m_nodes)
        addresses.push_back(node->network->address());
    for (const auto& node : m_nodes)
        node->network->learn(addresses);
}

bool ControlFixture::until(const std::function<bool()>& condition, std::chrono::milliseconds limit)
{
    constexpr std::chrono::milliseconds step{20};
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end)
            return false;
        m_context.restart();
        m_context.run_one_for(step);
    }
    return true;
}

void ControlFixture::runFor(std::chrono::milliseconds time)
{
    m_context.restart();
    m_context.run_for(time);
}

SleepingChild::SleepingChild() : m_pid(::fork())
{
    if (m_pid < 0)
        std::abort();
    if (m_pid == 0) {
        // Not for longer than any test lasts, should its parent be killed.
        ::alarm(120);
        for (;;)
            ::pause();
    }
}

SleepingChild::~SleepingChild()
{
    if (m_reaped)
        return;
    signal(SIGKILL);
    reap();
}

void SleepingChild::signal(int number) const { ::kill(m_pid, number); }

void SleepingChild::reap()
{
    ::waitpid(m_pid, nullptr, 0);
    m_reaped = true;
}

ControlAddress SleepingChild::address(ProcessorId id) const
{
    return {.processor = id,
            .hosts = {"127.0.0.1"},
            .udpPort = 1,
            .tcpPort = 1,
            .hostKey = quickOptions().hostKey,
            .pid = m_pid,
            .processStart = processStartTicks(m_pid)};
}

} // namespace tasuki::control
