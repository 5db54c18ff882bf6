// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "hierarchy/orderrules.h"

#include <array>
#include <functional>

namespace tst_orderrules {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace std::chrono_literals;

namespace {

/// Subcluster 0: dedicated master 0, I/O 1, ranks on 2 and 3, standby 4. Subcluster 1: I/O 5, rank on
/// 6, standby 7. All are alive.
MembershipView view(const std::function<void(ClusterTable&, ClusterTable&)>& change = {})
{
    using Kind = ProcessorKind;
    const std::array kinds{Kind::DedicatedMaster, Kind::Io, Kind::Active, Kind::Active,
                           Kind::Standby,         Kind::Io, Kind::Active, Kind::Standby};
    const std::array<int, 8> seats{5, 3, 0, 1, -1, 4, 2, -1};
    std::vector<Place> places;
    for (std::uint32_t number = 0; number < kinds.size(); ++number) {
        Place place{.subcluster = SubclusterId(number < 5 ? 0 : 1),
                    .unit = UnitId(number < 5 ? 0 : 1),
                    .kind = kinds[number]};
        if (seats[number] >= 0)
            place.seat = SeatId(static_cast<std::uint32_t>(seats[number]));
        places.push_back(place);
    }
    const std::array seatKinds{SeatKind::Active, SeatKind::Active, SeatKind::Active,
                               SeatKind::Io,     SeatKind::Io,     SeatKind::Master};
    MembershipView out(places, seatKinds, {});
    std::array<ClusterTable, 2> tables{out.cluster(SubclusterId(0)), out.cluster(SubclusterId(1))};
    for (ClusterTable& table : tables) {
        for (MemberRow& row : table.members)
            row.health = Health::Alive;
        ++table.version.revision;
    }
    if (change)
        change(tables[0], tables[1]);
    for (ClusterTable& table : tables)
        out.adopt(std::make_shared<const ClusterTable>(table));
    return out;
}

void with(const char* name, const Order& order, const char* refusal,
          const std::function<void(ClusterTable&, ClusterTable&)>& change = {}, bool others = false)
{
    QTest::newRow(name) << order << view(change) << others << QString::fromUtf8(refusal);
}

} // namespace

/// Which orders make sense when, and what is said of those that do not.
class TestOrderRules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void orders_data();
    void orders();
};

