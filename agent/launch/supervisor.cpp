// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervisor.h"

#include "control/processwatch.h"
#include "files/uniquefd.h"
#include "mpiremains.h"
#include "mpirunprocess.h"
#include "outputrelay.h"
#include "process/processtable.h"
#include "stderrfilter.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tasuki {

namespace {

constexpr std::array stopSignals{SIGINT, SIGQUIT, SIGTERM, SIGHUP};

/// @return the signals by which a user asks for the end
std::vector<int> heardSignals()
{
    std::vector<int> heard(stopSignals.begin(), stopSignals.end());
    if (ignoresHangUp())
        std::erase(heard, SIGHUP);
    return heard;
}

sigset_t stopSignalSet()
{
    sigset_t set;
    ::sigemptyset(&set);
    for (const int number : heardSignals())
        ::sigaddset(&set, number);
    return set;
}

/// Kills the children of this process that belong to tasks: orphans come to it, a sub-reaper, when
/// both their rank and their guardian have been killed. Then their children come, and so on.
/// @param everything  ranks, guardians and whatever else are killed too
/// @return whether any child is left, other than `spared`
bool killOrphans(const std::vector<ProcessEntry>& table, pid_t spared, bool everything)
{
    bool any = false;
    for (const ProcessEntry& process : table) {
        if (process.parent != ::getpid() || process.pid == spared)
            continue;
        any = true;
        if (process.zombie())
            ::waitpid(process.pid, nullptr, WNOHANG);
        else if (everything || readProcessMarker(process.pid))
            signalProcess(process, SIGKILL);
    }
    return any;
}

/// Whether every child of mpirun has ended and it has not noticed: it takes them at once unless it is
/// stuck, as that of Open MPI 4.1 is now and then when ranks die in MPI's start-up. One that the user
/// has stopped is not stuck.
bool deadUnnoticed(const std::vector<ProcessEntry>& table, pid_t mpirun)
{
    bool any = false;
    for (const ProcessEntry& process : table) {
        if (process.pid == mpirun && process.stopped())
            return false;
        if (process.parent != mpirun)
            continue;
        if (!process.zombie())
            return false;
        any = true;
    }
    return any;
}

/// Whether ranks have ended and all that are left are stopped: those who could have killed them are
/// gone. When the user has stopped a launch none has ended.
class LeftStopped {
public:
    /// @return those ranks
    std::vector<ProcessEntry> look(const std::vector<ProcessEntry>& table, pid_t mpirun)
    {
        std::vector<ProcessEntry> living;
        for (const ProcessEntry& process : table) {
            if (process.pid == mpirun && process.stopped())
                return {};
            if (process.parent == mpirun && !process.zombie())
                living.push_back(process);
        }
        m_most = std::max(m_most, living.size());
        const bool left = living.size() < m_most
            && std::ranges::all_of(living, &ProcessEntry::stopped);
        return left ? living : std::vector<ProcessEntry>();
    }

private:
    std::size_t m_most = 0; ///< ranks at once
};

/// Kills what the launch has left. Ranks and guardians that are still leaving get a moment.
void killRemains()
{
    constexpr std::chrono::milliseconds step{20};
    constexpr int patience = 100; // steps
    constexpr int limit = 400;
    for (int round = 0; round < limit && killOrphans(readProcesses(), -1, round >= patience);
         ++round)
        std::this_thread::sleep_for(step);
}

struct Pipe {
    Pipe()
    {
        std::array<int, 2> ends{-1, -1};
        if (::pipe2(ends.data(), O_CLOEXEC) == 0) {
            read.reset(ends[0]);
            write.reset(ends[1]);
        }
    }
    [[nodiscard]] bool usable() const { return static_cast<bool>(read); }

    UniqueFd read;
    UniqueFd write;
};

class Supervision {
public:
    /// @param output, errors  of mpirun, to be read and closed
    Supervision(pid_t mpirun, int output, int errors, const LaunchOptions& options)
        : m_mpirun(mpirun),
          m_interval(options.interval),
          m_signals(m_context),
          m_errors(m_context, errors),
          m_filter(options.token),
          m_watch(m_context, mpirun, [this] { ended(); }),
          m_output(output, STDOUT_FILENO, [this](int error) {
              boost::asio::post(m_context, [this, error] { outputFailed(error); });
          })
    {
        for (const int number : heardSignals())
            m_signals.add(number);
        waitForSignal();
        readErrors();
        lookForOrphans();
    }

