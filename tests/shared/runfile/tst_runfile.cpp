// SPDX-License-Identifier: GPL-3.0-or-later
// First: moc of Qt 6.4 cannot read the standard headers that the others include otherwise.
#include <QTest>

#include "runfiletesting.h"

#include "domain/runstate.h"
#include "shared/domain/randomhistory.h"

#include <QTemporaryDir>

using namespace tasuki;
using namespace tasuki::testing;

namespace {

/// The columns of view tasks that RunState knows too.
std::vector<std::string> rowOf(std::size_t id, const TaskRecord& record, bool ended)
{
    const bool told = ended && record.state != TaskState::Running;
    const bool lostInCrash = told && record.lastOutcome == Outcome::Lost;
    std::vector<std::string> row{std::to_string(id),
                                 std::to_string(record.task.line),
                                 record.task.command,
                                 std::string(taskStateName(record.state)),
                                 std::to_string(record.attempts),
                                 told ? std::string(outcomeName(record.lastOutcome)) : "NULL"};
    // An attempt that a crash cut off has no code in the file.
    if (told && !lostInCrash)
        row.push_back(std::to_string(record.lastCode));
    return row;
}

} // namespace

class TestRunFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();

    void aNewFileIsEmptyAndMarked();
    void randomHistoriesComeBack_data();
    void randomHistoriesComeBack();
    void largeCommandsComeBack();
    void outputsAreReadOnRequest();
    void attemptsAreFound();
    void settingsAreSharedAcrossEpochs();
    void aReaderFollowsAWriter();
    void aReaderLeavesTheWritersLocksAlone();
    void anyPathWorks();
    void anExistingFileIsRefused();
    void idsMustAscend();
    void viewsForPeople();
    void viewsOfTheHierarchy();
    void viewsOfRandomHierarchies();
    void anOlderFileGetsTheViews();
    void zerosOfOlderFilesAreNotKnown();
    void eventsCannotBeChangedBySql();
    void aCleanCloseLeavesOneFile();

private:
    std::filesystem::path path(const char* name = "run.tasuki") const
    {
        return std::filesystem::path(m_directory->path().toStdString()) / name;
    }

    std::unique_ptr<QTemporaryDir> m_directory;
};

void TestRunFile::init() { m_directory = std::make_unique<QTemporaryDir>(); }

void TestRunFile::aNewFileIsEmptyAndMarked()
{
    const RunId run = RunId::random();
    {
        auto writer = must(RunFileWriter::create(path(), run));
        QVERIFY(writer.run() == run);
        QVERIFY(writer.lastEvent() == EventId{});
    }
    QVERIFY(eventsOf(path()).empty());
    QVERIFY(must(RunFileReader::open(path())).run() == run);
    QVERIFY(must(RunFileWriter::open(path())).run() == run);
    QCOMPARE(query(path(), "PRAGMA application_id")[0][0], std::to_string(0x54617375));
    QCOMPARE(query(path(), "PRAGMA user_version")[0][0], std::string("1"));
    QCOMPARE(query(path(), "PRAGMA journal_mode")[0][0], std::string("wal"));
}

