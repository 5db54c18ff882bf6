// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sessionsource.h"

#include <algorithm>
#include <cstddef>

namespace tasuki {

/// How much is on its way from a source's thread to the window: nothing more is read while that is
/// enough.
class WindowCredit {
public:
    /// Messages beside batches that may be on their way.
    static constexpr std::size_t messageWindow = 64;

    void toldBatch() { ++m_batches; }
    void toldMessage() { ++m_messages; }
    /// @return whether there is room again
    bool takenBatches(std::size_t count)
    {
        const bool wasFull = isFull();
        m_batches -= std::min(count, m_batches);
        return wasFull && !isFull();
    }
    bool takenMessage()
    {
        const bool wasFull = isFull();
        --m_messages;
        return wasFull && !isFull();
    }
    [[nodiscard]] bool isFull() const
    {
        return m_batches >= SessionSource::batchWindow || m_messages >= messageWindow;
    }

private:
    std::size_t m_batches = 0;
    std::size_t m_messages = 0;
};

} // namespace tasuki
