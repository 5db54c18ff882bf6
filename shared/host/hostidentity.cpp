// SPDX-License-Identifier: GPL-3.0-or-later
#include "hostidentity.h"

#include <unistd.h>

#include <array>
#include <climits>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace tasuki {

HostIdentity hostIdentity()
{
    std::array<char, HOST_NAME_MAX + 1> name{};
    HostIdentity identity;
    identity.name = ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
    std::string boot;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
    std::error_code error;
    const auto pidNamespace = std::filesystem::read_symlink("/proc/self/ns/pid", error);
    identity.key = identity.name + ' ' + boot + ' ' + pidNamespace.string();
    return identity;
}

} // namespace tasuki
