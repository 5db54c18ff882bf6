// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "messages.h"

#include <cstdint>

namespace tasuki::hierarchy {

/// How a membership agent reaches other processors. No call blocks, none calls back from inside.
class ControlPort {
public:
    ControlPort() = default;
    ControlPort(const ControlPort&) = delete;
    ControlPort& operator=(const ControlPort&) = delete;
    virtual ~ControlPort() = default;

    /// Sends a message; it arrives at most once, perhaps late, perhaps not at all.
    virtual void send(ProcessorId to, ControlMessage message) = 0;
    /// This processor speaks as another, greater life from now on: what others have of an earlier one
    /// they drop.
    virtual void beginLife(Life life) = 0;
};

/// Where a processor's process is and how it is, seen from this host.
enum class Presence : std::uint8_t {
    Elsewhere, ///< on another host, or not known yet: nothing can be seen or done
    Running,
    Stopped, ///< by a signal or a debugger
    Gone,    ///< known to have ended
};

/// What a membership agent can do to processes of its own host.
class HostPort {
public:
    HostPort() = default;
    HostPort(const HostPort&) = delete;
    HostPort& operator=(const HostPort&) = delete;
    virtual ~HostPort() = default;

    [[nodiscard]] virtual Presence presence(ProcessorId processor) const = 0;
    /// The same for those who only ask whether it is Elsewhere: looks at no process.
    [[nodiscard]] virtual bool isElsewhere(ProcessorId processor) const
    {
        return presence(processor) == Presence::Elsewhere;
    }
    /// The same for those who only ask whether it is Gone, which takes less.
    [[nodiscard]] virtual bool hasEnded(ProcessorId processor) const
    {
        return presence(processor) == Presence::Gone;
    }
    /// Kills a process of this host, never the caller's own, for good. That it has ended is told as
    /// for any other process.
    virtual void kill(ProcessorId processor) = 0;
    /// From now on tells when the process ends, by MembershipAgent::gone(). Nothing happens for one that is
    /// watched already, or elsewhere.
    virtual void watch(ProcessorId processor) = 0;
};

} // namespace tasuki::hierarchy
