// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>
#include <cstdint>

namespace tasuki::testbed {

/// How long the thread may stay in an MPI call in which nothing happens.
enum class Lasts : int { UntilSomethingComes, Briefly };

/// Makes a thread compute as slowly as its node does. What the thread computes between two MPI
/// calls is measured in processor time, so that neither waiting nor the machine's other work
/// counts; before the next call begins, the thread sleeps until `dilation` times as much has
/// passed. A long computation sleeps in between too, so that ranks leave each other the processors.
/// Time inside MPI calls is left as it is: it belongs to the links.
///
/// One per thread; only the thread that called MPI_Init has one that runs.
class Pace {
public:
    /// What has been computed, in nanoseconds.
    struct Account {
        std::int64_t processor = 0; ///< processor time
        std::int64_t late = 0;      ///< how much later than due MPI calls began, in sum
        std::int64_t latest = 0;    ///< the greatest of it
        std::int64_t calls = 0;
    };

    /// From the end of the MPI call on that the thread is in. Asks for real-time priority; without
    /// it, the account tells how late the thread was.
    /// @param dilation  nanoseconds a nanosecond of processor time takes
    /// @param priority  real-time priority, from 1
    void begin(double dilation, int priority);
    /// For good.
    void end();

    void enterMpi(Lasts lasts);
    void leaveMpi();

    /// Sleeps for what was computed so far, as before an MPI call; does nothing inside one.
    void settle();

    [[nodiscard]] bool isInsideMpi() const { return m_begun != 0 && m_depth > 0; }
    /// @return for the outermost MPI call that the thread is in
    [[nodiscard]] Lasts lasts() const { return m_lasts; }
    [[nodiscard]] const Account& account() const { return m_account; }

private:
    static void onTimer(int signal);

    std::int64_t measure();
    void startTimer();

    // The signal handler looks at what follows.
    volatile std::sig_atomic_t m_begun = 0;
    volatile std::sig_atomic_t m_depth = 0; ///< MPI calls that the thread is in
    std::int64_t m_processorMark = 0;       ///< processor time up to which is paid
    std::int64_t m_paid = 0;                ///< monotonic time to which that belongs
    std::int64_t m_readCost = 0;            ///< processor time of measuring
    double m_dilation = 1;
    Lasts m_lasts = Lasts::UntilSomethingComes;
    void* m_timer = nullptr;
    Account m_account;
};

/// @return that of the calling thread
Pace& thisPace();

/// The thread is inside an MPI call while this lives.
class MpiCall {
public:
    explicit MpiCall(Lasts lasts = Lasts::UntilSomethingComes) { thisPace().enterMpi(lasts); }
    ~MpiCall() { thisPace().leaveMpi(); }
    MpiCall(const MpiCall&) = delete;
    MpiCall& operator=(const MpiCall&) = delete;
};

} // namespace tasuki::testbed
