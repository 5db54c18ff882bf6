// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "node/farmpart.h"
#include "startup/exitcode.h"
#include "support/manualclock.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace tst_farmpart {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace std::chrono_literals;

namespace {

using Do = FarmPart::Do;
using Event = FarmPart::Event;
using Step = FarmPart::Step;
using Steps = FarmPart::Steps;

constexpr ProcessorId partSelf(1);
constexpr ProcessorId partOther(2);

/// Three processors, the first two with a rank each.
MembershipView partView()
{
    std::array<Place, 3> places{};
    for (std::uint32_t number = 0; number < places.size(); ++number) {
        places[number] = {.subcluster = {},
                          .unit = {},
                          .kind = number < 2 ? ProcessorKind::Active : ProcessorKind::Standby,
                          .seat = number < 2 ? std::optional(SeatId(number)) : std::nullopt};
    }
    return {places, std::array{SeatKind::Active, SeatKind::Active}, {.started = true}};
}

struct PartBench {
    explicit PartBench(FarmPart::Setup setup = {.self = partSelf}) : part(setup, clock, bootClock)
    {}

    Steps happened(Event event) { return part.happened(event, scene); }
    Steps look() { return part.look(scene); }
    Steps standing(Standing standing) { return part.standing(standing, scene); }
    void setRejoin(bool rejoin)
    {
        SystemTable system = view.system();
        ++system.version.revision;
        system.settings.rejoin = rejoin;
        view.adopt(std::make_shared<const SystemTable>(system));
    }
    void setHealth(ProcessorId processor, Health health)
    {
        ClusterTable table = view.cluster(SubclusterId(0));
        ++table.version.revision;
        table.member(processor)->health = health;
        view.adopt(std::make_shared<const ClusterTable>(table));
    }

    SessionEnd end(farm::WorkerEnd worker = farm::WorkerEnd::Abandoned) const
    {
        return part.end(worker, false);
    }

    // Situations.
    void lead() { part.leadsFirst(); }
    void leave() { scene.over = true; }
    void lapse() { standing(Standing::Lapsed); }
    void beFenced() { happened(Event::Fenced); }
    void ask()
    {
        beFenced();
        scene.rests = true;
        look();
    }
    void giveUp()
    {
        lead();
        happened(Event::RecordTaken);
    }
    void succeed() ///< it opens the record of a lost master
    {
        happened(Event::MasterGone);
        scene.master = partSelf;
        look();
    }
    void beAbandoned() { part.launcherGone("the launcher is gone", scene); }

