// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>

namespace tasuki::tracer {

/// While it lives, a write of this thread that cannot be done is an error and no signal: the program
/// has other plans for SIGPIPE and SIGXFSZ, or none, and must not end by what the tracer writes.
class BlockedSignals {
public:
    BlockedSignals() noexcept;
    ~BlockedSignals();
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;

private:
    sigset_t m_before = {};
    sigset_t m_own = {}; ///< those that were not waiting before
};

} // namespace tasuki::tracer
