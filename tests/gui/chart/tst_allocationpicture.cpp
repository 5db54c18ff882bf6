// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "chart/allocationpicture.h"
#include "chartbench.h"

namespace tst_allocationpicture {

using namespace tasuki;
using namespace tasuki::testing;

namespace {

constexpr QSizeF size(900, 420);

int selectedColumns(const ChartPicture& picture)
{
    return static_cast<int>(std::ranges::count_if(picture.columns, &ChartColumn::selected));
}

} // namespace

/// What breaks it: a picture of rows that are not there any more; a selection that is not in sight.
class TestAllocationPicture : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void followsTheList()
    {
        AllocationList list;
        AllocationPicture contents(list);
        contents.dress(QPalette(), QFont());
        QVERIFY(!contents.takeList());
        contents.make(size);
        QVERIFY(contents.picture().columns.empty() && contents.picture().keys.empty());
        QCOMPARE(contents.rowAt({450, 200}), -1);

        list.setResults(permutations(3, 1000.0, true));
        QVERIFY(!contents.takeList());
        contents.make(size);
        const ChartPicture& picture = contents.picture();
        QCOMPARE(picture.columns.size(), std::size_t(6));
        QVERIFY(picture.withMeasured);
        QVERIFY(picture.columns.front().best && picture.columns.back().worst);
        QCOMPARE(picture.largest, list.times().inUnit(1.05 * 1'005'000));
        QVERIFY(picture.note.isEmpty());
        QCOMPARE(contents.rowAt(picture.rectOf(4).center()), 4);
        QCOMPARE(contents.rowAt({1, 1}), -1);
        QCOMPARE(picture.title, QString("Runtime of each allocation"));
        contents.setTitle("lu.alog");
        contents.make(size);
        QCOMPARE(picture.title, QString("lu.alog"));
    }

    void scrollsWhereThereAreMany()
    {
        AllocationList list;
        list.setResults(permutations(6, 100.0)); // 720
        AllocationPicture contents(list);
        contents.dress(QPalette(), QFont());
        contents.takeList();
        contents.make(size);
        const ChartPicture& picture = contents.picture();
        QVERIFY(contents.window().isPartial());
        QVERIFY(picture.note.contains("of 720 shown"));
        contents.scrollTo(100);
        contents.make(size);
        QCOMPARE(picture.columns.front().row, 100);
        QCOMPARE(picture.columns.back().row, 719); // the worst
        contents.scrollTo(1'000'000);
        contents.make(size);
        QCOMPARE(contents.window().first, contents.window().lastFirst());
        list.selectRow(500);
        contents.bringSelectionIntoSight();
        contents.make(size);
        QCOMPARE(selectedColumns(picture), 1);
        list.setOrder(AllocationOrder::Nodes);
        QVERIFY(contents.takeList()); // begins with the first
        contents.make(size);
        QCOMPARE(picture.columns.front().row, 0);
        QVERIFY(!contents.takeList());
    }
};

QTEST_MAIN(TestAllocationPicture)

} // namespace tst_allocationpicture

#include "tst_allocationpicture.moc"
