// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "files/uniquefd.h"

#include <functional>
#include <string_view>
#include <thread>

namespace tasuki {

/// Passes on what comes from a pipe, by a thread of its own: who reads the other end may be slow, as a
/// pager is. When that end cannot be written any more, the rest is read and thrown away.
class OutputRelay {
public:
    /// Told once, on the relay's thread. @param errorNumber  EPIPE: nobody reads any more
    using Failed = std::function<void(int errorNumber)>;

    /// @param from  is closed by the relay
    OutputRelay(int from, int to, Failed failed);
    OutputRelay(const OutputRelay&) = delete;
    OutputRelay& operator=(const OutputRelay&) = delete;
    /// finish()
    ~OutputRelay();

    /// Passes on what is in the pipe now and ends, though somebody may hold its other end.
    void finish();

private:
    void run();
    bool passOn(bool& ended);

    UniqueFd m_from;
    int m_to;
    Failed m_failed;
    bool m_broken = false; ///< of the thread
    UniqueFd m_stop;       ///< an eventfd
    std::thread m_thread;
};

/// Writes all of a text to a descriptor that may be non-blocking. @return 0 or errno
int writeWhole(int descriptor, std::string_view text);

} // namespace tasuki
