// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farmsuccessor.h"
#include "sessionend.h"

#include "domain/clock.h"
#include "farm/worker.h"
#include "hierarchy/membershipview.h"
#include "hierarchy/standing.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tasuki {

/// A processor's part in the farm: whether it may act, whether it leads, and what it does when its lease is
/// over, when the others go on without it, or when who leads is lost. Decides only; the table is in
/// docs/farm.md, "A processor's part".
class FarmPart {
public:
    enum class Event : std::uint8_t {
        Lapsed,      ///< its lease is over
        Fenced,      ///< the others go on without it
        Rests,       ///< nothing of what it did lives any more
        Rejoined,    ///< it was let in again
        ShutOut,     ///< it is not let in again
        NotWelcomed, ///< it came back and has a rank, of which nobody takes notice
        MasterGone,
        RecordTaken, ///< another processor of this launch goes on with the record that it writes
        RecordLost,  ///< the record that it writes is lost in another way
        RecordUnreadable, ///< that it was to go on with
        Interrupted,      ///< by a signal that asks to end
        Warned,           ///< by a signal of which the master alone knows what it asks for
        NoOrders,         ///< have been given for some time after such a signal
        // What its successor decides, whose own table is in docs/hierarchy.md:
        MayOpen,
        MayLead,
        MustLead, ///< though the tables do not show what was recorded
        AnotherLeads,
        NeverStarted,
    };
    enum class Do : std::uint8_t {
        Nothing,
        Hold, ///< post, group scheduler and worker begin and tell nothing
        GoOn,
        StepDown,      ///< it is no group scheduler any more
        LetGoOfRecord, ///< as one that dies here: without a word, whether it leads or was about to
        HoldMaster,    ///< the post alone
        GiveUpPlace,
        DropRank,
        ComeBack,  ///< asks to be let in
        Reconnect, ///< what it had to say to the others, or they to it, is of its earlier life
        OpenRecord,
        OpenCopy, ///< of the record
        Recall,   ///< what was recorded is given out once more
        Lead,
        TellMaster, ///< of the signal; if there is none yet, once there is
        AwaitOrders,
        Abandon, ///< for the reason in `words`
        Say,     ///< `words`, as this processor
        Tell,    ///< `words`, as the run
        // Done here, and not told:
        SuccessorWaits,
        SuccessorLapses,
        SuccessorFollows,
        NoteGivenUp,
    };
    struct Step {
        Do what = Do::Nothing;
        std::string_view words = {};
        bool operator==(const Step&) const = default;
    };
    /// To be taken in order.
    using Steps = std::vector<Step>;

    struct Setup {
        ProcessorId self;
        bool recovery = true; ///< the launcher survives the loss of a processor
        bool copies = false;  ///< not everybody can reach the record
    };
    /// How things are at the time of an event.
    struct Scene {
        const hierarchy::MembershipView& view;
        ProcessorId master;  ///< by the view
        bool mayAct = true;  ///< by its membership agent's latest word
        bool ending = false; ///< it leads, and all is recorded
        bool over = false;   ///< its worker has left
        bool rests = false;  ///< its worker holds no rank, and nothing of one lives
        bool greets = false; ///< its worker holds a rank, and is not welcomed yet
    };

    /// Both clocks outlive this.
    /// @param bootClock  counts the time in which the machine is suspended
    FarmPart(const Setup& setup, const Clock& clock, const Clock& bootClock);

    /// It is the first master.
    void leadsFirst() { m_leads = true; }
    /// @param former  who led by the view before
    Steps changed(const Scene& scene, ProcessorId former);
    Steps standing(hierarchy::Standing standing, const Scene& scene);
    Steps happened(Event event, const Scene& scene);
    /// @param what  is gone, in words that stay where they are
    Steps launcherGone(std::string_view what, const Scene& scene);
    /// What the record that it is to go on with has of the seats. Precondition: awaitsRecord().
    void opened(std::vector<hierarchy::RecordedSeat> recorded);
    /// To be called in each turn.
    Steps look(const Scene& scene);

    [[nodiscard]] bool awaitsRecord(const Scene& scene) const;
    [[nodiscard]] const FarmSuccessor& successor() const { return m_successor; }
    [[nodiscard]] bool abandoned() const { return m_abandoned; }
    /// What its part comes to; the master's post, if it leads, adds to that.
    /// @param losses  whether its worker was told of any
    [[nodiscard]] SessionEnd end(farm::WorkerEnd worker, bool losses) const;

private:
    enum class State : std::uint8_t { Member, GivesUp, Returns, Asks };
    struct Table;

    void note(Event event);
    void take(Event event, const Scene& scene, Steps& steps);
    void add(const Step& step, const Scene& scene, Steps& steps);
    void lookAtLease(const Scene& scene, Steps& steps);
    void lookForWelcome(const Scene& scene, Steps& steps);
    void lookAtSuccession(const Scene& scene, Steps& steps);
    void tellStanding(const Scene& scene, Steps& steps);

    const Setup m_setup;
    const Clock& m_bootClock;
    FarmSuccessor m_successor;
    State m_state = State::Member;
    hierarchy::Standing m_standing = hierarchy::Standing::Valid;
    bool m_acts = true; ///< it may, as far as it knows
    bool m_leads = false;
    bool m_ledBefore = false;    ///< until its lease was over, and nobody has since
    SteadyTime m_lapsedAt{};     ///< latest
    bool m_alone = false;        ///< fenced as no majority was heard for too long
    bool m_standingSaid = false; ///< to people: that no majority is heard
    bool m_cameBack = false;
    std::optional<SteadyTime> m_greetsSince; ///< it came back, and greets since then
    bool m_abandoned = false;
    bool m_givenUp = false;
    bool m_losses = false;
};

} // namespace tasuki
