// SPDX-License-Identifier: GPL-3.0-or-later
// First: moc of Qt 6.4 cannot read the standard headers that the others include otherwise.
#include <QTest>

#include "runfiletesting.h"

#include "runfile/rowreader.h"
#include "runfile/runfilecopy.h"
#include "shared/domain/randomhistory.h"

#include <QTemporaryDir>

#include <random>

namespace tst_runfilecopy {

using namespace tasuki;
using namespace tasuki::testing;

namespace {

const RecordPlace origin{.host = "first", .path = "/where/r.tasuki"};

TaskAdded taskWith(std::uint32_t id, std::uint16_t budget)
{
    TaskSettings settings;
    settings.retries.allowed = {budget, budget, budget, budget};
    Task task;
    task.command = "true";
    task.settings = std::make_shared<const TaskSettings>(settings);
    task.position = id;
    return {TaskId(id), std::move(task)};
}

Event eventOf(std::uint64_t sequence, EventPayload payload, std::chrono::nanoseconds at = {})
{
    return {.id = {Epoch(1), Sequence(sequence)}, .monotonic = at, .payload = std::move(payload)};
}

/// Ships all that a file has and a copy has not.
void follow(RowReader& from, RunFileCopy& to, std::size_t bytes)
{
    std::vector<RecordRows> batches;
    EventId last = to.lastEvent();
    for (;;) {
        const RecordRows rows = must(from.read(last, bytes));
        if (rows.empty())
            break;
        last = rows.last;
        batches.push_back(rows);
    }
    must(to.append(batches));
}

} // namespace

/// A run file that is kept like another one.
class TestRunFileCopy : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void randomHistories_data();
    void randomHistories();
    void saysOfWhatItIsACopy();
    void oneWriter();
    void writerGoesOnWithIt();
    void batchesAreLimited();
    void rowsMustFollow();
    void malformedRows();
    void marks();
    void otherEventsInTheirPlace();
    void eventsCannotBeDeletedAfterACut();

private:
    std::filesystem::path path(const char* name) const
    {
        return std::filesystem::path(m_directory->path().toStdString()) / name;
    }
    /// A file with so many notices.
    RunFileWriter original(std::uint64_t events) const
    {
        RunFileWriter file = must(RunFileWriter::create(path("r.tasuki"), m_run));
        std::vector<Event> all;
        for (std::uint64_t i = 1; i <= events; ++i)
            all.push_back(
                eventOf(i, Notice{.text = std::to_string(i)}, std::chrono::nanoseconds(i)));
        must(file.append(all));
        return file;
    }
    RunFileCopy copy() const { return must(RunFileCopy::create(path("c.tasuki"), m_run, origin)); }

    const RunId m_run = RunId::random();
    std::unique_ptr<QTemporaryDir> m_directory;
};

void TestRunFileCopy::init() { m_directory = std::make_unique<QTemporaryDir>(); }

