// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include "chart/allocationpanel.h"
#include "chartbench.h"

namespace tst_allocationpanel {

using namespace tasuki;
using namespace tasuki::testing;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

/// Chart and table together, orders, exports.
/// What breaks it: a table that shows another selection than the chart, an update that takes the
/// selection or the keyboard away, an export that leaves half a file.
class TestAllocationPanel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void explainsEmptiness();
    void chartAndTableShareASelection();
    void ordersFromBoxAndHeader();
    void keepsCurrentRowThroughUpdates();
    void exportsWholeFiles();
    void tellsWhatCannotBeWritten();
    void asksForMeasurements();
};

void TestAllocationPanel::explainsEmptiness()
{
    AllocationList list;
    AllocationPanel panel(list);
    panel.show();
    QVERIFY(!panel.chart().isVisible());
    QVERIFY(!panel.exportButton().isEnabled());
    const auto* hint = panel.findChild<QStackedWidget*>()->findChild<QLabel*>();
    QVERIFY(hint->isVisible());
    QCOMPARE(hint->text(), QStringLiteral("Search to see how long each allocation would take."));
    list.setResults(permutations(3, 1000.0));
    QVERIFY(panel.chart().isVisible());
    QVERIFY(panel.table().isVisible());
    QVERIFY(!hint->isVisible());
    QVERIFY(panel.exportButton().isEnabled());
}

