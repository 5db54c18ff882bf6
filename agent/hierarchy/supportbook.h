// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "membershipview.h"
#include "messages.h"

#include "domain/clock.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tasuki::hierarchy {

/// @return a time on this processor's clock as stamps say it, rounded down
std::uint64_t stampTime(SteadyTime time);
/// @return when a stamp of this processor was made, or up to a millisecond before
SteadyTime timeOfStamp(std::uint64_t when);

/// Whom a processor follows, and who is known to follow the same one: of each processor the newest
/// stamp that it is known to have. As only newer ones replace others, it does not matter by how many
/// ways and how late the word of them comes, and nobody counts twice.
class SupportBook {
public:
    explicit SupportBook(ProcessorId self) : m_self(self) {}

    /// A stamp has come down.
    /// @param made  when it was made, at the latest
    /// @return whether it is news of who made it
    bool takeWord(const Stamp& stamp, SteadyTime made, SteadyTime now);
    /// From now on counts who follows this one.
    void follow(ProcessorId leader);
    [[nodiscard]] std::optional<ProcessorId> leader() const { return m_leader; }
    /// @return the newest stamp of who is followed; none: there is none yet
    [[nodiscard]] std::optional<Stamp> newest() const;
    /// When that was made, at the latest; a long time ago if there is none.
    [[nodiscard]] SteadyTime newestMade() const;
    /// How long ago it came; a long time if there is none.
    [[nodiscard]] std::chrono::nanoseconds silentFor(SteadyTime now) const;
    /// Says that this processor has the newest stamp of whom it follows: who made it may count on that.
    /// @param window  it follows alone when all stamps of others that it has acknowledged are older.
    ///                Those of somebody who is lost count for who wrote that: it goes on for it
    void acknowledge(const MembershipView& view, SteadyTime now, std::chrono::nanoseconds window);

    /// All stamps of this processor until now count no more, wherever they are acknowledged.
    void renounce(SteadyTime now);
    /// Somebody has renounced the stamps up to this one.
    /// @return whether that is news
    bool takeRenounced(const Stamp& stamp, SteadyTime now);
    /// @return what was renounced of late, the newest first
    [[nodiscard]] std::vector<Stamp> renounced(SteadyTime now,
                                               std::chrono::nanoseconds window) const;

    /// What a processor is known to have, itself included.
    void note(ProcessorId processor, std::uint64_t when, bool sole);
    /// Takes what a processor says of those of its subcluster.
    void take(const ClusterTable& table, const Support& support);
    /// @return what is known of those of a subcluster. When that is too much for a datagram, each time
    ///         another part of it; none: nobody is followed
    std::optional<Support> report(const ClusterTable& table, std::chrono::nanoseconds step);

    /// @param electorate  of whom a majority counts, by number; on a tie the side of the first one
    /// @param sole        whether only those count that hear of no other one
    /// @return the newest stamp that a majority has, or a newer one; none: there is none
    [[nodiscard]] std::optional<std::uint64_t> majority(std::span<const ProcessorId> electorate,
                                                        bool sole) const;
    /// @return what this processor has acknowledged of who it follows, and whether it follows nobody else
    [[nodiscard]] std::optional<std::pair<Stamp, bool>> acknowledged() const;
    /// @return when that stamp was made, at the latest; none: there is none, or it was renounced
    [[nodiscard]] std::optional<SteadyTime> acknowledgedMade() const;
    /// @return the newest stamp that a processor is known to have; 0: none, or it was renounced
    [[nodiscard]] std::uint64_t acknowledged(ProcessorId processor) const;

private:
    struct Word {
        std::uint64_t when = 0; ///< the newest stamp
        Version table = {};
        bool candidate = false;
        SteadyTime heard;
        SteadyTime made;                             ///< at the latest
        std::optional<SteadyTime> acknowledged = {}; ///< when the newest that was had been made
    };
    struct Ack {
        std::uint64_t when = 0;
        bool sole = false;
    };

    struct Renounced {
        std::uint64_t upTo = 0;
        SteadyTime heard;
    };

    /// @return what is known of who is followed; null: nothing, or nobody is
    [[nodiscard]] const Word* followedWord() const;
    [[nodiscard]] bool undivided(const MembershipView& view, SteadyTime now,
                                 std::chrono::nanoseconds window) const;

    ProcessorId m_self;
    std::optional<ProcessorId> m_leader;
    std::map<ProcessorId, Word> m_words; ///< by who made the stamps
    std::map<ProcessorId, Ack> m_acks;   ///< of those who follow
    std::map<ProcessorId, Renounced> m_renounced;
    std::size_t m_next = 0; ///< where the next report begins
};

} // namespace tasuki::hierarchy
