// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "cells/celltablemodel.h"
#include "cells/celltableview.h"
#include "cells/checkedline.h"
#include "cells/editorpages.h"

#include <QApplication>
#include <QUndoStack>

namespace tst_editorpages {

using namespace tasuki;

namespace {

/// Six rows of two cells that take all but "x".
class Cells : public CellTableModel {
public:
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : 6;
    }
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : 2;
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override
    {
        return role == Qt::DisplayRole ? QVariant(index.row()) : QVariant();
    }
    [[nodiscard]] QString problem(const QModelIndex& /*index*/, const QString& text) const override
    {
        return text == QStringLiteral("x") ? QStringLiteral("wrong") : QString();
    }
    std::optional<CellFault> setCells(const QList<Cell>& /*cells*/) override { return {}; }
    QString clearCells(const QModelIndexList& indexes) override
    {
        cleared = wholeRows(indexes);
        return {};
    }
    [[nodiscard]] QString cellName(int /*row*/, int /*column*/) const override { return {}; }

    QList<int> cleared;
};

} // namespace

/// A table and another page.
/// What breaks it: something wrong that is not shown, rows that are chosen and are others, an undo
/// that one does not see.
class TestEditorPages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_pages = std::make_unique<EditorPages>(m_cells, m_steps);
        m_pages->addPage(new QWidget, [this] { return m_second; });
        m_pages->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_pages.get()));
        m_second = true;
    }
    void showsThePageThatIsWrong();
    void choosesRows_data();
    void choosesRows();
    void followsUndoOnly();
    void clearsWholeRows();

private:
    Cells m_cells;
    QUndoStack m_steps;
    std::unique_ptr<EditorPages> m_pages;
    bool m_second = true; ///< nothing is wrong on the second page
};

void TestEditorPages::showsThePageThatIsWrong()
{
    QVERIFY(m_pages->finishEditing());
    m_second = false;
    QVERIFY(!m_pages->finishEditing());
    QCOMPARE(m_pages->currentIndex(), 1);
    QVERIFY(!m_pages->hasChosenRow());
    m_pages->setCurrentIndex(0);
    m_pages->editRow(2);
    QVERIFY(m_pages->table().editor() != nullptr);
    QCOMPARE(m_pages->table().currentIndex(), m_cells.index(2, 0));
    m_pages->table().editor()->setText(QStringLiteral("x"));
    QVERIFY(!m_pages->finishEditing());
    QCOMPARE(m_pages->currentIndex(), 0);
    QVERIFY(m_pages->hasChosenRow());
}

void TestEditorPages::choosesRows_data()
{
    QTest::addColumn<QList<int>>("rows");
    QTest::addColumn<bool>("done");
    QTest::newRow("none") << QList<int>{} << false;
    QTest::newRow("one") << QList<int>{3} << true;
    QTest::newRow("with gaps") << QList<int>{0, 1, 3, 5} << true;
    QTest::newRow("too many") << QList<int>{4, 6} << false;
}

void TestEditorPages::choosesRows()
{
    QFETCH(QList<int>, rows);
    QFETCH(bool, done);
    m_pages->showCell(2, 1);
    QSignalSpy moved(m_pages.get(), &EditorPages::moved);
    m_pages->choose(rows, 1);
    QCOMPARE(m_pages->chosenRows(), done ? rows : QList<int>{2});
    QCOMPARE(m_pages->table().currentIndex(), m_cells.index(done ? rows.front() : 2, 1));
    QCOMPARE(!moved.isEmpty(), done);
}

void TestEditorPages::followsUndoOnly()
{
    m_steps.clear();
    m_steps.push(new QUndoCommand);
    connect(&m_steps, &QUndoStack::indexChanged, m_pages.get(), [this] { m_pages->follow(1); });
    m_steps.undo(); // not by the pages
    QCOMPARE(m_pages->currentIndex(), 0);
    m_pages->retrace(false);
    QCOMPARE(m_pages->currentIndex(), 1);
    m_pages->setCurrentIndex(0);
    m_pages->retrace(true);
    QCOMPARE(m_pages->currentIndex(), 1);
    QCOMPARE(m_steps.index(), 0);
}

void TestEditorPages::clearsWholeRows()
{
    m_pages->choose({1, 4}, 0);
    QTest::keyClick(&m_pages->table(), Qt::Key_Delete);
    QCOMPARE(m_cells.cleared, (QList<int>{1, 4}));
    m_pages->table().selectionModel()->select(m_cells.index(1, 1), QItemSelectionModel::Deselect);
    QTest::keyClick(&m_pages->table(), Qt::Key_Delete);
    QVERIFY(m_cells.cleared.isEmpty());
}

QTEST_MAIN(TestEditorPages)

} // namespace tst_editorpages

#include "tst_editorpages.moc"
