// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <optional>
#include <string>
#include <vector>

namespace tasuki {

/// A run on another host, as ssh://[USER@]HOST[:PORT]/PATH names it; ssh://HOST/~/PATH is below the home directory there.
struct RemoteRun {
    std::string target; ///< "user@host" or "host"
    std::string port;   ///< empty: ssh knows it
    std::string path;
    bool operator==(const RemoteRun&) const = default;
};

/// Whether a run is named so.
bool isRemote(const std::string& name);
/// Precondition: isRemote().
/// @return an Error of kind Input for what is no such address
Result<RemoteRun> parseRemoteRun(const std::string& name);

/// What is called for a command on the host of a run.
struct RemoteCall {
    RemoteRun run;
    std::string program = "tasuki-agent";    ///< there
    std::vector<std::string> arguments = {}; ///< from the subcommand on
    bool terminal = false;                   ///< it gets one there
    bool compressed = false;                 ///< what goes over the link
    /// A file that is made when the connection stands; empty: none.
    std::string mark = {};
};

/// @return the arguments of ssh, from "ssh" on
std::vector<std::string> sshArguments(const RemoteCall& call);

} // namespace tasuki
