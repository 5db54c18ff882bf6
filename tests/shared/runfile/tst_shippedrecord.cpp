// SPDX-License-Identifier: GPL-3.0-or-later
// First: moc of Qt 6.4 cannot read the standard headers that the others include otherwise.
#include <QTest>

#include "runfiletesting.h"

#include "runfile/livingwriter.h"
#include "runfile/ownerclaim.h"
#include "runfile/readablerecord.h"
#include "runfile/recordowner.h"
#include "runfile/recordsite.h"
#include "runfile/rowreader.h"
#include "runfile/shipmentreader.h"
#include "runfile/shipmentwriter.h"

#include <QTemporaryDir>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <utility>

#include <sys/resource.h>
#include <unistd.h>

namespace tst_shippedrecord {

using namespace tasuki;
using namespace tasuki::testing;

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds noPatience{0};

/// How a child ends that writes a record and is killed: nothing of it is closed.
int diesAfterWriting(const fs::path& path, const RunId& run, const std::vector<Event>& events)
{
    return inChild([&] {
        auto file = RunFileWriter::create(path, run);
        if (!file || !file->append(events))
            return 1;
        ::_exit(0);
    });
}

} // namespace

/// Records that are written on a node and shipped to their name: two directories stand for the nodes.
class TestShippedRecord : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void becomesAPlainFile();
    void isReadWhileItIsWritten();
    void readersFollow();
    void isReadWhileItIsReplaced();
    void killedOneIsResumedFromTheShipment();
    void killedOneIsResumedFromTheNode();
    void tornTailIsLeftOut_data();
    void tornTailIsLeftOut();
    void restOfAnEarlierLifeIsNotTaken();
    void bestOfFileAndNode();
    void resumesWithoutTheNamedFile();
    void oneWriter();
    void ownerOnAnotherHost();
    void successorStopsTheWriter();
    void deletedInMidRun_data();
    void deletedInMidRun();
    void logOfADeletedFileIsNotTaken();
    void shipmentBecomesAFileInPlace();
    void fileInPlaceOfAnotherHost();
    void fullDiskLeavesNothingBehind();
    void wrongSetting();

private:
    fs::path path(const char* name) const
    {
        return fs::path(m_directory->path().toStdString()) / name;
    }
    /// From now on this process is on that node.
    void moveTo(const char* node)
    {
        m_node.reset();
        m_node = std::make_unique<Setting>("TASUKI_LOCAL_DIR", path(node).native());
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<Setting> m_lay;
    std::unique_ptr<Setting> m_node;
    fs::path m_named;
    const RunId m_run{std::string(32, 'a')};
};

void TestShippedRecord::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    fs::create_directory(path("shared"));
    m_named = path("shared") / "w.tasuki";
    m_lay = std::make_unique<Setting>("TASUKI_RECORD", "shipped");
    moveTo("one");
}

void TestShippedRecord::cleanup()
{
    m_node.reset();
    m_lay.reset();
    m_directory.reset();
}

void TestShippedRecord::becomesAPlainFile()
{
    const std::vector<Event> events = simpleEpoch(1, 0, 20, 100);
    {
        RunFileWriter file = must(RunFileWriter::create(m_named, m_run));
        must(file.append(events));
        QVERIFY(must(isShipment(m_named)));
        must(file.close());
        QVERIFY(!file.trouble());
    }
    QCOMPARE(contentsOf(path("shared")).size(), std::size_t{1});
    const auto content = contentsOf(path("shared")).begin()->second;
    QVERIFY(content.starts_with("SQLite format 3"));
    QCOMPARE(content[18], '\1'); // no write-ahead log, which needs a memory map
    QCOMPARE(query(m_named, "SELECT count(*) FROM tasks"),
             (std::vector<std::vector<std::string>>{{"20"}}));
    QVERIFY(fs::is_empty(must(localRecords())));
    moveTo("two");
    QCOMPARE(eventsOf(m_named), events);
}

void TestShippedRecord::isReadWhileItIsWritten()
{
    const std::vector<Event> events = simpleEpoch(1, 0, 20, 100);
    RunFileWriter file = must(RunFileWriter::create(m_named, m_run));
    must(file.append(events));
    {
        RunFileReader here = must(RunFileReader::open(m_named));
        QVERIFY(!here.age());
        QCOMPARE(eventsOf(m_named), events);
    }
    moveTo("two");
    const auto before = contentsOf(path("shared"));
    RunFileReader there = must(RunFileReader::open(m_named));
    QVERIFY(there.age());
    const auto age = std::chrono::system_clock::now() - there.age()->asOf;
    QVERIFY(age < std::chrono::seconds(5) && age > std::chrono::seconds(-1));
    QVERIFY(there.age()->writer.find(std::to_string(::getpid())) != std::string::npos);
    QVERIFY(!there.age()->closed);
    QCOMPARE(eventsOf(m_named), events);
    QCOMPARE(contentsOf(path("shared")), before);
    QVERIFY(fs::is_empty(must(localRecords())));
}

