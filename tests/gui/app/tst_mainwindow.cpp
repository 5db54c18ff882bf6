// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "app/mainwindow.h"
#include "gui/client/manualsource.h"
#include "support/manualclock.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <QSettings>
#include <QTemporaryDir>

using namespace tasuki;
using tasuki::testing::ManualSource;

namespace {

struct Bench {
    explicit Bench(const QString& language)
        : preferences(std::make_unique<QSettings>(folder.filePath(QStringLiteral("settings.ini")),
                                                  QSettings::IniFormat))
    {
        languages.use(language);
        window = std::make_unique<MainWindow>(
            preferences, languages, clock,
            MainWindow::Surroundings{.accessDirectory = folder.path().toStdString(),
                                     .agentProgram = {}});
        window->resize(1400, 900);
    }
    /// Opens a run whose agent is gone, which is when the window has most to offer.
    void openRun()
    {
        auto source = std::make_unique<ManualSource>();
        ManualSource* manual = source.get();
        window->openSource(std::move(source));
        manual->setState(ConnectionState::Waiting);
        show();
    }
    void show()
    {
        window->show();
        if (!QTest::qWaitForWindowExposed(window.get()))
            qFatal("the window is not shown");
    }

    QTemporaryDir folder;
    ManualClock clock;
    Preferences preferences;
    Languages languages;
    std::unique_ptr<MainWindow> window;
};

/// What stands behind Alt and a letter: menus, buttons and labels of fields that can be seen.
QMultiMap<QString, QString> mnemonics(MainWindow& window)
{
    QMultiMap<QString, QString> found;
    const auto add = [&found](const QString& text) {
        const QKeySequence keys = QKeySequence::mnemonic(text);
        if (!keys.isEmpty())
            found.insert(keys.toString(), text);
    };
    for (const QAction* action : window.menuBar()->actions())
        add(action->text());
    for (const QAbstractButton* button : window.findChildren<QAbstractButton*>()) {
        if (button->isVisible())
            add(button->text());
    }
    for (const QLabel* label : window.findChildren<QLabel*>()) {
        if (label->isVisible() && label->buddy() != nullptr)
            add(label->text());
    }
    return found;
}

} // namespace

/// What breaks it: two things behind one letter, of which neither is then reached; docks that do not
/// come back as they were.
class TestMainWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lettersAreUnique_data();
    void lettersAreUnique();
    void eventsTakeTheMiddleAndGiveItBack();
};

void TestMainWindow::lettersAreUnique_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<bool>("run");
    for (const char* language : {"en", "ja"}) {
        for (const bool run : {false, true})
            QTest::addRow("%s, %s", language, run ? "a run" : "start page")
                << QString::fromLatin1(language) << run;
    }
}

void TestMainWindow::lettersAreUnique()
{
    QFETCH(QString, language);
    QFETCH(bool, run);
    Bench bench(language);
    if (run)
        bench.openRun();
    else
        bench.show();
    const QMultiMap<QString, QString> found = mnemonics(*bench.window);
    QVERIFY(found.size() > 6);
    for (const QString& keys : found.uniqueKeys()) {
        const QStringList texts = found.values(keys);
        QVERIFY2(texts.size() == 1, qPrintable(keys + ": " + texts.join(", ")));
    }
}

void TestMainWindow::eventsTakeTheMiddleAndGiveItBack()
{
    Bench bench(QStringLiteral("en"));
    bench.openRun();
    const QList<QDockWidget*> docks = bench.window->findChildren<QDockWidget*>();
    const auto sizes = [&docks] {
        QList<QSize> all;
        for (const QDockWidget* dock : docks)
            all << dock->size();
        return all;
    };
    QTest::qWait(50);
    const QList<QSize> before = sizes();
    QDockWidget* events = bench.window->findChild<QDockWidget*>(QStringLiteral("events"));
    QVERIFY(events != nullptr);
    bench.window->setView(RunView::Events);
    QTRY_VERIFY(events->height() > 500 && events->width() > 900);
    bench.window->setView(RunView::Overview);
    QTRY_COMPARE(sizes(), before);
}

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    TestMainWindow test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_mainwindow.moc"
