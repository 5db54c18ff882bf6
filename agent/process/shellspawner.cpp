// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/shellspawner.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>

namespace tasuki::guardian {
namespace {

constexpr std::size_t stackSize = 64 * 1024;

/// What the child reads and writes in its parent's memory. The parent sleeps meanwhile.
struct Child {
    const ShellPlan* plan = nullptr;
    char* const* arguments = nullptr;
    pid_t parent = 0;
    SpawnFailure failure;
};

// Runs in the parent's memory on a borrowed stack: system calls only, and no sanitizer, whose
// picture of the stack it would upset.
__attribute__((no_sanitize("address", "undefined", "thread"))) int runChild(void* argument)
{
    Child& child = *static_cast<Child*>(argument);
    const ShellPlan& plan = *child.plan;
    SpawnStep step = SpawnStep::Session;
    sigset_t none;
    sigemptyset(&none);
    bool good = ::setsid() >= 0 && ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0
        && ::getppid() == child.parent && ::sigprocmask(SIG_SETMASK, &none, nullptr) == 0;
    if (good) {
        step = SpawnStep::Streams;
        good = ::dup2(plan.output, STDOUT_FILENO) >= 0 && ::dup2(plan.error, STDERR_FILENO) >= 0;
        if (good && plan.script >= 0)
            good = plan.script == scriptDescriptor ? ::fcntl(plan.script, F_SETFD, 0) == 0
                                                   : ::dup2(plan.script, scriptDescriptor) >= 0;
    }
    if (good && plan.directory != nullptr) {
        step = SpawnStep::Directory;
        good = ::chdir(plan.directory) == 0;
    }
    if (good) {
        step = SpawnStep::Execute;
        ::execve("/bin/sh", child.arguments, plan.environment);
    }
    child.failure = {step, errno};
    ::_exit(127);
}

} // namespace

std::string spawnFailureText(const SpawnFailure& failure, std::string_view directory)
{
    std::string what;
    switch (failure.step) {
    case SpawnStep::None:
    case SpawnStep::Clone: what = "cannot create a process"; break;
    case SpawnStep::Session: what = "cannot create a session"; break;
    case SpawnStep::Streams: what = "cannot set up the standard streams"; break;
    case SpawnStep::Directory:
        what = "cannot enter directory '" + std::string(directory) + "'";
        break;
    case SpawnStep::Execute: what = "cannot execute /bin/sh"; break;
    }
    return what + ": " + std::strerror(failure.errorNumber);
}

void ShellSpawner::StackRelease::operator()(std::byte* memory) const
{
    ::munmap(memory, stackSize);
}

ShellSpawner::ShellSpawner()
{
    void* const memory = ::mmap(nullptr, stackSize, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
        throw std::bad_alloc();
    m_stack.reset(static_cast<std::byte*>(memory));
}

std::variant<pid_t, SpawnFailure> ShellSpawner::spawn(const ShellPlan& plan)
{
    // Commands that begin like an option need the "--" that the others do without.
    char shell[] = "sh";
    char takeCommand[] = "-c";
    char endOfOptions[] = "--";
    char script[] = "/proc/self/fd/9";
    std::array<char*, 5> arguments{};
    std::size_t count = 0;
    arguments[count++] = shell;
    if (plan.script >= 0) {
        arguments[count++] = script;
    } else {
        arguments[count++] = takeCommand;
        if (plan.command[0] == '-' || plan.command[0] == '+')
            arguments[count++] = endOfOptions;
        arguments[count++] = const_cast<char*>(plan.command);
    }
    Child child{&plan, arguments.data(), ::getpid(), {}};
    const pid_t pid = ::clone(runChild, m_stack.get() + stackSize, CLONE_VM | CLONE_VFORK | SIGCHLD,
                              &child);
    if (pid < 0)
        return SpawnFailure{SpawnStep::Clone, errno};
    if (child.failure.step != SpawnStep::None) {
        while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {}
        return child.failure;
    }
    return pid;
}

UniqueFd createScript() { return UniqueFd(::memfd_create("command", MFD_CLOEXEC)); }

} // namespace tasuki::guardian
