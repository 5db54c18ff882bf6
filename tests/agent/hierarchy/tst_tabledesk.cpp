// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "partsfixture.h"

namespace tst_tabledesk {

using namespace tasuki;
using namespace tasuki::hierarchy;
using namespace tasuki::hierarchy::testing;
using namespace std::chrono_literals;

namespace {

void condemn(ClusterTable& table, std::uint32_t number)
{
    table.member(ProcessorId(number))->health = Health::Condemned;
}

std::vector<std::pair<ProcessorId, bool>> tablesIn(const Mail& mail)
{
    std::vector<std::pair<ProcessorId, bool>> to; // whether it is a table, else an Ask
    for (const auto& [processor, message] : mail)
        to.emplace_back(processor, std::holds_alternative<Tables>(message));
    return to;
}

} // namespace

/// Which tables are written here, and whom they are told.
class TestTableDesk : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aClusterMasterWritesItsOwnTable()
    {
        Parts parts(4);
        parts->desk.takePlace();
        QVERIFY(parts->desk.writerOf(SubclusterId(1)) != nullptr);
        QVERIFY(parts->desk.writerOf(SubclusterId(0)) == nullptr);
        Parts other(5);
        other->desk.takePlace();
        QVERIFY(other->desk.writerOf(SubclusterId(1)) == nullptr);
    }

    void theSystemMasterWritesForAMasterThatIsCondemned()
    {
        Parts parts(0);
        parts->desk.takePlace();
        QVERIFY(parts->desk.writerOf(SubclusterId(1)) == nullptr);
        parts.change(1, [](ClusterTable& table) { condemn(table, 4); });
        parts->desk.takePlace();
        QVERIFY(parts->desk.writerOf(SubclusterId(1)) != nullptr);
        QCOMPARE(parts->desk.condemned(), processors({4}));
        // When another one can write again, it does.
        parts.change(1, [](ClusterTable& table) {
            table.member(ProcessorId(4))->health = Health::Lost;
            table.member(ProcessorId(4))->seat.reset();
        });
        parts->desk.takePlace();
        QVERIFY(parts->desk.writerOf(SubclusterId(1)) == nullptr);
    }

    void nobodyWritesWithoutAMajority()
    {
        Parts parts(0, {4});
        parts->lease.stand(Standing::Lapsed, parts.now());
        parts->desk.takePlace();
        QVERIFY(parts->desk.writerOf(SubclusterId(0)) == nullptr);
        parts->lease.stand(Standing::Valid, parts.now());
        parts->desk.takePlace();
        QVERIFY(parts->desk.writerOf(SubclusterId(0)) != nullptr);
    }

    void standbysAreResyncedFirstByTheTableThenAsked()
    {
        Parts parts(4);
        parts->desk.takePlace();
        QVERIFY(parts->desk.resyncsNewly());
        QCOMPARE(tablesIn(parts->desk.resync()),
                 (std::vector<std::pair<ProcessorId, bool>>{{ProcessorId(7), true}}));
        QVERIFY(!parts->desk.resyncsNewly());
        QVERIFY(parts->desk.resync().empty()); // a child says so anyway
    }

    void whatAnotherOneBroughtIsNotToldIt()
    {
        Parts parts(0);
        parts->desk.changed(parts->at.view.cluster(SubclusterId(1)), ProcessorId(4));
        std::set<ProcessorId> told;
        for (const auto& [to, message] : parts->desk.toPass())
            told.insert(to);
        QVERIFY(!told.contains(ProcessorId(4)));
        QVERIFY(told.contains(ProcessorId(1)));
        QVERIFY(parts->desk.toPass().empty());
    }

    void aTableOfAnotherOneEndsTheOwnWriting()
    {
        Parts parts(4);
        parts->desk.takePlace();
        parts->desk.changed(parts->at.ownCluster(), ProcessorId(0));
        QVERIFY(parts->desk.writerOf(SubclusterId(1)) == nullptr);
    }

    void termsGoBeyondThoseOfWhomItTakesForUnreachable()
    {
        Parts parts(4);
        parts->desk.takePlace();
        const TableTerm next = parts->desk.writerOf(SubclusterId(1))->draft().version.term;
        QCOMPARE(generationOf(next), generationOf(parts->at.ownCluster().version.term));
        Parts successor(4);
        successor->succession.takeForUnreachable(ProcessorId(0), successor.now());
        successor.place();
        successor->desk.takePlace();
        const TableTerm beyond = successor->desk.writerOf(SubclusterId(1))->draft().version.term;
        QCOMPARE(generationOf(beyond), generationOf(next).next());
        successor->desk.renew(SubclusterId(1), Generation(7));
        QCOMPARE(generationOf(successor->desk.writerOf(SubclusterId(1))->draft().version.term),
                 Generation(7));
    }

    void whoDecidesAboutAMasterIsTheSystemMaster()
    {
        Parts parts(5);
        QCOMPARE(parts->desk.whoDecides(ProcessorId(6)), std::optional(ProcessorId(4)));
        QCOMPARE(parts->desk.whoDecides(ProcessorId(4)), std::optional(ProcessorId(0)));
        QVERIFY(!parts->desk.whoDecides(ProcessorId(0)).has_value());
    }
};

QTEST_APPLESS_MAIN(TestTableDesk)

} // namespace tst_tabledesk

#include "tst_tabledesk.moc"
