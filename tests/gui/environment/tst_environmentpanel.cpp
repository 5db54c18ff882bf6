// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "cells/celltableview.h"
#include "cells/problembar.h"
#include "cells/reasonbubble.h"
#include "cells/valueline.h"
#include "environment/environmentpanel.h"
#include "environment/generalform.h"
#include "environment/linkpage.h"
#include "panelfixture.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollBar>
#include <QSplitter>
#include <QTimer>

namespace tst_environmentpanel {

using namespace tasuki;
using namespace tasuki::testing;

/// The panel by keyboard and mouse.
/// What breaks it: a wrong value that gets into the environment or goes without a word, an editor
/// that cannot be left, an undo that one does not see, edits that are lost with the file.
class TestEnvironmentPanel : public QObject, PanelFixture {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { close(); }
    void isEmptyAtFirst();
    void showsAWrongSpeedUntilEsc();
    void keepsAWrongCellOpen();
    void takesWhatIsRight();
    void typesOverACell();
    void undoesByKeys();
    void keysArePanelsWhateverTheWindowMeans();
    void addsAndRemovesNodes();
    void copiesAndPastesByKeys();
    void opensAndSaves();
    void tellsWhatIsWrongWithAFile();
    void asksBeforeEditsAreLost();
    void columnsFitTheirPlace();
    void showsAThousandNodes();
    void warnsOfLinksThatCostNothing();
};

void TestEnvironmentPanel::init()
{
    open();
    if (QString::fromLatin1(QTest::currentTestFunction()) != QLatin1String("isEmptyAtFirst"))
        fill();
}

void TestEnvironmentPanel::warnsOfLinksThatCostNothing()
{
    ProblemBar& warning = m_panel->freeLinks();
    QVERIFY(!warning.isVisible());
    m_document->clear();
    QVERIFY(!warning.isVisible());
    m_document->addNode();
    QVERIFY(!warning.isVisible()); // there is nobody to send to
    m_document->addNode();
    QVERIFY(warning.isVisible());
    const auto& nodes = m_document->environment().nodes;
    QCOMPARE(
        warning.headline(),
        QStringLiteral("2 of 2 links cost nothing, as that from %1 to %2")
            .arg(QString::fromStdString(nodes[0].name), QString::fromStdString(nodes[1].name)));
    QVERIFY(warning.details().contains(QStringLiteral("under General")));
    m_document->setCells(
        {{.from = 0, .to = 1, .figure = LinkFigure::A0, .text = QStringLiteral("60")}}, false);
    QVERIFY(warning.headline().startsWith(QStringLiteral("1 of 2 links cost nothing")));
    m_document->setGeneral(GeneralField::DefaultA0, QStringLiteral("60"));
    QVERIFY(!warning.isVisible());
    m_document->undoStack().undo();
    QVERIFY(warning.isVisible());
}

void TestEnvironmentPanel::isEmptyAtFirst()
{
    QVERIFY(!m_panel->nodeTable().isVisible());
    QVERIFY(!m_panel->saveAction().isEnabled() && !m_panel->saveAsAction().isEnabled());
    QVERIFY(!m_panel->undoAction().isEnabled());
    QPushButton* add = nullptr;
    for (auto* button : m_panel->findChildren<QPushButton*>()) {
        if (button->isVisible() && button->text() == QStringLiteral("Add node"))
            add = button;
    }
    QVERIFY(add != nullptr);
    QTest::mouseClick(add, Qt::LeftButton);
    settle();
    QCOMPARE(m_document->nodeCount(), 1U);
    QVERIFY(m_panel->nodeTable().isVisible());
    // Its name is what one types first.
    CheckedLine* editor = m_panel->nodeTable().editor();
    QVERIFY(editor != nullptr);
    QTest::keyClicks(editor, QStringLiteral("alpha"));
    QTest::keyClick(editor, Qt::Key_Return);
    settle();
    QCOMPARE(m_document->environment().nodes[0].name, std::string("alpha"));
}

void TestEnvironmentPanel::showsAWrongSpeedUntilEsc()
{
    CellTableView& table = m_panel->nodeTable();
    CheckedLine* editor = edit(table, node(1, NodeField::Speed));
    QVERIFY(editor != nullptr);
    QCOMPARE(editor->text(), QStringLiteral("0.5 ± 0.0123"));
    QTest::keyClicks(editor, QStringLiteral("fast"));
    settle();
    const QString expected = QStringLiteral(
        "Expected a number above 0, from 0.000001 to 1000000, e.g. 0.5.");
    QCOMPARE(editor->problem(), expected);
    QCOMPARE(shownReason(table), expected);
    QCOMPARE(editor->toolTip(), expected);
    QCOMPARE(editor->accessibleDescription(), expected);
    QTest::keyClick(editor, Qt::Key_Return); // is not taken
    settle();
    QCOMPARE(table.editor(), editor);
    QCOMPARE(m_document->environment().nodes[1].speed, 0.5);
    QTest::keyClick(editor, Qt::Key_Escape);
    settle();
    QVERIFY(table.editor() == nullptr);
    QCOMPARE(shownReason(table), QString());
    QCOMPARE(m_document->environment().nodes[1].speedConfidence, plan::Confidence(0.0123));
    QVERIFY(m_document->isClean());
}

void TestEnvironmentPanel::keepsAWrongCellOpen()
{
    CellTableView& table = m_panel->nodeTable();
    CheckedLine* editor = edit(table, node(0, NodeField::Slots));
    QTest::keyClicks(editor, QStringLiteral("0"));
    QTest::keyClick(editor, Qt::Key_Tab);
    settle();
    QCOMPARE(table.editor(), editor);
    click(table, node(2, NodeField::Name));
    settle();
    QCOMPARE(table.editor(), editor);
    QCOMPARE(table.currentIndex(), node(0, NodeField::Slots));
    editor->clearFocus();
    settle();
    QCOMPARE(table.editor(), editor);
    // Nothing else is done meanwhile.
    const QTemporaryDir folder;
    QVERIFY(!m_panel->saveTo(folder.filePath(QStringLiteral("env.toml"))));
    QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("env.toml"))));
    m_panel->addAction().trigger();
    QCOMPARE(m_document->nodeCount(), 4U);
    QVERIFY(editor->hasFocus());
    // Once it is right, everything goes on.
    QTest::keyClick(editor, Qt::Key_Home);
    QTest::keyClicks(editor, QStringLiteral("1"));
    QVERIFY(editor->problem().isEmpty());
    QTest::keyClick(editor, Qt::Key_Return);
    settle();
    QVERIFY(table.editor() == nullptr);
    QCOMPARE(m_document->environment().nodes[0].slots, 10U);
}