    LaunchEnd run()
    {
        sigset_t before;
        const sigset_t set = stopSignalSet();
        ::pthread_sigmask(SIG_UNBLOCK, &set, &before);
        m_context.run();
        m_output.finish();
        m_context.restart();
        m_context.poll(); // what the last of it has failed of
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        const std::string rest = m_filter.finish();
        std::fwrite(rest.data(), 1, rest.size(), stderr);
        m_end.reported = m_filter.exitCode() ? m_filter.exitCode() : m_filter.givenUpCode();
        m_end.rootRefused = m_filter.rootRefused();
        m_end.terms = m_filter.restartTerms();
        m_end.runFile = m_filter.runFile();
        return m_end;
    }

    /// What mpirun leaves when it is killed, as far as it was seen.
    [[nodiscard]] const MpiRemains& remains() const { return m_remains; }

private:
    void waitForSignal()
    {
        m_signals.async_wait([this](const boost::system::error_code& error, int number) {
            if (error || m_mpirunEnded)
                return;
            // A terminal that closes says so several times: the kernel does, and the shell.
            if (number != SIGHUP || !m_end.interrupted)
                interrupt(m_end.interrupted || number == SIGTERM || number == SIGQUIT);
            waitForSignal();
        });
    }

    void interrupt(bool kill)
    {
        m_end.interrupted = true;
        ::kill(m_mpirun, kill ? SIGUSR2 : SIGUSR1);
    }

    /// Nobody who reads no more waits for the rest; where there is no room, the record has it.
    void outputFailed(int error)
    {
        m_end.outputError = error;
        if (error != EPIPE) {
            std::fprintf(stderr, "tasuki: standard output cannot be written: %s\n",
                         std::strerror(error));
        } else if (!m_end.interrupted && !m_mpirunEnded) {
            std::fprintf(stderr, "tasuki: nobody reads standard output: the run is interrupted\n");
            interrupt(false);
        }
    }

    void lookForOrphans()
    {
        constexpr int patience = 12; // intervals
        m_orphanTimer.expires_after(m_interval);
        m_orphanTimer.async_wait([this](const boost::system::error_code& error) {
            if (error || m_mpirunEnded) // it may have expired before it was cancelled
                return;
            const std::vector<ProcessEntry> table = readChildrenOf({::getpid(), m_mpirun});
            killOrphans(table, m_mpirun, false);
            noteRemains(table);
            m_intervalsStuck = deadUnnoticed(table, m_mpirun) ? m_intervalsStuck + 1 : 0;
            if (m_intervalsStuck >= patience)
                ::kill(m_mpirun, SIGKILL);
            const std::vector<ProcessEntry> stopped = m_leftStopped.look(table, m_mpirun);
            m_intervalsStopped = stopped.empty() ? 0 : m_intervalsStopped + 1;
            if (m_intervalsStopped >= patience) {
                for (const ProcessEntry& process : stopped)
                    signalProcess(process, SIGKILL);
            }
            endAfterReport();
            lookForOrphans();
        });
    }

    /// A rank has mapped its segments when MPI is initialised. Where it has none they are not looked for
    /// any longer.
    void noteRemains(const std::vector<ProcessEntry>& table)
    {
        constexpr int mostLooks = 240;
        const auto rank = std::ranges::find(table, m_mpirun, &ProcessEntry::parent);
        if (rank == table.end() || m_remains.any() || m_looks == mostLooks)
            return;
        ++m_looks;
        m_remains.note(rank->pid);
    }

    /// mpirun of Open MPI 4.1 waits for ever when a rank or a daemon on another host was lost.
    void endAfterReport()
    {
        constexpr int patience = 20; // intervals
        if (!m_filter.exitCode() && !nobodyGoesOn())
            return;
        ++m_intervalsReported;
        if (m_intervalsReported == patience)
            ::kill(m_mpirun, SIGTERM);
        else if (m_intervalsReported == 2 * patience)
            ::kill(m_mpirun, SIGKILL);
    }

