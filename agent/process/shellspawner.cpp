// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/shellspawner.h"

#include "process/rawcall.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace tasuki::guardian {
namespace {

constexpr std::size_t signalSetSize = 8; ///< of the kernel

/// The process has a descriptor under a number, too, or nothing is done. @return as rawCall()
__attribute__((no_sanitize("address", "undefined", "thread"))) long give(int descriptor, int number)
{
    if (descriptor < 0)
        return 0;
    return descriptor == number ? rawCall(SYS_fcntl, descriptor, F_SETFD, 0)
                                : rawCall(SYS_dup3, descriptor, number);
}

} // namespace

bool isShortage(const SpawnFailure& failure)
{
    if (failure.step != SpawnStep::Clone && failure.step != SpawnStep::Streams)
        return false;
    const int number = failure.errorNumber;
    return number == EAGAIN || number == ENOMEM || number == EMFILE || number == ENFILE;
}

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

ShellStart::ShellStart(const ShellPlan& plan) : m_plan(plan), m_parent(::getpid())
{
    // Commands that begin like an option need the "--" that the others do without.
    std::size_t count = 0;
    m_arguments[count++] = "sh";
    if (plan.script >= 0) {
        m_arguments[count++] = "/proc/self/fd/9";
        return;
    }
    m_arguments[count++] = "-c";
    if (plan.command[0] == '-' || plan.command[0] == '+')
        m_arguments[count++] = "--";
    m_arguments[count++] = plan.command;
}

std::variant<std::unique_ptr<ShellStart>, SpawnFailure> ShellStart::begin(const ShellPlan& plan)
{
    auto start = std::unique_ptr<ShellStart>(new ShellStart(plan));
    constexpr int flags = CLONE_VM | CLONE_CHILD_CLEARTID | SIGCHLD
        | (rawCallsAreSeparate ? 0 : CLONE_VFORK);
    start->m_pid = ::clone(run, start->m_stack.data() + stackSize, flags, start.get(), nullptr,
                           nullptr, &start->m_borrowing);
    if (start->m_pid < 0)
        return SpawnFailure{SpawnStep::Clone, errno};
    return start;
}

__attribute__((no_sanitize("address", "undefined", "thread"))) int ShellStart::run(void* start)
{
    auto* const self = static_cast<ShellStart*>(start);
    self->m_failure = self->prepareAndExecute();
    rawCall(SYS_exit_group, 127);
    return 127;
}

__attribute__((no_sanitize("address", "undefined", "thread"))) SpawnFailure ShellStart::
    prepareAndExecute()
{
    const unsigned long noSignal = 0;
    long result = rawCall(SYS_setsid);
    if (result >= 0)
        result = rawCall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    if (result >= 0 && rawCall(SYS_getppid) != m_parent)
        result = -ESRCH;
    if (result >= 0)
        result = rawCall(SYS_rt_sigprocmask, SIG_SETMASK, addressOf(&noSignal), 0, signalSetSize);
    if (result < 0)
        return {SpawnStep::Session, static_cast<int>(-result)};

    const int* const streams = m_plan.streams.data();
    for (int number = 0; result >= 0 && number <= channelDescriptor; ++number)
        result = give(streams[number], number);
    if (result >= 0)
        result = give(m_plan.script, scriptDescriptor);
    if (result >= 0)
        result = rawCall(SYS_prlimit64, 0, RLIMIT_NOFILE, addressOf(&m_plan.descriptors));
    if (result < 0)
        return {SpawnStep::Streams, static_cast<int>(-result)};
    if (m_plan.cores != nullptr) // else it runs where it can
        rawCall(SYS_sched_setaffinity, 0, sizeof *m_plan.cores, addressOf(m_plan.cores));

    if (m_plan.directory != nullptr) {
        result = rawCall(SYS_chdir, addressOf(m_plan.directory));
        if (result < 0)
            return {SpawnStep::Directory, static_cast<int>(-result)};
    }
    result = rawCall(SYS_execve, addressOf("/bin/sh"), addressOf(m_arguments.data()),
                     addressOf(m_plan.environment));
    return {SpawnStep::Execute, static_cast<int>(-result)};
}

UniqueFd createScript() { return UniqueFd(::memfd_create("command", MFD_CLOEXEC)); }

} // namespace tasuki::guardian
