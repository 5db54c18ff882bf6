// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "environment/generalform.h"
#include "environment/linkpage.h"
#include "panelfixture.h"

#include <QCheckBox>
#include <QLabel>
#include <QRadioButton>

namespace tst_environmentfigures {

using namespace tasuki;
using namespace tasuki::testing;

/// The pages of links and general figures, by keyboard and mouse.
/// What breaks it: a figure that gets into another link or another line, one that is not given and
/// looks as if it were.
class TestEnvironmentFigures : public QObject, PanelFixture {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        open();
        fill();
    }
    void cleanup() { close(); }
    void editsLinks();
    void editsBursts();
    void editsGeneralValues();
    void saysWhatIsNotGiven();
};

void TestEnvironmentFigures::editsLinks()
{
    m_panel->showPage(EnvironmentPanel::Page::Links);
    LinkPage& links = m_panel->links();
    CellTableView& table = links.table();
    const auto cell = [&links](int from, int to) { return links.model().index(from, to); };
    CheckedLine* editor = edit(table, cell(0, 1));
    QTest::keyClicks(editor, QStringLiteral("-5"));
    settle();
    QVERIFY(shownReason(table).contains(QStringLiteral("from 0 to 1e12")));
    // The other figure is not shown while this one is wrong.
    QTest::mouseClick(&links.button(LinkFigure::A1), Qt::LeftButton);
    QCOMPARE(links.model().figure(), LinkFigure::A0);
    QVERIFY(links.button(LinkFigure::A0).isChecked());
    QTest::keyClick(editor, Qt::Key_Escape);
    settle();
    editor = edit(table, cell(0, 1));
    QTest::keyClicks(editor, QStringLiteral("33"));
    QTest::keyClick(editor, Qt::Key_Return);
    settle();
    QCOMPARE(m_document->environment().link(plan::Node(1), plan::Node(0)).a0Us, 33.0);
    QVERIFY(links.useDefault().isEnabled());
    links.bothWays().click();
    QTest::keyClick(&table, Qt::Key_Delete);
    QVERIFY(!links.model().isOwn(cell(0, 1)) && links.model().isOwn(cell(1, 0)));
    QVERIFY(!links.useDefault().isEnabled());
    QTest::keyClick(&table, Qt::Key_Down);
    links.useDefault().trigger(); // of 1 to 1: none
    QTest::keyClick(&table, Qt::Key_Left);
    links.useDefault().trigger();
    QVERIFY(!links.model().isOwn(cell(1, 0)));
    links.button(LinkFigure::A1).click();
    QCOMPARE(cell(0, 3).data().toString(), QStringLiteral("0.800 ± 0.003"));
    links.button(LinkFigure::A0).click();
    QCOMPARE(cell(0, 3).data().toString(), QStringLiteral("120.1 ± 0.4"));
}

