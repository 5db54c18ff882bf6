// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "recorder/journal.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

namespace tasuki {

/// A journal without a disk: events are committed when the test says so, and the disk can be full.
class MemoryJournal final : public Journal {
public:
    /// @param clock  outlives the journal
    MemoryJournal(Epoch epoch, const Clock& clock)
        : m_epoch(epoch), m_clock(clock), m_opened(clock.now())
    {}

    void setCallbacks(Callbacks callbacks) override { m_callbacks = std::move(callbacks); }
    EventId append(EventPayload payload) override
    {
        m_last = m_last.next();
        m_waiting.push_back({.id = {m_epoch, m_last},
                             .wallTime = m_clock.wallNow(),
                             .monotonic = m_clock.now() - m_opened,
                             .payload = std::move(payload)});
        return m_waiting.back().id;
    }
    void hurry() override { m_hurried = !m_waiting.empty(); }
    [[nodiscard]] std::size_t uncommitted() const override { return m_waiting.size(); }
    [[nodiscard]] Epoch epoch() const override { return m_epoch; }

    /// Commits what has been taken so far, and what the listener appends meanwhile next time.
    /// While stalled: nothing.
    void commit()
    {
        if (m_stalled || m_waiting.empty())
            return;
        m_hurried = false;
        std::vector<Event> batch = std::exchange(m_waiting, {});
        std::ranges::copy(batch, std::back_inserter(m_record));
        if (m_callbacks.committed)
            m_callbacks.committed(std::move(batch));
    }
    /// Who wrote it has died with what was not committed; whoever sets callbacks next goes on.
    void takeOver()
    {
        m_waiting.clear();
        m_callbacks = {};
        m_stalled = false;
        m_last = m_record.empty() ? Sequence() : m_record.back().id.sequence;
    }
    /// It holds what another file does.
    void become(std::vector<Event> record) { m_record = std::move(record); }
    /// An event that somebody else has recorded before.
    void restore(const Event& event)
    {
        m_record.push_back(event);
        m_last = event.id.sequence;
    }
    /// The disk is full from now on.
    void stall()
    {
        m_stalled = true;
        if (m_callbacks.stalled)
            m_callbacks.stalled(Error{.kind = ErrorKind::NoSpace, .message = "no space left"});
    }
    /// There is room again.
    void recover()
    {
        m_stalled = false;
        if (m_callbacks.resumed)
            m_callbacks.resumed();
    }
    [[nodiscard]] bool stalled() const { return m_stalled; }
    /// Somebody waits for what was taken since the last commit.
    [[nodiscard]] bool hurried() const { return m_hurried; }

    /// What a run file would hold: all that was committed.
    [[nodiscard]] const std::vector<Event>& record() const { return m_record; }
    /// What it says of one kind.
    template <class Kind>
    [[nodiscard]] std::vector<Kind> recorded() const
    {
        std::vector<Kind> found;
        for (const Event& event : m_record) {
            if (const Kind* payload = std::get_if<Kind>(&event.payload))
                found.push_back(*payload);
        }
        return found;
    }

private:
    Epoch m_epoch;
    const Clock& m_clock;
    SteadyTime m_opened;
    Sequence m_last;
    bool m_stalled = false;
    bool m_hurried = false;
    std::vector<Event> m_waiting;
    std::vector<Event> m_record;
    Callbacks m_callbacks;
};

} // namespace tasuki
