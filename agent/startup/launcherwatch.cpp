// SPDX-License-Identifier: GPL-3.0-or-later
#include "launcherwatch.h"

#include <boost/asio/io_context.hpp>

#include <unistd.h>

namespace tasuki {

LauncherWatch::LauncherWatch(boost::asio::io_context& context, const LaunchEnvironment& launch,
                             const std::function<void(const char*)>& gone)
{
    if (launch.daemon) {
        m_remains.note(::getpid());
        m_daemon = std::make_unique<ProcessWatch>(context, *launch.daemon, [this, gone] {
            m_remains.remove();
            gone("mpirun is gone");
        });
    }
    if (launch.supervisor)
        m_supervisor = std::make_unique<ProcessWatch>(context, *launch.supervisor,
                                                      [gone] { gone("launch is gone"); });
}

} // namespace tasuki