void TestEnvironmentPanel::takesWhatIsRight()
{
    CellTableView& table = m_panel->nodeTable();
    CheckedLine* editor = edit(table, node(0, NodeField::Speed));
    QTest::keyClicks(editor, QStringLiteral("1.25"));
    click(table, node(2, NodeField::Speed)); // leaving takes it
    settle();
    QCOMPARE(m_document->environment().nodes[0].speed, 1.25);
    QVERIFY(table.editor() == nullptr);
    // What is being typed is saved too.
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("env.toml"));
    editor = edit(table, node(3, NodeField::Name));
    QTest::keyClicks(editor, QStringLiteral("last"));
    QVERIFY(m_panel->saveTo(path));
    EnvironmentDocument other;
    QVERIFY(other.load(path).empty());
    QCOMPARE(other.environment().nodes[3].name, std::string("last"));
    QCOMPARE(other.environment().nodes[0].speed, 1.25);
}

void TestEnvironmentPanel::typesOverACell()
{
    CellTableView& table = m_panel->nodeTable();
    click(table, node(2, NodeField::Slots));
    QTest::keyClicks(&table, QStringLiteral("6"));
    settle();
    CheckedLine* editor = table.editor();
    QVERIFY(editor != nullptr);
    QCOMPARE(editor->text(), QStringLiteral("6"));
    QTest::keyClick(editor, Qt::Key_Return);
    settle();
    QCOMPARE(m_document->environment().nodes[2].slots, 6U);
}

