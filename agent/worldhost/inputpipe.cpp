// SPDX-License-Identifier: GPL-3.0-or-later
#include "inputpipe.h"

#include <array>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace tasuki::worldhost {

Result<InputPipe> InputPipe::make()
{
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return systemError("a pipe for standard input cannot be made", errno);
    InputPipe pipe;
    pipe.m_read.reset(ends[0]);
    pipe.m_write.reset(ends[1]);
    constexpr int roomWanted = 1 << 20; // the system may give less
    ::fcntl(ends[1], F_SETPIPE_SZ, roomWanted);
    if (::fcntl(ends[1], F_SETFL, O_NONBLOCK) != 0)
        return systemError("a pipe for standard input cannot be made", errno);
    return pipe;
}

std::string InputPipe::path() const
{
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(m_read.get());
}

void InputPipe::give(std::string bytes, bool end)
{
    m_taken += bytes.size();
    m_waiting = std::move(bytes);
    m_ended = end;
    move();
}

bool InputPipe::move()
{
    if (!m_write)
        return false;
    bool moved = false;
    while (!m_waiting.empty()) {
        const ssize_t count = ::write(m_write.get(), m_waiting.data(), m_waiting.size());
        if (count <= 0)
            return moved;
        m_waiting.erase(0, static_cast<std::size_t>(count));
        moved = true;
    }
    if (m_ended)
        m_write.reset(); // who reads it sees the end
    return moved;
}

} // namespace tasuki::worldhost
