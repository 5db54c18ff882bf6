// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "cells/filechangebar.h"
#include "cells/filewatch.h"
#include "cells/problembar.h"
#include "config/topologyfile.h"
#include "topology/diffview.h"
#include "topology/fileconflictdialog.h"
#include "topologyfixture.h"

#include <QAction>
#include <QDir>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTimer>

#include <functional>

namespace tst_topologyconflict {

using namespace tasuki;
using namespace tasuki::testing;
using config::TopologyField;

/// Saving where somebody else has written the file, and leaving what is not saved.
/// What breaks it: somebody's edits that go without a question.
class TestTopologyConflict : public QObject, TopologyFixture {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { close(); }
    void keepsMine();
    void takesTheirs();
    void showsDifferences();
    void leavesAllAsItIs();
    void cannotTakeWhatIsWrong();
    void savesAgainWhatIsGone();
    void doesNotReplaceWhatCannotBeRead();
    void anotherFileIsNoConflict();
    void asksBeforeEditsAreLost();
    void tellsThatTheFileHasChanged();
    void reloadsWhatHasChanged();
    void keepsMineOverTheFile();
    void tellsThatTheFileIsGone();

private:
    void writeTheirs() const
    {
        config::Topology theirs = sampleTopology();
        theirs.heartbeat = std::chrono::milliseconds(250);
        QVERIFY(config::writeTopologyFile(m_path.toStdString(), theirs));
    }
    /// Does something in the dialog that comes next.
    template <class Dialog>
    void answer(const std::function<void(Dialog&)>& act)
    {
        m_answered = false;
        QTimer::singleShot(0, qApp, [this, act] {
            auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            m_answered = true;
            act(*dialog);
        });
    }
    void answerBox(QMessageBox::StandardButton button)
    {
        answer<QMessageBox>([button](QMessageBox& box) { box.button(button)->click(); });
    }
    bool m_answered = false;
};

void TestTopologyConflict::init()
{
    open();
    fill();
    QVERIFY(!m_document->edited().setCells({{1, TopologyField::Active, QStringLiteral("8")}}));
}

void TestTopologyConflict::keepsMine()
{
    writeTheirs();
    answer<FileConflictDialog>([](FileConflictDialog& dialog) { dialog.mine().click(); });
    QVERIFY(m_panel->saveTo(m_path));
    QVERIFY(m_answered);
    QVERIFY(m_document->isClean());
    QVERIFY(readFile(m_path).contains("active = 8"));
    QVERIFY(!readFile(m_path).contains("250"));
    // It is known then: nobody is asked again.
    QVERIFY(!m_document->edited().setCells({{1, TopologyField::Active, QStringLiteral("9")}}));
    QVERIFY(m_panel->saveTo(m_path));
}

void TestTopologyConflict::takesTheirs()
{
    writeTheirs();
    answer<FileConflictDialog>([](FileConflictDialog& dialog) { dialog.theirs().click(); });
    QVERIFY(m_panel->saveTo(m_path));
    QVERIFY(m_answered);
    QCOMPARE(m_document->topology().heartbeat.count(), 250);
    QCOMPARE(spec(1).active, 4U);
    QVERIFY(m_document->isClean());
    m_panel->undoAction().trigger();
    QCOMPARE(spec(1).active, 8U);
    QVERIFY(!m_document->isClean());
}

void TestTopologyConflict::showsDifferences()
{
    writeTheirs();
    answer<FileConflictDialog>([](FileConflictDialog& dialog) {
        QVERIFY(!dialog.diff().isVisible());
        dialog.differences().click();
        QVERIFY(dialog.diff().isVisible());
        const QString lines = dialog.diff().lines().toPlainText();
        QVERIFY(lines.contains(QStringLiteral("\u2212 heartbeat_ms = 250")));
        QVERIFY(lines.contains(QStringLiteral("+ active = 8")));
        QCOMPARE(dialog.choice(), FileConflictDialog::Choice::Neither);
        dialog.reject();
    });
    QVERIFY(!m_panel->saveTo(m_path));
    QVERIFY(m_answered);
}

void TestTopologyConflict::leavesAllAsItIs()
{
    writeTheirs();
    const QByteArray before = readFile(m_path);
    answer<FileConflictDialog>(
        [](FileConflictDialog& dialog) { QTest::keyClick(&dialog, Qt::Key_Escape); });
    QVERIFY(!m_panel->saveTo(m_path));
    QVERIFY(m_answered);
    QCOMPARE(readFile(m_path), before);
    answer<FileConflictDialog>(
        [](FileConflictDialog& dialog) { QTest::keyClick(&dialog, Qt::Key_Return); });
    QVERIFY(!m_panel->saveTo(m_path));
    QCOMPARE(readFile(m_path), before);
    QCOMPARE(spec(1).active, 8U);
    QVERIFY(!m_document->isClean());
}

void TestTopologyConflict::cannotTakeWhatIsWrong()
{
    writeFile(m_path, "[[subcluster]]\nname = \"a\"\nactive = 0\n");
    answer<FileConflictDialog>([](FileConflictDialog& dialog) {
        QVERIFY(!dialog.theirs().isEnabled() && dialog.mine().isEnabled());
        QVERIFY2(dialog.note().contains(QStringLiteral("two-stages.toml:3:10: error")),
                 qPrintable(dialog.note()));
        dialog.reject();
    });
    QVERIFY(!m_panel->saveTo(m_path));
    QVERIFY(m_answered);
}

void TestTopologyConflict::savesAgainWhatIsGone()
{
    QVERIFY(QFile::remove(m_path));
    answerBox(QMessageBox::Cancel);
    QVERIFY(!m_panel->saveTo(m_path));
    QVERIFY(!QFile::exists(m_path));
    answerBox(QMessageBox::Save);
    QVERIFY(m_panel->saveTo(m_path));
    QVERIFY(readFile(m_path).contains("active = 8"));
}

void TestTopologyConflict::doesNotReplaceWhatCannotBeRead()
{
    QVERIFY(QFile::remove(m_path));
    QVERIFY(QDir().mkdir(m_path));
    QVERIFY(!m_panel->saveTo(m_path));
    QVERIFY(m_panel->problems().isVisible());
    QVERIFY(QFileInfo(m_path).isDir());
}

void TestTopologyConflict::anotherFileIsNoConflict()
{
    writeTheirs();
    const QString other = m_folder->filePath(QStringLiteral("other.toml"));
    QVERIFY(m_panel->saveTo(other));
    QVERIFY(readFile(m_path).contains("250"));
    QCOMPARE(m_document->path(), other);
}

void TestTopologyConflict::asksBeforeEditsAreLost()
{
    answerBox(QMessageBox::Cancel);
    QVERIFY(!m_panel->mayDiscard());
    answerBox(QMessageBox::Discard);
    QVERIFY(m_panel->mayDiscard());
    answerBox(QMessageBox::Cancel);
    m_panel->beginNew();
    QCOMPARE(m_document->edited().count(), std::size_t{2});
    answerBox(QMessageBox::Save);
    QVERIFY(m_panel->mayDiscard());
    QVERIFY(readFile(m_path).contains("active = 8"));
    m_panel->beginNew();
    QVERIFY(m_document->isEmpty() && m_document->path().isEmpty());
}

void TestTopologyConflict::tellsThatTheFileHasChanged()
{
    FileChangeBar& bar = m_panel->fileChange();
    QVERIFY(!bar.isVisible());
    QVERIFY(m_panel->saveTo(m_path));
    auto* watch = m_panel->findChild<FileWatch*>();
    QVERIFY(watch != nullptr);
    Q_EMIT watch->noticed(); // is no news, whenever it is noticed
    QVERIFY(!bar.isVisible());
    writeTheirs();
    QTRY_VERIFY(bar.isVisible());
    QVERIFY(bar.headline().contains(QStringLiteral("two-stages.toml")));
    QVERIFY(bar.reload().isVisible());
    // It is as it was again.
    QVERIFY(config::writeTopologyFile(m_path.toStdString(), m_document->topology()));
    QTRY_VERIFY(!bar.isVisible());
}

void TestTopologyConflict::reloadsWhatHasChanged()
{
    FileChangeBar& bar = m_panel->fileChange();
    writeTheirs();
    QTRY_VERIFY(bar.isVisible());
    QTest::mouseClick(&bar.reload(), Qt::LeftButton);
    QVERIFY(!bar.isVisible());
    QCOMPARE(m_document->topology().heartbeat.count(), 250);
    QVERIFY(m_document->isClean());
    m_panel->undoAction().trigger();
    QCOMPARE(spec(1).active, 8U);
    // What cannot be used is told, and changes nothing.
    writeFile(m_path, "[[subcluster]]\nname = \"a\"\nactive = 0\n");
    QTRY_VERIFY(bar.isVisible());
    QTest::mouseClick(&bar.reload(), Qt::LeftButton);
    QVERIFY(bar.isVisible() && m_panel->problems().isVisible());
    QCOMPARE(spec(1).active, 8U);
}

void TestTopologyConflict::keepsMineOverTheFile()
{
    FileChangeBar& bar = m_panel->fileChange();
    m_document->undoStack().undo(); // nothing is edited
    QVERIFY(m_document->isClean() && !m_panel->saveAction().isEnabled());
    writeTheirs();
    QTRY_VERIFY(bar.isVisible());
    QTest::mouseClick(&bar.mine(), Qt::LeftButton);
    QVERIFY(!bar.isVisible());
    QVERIFY(!m_document->isClean() && m_panel->saveAction().isEnabled());
    m_panel->lookAtFile();
    QVERIFY(!bar.isVisible());
    QVERIFY(m_panel->saveTo(m_path)); // nobody is asked again
    QVERIFY(!readFile(m_path).contains("250"));
    QVERIFY(m_document->isClean());
}

void TestTopologyConflict::tellsThatTheFileIsGone()
{
    FileChangeBar& bar = m_panel->fileChange();
    QVERIFY(QFile::remove(m_path));
    QTRY_VERIFY(bar.isVisible());
    QVERIFY(!bar.reload().isVisible());
    QTest::mouseClick(&bar.mine(), Qt::LeftButton);
    QVERIFY(m_panel->saveTo(m_path));
    QVERIFY(readFile(m_path).contains("active = 8"));
}

QTEST_MAIN(TestTopologyConflict)

} // namespace tst_topologyconflict

#include "tst_topologyconflict.moc"
