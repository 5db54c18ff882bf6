// SPDX-License-Identifier: GPL-3.0-or-later
#include "launcherwatch.h"

#include <boost/asio/io_context.hpp>

namespace tasuki {

LauncherWatch::LauncherWatch(boost::asio::io_context& context, const LaunchEnvironment& launch,
                             const std::function<void(const char*)>& gone)
{
    const auto watch = [&](pid_t pid, const char* what) {
        return std::make_unique<ProcessWatch>(context, pid, [gone, what] { gone(what); });
    };
    if (launch.daemon)
        m_daemon = watch(*launch.daemon, "mpirun is gone");
    if (launch.supervisor)
        m_supervisor = watch(*launch.supervisor, "launch is gone");
}

} // namespace tasuki
