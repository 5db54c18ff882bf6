// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outputoptions.h"

#include "domain/clock.h"
#include "domain/event.h"
#include "farm/messages.h"
#include "files/uniquefd.h"
#include "hierarchy/membershipview.h"
#include "report/outputdelivery.h"
#include "report/printedbook.h"
#include "report/runreporter.h"
#include "transport/transport.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tasuki {

/// What the processor that leads a farm does with the output of tasks: puts the delivery, its target
/// and the transport together. Composition only; on the reactor's thread.
class OutputPost {
public:
    struct Setup {
        OutputOptions options;
        bool quiet = false;       ///< nothing is printed
        Epoch epoch;              ///< of the run
        PrintedBook printed = {}; ///< by the former master
    };

    /// All references outlive this.
    /// @param holder  who holds a rank now
    OutputPost(const Setup& setup, const RunState& state, Transport& transport, const Clock& clock,
               RunReporter& reporter, std::function<std::optional<ProcessorId>(Rank)> holder);

    void published(const Event& event);
    void fetched(farm::OutputFetched message);
    void viewChanged(const hierarchy::MembershipView& view);
    /// @return whether anything was done
    bool poll();
    /// Nothing runs: whether all was passed on, or has been given up.
    [[nodiscard]] bool told();
    /// What has not been fetched is left.
    void giveUp(const std::string& reason);
    /// Writes what is left, if that does not take long.
    void finish();
    [[nodiscard]] bool incomplete() const
    {
        return m_cut || (m_delivery && m_delivery->incomplete());
    }

private:
    void send(ProcessorId to, farm::FarmMessage message);
    void tellPrinted(std::vector<PrintedOutput> outputs);

    Epoch m_epoch;
    Transport& m_transport;
    const Clock& m_clock;
    RunReporter& m_reporter;
    SpoolStore m_store;
    UniqueFd m_launcherOutput; ///< none: standard output is the way
    std::unique_ptr<OutputTarget> m_target;
    std::unique_ptr<OutputDelivery> m_delivery; ///< null: nobody wants it
    std::vector<ProcessorId> m_successors; ///< who may go on with it, and is told what is printed
    bool m_givenUp = false;
    bool m_cut = false;
};

} // namespace tasuki
