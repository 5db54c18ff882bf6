// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "models/drafttable.h"
#include "sessionbench.h"

namespace tst_drafttable {

using namespace tasuki;
using namespace tasuki::testing;

namespace {

using Phase = TaskDraft::Phase;

constexpr TaskId edited(2);

enum class Happening { Fulfilled, ChangedOtherwise, Started, Accepted, Refused };

/// Ten queued tasks and a draft of one, in a phase.
struct TableBench : SessionBench {
    explicit TableBench(Phase phase) : table(*session)
    {
        begin(10);
        table.setText(edited, TaskField::Command, QStringLiteral("mine"));
        if (phase != Phase::Local)
            table.send(edited);
        if (phase == Phase::Accepted)
            table.answer(edited, true);
    }
    void change(const std::string& command)
    {
        Task task = session->state().task(edited).task;
        task.command = command;
        happen({TaskChanged{.id = edited, .task = task}});
    }
    void meet(Happening happening)
    {
        switch (happening) {
        case Happening::Fulfilled: change("mine"); break;
        case Happening::ChangedOtherwise: change("theirs"); break;
        case Happening::Started: happen({started(edited.value())}); break;
        case Happening::Accepted: table.answer(edited, true); break;
        case Happening::Refused: table.answer(edited, false); break;
        }
        table.settle(edited);
    }

    DraftTable table;
};

} // namespace

/// The table of phases, cell by cell.
/// What breaks it: a draft that stays when it is in the record, one that goes with an edit that
/// nobody has, an edit that is lost while its draft is on its way.
class TestDraftTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void goesFromPhaseToPhase_data();
    void goesFromPhaseToPhase();
    void keepsEditsUntilItHasLanded_data();
    void keepsEditsUntilItHasLanded();
    void sendsWhatCanBeSent();
    void standsOnTheRecordAgain();
};

void TestDraftTable::goesFromPhaseToPhase_data()
{
    QTest::addColumn<Phase>("phase");
    QTest::addColumn<Happening>("happening");
    QTest::addColumn<std::optional<Phase>>("after"); ///< none: it has vanished
    QTest::addColumn<std::optional<ConflictCause>>("conflict");
    const auto row = [](const char* name, Phase phase, Happening happening,
                        std::optional<Phase> after, std::optional<ConflictCause> conflict = {}) {
        QTest::newRow(name) << phase << happening << after << conflict;
    };
    using enum Happening;
    row("local, fulfilled", Phase::Local, Fulfilled, {});
    row("sent, fulfilled", Phase::Sent, Fulfilled, {});
    row("accepted, fulfilled", Phase::Accepted, Fulfilled, {});
    row("local, changed", Phase::Local, ChangedOtherwise, Phase::Local, ConflictCause::Changed);
    row("sent, changed", Phase::Sent, ChangedOtherwise, Phase::Sent);
    row("accepted, changed", Phase::Accepted, ChangedOtherwise, {});
    row("local, started", Phase::Local, Started, Phase::Local, ConflictCause::Started);
    row("sent, started", Phase::Sent, Started, Phase::Sent);
    row("local, an answer to others", Phase::Local, Happening::Accepted, Phase::Local);
    row("sent, accepted", Phase::Sent, Happening::Accepted, Phase::Accepted);
    row("sent, refused", Phase::Sent, Refused, Phase::Local);
    row("accepted, a second answer", Phase::Accepted, Refused, Phase::Accepted);
}

void TestDraftTable::goesFromPhaseToPhase()
{
    QFETCH(Phase, phase);
    QFETCH(Happening, happening);
    QFETCH(std::optional<Phase>, after);
    QFETCH(std::optional<ConflictCause>, conflict);
    TableBench bench(phase);
    QCOMPARE(bench.table.find(edited)->phase, phase);
    bench.meet(happening);
    const TaskDraft* const draft = bench.table.find(edited);
    QCOMPARE(draft != nullptr, after.has_value());
    if (draft != nullptr) {
        QCOMPARE(draft->phase, *after);
        QVERIFY(draft->conflict == conflict);
        QCOMPARE(*bench.table.text(edited, TaskField::Command), QStringLiteral("mine"));
    }
}

void TestDraftTable::keepsEditsUntilItHasLanded_data()
{
    QTest::addColumn<Happening>("happening");
    QTest::newRow("in the record") << Happening::Fulfilled;
    QTest::newRow("refused") << Happening::Refused;
}

void TestDraftTable::keepsEditsUntilItHasLanded()
{
    QFETCH(Happening, happening);
    TableBench bench(Phase::Sent);
    bench.table.setText(edited, TaskField::Command, QStringLiteral("later"));
    QCOMPARE(bench.table.find(edited)->phase, Phase::Sent);
    QCOMPARE(bench.table.wanted(edited)->command, std::string("mine"));
    QCOMPARE(*bench.table.text(edited, TaskField::Command), QStringLiteral("later"));
    bench.meet(happening);
    QCOMPARE(bench.table.find(edited)->phase, Phase::Local);
    QCOMPARE(bench.table.wanted(edited)->command, std::string("later"));
}

void TestDraftTable::sendsWhatCanBeSent()
{
    TableBench bench(Phase::Local);
    QVERIFY(!bench.table.send(TaskId(3))); // nothing is wanted of it
    bench.table.setText(TaskId(3), TaskField::Timeout, QStringLiteral("soon"));
    QVERIFY(!bench.table.send(TaskId(3)) && !bench.table.wanted(TaskId(3)).ok());
    QCOMPARE(bench.table.find(TaskId(3))->phase, Phase::Local);
    bench.table.object(edited, ConflictCause::Changed);
    QVERIFY(!bench.table.send(edited));
    QVERIFY(bench.table.rebase(edited));
    QCOMPARE(bench.table.send(edited)->command, std::string("mine"));
    QVERIFY(!bench.table.send(edited)); // it is on its way
    bench.table.object(edited, ConflictCause::Changed);
    QVERIFY(!bench.table.find(edited)->conflict);
}

void TestDraftTable::standsOnTheRecordAgain()
{
    TableBench bench(Phase::Local);
    bench.meet(Happening::ChangedOtherwise);
    QVERIFY(bench.table.find(edited)->base != bench.session->state().task(edited).revision);
    QVERIFY(bench.table.rebase(edited));
    QCOMPARE(bench.table.find(edited)->base, bench.session->state().task(edited).revision);
    QVERIFY(!bench.table.find(edited)->conflict);
    bench.meet(Happening::Started);
    QVERIFY(!bench.table.rebase(edited));
    bench.table.drop(edited);
    QVERIFY(bench.table.all().empty());
    bench.table.setText(edited, TaskField::Command, QStringLiteral("mine")); // it runs
    QVERIFY(!bench.table.find(edited));
}

QTEST_GUILESS_MAIN(TestDraftTable)

} // namespace tst_drafttable

#include "tst_drafttable.moc"
