// SPDX-License-Identifier: GPL-3.0-or-later
#include "streamtarget.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tasuki {

namespace {

constexpr std::size_t mostAtOnce = 256U << 10U;
constexpr std::size_t pipeSize = 1U << 20U;

/// @return what can be written without blocking, whenever there is room at all: files always have it,
///         pipes say that they have it for so much
std::size_t mostFor(int fd)
{
    struct stat status {};
    const bool isFile = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    // Whoever reads is not waited for: what it reads between two looks has to be there.
    static_cast<void>(::fcntl(fd, F_SETPIPE_SZ, static_cast<int>(pipeSize)));
    return isFile ? mostAtOnce : PIPE_BUF;
}

bool hasRoom(int fd)
{
    pollfd waiting{.fd = fd, .events = POLLOUT, .revents = 0};
    return ::poll(&waiting, 1, 0) > 0;
}

} // namespace

StreamTarget::StreamTarget(int output, int error, std::function<void()> before)
    : m_ends{End{output, mostFor(output)}, End{error, mostFor(error)}}, m_before(std::move(before))
{}

Result<std::size_t> StreamTarget::write(const OutputBlock& block, std::size_t from)
{
    const bool isOutput = block.stream == StreamKind::Output;
    const End& end = m_ends[static_cast<std::size_t>(block.stream)];
    const std::string_view bytes = std::string_view(block.bytes).substr(from);
    if (!bytes.empty())
        m_before();
    std::size_t done = 0;
    while (done < bytes.size() && hasRoom(end.fd)) {
        const ssize_t count = ::write(end.fd, bytes.data() + done,
                                      std::min(end.most, bytes.size() - done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno == EAGAIN)
            break;
        if (count < 0)
            return systemError(isOutput ? "cannot write to standard output"
                                        : "cannot write to standard error",
                               errno);
        done += static_cast<std::size_t>(count);
    }
    return done;
}

} // namespace tasuki
