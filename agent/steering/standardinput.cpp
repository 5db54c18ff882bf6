// SPDX-License-Identifier: GPL-3.0-or-later
#include "standardinput.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>

#include <array>
#include <cerrno>

#include <sys/stat.h>
#include <unistd.h>

namespace tasuki::steering {

namespace asio = boost::asio;

/// Lives as long as something is under way.
class StandardInput::Reading : public std::enable_shared_from_this<Reading> {
public:
    Reading(asio::io_context& context, Take take)
        : m_context(context), m_take(std::move(take)), m_descriptor(context)
    {
        // What has no end that one waits for, a file, is always ready, and epoll refuses it.
        struct stat status {};
        const bool waits = ::fstat(STDIN_FILENO, &status) == 0 && !S_ISREG(status.st_mode)
            && !S_ISDIR(status.st_mode);
        boost::system::error_code refused;
        if (waits)
            m_descriptor.assign(::dup(STDIN_FILENO), refused);
    }

    void read()
    {
        const auto ready = [self = shared_from_this()](boost::system::error_code error = {}) {
            // Of what cannot be waited for, as /dev/null, there is an error at once: it is always ready.
            if (error != asio::error::operation_aborted)
                self->readNow();
        };
        if (m_descriptor.is_open())
            m_descriptor.async_wait(asio::posix::stream_descriptor::wait_read, ready);
        else
            asio::post(m_context, ready);
    }

    void close()
    {
        m_closed = true;
        boost::system::error_code ignored;
        m_descriptor.close(ignored);
    }

private:
    void readNow()
    {
        if (m_closed)
            return;
        const ssize_t count = ::read(STDIN_FILENO, m_buffer.data(), m_buffer.size());
        if (count < 0 && (errno == EINTR || errno == EAGAIN))
            return read();
        if (count < 0)
            return m_take(systemError("cannot read standard input", errno));
        m_take(std::string_view(m_buffer.data(), static_cast<std::size_t>(count)));
    }

    asio::io_context& m_context;
    Take m_take;
    asio::posix::stream_descriptor m_descriptor; ///< not open: it is always ready
    std::array<char, 64 * 1024> m_buffer{};
    bool m_closed = false;
};

StandardInput::StandardInput(asio::io_context& context, Take take)
    : m_reading(std::make_shared<Reading>(context, std::move(take)))
{}

StandardInput::~StandardInput() { m_reading->close(); }

void StandardInput::read() { m_reading->read(); }

} // namespace tasuki::steering
