// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lease.h"
#include "messages.h"
#include "situation.h"

#include "domain/clock.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tasuki::hierarchy {

/// What beats and replies were exchanged with whom: what waits for an answer, what is answered once, and
/// what others said last. Sends nothing.
class Correspondence {
public:
    /// A beat without a reply yet.
    struct Unanswered {
        SteadyTime sent;
        bool forLease =
            true; ///< else it is no lease: who was asked may not know what the parent does
    };

    /// Both outlive this.
    Correspondence(const Situation& at, const Lease& lease) : m_at(at), m_lease(lease) {}

    // ---- what is sent
    /// When the next beat is due.
    [[nodiscard]] SteadyTime nextBeat() const { return m_nextBeat; }
    void setNextBeat(SteadyTime when) { m_nextBeat = when; }
    /// A beat, or something else that is to be replied to, is sent now.
    /// @return its number
    std::uint64_t nextNumber(SteadyTime now, bool forLease = true);
    /// @return when what is replied to was sent; none: it is not known any more
    std::optional<Unanswered> takeAnswered(std::uint64_t number);
    [[nodiscard]] std::optional<SteadyTime> sentAt(std::uint64_t number) const;
    /// What was sent needs no answer any more.
    void forgetSent() { m_sent.clear(); }

    // ---- what came
    /// A beat has come. Beats that have gathered while this processor slept are answered once; a
    /// processor that beats faster than is thought here is answered now and then.
    /// @return whether it is to be replied to
    bool hearBeat(ProcessorId from, std::uint64_t number, SteadyTime now);
    /// Somebody asks for a beat.
    /// @return whether it gets one: what has gathered is answered once
    bool hearAsk(ProcessorId from, SteadyTime now);
    [[nodiscard]] bool wasAskedLately(ProcessorId by, SteadyTime now);
    /// @return who has beaten to here of late
    [[nodiscard]] std::vector<ProcessorId> beatLately(SteadyTime now) const;
    /// Whether a child should have beaten to here and did not.
    [[nodiscard]] bool missesBeatOf(ProcessorId child, SteadyTime now);
    /// Somebody says by a beat which view it has.
    void hearDigest(ProcessorId from, std::uint64_t digest) { m_digests[from] = digest; }
    [[nodiscard]] bool isInStep(ProcessorId one) { return m_digests[one] == m_at.view.digest(); }
    /// @return whether what it had said of its table before this is newer than what is known here
    bool announces(ProcessorId from, const Version& version, const Version& known);
    /// A reply says which view somebody has. While tables are on their way the digests differ, but
    /// not for long in the same way.
    /// @return whether its tables are to be asked for
    bool differs(ProcessorId from, std::uint64_t digest);
    /// Another parent: its replies are compared anew.
    void forgetDifferences() { m_differences.clear(); }

    // ---- who is lapsed
    void hearLapsed(ProcessorId from, bool lapsed, SteadyTime now);
    /// Whether it was so for long though this processor could be heard.
    [[nodiscard]] bool staysLapsed(ProcessorId processor, SteadyTime now) const;
    /// A processor that stays lapsed, though this one has a majority, hears nobody: it is no better
    /// than silent.
    [[nodiscard]] bool isDeaf(ProcessorId processor, SteadyTime now) const;

    void forget(ProcessorId processor);
    void beginAnew();

private:
    /// How somebody's digest and the own one differed last.
    struct Difference {
        std::pair<std::uint64_t, std::uint64_t> digests;
        std::uint32_t alike = 0; ///< in a row, in this way
        std::uint32_t any = 0;   ///< in a row, in whatever way
    };

    const Situation& m_at;
    const Lease& m_lease;
    SteadyTime m_nextBeat{};
    std::uint64_t m_latest = 0;
    std::map<std::uint64_t, Unanswered> m_sent;
    std::map<ProcessorId, SteadyTime> m_answered;    ///< when who had last beaten
    std::map<ProcessorId, SteadyTime> m_asked;       ///< when who got a beat as it had asked
    std::map<ProcessorId, std::uint64_t> m_digests;  ///< what children said last
    std::map<ProcessorId, Version> m_announced;      ///< what tables who beats here says it has
    std::map<ProcessorId, Difference> m_differences; ///< to those who reply to beats
    std::map<ProcessorId, SteadyTime> m_lapsed;      ///< who says so of itself, since when
};

} // namespace tasuki::hierarchy
