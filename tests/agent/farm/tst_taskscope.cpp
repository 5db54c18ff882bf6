// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "farm/taskscope.h"
#include "support/history.h"
#include "support/replayed.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace tst_taskscope {

using namespace tasuki;
using namespace tasuki::farm;

namespace {

using Tasks = std::vector<std::uint32_t>;

/// Tasks 0 to 9: 1, 4 and 7 are ranks of world 0, 2 and 5 of world 1, 8 comes after 4, 9 after 8; 7 is not in the list any more.
RunState stateOfWorlds()
{
    History history;
    history.add(RunOpened{});
    for (std::uint32_t i = 0; i < 10; ++i) {
        TaskSettings settings;
        if (i == 1 || i == 4 || i == 7)
            settings.seat = WorldSeat{0, Rank(static_cast<std::int32_t>(i))};
        if (i == 2 || i == 5)
            settings.seat = WorldSeat{1, Rank(static_cast<std::int32_t>(i))};
        Task task;
        task.command = "c";
        task.position = i;
        task.settings = std::make_shared<const TaskSettings>(std::move(settings));
        if (i >= 8)
            task.links = std::make_shared<const TaskLinks>(
                TaskLinks{.label = "", .after = {TaskId(i == 8 ? 4 : 8)}});
        history.add(TaskAdded{TaskId(i), std::move(task)});
    }
    history.add(TaskRemoved{.id = TaskId(7)});
    return replayed(history.events());
}

Tasks scopeOf(const Tasks& chosen)
{
    const RunState state = stateOfWorlds();
    std::vector<TaskRange> ranges;
    for (const std::uint32_t task : chosen)
        ranges.push_back({TaskId(task), TaskId(task)});
    const TaskScope scope(state, ranges);
    Tasks inside;
    for (std::uint32_t task = 0; task < 12; ++task) {
        if (scope.has(TaskId(task)))
            inside.push_back(task);
    }
    return inside;
}

Tasks wholeOf(const Tasks& chosen)
{
    std::vector<TaskId> ids;
    for (const std::uint32_t task : chosen)
        ids.emplace_back(task);
    Tasks found;
    for (const TaskId id : wholeWorlds(stateOfWorlds(), ids))
        found.push_back(id.value());
    return found;
}

} // namespace

/// What breaks it: a life of a run that would do some ranks of a world, and wait for the others for ever.
class TestTaskScope : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void scopesTakeWholeWorlds()
    {
        QCOMPARE(scopeOf({}), (Tasks{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})); // no choice
        QCOMPARE(scopeOf({0}), (Tasks{0}));
        QCOMPARE(scopeOf({5}), (Tasks{2, 5}));
        // With what comes after another rank of it.
        const Tasks first = scopeOf({1});
        QVERIFY(std::ranges::includes(first, Tasks{1, 4, 8, 9}));
        QVERIFY(!std::ranges::includes(first, Tasks{2}) && !std::ranges::includes(first, Tasks{0}));
        QCOMPARE(scopeOf({8}), (Tasks{8, 9})); // not what it comes after
        QCOMPARE(scopeOf({77}), Tasks{});
    }

    void choicesTakeWholeWorlds()
    {
        QCOMPARE(wholeOf({}), Tasks{});
        QCOMPARE(wholeOf({6, 0}), (Tasks{6, 0}));
        QCOMPARE(wholeOf({4}), (Tasks{1, 4})); // but what is not in the list any more
        QCOMPARE(wholeOf({5, 0}), (Tasks{0, 2, 5}));
        QCOMPARE(wholeOf({2, 1}), (Tasks{1, 2, 4, 5}));
    }
};

QTEST_APPLESS_MAIN(TestTaskScope)

} // namespace tst_taskscope

#include "tst_taskscope.moc"
