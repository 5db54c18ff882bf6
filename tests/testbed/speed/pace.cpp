// SPDX-License-Identifier: GPL-3.0-or-later
#include "pace.h"

#include "clocks.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <limits>

namespace tasuki::testbed {

namespace {

/// Processor time after which a computation sleeps. Each time costs it some 40 us, so not too often.
constexpr long slice = 20'000'000;
constexpr int measurements = 1000;
constexpr int highestNice = -20;

int timerSignal() { return SIGRTMAX - 3; }

std::int64_t costOfReading()
{
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < measurements; ++i) {
        const std::int64_t before = threadTime();
        least = std::min(least, threadTime() - before);
    }
    return least;
}

/// What the machine's other programs do must not delay a thread that is due.
void askForProcessors(int priority)
{
    const sched_param parameters{.sched_priority = priority};
    if (sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &parameters) != 0)
        setpriority(PRIO_PROCESS, 0, highestNice);
}

} // namespace

Pace& thisPace()
{
    static thread_local Pace pace;
    return pace;
}

void Pace::begin(double dilation, int priority, std::unique_ptr<RecordedWork> work)
{
    m_work = std::move(work);
    takeWork();
    m_dilation = dilation;
    m_readCost = costOfReading();
    askForProcessors(priority);
    startTimer();
    m_begun = 1;
}

void Pace::startTimer()
{
    struct sigaction action {};
    action.sa_handler = &Pace::onTimer;
    action.sa_flags = SA_RESTART;
    sigaction(timerSignal(), &action, nullptr);
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = timerSignal();
    event._sigev_un._tid = gettid();
    timer_t timer{};
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0)
        return; // the thread then sleeps before MPI calls only
    m_timer = timer;
    const itimerspec times{.it_interval = {.tv_sec = 0, .tv_nsec = slice},
                           .it_value = {.tv_sec = 0, .tv_nsec = slice}};
    timer_settime(timer, 0, &times, nullptr);
}

void Pace::end()
{
    m_begun = 0;
    if (m_work != nullptr)
        m_work->finish();
    if (m_timer != nullptr)
        timer_delete(m_timer);
    m_timer = nullptr;
}

void Pace::onTimer(int)
{
    const int error = errno;
    thisPace().settle();
    errno = error;
}

/// What the thread computes until its next call.
void Pace::takeWork()
{
    m_computed = 0;
    if (m_work != nullptr && m_work->use() == RecordedWork::Use::Play)
        m_left = m_work->next();
}

/// @return how much of what was really computed since the last mark is to count
std::int64_t Pace::counted(std::int64_t computed, Until until)
{
    if (m_work == nullptr)
        return computed;
    if (m_work->use() == RecordedWork::Use::Record) {
        m_computed += computed;
        if (until == Until::Call)
            m_work->add(m_computed);
        return computed;
    }
    const std::int64_t part = until == Until::Call ? m_left : std::min(computed, m_left);
    m_left -= part;
    return part;
}

/// @return the monotonic time until which the computation since the last mark lasts
std::int64_t Pace::measure(Until until)
{
    const std::int64_t computed = counted(
        std::max<std::int64_t>(threadTime() - m_processorMark - m_readCost, 0), until);
    m_account.processor += computed;
    return m_paid + static_cast<std::int64_t>(static_cast<double>(computed) * m_dilation);
}

void Pace::enterMpi(Lasts lasts)
{
    m_depth = m_depth + 1;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (m_begun == 0 || m_depth != 1)
        return;
    m_lasts = lasts;
    m_counted = true;
    const std::int64_t due = measure(Until::Call);
    const std::int64_t late = std::max<std::int64_t>(monotonicTime() - due, 0);
    m_account.late += late;
    m_account.latest = std::max(m_account.latest, late);
    ++m_account.calls;
    waitUntil(due);
}

void Pace::leaveMpi()
{
    if (m_begun != 0 && m_depth == 1) {
        if (m_counted)
            takeWork();
        m_counted = false;
        m_paid = monotonicTime();
        m_processorMark = threadTime();
    }
    std::atomic_signal_fence(std::memory_order_seq_cst);
    m_depth = m_depth - 1;
}

void Pace::settle()
{
    if (m_begun == 0 || m_depth != 0)
        return;
    m_depth = 1;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    // What is slept too long or computed too late counts for the next time.
    m_paid = measure(Until::Now);
    waitUntil(m_paid);
    m_processorMark = threadTime();
    std::atomic_signal_fence(std::memory_order_seq_cst);
    m_depth = 0;
}

} // namespace tasuki::testbed
