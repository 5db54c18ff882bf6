// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "startup/slotcount.h"

namespace tst_slotcount {

using namespace tasuki;

class tst_SlotCount : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void coresAreDividedWithoutRest()
    {
        for (std::size_t cores = 1; cores <= 70; ++cores) {
            for (std::size_t ranks = 1; ranks <= cores; ++ranks) {
                std::size_t sum = 0;
                for (std::size_t index = 0; index < ranks; ++index)
                    sum += slotShare(cores, ranks, index);
                QCOMPARE(sum, cores);
            }
        }
    }

    void everyRankHasASlot() { QCOMPARE(slotShare(2, 5, 4), 1U); }

    void thisMachine() { QVERIFY(usableCores() >= 1); }
};

QTEST_APPLESS_MAIN(tst_SlotCount)

} // namespace tst_slotcount

#include "tst_slotcount.moc"
