// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace tasuki {

/// Where this process runs.
struct HostIdentity {
    std::string name; ///< for people
    /// Equal for two processes that see each other's process ids: host name, boot and pid namespace.
    std::string key;
};

/// @return the identity of this process's host; parts that the system does not tell are left out
HostIdentity hostIdentity();

} // namespace tasuki
