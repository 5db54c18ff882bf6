// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "recordedwork.h"

#include <csignal>
#include <cstdint>
#include <memory>

namespace tasuki::testbed {

/// How long the thread may stay in an MPI call in which nothing happens.
enum class Lasts : int { UntilSomethingComes, Briefly };

/// Makes a thread compute as slowly as its node does. What the thread computes between two MPI
/// calls is measured in processor time, so that neither waiting nor the machine's other work
/// counts; before the next call begins, the thread sleeps until `dilation` times as much has
/// passed. A long computation sleeps in between too, so that ranks leave each other the processors.
/// With recorded work, that is computed, however long it really took.
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
    /// @param work      to record, or to take instead of what is measured; may be null
    void begin(double dilation, int priority, std::unique_ptr<RecordedWork> work);
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

    enum class Until : std::uint8_t { Now, Call };

    std::int64_t measure(Until until);
    std::int64_t counted(std::int64_t computed, Until until);
    void takeWork();
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
    bool m_counted = false; ///< the computation before the call that the thread is in
    std::unique_ptr<RecordedWork> m_work;
    std::int64_t m_computed = 0; ///< since the last call ended; when recording
    std::int64_t m_left = 0;     ///< of what is to be computed until the next call; when playing
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
