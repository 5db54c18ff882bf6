// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "cells/editstep.h"

#include <QUndoStack>

#include <string>

namespace tst_editstep {

using namespace tasuki;

namespace {

using Edit = ValueEdit<int, std::string>;

Edit ofNumber(std::size_t place, int before, int after, bool oneCell)
{
    Edit edit;
    edit.of<int>().push_back({place, before, after});
    if (oneCell)
        edit.cell = {0, place, 0, 0};
    return edit;
}

} // namespace

/// Steps of undo of values.
/// What breaks it: a step that is more or less than one cell's edits, one that changes nothing and
/// stays.
class TestEditStep : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void knowsWhatChangesNothing();
    void absorbs_data();
    void absorbs();
    void editsOfACellAreOneStep();
    void runsBothWays();

private:
    void push(const Edit& edit)
    {
        m_steps.push(new ValueStep<Edit>(
            QStringLiteral("edit"), edit, [this](const Edit& one, bool forwards) {
                for (const auto& number : one.of<int>())
                    m_numbers[number.place] = forwards ? number.after : number.before;
            }));
    }

    QUndoStack m_steps;
    std::array<int, 2> m_numbers{1, 2};
};

void TestEditStep::knowsWhatChangesNothing()
{
    QVERIFY(Edit().isVoid());
    Edit edit = ofNumber(0, 1, 1, false);
    QVERIFY(edit.isVoid());
    edit.of<std::string>().push_back({0, "a", "b"});
    QVERIFY(!edit.isVoid());
}

void TestEditStep::absorbs_data()
{
    QTest::addColumn<bool>("mineIsOneCell");
    QTest::addColumn<int>("place");
    QTest::addColumn<bool>("theirsIsOneCell");
    QTest::addColumn<bool>("done");
    QTest::newRow("the same cell") << true << 0 << true << true;
    QTest::newRow("another cell") << true << 1 << true << false;
    QTest::newRow("many after one") << true << 0 << false << false;
    QTest::newRow("many after many") << false << 0 << false << false;
}

void TestEditStep::absorbs()
{
    QFETCH(bool, mineIsOneCell);
    QFETCH(int, place);
    QFETCH(bool, theirsIsOneCell);
    QFETCH(bool, done);
    Edit mine = ofNumber(0, 1, 5, mineIsOneCell);
    QCOMPARE(mine.absorb(ofNumber(static_cast<std::size_t>(place), 5, 6, theirsIsOneCell)), done);
    QCOMPARE(mine.of<int>()[0].before, 1);
    QCOMPARE(mine.of<int>()[0].after, done ? 6 : 5);
}

void TestEditStep::editsOfACellAreOneStep()
{
    push(ofNumber(0, 1, 5, true));
    push(ofNumber(0, 5, 6, true));
    QCOMPARE(m_steps.count(), 1);
    push(ofNumber(1, 2, 7, true));
    QCOMPARE(m_steps.count(), 2);
    m_steps.undo();
    m_steps.undo();
    QCOMPARE(m_numbers, (std::array{1, 2}));
    m_steps.redo();
    QCOMPARE(m_numbers, (std::array{6, 2}));
    push(ofNumber(0, 6, 1, true)); // as it was: no step is left
    QCOMPARE(m_steps.count(), 0);
}

void TestEditStep::runsBothWays()
{
    m_steps.clear();
    QList<bool> runs;
    m_steps.push(
        new EditStep(QStringLiteral("step"), [&runs](bool forwards) { runs << forwards; }));
    m_steps.undo();
    m_steps.redo();
    QCOMPARE(runs, (QList<bool>{true, false, true}));
}

QTEST_GUILESS_MAIN(TestEditStep)

} // namespace tst_editstep

#include "tst_editstep.moc"