void TestOrderRules::orders_data()
{
    QTest::addColumn<Order>("order");
    QTest::addColumn<MembershipView>("view");
    QTest::addColumn<bool>("others");
    QTest::addColumn<QString>("refusal");
    constexpr ProcessorId io(1);
    constexpr ProcessorId rank(2);
    constexpr ProcessorId standby(4);
    const auto health = [](std::uint32_t processor, Health is) {
        return [=](ClusterTable& first, ClusterTable&) {
            first.member(ProcessorId(processor))->health = is;
        };
    };

    with("drain", DrainOrder{rank, true}, "");
    with("drain a stranger", DrainOrder{ProcessorId(8), true}, "there is no processor 8");
    with("drain the dead", DrainOrder{rank, true}, "processor 2 takes no part any more: lost",
         health(2, Health::Lost));
    with("drain the gone", DrainOrder{rank, true}, "processor 2 takes no part any more: left",
         health(2, Health::Left));
    with("drain the condemned", DrainOrder{rank, true}, "processor 2 is being ended",
         health(2, Health::Condemned));
    with("drain who is not ready", DrainOrder{rank, true}, "", health(2, Health::Expected));
    with("drain a suspect", DrainOrder{rank, true}, "", health(2, Health::Suspect));
    with("undrain", DrainOrder{rank, false}, "processor 2 is not drained");
    with("undrain meanwhile", DrainOrder{rank, false}, "", {}, true);
    with("drain a dedicated master", DrainOrder{ProcessorId(0), true},
         "processor 0 is a dedicated master: it gets no work anyway");

    with("promote", PromoteOrder{standby}, "");
    with("promote the system master", PromoteOrder{ProcessorId(0)},
         "processor 0 is the system master: it comes first anyway");
    with("promote the second", PromoteOrder{io}, "processor 1 comes first already");
    with("promote the first of another", PromoteOrder{ProcessorId(5)},
         "processor 5 comes first already");
    with("promote a suspect", PromoteOrder{standby},
         "processor 4 has not been heard of for some time; wait until it is, or is lost",
         health(4, Health::Suspect));
    with("promote too early", PromoteOrder{standby}, "processor 4 is not ready yet",
         health(4, Health::Expected));

    with("stop", StopOrder{rank}, "");
    with("stop a cluster master", StopOrder{ProcessorId(5)}, "");
    with("stop who is not ready", StopOrder{rank}, "", health(2, Health::Expected));
    with("stop the system master", StopOrder{ProcessorId(0)},
         "processor 0 is the system master, without which the run ends; end the run instead");
    with("stop twice", StopOrder{rank}, "processor 2 is being ended", health(2, Health::Condemned));

    const auto vacant = [](ClusterTable& first, ClusterTable&) {
        first.member(ProcessorId(3))->seat.reset();
    };
    with("rank to standby", KindOrder{rank, ProcessorKind::Standby}, "");
    with("standby to standby", KindOrder{standby, ProcessorKind::Standby},
         "processor 4 is standby already");
    with("standby that took over", KindOrder{standby, ProcessorKind::Standby}, "",
         [](ClusterTable& first, ClusterTable&) {
             first.member(ProcessorId(3))->seat.reset();
             first.member(ProcessorId(4))->seat = SeatId(1);
         });
    with("standby to active", KindOrder{standby, ProcessorKind::Active}, "", vacant);
    with("no vacant rank", KindOrder{standby, ProcessorKind::Active},
         "its subcluster has no vacant rank; make another processor a standby first");
    with("no vacant I/O", KindOrder{standby, ProcessorKind::Io},
         "its subcluster has no vacant I/O place; make another processor a standby first", vacant);
    with("drained to active", KindOrder{standby, ProcessorKind::Active},
         "processor 4 is drained; let it take work again first",
         [](ClusterTable& first, ClusterTable&) {
             first.member(ProcessorId(3))->seat.reset();
             first.member(ProcessorId(4))->drained = true;
         });
    with("active to active", KindOrder{rank, ProcessorKind::Active},
         "processor 2 is active already");
    with("active to I/O", KindOrder{rank, ProcessorKind::Io},
         "processor 2 holds a place of another kind; make it a standby first");
    with("dedicated master", KindOrder{rank, ProcessorKind::DedicatedMaster},
         "who is a dedicated master is settled at the start; change the topology file for the next "
         "run");
    with("dedicated to active", KindOrder{ProcessorId(0), ProcessorKind::Active},
         "who is a dedicated master is settled at the start; change the topology file for the next "
         "run");
    with("while it lets go", KindOrder{rank, ProcessorKind::Active}, "",
         [](ClusterTable& first, ClusterTable&) {
             first.member(ProcessorId(2))->kind = ProcessorKind::Standby;
             first.member(ProcessorId(2))->vacating = true;
         });

    with("rules", RulesOrder{SubclusterId(0), {.minimum = 2}}, "");
    with("rules of nobody", RulesOrder{SubclusterId(2), {}}, "there is no subcluster 2");
    with("too many", RulesOrder{SubclusterId(1), {.minimum = 2}},
         "a minimum of 2 ranks is more than the 1 that there are; give 0 to 1");
    with("no time", RulesOrder{SubclusterId(1), {.within = 0s}},
         "restarts are counted wrongly; give a count of 0 to 100000 within 1 to 1000000 s");
    with("too often", RulesOrder{SubclusterId(1), {.restarts = 100'001}},
         "restarts are counted wrongly; give a count of 0 to 100000 within 1 to 1000000 s");
}

void TestOrderRules::orders()
{
    QFETCH(Order, order);
    QFETCH(MembershipView, view);
    QFETCH(bool, others);
    QFETCH(QString, refusal);
    const Result<void> result = orderFits(order, view, others);
    QCOMPARE(result ? QString() : QString::fromStdString(result.error().text()), refusal);
    if (!result)
        QCOMPARE(result.error().kind, ErrorKind::Input);
}

QTEST_APPLESS_MAIN(TestOrderRules)

} // namespace tst_orderrules

#include "tst_orderrules.moc"
