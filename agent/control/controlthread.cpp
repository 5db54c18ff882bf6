// SPDX-License-Identifier: GPL-3.0-or-later
#include "controlthread.h"

#include <system_error>
#include <thread>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>

#include <csignal>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tasuki::control {

namespace {

/// Above ordinary real-time threads' default of 1, far below the kernel's own.
constexpr int realTimePriority = 10;
constexpr int raisedNice = -10;

/// For the calling thread alone.
ThreadPriority takePriority()
{
    // What this thread starts, if anything, is not before others.
    const sched_param wanted{.sched_priority = realTimePriority};
    if (::sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &wanted) == 0)
        return ThreadPriority::RealTime;
    const auto thread = static_cast<id_t>(::syscall(SYS_gettid));
    if (::setpriority(PRIO_PROCESS, thread, raisedNice) == 0)
        return ThreadPriority::Raised;
    return ThreadPriority::Plain;
}

/// Keeps the signals of the process from threads that are started while it lives.
class NoSignals {
public:
    NoSignals()
    {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &m_before);
    }
    NoSignals(const NoSignals&) = delete;
    NoSignals& operator=(const NoSignals&) = delete;
    ~NoSignals() { ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }

private:
    sigset_t m_before{};
};

} // namespace

struct ControlThread::Core {
    boost::asio::io_context context{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{
        context.get_executor()};
    std::promise<ThreadPriority> got;
    ThreadPriority priority = ThreadPriority::Plain;
    std::thread thread;

    void run()
    {
        ::pthread_setname_np(::pthread_self(), "control");
        got.set_value(takePriority());
        context.run();
    }
};

Result<std::unique_ptr<ControlThread>> ControlThread::start()
{
    try {
        auto core = std::make_unique<Core>();
        auto got = core->got.get_future();
        const NoSignals quiet;
        core->thread = std::thread([core = core.get()] { core->run(); });
        core->priority = got.get();
        return std::unique_ptr<ControlThread>(new ControlThread(std::move(core)));
    } catch (const boost::system::system_error& error) {
        return systemError("cannot make an event loop", error.code().value());
    } catch (const std::system_error& error) {
        return systemError("cannot start a thread", error.code().value());
    }
}

ControlThread::ControlThread(std::unique_ptr<Core> core) : m_core(std::move(core)) {}

ControlThread::~ControlThread()
{
    post([context = &m_core->context] { context->stop(); });
    m_core->thread.join();
}

boost::asio::io_context& ControlThread::context() { return m_core->context; }

void ControlThread::post(std::function<void()> work)
{
    boost::asio::post(m_core->context, std::move(work));
}

bool ControlThread::here() const { return std::this_thread::get_id() == m_core->thread.get_id(); }

ThreadPriority ControlThread::priority() const { return m_core->priority; }

} // namespace tasuki::control
