// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "schedulermodel.h"

namespace tst_schedulerproperties {

using tasuki::farm::testing::SchedulerModel;

/// What must hold whatever happens, in whatever order: see SchedulerModel.
class TestSchedulerProperties : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void randomCallsKeepTheBooksStraight_data()
    {
        QTest::addColumn<bool>("operators");
        QTest::addColumn<int>("seeds");
        QTest::newRow("without operators") << false << 400;
        QTest::newRow("with operators") << true << 300;
    }
    void randomCallsKeepTheBooksStraight()
    {
        QFETCH(bool, operators);
        QFETCH(int, seeds);
        const auto first = static_cast<std::uint32_t>(
            qEnvironmentVariableIntValue("TASUKI_FIRST_SEED") + 1); // for longer searches
        for (std::uint32_t seed = first; seed < first + static_cast<std::uint32_t>(seeds); ++seed) {
            SchedulerModel model(seed, operators);
            for (int step = 0; step < 600 && model.complaint().empty(); ++step)
                model.step();
            if (model.complaint().empty())
                model.finish();
            QVERIFY2(model.complaint().empty(),
                     qPrintable(QStringLiteral("seed %1: %2")
                                    .arg(seed)
                                    .arg(QString::fromStdString(model.complaint()))));
        }
    }
};

QTEST_APPLESS_MAIN(TestSchedulerProperties)

} // namespace tst_schedulerproperties

#include "tst_schedulerproperties.moc"
