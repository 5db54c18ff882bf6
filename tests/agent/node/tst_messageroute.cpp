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
    bool ofCrew;
    MessageScene scene;
    MessageRoute route;
};

constexpr bool ofCrew = true;
constexpr bool ofRank = false;

const std::vector<RouteCase> routeCases{
    // Down the tree.
    {"to a rank", Assign{}, ofRank, {}, {.worker = true}},
    {"to a rank of who leads",
     Assign{},
     ofRank,
     {.leads = true, .foreman = true},
     {.worker = true}},
    {"to a rank, of another run",
     Assign{},
     ofRank,
     {.ofRun = false},
     {.worker = true}}, // which drops it
    {"to a crew", Assign{}, ofCrew, {.foreman = true}, {.foreman = true}},
    {"to a crew of who leads",
     Assign{},
     ofCrew,
     {.leads = true, .foreman = true},
     {.foreman = true}},
    {"output is wanted", FetchOutput{}, ofRank, {.foreman = true}, {.worker = true}},
    {"the end", Goodbye{}, ofRank, {.fromMaster = true}, {.worker = true, .end = true}},
    {"the end, of who does not lead", Goodbye{}, ofRank, {}, {.worker = true}},
    // Up the tree.
    {"of a rank, to the master", Report{}, ofRank, {.leads = true}, {.master = true}},
    {"of a rank, to a foreman", Report{}, ofRank, {.foreman = true}, {.foreman = true}},
    {"of a rank, to a foreman beside the master",
     Report{},
     ofRank,
     {.leads = true, .foreman = true},
     {.foreman = true}},
    {"of a rank, to nobody", Report{}, ofRank, {}, {.foreman = true}}, // which is not there
    {"of a crew", CrewReport{}, ofCrew, {.leads = true}, {.master = true}},
    {"of a crew, beside a foreman",
     CrewReport{},
     ofCrew,
     {.leads = true, .foreman = true},
     {.master = true}},
    {"of a crew, to who does not lead", CrewReport{}, ofCrew, {.foreman = true}, {.foreman = true}},
    {"left, to the master", Left{}, ofRank, {.leads = true}, {.master = true}},
    {"left, to a foreman", Left{}, ofRank, {.foreman = true}, {.foreman = true}},
    {"left, to both",
     Left{},
     ofRank,
     {.leads = true, .foreman = true},
     {.foreman = true, .master = true}},
    {"broken, to both",
     Broken{},
     ofRank,
     {.leads = true, .foreman = true},
     {.foreman = true, .master = true}},
    {"broken, of a crew", Broken{}, ofCrew, {.leads = true, .foreman = true}, {.master = true}},
    {"output", OutputFetched{}, ofRank, {.leads = true, .foreman = true}, {.output = true}},
    {"output, of another run", OutputFetched{}, ofRank, {.ofRun = false, .leads = true}, {}},
    {"output, to who does not lead", OutputFetched{}, ofRank, {.foreman = true}, {}},
    // Neither.
    {"of the record", RecordWord{}, ofRank, {}, {.record = true}},
    {"of the record, of another run", RecordWord{}, ofRank, {.ofRun = false}, {}},
};

std::string textOf(const MessageRoute& route)
{
    std::string text;
    text += route.worker ? "worker " : "";
    text += route.foreman ? "foreman " : "";
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
                                .crew = is.ofCrew ? std::optional(CrewId(1)) : std::nullopt};
        const MessageRoute route = routeOf(envelope, is.scene);
        QVERIFY2(route == is.route, textOf(route).c_str());
    }
};

QTEST_APPLESS_MAIN(TestMessageRoute)

} // namespace tst_messageroute

#include "tst_messageroute.moc"
