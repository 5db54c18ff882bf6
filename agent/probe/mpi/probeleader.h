// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "probe/cardtests.h"
#include "probe/findings.h"
#include "probechannel.h"
#include "speedrun.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace tasuki::probe {

/// How to measure.
struct ProbeWishes {
    PingPongWishes messages;
    std::chrono::microseconds speedSpan{2'000'000};
    bool oneNodeAtATime = false; ///< while it computes; else all of them together
    bool pairsAtOnce = false;    ///< links that have no node in common
};

/// Whom rank 0 talks to while it measures.
struct ProbeWatcher {
    std::function<void(const std::string&)> progress; ///< often
    std::function<void(const PingPongPlan&)> planned; ///< once, before the links
    std::function<bool()> interrupted;                ///< asked often; true stays true
};

/// What rank 0 does in a probe: it orders the others about, and is measured itself. Between two looks
/// at whether it is interrupted lie a few tenths of a second, or two messages where those take longer.
class ProbeLeader {
public:
    ProbeLeader(ProbeChannel& channel, const ProbeWishes& wishes, const ProbeWatcher& watcher)
        : m_channel(channel), m_wishes(wishes), m_watcher(watcher)
    {}

    /// @return all that was measured; nothing after an interrupt
    std::optional<Findings> measure(const std::vector<NodeRanks>& nodes);
    /// Lets the other ranks go.
    void dismiss(int ranks);

private:
    /// One link, and the two ranks that measure it.
    struct Link {
        std::size_t a = 0;
        std::size_t b = 0;
        int leader = 0;
        int follower = 0;
        LinkGuess guess;
    };
    using Turn = std::vector<Link>; ///< measured at once

    bool measureSpeeds();
    /// @param task  the same for each rank of these nodes
    bool measureSpeedsOf(const std::vector<std::size_t>& nodes, const SpeedRun::Task& task);
    std::optional<std::uint64_t> chooseWork();
    [[nodiscard]] std::vector<Turn> turns() const;
    /// @return for each link the mean times of its exchanges, which may be none
    std::vector<std::vector<double>> run(const Turn& turn,
                                         const std::vector<std::vector<Exchange>>& exchanges);
    bool guess(Turn& turn);
    bool measureLinks();
    bool measureTurn(const Turn& turn, const PingPongPlan& plan, std::size_t done);
    [[nodiscard]] std::size_t linkCount() const;
    bool measureCards();
    bool measureLargeMessages();
    double run(const CardTest& test);

    ProbeChannel& m_channel;
    const ProbeWishes& m_wishes;
    const ProbeWatcher& m_watcher;
    SpeedRun m_speed;
    Findings m_findings;
};

} // namespace tasuki::probe
