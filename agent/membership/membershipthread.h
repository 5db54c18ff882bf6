// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "orderdesk.h"

#include "control/controladdress.h"
#include "domain/clock.h"
#include "domain/ids.h"
#include "domain/result.h"
#include "hierarchy/membershipagent.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tasuki {

/// Runs this processor's membership agent on a thread of its own, over sockets, and tells the main thread what
/// comes of it. Main thread only.
class MembershipThread final : public OrderDesk {
public:
    struct Setup {
        ProcessorId self;
        hierarchy::MembershipView view; ///< firstView()
        hierarchy::MembershipOptions options = {};
        control::RunKey key{}; ///< the same for all processors of the launch
        Epoch epoch;
        bool otherHosts = false;  ///< not all processors are on this host
        std::string hostKey = {}; ///< as of HostIdentity; empty: this host's
        /// Takes what is decided, a line each, see DecisionWriter; on the control thread. Null: nothing.
        std::function<void(const std::string&)> decisions = {};
    };

    /// All called by `post`, on the main thread, in the order in which things happened; not after
    /// the destructor has begun.
    struct Callbacks {
        std::function<void(hierarchy::MembershipView)> changed =
            [](const hierarchy::MembershipView&) {};
        std::function<void(std::optional<hierarchy::Holding>)> holding =
            [](std::optional<hierarchy::Holding>) {};
        /// That seat is not held any more, as an operator wants: another processor gets it after
        /// hasStopped(). None: it has stopped when `holding` has returned.
        std::function<void(hierarchy::Holding)> letGo = {};
        /// What this processor may do by its lease: MembershipObserver::standing. When it has lapsed,
        /// `holding` and `letGo` follow.
        std::function<void(hierarchy::Standing)> standing = [](hierarchy::Standing) {};
        /// The others go on without this processor. It may call comeBack() when nothing of what it did
        /// is left; then one of the next two follows.
        std::function<void()> fenced = [] {};
        std::function<void()> rejoined = [] {};
        std::function<void()> shutOut = [] {};
        /// This processor went on for too long: tellOverlap() is to be called, with what does not count.
        std::function<void(hierarchy::Overlap)> overlapped = [](const hierarchy::Overlap&) {};
        /// Another one did; said by the system master: MembershipObserver::overlapTold.
        std::function<void(hierarchy::Overlap, std::optional<std::chrono::nanoseconds>)>
            overlapTold = [](const hierarchy::Overlap&, std::optional<std::chrono::nanoseconds>) {};
        std::function<void(bool)> masterSilent = [](bool) {};
        std::function<void(std::vector<ProcessorId>)> missing = [](std::vector<ProcessorId>) {};
        std::function<void(std::chrono::nanoseconds)> lengthened = [](std::chrono::nanoseconds) {};
        /// An order that was accepted cannot be carried out any more, for this reason.
        std::function<void(hierarchy::TableOrder, Phrase)> givenUp =
            [](const hierarchy::TableOrder&, const Phrase&) {};
        std::function<void(Error)> problem = [](const Error&) {};
    };

    /// @param post  runs a function on the main thread, from any thread
    /// @return an Error when there are no sockets or no thread
    static Result<std::unique_ptr<MembershipThread>> open(
        Setup setup, std::function<void(std::function<void()>)> post, Callbacks callbacks);
    ~MembershipThread() override;

    /// Where this processor can be reached: to be told to all others.
    [[nodiscard]] control::ControlAddress address() const;
    /// Everybody's addresses are known: the membership agent begins.
    void begin(std::vector<control::ControlAddress> addresses);
    /// What the next beats say of this processor.
    void setReadiness(hierarchy::Readiness readiness);
    /// Nothing is done any more in a seat that was let go of.
    void hasStopped(const hierarchy::Holding& holding);
    /// Another processor leads by the record: MembershipAgent::giveUpPlace(). `fenced` follows.
    void giveUp();
    /// Nothing is left of what was done here before `fenced`: MembershipAgent::comeBack().
    void comeBack();
    /// The system master is told of what was `overlapped`: MembershipAgent::tellOverlap().
    void tellOverlap(std::uint32_t refused);
    // Answers come as Callbacks do.
    void order(hierarchy::Order order, Answer answer) override;
    void changeSettings(hierarchy::Settings settings, Answer answer) override;
    /// What the record of the run knows: MembershipAgent::recall(). The view shows when it is heard.
    void recall(std::vector<hierarchy::RecordedSeat> seats);
    /// Whether this processor may act by its lease, as the membership agent has found some beats
    /// ago at most: false also while all of the process has stood still and the membership agent
    /// has not looked since. `standing` follows.
    [[nodiscard]] bool mayAct() const;
    /// The main loop has turned once more. To be called often; costs nothing.
    void turned();
    /// This processor leaves: its beats say so as long as this lives, and no callback is called any
    /// more.
    void leave();

private:
    class Core;
    explicit MembershipThread(std::unique_ptr<Core> core);
    std::unique_ptr<Core> m_core;
};

} // namespace tasuki
