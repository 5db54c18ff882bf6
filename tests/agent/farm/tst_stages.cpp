// SPDX-License-Identifier: GPL-3.0-or-later
#include "farm/stages.h"

#include <QTest>

#include <vector>

namespace tst_stages {

using namespace tasuki;
using namespace tasuki::farm;

namespace {

using StageIds = std::vector<TaskId>;

/// @return three stages with so many open tasks each, of which the first has begun
Stages stagesWith(std::uint32_t first, std::uint32_t second, std::uint32_t third)
{
    Stages stages;
    const std::vector<std::uint32_t> counts{first, second, third};
    for (std::uint32_t stage = 0; stage < counts.size(); ++stage) {
        stages.add(stage);
        for (std::uint32_t i = 0; i < counts[stage]; ++i)
            stages.open(stage);
    }
    return stages;
}

} // namespace

/// What breaks it: a stage that begins too early, or never; a task that is forgotten when its stage begins.
class TestStages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStageBeginsWhenTheEarlierOnesAreDone()
    {
        Stages stages = stagesWith(2, 1, 1);
        stages.defer(1, TaskId(2));
        stages.defer(2, TaskId(3));
        stages.close(0);
        QVERIFY(stages.advance().empty());
        QVERIFY(!stages.hasBegun(1));
        stages.close(0);
        QVERIFY(stages.advance() == StageIds{TaskId(2)});
        QVERIFY(stages.hasBegun(1));
        QVERIFY(!stages.hasBegun(2));
        QVERIFY(stages.advance().empty());
    }

    void stagesWithoutAnythingToDoArePassedOver()
    {
        Stages stages = stagesWith(0, 0, 1);
        stages.defer(2, TaskId(0));
        QVERIFY(stages.advance() == StageIds{TaskId(0)});
        QVERIFY(stages.hasBegun(2));
        QVERIFY(!stages.hasBegun(3));
    }

    void aStageStaysBegun()
    {
        Stages stages = stagesWith(1, 1, 1);
        stages.close(0);
        stages.advance();
        stages.open(0); // once more
        stages.close(1);
        QVERIFY(stages.advance().empty());
        QVERIFY(stages.hasBegun(1));
        QVERIFY(!stages.hasBegun(2));
        stages.close(0);
        stages.advance();
        QVERIFY(stages.hasBegun(2));
    }

    void aLaterStageMayBeAdded()
    {
        Stages stages = stagesWith(0, 0, 0);
        stages.advance();
        stages.add(3);
        stages.open(3);
        stages.defer(3, TaskId(9));
        QVERIFY(stages.advance() == StageIds{TaskId(9)});
    }
};

QTEST_APPLESS_MAIN(TestStages)

} // namespace tst_stages

#include "tst_stages.moc"
