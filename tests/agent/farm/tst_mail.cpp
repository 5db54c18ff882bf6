// SPDX-License-Identifier: GPL-3.0-or-later
#include "deskbench.h"
#include "farm/foremanmail.h"
#include "farm/mastermail.h"

#include <QTest>

namespace tst_mail {

using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

namespace {

const CrewId mailCrew(4);
const ProcessorId mailMaster(0);
const ProcessorId mailChief(4);

Envelope envelopeOf(Epoch epoch, FarmMessage message, std::uint64_t term)
{
    return {.epoch = epoch,
            .held = {Rank(5), Incarnation(2)},
            .message = std::move(message),
            .crew = mailCrew,
            .term = term};
}

} // namespace

/// What breaks it: a message to who is not to get it, or in the wrong term; one that is believed though somebody
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
        bench.master.mail.send(CrewId(1), Halt{}); // the same: it has no foreman
        const auto letters = bench.sent();
        QCOMPARE(letters.size(), 2U);
        for (const DeskBench::Letter& letter : letters) {
            QVERIFY(letter.to == ProcessorId(3));
            QVERIFY((letter.envelope.held == HeldRank{Rank(1), Incarnation(2)}));
            QVERIFY(!letter.envelope.crew);
        }
        QVERIFY(bench.master.mail.takeSent());
        QVERIFY(!bench.master.mail.takeSent());
    }

    void theMasterReachesACrewThatIsMustered()
    {
        DeskBench bench;
        bench.master.roster.form(mailCrew, Crew({Rank(4)}, 0));
        Crew& crew = *bench.master.roster.crew(mailCrew);
        bench.master.mail.send(mailCrew, Halt{});
        crew.lead(mailChief);
        crew.callMuster({mailChief, 7});
        bench.master.mail.send(mailCrew, Halt{});
        QVERIFY(bench.sent().empty());
        crew.mustered();
        bench.master.mail.send(mailCrew, Halt{});
        const auto letters = bench.sent();
        QCOMPARE(letters.size(), 1U);
        QVERIFY(letters.front().to == mailChief);
        QVERIFY(letters.front().envelope.crew == mailCrew);
        QCOMPARE(letters.front().envelope.term, 7U);
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
        bench.master.mail.sendNoted({{.crew = CrewId(1),
                                      .teller = HeldRank{Rank(1), Incarnation(incarnation)},
                                      .number = 3}});
        QCOMPARE(bench.sentOf<Noted>().size(), noted ? 1U : 0U);
    }

    void onlyTheActingForemanIsToldThatItIsNoted()
    {
        DeskBench bench;
        bench.master.roster.form(mailCrew, Crew({Rank(4)}, 0));
        bench.master.roster.crew(mailCrew)->lead(mailChief);
        bench.master.roster.crew(mailCrew)->callMuster({mailChief, 7});
        for (const std::uint64_t term : {6U, 7U})
            bench.master.mail.sendNoted(
                {{.crew = mailCrew, .teller = Leadership{mailChief, term}, .number = term}});
        const auto noted = bench.sentOf<CrewNoted>();
        QCOMPARE(noted.size(), 1U);
        QCOMPARE(noted.front().upTo, 7U);
    }

    void aForemanBelievesItsMaster_data()
    {
        QTest::addColumn<quint32>("from");
        QTest::addColumn<quint64>("term");
        QTest::addColumn<bool>("rollCall");
        QTest::addColumn<bool>("believed");
        QTest::newRow("in its term") << 0U << quint64{7} << false << true;
        QTest::newRow("in an earlier term") << 0U << quint64{6} << false << false;
        QTest::newRow("a roll call, in any term") << 0U << quint64{0} << true << true;
        QTest::newRow("somebody else") << 1U << quint64{7} << true << false;
    }
    void aForemanBelievesItsMaster()
    {
        QFETCH(quint32, from);
        QFETCH(quint64, term);
        QFETCH(bool, rollCall);
        QFETCH(bool, believed);
        DeskBench bench;
        const Hands hands;
        ForemanMail mail(Epoch(2), mailCrew, mailMaster, hands, bench.transport);
        mail.setTerm(7);
        const Envelope envelope = envelopeOf(
            Epoch(2), rollCall ? FarmMessage(CrewRollCall{}) : FarmMessage(Halt{}), term);
        QVERIFY(mail.isPresent(envelope));
        QVERIFY(!mail.isPresent(envelopeOf(Epoch(1), Halt{}, term)));
        QCOMPARE(mail.isOfMaster(ProcessorId(from), envelope), believed);
        QVERIFY(!mail.setMaster(mailMaster));
        QVERIFY(mail.setMaster(ProcessorId(3)));
        QVERIFY(!mail.isOfMaster(mailMaster, envelope));
    }

    void aForemanBelievesWhoHoldsARank_data()
    {
        QTest::addColumn<int>("state");
        QTest::addColumn<quint64>("term");
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
    void aForemanBelievesWhoHoldsARank()
    {
        QFETCH(int, state);
        QFETCH(quint64, term);
        QFETCH(bool, hello);
        QFETCH(bool, believed);
        Hand hand;
        hand.state = static_cast<Hand::State>(state);
        hand.holder = ProcessorId(5);
        hand.incarnation = Incarnation(2);
        hand.call = 9;
        const Envelope envelope = envelopeOf(
            Epoch(2), hello ? FarmMessage(Hello{}) : FarmMessage(Report{}), term);
        QCOMPARE(ForemanMail::isOf(hand, ProcessorId(5), envelope), believed);
        QVERIFY(!ForemanMail::isOf(hand, ProcessorId(6), envelope));
        hand.incarnation = Incarnation(3);
        QVERIFY(!ForemanMail::isOf(hand, ProcessorId(5), envelope));
    }
};

QTEST_APPLESS_MAIN(TestMail)

} // namespace tst_mail

#include "tst_mail.moc"
