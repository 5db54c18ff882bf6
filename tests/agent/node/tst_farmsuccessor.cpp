// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "node/farmsuccessor.h"
#include "support/manualclock.h"

#include <array>
#include <memory>

namespace tst_heir {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace std::chrono_literals;

namespace {

constexpr ProcessorId self(1);
constexpr ProcessorId other(2);
using Step = FarmSuccessor::Step;

/// Three processors, the first two with a rank each.
MembershipView threeProcessors()
{
    std::array<Place, 3> places{};
    for (std::uint32_t number = 0; number < places.size(); ++number) {
        places[number] = {.subcluster = {},
                          .unit = {},
                          .kind = number < 2 ? ProcessorKind::Active : ProcessorKind::Standby,
                          .seat = number < 2 ? std::optional(SeatId(number)) : std::nullopt};
    }
    return {places, std::array{SeatKind::Active, SeatKind::Active}, {}};
}

struct Bench {
    explicit Bench(bool started = true)
    {
        if (started)
            start();
    }
    void start()
    {
        SystemTable system = view.system();
        ++system.version.revision;
        system.started = true;
        view.adopt(std::make_shared<const SystemTable>(system));
    }
    void setIncarnation(std::uint32_t seat, std::uint32_t incarnation)
    {
        ClusterTable table = view.cluster(SubclusterId(0));
        ++table.version.revision;
        table.seat(SeatId(seat))->incarnation = Incarnation(incarnation);
        view.adopt(std::make_shared<const ClusterTable>(table));
    }
    Step look(ProcessorId master = self, bool valid = true)
    {
        return successor.look(view, master, valid);
    }
    /// The master is lost, and this processor opens its record.
    void open()
    {
        successor.masterLost();
        QCOMPARE(look(), Step::OpenRecord);
        QCOMPARE(look(), Step::None);
    }

    ManualClock clock;
    MembershipView view = threeProcessors();
    FarmSuccessor successor{self, clock};
};

/// As the view has it, and one that it does not know.
const RecordedSeat known{SeatId(0), Incarnation(1), ProcessorId(0)};
const RecordedSeat unknown{SeatId(1), Incarnation(2), other};

} // namespace

/// When a processor leads in the place of a lost master.
class TestHeir : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void leadsWithWhatIsRecorded();
    void waitsUntilTheTablesGoOnFromTheRecord();
    void doesNotWaitForEver();
    void anotherOneLeads();
    void standsBackForAnotherOne();
    void waitsForTheStart();
    void endsWhenNobodyStarts();
    void followsAgainWhenItIsFenced();
    void leadsAgainAfterItsLeaseWasOver();
    void anotherOneLeadsAfterItsLeaseWasOver();
};

void TestHeir::leadsWithWhatIsRecorded()
{
    Bench bench;
    QCOMPARE(bench.look(), Step::None); // nobody is lost
    QVERIFY(!bench.successor.lostSince());
    const SteadyTime lost = bench.clock.now();
    bench.open();
    bench.clock.advance(2s);
    bench.successor.opened({known});
    QCOMPARE(bench.look(), Step::Lead);
    QCOMPARE(bench.successor.lostSince(), std::optional(lost));
    QCOMPARE(bench.successor.sinceOpening(), std::chrono::nanoseconds(2s));
    QCOMPARE(bench.look(), Step::None); // once
    bench.successor.masterLost();       // a word of the former one that comes late
    QCOMPARE(bench.look(), Step::None);
}

void TestHeir::waitsUntilTheTablesGoOnFromTheRecord()
{
    Bench bench;
    bench.open();
    bench.successor.opened({known, unknown});
    QCOMPARE(bench.look(), Step::None);
    bench.clock.advance(9s);
    QCOMPARE(bench.look(), Step::None);
    bench.setIncarnation(1, 3);
    QCOMPARE(bench.look(), Step::Lead);
}

