// SPDX-License-Identifier: GPL-3.0-or-later
#include "farmpart.h"

#include "hierarchy/situation.h"
#include "startup/exitcode.h"

#include <array>
#include <chrono>
#include <utility>

namespace tasuki {

namespace {

/// Who came back and has a rank is welcomed within this, or MPI does not carry its messages.
constexpr std::chrono::seconds welcomePatience{30};
/// The membership agent of who has lapsed waits for a majority a little longer.
constexpr auto lapsedWithin = hierarchy::MembershipOptions{}.lapsedWithin - std::chrono::seconds(1);

constexpr std::string_view givenUpWords = "the other processors have given this one up";
constexpr std::string_view asksWords =
    "was given up by the others: its tasks are killed, it asks to be let in again";
constexpr std::string_view aloneWords =
    "has heard no majority of the processors for two minutes, and ends";
constexpr std::string_view shutOutWords = "was not let in again, and ends";
constexpr std::string_view mutedWords =
    "has a rank again, but its messages over MPI are not answered: it ends";
constexpr std::string_view anywayWords =
    "goes on though not all tables show what was recorded: incarnations may repeat";
constexpr std::string_view takenWords = "the record is another agent's";
constexpr std::string_view stopWords = "asked to stop";

} // namespace

/// The first row whose event, state and condition hold is taken; what no row is for changes nothing.
struct FarmPart::Table {
    using When = bool (*)(const FarmPart&, const Scene&);

    static bool always(const FarmPart&, const Scene&) { return true; }
    static bool done(const FarmPart& self, const Scene& scene)
    {
        return self.m_abandoned || scene.over || scene.ending;
    }
    static bool follows(const FarmPart& self, const Scene& scene)
    {
        return self.awaitsRecord(scene);
    }
    static bool settled(const FarmPart& self, const Scene& scene)
    {
        return !self.awaitsRecord(scene);
    }
    static bool leads(const FarmPart& self, const Scene&) { return self.m_leads; }
    static bool handsOut(const FarmPart& self, const Scene& scene)
    {
        return self.m_leads && !scene.ending;
    }
    /// A copy of the record that was let go of to lead is none any more.
    static bool staysOut(const FarmPart& self, const Scene& scene)
    {
        return scene.ending || (self.m_ledBefore && self.m_setup.copies) || !self.m_setup.recovery
            || !scene.view.system().settings.rejoin || scene.over;
    }
    static bool alone(const FarmPart& self, const Scene&) { return self.m_alone; }
    static bool recovers(const FarmPart& self, const Scene&) { return self.m_setup.recovery; }
    static bool hasCopies(const FarmPart& self, const Scene&) { return self.m_setup.copies; }
    static bool opensCopy(const FarmPart& self, const Scene&)
    {
        return self.m_setup.copies && !self.m_ledBefore;
    }
    static bool lapsed(const FarmPart& self, const Scene&)
    {
        return self.m_standing == hierarchy::Standing::Lapsed;
    }

