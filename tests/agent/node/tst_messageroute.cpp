// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "node/messageroute.h"

#include <string>
#include <vector>

namespace tst_messageroute {

using namespace tasuki;
using namespace tasuki::farm;

namespace {

struct RouteCase {
    const char* name;
    FarmMessage message;
    bool ofGroup;
    MessageScene scene;
    MessageRoute route;
};

constexpr bool ofGroup = true;
constexpr bool ofRank = false;

const std::vector<RouteCase> routeCases{
    // Down the tree.
    {"to a rank", Assign{}, ofRank, {}, {.worker = true}},
    {"to a rank of who leads",
     Assign{},
     ofRank,
     {.leads = true, .groupScheduler = true},
     {.worker = true}},
    {"to a rank, of another run",
     Assign{},
     ofRank,
     {.ofRun = false},
     {.worker = true}}, // which drops it
    {"to a worker group", Assign{}, ofGroup, {.groupScheduler = true}, {.groupScheduler = true}},
    {"to a worker group of who leads",
     Assign{},
     ofGroup,
     {.leads = true, .groupScheduler = true},
     {.groupScheduler = true}},
    {"output is wanted", FetchOutput{}, ofRank, {.groupScheduler = true}, {.worker = true}},
    {"the end", Goodbye{}, ofRank, {.fromMaster = true}, {.worker = true, .end = true}},
    {"the end, of who does not lead", Goodbye{}, ofRank, {}, {.worker = true}},
    // Up the tree.
    {"of a rank, to the master", Report{}, ofRank, {.leads = true}, {.master = true}},
    {"of a rank, to a group scheduler",
     Report{},
     ofRank,
     {.groupScheduler = true},
     {.groupScheduler = true}},
    {"of a rank, to a group scheduler beside the master",
     Report{},
     ofRank,
     {.leads = true, .groupScheduler = true},
     {.groupScheduler = true}},
    {"of a rank, to nobody", Report{}, ofRank, {}, {.groupScheduler = true}}, // which is not there
    {"of a worker group", GroupReport{}, ofGroup, {.leads = true}, {.master = true}},
    {"of a worker group, beside a group scheduler",
     GroupReport{},
     ofGroup,
     {.leads = true, .groupScheduler = true},
     {.master = true}},
    {"of a worker group, to who does not lead",
     GroupReport{},
     ofGroup,
     {.groupScheduler = true},
     {.groupScheduler = true}},
    {"left, to the master", Left{}, ofRank, {.leads = true}, {.master = true}},
    {"left, to a group scheduler",
     Left{},
     ofRank,
     {.groupScheduler = true},
     {.groupScheduler = true}},
    {"left, to both",
     Left{},
     ofRank,
     {.leads = true, .groupScheduler = true},
     {.groupScheduler = true, .master = true}},
    {"broken, to both",
     Broken{},
     ofRank,
     {.leads = true, .groupScheduler = true},
     {.groupScheduler = true, .master = true}},
    {"broken, of a worker group",
     Broken{},
     ofGroup,
     {.leads = true, .groupScheduler = true},
     {.master = true}},
    {"output", OutputFetched{}, ofRank, {.leads = true, .groupScheduler = true}, {.output = true}},
    {"output, of another run", OutputFetched{}, ofRank, {.ofRun = false, .leads = true}, {}},
    {"output, to who does not lead", OutputFetched{}, ofRank, {.groupScheduler = true}, {}},
    // Neither.
    {"of the record", RecordWord{}, ofRank, {}, {.record = true}},
    {"of the record, of another run", RecordWord{}, ofRank, {.ofRun = false}, {}},
    {"of a world", WorldMail{}, ofRank, {}, {.world = true}},
    {"of a world of another run", WorldMail{}, ofRank, {.ofRun = false}, {}},
    {"what is printed", OutputPrinted{}, ofRank, {}, {.printed = true}},
    {"what is printed of another run", OutputPrinted{}, ofRank, {.ofRun = false}, {}},
};

std::string textOf(const MessageRoute& route)
{
    std::string text;
    text += route.worker ? "worker " : "";
    text += route.groupScheduler ? "group scheduler " : "";
    text += route.master ? "master " : "";
    text += route.output ? "output " : "";
    text += route.record ? "record " : "";
    text += route.end ? "end " : "";
    return text;
}

} // namespace

/// What breaks it: a message that goes to nobody, or to somebody else.
class TestMessageRoute : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void goesWhereTheTableSays_data()
    {
        QTest::addColumn<std::size_t>("row");
        for (std::size_t row = 0; row < routeCases.size(); ++row)
            QTest::newRow(routeCases[row].name) << row;
    }
    void goesWhereTheTableSays()
    {
        QFETCH(std::size_t, row);
        const RouteCase& is = routeCases[row];
        const Envelope envelope{.epoch = Epoch(1),
                                .held = {},
                                .message = is.message,
                                .group = is.ofGroup ? std::optional(GroupId(1)) : std::nullopt};
        const MessageRoute route = routeOf(envelope, is.scene);
        QVERIFY2(route == is.route, textOf(route).c_str());
    }
};

QTEST_APPLESS_MAIN(TestMessageRoute)

} // namespace tst_messageroute

#include "tst_messageroute.moc"
