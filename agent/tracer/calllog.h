// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "looks.h"
#include "opencall.h"
#include "tracer.h"

#include <cstdint>
#include <limits>
#include <mpi.h>
#include <span>
#include <utility>

namespace tasuki::tracer {

/// @return bytes of so many elements
std::uint64_t bytesOf(int count, MPI_Datatype type);

/// In place of the root of calls that have none.
inline constexpr int noRoot = std::numeric_limits<int>::min();

/// What is sent, and to whom.
struct Outgoing {
    int count;
    MPI_Datatype type;
    int peer; ///< in the communicator
    int tag;
    MPI_Comm communicator;
};

/// One call of MPI by the program, from before the real one to after it. Does nothing when the process is
/// not traced, and in a call that MPI makes itself. Whether it is logged as a whole is decided when it
/// begins. No exception leaves it.
class CallLog {
public:
    /// Of calls that are logged when they turn out to matter.
    struct Aside {};
    /// Of calls that look whether something has come or is done.
    struct Look {};

    explicit CallLog(State state) noexcept : CallLog(state, Aside{})
    {
        if (m_logged)
            interruptLooks();
    }
    CallLog(State state, Look) noexcept : CallLog(state, Aside{})
    {
        if (m_logged)
            beginLook();
    }
    CallLog(State state, Aside) noexcept
        : m_tracer(m_open.outermost() ? activeTracer() : nullptr), m_state(state)
    {
        m_logged = m_tracer != nullptr && m_tracer->logging();
        if (m_logged)
            m_beginNs = m_tracer->startCall();
    }

    /// Whether it is logged.
    explicit operator bool() const { return m_logged; }
    /// Whether the process is traced, be the call logged or not.
    [[nodiscard]] bool traced() const { return m_tracer != nullptr; }

    /// Does more under the lock, if the call is logged.
    /// @param function  takes the Tracer
    template <class Function>
    void log(Function&& function) noexcept
    {
        if (m_logged)
            follow(std::forward<Function>(function));
    }
    /// The same, if the process is traced: for what must be known whether the call is logged or not.
    /// When memory is used up, the process is traced no more.
    template <class Function>
    void follow(Function&& function) noexcept
    {
        if (m_tracer == nullptr)
            return;
        try {
            const auto guard = m_tracer->lock();
            function(*m_tracer);
        } catch (...) {
            giveUp();
        }
    }
    /// For want of memory, the process is traced no more.
    void giveUp() noexcept
    {
        if (m_tracer != nullptr)
            m_tracer->stop();
    }

    void begin() noexcept
    {
        log([this](Tracer& tracer) { writeBegin(tracer); });
    }
    /// @param requests  numbers that it starts or waits for
    void begin(std::span<const std::uint32_t> requests) noexcept
    {
        log([&](Tracer& tracer) { tracer.recordBegin(m_state, m_beginNs, requests); });
    }
    /// Of a call that sends a message and is done with it when it returns.
    void beginSending(const Outgoing& outgoing) noexcept
    {
        log([&](Tracer& tracer) {
            writeBegin(tracer);
            writeSent(tracer, outgoing, 0);
        });
    }
    /// @param root   as in the call; noRoot where there is none
    /// @param bytes  gives the share of a task; called when it is needed
    template <class Bytes>
    void beginCollective(MPI_Comm communicator, int root, Bytes&& bytes) noexcept
    {
        // Beside the root of an inter-communicator stand those who take no part.
        log([&](Tracer& tracer) {
            writeCollective(tracer, communicator, root, root == MPI_PROC_NULL ? 0 : bytes());
        });
    }
    void beginCommunicator(MPI_Comm communicator) noexcept;

    /// Logs a look as a whole, which took nothing and completed nothing.
    void logLook(int result, bool found) noexcept;
    /// The look found nothing.
    void foundNothing() noexcept;
    /// The look found something: the looks before it that found nothing are part of the call.
    void foundSomething() noexcept { s_looks.found(); }
    /// The looks of this thread that found nothing are over.
    static void interruptLooks() noexcept;

    /// A message came in this call.
    void received(const MPI_Status& status, MPI_Comm communicator) noexcept;

    /// Collective over the new communicator, whoever logs the call.
    void madeCommunicator(MPI_Comm communicator) noexcept;

    /// The call of MPI is over, for those that have more to do after it.
    void returned() noexcept
    {
        if (m_logged)
            endNs();
    }
    /// @return the result
    int end(int result) noexcept;

    // Parts of the above, for who holds the lock already.

    [[nodiscard]] std::int64_t beginNs() const { return m_beginNs; }
    /// The first use reads the clock.
    std::int64_t endNs()
    {
        if (m_endNs == 0)
            m_endNs = nowNs();
        return m_endNs;
    }
    void writeBegin(Tracer& tracer) const;
    void writeSent(Tracer& tracer, const Outgoing& outgoing, std::uint32_t request) const;
    /// @param request  number of the receive that was started before; 0: none
    void writeReceived(Tracer& tracer, const MPI_Status& status, const Communicator& communicator,
                       std::uint32_t request);

private:
    void beginLook() noexcept;
    void writeCollective(Tracer& tracer, MPI_Comm communicator, int root,
                         std::uint64_t bytes) const;

    inline static constinit thread_local Looks s_looks{threadNs};

    OpenCall m_open;
    Tracer* m_tracer;
    State m_state;
    bool m_logged = false;
    std::int64_t m_beginNs = 0;
    std::int64_t m_endNs = 0;
};

} // namespace tasuki::tracer
