// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tracestore.h"

#include <optional>

namespace tasuki {

/// Which call or message of a timeline is selected, and what is beside it.
class TraceSelection {
public:
    /// Where to begin when nothing is selected.
    struct Start {
        std::uint32_t task = 0;
        Nanoseconds time = 0;
    };

    /// @param item  of the timeline that is asked about afterwards
    void set(const TraceItem& item) { m_item = item; }
    [[nodiscard]] const TraceItem& item() const { return m_item; }
    [[nodiscard]] bool isNothing() const { return m_item.kind == TraceItem::Kind::Nothing; }

    /// @return the task of what is selected: of a message the sender
    [[nodiscard]] std::optional<std::uint32_t> task(const TraceStore& store) const;
    /// @return begin and end of a call or message
    [[nodiscard]] static TimeWindow timeOf(const TraceStore& store, const TraceItem& item);

    /// @param step  -1: before, 1: after
    /// @return the neighbour of the selected call in its task; of a message the call at that end of it;
    ///         without a selection one near the start
    [[nodiscard]] TraceItem inTask(const TraceStore& store, int step, const Start& start) const;
    /// @param step  -1: up, 1: down
    /// @return the call of the next task nearest in time
    [[nodiscard]] TraceItem inNextTask(const TraceStore& store, int step, const Start& start) const;
    /// @return the next message of the selected call; of a selected message, what receives it
    [[nodiscard]] TraceItem alongMessage(const TraceStore& store) const;

private:
    TraceItem m_item;
};

} // namespace tasuki
