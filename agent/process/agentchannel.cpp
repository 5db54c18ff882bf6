// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/agentchannel.h"

#include <sys/epoll.h>

#include <cerrno>
#include <utility>

namespace tasuki::guardian {

Result<void> AgentChannel::watch(int epoll, std::uint64_t tag)
{
    m_epoll = epoll;
    m_tag = tag;
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = tag;
    if (::epoll_ctl(epoll, EPOLL_CTL_ADD, m_socket.get(), &event) != 0)
        return systemError("cannot watch the agent's socket", errno);
    return {};
}

bool AgentChannel::receive()
{
    const Transfer transfer = m_reader.receive(m_socket.get());
    m_closed = m_closed || transfer == Transfer::Closed;
    return transfer == Transfer::Done;
}

Result<std::optional<Command>> AgentChannel::next()
{
    auto body = m_reader.next();
    if (!body)
        return body.error();
    if (!*body)
        return std::optional<Command>();
    auto command = decodeCommand(**body);
    if (!command)
        return command.error();
    return std::optional<Command>(std::move(*command));
}

void AgentChannel::report(const Report& report, Urgency urgency, std::vector<UniqueFd> descriptors)
{
    m_writer.queue(encode(report), std::move(descriptors));
    m_flushNow = m_flushNow || urgency == Urgency::Now;
}

void AgentChannel::flushIfDue()
{
    if (!std::exchange(m_flushNow, false))
        return;
    const Transfer transfer = m_writer.flush(m_socket.get());
    m_closed = m_closed || transfer == Transfer::Closed;
    const bool wanted = transfer == Transfer::WouldBlock;
    if (wanted == m_watchesWriting)
        return;
    m_watchesWriting = wanted;
    epoll_event event{};
    event.events = wanted ? EPOLLIN | EPOLLOUT : EPOLLIN;
    event.data.u64 = m_tag;
    ::epoll_ctl(m_epoll, EPOLL_CTL_MOD, m_socket.get(), &event);
}

} // namespace tasuki::guardian
