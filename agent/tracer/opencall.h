// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tasuki::tracer {

/// A call of MPI that the thread is in. Parts of MPI call others by their public names (MPI-IO does), and
/// so do functions that MPI calls back: what stands inside another call is part of it.
class OpenCall {
public:
    OpenCall() noexcept : m_outermost(s_depth++ == 0) {}
    ~OpenCall() { --s_depth; }
    OpenCall(const OpenCall&) = delete;
    OpenCall& operator=(const OpenCall&) = delete;

    [[nodiscard]] bool outermost() const { return m_outermost; }

private:
    inline static constinit thread_local int s_depth = 0;

    bool m_outermost;
};

} // namespace tasuki::tracer