    ManualClock clock;
    ManualClock bootClock;
    MembershipView view = partView();
    FarmPart::Scene scene{.view = view, .master = ProcessorId(0)};
    FarmPart part;
};

std::string textOf(const Steps& steps)
{
    std::string text;
    for (const Step& step : steps)
        text += std::to_string(static_cast<int>(step.what)) + " \"" + std::string(step.words)
            + "\"; ";
    return text;
}

void compare(const Steps& is, const Steps& expected, const char* where)
{
    QVERIFY2(is == expected,
             (std::string(where) + ": " + textOf(is) + "instead of " + textOf(expected)).c_str());
}

constexpr Step abandonedByOthers{Do::Abandon, "the other processors have given this one up"};
constexpr Step masterLost{Do::Abandon, "the master is lost"};
constexpr Step anothersRecord{Do::Abandon, "the record is another agent's"};
constexpr Step askedToStop{Do::Abandon, "asked to stop"};
constexpr Step asksAgain{
    Do::Say, "was given up by the others: its tasks are killed, it asks to be let in again"};
const Steps returns{{Do::StepDown}, {Do::DropRank}, {Do::LetGoOfRecord}};

void asItIs(PartBench&) {}

/// A row of the table.
struct PartCase {
    const char* name;
    FarmPart::Setup setup;
    void (*situation)(PartBench&);
    Event event;
    Steps steps;
};

const FarmPart::Setup usual{.self = partSelf};
const FarmPart::Setup mortal{.self = partSelf, .recovery = false};
const FarmPart::Setup copied{.self = partSelf, .copies = true};

void lead(PartBench& bench) { bench.lead(); }
void end(PartBench& bench)
{
    bench.lead();
    bench.scene.ending = true;
}
void leave(PartBench& bench) { bench.leave(); }
void lapse(PartBench& bench) { bench.lapse(); }
void succeed(PartBench& bench) { bench.succeed(); }
void beFenced(PartBench& bench) { bench.beFenced(); }
void ask(PartBench& bench) { bench.ask(); }
void giveUp(PartBench& bench) { bench.giveUp(); }
void beAbandoned(PartBench& bench) { bench.beAbandoned(); }
void mayNotReturn(PartBench& bench) { bench.setRejoin(false); }
void leadAbandoned(PartBench& bench)
{
    bench.lead();
    bench.beAbandoned();
}
void lapseForLong(PartBench& bench)
{
    bench.lapse();
    bench.bootClock.advance(119s);
    bench.beFenced();
}

const std::vector<PartCase> partCases{
    {"lapsed", usual, asItIs, Event::Lapsed, {{Do::StepDown}, {Do::LetGoOfRecord}}},
    {"lapsed, leads", usual, lead, Event::Lapsed, {{Do::StepDown}, {Do::LetGoOfRecord}}},
    {"lapsed, ends", usual, end, Event::Lapsed, {{Do::StepDown}}},
    {"lapsed, has left", usual, leave, Event::Lapsed, {{Do::StepDown}}},
    {"lapsed, abandoned", usual, beAbandoned, Event::Lapsed, {{Do::StepDown}}},
    {"fenced", usual, asItIs, Event::Fenced, returns},
    {"fenced, leads", usual, lead, Event::Fenced, returns},
    {"fenced, has given up", usual, giveUp, Event::Fenced, returns},
    {"fenced, abandoned", usual, beAbandoned, Event::Fenced, returns},
    {"fenced, keeps a copy", copied, asItIs, Event::Fenced, returns},
    {"fenced, leads, copies", copied, lead, Event::Fenced, {abandonedByOthers}},
    {"fenced, opens, copies", copied, succeed, Event::Fenced, {abandonedByOthers}},
    {"fenced, no recovery", mortal, asItIs, Event::Fenced, {abandonedByOthers}},
    {"fenced, no rejoin", usual, mayNotReturn, Event::Fenced, {abandonedByOthers}},
    {"fenced, ends", usual, end, Event::Fenced, {}},
    {"fenced, has left", usual, leave, Event::Fenced, {}},
    {"rests, was not fenced", usual, asItIs, Event::Rests, {}},
    {"rests", usual, beFenced, Event::Rests, {asksAgain, {Do::ComeBack}}},
    {"rests, alone", usual, lapseForLong, Event::Rests, {{Do::ComeBack}}},
    {"rests, asks already", usual, ask, Event::Rests, {}},
    {"rejoined", usual, ask, Event::Rejoined, {{Do::Reconnect}}},
    {"shut out",
     usual,
     ask,
     Event::ShutOut,
     {{Do::Say, "was not let in again, and ends"}, abandonedByOthers}},
    {"shut out, alone",
     usual,
     lapseForLong,
     Event::ShutOut,
     {{Do::Say, "has heard no majority of the processors for two minutes, and ends"},
      abandonedByOthers}},
    {"master gone", usual, asItIs, Event::MasterGone, {}},
    {"master gone, no recovery", mortal, asItIs, Event::MasterGone, {masterLost}},
    {"master gone, no recovery, has left", mortal, leave, Event::MasterGone, {}},
    {"record taken", usual, lead, Event::RecordTaken, {{Do::HoldMaster}, {Do::GiveUpPlace}}},
    {"record taken, known", usual, giveUp, Event::RecordTaken, {}},
    {"record taken, abandoned",
     usual,
     leadAbandoned,
     Event::RecordTaken,
     {{Do::HoldMaster}, {Do::GiveUpPlace}}},
    {"record taken, ends", usual, end, Event::RecordTaken, {}},
    {"record taken, does not lead", usual, asItIs, Event::RecordTaken, {}},
    {"record lost", usual, lead, Event::RecordLost, {anothersRecord}},
    {"record lost, has given up", usual, giveUp, Event::RecordLost, {}},
    {"record unreadable", usual, succeed, Event::RecordUnreadable, {masterLost}},
    {"record unreadable, leads", usual, lead, Event::RecordUnreadable, {}},
    {"record unreadable, has left", usual, leave, Event::RecordUnreadable, {}},
    {"interrupted", usual, asItIs, Event::Interrupted, {{Do::AwaitOrders}}},
    {"interrupted, leads", usual, lead, Event::Interrupted, {{Do::TellMaster}}},
    {"interrupted, lapsed", usual, lapse, Event::Interrupted, {askedToStop}},
    {"warned", usual, asItIs, Event::Warned, {{Do::TellMaster}}},
    {"warned, leads", usual, lead, Event::Warned, {{Do::TellMaster}}},
    {"warned, lapsed", usual, lapse, Event::Warned, {askedToStop}},
    {"no orders", usual, asItIs, Event::NoOrders, {askedToStop}},
    {"no orders, has left", usual, leave, Event::NoOrders, {}},
    {"no orders, abandoned", usual, beAbandoned, Event::NoOrders, {}},
    {"may open", usual, asItIs, Event::MayOpen, {{Do::OpenRecord}}},
    {"may open, keeps a copy", copied, asItIs, Event::MayOpen, {{Do::OpenCopy}}},
    {"may lead", usual, succeed, Event::MayLead, {{Do::Lead}}},
    {"must lead",
     usual,
     succeed,
     Event::MustLead,
     {{Do::Say, "goes on though not all tables show what was recorded: incarnations may repeat"},
      {Do::Recall},
      {Do::Lead}}},
    {"another leads", usual, succeed, Event::AnotherLeads, {{Do::LetGoOfRecord}}},
    {"another leads, had a copy",
     copied,
     succeed,
     Event::AnotherLeads,
     {{Do::LetGoOfRecord},
      {Do::Abandon, "another processor leads, and the copy of the record was let go of"}}},
    {"never started",
     usual,
     asItIs,
     Event::NeverStarted,
     {{Do::Abandon, "the master is lost before the run has begun"}}},
};

} // namespace