void TestAllocationPanel::chartAndTableShareASelection()
{
    AllocationList list;
    list.setResults(permutations(4, 50'000.0));
    AllocationPanel panel(list);
    panel.resize(1000, 700);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    const QPoint bar = panel.chart().picture().rectOf(7).center().toPoint();
    QTest::mouseClick(&panel.chart().canvas(), Qt::LeftButton, {}, bar);
    QCOMPARE(panel.table().currentIndex().row(), 7);
    QVERIFY(panel.table().selectionModel()->isRowSelected(7));

    panel.table().setFocus();
    QTest::keyClick(&panel.table(), Qt::Key_Down);
    QCOMPARE(list.selectedRow(), 8);
    QVERIFY(panel.chart().picture().columns[8].selected);
    const QModelIndex cell = list.index(2, 1);
    panel.table().scrollTo(cell);
    QTest::mouseClick(panel.table().viewport(), Qt::LeftButton, {},
                      panel.table().visualRect(cell).center());
    QCOMPARE(list.selectedRow(), 2);
    list.select(std::nullopt);
    QVERIFY(!panel.table().selectionModel()->hasSelection());
    QVERIFY(!panel.chart().picture().columns[2].selected);
}

void TestAllocationPanel::ordersFromBoxAndHeader()
{
    AllocationList list;
    AllocationPanel panel(list);
    panel.resize(1000, 700);
    panel.show();
    list.setResults(permutations(4, -1000.0));
    QCOMPARE(panel.orders().count(), 2);
    QVERIFY(panel.table().isColumnHidden(static_cast<int>(AllocationList::Column::Measured)));
    panel.orders().setFocus();
    QTest::keyClick(&panel.orders(), Qt::Key_Down);
    QCOMPARE(list.order(), AllocationOrder::Nodes);
    QCOMPARE(list.at(0).label, QStringLiteral("0 1 2 3"));
    QCOMPARE(panel.table().horizontalHeader()->sortIndicatorSection(),
             static_cast<int>(AllocationList::Column::Nodes));

    list.setResults(permutations(4, -1000.0, true));
    QCOMPARE(panel.orders().count(), 3);
    QVERIFY(!panel.table().isColumnHidden(static_cast<int>(AllocationList::Column::Measured)));
    QHeaderView& header = *panel.table().horizontalHeader();
    const int measured = static_cast<int>(AllocationList::Column::Measured);
    QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
                      QPoint(header.sectionViewportPosition(measured) + 10, header.height() / 2));
    QCOMPARE(list.order(), AllocationOrder::Measured);
    QCOMPARE(panel.orders().currentText(), QStringLiteral("By measured time"));
}

void TestAllocationPanel::keepsCurrentRowThroughUpdates()
{
    AllocationList list;
    AllocationResults results = permutations(4, 1000.0);
    list.setResults(results);
    AllocationPanel panel(list);
    panel.resize(1000, 700);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    panel.table().setFocus();
    panel.table().setCurrentIndex(list.index(4, 2));
    const plan::Allocation chosen = *list.selected();
    QSignalSpy selected(&list, &AllocationList::selectedChanged);
    for (std::size_t round = 0; round < 24; ++round) {
        // Partial results: some are missing, the chosen one too for a while; times change.
        AllocationResults partial = results;
        if (round != 4)
            partial.listed.erase(partial.listed.begin() + static_cast<std::ptrdiff_t>(round));
        for (std::size_t i = 0; i < partial.listed.size(); ++i)
            partial.listed[i].predictedUs = 1e6 + static_cast<double>((i * 7 + round) % 24);
        list.setResults(std::move(partial));
        QCOMPARE(panel.table().currentIndex().row(), list.rowOf(chosen));
        QCOMPARE(list.selectedRow(), list.rowOf(chosen));
    }
    results.listed.erase(results.listed.begin() + 4);
    list.setResults(results);
    QVERIFY(!panel.table().currentIndex().isValid());
    list.setResults(permutations(4, 1000.0));
    QCOMPARE(panel.table().currentIndex().row(), 4);
    QCOMPARE(selected.count(), 0);
    QVERIFY(panel.table().hasFocus());
}

void TestAllocationPanel::exportsWholeFiles()
{
    AllocationList list;
    list.setResults(permutations(3, 1000.0));
    AllocationPanel panel(list);
    panel.resize(800, 600);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    const QTemporaryDir folder;
    QSignalSpy said(&panel, &AllocationPanel::said);
    const auto file = [&](const char* name) { return folder.filePath(QLatin1String(name)); };
    panel.exportTo(file("a.png"), AllocationExport::Png);
    panel.exportTo(file("a.svg"), AllocationExport::Svg);
    panel.exportTo(file("a.pdf"), AllocationExport::Pdf);
    panel.exportTo(file("a.csv"), AllocationExport::Csv);
    QCOMPARE(QImage(file("a.png")).size(), panel.chart().canvas().size() * 2);
    QVERIFY(contentOf(file("a.svg")).contains("<svg"));
    QVERIFY(contentOf(file("a.pdf")).startsWith("%PDF-1."));
    QCOMPARE(contentOf(file("a.csv")), list.csv());
    QVERIFY(contentOf(file("a.csv")).startsWith("place,predicted_s,"));
    QCOMPARE(said.count(), 4);
    QCOMPARE(said.back().front().toString(),
             QStringLiteral("The table of allocations is in %1.").arg(file("a.csv")));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 4);
    QCOMPARE(panel.exportButton().menu()->actions().size(), 5); // with a separator
}

void TestAllocationPanel::tellsWhatCannotBeWritten()
{
    AllocationList list;
    list.setResults(permutations(3, 1000.0));
    AllocationPanel panel(list);
    panel.show();
    QSignalSpy said(&panel, &AllocationPanel::said);
    QString text;
    QTimer::singleShot(0, &panel, [&] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (box != nullptr) {
            text = box->text();
            box->accept();
        }
    });
    panel.exportTo(QStringLiteral("/proc/nowhere/a.svg"), AllocationExport::Svg);
    QVERIFY(text.startsWith(QStringLiteral("/proc/nowhere/a.svg cannot be written: ")));
    QCOMPARE(said.count(), 0);
}

void TestAllocationPanel::asksForMeasurements()
{
    AllocationList list;
    AllocationPanel panel(list);
    panel.show();
    QSignalSpy wanted(&panel, &AllocationPanel::measurementsWanted);
    QTest::mouseClick(&panel.measurementsButton(), Qt::LeftButton);
    QCOMPARE(wanted.count(), 1);
    panel.setMeasurementsEnabled(false);
    QTest::mouseClick(&panel.measurementsButton(), Qt::LeftButton);
    QCOMPARE(wanted.count(), 1);
}

QTEST_MAIN(TestAllocationPanel)

} // namespace tst_allocationpanel

#include "tst_allocationpanel.moc"