void TestRunFileCopy::randomHistories_data()
{
    QTest::addColumn<std::uint32_t>("seed");
    for (std::uint32_t seed = 200; seed < 208; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

/// Whatever kinds of events there are, with their output and settings, while the file grows.
void TestRunFileCopy::randomHistories()
{
    QFETCH(std::uint32_t, seed);
    RandomHistory history(seed);
    RunFileWriter writer = must(RunFileWriter::create(path("r.tasuki"), m_run));
    RowReader reader = must(RowReader::open(path("r.tasuki")));
    QVERIFY(reader.run() == m_run);
    std::optional<RunFileCopy> kept(copy());
    for (int round = 0; round < 10; ++round) {
        must(writer.append(history.more(1 + seed * 5 % 70)));
        follow(reader, *kept, round % 2 == 0 ? 1 : 5'000);
        QVERIFY(kept->lastEvent() == writer.lastEvent());
        if (round == 5) {
            kept.reset();
            kept.emplace(must(RunFileCopy::open(path("c.tasuki"))));
        }
    }
    QVERIFY(eventsOf(path("c.tasuki")) == eventsOf(path("r.tasuki")));
    for (const char* table : {"event", "output", "detail", "settings", "tasks", "log"}) {
        const std::string all = std::string("SELECT * FROM ") + table;
        QVERIFY(query(path("c.tasuki"), all) == query(path("r.tasuki"), all));
    }
}

void TestRunFileCopy::saysOfWhatItIsACopy()
{
    const RunFileWriter file = original(1);
    QVERIFY(!must(must(RowReader::open(path("r.tasuki"))).copyOf()).has_value());
    {
        RunFileCopy made = copy();
        QVERIFY(made.run() == m_run);
        QVERIFY(made.lastEvent() == EventId{});
        QVERIFY(must(made.copyOf()) == origin);
    }
    RunFileCopy again = must(RunFileCopy::open(path("c.tasuki")));
    QVERIFY(must(again.copyOf()) == origin);
    QVERIFY(!RunFileCopy::create(path("c.tasuki"), m_run, origin).ok()); // it exists
}

void TestRunFileCopy::oneWriter()
{
    const RunFileCopy kept = copy();
    const auto other = RunFileWriter::open(path("c.tasuki"));
    QVERIFY(!other.ok());
    QCOMPARE(other.error().kind, ErrorKind::InUse);
}

void TestRunFileCopy::writerGoesOnWithIt()
{
    RunFileWriter file = must(RunFileWriter::create(path("r.tasuki"), m_run));
    must(file.append(std::vector{eventOf(1, taskWith(0, 1)), eventOf(2, taskWith(1, 2))}));
    RowReader reader = must(RowReader::open(path("r.tasuki")));
    {
        RunFileCopy kept = copy();
        follow(reader, kept, 1'000);
    }
    RunFileWriter successor = must(RunFileWriter::open(path("c.tasuki")));
    QVERIFY(successor.lastEvent() == file.lastEvent());
    const std::vector more{eventOf(3, taskWith(2, 1)), eventOf(4, taskWith(3, 3))};
    must(successor.append(more));
    must(file.append(more));
    QVERIFY(eventsOf(path("c.tasuki")) == eventsOf(path("r.tasuki")));
}

void TestRunFileCopy::batchesAreLimited()
{
    const RunFileWriter file = original(1'000);
    RowReader reader = must(RowReader::open(path("r.tasuki")));
    const RecordRows one = must(reader.read({}, 1));
    QCOMPARE(one.last.sequence.value(), std::uint64_t{1});
    const RecordRows some = must(reader.read(one.last, 2'000));
    QVERIFY(some.last.sequence.value() > 10 && some.last.sequence.value() < 100);
    QVERIFY(must(reader.read(file.lastEvent(), 1'000)).empty());
}

void TestRunFileCopy::rowsMustFollow()
{
    const RunFileWriter file = original(9);
    RowReader reader = must(RowReader::open(path("r.tasuki")));
    RunFileCopy kept = copy();
    const RecordRows first = must(reader.read({}, 1));
    const RecordRows second = must(reader.read(first.last, 1));
    QVERIFY(!kept.append(std::vector{second}).ok());
    QVERIFY(!kept.append(std::vector{first, first}).ok()); // all or none
    QVERIFY(kept.lastEvent() == EventId{});
    must(kept.append(std::vector{first, second}));
    RecordRows wrong = must(reader.read(second.last, 1));
    wrong.last = file.lastEvent(); // not what it holds
    QVERIFY(!kept.append(std::vector{wrong}).ok());
    QVERIFY(kept.lastEvent() == second.last);
    QCOMPARE(eventsOf(path("c.tasuki")).size(), std::size_t{2});
}

/// Rows that are cut off or changed are refused as a whole, or are other values; nothing worse.
void TestRunFileCopy::malformedRows()
{
    RandomHistory history(3);
    RunFileWriter file = must(RunFileWriter::create(path("r.tasuki"), m_run));
    must(file.append(history.more(8)));
    RowReader reader = must(RowReader::open(path("r.tasuki")));
    const RecordRows rows = must(reader.read({}, 100'000));
    RunFileCopy kept = copy();
    const auto offer = [&kept, &rows](std::string bytes) {
        const auto taken = kept.append(
            std::vector<RecordRows>{{.after = {}, .last = rows.last, .bytes = std::move(bytes)}});
        if (taken)
            must(kept.cutAfter({}));
        return taken.ok();
    };
    for (std::size_t length = 0; length < rows.bytes.size(); length += 1 + length / 50)
        QVERIFY(!offer(rows.bytes.substr(0, length)) || length > 50); // all events may be there
    QVERIFY(!offer("\x07"));
    QVERIFY(!offer("\x02t\xff\xff\xff\xff\xff\xff\xff\xff\x7f"));
    QVERIFY(!offer("\x02i\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"));
    std::mt19937 random(11);
    for (int round = 0; round < 300; ++round) {
        std::string changed = rows.bytes;
        changed[random() % changed.size()] = static_cast<char>(random());
        static_cast<void>(offer(std::move(changed)));
    }
    QVERIFY(offer(rows.bytes));
    QVERIFY(kept.lastEvent() == EventId{});
}

void TestRunFileCopy::marks()
{
    RunFileWriter file = original(1'000);
    must(file.append(std::vector<Event>{{.id = {Epoch(2), Sequence(1)}, .payload = RunOpened{}}}));
    RowReader reader = must(RowReader::open(path("r.tasuki")));
    RunFileCopy kept = copy();
    QVERIFY(must(kept.marks()).empty());
    QVERIFY(!must(reader.firstShared({})).has_value());
    follow(reader, kept, 10'000);
    const auto ladder = must(kept.marks());
    QVERIFY(ladder.size() < 60);
    QVERIFY(ladder.front() == must(reader.latest()));
    QCOMPARE(ladder[1].id, (EventId{Epoch(1), Sequence(1'000)}));
    QCOMPARE(ladder.back().id, (EventId{Epoch(1), Sequence(1)}));
    QVERIFY(must(reader.firstShared(ladder)) == ladder.front());
    auto other = ladder;
    for (std::size_t i = 0; i < 3; ++i)
        other[i].monotonic += std::chrono::nanoseconds(1);
    QVERIFY(must(reader.firstShared(other)) == ladder[3]);
}

/// Two files that went apart become alike again, settings under the same numbers too.
void TestRunFileCopy::otherEventsInTheirPlace()
{
    using namespace std::chrono_literals;
    const std::vector common{eventOf(1, RunOpened{}), eventOf(2, taskWith(0, 1))};
    RunFileWriter record = must(RunFileWriter::create(path("r.tasuki"), m_run));
    must(record.append(common));
    must(record.append(std::vector{eventOf(3, taskWith(1, 5), 1ns), eventOf(4, Notice{}, 1ns)}));
    {
        RunFileWriter lost = must(RunFileWriter::create(path("o.tasuki"), m_run));
        must(lost.append(common));
        must(lost.append(std::vector{eventOf(3, taskWith(1, 7), 2ns), eventOf(4, Notice{}, 2ns),
                                     eventOf(5, Notice{}, 3ns)}));
    }
    RowReader reader = must(RowReader::open(path("r.tasuki")));
    RunFileCopy kept = must(RunFileCopy::open(path("o.tasuki")));
    const auto shared = must(reader.firstShared(must(kept.marks())));
    QVERIFY(shared.has_value());
    QVERIFY(shared->id <= common.back().id);
    must(kept.cutAfter(shared->id));
    QVERIFY(kept.lastEvent() == shared->id);
    follow(reader, kept, 10'000);
    QVERIFY(eventsOf(path("o.tasuki")) == eventsOf(path("r.tasuki")));
}

void TestRunFileCopy::eventsCannotBeDeletedAfterACut()
{
    {
        const RunFileWriter file = original(9);
        RowReader reader = must(RowReader::open(path("r.tasuki")));
        RunFileCopy kept = copy();
        follow(reader, kept, 10'000);
        must(kept.cutAfter({Epoch(1), Sequence(5)}));
    }
    QCOMPARE(eventsOf(path("c.tasuki")).size(), std::size_t{5});
    QVERIFY(failureOf(path("c.tasuki"), "DELETE FROM event").find("never deleted")
            != std::string::npos);
}

QTEST_APPLESS_MAIN(TestRunFileCopy)

} // namespace tst_runfilecopy

#include "tst_runfilecopy.moc"