/// What a processor does when its lease is over, the others go on without it, or who leads is lost. What
/// breaks it: a row of the table that is lost or comes in another order, or a step that is told twice.
class TestFarmPart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void doesWhatTheTableSays_data();
    void doesWhatTheTableSays();
    void actsByItsLeaseAndItsMembershipAgentsWord();
    void tellsPeopleOnceOfTheSilence();
    void goesOnInPlaceOfALostMaster();
    void opensItsOwnRecordAgainAfterALapse();
    void opensNothingWhileItMayNotAct();
    void opensACopyOnceAnotherOneHasLed();
    void followsWhoeverLeadsByTheView();
    void comesBack();
    void endsWhenNobodyWelcomesIt();
    void isAbandonedOnce();
    void whatItsPartComesTo();
};

void TestFarmPart::doesWhatTheTableSays_data()
{
    QTest::addColumn<std::size_t>("row");
    for (std::size_t row = 0; row < partCases.size(); ++row)
        QTest::newRow(partCases[row].name) << row;
}

void TestFarmPart::doesWhatTheTableSays()
{
    QFETCH(std::size_t, row);
    const PartCase& is = partCases[row];
    PartBench bench(is.setup);
    is.situation(bench);
    compare(bench.happened(is.event), is.steps, is.name);
}

void TestFarmPart::actsByItsLeaseAndItsMembershipAgentsWord()
{
    PartBench bench;
    compare(bench.look(), {}, "valid");
    bench.scene.mayAct = false; // it stood still
    compare(bench.look(), {{Do::Hold}}, "the membership agent has not looked");
    compare(bench.standing(Standing::Suspended), {}, "held already");
    compare(bench.standing(Standing::Valid), {}, "not yet by the membership agent's word");
    bench.scene.mayAct = true;
    compare(bench.look(), {{Do::GoOn}}, "both");
    compare(bench.standing(Standing::Suspended), {{Do::Hold}}, "suspended");
    compare(bench.standing(Standing::Lapsed), {{Do::StepDown}, {Do::LetGoOfRecord}}, "lapsed");
    compare(bench.standing(Standing::Valid), {{Do::GoOn}}, "valid again");
}