    /// A leader that was given up may be on the side of mpirun that is cut off: when the network is
    /// back, another one is heard that goes on.
    /// @return whether nobody was heard for long enough, or the user does not wait
    bool nobodyGoesOn()
    {
        constexpr int patience = 240; // intervals: a connection comes back up to half a minute late
        if (!m_filter.givenUpCode())
            return false;
        if (m_intervalsAlone == 0 && m_filter.signsOfGoingOn() == 0)
            std::fprintf(stderr, "tasuki: waiting a minute for word of the other processors\n");
        if (std::exchange(m_signsHeard, m_filter.signsOfGoingOn()) != m_filter.signsOfGoingOn())
            m_intervalsAlone = 0;
        return ++m_intervalsAlone > patience || m_end.interrupted;
    }

    void readErrors()
    {
        m_errors.async_read_some(
            boost::asio::buffer(m_buffer),
            [this](const boost::system::error_code& error, std::size_t count) {
                const std::string text = m_filter.take({m_buffer.data(), count});
                std::fwrite(text.data(), 1, text.size(), stderr);
                std::fflush(stderr);
                if (error)
                    stop();
                else
                    readErrors();
            });
    }

    void ended()
    {
        ::waitpid(m_mpirun, &m_end.waitStatus, 0);
        m_mpirunEnded = true;
        // Someone else may hold the pipe; what mpirun wrote is in it already.
        m_errors.non_blocking(true);
        boost::system::error_code error;
        for (;;) {
            const std::size_t count = m_errors.read_some(boost::asio::buffer(m_buffer), error);
            if (error || count == 0)
                break;
            const std::string text = m_filter.take({m_buffer.data(), count});
            std::fwrite(text.data(), 1, text.size(), stderr);
        }
        m_errors.close(error);
        stop();
    }

    void stop()
    {
        if (m_mpirunEnded) {
            m_signals.cancel();
            m_orphanTimer.cancel();
        }
    }

    pid_t m_mpirun;
    std::chrono::milliseconds m_interval;
    boost::asio::io_context m_context;
    boost::asio::signal_set m_signals;
    boost::asio::steady_timer m_orphanTimer{m_context};
    boost::asio::posix::stream_descriptor m_errors;
    std::array<char, 65536> m_buffer{};
    StderrFilter m_filter;
    ProcessWatch m_watch;
    LaunchEnd m_end;
    OutputRelay m_output;
    int m_intervalsStuck = 0;
    LeftStopped m_leftStopped;
    MpiRemains m_remains;
    int m_looks = 0; ///< for m_remains
    int m_intervalsStopped = 0;
    int m_intervalsReported = 0;
    int m_intervalsAlone = 0; ///< since a leader was given up, or another one was heard
    std::size_t m_signsHeard = 0;
    bool m_mpirunEnded = false;
};

} // namespace

void holdStopSignals()
{
    const sigset_t set = stopSignalSet();
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

bool stopAsked(std::chrono::milliseconds within)
{
    constexpr auto second = std::chrono::nanoseconds(std::chrono::seconds(1)).count();
    const auto nanoseconds = std::chrono::nanoseconds(within).count();
    const timespec patience{.tv_sec = nanoseconds / second, .tv_nsec = nanoseconds % second};
    const sigset_t set = stopSignalSet();
    return ::sigtimedwait(&set, nullptr, &patience) >= 0;
}

Result<LaunchEnd> superviseLaunch(const std::vector<std::string>& arguments,
                                  const LaunchOptions& options)
{
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    ::signal(SIGPIPE, SIG_IGN);
    Pipe output;
    Pipe errors;
    if (!output.usable() || !errors.usable())
        return systemError("cannot make a pipe", errno);
    UniqueFd input;
    if (options.input) {
        const Result<int> given = inputForMpirun();
        if (!given)
            return given.error();
        input.reset(*given);
    }
    const Result<pid_t> mpirun = startMpirun(
        arguments, options.environment,
        {.input = input.get(), .output = output.write.get(), .errors = errors.write.get()});
    if (!mpirun)
        return mpirun.error();
    input.reset();
    output.write.reset();
    errors.write.reset();
    Supervision supervision(*mpirun, output.read.release(), errors.read.release(), options);
    const LaunchEnd end = supervision.run();
    MpiRemains remains = supervision.remains();
    const bool killed = WIFSIGNALED(end.waitStatus);
    if (killed) {
        for (const ProcessEntry& orphan : readChildrenOf({::getpid()}))
            remains.note(orphan.pid);
    }
    killRemains();
    if (killed)
        remains.remove();
    return end;
}

} // namespace tasuki