void TestEnvironmentPanel::undoesByKeys()
{
    CellTableView& table = m_panel->nodeTable();
    CheckedLine* editor = edit(table, node(0, NodeField::Speed));
    QTest::keyClicks(editor, QStringLiteral("3"));
    QTest::keyClick(editor, Qt::Key_Return);
    settle();
    QCOMPARE(m_document->environment().nodes[0].speed, 3.0);
    QVERIFY(m_panel->title().endsWith(QLatin1Char('*')));
    m_panel->showPage(EnvironmentPanel::Page::General);
    m_panel->general().line(GeneralField::EagerBytes).setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(m_document->environment().nodes[0].speed, 1.0);
    QCOMPARE(m_panel->page(), EnvironmentPanel::Page::Nodes); // where one sees it
    QVERIFY(m_document->isClean());
    QVERIFY(!m_panel->title().endsWith(QLatin1Char('*')));
    table.setFocus();
    QTest::keyClick(&table, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(m_document->environment().nodes[0].speed, 3.0);
    QTest::keyClick(&table, Qt::Key_Z, Qt::ControlModifier);
    QTest::keyClick(&table, Qt::Key_Y, Qt::ControlModifier);
    QCOMPARE(m_document->environment().nodes[0].speed, 3.0);
}

void TestEnvironmentPanel::keysArePanelsWhateverTheWindowMeans()
{
    QMainWindow window;
    auto* other = new QAction(&window);
    other->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Z));
    window.addAction(other);
    QSignalSpy triggered(other, &QAction::triggered);
    auto* aside = new QPushButton;
    auto* panel = new EnvironmentPanel(*m_document);
    auto* both = new QSplitter;
    both->addWidget(aside);
    both->addWidget(panel);
    window.setCentralWidget(both);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    window.activateWindow();
    m_document->addNode();
    panel->nodeTable().setFocus();
    QTRY_VERIFY(panel->nodeTable().hasFocus());
    QTest::keyClick(&panel->nodeTable(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(m_document->nodeCount(), 4U);
    QCOMPARE(triggered.size(), 0);
    panel->showPage(EnvironmentPanel::Page::General);
    m_document->addNode();
    panel->general().line(GeneralField::InsideA1).setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(m_document->nodeCount(), 4U);
    QCOMPARE(triggered.size(), 0);
    m_document->addNode();
    aside->setFocus();
    QTest::keyClick(aside, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(triggered.size(), 1);
    QCOMPARE(m_document->nodeCount(), 5U);
}

void TestEnvironmentPanel::addsAndRemovesNodes()
{
    CellTableView& table = m_panel->nodeTable();
    const plan::Environment before = m_document->environment();
    click(table, node(2, NodeField::Name));
    QTest::keyClick(&table, Qt::Key_Insert);
    settle();
    QCOMPARE(m_document->nodeCount(), 5U);
    QVERIFY(table.editor() != nullptr);
    QCOMPARE(table.editor()->text(), QStringLiteral("grid04"));
    QTest::keyClick(table.editor(), Qt::Key_Escape);
    settle();
    QTest::keyClick(&table, Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(m_document->nodeCount(), 6U);
    QCOMPARE(table.currentIndex().row(), 5); // what came is chosen
    QTest::keyClick(&table, Qt::Key_Delete); // a whole row
    QCOMPARE(m_document->nodeCount(), 5U);
    click(table, node(0, NodeField::Name));
    QTest::keyClick(&table, Qt::Key_Delete); // a name cannot be empty
    QCOMPARE(m_document->nodeCount(), 5U);
    QTest::keyClick(&table, Qt::Key_Delete, Qt::ControlModifier);
    QCOMPARE(m_document->nodeCount(), 4U);
    QCOMPARE(m_document->environment().nodes[0].name, std::string("grid01"));
    for (int i = 0; i < 4; ++i)
        m_panel->undoAction().trigger();
    QVERIFY(m_document->environment() == before);
}

void TestEnvironmentPanel::copiesAndPastesByKeys()
{
    CellTableView& table = m_panel->nodeTable();
    click(table, node(1, NodeField::Speed));
    QTest::keyClick(&table, Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("0.5 ± 0.0123\n0.25\n"));
    click(table, node(2, NodeField::Speed));
    QTest::keyClick(&table, Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(m_document->environment().nodes[2].speed, 0.5);
    QCOMPARE(m_document->environment().nodes[3].speed, 0.25);
    QSignalSpy said(m_panel.get(), &EnvironmentPanel::said);
    click(table, node(2, NodeField::Slots));
    QTest::keyClick(&table, Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(said.size(), 1);
    QVERIFY(said.at(0).at(0).toString().contains(QStringLiteral("a whole number from 1 to 4096")));
    QCOMPARE(m_document->environment().nodes[2].slots, 1U);
}

void TestEnvironmentPanel::opensAndSaves()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("grid.toml"));
    QVERIFY(m_panel->saveTo(path));
    QCOMPARE(m_panel->title(), QStringLiteral("grid.toml"));
    QVERIFY(!m_panel->saveAction().isEnabled());
    m_document->addNode();
    QCOMPARE(m_panel->title(), QStringLiteral("grid.toml *"));
    QVERIFY(m_panel->saveAction().isEnabled());
    m_panel->nodeTable().setFocus();
    QTest::keyClick(&m_panel->nodeTable(), Qt::Key_S, Qt::ControlModifier);
    QVERIFY(m_document->isClean());
    QSignalSpy opened(m_document.get(), &EnvironmentDocument::opened);
    m_panel->open(path);
    QVERIFY(opened.wait());
    QCOMPARE(m_document->nodeCount(), 5U);
    QVERIFY(!m_panel->problems().isVisible());
    QVERIFY(!m_panel->saveTo(folder.filePath(QStringLiteral("none/grid.toml"))));
    QVERIFY(m_panel->problems().isVisible());
    QVERIFY(m_panel->problems().details().contains(QStringLiteral("No such file")));
}

void TestEnvironmentPanel::tellsWhatIsWrongWithAFile()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("wrong.toml"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[[node]]\nname = \"a\"\nspeed = 0\nslots = 0\n");
    file.close();
    QSignalSpy opened(m_document.get(), &EnvironmentDocument::opened);
    m_panel->open(path);
    QVERIFY(opened.wait());
    ProblemBar& problems = m_panel->problems();
    QVERIFY(problems.isVisible());
    QVERIFY(problems.headline().contains(QStringLiteral("wrong.toml")));
    QVERIFY2(problems.details().startsWith(QStringLiteral("wrong.toml:3:9: error: speed is 0; ")),
             qPrintable(problems.details()));
    QVERIFY(problems.details().contains(QStringLiteral("wrong.toml:4:9: error: slots is 0; ")));
    QCOMPARE(m_document->nodeCount(), 4U); // as before
    QTest::keyClick(&problems, Qt::Key_Escape);
    QVERIFY(!problems.isVisible());
}

void TestEnvironmentPanel::asksBeforeEditsAreLost()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("grid.toml"));
    QVERIFY(m_panel->saveTo(path));
    QVERIFY(m_panel->mayDiscard()); // nothing to ask
    m_document->addNode();
    answer(QMessageBox::Cancel);
    QVERIFY(!m_panel->mayDiscard());
    answer(QMessageBox::Cancel);
    m_panel->open(path);
    QVERIFY(!m_document->isOpening());
    answer(QMessageBox::Discard);
    QVERIFY(m_panel->mayDiscard());
    QVERIFY(!m_document->isClean());
    answer(QMessageBox::Save);
    QVERIFY(m_panel->mayDiscard());
    QVERIFY(m_document->isClean());
    EnvironmentDocument other;
    QVERIFY(other.load(path).empty());
    QCOMPARE(other.nodeCount(), 5U);
}

