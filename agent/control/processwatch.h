// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "files/uniquefd.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <functional>
#include <memory>

#include <sys/types.h>

namespace tasuki {

/// Tells when a process of this host ends, at once and without being its parent (pidfd). Reactor's
/// thread only.
class ProcessWatch {
public:
    /// Begins to watch. When the process does not exist (any more), `ended` is called as well; it is
    /// never called from inside this constructor, and not after destruction.
    ProcessWatch(boost::asio::io_context& context, pid_t pid, std::function<void()> ended);
    /// The same of a process that somebody holds, so that its number cannot have gone to another one.
    /// @param pidfd  none: the process is known to have ended
    ProcessWatch(boost::asio::io_context& context, UniqueFd pidfd, std::function<void()> ended);
    ~ProcessWatch();
    ProcessWatch(const ProcessWatch&) = delete;
    ProcessWatch& operator=(const ProcessWatch&) = delete;

private:
    boost::asio::posix::stream_descriptor m_pidfd;
    std::shared_ptr<std::function<void()>> m_ended;
};

} // namespace tasuki
