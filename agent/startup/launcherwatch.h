// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launchenvironment.h"

#include "control/processwatch.h"
#include "launch/mpiremains.h"

#include <functional>
#include <memory>

namespace tasuki {

/// Tells a rank that what it was started by is gone, so that it does not live on alone; and removes what
/// an mpirun that is gone has left of Open MPI's on this host. To be made when MPI is initialised.
class LauncherWatch {
public:
    /// @param gone  is told in words what is gone; on the reactor's thread, after the constructor
    LauncherWatch(boost::asio::io_context& context, const LaunchEnvironment& launch,
                  const std::function<void(const char*)>& gone);

    LauncherWatch(const LauncherWatch&) = delete;
    LauncherWatch& operator=(const LauncherWatch&) = delete;

private:
    MpiRemains m_remains;
    std::unique_ptr<ProcessWatch> m_daemon;
    std::unique_ptr<ProcessWatch> m_supervisor;
};

} // namespace tasuki
