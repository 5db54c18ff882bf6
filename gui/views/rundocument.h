// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/runmodels.h"
#include "timeline/timelinestore.h"

namespace tasuki {

/// Fills the timeline's store with the events of a session.
class TimelineFeed final : public EventSink {
public:
    void take(const Event& event) override { m_store.apply(event); }
    void reset() override { m_store.clear(); }

    [[nodiscard]] const TimelineStore& store() const { return m_store; }

private:
    TimelineStore m_store;
};

/// An opened run: what all views of it show. Outlives them, so that they can be made anew. GUI
/// thread.
class RunDocument {
public:
    /// Starts to read the source.
    /// @param clock  must outlive this object
    RunDocument(std::unique_ptr<SessionSource> source, const Clock& clock)
        : m_models(std::move(source), clock)
    {
        m_models.session.addSink(m_feed);
        m_models.session.start();
    }
    RunDocument(const RunDocument&) = delete;
    RunDocument& operator=(const RunDocument&) = delete;
    ~RunDocument() { m_models.session.removeSink(m_feed); }

    [[nodiscard]] RunModels& models() { return m_models; }
    [[nodiscard]] const TimelineStore& timeline() const { return m_feed.store(); }

private:
    TimelineFeed m_feed;
    RunModels m_models;
};

} // namespace tasuki