void TestEnvironmentFigures::editsBursts()
{
    m_panel->showPage(EnvironmentPanel::Page::Links);
    LinkPage& links = m_panel->links();
    CellTableView& table = links.table();
    QTest::mouseClick(&links.button(LinkFigure::Burst), Qt::LeftButton);
    QVERIFY(links.button(LinkFigure::Burst).isChecked());
    QCOMPARE(links.model().figure(), LinkFigure::Burst);
    for (const LinkFigure figure : allLinkFigures)
        QVERIFY(!links.button(figure).toolTip().isEmpty());
    const QModelIndex measured = links.model().index(0, 3);
    CheckedLine* editor = edit(table, measured);
    QCOMPARE(editor->text(), QStringLiteral("5000"));
    QTest::keyClicks(editor, QStringLiteral("much"));
    settle();
    QCOMPARE(shownReason(table),
             QStringLiteral("Expected bytes, a number from 0 to 1e15, e.g. 1500."));
    links.button(LinkFigure::A0).click(); // not while this is wrong
    QCOMPARE(links.model().figure(), LinkFigure::Burst);
    QVERIFY(links.button(LinkFigure::Burst).isChecked());
    editor->selectAll();
    QTest::keyClick(editor, Qt::Key_Delete);
    QCOMPARE(editor->placeholderText(), QStringLiteral("empty: none"));
    QTest::keyClick(editor, Qt::Key_Return);
    settle();
    const plan::LinkSpec link = m_document->environment().link(plan::Node(0), plan::Node(3));
    QCOMPARE(link.burstBytes, 0.0);
    QCOMPARE(link.a0Us, 120.1234);
    QCOMPARE(measured.data().toString(), QStringLiteral("none"));
    QTest::keyClick(&table, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(measured.data().toString(), QStringLiteral("5000"));
}

void TestEnvironmentFigures::editsGeneralValues()
{
    m_panel->showPage(EnvironmentPanel::Page::General);
    ValueLine& line = m_panel->general().line(GeneralField::DefaultA0);
    settle();
    QCOMPARE(line.text(), QStringLiteral("60"));
    line.setFocus();
    line.selectAll();
    QTest::keyClicks(&line, QStringLiteral("60,5"));
    settle();
    const auto* reason = line.parentWidget()->findChild<ReasonBubble*>();
    QVERIFY(reason != nullptr);
    bool shown = false;
    for (const auto* bubble : line.parentWidget()->findChildren<ReasonBubble*>())
        shown = shown || (bubble->isVisible() && bubble->text() == line.problem());
    QVERIFY(shown);
    m_panel->general().line(GeneralField::DefaultA1).setFocus(); // leaving does not take it
    QCOMPARE(line.text(), QStringLiteral("60,5"));
    QCOMPARE(m_document->environment().linkDefault.a0Us, 60.0);
    QVERIFY(!m_panel->finishEditing());
    QVERIFY(line.hasFocus());
    QTest::keyClick(&line, Qt::Key_Escape);
    QCOMPARE(line.text(), QStringLiteral("60"));
    QTest::keyClicks(&line, QStringLiteral("60.5"));
    QTest::keyClick(&line, Qt::Key_Return);
    QCOMPARE(m_document->environment().linkDefault.a0Us, 60.5);
    QTest::keyClick(&line, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(line.text(), QStringLiteral("60"));
    QCOMPARE(m_panel->links().model().index(0, 1).data().toString(), QStringLiteral("60"));
}

void TestEnvironmentFigures::saysWhatIsNotGiven()
{
    m_panel->showPage(EnvironmentPanel::Page::General);
    ValueLine& buffer = m_panel->general().line(GeneralField::SendBufferBytes);
    QCOMPARE(buffer.text(), QStringLiteral("800000"));
    // Words that take several lines have the room for them.
    for (const auto* words : m_panel->general().findChildren<QLabel*>()) {
        if (words->wordWrap())
            QVERIFY2(words->height() >= words->heightForWidth(words->width()),
                     qPrintable(words->text()));
    }
    buffer.setFocus();
    buffer.selectAll();
    QTest::keyClick(&buffer, Qt::Key_Delete);
    QTest::keyClick(&buffer, Qt::Key_Return);
    QCOMPARE(m_document->environment().sendBufferBytes, 0.0);
    QCOMPARE(buffer.text(), QString());
    QCOMPARE(buffer.placeholderText(), QStringLiteral("not known"));
    QTest::keyClick(&buffer, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(buffer.text(), QStringLiteral("800000"));
    buffer.selectAll();
    QTest::keyClicks(&buffer, QStringLiteral("0")); // says the same
    QTest::keyClick(&buffer, Qt::Key_Return);
    QCOMPARE(buffer.text(), QString());
    QCOMPARE(m_document->environment().sendBufferBytes, 0.0);

    ValueLine& burst = m_panel->general().line(GeneralField::DefaultBurst);
    QCOMPARE(burst.text(), QString());
    QCOMPARE(burst.placeholderText(), QStringLiteral("none"));
    const QString meaning = burst.toolTip();
    QVERIFY2(meaning.contains(QStringLiteral("token bucket")), qPrintable(meaning));
    QCOMPARE(burst.accessibleDescription(), explanation(GeneralField::DefaultBurst));
    burst.setFocus();
    QTest::keyClicks(&burst, QStringLiteral("-1"));
    QCOMPARE(burst.toolTip(), burst.problem());
    QVERIFY(burst.problem().contains(QStringLiteral("bytes, a number from 0 to 1e15")));
    QTest::keyClick(&burst, Qt::Key_Escape);
    QCOMPARE(burst.toolTip(), meaning);
    QTest::keyClicks(&burst, QStringLiteral("3000"));
    QTest::keyClick(&burst, Qt::Key_Return);
    QCOMPARE(m_document->environment().linkDefault.burstBytes, 3000.0);
    m_panel->links().model().setFigure(LinkFigure::Burst);
    QCOMPARE(m_panel->links().model().index(0, 1).data().toString(), QStringLiteral("3000"));
}

QTEST_MAIN(TestEnvironmentFigures)

} // namespace tst_environmentfigures

#include "tst_environmentfigures.moc"
