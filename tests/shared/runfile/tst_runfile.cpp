// SPDX-License-Identifier: GPL-3.0-or-later
// First: moc of Qt 6.4 cannot read the standard headers that the others include otherwise.
#include <QTest>

#include "runfiletesting.h"

#include "domain/runstate.h"
#include "shared/domain/randomhistory.h"

#include <QTemporaryDir>

#include <array>
#include <set>

namespace tst_runfile {

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
    void ranksOfWorldsComeBack();
    void groupsAreWrittenOnce();
    void prerequisitesOfBeforeAreRead();
    void phrasesAreOptional();
    void aReaderFollowsAWriter();
    void aReaderLeavesTheWritersLocksAlone();
    void anyPathWorks();
    void anExistingFileIsRefused();
    void idsMustAscend();
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
    other->expectedTime = std::chrono::minutes(90);
    other->warning = EndWarning{.signalNumber = 10, .before = std::chrono::seconds(60)};
    std::get<TaskAdded>(events[1].payload).task.settings = other;
    std::get<TaskAdded>(events[3].payload).task.settings = std::make_shared<TaskSettings>();
    std::get<TaskAdded>(events[5].payload).task.settings = std::make_shared<TaskSettings>(*other);
    must(must(RunFileWriter::open(path())).append(events));
    QCOMPARE(query(path(), "SELECT count(*) FROM settings")[0][0], std::string("2"));
    QVERIFY(eventsOf(path(), EventId{Epoch(1), Sequence(201)}) == events);
}

/// Settings that differ in their seats alone are others.
void TestRunFile::ranksOfWorldsComeBack()
{
    auto events = simpleEpoch(1, 0, 4);
    const std::array seats{WorldSeat{0, Rank(0)}, WorldSeat{0, Rank(1)}, WorldSeat{1, Rank(0)},
                           WorldSeat{4'294'967'295U, Rank(2'147'483'647)}};
    for (std::size_t i = 0; i < seats.size(); ++i) {
        TaskSettings settings;
        settings.environment = {{"A", "b"}};
        settings.seat = seats[i];
        std::get<TaskAdded>(events[1 + 2 * i].payload).task.settings =
            std::make_shared<const TaskSettings>(std::move(settings));
    }
    must(must(RunFileWriter::create(path(), RunId::random())).append(events));
    QCOMPARE(query(path(), "SELECT count(*) FROM settings")[0][0], std::string("4"));
    const std::vector<Event> read = eventsOf(path());
    QVERIFY(read == events);
    for (std::size_t i = 0; i < seats.size(); ++i)
        QVERIFY(std::get<TaskAdded>(read[1 + 2 * i].payload).task.settings->seat == seats[i]);
}

/// Thousands of tasks after thousands: the file grows with the tasks, not with the pairs.
void TestRunFile::groupsAreWrittenOnce()
{
    constexpr std::uint32_t count = 3'000;
    auto first = simpleEpoch(1, 0, count);
    TaskGroup ids;
    for (std::uint32_t i = 0; i < count; i += 2)
        ids.emplace_back(i);
    const auto odd = std::make_shared<const TaskGroup>(TaskGroup{TaskId(1)});
    const auto even = std::make_shared<const TaskGroup>(ids);
    const auto link = [&](std::vector<Event>& events) {
        for (Event& event : events) {
            auto* const added = std::get_if<TaskAdded>(&event.payload);
            if (added == nullptr || added->id.value() % 2 == 0)
                continue;
            std::vector<SharedGroup> groups{even};
            if (added->id.value() % 4 == 3)
                groups.push_back(odd);
            added->task.links = std::make_shared<const TaskLinks>(
                TaskLinks{.label = "x", .after = Prerequisites(std::move(groups))});
        }
    };
    link(first);
    auto second = simpleEpoch(2, count, 100);
    link(second);
    {
        auto writer = must(RunFileWriter::create(path(), RunId::random()));
        must(writer.append(first));
    }
    must(must(RunFileWriter::open(path())).append(second));
    auto events = first;
    events.insert(events.end(), second.begin(), second.end());
    QVERIFY(eventsOf(path()) == events);
    // A reader that begins in the middle finds what is referred to.
    const std::vector<Event> later(events.begin() + 5'001, events.end());
    const auto read = eventsOf(path(), events[5'000].id);
    QVERIFY(read == later);
    std::set<const TaskGroup*> groups;
    for (const Event& event : read) {
        const auto* const added = std::get_if<TaskAdded>(&event.payload);
        for (const SharedGroup& group :
             added != nullptr ? prerequisitesOf(added->task) : std::span<const SharedGroup>())
            groups.insert(group.get());
    }
    QCOMPARE(groups.size(), std::size_t(4)); // two of each life
    const auto bytes = std::stoul(
        query(path(), "SELECT sum(length(prerequisites)) FROM event")[0][0]);
    QVERIFY2(bytes < 200'000, qPrintable(QString::number(bytes)));
}

void TestRunFile::prerequisitesOfBeforeAreRead()
{
    auto events = simpleEpoch(1, 0, 40);
    std::string text = "[";
    std::vector<TaskId> ids;
    for (std::uint32_t i = 0; i < 30; ++i) {
        text += (i == 0 ? "" : ",") + std::to_string(i);
        ids.emplace_back(i);
    }
    must(must(RunFileWriter::create(path(), RunId::random())).append(events));
    QCOMPARE(failureOf(path(),
                       "DROP TRIGGER event_is_not_changed; UPDATE event SET label = X'79', "
                       "prerequisites = '"
                           + text + "]' WHERE kind = 1 AND task > 30"),
             std::string());
    RunState state;
    for (const Event& event : eventsOf(path()))
        QVERIFY(state.apply(event).ok());
    QVERIFY(!state.task(TaskId(30)).task.links);
    const TaskLinks expected{.label = "y", .after = Prerequisites(ids)};
    for (std::uint32_t i = 31; i < 40; ++i)
        QVERIFY(*state.task(TaskId(i)).task.links == expected);
}

/// Records of before have no phrases, and those that are damaged do not count.
void TestRunFile::phrasesAreOptional()
{
    const Phrase phrase = Phrase::tr("%1 drains %2")("ann", Phrase::tr("processor %1")(3));
    auto events = simpleEpoch(1, 0, 1);
    events.push_back({.id = {Epoch(1), Sequence(99)},
                      .wallTime = events.back().wallTime,
                      .monotonic = events.back().monotonic,
                      .payload = Notice{.text = phrase}});
    must(must(RunFileWriter::create(path(), RunId::random())).append(events));
    const auto told = [this] { return std::get<Notice>(eventsOf(path()).back().payload).text; };
    QVERIFY(told() == phrase);
    const auto words = query(path(), "SELECT text FROM log WHERE sequence = 99");
    QCOMPARE(words[0][0], "severity=0 text=" + phrase.text());
    for (const char* damage :
         {"UPDATE detail SET value = X'02' || value WHERE name = 'text_phrase'",
          "UPDATE detail SET value = 7 WHERE name = 'text_phrase'",
          "DELETE FROM detail WHERE name = 'text_phrase'"}) {
        QCOMPARE(failureOf(path(), damage), std::string());
        QVERIFY2(told() == Phrase(phrase.text()), damage);
    }
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

} // namespace tst_runfile

#include "tst_runfile.moc"
