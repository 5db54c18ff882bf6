// SPDX-License-Identifier: GPL-3.0-or-later
#include "relaycommand.h"

#include "files/wholefile.h"
#include "host/hostidentity.h"
#include "linkclient/agentaddress.h"
#include "relay/agentsocket.h"
#include "relay/bytepump.h"
#include "relay/recordserver.h"
#include "steerrun.h"
#include "wire/relayline.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <functional>
#include <string>
#include <utility>

#include <unistd.h>

namespace tasuki {

namespace {

/// How often it is seen whether somebody works on a run by now, or writes its record.
constexpr std::chrono::milliseconds lookPause{1'000};

Result<void> carry(const link::RelayLine& line, const std::function<bool()>& tick)
{
    auto socket = relay::connectToAgent(line.access);
    if (!socket)
        return socket.error();
    if (!writeAll(STDOUT_FILENO, link::relayText(line)))
        return systemError("cannot write to standard output", errno);
    return relay::pumpBytes(
        {.input = STDIN_FILENO, .output = STDOUT_FILENO, .socket = socket->get()}, tick, lookPause);
}

/// Whether an agent of this host works on a run.
bool isLed(const RunId& run)
{
    const auto directory = link::accessDirectory();
    const std::string here = hostIdentity().key;
    return directory
        && newestAgent(link::listAccessFiles(*directory), here, [&](const link::AccessFile& agent) {
               return agent.run == run && agent.hostKey == here;
           });
}

Result<ExitCode> relayRun(const SteerOptions& options)
{
    // Who goes away is told by the write that fails.
    std::signal(SIGPIPE, SIG_IGN);
    const Result<steering::FoundRun> run = steering::findRun(options.run);
    if (!run)
        return run.error();
    if (run->accessFile) {
        auto access = link::readAccessFile(*run->accessFile);
        if (!access)
            return access.error();
        const auto carried = carry({.access = std::move(*access), .record = false},
                                   [] { return true; });
        return carried ? Result<ExitCode>(ExitCode::Success) : carried.error();
    }
    auto server = relay::RecordServer::start(run->record);
    if (!server)
        return server.error();
    // An agent that takes the run up again is asked instead: the window comes back.
    const auto carried = carry({.access = (*server)->access(), .record = true}, [&] {
        return !isLed((*server)->access().run) && (*server)->renew().ok();
    });
    return carried ? Result<ExitCode>(ExitCode::Success) : carried.error();
}

} // namespace

int relayCommand(const Arguments& arguments)
{
    return runSteering(SteerCommand::Relay, arguments, relayRun);
}

} // namespace tasuki
