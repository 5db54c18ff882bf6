// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "client/windowcredit.h"

namespace tst_windowcredit {

using namespace tasuki;

class TestWindowCredit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readingStopsWhenTooMuchIsOnItsWay();
};

void TestWindowCredit::readingStopsWhenTooMuchIsOnItsWay()
{
    WindowCredit credit;
    for (std::size_t i = 0; i < SessionSource::batchWindow; ++i) {
        QVERIFY(!credit.isFull());
        credit.toldBatch();
    }
    QVERIFY(credit.isFull());
    for (std::size_t i = 0; i < WindowCredit::messageWindow; ++i)
        credit.toldMessage();
    QVERIFY(!credit.takenBatches(2)); // there are too many messages
    QVERIFY(credit.isFull());
    QVERIFY(credit.takenMessage());
    QVERIFY(!credit.takenMessage()); // there was room before
    QVERIFY(!credit.takenBatches(1000));
    QVERIFY(!credit.isFull());
}

QTEST_APPLESS_MAIN(TestWindowCredit)

} // namespace tst_windowcredit

#include "tst_windowcredit.moc"