void TestRunFile::randomHistoriesComeBack_data()
{
    QTest::addColumn<std::uint32_t>("seed");
    for (std::uint32_t seed = 100; seed < 112; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

void TestRunFile::randomHistoriesComeBack()
{
    QFETCH(std::uint32_t, seed);
    RandomHistory history(seed);
    std::vector<Event> all;
    RunState live;
    std::optional<RunFileWriter> writer(must(RunFileWriter::create(path(), RunId::random())));
    for (int round = 0; round < 12; ++round) {
        const auto batch = history.more(1 + seed * 7 % 90);
        must(writer->append(batch));
        for (const Event& event : batch)
            must(live.apply(event));
        all.insert(all.end(), batch.begin(), batch.end());
        QVERIFY(writer->lastEvent() == all.back().id);
        if (round % 4 == 3) {
            writer.reset();
            writer.emplace(must(RunFileWriter::open(path())));
            QVERIFY(writer->lastEvent() == all.back().id);
        }
    }
    const auto events = eventsOf(path());
    QCOMPARE(events.size(), all.size());
    RunState again;
    for (std::size_t i = 0; i < all.size(); ++i) {
        QVERIFY2(events[i] == all[i], std::string(eventKindName(all[i].payload)).c_str());
        must(again.apply(events[i]));
    }
    for (std::size_t i = 0; i < taskStateCount; ++i)
        QCOMPARE(again.count(static_cast<TaskState>(i)), live.count(static_cast<TaskState>(i)));
    const auto rows = query(path(),
                            "SELECT id, line, command, state, attempts, outcome, code "
                            "FROM tasks ORDER BY id");
    QCOMPARE(rows.size(), live.tasks().size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto expected = rowOf(i, live.tasks()[i], history.tasks()[i].everEnded);
        for (std::size_t column = 0; column < expected.size(); ++column)
            QCOMPARE(rows[i][column], expected[column]);
        QVERIFY(again.tasks()[i].state == live.tasks()[i].state);
    }
}

void TestRunFile::largeCommandsComeBack()
{
    auto events = simpleEpoch(1, 0, 3);
    std::string& command = std::get<TaskAdded>(events[3].payload).task.command;
    command.assign(5'000'000, 'x');
    for (std::size_t i = 0; i < 256; ++i)
        command[i * 1000] = static_cast<char>(i);
    must(must(RunFileWriter::create(path(), RunId::random())).append(events));
    QVERIFY(eventsOf(path()) == events);
}

void TestRunFile::outputsAreReadOnRequest()
{
    auto events = simpleEpoch(1, 0, 50, 200);
    auto& finished = std::get<AttemptFinished>(events[2].payload);
    finished.result.standardOutput = {};
    std::get<AttemptFinished>(events[4].payload).result.standardError = {std::string("e\0f", 3),
                                                                         "tail", 1000};
    must(must(RunFileWriter::create(path(), RunId::random())).append(events));
    std::size_t attempts = 0;
    auto reader = must(RunFileReader::open(path()));
    must(reader.replay(
        [&](Event event) {
            if (const auto* end = std::get_if<AttemptFinished>(&event.payload)) {
                ++attempts;
                if (end->result.standardOutput != CapturedStream{}
                    || end->result.standardError != CapturedStream{})
                    return Result<void>(Error{.message = "output"});
            }
            return Result<void>();
        },
        {}, RunFileReader::Outputs::Skip));
    QCOMPARE(attempts, std::size_t(50));
    std::vector<Event> totals = events;
    for (Event& event : totals)
        if (auto* end = std::get_if<AttemptFinished>(&event.payload))
            for (auto* stream : {&end->result.standardOutput, &end->result.standardError})
                *stream = {{}, {}, stream->totalBytes};
    std::vector<Event> read;
    must(reader.replay(
        [&](Event event) {
            read.push_back(std::move(event));
            return Result<void>();
        },
        {}, RunFileReader::Outputs::Totals));
    QVERIFY(read == totals);
    QVERIFY(eventsOf(path()) == events);
    // From the middle on, outputs still belong to their events.
    const auto rest = eventsOf(path(), events[40].id);
    QVERIFY(std::equal(rest.begin(), rest.end(), events.begin() + 41, events.end()));
}

void TestRunFile::attemptsAreFound()
{
    auto events = simpleEpoch(1, 0, 20, 30);
    auto& finished = std::get<AttemptFinished>(events[8].payload);
    finished.result.outcome = Outcome::Signalled;
    finished.result.code = 9;
    finished.result.usage.maxResidentKiB = 4711;
    must(must(RunFileWriter::create(path(), RunId::random())).append(events));
    auto reader = must(RunFileReader::open(path()));
    const auto found = must(reader.attempt(finished.key));
    QVERIFY(found.has_value());
    QVERIFY(*found == finished.result);
    QVERIFY(!must(reader.attempt({finished.key.task, AttemptNumber(2)})));
    QVERIFY(!must(reader.attempt({TaskId(20), AttemptNumber(1)})));
    QVERIFY(must(reader.lastEvent()) == events.back().id);
}

void TestRunFile::settingsAreSharedAcrossEpochs()
{
    must(must(RunFileWriter::create(path(), RunId::random())).append(simpleEpoch(1, 0, 100)));
    auto events = simpleEpoch(2, 100, 100);
    auto other = std::make_shared<TaskSettings>();
    other->environment = {{"A", "b"}, {"", ""}, {"A", ""}};
    std::get<TaskAdded>(events[1].payload).task.settings = other;
    std::get<TaskAdded>(events[3].payload).task.settings = std::make_shared<TaskSettings>();
    std::get<TaskAdded>(events[5].payload).task.settings = std::make_shared<TaskSettings>(*other);
    must(must(RunFileWriter::open(path())).append(events));
    QCOMPARE(query(path(), "SELECT count(*) FROM settings")[0][0], std::string("2"));
    QVERIFY(eventsOf(path(), EventId{Epoch(1), Sequence(201)}) == events);
}

void TestRunFile::aReaderFollowsAWriter()
{
    auto writer = must(RunFileWriter::create(path(), RunId::random()));
    auto reader = must(RunFileReader::open(path()));
    EventId last;
    for (std::uint32_t epoch = 1; epoch <= 5; ++epoch) {
        const auto events = simpleEpoch(epoch, epoch * 10, 10);
        must(writer.append(events));
        std::vector<Event> seen;
        must(reader.replay(
            [&](Event event) {
                seen.push_back(std::move(event));
                return Result<void>();
            },
            last));
        QVERIFY(seen == events);
        last = must(reader.lastEvent());
        QVERIFY(last == events.back().id);
    }
    // An error of the one who takes ends the replay and is handed through.
    std::size_t taken = 0;
    const auto stopped = reader.replay([&](const Event&) -> Result<void> {
        return ++taken == 3 ? Result<void>(Error{.message = "enough"}) : Result<void>();
    });
    QCOMPARE(taken, std::size_t(3));
    QCOMPARE(stopped.error().message, std::string("enough"));
}

void TestRunFile::aReaderLeavesTheWritersLocksAlone()
{
    LateChild other(
        [&] { return query(path(), "SELECT count(*) FROM event")[0][0] == "21" ? 0 : 1; });
    {
        auto writer = must(RunFileWriter::create(path(), RunId::random()));
        must(writer.append(simpleEpoch(1, 0, 10)));
        // Closing any descriptor of the file in this process would drop the writer's locks ...
        QCOMPARE(eventsOf(path()).size(), std::size_t(21));
        QVERIFY(!RunFileWriter::open(path()));
        // ... and then another process that closes the file would take the log away under it.
        QCOMPARE(other.run(), 0);
        QVERIFY(std::filesystem::exists(path("run.tasuki-wal")));
        must(writer.append(simpleEpoch(2, 10, 10)));
    }
    QCOMPARE(eventsOf(path()).size(), std::size_t(42));
}

void TestRunFile::anyPathWorks()
{
    const std::vector<const char*> names{
        "with space", "q?mode=memory&cache=x", "p%20%zz",  "h#ash",    "\xe6\x97\xa5\xe6\x9c\xac",
        ":memory:",   "file:x?vfs=none",       "quote'\"", "\xff\xfe", "-wal",
        "new\nline"};
    const auto here = std::filesystem::current_path();
    std::filesystem::current_path(m_directory->path().toStdString());
    for (const char* name : names) {
        const auto events = simpleEpoch(1, 0, 3);
        must(must(RunFileWriter::create(name, RunId::random())).append(events));
        QVERIFY2(eventsOf(name) == events, name);
        QVERIFY2(std::filesystem::exists(path(name)), name);
        must(must(RunFileWriter::open(path(name))).append(simpleEpoch(2, 3, 1)));
        QCOMPARE(eventsOf(name).size(), events.size() + 3);
    }
    std::filesystem::current_path(here);
    QCOMPARE(contentsOf(m_directory->path().toStdString()).size(), names.size());
    // Qt cannot remove names that are no UTF-8.
    std::filesystem::remove(path("\xff\xfe"));
}

void TestRunFile::anExistingFileIsRefused()
{
    writeFile(path(), "mine");
    std::filesystem::create_directory(path("dir"));
    std::filesystem::create_symlink("nowhere", path("link"));
    const auto before = contentsOf(m_directory->path().toStdString());
    const auto file = RunFileWriter::create(path(), RunId::random());
    QVERIFY(!file);
    QCOMPARE(file.error().kind, ErrorKind::Input);
    QVERIFY(file.error().text().find("--resume") != std::string::npos);
    QVERIFY(!RunFileWriter::create(path("dir"), RunId::random()));
    QVERIFY(!RunFileWriter::create(path("link"), RunId::random()));
    const auto nowhere = RunFileWriter::create(path("no/such/dir"), RunId::random());
    QCOMPARE(nowhere.error().kind, ErrorKind::System);
    QVERIFY(contentsOf(m_directory->path().toStdString()) == before);
}

void TestRunFile::idsMustAscend()
{
    auto writer = must(RunFileWriter::create(path(), RunId::random()));
    auto events = simpleEpoch(1, 0, 3);
    must(writer.append(events));
    QCOMPARE(writer.append(events).error().kind, ErrorKind::Damaged);
    auto swapped = simpleEpoch(2, 3, 3);
    std::swap(swapped[2], swapped[3]);
    QVERIFY(!writer.append(swapped));
    auto large = simpleEpoch(1U << 23U, 3, 1);
    QVERIFY(!writer.append(large));
    large = simpleEpoch(2, 3, 1);
    large.back().id.sequence = Sequence(std::uint64_t{1} << 40U);
    QVERIFY(!writer.append(large));
    must(writer.append({}));
    QVERIFY(eventsOf(path()) == events);
    large.back().id = {Epoch((1U << 23U) - 1), Sequence((std::uint64_t{1} << 40U) - 1)};
    must(writer.append(large));
    QVERIFY(eventsOf(path()).back() == large.back());
}

void TestRunFile::viewsForPeople()
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

void TestRunFile::viewsOfTheHierarchy()
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

/// The views say what RunState says.
void TestRunFile::viewsOfRandomHierarchies()
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
void TestRunFile::anOlderFileGetsTheViews()
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
void TestRunFile::zerosOfOlderFilesAreNotKnown()
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

void TestRunFile::eventsCannotBeChangedBySql()
{
    const auto events = simpleEpoch(1, 0, 2);
    must(must(RunFileWriter::create(path(), RunId::random())).append(events));
    QCOMPARE(failureOf(path(), "UPDATE event SET task = 7"),
             std::string("events are never changed"));
    QCOMPARE(failureOf(path(), "DELETE FROM event"), std::string("events are never deleted"));
    QVERIFY(eventsOf(path()) == events);
}

void TestRunFile::aCleanCloseLeavesOneFile()
{
    {
        auto writer = must(RunFileWriter::create(path(), RunId::random()));
        must(writer.append(simpleEpoch(1, 0, 100)));
        QVERIFY(std::filesystem::exists(path("run.tasuki.lock")));
        QVERIFY(std::filesystem::exists(path("run.tasuki-wal")));
    }
    QCOMPARE(contentsOf(m_directory->path().toStdString()).size(), std::size_t(1));
    QCOMPARE(eventsOf(path()).size(), std::size_t(201));
    QCOMPARE(contentsOf(m_directory->path().toStdString()).size(), std::size_t(1));
}

QTEST_APPLESS_MAIN(TestRunFile)
#include "tst_runfile.moc"
