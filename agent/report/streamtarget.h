// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outputtarget.h"

#include <array>
#include <functional>

namespace tasuki {

/// Passes the output of tasks on to two descriptors, as a rule standard output and standard error. A
/// reader of a pipe that does not read is not waited for.
class StreamTarget final : public OutputTarget {
public:
    /// @param before  called before something is written, to make room on the terminal
    StreamTarget(int output, int error, std::function<void()> before);

    Result<std::size_t> write(const OutputBlock& block, std::size_t from) override;

private:
    struct End {
        int fd;
        std::size_t most; ///< bytes that it takes at once without blocking, when it takes any
    };

    std::array<End, streamCount> m_ends;
    std::function<void()> m_before;
};

} // namespace tasuki