void TestShippedRecord::readersFollow()
{
    RunFileWriter file = must(RunFileWriter::create(m_named, m_run));
    must(file.append(simpleEpoch(1, 0, 3)));
    moveTo("two");
    RunFileReader reader = must(RunFileReader::open(m_named));
    const EventId first = must(reader.lastEvent());
    QCOMPARE(first, file.lastEvent());
    must(file.append(simpleEpoch(2, 3, 3)));
    QCOMPARE(must(reader.lastEvent()), file.lastEvent());
    QVERIFY(reader.age());
    // It goes on in the file that takes the shipment's place.
    moveTo("one");
    must(file.close());
    moveTo("two");
    std::vector<Event> all;
    must(reader.replay([&all](Event event) {
        all.push_back(std::move(event));
        return Result<void>();
    }));
    QCOMPARE(all, eventsOf(m_named));
    QVERIFY(!reader.age());
}

// Fails if a reader gives up when a shared file system shows neither the old file nor the new one.
void TestShippedRecord::isReadWhileItIsReplaced()
{
    const std::vector<Event> events = simpleEpoch(1, 0, 3);
    QCOMPARE(diesAfterWriting(m_named, m_run, events), 0);
    const fs::path aside = path("shared") / "aside";
    for (const int back : {1, 5, ReadableRecord::looksForReplaced, 1'000'000}) {
        fs::rename(m_named, aside);
        int looks = 0;
        const auto record = ReadableRecord::open(m_named, [&] {
            if (++looks == back)
                fs::rename(aside, m_named);
        });
        QCOMPARE(looks, std::min(back, ReadableRecord::looksForReplaced));
        if (looks < back) {
            QCOMPARE(record.error().kind, ErrorKind::System);
            fs::rename(aside, m_named);
            continue;
        }
        QVERIFY2(record.ok(), record.ok() ? "" : record.error().text().c_str());
        QCOMPARE(record->run(), m_run);
    }
    QCOMPARE(eventsOf(m_named), events);
}

void TestShippedRecord::killedOneIsResumedFromTheShipment()
{
    const std::vector<Event> events = simpleEpoch(1, 0, 50, 100);
    QCOMPARE(diesAfterWriting(m_named, m_run, events), 0);
    fs::remove_all(path("one"));
    moveTo("two");
    QCOMPARE(eventsOf(m_named), events);
    RunFileWriter file = must(RunFileWriter::open(m_named));
    QCOMPARE(file.run(), m_run);
    QCOMPARE(file.lastEvent(), events.back().id);
    const std::vector<Event> more = simpleEpoch(2, 50, 3);
    must(file.append(more));
    must(file.close());
    std::vector<Event> all = events;
    all.insert(all.end(), more.begin(), more.end());
    QCOMPARE(eventsOf(m_named), all);
}

void TestShippedRecord::killedOneIsResumedFromTheNode()
{
    const std::vector<Event> events = simpleEpoch(1, 0, 50);
    QCOMPARE(diesAfterWriting(m_named, m_run, events), 0);
    // What the disk of the shared file system has lost is still on the node.
    fs::resize_file(m_named, fs::file_size(m_named) / 2);
    QCOMPARE(must(RunFileWriter::open(m_named)).lastEvent(), events.back().id);
    QCOMPARE(eventsOf(m_named), events);
}

void TestShippedRecord::tornTailIsLeftOut_data()
{
    QTest::addColumn<int>("cut");
    QTest::addColumn<bool>("zeros");
    for (const int cut : {1, 30, 39, 41, 200}) {
        QTest::addRow("%d bytes short", cut) << cut << false;
        QTest::addRow("%d bytes not there yet", cut) << cut << true;
    }
}

