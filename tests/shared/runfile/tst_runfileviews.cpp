// SPDX-License-Identifier: GPL-3.0-or-later
// First: moc of Qt 6.4 cannot read the standard headers that the others include otherwise.
#include <QTest>

#include "runfiletesting.h"

#include "domain/runstate.h"
#include "shared/domain/randomhistory.h"
#include "support/history.h"

#include <QTemporaryDir>

#include <memory>

namespace tst_runfileviews {

using namespace tasuki;
using namespace tasuki::testing;

/// The views of run files that people query.
class TestRunFileViews : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();

    void viewsForPeople();
    void lostAttemptIsOfTheHostThatRanIt();
    void viewsOfTheHierarchy();
    void viewsOfRandomHierarchies();
    void anOlderFileGetsTheViews();
    void zerosOfOlderFilesAreNotKnown();

private:
    std::filesystem::path path(const char* name = "run.tasuki") const
    {
        return std::filesystem::path(m_directory->path().toStdString()) / name;
    }

    std::unique_ptr<QTemporaryDir> m_directory;
};

void TestRunFileViews::init() { m_directory = std::make_unique<QTemporaryDir>(); }

void TestRunFileViews::viewsForPeople()
{
    auto events = simpleEpoch(1, 0, 2, 5);
    std::uint64_t sequence = events.size();
    const auto add = [&](EventPayload payload) {
        events.push_back({.id = {Epoch(1), Sequence(++sequence)},
                          .wallTime = WallTime(std::chrono::seconds(1'700'000'001)),
                          .monotonic = {},
                          .payload = std::move(payload)});
    };
    add(ProcessorJoined{Rank(3), Incarnation(1), "node3", 77, 2});
    add(TaskReopened{TaskId(1)});
    AttemptFinished failed;
    failed.key = {TaskId(1), AttemptNumber(2)};
    failed.rank = Rank(3);
    failed.result.outcome = Outcome::Failed;
    failed.result.code = 4;
    failed.result.elapsed = std::chrono::milliseconds(1500);
    add(failed);
    add(Notice{Severity::Warning, "careful"});
    must(must(RunFileWriter::create(path(), RunId::random())).append(events));
    const auto tasks = query(path(), "SELECT * FROM tasks WHERE id = 1");
    QVERIFY((tasks
             == std::vector<std::vector<std::string>>{
                 {"1", "2", "echo 1", "failed", "2", "failed", "4", "1.5", "3", "node3"}}));
    const auto attempts = query(path(),
                                "SELECT task, attempt, outcome, stdout, stdout_bytes "
                                "FROM attempts WHERE task = 1 ORDER BY attempt");
    QVERIFY((attempts
             == std::vector<std::vector<std::string>>{{"1", "1", "succeeded", "bbbbb", "5"},
                                                      {"1", "2", "failed", "NULL", "0"}}));
    const auto log = query(path(),
                           "SELECT epoch, sequence, time, event, text FROM log "
                           "ORDER BY epoch, sequence");
    QCOMPARE(log.size(), events.size());
    QVERIFY((log.back()
             == std::vector<std::string>{"1", "9", "2023-11-14 22:13:21.000", "notice",
                                         "severity=1 text=careful"}));
    QVERIFY((log[7]
             == std::vector<std::string>{"1", "8", "2023-11-14 22:13:21.000", "attempt finished",
                                         "failed (4) after 1.5 s"}));
}

void TestRunFileViews::viewsOfTheHierarchy()
{
    auto events = simpleEpoch(1, 0, 0);
    const auto add = [&](EventPayload payload) {
        events.push_back({.id = {Epoch(1), Sequence(events.size() + 1)},
                          .wallTime = WallTime(std::chrono::seconds(1'700'000'000)),
                          .monotonic = {},
                          .payload = std::move(payload)});
    };
    SystemLaidOut layout;
    layout.subclusters = {{"antenna", 1, 1, 0, 1}, {"store", 1, 0, 0, 1}};
    layout.units = {{"left", "node0", SubclusterId(0)}};
    layout.seats = {{SubclusterId(0), SeatKind::Active, 0}, {SubclusterId(1), SeatKind::Active, 0}};
    const auto processor = [&](std::uint32_t id, std::optional<SeatId> seat) {
        layout.processors.push_back({.id = ProcessorId(id),
                                     .subcluster = SubclusterId(0),
                                     .unit = UnitId(0),
                                     .kind = ProcessorKind::Active,
                                     .seat = seat,
                                     .host = "node0"});
    };
    processor(2, SeatId(0));
    processor(5, SeatId(1));
    processor(7, std::nullopt);
    layout.processors.back().kind = ProcessorKind::Standby;
    layout.processors.back().pid = 77;
    add(layout);
    add(HealthChanged{ProcessorId(2), Health::Lost, HealthCause::Gone, notKnown,
                      WallTime(std::chrono::milliseconds(1'700'000'001'250))});
    add(SeatTaken{.seat = SeatId(0),
                  .incarnation = Incarnation(2),
                  .holder = ProcessorId(7),
                  .previous = ProcessorId(2),
                  .takeover = std::chrono::microseconds(20'500)});
    add(HealthChanged{ProcessorId(5), Health::Lost, HealthCause::Ordered});
    add(SeatVacated{SeatId(1), ProcessorId(5), true});
    add(AlarmAcknowledged{events[2].id, "ann", "seen",
                          WallTime(std::chrono::seconds(1'700'000'060))});
    add(ProcessorDrained{ProcessorId(7), true, "ann"});
    add(MasterChanged{MasterRole::System, 0, ProcessorId(5)});
    add(MasterChanged{MasterRole::System, 0, ProcessorId(7), ProcessorId(5),
                      std::chrono::microseconds(3'000), std::chrono::microseconds(7'000)});
    must(must(RunFileWriter::create(path(), RunId::random())).append(events));
    using Rows = std::vector<std::vector<std::string>>;
    const std::string time = "2023-11-14 22:13:20.000";
    QVERIFY((query(path(), "SELECT * FROM failovers")
             == Rows{{"1", "4", time, "antenna rank 0", "2", "2", "7", "gone", "NULL", "20.5",
                      "2023-11-14 22:13:21.250"},
                     {"1", "10", time, "system master", "NULL", "5", "7", "ordered", "3.0", "7.0",
                      "NULL"}}));
    QVERIFY(
        (query(path(), "SELECT * FROM alarms")
         == Rows{{"1", "3", time, "processor lost", "2", "NULL", "ann", time,
                  "2023-11-14 22:14:20.000", "seen"},
                 {"1", "6", time, "seat vacant", "1", "NULL", "NULL", "NULL", "NULL", "NULL"}}));
    QVERIFY((
        query(path(), "SELECT * FROM processors_health")
        == Rows{{"2", "node0", "0", "antenna", "left", "active", "NULL", "lost", "gone", "0"},
                {"5", "node0", "0", "antenna", "left", "active", "NULL", "lost", "ordered", "0"},
                {"7", "node0", "77", "antenna", "left", "standby", "0", "expected", "none", "1"}}));
    QVERIFY((query(path(), "SELECT event, text FROM log WHERE sequence = 2")
             == Rows{{"system laid out", "processors=3 seats=2 subclusters=2 units=1"}}));
}

/// The rank has another holder when the end of what was lost is told.
void TestRunFileViews::lostAttemptIsOfTheHostThatRanIt()
{
    History history;
    const auto joined = [](std::uint32_t incarnation, const char* host) {
        return ProcessorJoined{.rank = Rank(1),
                               .incarnation = Incarnation(incarnation),
                               .host = host,
                               .pid = 7,
                               .slots = 1};
    };
    const auto begun = [](std::uint32_t task) {
        return AttemptStarted{{TaskId(task), AttemptNumber(1)}, Rank(1), SlotIndex(0), {}};
    };
    const auto lost = [](std::uint32_t task, Disposition disposition) {
        return AttemptFinished{
            {TaskId(task), AttemptNumber(1)}, Rank(1), SlotIndex(0), disposition, {}};
    };
    history.add(RunOpened{}).addTask("a").addTask("b").add(joined(1, "lost")).add(begun(0));
    history.add(begun(1)).add(joined(2, "successor")).add(lost(0, Disposition::Retry));
    history.add(lost(1, Disposition::Final));
    AttemptFinished again = lost(0, Disposition::Final);
    again.key.number = AttemptNumber(2);
    history.add(again);
    must(must(RunFileWriter::create(path(), RunId::random())).append(history.events()));
    using Rows = std::vector<std::vector<std::string>>;
    QVERIFY((query(path(), "SELECT task, attempt, host FROM attempts ORDER BY task, attempt")
             == Rows{{"0", "1", "lost"}, {"0", "2", "successor"}, {"1", "1", "lost"}}));
    QVERIFY((query(path(), "SELECT id, host FROM tasks ORDER BY id")
             == Rows{{"0", "successor"}, {"1", "lost"}}));
}

/// The views say what RunState says.
void TestRunFileViews::viewsOfRandomHierarchies()
{
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
        const std::string name = std::to_string(seed) + ".tasuki";
        const auto events = RandomHistory(seed).more(700);
        must(must(RunFileWriter::create(path(name.c_str()), RunId::random())).append(events));
        RunState state;
        for (const Event& event : events)
            must(state.apply(event));
        const auto failovers = query(path(name.c_str()),
                                     "SELECT sequence, cause, to_processor FROM failovers");
        QCOMPARE(failovers.size(), state.failovers().size());
        for (std::size_t i = 0; i < failovers.size(); ++i) {
            const Failover& failover = state.failovers()[i];
            QCOMPARE(failovers[i][0], std::to_string(failover.id.sequence.value()));
            QCOMPARE(failovers[i][1], std::string(healthCauseName(failover.cause)));
            QCOMPARE(failovers[i][2], std::to_string(failover.to.id.value()));
        }
        const auto alarms = query(path(name.c_str()),
                                  "SELECT epoch, sequence, acknowledged_by FROM alarms "
                                  "ORDER BY epoch, sequence");
        QCOMPARE(alarms.size(), state.alarms().all().size());
        for (std::size_t i = 0; i < alarms.size(); ++i) {
            const Alarm& alarm = state.alarms().all()[i];
            QCOMPARE(alarms[i][0] + '.' + alarms[i][1], eventIdText(alarm.id));
            QCOMPARE(alarms[i][2] == "NULL", !alarm.acknowledgement.has_value());
        }
        const auto rows = query(path(name.c_str()),
                                "SELECT processor, seat, health, cause, drained "
                                "FROM processors_health ORDER BY processor");
        QCOMPARE(rows.size(), state.system().processors().size());
        std::size_t i = 0;
        for (const auto& [id, processor] : state.system().processors()) {
            const auto& row = rows[i++];
            const auto& seat = processor.info.seat;
            QCOMPARE(row[0], std::to_string(id.value()));
            QCOMPARE(row[1], seat ? std::to_string(seat->value()) : std::string("NULL"));
            QCOMPARE(row[2], std::string(healthName(processor.health)));
            QCOMPARE(row[3], std::string(healthCauseName(processor.cause)));
            QCOMPARE(row[4], std::string(processor.drained ? "1" : "0"));
        }
    }
}

/// A file that a program without the hierarchy made reads as before; the next agent completes it.
void TestRunFileViews::anOlderFileGetsTheViews()
{
    const auto events = simpleEpoch(1, 0, 2);
    must(must(RunFileWriter::create(path(), RunId::random())).append(events));
    QCOMPARE(failureOf(path(),
                       "DROP VIEW failovers; DROP VIEW alarms; DROP VIEW processors_health; "
                       "DELETE FROM kind WHERE id > 14"),
             std::string());
    QVERIFY(eventsOf(path()) == events);
    QCOMPARE(failureOf(path(), "SELECT * FROM alarms"), std::string("no such table: alarms"));
    must(RunFileWriter::open(path()));
    QCOMPARE(failureOf(path(), "SELECT * FROM alarms, failovers, processors_health"),
             std::string());
    QCOMPARE(query(path(), "SELECT count(*) FROM kind")[0][0],
             std::to_string(std::variant_size_v<EventPayload>));
    QVERIFY(eventsOf(path()) == events);
}

/// What an older program wrote for a time that it had not measured is no time; the view says so once an
/// agent has written the file.
void TestRunFileViews::zerosOfOlderFilesAreNotKnown()
{
    auto events = simpleEpoch(1, 0, 2);
    const auto add = [&](EventPayload payload) {
        Event event = events.back();
        event.id.sequence = Sequence(event.id.sequence.value() + 1);
        event.payload = std::move(payload);
        events.push_back(std::move(event));
    };
    SystemLaidOut layout;
    layout.subclusters = {{.name = "one"}};
    layout.units = {{.name = "one", .host = "h", .subcluster = SubclusterId(0)}};
    for (std::uint32_t number = 0; number < 2; ++number) {
        layout.processors.push_back({.id = ProcessorId(number),
                                     .subcluster = SubclusterId(0),
                                     .unit = UnitId(0),
                                     .kind = ProcessorKind::Active,
                                     .seat = {},
                                     .host = "h"});
    }
    const auto zero = std::chrono::microseconds(0);
    add(layout);
    add(HealthChanged{ProcessorId(0), Health::Lost, HealthCause::Gone, zero});
    add(MasterChanged{MasterRole::System, 0, ProcessorId(1), ProcessorId(0), zero, zero});
    must(must(RunFileWriter::create(path(), RunId::random())).append(events));
    const auto read = eventsOf(path());
    QCOMPARE(std::get<HealthChanged>(read[read.size() - 2].payload).detection, notKnown);
    QCOMPARE(std::get<MasterChanged>(read.back().payload).detection, notKnown);
    QCOMPARE(std::get<MasterChanged>(read.back().payload).takeover, notKnown);
    QCOMPARE(failureOf(path(),
                       "DROP VIEW failovers; CREATE VIEW failovers AS SELECT 0.0 AS "
                       "detection_ms, 0.0 AS takeover_ms"),
             std::string());
    must(RunFileWriter::open(path()));
    using Rows = std::vector<std::vector<std::string>>;
    QVERIFY((query(path(), "SELECT detection_ms, takeover_ms, lost FROM failovers")
             == Rows{{"NULL", "NULL", "NULL"}}));
}

QTEST_APPLESS_MAIN(TestRunFileViews)

} // namespace tst_runfileviews

#include "tst_runfileviews.moc"