void TestFarmPart::tellsPeopleOnceOfTheSilence()
{
    PartBench bench;
    bench.scene.master = partSelf;
    const auto told = [&bench](Standing standing) {
        std::size_t count = 0;
        for (const Step& step : bench.standing(standing))
            count += step.what == Do::Tell ? 1U : 0U;
        return count;
    };
    QCOMPARE(told(Standing::Valid), std::size_t{0});
    QCOMPARE(told(Standing::Suspended), std::size_t{0});
    QCOMPARE(told(Standing::Lapsed), std::size_t{1});
    QCOMPARE(told(Standing::Lapsed), std::size_t{0});
    QCOMPARE(told(Standing::Valid), std::size_t{1});
    QCOMPARE(told(Standing::Valid), std::size_t{0});
    QCOMPARE(told(Standing::Lapsed), std::size_t{1});
    bench.beFenced(); // others speak of the run from now on
    QCOMPARE(told(Standing::Valid), std::size_t{0});
    bench.scene.master = partOther;
    QCOMPARE(told(Standing::Lapsed), std::size_t{0});
}

void TestFarmPart::goesOnInPlaceOfALostMaster()
{
    PartBench bench;
    bench.happened(Event::MasterGone);
    bench.scene.master = partSelf;
    compare(bench.look(), {{Do::OpenRecord}}, "the view says so");
    QVERIFY(bench.part.awaitsRecord(bench.scene));
    bench.part.opened({});
    compare(bench.look(), {{Do::Lead}}, "read");
    QVERIFY(!bench.part.awaitsRecord(bench.scene));
    compare(bench.look(), {}, "leads");
    compare(bench.happened(Event::MasterGone), {}, "of the former one");
    compare(bench.look(), {}, "leads");
}

void TestFarmPart::opensItsOwnRecordAgainAfterALapse()
{
    PartBench bench({.self = partSelf, .copies = true});
    bench.lead();
    bench.scene.master = partSelf;
    bench.lapse();
    compare(bench.look(), {}, "it may not");
    compare(
        bench.standing(Standing::Valid),
        {{Do::GoOn}, {Do::Tell, "a majority of the processors is heard again: the run goes on"}},
        "valid");
    compare(bench.look(), {{Do::OpenRecord}}, "its own, not a copy");
    bench.part.opened({});
    compare(bench.look(), {{Do::Lead}}, "read");
}

void TestFarmPart::opensNothingWhileItMayNotAct()
{
    PartBench bench;
    bench.happened(Event::MasterGone);
    bench.scene.master = partSelf;
    bench.scene.mayAct = false;
    compare(bench.look(), {{Do::Hold}}, "held");
    bench.scene.mayAct = true;
    compare(bench.look(), {{Do::GoOn}, {Do::OpenRecord}}, "may act");
}

void TestFarmPart::opensACopyOnceAnotherOneHasLed()
{
    PartBench bench({.self = partSelf, .copies = true});
    bench.lead();
    bench.scene.master = partSelf;
    bench.lapse();
    bench.scene.master = partOther;
    bench.standing(Standing::Valid);
    compare(bench.look(), {}, "another one leads");
    bench.happened(Event::MasterGone);
    bench.scene.master = partSelf;
    compare(bench.look(), {{Do::OpenCopy}}, "the record is the other one's by now");
}

void TestFarmPart::followsWhoeverLeadsByTheView()
{
    PartBench bench({.self = partSelf, .recovery = false});
    compare(bench.part.changed(bench.scene, ProcessorId(0)), {}, "the same");
    QVERIFY(!bench.end().losses);
    bench.scene.master = partOther;
    compare(bench.part.changed(bench.scene, ProcessorId(0)), {masterLost}, "another one");

    PartBench unreachable({.self = partSelf, .recovery = false});
    unreachable.setHealth(ProcessorId(0), Health::Lost);
    compare(unreachable.part.changed(unreachable.scene, ProcessorId(0)), {masterLost},
            "lost, and nobody yet");
    QVERIFY(unreachable.end().losses);

    PartBench leads({.self = partSelf, .recovery = false});
    leads.lead();
    leads.scene.master = partOther;
    compare(leads.part.changed(leads.scene, partSelf), {}, "leads until its record says otherwise");
}

