// SPDX-License-Identifier: GPL-3.0-or-later
#include "deskbench.h"
#include "farm/groupschedulermail.h"
#include "farm/mastermail.h"

#include <QTest>

namespace tst_mail {

using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

const GroupId mailGroup(4);
const ProcessorId mailMaster(0);
const ProcessorId mailChief(4);

Envelope envelopeOf(Epoch epoch, FarmMessage message, std::uint64_t leadership)
{
    return {.epoch = epoch,
            .held = {Rank(5), Incarnation(2)},
            .message = std::move(message),
            .group = mailGroup,
            .leadership = LeadershipNumber(leadership)};
}

} // namespace

/// What breaks it: a message to who is not to get it, or in the wrong leadership; one that is believed though somebody
/// else says it; a report that is noted for who has not told it.
class TestMail : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theMasterReachesWhoHoldsARank()
    {
        DeskBench bench;
        bench.master.roster.hold(Rank(1), ProcessorId(3), Incarnation(2));
        QVERIFY(!bench.master.mail.takeSent());
        bench.master.mail.send(Rank(1), Halt{});
        bench.master.mail.send(GroupId(1), Halt{}); // the same: it has no group scheduler
        const auto letters = bench.sent();
        QCOMPARE(letters.size(), 2U);
        for (const DeskBench::Letter& letter : letters) {
            QVERIFY(letter.to == ProcessorId(3));
            QVERIFY((letter.envelope.held == HeldRank{Rank(1), Incarnation(2)}));
            QVERIFY(!letter.envelope.group);
        }
        QVERIFY(bench.master.mail.takeSent());
        QVERIFY(!bench.master.mail.takeSent());
    }

    void theMasterReachesAGroupThatIsResynced()
    {
        DeskBench bench;
        bench.master.roster.form(mailGroup, WorkerGroup({Rank(4)}, Era()));
        WorkerGroup& group = *bench.master.roster.group(mailGroup);
        bench.master.mail.send(mailGroup, Halt{});
        group.lead(mailChief);
        group.callResync({mailChief, LeadershipNumber(7)});
        bench.master.mail.send(mailGroup, Halt{});
        QVERIFY(bench.sent().empty());
        group.resynced();
        bench.master.mail.send(mailGroup, Halt{});
        const auto letters = bench.sent();
        QCOMPARE(letters.size(), 1U);
        QVERIFY(letters.front().to == mailChief);
        QVERIFY(letters.front().envelope.group == mailGroup);
        QCOMPARE(letters.front().envelope.leadership, LeadershipNumber(7));
    }

    void onlyWhoToldAReportIsToldThatItIsNoted_data()
    {
        QTest::addColumn<quint32>("incarnation");
        QTest::addColumn<bool>("noted");
        QTest::newRow("who told it") << 2U << true;
        QTest::newRow("a former holder") << 1U << false;
    }
    void onlyWhoToldAReportIsToldThatItIsNoted()
    {
        QFETCH(quint32, incarnation);
        QFETCH(bool, noted);
        DeskBench bench;
        bench.master.roster.hold(Rank(1), ProcessorId(1), Incarnation(2));
        bench.master.roster.find(Rank(1))->state = Member::State::Present;
        bench.master.mail.sendNoted({{.group = GroupId(1),
                                      .teller = HeldRank{Rank(1), Incarnation(incarnation)},
                                      .number = 3}});
        QCOMPARE(bench.sentOf<Noted>().size(), noted ? 1U : 0U);
    }

    void onlyTheActingGroupSchedulerIsToldThatItIsNoted()
    {
        DeskBench bench;
        bench.master.roster.form(mailGroup, WorkerGroup({Rank(4)}, Era()));
        bench.master.roster.group(mailGroup)->lead(mailChief);
        bench.master.roster.group(mailGroup)->callResync({mailChief, LeadershipNumber(7)});
        for (const std::uint64_t leadership : {6U, 7U})
            bench.master.mail.sendNoted(
                {{.group = mailGroup,
                  .teller = Leadership{mailChief, LeadershipNumber(leadership)},
                  .number = leadership}});
        const auto noted = bench.sentOf<GroupNoted>();
        QCOMPARE(noted.size(), 1U);
        QCOMPARE(noted.front().upTo, 7U);
    }

    void aGroupSchedulerBelievesItsMaster_data()
    {
        QTest::addColumn<quint32>("from");
        QTest::addColumn<quint64>("leadership");
        QTest::addColumn<bool>("resyncCall");
        QTest::addColumn<bool>("believed");
        QTest::newRow("in its leadership") << 0U << quint64{7} << false << true;
        QTest::newRow("in an earlier leadership") << 0U << quint64{6} << false << false;
        QTest::newRow("a resynchronisation call, in any leadership")
            << 0U << quint64{0} << true << true;
        QTest::newRow("somebody else") << 1U << quint64{7} << true << false;
    }
    void aGroupSchedulerBelievesItsMaster()
    {
        QFETCH(quint32, from);
        QFETCH(quint64, leadership);
        QFETCH(bool, resyncCall);
        QFETCH(bool, believed);
        DeskBench bench;
        const Hands hands;
        GroupSchedulerMail mail(Epoch(2), mailGroup, mailMaster, hands, bench.transport);
        mail.setLeadership(LeadershipNumber(7));
        const Envelope envelope = envelopeOf(
            Epoch(2), resyncCall ? FarmMessage(GroupResyncCall{}) : FarmMessage(Halt{}),
            leadership);
        QVERIFY(mail.isPresent(envelope));
        QVERIFY(!mail.isPresent(envelopeOf(Epoch(1), Halt{}, leadership)));
        QCOMPARE(mail.isOfMaster(ProcessorId(from), envelope), believed);
        QVERIFY(!mail.setMaster(mailMaster));
        QVERIFY(mail.setMaster(ProcessorId(3)));
        QVERIFY(!mail.isOfMaster(mailMaster, envelope));
    }

    void aGroupSchedulerBelievesWhoHoldsARank_data()
    {
        QTest::addColumn<int>("state");
        QTest::addColumn<quint64>("leadership");
        QTest::addColumn<bool>("hello");
        QTest::addColumn<bool>("believed");
        using enum Hand::State;
        QTest::newRow("present") << static_cast<int>(Present) << quint64{9} << false << true;
        QTest::newRow("present, late") << static_cast<int>(Present) << quint64{8} << false << false;
        QTest::newRow("called") << static_cast<int>(Called) << quint64{9} << false << false;
        QTest::newRow("called, its Hello")
            << static_cast<int>(Called) << quint64{0} << true << true;
        QTest::newRow("vacant") << static_cast<int>(Vacant) << quint64{9} << true << false;
    }
    void aGroupSchedulerBelievesWhoHoldsARank()
    {
        QFETCH(int, state);
        QFETCH(quint64, leadership);
        QFETCH(bool, hello);
        QFETCH(bool, believed);
        Hand hand;
        hand.state = static_cast<Hand::State>(state);
        hand.holder = ProcessorId(5);
        hand.incarnation = Incarnation(2);
        hand.call = LeadershipNumber(9);
        const Envelope envelope = envelopeOf(
            Epoch(2), hello ? FarmMessage(Hello{}) : FarmMessage(Report{}), leadership);
        QCOMPARE(GroupSchedulerMail::isOf(hand, ProcessorId(5), envelope), believed);
        QVERIFY(!GroupSchedulerMail::isOf(hand, ProcessorId(6), envelope));
        hand.incarnation = Incarnation(3);
        QVERIFY(!GroupSchedulerMail::isOf(hand, ProcessorId(5), envelope));
    }
};

QTEST_APPLESS_MAIN(TestMail)

} // namespace tst_mail

#include "tst_mail.moc"
