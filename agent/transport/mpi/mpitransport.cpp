// SPDX-License-Identifier: GPL-3.0-or-later
#include "mpitransport.h"

#include "mpireceiver.h"
#include "mpiruntime.h"
#include "mpisender.h"
#include "mpiwire.h"

#include <algorithm>
#include <cassert>

namespace tasuki {

namespace {

std::size_t indexOf(ProcessorId processor) { return processor.value(); }

} // namespace

MpiTransport::MpiTransport(const MpiRuntime& runtime, const MpiLimits& limits)
    : m_self(runtime.self()),
      m_size(runtime.size()),
      m_ownPerPoll(limits.messagesPerPoll),
      m_sender(std::make_unique<MpiSender>(runtime.channel().messages, m_size, limits)),
      m_receiver(std::make_unique<MpiReceiver>(runtime.channel().messages, m_size, limits))
{}

MpiTransport::~MpiTransport() = default;

void MpiTransport::send(ProcessorId to, Message message)
{
    assert(indexOf(to) < m_size);
    if (to != m_self)
        m_sender->send(indexOf(to), std::move(message));
    else if (!m_selfForgotten)
        m_own.push_back(std::move(message));
}

bool MpiTransport::poll()
{
    assert(!m_polling);
    m_polling = true;
    bool moved = m_sender->progress();
    moved = m_receiver->receive(m_handler) || moved;
    moved = deliverOwn() || moved;
    m_polling = false;
    return moved;
}

/// What the handler sends to itself meanwhile is for the next poll.
bool MpiTransport::deliverOwn()
{
    const std::size_t count = std::min(m_own.size(), m_ownPerPoll);
    for (std::size_t done = 0; done < count && !m_own.empty(); ++done) {
        Message message = std::move(m_own.front());
        m_own.pop_front();
        if (m_handler)
            m_handler(m_self, std::move(message));
    }
    return count > 0;
}

std::size_t MpiTransport::pending(ProcessorId to) const
{
    return to == m_self ? m_own.size() : m_sender->pending(indexOf(to));
}

std::size_t MpiTransport::pending() const { return m_sender->pending() + m_own.size(); }

void MpiTransport::forget(ProcessorId peer)
{
    if (peer == m_self) {
        m_selfForgotten = true;
        m_own.clear();
        return;
    }
    m_sender->forget(indexOf(peer));
    m_receiver->forget(indexOf(peer));
}

void MpiTransport::remember(ProcessorId peer)
{
    if (peer == m_self) {
        m_selfForgotten = false;
        return;
    }
    m_sender->remember(indexOf(peer));
    m_receiver->remember(indexOf(peer));
}

} // namespace tasuki
