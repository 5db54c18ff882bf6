// SPDX-License-Identifier: GPL-3.0-or-later
#include "farmlife.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <random>
#include <spawn.h>
#include <stdexcept>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace tasuki::testing {

namespace {

constexpr const char* markVariable = "TASUKI_TEST_MARK";

std::string randomMark()
{
    std::random_device source;
    std::string mark;
    for (int part = 0; part < 4; ++part) {
        mark += std::to_string(source()) + '-';
    }
    return mark + std::to_string(getpid());
}

/// Our environment, what mpirun needs on a small machine with one user, and the mark.
std::vector<std::string> environmentWith(const std::string& mark,
                                         const std::filesystem::path& directory)
{
    std::vector<std::string> entries;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        entries.emplace_back(*entry);
    }
    // Open MPI leaks in modules that it has unloaded by the end: no suppression can name them.
    for (const char* entry :
         {"OMPI_MCA_rmaps_base_oversubscribe=1",
          "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe", "OMPI_MCA_btl_tcp_if_include=lo",
          "OMPI_MCA_oob_tcp_if_include=lo", "ASAN_OPTIONS=detect_leaks=0"}) {
        entries.emplace_back(entry);
    }
    if (geteuid() == 0) {
        for (const char* entry : {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                                  "PRTE_ALLOW_RUN_AS_ROOT=1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1"}) {
            entries.emplace_back(entry);
        }
    }
    entries.push_back(std::string(markVariable) + '=' + mark);
    // The user's own agents are not this test's affair.
    entries.push_back("TASUKI_ACCESS_DIR=" + (directory / ".access").string());
    entries.push_back("TASUKI_SOCKET_DIR=" + (directory / ".sockets").string());
    return entries;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    for (std::string& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

/// mpirun goes by several names: Open MPI 5 runs another program in its place.
bool isLauncher(std::string_view name)
{
    return name == "mpirun" || name == "orterun" || name == "prterun" || name == "prte";
}

/// What posix_spawn shall do to the child's descriptors and directory.
class FileActions {
public:
    FileActions() { posix_spawn_file_actions_init(&m_actions); }
    ~FileActions() { posix_spawn_file_actions_destroy(&m_actions); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;
    posix_spawn_file_actions_t* get() { return &m_actions; }

private:
    posix_spawn_file_actions_t m_actions{};
};

} // namespace

FarmLife::FarmLife(Starter starter, int ranks, const std::filesystem::path& directory,
                   const std::vector<std::string>& arguments,
                   const std::vector<std::string>& launcherOptions)
    : m_mark(randomMark())
{
    std::vector<std::string> command;
    if (starter == Starter::Launch) {
        command = {TASUKI_AGENT, "launch", "-n", std::to_string(ranks)};
    } else {
        command = {"mpirun", "-n", std::to_string(ranks)};
    }
    command.insert(command.end(), launcherOptions.begin(), launcherOptions.end());
    command.emplace_back(starter == Starter::Launch ? "--" : TASUKI_AGENT);
    command.insert(command.end(), arguments.begin(), arguments.end());
    std::vector<std::string> environment = environmentWith(m_mark, directory);

    const std::string output = (directory / "farm.out").string();
    const std::string error = (directory / "farm.err").string();
    constexpr int flags = O_WRONLY | O_CREAT | O_APPEND;
    FileActions actions;
    posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(actions.get(), STDOUT_FILENO, output.c_str(), flags, 0644);
    posix_spawn_file_actions_addopen(actions.get(), STDERR_FILENO, error.c_str(), flags, 0644);
    posix_spawn_file_actions_addchdir_np(actions.get(), directory.c_str());
    const int failure = posix_spawnp(&m_pid, command.front().c_str(), actions.get(), nullptr,
                                     pointersTo(command).data(), pointersTo(environment).data());
    if (failure != 0) {
        throw std::runtime_error("cannot start " + command.front() + ", error "
                                 + std::to_string(failure));
    }
}

FarmLife::~FarmLife()
{
    // What is killed may just have made another process: look again until nothing is left.
    for (int round = 0; round < 50; ++round) {
        const auto left = all();
        for (const ProcessInfo& process : left) {
            kill(process.pid, SIGKILL);
        }
        if (left.empty() && ended()) {
            return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

std::vector<ProcessInfo> FarmLife::all() const { return processesMarked(markVariable, m_mark); }

FarmLife::Processes FarmLife::processes() const
{
    Processes found;
    for (ProcessInfo& process : all()) {
        if (environmentOf(process.pid, "TASUKI_TASK")) {
            found.tasks.push_back(std::move(process));
        } else if (process.name == "tasuki-guardian") {
            found.guardians.push_back(process.pid);
        } else if (process.name == "tasuki-agent") {
            // Open MPI 4.1 and 5 both tell each rank its number in this variable.
            const auto rank = environmentOf(process.pid, "OMPI_COMM_WORLD_RANK");
            (rank ? found.ranks : found.launch).push_back(process.pid);
            if (rank == "0") {
                found.rankZero = process.pid;
            }
        } else if (isLauncher(process.name)) {
            found.mpirun.push_back(process.pid);
        }
    }
    return found;
}

std::map<int, pid_t> FarmLife::agents() const
{
    std::map<int, pid_t> found;
    for (const ProcessInfo& process : all()) {
        const auto number = environmentOf(process.pid, "OMPI_COMM_WORLD_RANK");
        if (number && process.name == "tasuki-agent") {
            found.emplace(std::stoi(*number), process.pid);
        }
    }
    return found;
}

void FarmLife::interrupt() const { kill(m_pid, SIGINT); }

std::optional<int> FarmLife::ended()
{
    if (!m_status) {
        int status = 0;
        if (waitpid(m_pid, &status, WNOHANG) == m_pid) {
            m_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
    }
    return m_status;
}

bool FarmLife::waitForEverything(std::chrono::milliseconds limit)
{
    const auto deadline = std::chrono::steady_clock::now() + limit;
    while (std::chrono::steady_clock::now() < deadline) {
        if (ended() && all().empty()) {
            return true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
}

} // namespace tasuki::testing
