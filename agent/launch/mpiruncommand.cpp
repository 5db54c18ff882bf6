// SPDX-License-Identifier: GPL-3.0-or-later
#include "mpiruncommand.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>

#include <ifaddrs.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
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

constexpr const char* segmentDirectory = "/dev/shm";

std::uint64_t freeSharedMemory()
{
    struct statvfs room = {};
    if (::statvfs(segmentDirectory, &room) != 0 || ::access(segmentDirectory, W_OK) != 0)
        return 0;
    return std::uint64_t{room.f_bavail} * room.f_frsize;
}

/// Variables of schedulers, of which mpirun takes its hosts.
constexpr std::array<std::string_view, 9> schedulerVariables{
    "SLURM_JOB_ID", "SLURM_NODELIST",    "SLURM_JOB_NODELIST", "PBS_NODEFILE", "LSB_MCPU_HOSTS",
    "LSB_HOSTS",    "LSB_DJOB_HOSTFILE", "PE_HOSTFILE",        "FLUX_JOB_ID"};
/// Parameters of Open MPI, those of three letters as they are, the others as parts of names, that choose
/// hosts or means.
constexpr std::array<std::string_view, 7> decidingParameters{"btl", "pml",      "mtl",        "ras",
                                                             "plm", "hostfile", "param_files"};

bool decides(std::string_view parameter)
{
    return std::ranges::any_of(decidingParameters, [parameter](std::string_view part) {
        return part.size() == 3 ? parameter == part : parameter.find(part) != parameter.npos;
    });
}

bool environmentDecides()
{
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::string_view name = text.substr(0, text.find('='));
        if (std::ranges::find(schedulerVariables, name) != schedulerVariables.end())
            return true;
        for (const std::string_view prefix : {"OMPI_MCA_", "PRTE_MCA_", "PMIX_MCA_"})
            if (name.starts_with(prefix) && decides(name.substr(prefix.size())))
                return true;
    }
    return false;
}

/// @return whether a file has a line that counts, and, of parameters, that decides
bool fileDecides(const std::filesystem::path& path, bool ofParameters)
{
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        line.erase(std::min(line.find('#'), line.size()));
        const auto begin = line.find_first_not_of(" \t\r");
        if (begin == std::string::npos)
            continue;
        const auto end = line.find_first_of(" \t=", begin);
        if (!ofParameters || decides(std::string_view(line).substr(begin, end - begin)))
            return true;
    }
    return false;
}

/// Whether the user's parameters, or the hosts of this system, decide.
bool filesDecide(const std::string& mpirun)
{
    namespace fs = std::filesystem;
    if (const char* const home = std::getenv("HOME"); home != nullptr)
        for (const char* name : {".openmpi/mca-params.conf", ".prte/mca-params.conf"})
            if (fileDecides(fs::path(home) / name, true))
                return true;
    std::error_code none;
    const fs::path prefix = fs::weakly_canonical(mpirun, none).parent_path().parent_path();
    for (const fs::path& directory : {prefix / "etc", fs::path("/etc/openmpi"), fs::path("/etc")})
        for (const char* name : {"openmpi-default-hostfile", "prte-default-hostfile",
                                 "openmpi/openmpi-default-hostfile"})
            if (fileDecides(directory / name, false))
                return true;
    return false;
}

/// Whether the user's options name hosts or means.
bool optionsDecide(const std::vector<std::string>& options)
{
    for (const std::string& option : options) {
        const auto name = option.find_first_not_of('-');
        if (name == 0 || name == std::string::npos) {
            if (decides(option))
                return true;
            continue;
        }
        static constexpr std::array<std::string_view, 16> deciding{
            "H",        "host", "hostfile", "machinefile", "default-hostfile",
            "add-host", "rf",   "rankfile", "app",         "add-hostfile",
            "am",       "tune", "dvm",      "hnp",         "map-by",
            "x"};
        const std::string_view bare = std::string_view(option).substr(name);
        if (std::ranges::find(deciding, bare.substr(0, bare.find('='))) != deciding.end())
            return true;
    }
    return false;
}

} // namespace

bool onThisHostAlone(const OpenMpi& mpi, const LaunchRequest& request)
{
    // A segment is of 4 MiB; a rank that finds no room for its own could not talk to anybody.
    constexpr std::uint64_t bytesOfRank = 8 * 1024 * 1024;
    return !mpi.configured && !optionsDecide(request.mpirunOptions)
        && mpi.sharedMemoryBytes / bytesOfRank >= request.processors;
}

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
    mpi.configured = environmentDecides() || filesDecide(mpi.mpirun);
    mpi.sharedMemoryBytes = freeSharedMemory();
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
    if (onThisHostAlone(mpi, request)) {
        const bool older = mpi.major < firstWithFaultTolerance;
        arguments.insert(arguments.end(), {"--mca", "btl", older ? "self,vader" : "self,sm"});
        std::vector<std::string> places{older ? "btl_vader_backing_directory"
                                              : "btl_sm_backing_directory"};
        if (older)
            places.emplace_back("orte_tmpdir_base");
        for (const std::string& place : places)
            if (!request.ownDirectory.empty() && !names(options, {place})
                && std::getenv(("OMPI_MCA_" + place).c_str()) == nullptr)
                arguments.insert(arguments.end(), {"--mca", place, request.ownDirectory});
    }
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
