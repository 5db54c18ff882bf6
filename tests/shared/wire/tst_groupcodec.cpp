// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "link.pb.h"
#include "wire/groupcodec.h"
#include "wire/linkcodec.h"

#include <set>
#include <string>

namespace tst_groupcodec {

using namespace tasuki;
using namespace tasuki::link;

namespace {

Event eventAt(std::uint64_t sequence, EventPayload payload)
{
    return {.id = {Epoch(1), Sequence(sequence)},
            .wallTime = {},
            .monotonic = {},
            .payload = std::move(payload)};
}

} // namespace

/// Groups of prerequisites on their way to windows.
class TestGroupCodec : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void groupsAreSentOnceAndSharedAgain();
    void badGroupsAreRefused();
};

void TestGroupCodec::groupsAreSentOnceAndSharedAgain()
{
    constexpr std::uint32_t count = 5'000;
    TaskGroup everyThird;
    TaskGroup ragged;
    for (std::uint32_t i = 0; i < count; ++i) {
        everyThird.emplace_back(7 + 3 * i);
        if (i % 7 < 3)
            ragged.emplace_back(20'000 + i);
    }
    const std::vector<SharedGroup> groups{std::make_shared<const TaskGroup>(everyThird),
                                          std::make_shared<const TaskGroup>(ragged)};
    const auto settings = std::make_shared<const TaskSettings>();
    Events events;
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto links = std::make_shared<const TaskLinks>(
            TaskLinks{.label = "l" + std::to_string(i), .after = Prerequisites(groups)});
        events.events.push_back(eventAt(
            i + 1,
            TaskAdded{TaskId(i), Task{.command = "c", .settings = settings, .links = links}}));
    }
    const std::string bytes = encode(AgentMessage(events));
    QVERIFY2(bytes.size() < count * 100, qPrintable(QString::number(bytes.size())));
    const auto back = decodeAgentMessage(bytes);
    QVERIFY(back.ok());
    QVERIFY(*back == AgentMessage(events));
    std::set<const TaskGroup*> objects;
    for (const Event& event : std::get<Events>(*back).events) {
        for (const SharedGroup& group : prerequisitesOf(std::get<TaskAdded>(event.payload).task))
            objects.insert(group.get());
    }
    QCOMPARE(objects.size(), std::size_t{2});
}

void TestGroupCodec::badGroupsAreRefused()
{
    const auto group = [](std::initializer_list<std::uint32_t> firsts,
                          std::initializer_list<std::uint32_t> steps,
                          std::initializer_list<std::uint32_t> counts) {
        wire::link::TaskGroup message;
        for (const std::uint32_t first : firsts)
            message.add_firsts(first);
        for (const std::uint32_t step : steps)
            message.add_steps(step);
        for (const std::uint32_t count : counts)
            message.add_counts(count);
        return decodeGroup(message, 1'000);
    };
    QCOMPARE(group({4, 2}, {1, 3}, {2, 2}).value(),
             (TaskGroup{TaskId(4), TaskId(5), TaskId(7), TaskId(10)}));
    QCOMPARE(group({0}, {1}, {1}).value(), TaskGroup{TaskId(0)});
    QVERIFY(!group({}, {}, {}));
    QVERIFY(!group({1, 2}, {1}, {1, 1}));
    QVERIFY(!group({1}, {1}, {0}));
    QVERIFY(!group({1}, {0}, {2}));
    QVERIFY(!group({1, 0}, {1, 1}, {1, 1}));
    QVERIFY(!group({1}, {1}, {1'001}));
    QVERIFY(!group({4'000'000'000}, {300'000'000}, {2}));
    wire::link::TaskLinks links;
    links.add_after_groups(1);
    QVERIFY(!decodePrerequisites(links, {std::make_shared<const TaskGroup>(TaskGroup{TaskId(0)})}));
}

QTEST_APPLESS_MAIN(TestGroupCodec)

} // namespace tst_groupcodec

#include "tst_groupcodec.moc"
