// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "domain/result.h"
#include "merge/mergemap.h"
#include "messages.h"
#include "round.h"
#include "schedule.h"
#include "transport/transport.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tasuki::merge {

/// How far the present round is.
struct RoundProgress {
    std::uint32_t round = 0;
    std::size_t rounds = 0;
    double sentShare = 0; ///< 0 to 1
    std::uint64_t sentBytes = 0;
    std::uint64_t receivedBytes = 0;
    std::chrono::nanoseconds elapsed{};
};

/// One rank's rounds, view after view, and the map that they make. A view that is replaced by a
/// newer one leaves what its whole rounds have merged.
class ViewRounds {
public:
    /// What a rank does with its map before a view and after each of its rounds.
    using Trim = std::function<std::shared_ptr<const MergeMap>(std::shared_ptr<const MergeMap>)>;

    /// @param map    what this rank brings
    /// @param trim   called for views that trim in rounds
    /// @param ended  told of every round that ended; may be empty
    /// @param transport, clock  outlive this object
    ViewRounds(std::shared_ptr<const MergeMap> map, Trim trim,
               std::function<void(const RoundReport&)> ended, const Pace& pace,
               Transport& transport, const Clock& clock);

    /// Begins the rounds of a newer view. Precondition: this rank is a member.
    void begin(const ViewId& id, View content);
    [[nodiscard]] const ViewId& id() const { return m_id; }
    [[nodiscard]] const View& content() const { return m_content; }

    void take(ProcessorId from, const ViewId& view, const Ready& ready);
    /// @return an Error when it is no next part of a map
    Result<void> take(ProcessorId from, const ViewId& view, Part part);
    /// @return whether something was sent
    bool poll();
    /// Whether a view has begun and all its rounds have ended.
    [[nodiscard]] bool over() const { return !m_content.members.empty() && !m_round; }
    /// Ends a view early.
    void drop() { m_round.reset(); }

    /// All that was merged in whole rounds.
    [[nodiscard]] const std::shared_ptr<const MergeMap>& map() const { return m_map; }
    /// Of chunks, in all views.
    [[nodiscard]] std::uint64_t sentBytes() const { return m_sentBytes; }
    /// Precondition: a round is under way.
    [[nodiscard]] RoundProgress progress() const;

private:
    struct EarlyReady {
        ViewId view;
        ProcessorId from;
        std::uint32_t round = 0;
    };

    void beginRound(std::uint32_t number);
    void advance();
    void trim();

    std::shared_ptr<const MergeMap> m_map;
    Trim m_trim;
    std::function<void(const RoundReport&)> m_ended;
    Pace m_pace;
    Transport& m_transport;
    const Clock& m_clock;
    ViewId m_id;
    View m_content;
    std::vector<Step> m_steps;
    std::vector<std::shared_ptr<const MergeMap>> m_earlier; ///< with which rounds of the view began
    std::optional<Round> m_round;
    std::vector<EarlyReady> m_earlyReadies; ///< of rounds that have not begun here
    std::uint64_t m_sentBytes = 0;
};

} // namespace tasuki::merge
