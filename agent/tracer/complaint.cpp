// SPDX-License-Identifier: GPL-3.0-or-later
#include "complaint.h"

#include "blockedsignals.h"

#include <array>
#include <cerrno>
#include <string_view>
#include <sys/uio.h>
#include <unistd.h>

namespace tasuki::tracer {

void complain(const std::string& text) noexcept
{
    const int before = errno;
    const BlockedSignals blocked;
    const auto part = [](std::string_view view) {
        return iovec{.iov_base = const_cast<char*>(view.data()), .iov_len = view.size()};
    };
    const std::array parts{part("tasuki-alog: "), part(text), part("\n")};
    // Standard error may be closed: then nobody listens.
    [[maybe_unused]] const ssize_t written = writev(STDERR_FILENO, parts.data(),
                                                    static_cast<int>(parts.size()));
    errno = before;
}

} // namespace tasuki::tracer