    struct Row {
        Event event;
        std::optional<State> state; ///< none: any
        When when;
        std::optional<State> next; ///< none: the same
        std::array<Step, 4> steps;
    };
    // clang-format off
    static constexpr auto any = std::nullopt;
    static constexpr auto same = std::nullopt;
    static constexpr Row rows[] = {
        // event                 state           when         next            does
        {Event::Lapsed,          any,            done,        same,           {{{Do::StepDown}}}},
        {Event::Lapsed,          any,            always,      same,           {{{Do::StepDown}, {Do::LetGoOfRecord}, {Do::SuccessorLapses}}}},
        {Event::Fenced,          any,            staysOut,    same,           {{{Do::NoteGivenUp}, {Do::Abandon, givenUpWords}}}},
        {Event::Fenced,          any,            always,      State::Returns, {{{Do::StepDown}, {Do::DropRank}, {Do::SuccessorFollows}, {Do::LetGoOfRecord}}}},
        {Event::Rests,           State::Returns, alone,       State::Asks,    {{{Do::ComeBack}}}},
        {Event::Rests,           State::Returns, always,      State::Asks,    {{{Do::Say, asksWords}, {Do::ComeBack}}}},
        {Event::Rejoined,        any,            always,      State::Member,  {{{Do::Reconnect}}}},
        {Event::ShutOut,         any,            alone,       same,           {{{Do::Say, aloneWords}, {Do::NoteGivenUp}, {Do::Abandon, givenUpWords}}}},
        {Event::ShutOut,         any,            always,      same,           {{{Do::Say, shutOutWords}, {Do::NoteGivenUp}, {Do::Abandon, givenUpWords}}}},
        {Event::NotWelcomed,     any,            always,      same,           {{{Do::Say, mutedWords}, {Do::Abandon, "MPI carries nothing any more"}}}},
        {Event::MasterGone,      any,            settled,     same,           {}},
        {Event::MasterGone,      any,            recovers,    same,           {{{Do::SuccessorWaits}}}},
        {Event::MasterGone,      any,            always,      same,           {{{Do::Abandon, "the master is lost"}}}},
        {Event::RecordTaken,     State::GivesUp, always,      same,           {}},
        {Event::RecordTaken,     any,            handsOut,    State::GivesUp, {{{Do::HoldMaster}, {Do::GiveUpPlace}}}},
        {Event::RecordTaken,     any,            leads,       same,           {{{Do::Abandon, takenWords}}}},
        {Event::RecordLost,      State::GivesUp, always,      same,           {}},
        {Event::RecordLost,      any,            leads,       same,           {{{Do::Abandon, takenWords}}}},
        {Event::RecordUnreadable, any,           follows,     same,           {{{Do::Abandon, "the master is lost"}}}},
        {Event::Interrupted,     any,            leads,       same,           {{{Do::TellMaster}}}},
        {Event::Interrupted,     any,            lapsed,      same,           {{{Do::Abandon, stopWords}}}},
        {Event::Interrupted,     any,            always,      same,           {{{Do::AwaitOrders}}}},
        {Event::Warned,          any,            leads,       same,           {{{Do::TellMaster}}}},
        {Event::Warned,          any,            lapsed,      same,           {{{Do::Abandon, stopWords}}}},
        {Event::Warned,          any,            always,      same,           {{{Do::TellMaster}}}},
        {Event::NoOrders,        any,            always,      same,           {{{Do::Abandon, stopWords}}}},
        {Event::MayOpen,         any,            opensCopy,   same,           {{{Do::OpenCopy}}}},
        {Event::MayOpen,         any,            always,      same,           {{{Do::OpenRecord}}}},
        {Event::MayLead,         any,            always,      same,           {{{Do::Lead}}}},
        {Event::MustLead,        any,            always,      same,           {{{Do::Say, anywayWords}, {Do::Recall}, {Do::Lead}}}},
        {Event::AnotherLeads,    any,            hasCopies,   same,           {{{Do::LetGoOfRecord}, {Do::Abandon, "another processor leads, and the copy of the record was let go of"}}}},
        {Event::AnotherLeads,    any,            always,      same,           {{{Do::LetGoOfRecord}}}},
        {Event::NeverStarted,    any,            always,      same,           {{{Do::Abandon, "the master is lost before the run has begun"}}}},
    };
    // clang-format on
};

FarmPart::FarmPart(const Setup& setup, const Clock& clock, const Clock& bootClock)
    : m_setup(setup), m_bootClock(bootClock), m_successor(setup.self, clock)
{}

FarmPart::Steps FarmPart::changed(const Scene& scene, ProcessorId former)
{
    for (std::uint32_t number = 0; number < scene.view.processorCount(); ++number) {
        const Health health = scene.view.member(ProcessorId(number)).health;
        m_losses = m_losses || health == Health::Lost || health == Health::Fenced;
    }
    if (m_leads || (scene.master == former && !isUnreachable(scene.view.member(former).health)))
        return {};
    return happened(Event::MasterGone, scene);
}

FarmPart::Steps FarmPart::standing(hierarchy::Standing standing, const Scene& scene)
{
    Steps steps;
    m_standing = standing;
    if (standing == hierarchy::Standing::Lapsed) {
        m_lapsedAt = m_bootClock.now();
        take(Event::Lapsed, scene, steps);
    }
    lookAtLease(scene, steps);
    tellStanding(scene, steps);
    return steps;
}

FarmPart::Steps FarmPart::happened(Event event, const Scene& scene)
{
    Steps steps;
    note(event);
    take(event, scene, steps);
    return steps;
}

FarmPart::Steps FarmPart::launcherGone(std::string_view what, const Scene& scene)
{
    Steps steps;
    add({Do::Abandon, what}, scene, steps);
    return steps;
}

void FarmPart::opened(std::vector<hierarchy::RecordedSeat> recorded)
{
    m_successor.opened(std::move(recorded));
}

bool FarmPart::awaitsRecord(const Scene& scene) const
{
    return !m_leads && !m_abandoned && !scene.over;
}

FarmPart::Steps FarmPart::look(const Scene& scene)
{
    Steps steps;
    lookAtLease(scene, steps);
    if (scene.rests)
        take(Event::Rests, scene, steps);
    lookForWelcome(scene, steps);
    lookAtSuccession(scene, steps);
    return steps;
}

SessionEnd FarmPart::end(farm::WorkerEnd worker, bool losses) const
{
    // Who led until its lease was over speaks for its side, if that hears of nobody any more.
    const bool speaks = m_successor.lostSince() || (m_ledBefore && m_abandoned);
    SessionEnd end{.leads = m_leads || speaks,
                   .losses = m_losses || m_abandoned,
                   .abandoned = m_abandoned,
                   .givenUp = m_abandoned && m_givenUp};
    if (m_leads)
        return end;
    if (speaks) {
        end.exitCode = toInt(ExitCode::Interrupted);
    } else {
        end.losses = end.losses || losses;
        end.exitCode = toInt(worker == farm::WorkerEnd::Dismissed ? ExitCode::Success
                                                                  : ExitCode::NoReport);
    }
    return end;
}

/// What is to be known before it is decided.
void FarmPart::note(Event event)
{
    if (event == Event::Fenced) {
        m_losses = true;
        m_alone = m_standing == hierarchy::Standing::Lapsed
            && m_bootClock.now() - m_lapsedAt >= lapsedWithin;
        m_ledBefore = m_ledBefore || m_leads || m_successor.lostSince();
    } else if (event == Event::Rejoined) {
        m_cameBack = true;
        m_ledBefore = false;
        m_greetsSince.reset();
    }
}

void FarmPart::take(Event event, const Scene& scene, Steps& steps)
{
    for (const Table::Row& row : Table::rows) {
        if (row.event != event || (row.state && row.state != m_state) || !row.when(*this, scene))
            continue;
        m_state = row.next.value_or(m_state);
        for (const Step& step : row.steps)
            add(step, scene, steps);
        return;
    }
}

void FarmPart::add(const Step& step, const Scene& scene, Steps& steps)
{
    switch (step.what) {
    case Do::Nothing: return;
    case Do::SuccessorWaits: m_successor.masterLost(); return;
    case Do::SuccessorFollows: m_successor.standBack(); return;
    case Do::SuccessorLapses:
        m_successor.lapsed();
        if (m_ledBefore)
            m_successor.masterLost();
        return;
    case Do::NoteGivenUp: m_givenUp = m_givenUp || !m_abandoned; return;
    case Do::Abandon:
        if (m_abandoned || (m_leads ? scene.ending : scene.over))
            return; // it leaves already
        m_abandoned = true;
        break;
    case Do::LetGoOfRecord:
        m_ledBefore = m_ledBefore || m_leads || m_successor.lostSince();
        m_leads = false;
        break;
    case Do::DropRank: m_standingSaid = false; break; // others speak of the run from now on
    case Do::Lead: m_leads = true; break;
    default: break;
    }
    steps.push_back(step);
}

/// Whoever stood still asks its membership agent before it does anything.
void FarmPart::lookAtLease(const Scene& scene, Steps& steps)
{
    const bool acts = m_standing == hierarchy::Standing::Valid && scene.mayAct;
    if (std::exchange(m_acts, acts) != acts)
        steps.push_back({acts ? Do::GoOn : Do::Hold});
}

/// Over sockets it may be heard again where MPI carries nothing any more: then it is of no use.
void FarmPart::lookForWelcome(const Scene& scene, Steps& steps)
{
    if (!m_cameBack || !scene.greets) {
        m_greetsSince.reset();
        return;
    }
    const SteadyTime now = m_bootClock.now();
    if (!m_greetsSince)
        m_greetsSince = now;
    if (now - *m_greetsSince <= welcomePatience)
        return;
    m_greetsSince.reset();
    take(Event::NotWelcomed, scene, steps);
}

void FarmPart::lookAtSuccession(const Scene& scene, Steps& steps)
{
    if (!awaitsRecord(scene))
        return;
    if (m_acts && scene.master != m_setup.self)
        m_ledBefore = false;
    switch (m_successor.look(scene.view, scene.master, m_acts)) {
    case FarmSuccessor::Step::None: return;
    case FarmSuccessor::Step::OpenRecord: return take(Event::MayOpen, scene, steps);
    case FarmSuccessor::Step::Lead: return take(Event::MayLead, scene, steps);
    case FarmSuccessor::Step::LeadAnyway: return take(Event::MustLead, scene, steps);
    case FarmSuccessor::Step::StandBack: return take(Event::AnotherLeads, scene, steps);
    case FarmSuccessor::Step::GiveUp: return take(Event::NeverStarted, scene, steps);
    }
}

/// One of them tells people: who leads, or has led.
void FarmPart::tellStanding(const Scene& scene, Steps& steps)
{
    if (m_abandoned || scene.master != m_setup.self)
        return;
    if (m_standing == hierarchy::Standing::Lapsed && !std::exchange(m_standingSaid, true))
        steps.push_back(
            {Do::Tell,
             "no majority of the processors is heard: running tasks are killed, and nothing "
             "is started until it is (waits up to two minutes)"});
    else if (m_standing == hierarchy::Standing::Valid && std::exchange(m_standingSaid, false))
        steps.push_back({Do::Tell, "a majority of the processors is heard again: the run goes on"});
}

} // namespace tasuki
