// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputpost.h"

#include "report/outputfiles.h"
#include "report/streamtarget.h"
#include "startup/launcheroutput.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <unistd.h>

namespace tasuki {

namespace {

/// A reader that does not read is not waited for longer, when the run is over.
constexpr std::chrono::seconds lastPatience{2};
constexpr std::chrono::milliseconds lastPause{5};
/// So many others are told what is printed: one of the first ones goes on.
constexpr std::size_t mostSuccessors = 3;

} // namespace

OutputPost::OutputPost(const Setup& setup, const RunState& state, Transport& transport,
                       const Clock& clock, RunReporter& reporter,
                       std::function<std::optional<ProcessorId>(Rank)> holder)
    : m_epoch(setup.epoch),
      m_transport(transport),
      m_clock(clock),
      m_reporter(reporter),
      m_store(setup.options.temporary)
{
    if (setup.options.directory) {
        m_target = std::make_unique<OutputFiles>(*setup.options.directory);
    } else if (!setup.quiet) {
        m_launcherOutput = launcherOutput();
        m_target = std::make_unique<StreamTarget>(m_launcherOutput ? m_launcherOutput.get()
                                                                   : STDOUT_FILENO,
                                                  STDERR_FILENO, [this] { m_reporter.makeRoom(); });
    }
    if (!m_target)
        return;
    m_delivery = std::make_unique<OutputDelivery>(
        state,
        OutputDelivery::Style{.order = setup.options.order,
                              .tagged = setup.options.tagged,
                              .exact = setup.options.directory.has_value()},
        *m_target, m_store,
        OutputDelivery::Ports{
            .holder = std::move(holder),
            .fetch =
                [this](ProcessorId from, std::uint32_t number, const OutputQuery& query,
                       bool wait) {
                    send(from, farm::FetchOutput{.number = number, .query = query, .wait = wait});
                },
            .release = [this](ProcessorId from,
                              AttemptKey key) { send(from, farm::ReleaseOutput{.key = key}); },
            .say = [this](const std::string& line) { m_reporter.say(line); },
            .printed =
                [this](std::vector<PrintedOutput> outputs) { tellPrinted(std::move(outputs)); }},
        setup.printed);
}

void OutputPost::send(ProcessorId to, farm::FarmMessage message)
{
    m_transport.send(to,
                     farm::encode({.epoch = m_epoch, .held = {}, .message = std::move(message)}));
}

void OutputPost::tellPrinted(std::vector<PrintedOutput> outputs)
{
    for (const ProcessorId successor : m_successors)
        send(successor, farm::OutputPrinted{outputs});
}

void OutputPost::published(const Event& event)
{
    if (m_delivery)
        m_delivery->published(event);
}

void OutputPost::fetched(farm::OutputFetched message)
{
    if (m_delivery)
        m_delivery->fetched(message.number, std::move(message.output));
}

void OutputPost::viewChanged(const hierarchy::MembershipView& view)
{
    if (!m_delivery)
        return;
    const std::vector<ProcessorId> before = std::exchange(m_successors, {});
    for (std::uint32_t number = 0; number < view.processorCount(); ++number) {
        const ProcessorId other(number);
        if (isUnreachable(view.member(other).health))
            m_delivery->processorLost(other);
        else if (other != m_transport.self() && m_successors.size() < mostSuccessors)
            m_successors.push_back(other);
    }
    std::vector<PrintedOutput> all;
    for (const auto& [task, one] : m_delivery->printed().outputs())
        all.push_back(one);
    for (const ProcessorId successor : m_successors) {
        if (!all.empty() && std::ranges::find(before, successor) == before.end())
            send(successor, farm::OutputPrinted{all});
    }
}

bool OutputPost::poll() { return m_delivery && m_delivery->poll(); }

bool OutputPost::told()
{
    if (!m_delivery)
        return true;
    m_delivery->endOrder();
    m_delivery->poll();
    return m_givenUp || m_delivery->done();
}

void OutputPost::giveUp(const std::string& reason)
{
    m_givenUp = true;
    if (m_delivery)
        m_delivery->giveUp(reason);
}

void OutputPost::finish()
{
    if (!m_delivery)
        return;
    giveUp("the run has ended");
    m_delivery->endOrder();
    const SteadyTime end = m_clock.now() + lastPatience;
    while (true) {
        m_delivery->poll();
        if (m_delivery->done() || m_clock.now() >= end)
            break;
        std::this_thread::sleep_for(lastPause);
    }
    if (m_delivery->done())
        return;
    m_cut = true;
    m_reporter.say(
        "standard output is not read: the rest of the output of tasks is not printed, the "
        "record keeps its beginning and end");
}

} // namespace tasuki
