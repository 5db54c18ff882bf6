// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <sys/types.h>

namespace tasuki::tracer {

/// Somebody who says a line on standard error when this process has ended, however it ended: a shell in a
/// session of its own, which waits for the end of a pipe. It is no child of this process, which may wait for
/// all that it has.
class EndWatch {
public:
    constexpr EndWatch() noexcept = default;
    EndWatch(const EndWatch&) = delete;
    EndWatch& operator=(const EndWatch&) = delete;

    /// Where there is no shell, nothing is watched.
    void start() noexcept;
    /// @param text  of one line, instead of what was given before; empty: there is nothing to be said
    void say(const std::string& text) noexcept;
    /// Says nothing and ends.
    void over() noexcept;

private:
    int m_pipe = -1;
};

} // namespace tasuki::tracer
