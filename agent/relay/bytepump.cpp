// SPDX-License-Identifier: GPL-3.0-or-later
#include "bytepump.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace tasuki::relay {

namespace {

using std::chrono::steady_clock;

/// One direction: what was read and is not written yet.
class Flow {
public:
    Flow(int from, int to) : m_from(from), m_to(to), m_bytes(bufferBytes) {}

    [[nodiscard]] bool isEmpty() const { return m_begin == m_end; }
    [[nodiscard]] bool isOver() const { return m_ended && isEmpty(); }
    /// The other side takes nothing any more.
    [[nodiscard]] bool isBroken() const { return m_broken; }

    /// What is waited for: bytes, or room for them.
    [[nodiscard]] pollfd wish() const
    {
        if (!isEmpty())
            return {.fd = m_to, .events = POLLOUT, .revents = 0};
        return {.fd = m_ended ? -1 : m_from, .events = POLLIN, .revents = 0};
    }

    /// It has come.
    Result<void> turn() { return isEmpty() ? read() : write(); }

private:
    static constexpr std::size_t bufferBytes = 256 * 1024;

    Result<void> read()
    {
        const ssize_t count = ::read(m_from, m_bytes.data(), m_bytes.size());
        if (count < 0)
            return mayGoOn("cannot read what is relayed", m_ended);
        m_ended = count == 0;
        m_begin = 0;
        m_end = static_cast<std::size_t>(count);
        return {};
    }

    Result<void> write()
    {
        const ssize_t count = ::write(m_to, m_bytes.data() + m_begin, m_end - m_begin);
        if (count < 0)
            return mayGoOn("cannot write what is relayed", m_broken);
        m_begin += static_cast<std::size_t>(count);
        return {};
    }

    static Result<void> mayGoOn(const char* what, bool& over)
    {
        if (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)
            return {};
        over = errno == EPIPE || errno == ECONNRESET;
        return over ? Result<void>() : systemError(what, errno);
    }

    int m_from;
    int m_to;
    std::vector<char> m_bytes;
    std::size_t m_begin = 0;
    std::size_t m_end = 0;
    bool m_ended = false;
    bool m_broken = false;
};

/// While it lives, a write to a descriptor does not wait: of a terminal's or a pipe's flags others know, too.
class NonBlocking {
public:
    explicit NonBlocking(int fd) : m_fd(fd), m_flags(::fcntl(fd, F_GETFL))
    {
        if (m_flags >= 0)
            ::fcntl(m_fd, F_SETFL, m_flags | O_NONBLOCK);
    }
    NonBlocking(const NonBlocking&) = delete;
    NonBlocking& operator=(const NonBlocking&) = delete;
    ~NonBlocking()
    {
        if (m_flags >= 0)
            ::fcntl(m_fd, F_SETFL, m_flags);
    }

private:
    int m_fd;
    int m_flags;
};

} // namespace

Result<void> pumpBytes(const PumpEnds& ends, const std::function<bool()>& tick,
                       std::chrono::milliseconds every)
{
    const NonBlocking output(ends.output);
    const NonBlocking socket(ends.socket);
    Flow up(ends.input, ends.socket);
    Flow down(ends.socket, ends.output);
    auto next = steady_clock::now();
    while (!up.isOver() && !up.isBroken() && !down.isOver() && !down.isBroken()) {
        if (steady_clock::now() >= next) {
            if (!tick())
                return {};
            next = steady_clock::now() + every;
        }
        std::array<pollfd, 2> wishes{up.wish(), down.wish()};
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - steady_clock::now());
        const int timeout = static_cast<int>(std::max<std::int64_t>(0, left.count()));
        if (::poll(wishes.data(), wishes.size(), timeout) < 0 && errno != EINTR)
            return systemError("cannot wait for what is relayed", errno);
        if (wishes[0].revents != 0)
            if (const auto turned = up.turn(); !turned)
                return turned;
        if (wishes[1].revents != 0)
            if (const auto turned = down.turn(); !turned)
                return turned;
    }
    return {};
}

} // namespace tasuki::relay
