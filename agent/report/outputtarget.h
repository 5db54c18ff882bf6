// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outputflow.h"

#include "domain/result.h"

#include <cstddef>

namespace tasuki {

/// Where the output of tasks goes. Never blocks for long.
class OutputTarget {
public:
    OutputTarget() = default;
    OutputTarget(const OutputTarget&) = delete;
    OutputTarget& operator=(const OutputTarget&) = delete;
    virtual ~OutputTarget() = default;

    /// Takes a block from a place on; its last part at once with the block's end.
    /// @return how many bytes were taken: fewer than there are, when it takes no more now. After an
    ///         Error it takes nothing of that stream any more.
    virtual Result<std::size_t> write(const OutputBlock& block, std::size_t from) = 0;
    /// Whether attempts that have written nothing are to be told, too.
    [[nodiscard]] virtual bool wantsAll() const { return false; }
};

} // namespace tasuki