/// A reader with an old view of the file: fewer whole frames, and no other rows.
void TestShippedRecord::tornTailIsLeftOut()
{
    QFETCH(int, cut);
    QFETCH(bool, zeros);
    const std::vector<Event> first = simpleEpoch(1, 0, 50);
    RunFileWriter file = must(RunFileWriter::create(m_named, m_run));
    must(file.append(first));
    must(file.append(simpleEpoch(2, 50, 50)));
    const fs::path old = path("old.tasuki");
    std::string bytes = contentsOf(path("shared")).at("w.tasuki");
    const std::size_t kept = bytes.size() - static_cast<std::size_t>(cut);
    bytes.resize(kept);
    if (zeros)
        bytes.resize(kept + static_cast<std::size_t>(cut), '\0');
    writeFile(old, bytes);
    moveTo("two");
    QCOMPARE(eventsOf(old), first);
}

void TestShippedRecord::restOfAnEarlierLifeIsNotTaken()
{
    const std::vector<Event> first = simpleEpoch(1, 0, 10);
    QCOMPARE(diesAfterWriting(m_named, m_run, first), 0);
    moveTo("two");
    const std::vector<Event> second = simpleEpoch(2, 10, 10);
    QCOMPARE(inChild([&] {
                 auto file = RunFileWriter::open(m_named);
                 if (!file || !file->append(second))
                     return 1;
                 ::_exit(0);
             }),
             0);
    std::vector<Event> all = first;
    all.insert(all.end(), second.begin(), second.end());
    moveTo("one");
    QVERIFY(must(RunFileReader::open(m_named)).age());
    QCOMPARE(eventsOf(m_named), all);
    QCOMPARE(must(RunFileWriter::open(m_named)).lastEvent(), second.back().id);
    QCOMPARE(eventsOf(m_named), all);
}

/// An old copy was put back: the node has more.
void TestShippedRecord::bestOfFileAndNode()
{
    const std::vector<Event> first = simpleEpoch(1, 0, 10);
    {
        RunFileWriter file = must(RunFileWriter::create(m_named, m_run));
        must(file.append(first));
    }
    const fs::path old = path("old.tasuki");
    fs::copy_file(m_named, old);
    const std::vector<Event> second = simpleEpoch(2, 10, 10);
    QCOMPARE(inChild([&] {
                 auto file = RunFileWriter::open(m_named);
                 if (!file || !file->append(second))
                     return 1;
                 ::_exit(0);
             }),
             0);
    fs::rename(old, m_named);
    QCOMPARE(must(RunFileWriter::open(m_named)).lastEvent(), second.back().id);
}

void TestShippedRecord::resumesWithoutTheNamedFile()
{
    const std::vector<Event> events = simpleEpoch(1, 0, 10);
    QCOMPARE(diesAfterWriting(m_named, m_run, events), 0);
    fs::remove(m_named);
    const auto otherName = RunFileWriter::open(path("shared") / "v.tasuki");
    QVERIFY(!otherName);
    QCOMPARE(must(RunFileWriter::open(m_named)).lastEvent(), events.back().id);
    QCOMPARE(eventsOf(m_named), events);
}

void TestShippedRecord::oneWriter()
{
    RunFileWriter file = must(RunFileWriter::create(m_named, m_run));
    must(file.append(simpleEpoch(1, 0, 3)));
    moveTo("two");
    const auto second = RunFileWriter::open(m_named);
    QVERIFY(!second);
    QCOMPARE(second.error().kind, ErrorKind::InUse);
    QVERIFY(second.error().text().find("process " + std::to_string(::getpid()))
            != std::string::npos);
    const auto created = RunFileWriter::create(m_named, m_run);
    QVERIFY(!created);
    QCOMPARE(created.error().kind, ErrorKind::Input);
    must(file.append(simpleEpoch(2, 3, 3)));
    QCOMPARE(livingWriter(m_named, {}, {}), RecordOwner::here().words());
    must(file.close());
    QVERIFY(!livingWriter(m_named, {}, {}));
}

