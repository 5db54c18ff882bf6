// SPDX-License-Identifier: GPL-3.0-or-later
#include "processwatch.h"

#include <boost/asio/post.hpp>

#include <utility>

#include <sys/syscall.h>
#include <unistd.h>

namespace tasuki {

ProcessWatch::ProcessWatch(boost::asio::io_context& context, pid_t pid, std::function<void()> ended)
    // The C library's wrapper has no C++ linkage in every release that is supported.
    : ProcessWatch(context, UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))),
                   std::move(ended))
{}

ProcessWatch::ProcessWatch(boost::asio::io_context& context, UniqueFd pidfd,
                           std::function<void()> ended)
    : m_pidfd(context), m_ended(std::make_shared<std::function<void()>>(std::move(ended)))
{
    const auto tell = [weak = std::weak_ptr(m_ended)](const boost::system::error_code& error = {}) {
        const auto callback = weak.lock();
        if (callback && !error)
            (*callback)();
    };
    if (!pidfd) {
        boost::asio::post(context, [tell] { tell(); });
        return;
    }
    m_pidfd.assign(pidfd.get());
    static_cast<void>(pidfd.release());
    m_pidfd.async_wait(boost::asio::posix::stream_descriptor::wait_read, tell);
}

ProcessWatch::~ProcessWatch() = default;

} // namespace tasuki
