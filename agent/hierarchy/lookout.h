// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "actions.h"
#include "correspondence.h"
#include "failuredetector.h"
#include "situation.h"
#include "succession.h"

#include "domain/clock.h"

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace tasuki::hierarchy {

/// The processors that this one watches, and what it sees of them: its children in the tree and,
/// while some of these are late, the children of those. It does not hold its own lateness against
/// anybody.
class Lookout {
public:
    /// All outlive this.
    Lookout(const Situation& at, const Succession& succession, Correspondence& correspondence)
        : m_at(at), m_succession(succession), m_correspondence(correspondence)
    {}

    // ---- the own lateness
    void begin(SteadyTime now) { m_due = now; }
    /// @param due  when poll() is due again
    void sleep(SteadyTime due) { m_due = due; }
    /// @return by how much this processor is late, if that is to be counted; it is counted once
    std::optional<std::chrono::nanoseconds> noteLateness(SteadyTime now);
    /// A processor that was late first listens to what has come meanwhile, and judges a little
    /// later; but one that is always late must judge sometimes.
    void judgeLater(SteadyTime now);
    [[nodiscard]] bool judges(SteadyTime now) const { return now >= m_judgeFrom; }
    /// Thresholds are longer by so much, as this processor was late itself.
    [[nodiscard]] std::chrono::nanoseconds allowance() const { return m_detector.allowance(); }
    /// @return while all is well, when to look next. Looks are frequent again one look before
    ///         somebody may be late: a processor that judges has slept for a short time only
    /// @param settling    something goes on
    /// @param quietUntil  no lease is over before that
    [[nodiscard]] SteadyTime nextLook(bool settling, SteadyTime quietUntil, SteadyTime now) const;

    // ---- who is watched
    /// The thresholds of the view hold from now on. Others may learn of another rhythm a moment later:
    /// nobody is judged by what was before.
    void applySettings(SteadyTime now);
    /// Children are other ones.
    void changeChildren(const std::vector<ProcessorId>& before,
                        const std::vector<ProcessorId>& after, SteadyTime now);
    /// Its end is to be seen, though nobody watches its beats here.
    void watchEnd(ProcessorId processor);
    /// Watches the children of late processors meanwhile: the silence of a late processor must not
    /// count as that of its children. One that is condemned watches nobody any more, and one that
    /// stays lapsed tells its children nothing.
    /// @return those that are new, to be asked for a beat
    [[nodiscard]] std::vector<ProcessorId> adoptChildrenOfTheLate(SteadyTime now);
    /// What is watched for others is given back once they have the view by which they watch it.
    void dropAdopted(SteadyTime now);
    [[nodiscard]] const std::set<ProcessorId>& adopted() const { return m_adopted; }
    [[nodiscard]] bool watches(ProcessorId one) const { return m_detector.watches(one); }
    void forget(ProcessorId processor);
    void beginAnew(SteadyTime now);

    // ---- what is seen
    /// A processor is heard. If it could not be heard before, it was perhaps cut off together with
    /// the children that are watched in its place: these have the time from Late to Silent anew,
    /// until it tells of them.
    void hear(ProcessorId from, SteadyTime now);
    void hearProgress(ProcessorId from, std::uint64_t turns, SteadyTime now)
    {
        m_detector.hearProgress(from, turns, now);
    }
    /// This processor was cut off itself, and has not heard of others for that reason.
    void excuse(SteadyTime now) { m_detector.beginAnew(now); }
    /// @return those whose process was found to have ended when they were to be watched
    [[nodiscard]] std::vector<ProcessorId> takeEndedBefore()
    {
        return std::exchange(m_endedBefore, {});
    }
    /// @return what there is to see now that is new
    [[nodiscard]] std::vector<Sighting> look(SteadyTime now) { return m_detector.look(now); }
    [[nodiscard]] Observed observed(const Sighting& sighting) const;
    /// @return who is watched, in the order in which they are compared with the tables
    [[nodiscard]] std::vector<ProcessorId> watched() const;
    /// What the tables say of those who are watched and what is seen of them must become the same, also
    /// when a word of it came too late or was overtaken.
    /// @return what is seen of a processor that its table does not say; none: nothing
    [[nodiscard]] std::optional<Observed> missingInTable(ProcessorId processor,
                                                         SteadyTime now) const;
    [[nodiscard]] bool isSilent(ProcessorId one) const
    {
        return m_detector.standing(one) == Sign::Silent;
    }
    [[nodiscard]] bool isLate(ProcessorId one) const { return m_detector.late(one); }
    /// @return how long a processor was not heard; none: it is not watched
    [[nodiscard]] std::optional<std::chrono::nanoseconds> unheardFor(ProcessorId one,
                                                                     SteadyTime now) const;

private:
    void watch(ProcessorId processor, SteadyTime heard);

    const Situation& m_at;
    const Succession& m_succession;
    Correspondence& m_correspondence;
    FailureDetector m_detector{Thresholds{}};
    std::set<ProcessorId> m_adopted;        ///< children of late ones, watched meanwhile
    std::vector<ProcessorId> m_endedBefore; ///< found gone when they were to be watched
    SteadyTime m_due{};
    SteadyTime m_judgeFrom{}; ///< who was late listens until then
};

} // namespace tasuki::hierarchy
