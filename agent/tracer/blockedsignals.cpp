// SPDX-License-Identifier: GPL-3.0-or-later
#include "blockedsignals.h"

#include <cerrno>
#include <ctime>
#include <initializer_list>

namespace tasuki::tracer {

BlockedSignals::BlockedSignals() noexcept
{
    sigset_t waiting;
    sigpending(&waiting);
    sigemptyset(&m_own);
    for (const int number : {SIGPIPE, SIGXFSZ}) {
        if (sigismember(&waiting, number) == 0)
            sigaddset(&m_own, number);
    }
    pthread_sigmask(SIG_BLOCK, &m_own, &m_before);
}

BlockedSignals::~BlockedSignals()
{
    const int error = errno;
    constexpr timespec atOnce{};
    while (sigtimedwait(&m_own, nullptr, &atOnce) > 0) {}
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    errno = error;
}

} // namespace tasuki::tracer
