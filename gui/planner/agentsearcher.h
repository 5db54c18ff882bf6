// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThread>

#include "client/agentsource.h"
#include "plansearcher.h"
#include "wire/linkplans.h"

#include <filesystem>

namespace tasuki {

class PlanLink;

} // namespace tasuki

namespace tasuki::planner {

/// Lets an agent search: sends it the trace's file and the environment, and takes what it finds. The
/// connection lives on a thread of its own, and for one search.
class AgentSearcher final : public PlanSearcher {
    Q_OBJECT

public:
    /// @param accessFile  of the agent
    explicit AgentSearcher(std::filesystem::path accessFile, QObject* parent = nullptr,
                           AgentTiming timing = {});
    ~AgentSearcher() override;

    void search(const SearchRequest& request) override;
    void cancel() override;

private:
    void take(const link::PlanProgress& progress);
    void take(const link::PlanFound& found);
    void take(const link::PlanEnded& ended);
    /// What the agent said is not of this plan: gives it up.
    void giveUp(const QString& reason);
    [[nodiscard]] bool isCurrent(quint64 number) const;

    std::filesystem::path m_accessFile;
    QThread m_thread;
    PlanLink* m_link; ///< lives on m_thread, deleted when it ends
    SearchRequest m_request;
    SearchResult m_result; ///< the latest
    bool m_active = false;
};

} // namespace tasuki::planner
