// SPDX-License-Identifier: GPL-3.0-or-later
#include "neighbours.h"

#include <utility>

#include <boost/system/system_error.hpp>

namespace tasuki::control {

void Neighbours::learn(const ControlAddress& address)
{
    const auto found = m_neighbours.find(address.processor);
    if (found != m_neighbours.end() && found->second.pid == address.pid
        && found->second.start == address.processStart && address.hostKey == m_hostKey)
        return;
    if (found != m_neighbours.end())
        m_neighbours.erase(found);
    if (address.hostKey == m_hostKey && address.pid > 0)
        m_neighbours.emplace(address.processor,
                             Neighbour{.pid = address.pid,
                                       .start = address.processStart,
                                       .handle = ProcessHandle(address.pid, address.processStart)});
}

void Neighbours::watch(ProcessorId processor)
{
    const auto found = m_neighbours.find(processor);
    if (found == m_neighbours.end())
        return;
    if (auto begun = begin(processor, found->second); !begun && m_callbacks.problem)
        m_callbacks.problem(begun.error());
}

bool Neighbours::isElsewhere(ProcessorId processor) const
{
    const auto found = m_neighbours.find(processor);
    return found == m_neighbours.end() || found->second.handle.isElsewhere();
}

bool Neighbours::hasEnded(ProcessorId processor) const
{
    const auto found = m_neighbours.find(processor);
    return found != m_neighbours.end() && found->second.handle.hasEnded();
}

Presence Neighbours::presence(ProcessorId processor) const
{
    const auto found = m_neighbours.find(processor);
    return found == m_neighbours.end() ? Presence::Elsewhere : found->second.handle.presence();
}

Result<void> Neighbours::kill(ProcessorId processor)
{
    const auto found = m_neighbours.find(processor);
    if (found == m_neighbours.end())
        return Error{.message = "processor " + std::to_string(processor.value())
                         + " is not on this host"};
    if (auto begun = begin(processor, found->second); !begun)
        return begun;
    return found->second.handle.kill();
}

Result<void> Neighbours::begin(ProcessorId processor, Neighbour& neighbour)
{
    if (neighbour.watch)
        return {};
    auto pidfd = neighbour.handle.watchable();
    if (!pidfd)
        return pidfd.error();
    try {
        neighbour.watch = std::make_unique<ProcessWatch>(
            m_context, *pidfd ? std::move(**pidfd) : UniqueFd(), [this, processor] {
                if (m_callbacks.gone)
                    m_callbacks.gone(processor);
            });
    } catch (const boost::system::system_error& error) {
        return systemError("cannot watch a process", error.code().value());
    }
    return {};
}

} // namespace tasuki::control
