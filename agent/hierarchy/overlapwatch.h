// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lease.h"
#include "overlapbook.h"
#include "situation.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

namespace tasuki::hierarchy {

/// Notices when this processor went on in its place though others had given it up, which needs clocks that
/// are wrong beyond what is assumed, and knows since when others are given up: docs/membership.md.
class OverlapWatch {
public:
    /// Both outlive this.
    OverlapWatch(const Situation& at, const Lease& lease)
        : m_at(at), m_lease(lease), m_book(at.self)
    {}

    /// What it does by its lease, as of now.
    void does(std::optional<Holding> holding, bool leads) { m_doing = {holding, leads}; }
    /// That ends now, or has ended with its lease when it could not look.
    void stopActing(SteadyTime now);
    /// It goes on, or stood still before it could go on for too long.
    void goesOn() { m_book.forgetStint(); }
    /// Another one has led while its lease held.
    void prove() { m_book.prove(); }
    /// A table has come: whose life is over by it.
    void noteLosses(const ClusterTable& before, const ClusterTable& after);
    /// Its own table condemns it, or says that it is lost.
    /// @return whether it has lost its place by that against its lease
    [[nodiscard]] static bool losesItsPlace(const MemberRow& row);
    /// @return how long it is known that a life is over, rounded so that it is not said to be longer
    [[nodiscard]] std::optional<std::chrono::microseconds> lostFor(ProcessorId processor,
                                                                   Life life) const;
    /// Somebody says that this processor was given up.
    /// @param from     who may know the system master
    /// @param lostFor  how long it has been so, as far as that one knows; none: it does not
    /// @return what it did for too long, to be told with tell(); none: nothing
    [[nodiscard]] std::optional<Overlap> hearOfOwnLoss(
        ProcessorId from, std::optional<std::chrono::nanoseconds> lostFor);
    /// The last overlap is to be told to the system master.
    /// @param refused  so many of its results do not count
    void tell(std::uint32_t refused);
    /// @return what is to be said with this poll, and to whom; none: nothing
    [[nodiscard]] std::optional<std::pair<ProcessorId, Overlap>> due() { return m_book.due(); }
    /// @return whether somebody's overlap is heard of for the first time
    [[nodiscard]] bool isNew(const Overlap& overlap) { return m_book.isNew(overlap); }
    [[nodiscard]] std::optional<std::chrono::nanoseconds> exactlyLostFor(ProcessorId processor,
                                                                         Life life) const
    {
        return m_book.lostFor(processor, life, m_at.clock.now());
    }
    void beginAnew();

private:
    struct Doing {
        std::optional<Holding> holding;
        bool leads = false;
    };

    const Situation& m_at;
    const Lease& m_lease;
    OverlapBook m_book;
    Doing m_doing;                                               ///< when it was looked at last
    std::optional<std::pair<ProcessorId, Overlap>> m_unfinished; ///< to be told, and to whom
};

} // namespace tasuki::hierarchy
