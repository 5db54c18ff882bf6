// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputrelay.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace tasuki {

int writeWhole(int descriptor, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t count = ::write(descriptor, text.data(), text.size());
        if (count >= 0) {
            text.remove_prefix(static_cast<std::size_t>(count));
        } else if (errno == EAGAIN) {
            pollfd room{.fd = descriptor, .events = POLLOUT, .revents = 0};
            ::poll(&room, 1, -1);
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

OutputRelay::OutputRelay(int from, int to, Failed failed)
    : m_from(from), m_to(to), m_failed(std::move(failed)), m_stop(::eventfd(0, EFD_CLOEXEC))
{
    ::fcntl(m_from.get(), F_SETFL, O_NONBLOCK);
    m_thread = std::thread([this] { run(); });
}

OutputRelay::~OutputRelay() { finish(); }

void OutputRelay::finish()
{
    if (!m_thread.joinable())
        return;
    const std::uint64_t once = 1;
    static_cast<void>(::write(m_stop.get(), &once, sizeof once));
    m_thread.join();
}

void OutputRelay::run()
{
    std::array<pollfd, 2> waits{pollfd{.fd = m_from.get(), .events = POLLIN, .revents = 0},
                                pollfd{.fd = m_stop.get(), .events = POLLIN, .revents = 0}};
    for (bool ended = false; !ended;) {
        if (::poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR)
            return;
        const bool stopped = waits[1].revents != 0;
        while (passOn(ended)) {}
        ended = ended || stopped;
    }
}

/// @param ended  becomes true at the end of the pipe
/// @return whether there may be more at once
bool OutputRelay::passOn(bool& ended)
{
    std::array<char, 65536> buffer;
    const ssize_t count = ::read(m_from.get(), buffer.data(), buffer.size());
    if (count < 0)
        return errno == EINTR;
    ended = count == 0;
    if (m_broken || ended)
        return !ended;
    const int error = writeWhole(m_to, {buffer.data(), static_cast<std::size_t>(count)});
    m_broken = error != 0;
    if (m_broken)
        m_failed(error);
    return true;
}

} // namespace tasuki