/// Its process cannot be seen; what can is whether the shipment grows.
void TestShippedRecord::ownerOnAnotherHost()
{
    RecordOwner other = RecordOwner::here();
    other.system = "grid01 another boot";
    other.host = "grid01";
    writeFile(m_named.native() + ".owner", textOf(other));
    // It lives by what is heard of it.
    const WallTime now{std::chrono::hours(500'000)};
    const auto lives = [&](std::chrono::seconds ago, bool closed) {
        return livingWriter(
            m_named, RecordAge{.asOf = now - ago, .writer = other.words(), .closed = closed}, now);
    };
    QCOMPARE(lives(std::chrono::seconds(1), false), other.words());
    QVERIFY(!lives(recordSilence * 2, false) && !lives(std::chrono::seconds(1), true));
    QVERIFY(!livingWriter(m_named, {}, now));
    std::uint64_t beats = 0;
    const auto living = OwnerClaim::acquire(
        m_named, [&beats] { return ++beats; }, std::chrono::seconds(10));
    QVERIFY(!living);
    QCOMPARE(living.error().kind, ErrorKind::InUse);
    QVERIFY(living.error().text().find("grid01") != std::string::npos);
    // Who waits says for whom, at once, and how long.
    std::vector<std::chrono::milliseconds> left;
    const auto silent = OwnerClaim::acquire(
        m_named, [] { return std::uint64_t{1}; }, std::chrono::seconds(2),
        [&](const std::string& owner, std::chrono::milliseconds time) {
            QCOMPARE(owner, other.words());
            left.push_back(time);
        });
    QVERIFY(silent);
    QVERIFY(left.size() >= 2);
    QCOMPARE(left.front(), std::chrono::milliseconds(2000));
    QVERIFY(left.back() < left.front());
    must(silent->check());
    // As somebody finds it who was succeeded, and who wakes up.
    writeFile(m_named.native() + ".owner", textOf(other));
    QCOMPARE(silent->check().error().kind, ErrorKind::InUse);
    // Dead on this host: nothing is waited for.
    RecordOwner dead = RecordOwner::here();
    dead.started += 1;
    writeFile(m_named.native() + ".owner", textOf(dead));
    QVERIFY(!livingWriter(m_named, {}, now));
    QVERIFY(OwnerClaim::acquire(
        m_named, [] { return std::uint64_t{1}; }, noPatience));
}

/// Somebody else took this writer for dead, and goes on with the run.
void TestShippedRecord::successorStopsTheWriter()
{
    const std::vector<Event> first = simpleEpoch(1, 0, 3);
    RunFileWriter file = must(RunFileWriter::create(m_named, m_run));
    must(file.append(first));
    RecordOwner other = RecordOwner::here();
    other.host = "grid01";
    writeFile(m_named.native() + ".owner", textOf(other));
    QTRY_VERIFY_WITH_TIMEOUT(file.trouble().has_value(), 10'000);
    QVERIFY(file.trouble()->fatal);
    QVERIFY(file.trouble()->words.find("grid01") != std::string::npos);
    const auto refused = file.append(simpleEpoch(2, 3, 3));
    QVERIFY(!refused);
    static_cast<void>(file.close());
    QVERIFY(must(isShipment(m_named))); // the other one's
    QCOMPARE(eventsOf(path("shared") / "w.saved.tasuki"), first);
    QVERIFY(fs::exists(m_named.native() + ".owner"));
}

void TestShippedRecord::deletedInMidRun_data()
{
    QTest::addColumn<bool>("inPlace");
    QTest::addColumn<bool>("replaced");
    QTest::addColumn<bool>("atTheEnd");
    for (const bool inPlace : {false, true})
        for (const bool replaced : {false, true})
            for (const bool atTheEnd : {false, true})
                QTest::addRow("%s, %s, %s", inPlace ? "in place" : "shipped",
                              replaced ? "replaced" : "deleted",
                              atTheEnd ? "just before the end" : "long before the end")
                    << inPlace << replaced << atTheEnd;
}

void TestShippedRecord::deletedInMidRun()
{
    QFETCH(bool, inPlace);
    QFETCH(bool, replaced);
    QFETCH(bool, atTheEnd);
    const Setting lay("TASUKI_RECORD", inPlace ? "in-place" : "shipped");
    const std::vector<Event> first = simpleEpoch(1, 0, 30, 100);
    const std::vector<Event> second = simpleEpoch(2, 30, 30);
    RunFileWriter file = must(RunFileWriter::create(m_named, m_run));
    must(file.append(first));
    for (const auto& [name, content] : contentsOf(path("shared")))
        fs::remove(path("shared") / name);
    if (replaced)
        writeFile(m_named, "notes");
    if (!atTheEnd)
        QTRY_VERIFY_WITH_TIMEOUT(file.trouble().has_value(), 10'000);
    must(file.append(second));
    must(file.close());
    QVERIFY(file.trouble());
    QVERIFY(!file.trouble()->fatal);
    const fs::path saved = path("shared") / "w.saved.tasuki";
    QVERIFY(file.trouble()->words.find(saved.native()) != std::string::npos);
    QCOMPARE(contentsOf(path("shared")).size(), replaced ? std::size_t{2} : std::size_t{1});
    std::vector<Event> all = first;
    all.insert(all.end(), second.begin(), second.end());
    QCOMPARE(eventsOf(saved), all);
    QCOMPARE(query(saved, "SELECT count(*) FROM tasks"),
             (std::vector<std::vector<std::string>>{{"60"}}));
}

/// Its run was killed, and only the file itself was deleted: the next one under the name is not that run.
void TestShippedRecord::logOfADeletedFileIsNotTaken()
{
    const Setting lay("TASUKI_RECORD", "in-place");
    QCOMPARE(diesAfterWriting(m_named, m_run, simpleEpoch(1, 0, 30)), 0);
    QVERIFY(fs::exists(m_named.native() + "-wal"));
    fs::remove(m_named);
    const std::vector<Event> events = simpleEpoch(1, 0, 3);
    const RunId another{std::string(32, 'b')};
    must(must(RunFileWriter::create(m_named, another)).append(events));
    QCOMPARE(must(RunFileReader::open(m_named)).run(), another);
    QCOMPARE(eventsOf(m_named), events);
}

/// On the file server itself, after its client was killed.
void TestShippedRecord::shipmentBecomesAFileInPlace()
{
    const std::vector<Event> events = simpleEpoch(1, 0, 10);
    QCOMPARE(diesAfterWriting(m_named, m_run, events), 0);
    const Setting lay("TASUKI_RECORD", "in-place");
    moveTo("two");
    RunFileWriter file = must(RunFileWriter::open(m_named));
    QVERIFY(!must(isShipment(m_named)));
    QCOMPARE(file.lastEvent(), events.back().id);
    QVERIFY(!must(RunFileReader::open(m_named)).age());
    QVERIFY(!fs::exists(m_named.native() + ".owner"));
}

/// The file server writes in place; its client reads a copy, and does not take the run from it.
void TestShippedRecord::fileInPlaceOfAnotherHost()
{
    const std::vector<Event> events = simpleEpoch(1, 0, 10);
    auto lay = std::make_unique<Setting>("TASUKI_RECORD", "in-place");
    std::optional<RunFileWriter> file = must(RunFileWriter::create(m_named, m_run));
    must(file->append(events));
    lay.reset();
    const auto before = contentsOf(path("shared"));
    RunFileReader reader = must(RunFileReader::open(m_named));
    QVERIFY(reader.age());
    QCOMPARE(must(reader.lastEvent()), events.back().id);
    QCOMPARE(contentsOf(path("shared")), before);
    const auto refused = RunFileWriter::open(m_named, noPatience);
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::InUse);
    QVERIFY(refused.error().text().find("w.tasuki.lock") != std::string::npos);
    file.reset();
    QCOMPARE(must(RunFileWriter::open(m_named)).lastEvent(), events.back().id);
}

void TestShippedRecord::fullDiskLeavesNothingBehind()
{
    const std::vector<Event> first = simpleEpoch(1, 0, 3);
    const std::vector<Event> second = simpleEpoch(2, 3, 200, 1000);
    QCOMPARE(inChild([&] {
                 auto file = RunFileWriter::create(m_named, m_run);
                 if (!file || !file->append(first))
                     return 1;
                 rlimit limit{};
                 ::getrlimit(RLIMIT_FSIZE, &limit);
                 const rlim_t before = std::exchange(limit.rlim_cur, 40'000);
                 ::signal(SIGXFSZ, SIG_IGN);
                 ::setrlimit(RLIMIT_FSIZE, &limit);
                 const auto refused = file->append(second);
                 if (refused || refused.error().kind != ErrorKind::NoSpace)
                     return 2;
                 if (eventsOf(m_named) != first)
                     return 3;
                 limit.rlim_cur = before;
                 ::setrlimit(RLIMIT_FSIZE, &limit);
                 return file->append(second) && file->close() ? 0 : 4;
             }),
             0);
    std::vector<Event> all = first;
    all.insert(all.end(), second.begin(), second.end());
    QCOMPARE(eventsOf(m_named), all);
}

void TestShippedRecord::wrongSetting()
{
    const Setting lay("TASUKI_RECORD", "here");
    const auto file = RunFileWriter::create(m_named, m_run);
    QVERIFY(!file);
    QCOMPARE(file.error().kind, ErrorKind::Input);
    QVERIFY(file.error().text().find("in-place or shipped") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestShippedRecord)

} // namespace tst_shippedrecord

#include "tst_shippedrecord.moc"