void TestFarmPart::comesBack()
{
    PartBench bench;
    bench.lead();
    compare(bench.happened(Event::Fenced), returns, "fenced");
    compare(bench.look(), {}, "its tasks live");
    bench.scene.rests = true;
    compare(bench.look(), {asksAgain, {Do::ComeBack}}, "nothing lives");
    compare(bench.look(), {}, "once");
    compare(bench.happened(Event::Rejoined), {{Do::Reconnect}}, "let in");
    compare(bench.look(), {}, "a member");
    // It is lost as a master like the others are: the record is that of another one.
    bench.happened(Event::MasterGone);
    bench.scene.master = partSelf;
    compare(bench.look(), {{Do::OpenRecord}}, "leads again");
}

void TestFarmPart::endsWhenNobodyWelcomesIt()
{
    PartBench bench;
    bench.scene.greets = true;
    bench.look();
    bench.bootClock.advance(1h);
    compare(bench.look(), {}, "who was not unreachable waits");
    bench.ask();
    bench.happened(Event::Rejoined);
    bench.look();
    bench.bootClock.advance(30s);
    compare(bench.look(), {}, "patient");
    bench.scene.greets = false;
    bench.look();
    bench.scene.greets = true;
    bench.look();
    bench.bootClock.advance(30s);
    compare(bench.look(), {}, "it was welcomed meanwhile");
    bench.bootClock.advance(1ms);
    compare(bench.look(),
            {{Do::Say, "has a rank again, but its messages over MPI are not answered: it ends"},
             {Do::Abandon, "MPI carries nothing any more"}},
            "too long");
}

void TestFarmPart::isAbandonedOnce()
{
    PartBench bench;
    compare(bench.part.launcherGone("mpirun is gone", bench.scene),
            {{Do::Abandon, "mpirun is gone"}}, "gone");
    compare(bench.part.launcherGone("mpirun is gone", bench.scene), {}, "once");
    QVERIFY(bench.part.abandoned());
    compare(bench.happened(Event::MasterGone), {}, "no matter");
    bench.scene.master = partSelf;
    compare(bench.look(), {}, "nothing is opened");

    PartBench leader;
    leader.lead();
    leader.scene.over = true; // its worker has left, but it leads
    compare(leader.part.launcherGone("mpirun is gone", leader.scene),
            {{Do::Abandon, "mpirun is gone"}}, "leads");
}

void TestFarmPart::whatItsPartComesTo()
{
    PartBench follower;
    QCOMPARE(follower.end().exitCode, toInt(ExitCode::NoReport));
    QCOMPARE(follower.end(farm::WorkerEnd::Dismissed).exitCode, toInt(ExitCode::Success));
    QVERIFY(!follower.end().leads);

    PartBench leader;
    leader.lead();
    QVERIFY(leader.end().leads);
    QVERIFY(!leader.end().losses);
    leader.lapse();
    QVERIFY(!leader.end().leads);
    leader.beAbandoned();
    const SessionEnd spoken = leader.end();
    QVERIFY(spoken.leads && spoken.abandoned && spoken.losses && !spoken.givenUp);
    QCOMPARE(spoken.exitCode, toInt(ExitCode::Interrupted));

    PartBench shutOut;
    shutOut.ask();
    shutOut.happened(Event::ShutOut);
    const SessionEnd given = shutOut.end();
    QVERIFY(given.abandoned && given.givenUp && given.losses && !given.leads);
    QCOMPARE(given.exitCode, toInt(ExitCode::NoReport));
}

QTEST_APPLESS_MAIN(TestFarmPart)

} // namespace tst_farmpart

#include "tst_farmpart.moc"