// Fails if columns are out of sight although there is room, cut off what is in them, or leave room.
void TestEnvironmentPanel::columnsFitTheirPlace()
{
    const CellTableView& table = m_panel->nodeTable();
    const QHeaderView& header = *table.horizontalHeader();
    const int character = table.fontMetrics().averageCharWidth();
    const auto fits = [&](const char* what) {
        settle();
        for (int column = 1; column < header.count(); ++column)
            QVERIFY2(header.sectionSize(column) >= header.sectionSizeHint(column), what);
        QVERIFY2(table.horizontalScrollBar()->maximum() == 0, what);
        QVERIFY2(header.length() == table.viewport()->width(), what);
    };
    for (const int characters : {130, 72, 90}) {
        m_panel->resize(characters * character, 600);
        fits(qPrintable(QString::number(characters)));
    }
    // Where there is no room, a name still is to be read.
    m_panel->resize(40 * character, 600);
    settle();
    QVERIFY(header.length() > table.viewport()->width());
    QVERIFY(header.sectionSize(0) >= table.fontMetrics().horizontalAdvance("grid00"));
    // What is typed may need more.
    m_panel->resize(100 * character, 600);
    settle();
    const int before = header.sectionSize(static_cast<int>(NodeField::Egress));
    m_document->setCells({NodeCell{1, NodeField::Egress, QStringLiteral("0.000123456")}});
    fits("after an edit");
    QVERIFY(header.sectionSize(static_cast<int>(NodeField::Egress)) > before);
}

void TestEnvironmentPanel::showsAThousandNodes()
{
    m_document->replace(wideEnvironment(1000), {});
    m_panel->showPage(EnvironmentPanel::Page::Links);
    CellTableView& table = m_panel->links().table();
    settle();
    // Cells are no widgets, and all columns are as wide.
    QVERIFY(table.viewport()->findChildren<QWidget*>().isEmpty());
    QCOMPARE(table.columnWidth(999), table.columnWidth(0));
    const QModelIndex last = m_panel->links().model().index(999, 998);
    table.setCurrentIndex(last);
    CheckedLine* editor = edit(table, last);
    QVERIFY(editor != nullptr);
    QVERIFY(table.viewport()->rect().contains(editor->geometry()));
    QTest::keyClicks(editor, QStringLiteral("61"));
    QTest::keyClick(editor, Qt::Key_Return);
    settle();
    QCOMPARE(m_document->environment().link(plan::Node(998), plan::Node(999)).a0Us, 61.0);
}

QTEST_MAIN(TestEnvironmentPanel)

} // namespace tst_environmentpanel

#include "tst_environmentpanel.moc"
