// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "masterpost.h"
#include "recordopener.h"
#include "runplan.h"

#include "domain/clock.h"
#include "membership/briefing.h"
#include "reactor/reactor.h"
#include "replica/recordcopies.h"
#include "transport/transport.h"

#include <functional>
#include <memory>
#include <optional>

namespace tasuki {

/// How a processor gets at the record of its run: where it is, the copy that is kept here, and the plan by
/// which a master's post is made. Reactor's thread.
class RecordAccess {
public:
    struct Setup {
        RecordReach reach;
        Briefing briefing;
        std::optional<RunPlan> plan = {}; ///< of the first master
    };

    /// @param opened  is told what came of open(), later or before that returns
    /// References outlive this.
    RecordAccess(Setup setup, Transport& transport, const Clock& clock, Reactor& reactor,
                 std::function<void(Result<RunPlan>)> opened);

    /// Begins to open the record for a successor.
    /// @param copy  the one that is kept here, which is none any more then
    void open(bool copy);
    /// What was opened.
    RunPlan& keep(RunPlan plan) { return m_plan.emplace(std::move(plan)); }
    /// Null: nothing is opened, or it was taken.
    [[nodiscard]] RunPlan* plan() { return m_plan ? &*m_plan : nullptr; }
    /// Precondition: plan().
    RunPlan takePlan();
    /// As one that dies here: nothing is opened any more, or written. Whoever opens it next, perhaps this
    /// processor, does so with a newer token.
    void letGo();
    /// What was told of the launch, with the record where it is now.
    [[nodiscard]] Briefing placed() const { return placedBriefing(m_setup.briefing, m_place); }
    /// Of a record that not everybody can reach.
    [[nodiscard]] std::optional<MasterPost::Copies> copies() const;
    /// Takes what the processor that leads says of the copy that is kept here.
    void receive(ProcessorId from, replica::CopyWord word);
    /// The run is over for this processor.
    void end();

private:
    Setup m_setup;
    const Clock& m_clock;
    Reactor& m_reactor;
    std::function<void(Result<RunPlan>)> m_opened;
    RecordPlace m_place;                  ///< of who leads here
    std::unique_ptr<CopyPost> m_copyPost; ///< null: everybody can reach the record
    std::optional<RunPlan> m_plan;
    std::unique_ptr<RecordOpener> m_opener; ///< once this processor is to succeed
};

/// @return whether somebody cannot reach the record, so that copies of it are kept
bool hasCopies(const RecordReach& reach);

} // namespace tasuki
