// SPDX-License-Identifier: GPL-3.0-or-later
#include "mpiruncommand.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <ifaddrs.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tasuki {

namespace {

std::string findInPath(const std::string& program)
{
    const char* const variable = std::getenv("PATH");
    std::string_view rest = variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin";
    while (!rest.empty()) {
        const auto end = std::min(rest.find(':'), rest.size());
        const std::string path = std::string(rest.substr(0, end)) + '/' + program;
        if (::access(path.c_str(), X_OK) == 0)
            return path;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

std::string shellQuoted(const std::string& text)
{
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + '\'';
}

std::string outputOf(const std::string& command)
{
    const auto closePipe = [](std::FILE* pipe) { ::pclose(pipe); };
    const std::unique_ptr<std::FILE, decltype(closePipe)> pipe(::popen(command.c_str(), "re"));
    std::string text;
    std::array<char, 4096> buffer{};
    while (pipe != nullptr) {
        const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe.get());
        if (count == 0)
            break;
        text.append(buffer.data(), count);
    }
    return text;
}

bool hasIpv4()
{
    ifaddrs* found = nullptr;
    if (::getifaddrs(&found) != 0)
        return true;
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> addresses(found, &::freeifaddrs);
    bool has = false;
    for (const ifaddrs* each = found; each != nullptr; each = each->ifa_next)
        has |= each->ifa_addr != nullptr && each->ifa_addr->sa_family == AF_INET;
    return has;
}

bool names(const std::vector<std::string>& options, std::initializer_list<std::string_view> names)
{
    return std::ranges::any_of(options, [names](const std::string& option) {
        return std::ranges::find(names, std::string_view(option)) != names.end();
    });
}

} // namespace

Result<std::string> parseOpenMpiVersion(const std::string& text)
{
    constexpr std::string_view versionMark = "(Open MPI) ";
    const auto place = text.find(versionMark);
    if (place == std::string::npos) {
        return Error{.kind = ErrorKind::System,
                     .message = "the mpirun that was found is not Open MPI's",
                     .remedy = "put Open MPI 4.1 or newer first in PATH"};
    }
    const auto begin = place + versionMark.size();
    return text.substr(begin, text.find_first_not_of("0123456789.", begin) - begin);
}

Result<OpenMpi> findOpenMpi()
{
    OpenMpi mpi;
    mpi.mpirun = findInPath("mpirun");
    if (mpi.mpirun.empty()) {
        return Error{.kind = ErrorKind::System,
                     .message = "mpirun was not found",
                     .remedy = "install Open MPI (openmpi-bin) or put it into PATH"};
    }
    Result<std::string> version = parseOpenMpiVersion(
        outputOf(shellQuoted(mpi.mpirun) + " --version 2>&1"));
    if (!version)
        return version.error();
    mpi.version = std::move(*version);
    std::from_chars(mpi.version.data(), mpi.version.data() + mpi.version.size(), mpi.major);
    mpi.overIpv6 = !hasIpv4() || std::getenv("OMPI_MCA_btl_tcp_disable_family") != nullptr;
    return mpi;
}

std::vector<std::string> mpirunArguments(const OpenMpi& mpi, const LaunchRequest& request)
{
    std::vector<std::string> arguments{mpi.mpirun, "-n", std::to_string(request.processors),
                                       "--enable-recovery"};
    const std::vector<std::string>& options = request.mpirunOptions;
    constexpr int firstWithFaultTolerance = 5; // and without --quiet
    if (mpi.major < firstWithFaultTolerance)
        arguments.emplace_back("--quiet");
    else if (!names(options, {"--with-ft"}))
        // Without it, version 5 aborts everybody when a connection over TCP breaks.
        arguments.insert(arguments.end(), {"--with-ft", "ulfm"});
    // Version 5 finds no pairs of addresses where hosts have both families, and complains of it.
    if (mpi.major >= firstWithFaultTolerance && !mpi.overIpv6
        && !names(options, {"btl_tcp_disable_family"}))
        arguments.insert(arguments.end(), {"--mca", "btl_tcp_disable_family", "6"});
    const bool placed = names(options, {"--map-by", "--rankfile", "-rf"});
    if (!names(options, {"--bind-to", "--cpu-set", "--cpu-list"}) && !placed)
        arguments.insert(arguments.end(), {"--bind-to", "none"});
    if (!names(options, {"--oversubscribe", "--nooversubscribe"}) && !placed)
        arguments.emplace_back("--oversubscribe");
    for (const std::string& variable : request.exportedVariables)
        arguments.insert(arguments.end(), {"-x", variable});
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.push_back(request.agent);
    arguments.insert(arguments.end(), request.agentArguments.begin(), request.agentArguments.end());
    return arguments;
}

} // namespace tasuki
