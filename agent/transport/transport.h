// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"

#include <cstddef>
#include <functional>
#include <string>

namespace tasuki {

/// A message as the transport sees it: bytes, any number, also none.
using Message = std::string;

/// Carries messages between the processors of a launch, and those that join it while it runs. Between
/// two processors messages arrive whole, in order and at most once; they arrive unless one of the two
/// dies or is forgotten.
///
/// A peer that takes nothing holds back who sends to it: each transport lets only so much leave that the
/// peer has not taken, and keeps the rest. Who has much to send looks at pending() and waits.
///
/// No call blocks, whatever the peers do. One thread: all calls and the handler happen on the
/// reactor's thread.
class Transport {
public:
    using Handler = std::function<void(ProcessorId from, Message message)>;

    Transport() = default;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;
    virtual ~Transport() = default;

    [[nodiscard]] virtual ProcessorId self() const = 0;
    /// Number of processors that there are or were, the dead included: those of the launch, and then
    /// whoever has joined, in the order of their numbers. Grows between two calls of poll(), before
    /// anything arrives from who has joined; never shrinks.
    [[nodiscard]] virtual std::size_t size() const = 0;

    /// Called from poll() for each message that has arrived. May send. Set before the first poll().
    virtual void setHandler(Handler handler) = 0;

    /// Queues a message of any size. A message to oneself arrives at the next poll(). To a forgotten
    /// processor: dropped. Precondition: size() counts the receiver.
    virtual void send(ProcessorId to, Message message) = 0;

    /// Moves what can be moved and hands over what has arrived.
    /// @return whether anything moved or arrived, also by send() since the last poll: if so, poll
    ///         again soon, an answer may come
    virtual bool poll() = 0;

    /// Messages of this processor that have not left it, to one peer and to all.
    [[nodiscard]] virtual std::size_t pending(ProcessorId to) const = 0;
    [[nodiscard]] virtual std::size_t pending() const = 0;

    /// Gives a peer up: what is queued for it is dropped, what it sends is dropped, for good or
    /// until remember().
    virtual void forget(ProcessorId peer) = 0;
    /// Takes a forgotten peer back. What was dropped stays dropped.
    virtual void remember(ProcessorId peer) = 0;
};

} // namespace tasuki
