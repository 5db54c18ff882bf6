// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "domain/runstate.h"
#include "report/runtables.h"
#include "report/systemtables.h"

namespace tst_systemtables {

using namespace tasuki;
using namespace std::chrono_literals;

namespace {

SystemLaidOut layout()
{
    SystemLaidOut out;
    out.subclusters = {{"antenna", 1, 1, 1, 1}, {"store", 1, 0, 0, 1}};
    out.units = {{"left", "node0", SubclusterId(0)}};
    out.seats = {{SubclusterId(0), SeatKind::Active, 0},
                 {SubclusterId(1), SeatKind::Active, 0},
                 {SubclusterId(0), SeatKind::Io, 0}};
    const auto add = [&](std::uint32_t id, ProcessorKind kind, std::optional<SeatId> seat) {
        out.processors.push_back({.id = ProcessorId(id),
                                  .subcluster = SubclusterId(0),
                                  .unit = UnitId(0),
                                  .kind = kind,
                                  .seat = seat,
                                  .host = "node0",
                                  .pid = 9});
    };
    add(0, ProcessorKind::Io, SeatId(2));
    add(2, ProcessorKind::Active, SeatId(0));
    add(7, ProcessorKind::Standby, std::nullopt);
    out.heartbeat = 100ms;
    out.policy = DownPolicy::Restart;
    out.topologyFile = "site.toml";
    out.topologyRevision = 3;
    return out;
}

/// A run whose events are a second apart, from 2023-11-14 22:13:20 UTC on.
struct Told {
    explicit Told(std::vector<EventPayload> payloads)
    {
        for (EventPayload& payload : payloads) {
            events.push_back(
                {.id = {Epoch(1), Sequence(events.size() + 1)},
                 .wallTime = WallTime(1'700'000'000s + std::chrono::seconds(events.size())),
                 .monotonic = {},
                 .payload = std::move(payload)});
            if (const auto applied = state.apply(events.back()); !applied)
                qFatal("%s", applied.error().text().c_str());
            texts.push_back(eventText(events.back(), state.system()));
        }
    }
    [[nodiscard]] QJsonObject json(std::size_t index) const
    {
        return QJsonDocument::fromJson(QByteArray::fromStdString(eventJson(events[index])))
            .object();
    }
    [[nodiscard]] const Alarm& alarm(std::size_t index) const
    {
        return state.alarms().all()[index];
    }

    RunState state;
    std::vector<Event> events;
    std::vector<std::string> texts;
};

std::vector<EventPayload> story()
{
    return {RunOpened{},
            layout(),
            SystemStarted{},
            HealthChanged{ProcessorId(2), Health::Lost, HealthCause::Gone, 3'250us,
                          WallTime(1'700'000'002'500ms)},
            SeatTaken{SeatId(0), Incarnation(2), ProcessorId(7), ProcessorId(2), 3'250us, 20ms},
            SeatVacated{SeatId(0), ProcessorId(7), true},
            MasterChanged{MasterRole::Unit, 0, ProcessorId(0)},
            MasterChanged{MasterRole::Cluster, 1, ProcessorId(0)},
            MasterChanged{MasterRole::System, 0, ProcessorId(0)},
            SubclusterChanged{SubclusterId(1), ClusterState::Down, "no rank is held"},
            AlarmAcknowledged{{Epoch(1), Sequence(4)}, "ann", "I look", WallTime(1'800'000'000s)},
            AlarmAcknowledged{{Epoch(1), Sequence(6)}, "bob", ""},
            ProcessorDrained{ProcessorId(7), true, "ann"},
            ProcessorDrained{ProcessorId(7), false, "ann"},
            SeatTaken{SeatId(2), Incarnation(2), ProcessorId(7), ProcessorId(0)},
            MasterChanged{MasterRole::System, 0, ProcessorId(7), ProcessorId(0), 3'250us, 41ms},
            ProcessorOrdered{ProcessorId(7), ProcessorOrder::Promote, "ann", ""},
            ProcessorOrdered{ProcessorId(7), ProcessorOrder::BecomeIo, "", "no vacant place"},
            RunEnding{},
            RunEnding{.kill = true, .restartFor = SubclusterId(1)}};
}

} // namespace

class TestSystemTables : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("TZ", "UTC");
        ::tzset();
    }
    void words();
    void lines();
    void json();
    void failovers();
    void alarms();
};

void TestSystemTables::words()
{
    const Told told(story());
    const std::vector<std::string> expected{
        "3 processors in 1 unit of 2 subclusters, heartbeat 100 ms, policy restart, topology "
        "site.toml, revision 3",
        "all 3 processors are ready",
        "processor 2 (node0) is lost: gone, since 2023-11-14 22:13:22.500, noticed after 3.250 ms",
        "antenna rank 0 incarnation 2 is held by processor 7 (node0) in place of processor 2 "
        "(node0), detected in 3.250 ms, taken over in 20.000 ms",
        "antenna rank 0 has lost processor 7 (node0) and is given up",
        "processor 0 (node0) is master of unit left",
        "processor 0 (node0) is master of subcluster store",
        "processor 0 (node0) is system master",
        "subcluster store is down: no rank is held",
        "alarm 1.4 by ann until 2027-01-15 08:00:00.000: I look",
        "alarm 1.6 by bob",
        "processor 7 (node0) gets no new work, by ann",
        "processor 7 (node0) may get work again, by ann",
        "antenna I/O 0 incarnation 2 is held by processor 7 (node0) in place of processor 0 "
        "(node0)",
        "processor 7 (node0) is system master in place of processor 0 (node0), detected in 3.250 "
        "ms, taken over in 41.000 ms",
        "processor 7 (node0): promote, by ann",
        "processor 7 (node0): become I/O, which cannot be done any more: no vacant place",
        "what runs may finish",
        "what runs is killed; to be started again, as subcluster store is down"};
    for (std::size_t i = 0; i < expected.size(); ++i)
        QCOMPARE(told.texts[i + 1], expected[i]);
}

void TestSystemTables::lines()
{
    const Told told(story());
    QCOMPARE(eventLine(told.events[3], told.state.system()),
             std::string("1.4 2023-11-14 22:13:23.000  health changed    processor 2 (node0) is "
                         "lost: gone, since 2023-11-14 22:13:22.500, noticed after 3.250 ms\n"));
    const ProcessorLost lost{
        .rank = Rank(1), .incarnation = Incarnation(1), .cause = LossCause::Gone};
    QCOMPARE(eventText({.id = {}, .wallTime = {}, .monotonic = {}, .payload = lost},
                       told.state.system()),
             std::string("store rank 0 incarnation 1: gone"));
    QCOMPARE(
        taskTableHeading(told.state.system()),
        std::string(
            "   task   line state      att.   seconds           rank end            command\n"));
    QCOMPARE(
        taskTableHeading({}),
        std::string("   task   line state      att.   seconds  rank end            command\n"));
    // Without a layout there are numbers.
    QCOMPARE(eventLine(told.events[5]),
             std::string("1.6 2023-11-14 22:13:25.000  seat vacated      seat 0 has lost processor "
                         "7 and is given up\n"));
}

void TestSystemTables::json()
{
    const Told told(story());
    const QJsonObject laidOut = told.json(1);
    QCOMPARE(laidOut["kind"].toString(), QString("system laid out"));
    QCOMPARE(laidOut["subclusters"][1]["name"].toString(), QString("store"));
    QCOMPARE(laidOut["processors"][2]["kind"].toString(), QString("standby"));
    QVERIFY(laidOut["processors"][2]["seat"].isNull());
    QCOMPARE(laidOut["processors"][1]["seat"].toInt(), 0);
    QCOMPARE(laidOut["seats"][2]["kind"].toString(), QString("I/O"));
    QCOMPARE(laidOut["policy"].toString(), QString("restart"));
    const QJsonObject health = told.json(3);
    QCOMPARE(health["health"].toString(), QString("lost"));
    QCOMPARE(health["cause"].toString(), QString("gone"));
    QCOMPARE(health["detection_ms"].toDouble(), 3.25);
    QCOMPARE(health["lost"].toDouble(), 1'700'000'002.5);
    QCOMPARE(told.json(4)["previous"].toInt(), 2);
    QCOMPARE(told.json(4)["takeover_ms"].toDouble(), 20.0);
    QVERIFY(told.json(14)["takeover_ms"].isNull());
    QVERIFY(!told.json(8).contains("previous"));
    QCOMPARE(told.json(15)["previous"].toInt(), 0);
    QCOMPARE(told.json(5)["given_up"].toBool(), true);
    QCOMPARE(told.json(7)["role"].toString(), QString("cluster"));
    QCOMPARE(told.json(9)["state"].toString(), QString("down"));
    QCOMPARE(told.json(10)["alarm"].toString(), QString("1.4"));
    QCOMPARE(told.json(10)["until"].toDouble(), 1.8e9);
    QVERIFY(told.json(11)["until"].isNull());
    QCOMPARE(told.json(12)["drained"].toBool(), true);
    QCOMPARE(told.json(16)["order"].toString(), QString("promote"));
    QVERIFY(!told.json(16).contains("obstacle"));
    QCOMPARE(told.json(17)["obstacle"].toString(), QString("no vacant place"));
    QVERIFY(!told.json(18).contains("restart_for"));
    QCOMPARE(told.json(19)["restart_for"].toInt(), 1);
}

void TestSystemTables::failovers()
{
    const Told told(story());
    std::string table = failoverHeading();
    for (const Failover& failover : told.state.failovers())
        table += failoverRow(failover);
    QCOMPARE(
        table,
        std::string("when                    lost                    place                from   "
                    "              to                   cause        detection      takeover\n"
                    "2023-11-14 22:13:24.000 2023-11-14 22:13:22.500 antenna rank 0       "
                    "processor 2 (node0)  "
                    "processor 7 (node0)  gone          3.250 ms     20.000 ms\n"
                    "2023-11-14 22:13:34.000 -                       antenna I/O 0        "
                    "processor 0 (node0)  "
                    "processor 7 (node0)  none                 -             -\n"
                    "2023-11-14 22:13:35.000 -                       system master        "
                    "processor 0 (node0)  "
                    "processor 7 (node0)  none          3.250 ms     41.000 ms\n"));
    const QJsonObject first = QJsonDocument::fromJson(QByteArray::fromStdString(
                                                          failoverJson(told.state.failovers()[0])))
                                  .object();
    QCOMPARE(first["event"].toString(), QString("1.5"));
    QCOMPARE(first["place"].toString(), QString("antenna rank 0"));
    QCOMPARE(first["from"].toInt(), 2);
    QCOMPARE(first["to_host"].toString(), QString("node0"));
    QCOMPARE(first["takeover_ms"].toDouble(), 20.0);
    QCOMPARE(first["lost"].toDouble(), 1'700'000'002.5);
    const QJsonObject last = QJsonDocument::fromJson(
                                 QByteArray::fromStdString(failoverJson(told.state.failovers()[2])))
                                 .object();
    QCOMPARE(last["place"].toString(), QString("system master"));
    QVERIFY(last["incarnation"].isNull());
    QVERIFY(last["lost"].isNull());
    QCOMPARE(last["to"].toInt(), 7);
    QCOMPARE(last["takeover_ms"].toDouble(), 41.0);
}

void TestSystemTables::alarms()
{
    const Told told(story());
    const auto table = [&](WallTime now) {
        std::string text = alarmHeading();
        for (const Alarm& alarm : told.state.alarms().all())
            text += alarmRow(alarm, told.texts[alarm.id.sequence.value() - 1], now);
        return text;
    };
    const std::string heading =
        "event    when                    severity acknowledged         what\n";
    const std::string rest =
        "1.6      2023-11-14 22:13:25.000 failure  by bob               antenna rank 0 has lost "
        "processor 7 (node0) and is given up\n"
        "1.10     2023-11-14 22:13:29.000 failure  no                   subcluster store is down: "
        "no rank is held\n";
    QCOMPARE(
        table(WallTime(1'799'999'999s)),
        heading
            + "1.4      2023-11-14 22:13:23.000 failure  by ann               processor 2 "
              "(node0) is lost: gone, since 2023-11-14 22:13:22.500, noticed after 3.250 ms [I look]\n"
            + rest);
    QCOMPARE(
        table(WallTime(1'800'000'000s)),
        heading
            + "1.4      2023-11-14 22:13:23.000 failure  no more, by ann      processor 2 "
              "(node0) is lost: gone, since 2023-11-14 22:13:22.500, noticed after 3.250 ms [I look]\n"
            + rest);
    const QJsonObject json = QJsonDocument::fromJson(
                                 QByteArray::fromStdString(
                                     alarmJson(told.alarm(0), "text", WallTime(1'800'000'000s))))
                                 .object();
    QCOMPARE(json["event"].toString(), QString("1.4"));
    QCOMPARE(json["severity"].toString(), QString("failure"));
    QCOMPARE(json["acknowledged"].toBool(), false);
    QCOMPARE(json["who"].toString(), QString("ann"));
    QCOMPARE(json["until"].toDouble(), 1.8e9);
}

QTEST_APPLESS_MAIN(TestSystemTables)

} // namespace tst_systemtables

#include "tst_systemtables.moc"
