// SPDX-License-Identifier: GPL-3.0-or-later
#include "operatorname.h"

#include "host/hostidentity.h"

#include <cstdlib>

#include <pwd.h>
#include <unistd.h>

namespace tasuki {

std::string operatorName()
{
    std::string user;
    for (const char* const variable : {"USER", "LOGNAME"}) {
        const char* const value = std::getenv(variable);
        if (user.empty() && value != nullptr)
            user = value;
    }
    if (const passwd* const entry = user.empty() ? ::getpwuid(::getuid()) : nullptr)
        user = entry->pw_name;
    if (user.empty())
        user = std::to_string(::getuid());
    return user + '@' + hostIdentity().name;
}

} // namespace tasuki
