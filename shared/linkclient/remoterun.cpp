// SPDX-License-Identifier: GPL-3.0-or-later
#include "remoterun.h"

#include "domain/shellword.h"
#include "domain/visibletext.h"

#include <algorithm>
#include <string_view>

namespace tasuki {

namespace {

constexpr std::string_view scheme = "ssh://";

Error wrongAddress(const std::string& name, std::string what)
{
    return {
        .kind = ErrorKind::Input,
        .message = visible(name) + ": " + std::move(what),
        .remedy =
            "write ssh://[USER@]HOST[:PORT]/PATH; ssh://HOST/~/PATH is below your home directory there"};
}

/// Gets program and arguments. What is in no PATH of a shell that ssh starts may be in that of a login shell, which reads
/// more: directories of users, and modules.
constexpr auto findAndStart =
    R"(command -v "$0" > /dev/null 2>&1 && exec "$0" "$@"; exec "${SHELL:-sh}" -lc 'exec "$0" "$@"' "$0" "$@")";

/// As the shell there takes it, which knows where homes are.
std::string wordThere(const std::string& text)
{
    return text.starts_with("~/") ? "~/" + shellWord(text.substr(2)) : shellWord(text);
}

bool isPort(std::string_view text)
{
    return !text.empty() && text.size() <= 5
        && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

bool isRemote(const std::string& name) { return name.starts_with(scheme); }

Result<RemoteRun> parseRemoteRun(const std::string& name)
{
    const std::string rest = name.substr(scheme.size());
    const auto slash = rest.find('/');
    if (slash == std::string::npos || slash + 1 == rest.size())
        return wrongAddress(name, "no path is named");
    RemoteRun run{.target = rest.substr(0, slash), .port = {}, .path = rest.substr(slash)};
    // An address of IPv6 stands in brackets.
    const auto colon = run.target.rfind(':');
    if (colon != std::string::npos && run.target.find(']', colon) == std::string::npos) {
        run.port = run.target.substr(colon + 1);
        run.target.resize(colon);
        if (!isPort(run.port))
            return wrongAddress(name, "the port is no number");
    }
    const auto at = run.target.rfind('@');
    std::string host = at == std::string::npos ? run.target : run.target.substr(at + 1);
    if (host.starts_with('[') && host.ends_with(']'))
        host = host.substr(1, host.size() - 2);
    // What begins with a hyphen would be an option of ssh.
    if (host.empty() || host.starts_with('-') || run.target.starts_with('-'))
        return wrongAddress(name, "no host is named");
    run.target = (at == std::string::npos ? "" : run.target.substr(0, at + 1)) + host;
    if (run.path.starts_with("/~/"))
        run.path = run.path.substr(1);
    return run;
}

std::vector<std::string> sshArguments(const RemoteCall& call)
{
    // A link that is lost is noticed, also where nothing is to be sent.
    std::vector<std::string> words{"ssh",
                                   "-o",
                                   "ConnectTimeout=20",
                                   "-o",
                                   "ServerAliveInterval=5",
                                   "-o",
                                   "ServerAliveCountMax=3"};
    if (!call.mark.empty())
        words.insert(
            words.end(),
            {"-o", "PermitLocalCommand=yes", "-o", "LocalCommand=: > " + shellWord(call.mark)});
    if (call.compressed)
        words.emplace_back("-C");
    if (!call.run.port.empty())
        words.insert(words.end(), {"-p", call.run.port});
    words.insert(words.end(), {call.terminal ? "-tt" : "-T", "--", call.run.target});
    std::string command = "sh -c " + shellWord(findAndStart) + ' ' + wordThere(call.program);
    for (const std::string& argument : call.arguments)
        command += ' ' + wordThere(argument);
    words.push_back(std::move(command));
    return words;
}

} // namespace tasuki
