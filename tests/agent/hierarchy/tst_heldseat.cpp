// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "hierarchy/heldseat.h"

#include "partsfixture.h"

namespace tst_heldseat {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;
using namespace std::chrono_literals;

namespace {

/// Processor 1 of startedView(), which holds seat 0.
struct Holder {
    HeldSeat::Look look(Standing standing = Standing::Valid)
    {
        return seat.look(parts->at.ownCluster(), parts->at.self, standing);
    }
    void change(const std::function<void(ClusterTable&)>& what) { parts.change(0, what); }

    Parts parts{1};
    HeldSeat seat;
    Holding first{SeatId(0), parts->at.ownCluster().seat(SeatId(0))->incarnation};
};

void vacate(ClusterTable& table) { table.member(ProcessorId(1))->vacating = true; }
void unsayTaken(ClusterTable& table) { table.seat(SeatId(0))->taken = false; }
void giveAnew(ClusterTable& table)
{
    table.member(ProcessorId(1))->vacating = false;
    table.seat(SeatId(0))->incarnation = Incarnation(9);
}

} // namespace

/// The table: docs/hierarchy.md, "A seat, as its holder sees it".
class TestHeldSeat : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void takesTheSeatOfItsTableOnce()
    {
        Holder holder;
        const auto taken = holder.look();
        QVERIFY(taken.changed && taken.taken);
        QCOMPARE(holder.seat.now(), std::optional(holder.first));
        QVERIFY(!holder.look().changed);
    }

    void saysThatItIsTakenUntilTheTableShowsIt()
    {
        Holder holder;
        holder.change(unsayTaken);
        QCOMPARE(holder.look().toSayTaken, std::optional(holder.first));
        const auto again = holder.look();
        QCOMPARE(again.toSayTaken, std::optional(holder.first));
        QVERIFY(!again.taken);
    }

    void letsGoWhenItsTableWantsThat()
    {
        Holder holder;
        holder.look();
        holder.change(vacate);
        const auto look = holder.look();
        QCOMPARE(look.toLetGo, std::optional(holder.first));
        QVERIFY(look.changed && !look.vacated && !holder.seat.now() && !holder.seat.released());
        QVERIFY(!holder.look().toLetGo); // said once
        QVERIFY(!holder.seat.stopped({SeatId(0), Incarnation(77)}));
        QVERIFY(holder.seat.stopped(holder.first));
        QCOMPARE(holder.look().vacated, std::optional(holder.first));
        QVERIFY(holder.seat.released());
        QCOMPARE(holder.seat.last(), std::optional(holder.first));
    }

    void takesUpNoMoreWhatItHasLetGoOf()
    {
        Holder holder;
        holder.look();
        QCOMPARE(holder.seat.drop(true), std::optional(holder.first));
        QVERIFY(!holder.look().changed);
        QVERIFY(holder.seat.stopped(holder.first));
        QVERIFY(!holder.look().changed);
        holder.change(giveAnew);
        QCOMPARE(holder.look().changed, true);
        QCOMPARE(holder.seat.now(), std::optional(Holding{SeatId(0), Incarnation(9)}));
    }

    void takesNoneWithoutALease()
    {
        Holder holder;
        QVERIFY(!holder.look(Standing::Lapsed).changed);
        QVERIFY(!holder.look(Standing::Suspended).changed); // another than it has
        holder.look();
        QVERIFY(!holder.look(Standing::Suspended).changed); // the one that it has it keeps
        QVERIFY(holder.seat.now().has_value());
        QVERIFY(holder.look(Standing::Lapsed).changed);
        QVERIFY(!holder.seat.now());
    }

    void whoGivesItselfUpRemembersWhatItHeld()
    {
        Holder holder;
        holder.look();
        QVERIFY(holder.seat.drop(false));
        QVERIFY(holder.seat.released()); // nothing is to be ended in order
        holder.seat.beginAnew();
        QCOMPARE(holder.seat.last(), std::optional(holder.first));
    }
};

QTEST_APPLESS_MAIN(TestHeldSeat)

} // namespace tst_heldseat

#include "tst_heldseat.moc"