void TestHeir::doesNotWaitForEver()
{
    Bench bench;
    bench.open();
    bench.clock.advance(1h); // to read the record
    bench.successor.opened({unknown});
    bench.clock.advance(10s);
    QCOMPARE(bench.look(), Step::None);
    bench.clock.advance(1ms);
    QCOMPARE(bench.look(), Step::LeadAnyway);
    QVERIFY(bench.successor.lostSince());
}

void TestHeir::anotherOneLeads()
{
    Bench bench;
    bench.successor.masterLost();
    QCOMPARE(bench.look(other), Step::None);
    QVERIFY(!bench.successor.lostSince());
    QCOMPARE(bench.look(), Step::None); // that this one leads later is another loss
    bench.open();
}

/// Also while it waits for the tables: the other one needs the record.
void TestHeir::standsBackForAnotherOne()
{
    for (const bool opened : {false, true}) {
        Bench bench;
        bench.open();
        if (opened)
            bench.successor.opened({unknown});
        QCOMPARE(bench.look(other), Step::StandBack);
        QVERIFY(!bench.successor.lostSince());
        bench.successor.opened({known}); // too late
        QCOMPARE(bench.look(), Step::None);
    }
}

void TestHeir::waitsForTheStart()
{
    Bench bench(false);
    bench.successor.masterLost();
    QCOMPARE(bench.look(), Step::None);
    const SteadyTime lost = bench.clock.now();
    bench.clock.advance(2s);
    bench.successor.masterLost(); // seen in another way, too
    QCOMPARE(bench.look(), Step::None);
    QVERIFY(!bench.successor.lostSince());
    bench.start();
    QCOMPARE(bench.look(), Step::OpenRecord);
    QCOMPARE(bench.successor.lostSince(), std::optional(lost));
}

void TestHeir::endsWhenNobodyStarts()
{
    Bench bench(false);
    bench.successor.masterLost();
    bench.clock.advance(3s);
    QCOMPARE(bench.look(other), Step::None);
    bench.clock.advance(1ms);
    QCOMPARE(bench.look(other), Step::GiveUp);
    QCOMPARE(bench.look(other), Step::None);
}

void TestHeir::followsAgainWhenItIsFenced()
{
    Bench waiting(false);
    waiting.successor.masterLost();
    waiting.successor.standBack();
    waiting.start();
    QCOMPARE(waiting.look(), Step::None);
    Bench opening;
    opening.open();
    opening.successor.standBack();
    opening.successor.opened({known});
    QCOMPARE(opening.look(), Step::None);
    QVERIFY(!opening.successor.lostSince());
    opening.open(); // the next time
}

/// As often as it happens, and in whatever state the end of the lease finds it.
void TestHeir::leadsAgainAfterItsLeaseWasOver()
{
    Bench bench;
    bench.open();
    bench.successor.opened({known});
    QCOMPARE(bench.look(self, false), Step::None); // suspended: not now
    QCOMPARE(bench.look(), Step::Lead);
    for (const bool opens : {true, false}) {
        bench.clock.advance(10s);
        bench.successor.lapsed();
        const SteadyTime lapsed = bench.clock.now();
        QVERIFY(!bench.successor.lostSince());
        bench.successor.opened({known}); // a record that was being opened before
        QCOMPARE(bench.look(self, false), Step::None);
        bench.clock.advance(1min);
        QCOMPARE(bench.look(self, false), Step::None);
        QCOMPARE(bench.look(), Step::OpenRecord);
        QCOMPARE(bench.successor.lostSince(), std::optional(lapsed));
        if (opens)
            continue;
        bench.successor.opened({known});
        QCOMPARE(bench.look(), Step::Lead);
    }
}

void TestHeir::anotherOneLeadsAfterItsLeaseWasOver()
{
    Bench bench;
    bench.open();
    bench.successor.lapsed();
    QCOMPARE(bench.look(other, false), Step::None);
    QCOMPARE(bench.look(other), Step::None);
    QCOMPARE(bench.look(), Step::None);
    bench.successor.lapsed(); // who follows has nothing to begin anew
    QCOMPARE(bench.look(), Step::None);
}

QTEST_APPLESS_MAIN(TestHeir)

} // namespace tst_heir

#include "tst_farmsuccessor.moc"
