// SPDX-License-Identifier: GPL-3.0-or-later
// First: moc of Qt 6.4 cannot read the standard headers that the others include otherwise.
#include <QTest>

#include "runfiletesting.h"

#include "runfile/ownerclaim.h"
#include "runfile/recordsave.h"
#include "runfile/recordsite.h"
#include "runfile/runfilecopy.h"
#include "runfile/shipmentreader.h"

#include <sqlite3.h>

#include <QTemporaryDir>

#include <optional>

namespace tst_recordfence {

using namespace tasuki;
using namespace tasuki::testing;

namespace {

namespace fs = std::filesystem;

/// Somebody who stands still in the middle of a transaction: it has SQLite's lock on the file.
class HeldFile {
public:
    explicit HeldFile(const fs::path& path)
    {
        if (sqlite3_open(path.c_str(), &m_database) != SQLITE_OK
            || sqlite3_exec(m_database,
                            "BEGIN IMMEDIATE; UPDATE meta SET value = 'torn' WHERE name = "
                            "'format'",
                            nullptr, nullptr, nullptr)
                != SQLITE_OK)
            qFatal("%s", sqlite3_errmsg(m_database));
    }
    HeldFile(const HeldFile&) = delete;
    HeldFile& operator=(const HeldFile&) = delete;
    ~HeldFile()
    {
        wakeUp();
        sqlite3_close(m_database);
    }
    void wakeUp() { sqlite3_exec(m_database, "COMMIT", nullptr, nullptr, nullptr); }

private:
    sqlite3* m_database = nullptr;
};

std::vector<Event> joined(std::vector<Event> first, const std::vector<Event>& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// Events that go on with an epoch.
std::vector<Event> goingOn(EventId after, const std::string& text)
{
    return {{.id = {after.epoch, after.sequence.next()},
             .wallTime = WallTime(std::chrono::seconds(1'700'000'000)),
             .monotonic = {},
             .payload = Notice{.text = text}}};
}

} // namespace

/// Two writers of one record, step by step: only the one with the newest token records, whatever has become of
/// locks, and nobody is told of what an older one has written since.
class TestRecordFence : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();
    void resumedWithTheLockDeleted();
    void twoThatRace();
    void successorsRaiseTheTerm();
    void waitsUnlessItMayBreak();
    void standsStillInATransaction();
    void readersGoOnWithTheSuccessor();
    void wakesUpWhenAllIsOver();
    void claimedBeforeItIsCopied();
    void restOfAClaimDoesNotMatter();
    void oldCopyUnderTheNameIsNoSuccessor();
    void otherRunsAndLaterEpochsAreLeftAlone();
    void fileOfAnOlderProgram();
    void leadsAgain();
    void revokedInATransaction();
    void shippedIsBrokenByTerm_data();
    void shippedIsBrokenByTerm();
    void olderOneDoesNotReplaceAShipment();
    void copiesFollowTheirMaster();

private:
    fs::path path(const char* name) const
    {
        return fs::path(m_directory->path().toStdString()) / name;
    }
    void lieAs(const char* lay)
    {
        m_lay.reset();
        m_lay = std::make_unique<Setting>("TASUKI_RECORD", lay);
    }
    void moveTo(const char* node)
    {
        m_node.reset();
        m_node = std::make_unique<Setting>("TASUKI_LOCAL_DIR", path(node).native());
    }
    RunFileWriter first() const
    {
        RunFileWriter file = must(RunFileWriter::create(m_named, m_run));
        must(file.append(m_events));
        return file;
    }
    Result<RunFileWriter> succeed(bool breaks = true, Epoch epoch = Epoch(1)) const
    {
        return RunFileWriter::succeed(m_named, {.run = m_run, .epoch = epoch, .breaks = breaks});
    }
    void deleteLock() const { QVERIFY(fs::remove(m_named.native() + ".lock")); }
    /// A writer has been succeeded, and knows.
    /// @param succeeded  by one that goes on with the epoch
    static void checkLost(RunFileWriter& file, const std::string& words, bool succeeded)
    {
        const auto refused = file.append(simpleEpoch(9, 900, 3));
        QVERIFY(!refused);
        QVERIFY(file.trouble().has_value());
        QVERIFY(file.trouble()->fatal);
        QCOMPARE(file.trouble()->succeeded, succeeded);
        QVERIFY2(file.trouble()->words.find(words) != std::string::npos,
                 file.trouble()->words.c_str());
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<Setting> m_lay;
    std::unique_ptr<Setting> m_node;
    fs::path m_named;
    const RunId m_run{std::string(32, 'a')};
    const std::vector<Event> m_events = simpleEpoch(1, 0, 20, 100);
};

void TestRecordFence::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    fs::create_directory(path("shared"));
    m_named = path("shared") / "w.tasuki";
    lieAs("in-place");
    moveTo("one");
}

void TestRecordFence::cleanup()
{
    m_node.reset();
    m_lay.reset();
    m_directory.reset();
}

void TestRecordFence::resumedWithTheLockDeleted()
{
    RunFileWriter older = first();
    QCOMPARE(older.token(), (WriterToken{Epoch(1), Term(0)}));
    deleteLock();
    RunFileWriter newer = must(RunFileWriter::open(m_named));
    QCOMPARE(newer.token(), (WriterToken{Epoch(2), Term(0)}));
    checkLost(older, "this run goes on elsewhere as epoch 2, term 0", false);
    const std::vector<Event> more = simpleEpoch(2, 20, 3);
    must(newer.append(more));
    must(older.close());
    must(newer.close());
    QVERIFY(!newer.trouble());
    QCOMPARE(eventsOf(m_named), joined(m_events, more));
    QCOMPARE(contentsOf(path("shared")).size(), std::size_t{1});
}

void TestRecordFence::twoThatRace()
{
    RunFileWriter older = first();
    deleteLock();
    RunFileWriter second = must(RunFileWriter::open(m_named));
    deleteLock();
    RunFileWriter third = must(RunFileWriter::open(m_named));
    QVERIFY(second.token() < third.token());
    checkLost(second, "epoch 3, term 0", false);
    checkLost(older, "epoch 3, term 0", false);
    must(third.append(simpleEpoch(3, 20, 3)));
}

// Fails too if a writer that has nothing to record does not find out.
void TestRecordFence::successorsRaiseTheTerm()
{
    RunFileWriter older = first();
    RunFileWriter second = must(succeed());
    QCOMPARE(second.token(), (WriterToken{Epoch(1), Term(1)}));
    QVERIFY(!must(isShipment(m_named))); // nobody stands in the way
    const std::vector<Event> more = goingOn(m_events.back().id, "second");
    must(second.append(more));
    QTRY_VERIFY_WITH_TIMEOUT(older.trouble().has_value(), 10'000);
    checkLost(older, "epoch 1, term 1", true);
    RunFileWriter third = must(succeed());
    QCOMPARE(third.token(), (WriterToken{Epoch(1), Term(2)}));
    checkLost(second, "epoch 1, term 2", true);
    QCOMPARE(third.lastEvent(), more.back().id);
    QVERIFY(!RunFileWriter::open(m_named)); // by accident
}

void TestRecordFence::waitsUnlessItMayBreak()
{
    RunFileWriter older = first();
    const auto refused = succeed(false);
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::InUse);
    must(older.append(goingOn(m_events.back().id, "goes on")));
}

void TestRecordFence::standsStillInATransaction()
{
    RunFileWriter older = first();
    HeldFile held(m_named);
    RunFileWriter newer = must(succeed());
    QCOMPARE(newer.token(), (WriterToken{Epoch(1), Term(1)}));
    QVERIFY(must(isShipment(m_named)));
    const std::vector<Event> more = goingOn(m_events.back().id, "newer");
    must(newer.append(more));
    QCOMPARE(eventsOf(m_named), joined(m_events, more));
    held.wakeUp();
    checkLost(older, "in use by process", true);
    must(older.close());
    QVERIFY(!newer.trouble());
    must(newer.close());
    QCOMPARE(contentsOf(path("shared")).size(), std::size_t{1});
    QCOMPARE(eventsOf(m_named), joined(m_events, more));
    QCOMPARE(query(m_named, "SELECT value FROM meta WHERE name = 'format'"),
             (std::vector<std::vector<std::string>>{{"run file of Tasuki"}}));
    QCOMPARE(must(RunFileWriter::open(m_named)).token(), (WriterToken{Epoch(2), Term(0)}));
}

void TestRecordFence::readersGoOnWithTheSuccessor()
{
    RunFileWriter older = first();
    RunFileReader reader = must(RunFileReader::open(m_named));
    QCOMPARE(must(reader.lastEvent()), m_events.back().id);
    const HeldFile held(m_named);
    RunFileWriter newer = must(succeed());
    must(newer.append(goingOn(m_events.back().id, "newer")));
    QCOMPARE(must(reader.lastEvent()), newer.lastEvent());
    must(newer.close());
    QCOMPARE(must(reader.lastEvent()), newer.lastEvent());
}

/// The claim of its successor is gone by then.
void TestRecordFence::wakesUpWhenAllIsOver()
{
    RunFileWriter older = first();
    {
        const HeldFile held(m_named);
        RunFileWriter newer = must(succeed());
        must(newer.close());
    }
    const auto before = contentsOf(path("shared"));
    checkLost(older, "epoch 1, term 1", true);
    must(older.close());
    QCOMPARE(contentsOf(path("shared")), before);
    QCOMPARE(eventsOf(m_named), m_events);
}

/// What it commits after that may be missing in the copy.
void TestRecordFence::claimedBeforeItIsCopied()
{
    RunFileWriter older = first();
    RecordOwner other = RecordOwner::here();
    other.host = "grid01";
    other.writer = {Epoch(1), Term(1)};
    writeFile(m_named.native() + ".owner", textOf(other));
    checkLost(older, "on grid01", true);
}

/// Of a successor that was killed before it had copied anything.
void TestRecordFence::restOfAClaimDoesNotMatter()
{
    {
        RunFileWriter older = first();
    }
    RecordOwner dead = RecordOwner::here();
    dead.started += 1;
    dead.writer = {Epoch(1), Term(1)};
    writeFile(m_named.native() + ".owner", textOf(dead));
    writeFile(draftOf(m_named, dead.token), "half");
    RunFileWriter file = must(RunFileWriter::open(m_named));
    must(file.append(simpleEpoch(2, 20, 3)));
    must(file.close());
    QVERIFY(!file.trouble());
    QCOMPARE(contentsOf(path("shared")).size(), std::size_t{1});
}

void TestRecordFence::oldCopyUnderTheNameIsNoSuccessor()
{
    must(first().close());
    const fs::path old = path("old.tasuki");
    fs::copy_file(m_named, old);
    RunFileWriter file = must(RunFileWriter::open(m_named));
    must(file.append(simpleEpoch(2, 20, 3)));
    fs::rename(old, m_named);
    must(file.append(simpleEpoch(3, 23, 3)));
    must(file.close());
    QVERIFY(file.trouble().has_value());
    QVERIFY(!file.trouble()->fatal);
    QVERIFY(fs::exists(path("shared") / "w.saved.tasuki"));
}

void TestRecordFence::otherRunsAndLaterEpochsAreLeftAlone()
{
    RunFileWriter file = first();
    const auto before = contentsOf(path("shared")).at("w.tasuki.lock");
    const auto another = RunFileWriter::succeed(
        m_named, {.run = RunId{std::string(32, 'b')}, .epoch = Epoch(1), .breaks = true});
    QVERIFY(!another);
    QCOMPARE(another.error().kind, ErrorKind::Foreign);
    must(file.append(goingOn(m_events.back().id, "goes on")));
    must(file.close());
    RunFileWriter resumed = must(RunFileWriter::open(m_named));
    const auto late = succeed();
    QVERIFY(!late);
    QCOMPARE(late.error().kind, ErrorKind::Foreign);
    QVERIFY(late.error().text().find("resumed") != std::string::npos);
    must(resumed.append(simpleEpoch(2, 20, 3)));
    QVERIFY(fs::exists(m_named.native() + ".lock"));
    QVERIFY(!before.empty());
}

void TestRecordFence::fileOfAnOlderProgram()
{
    must(first().close());
    QCOMPARE(failureOf(m_named, "DROP TABLE writer"), std::string());
    QCOMPARE(eventsOf(m_named), m_events);
    RunFileWriter file = must(RunFileWriter::open(m_named));
    QCOMPARE(file.token(), (WriterToken{Epoch(2), Term(0)}));
    must(file.close());
    QCOMPARE(query(m_named, "SELECT epoch, term FROM writer"),
             (std::vector<std::vector<std::string>>{{"2", "0"}}));
}

/// One process stops leading, and leads again as its own successor.
void TestRecordFence::leadsAgain()
{
    RunFileWriter file = first();
    file.drop();
    QVERIFY(!file.append(goingOn(m_events.back().id, "late")));
    QVERIFY(!file.trouble());
    RunFileWriter again = must(succeed(false));
    QCOMPARE(again.token(), (WriterToken{Epoch(1), Term(1)}));
    QCOMPARE(again.lastEvent(), m_events.back().id);
    must(again.append(goingOn(m_events.back().id, "again")));
}

void TestRecordFence::revokedInATransaction()
{
    RunFileWriter file = first();
    file.revoke();
    QVERIFY(!file.append(goingOn(m_events.back().id, "late")));
    file.drop();
    QCOMPARE(eventsOf(m_named), m_events);
}

void TestRecordFence::shippedIsBrokenByTerm_data()
{
    QTest::addColumn<QByteArray>("node");
    QTest::newRow("same node") << QByteArray("one");
    QTest::newRow("another node") << QByteArray("two");
}

/// The former writer lives, and is seen to.
void TestRecordFence::shippedIsBrokenByTerm()
{
    QFETCH(QByteArray, node);
    lieAs("shipped");
    RunFileWriter older = first();
    moveTo(node.constData());
    QVERIFY(!succeed(false));
    RunFileWriter newer = must(succeed());
    QCOMPARE(newer.token(), (WriterToken{Epoch(1), Term(1)}));
    QCOMPARE(must(ShipmentReader::open(m_named)).opening().owner.writer, newer.token());
    checkLost(older, "in use by process", true);
    const std::vector<Event> more = goingOn(m_events.back().id, "newer");
    must(newer.append(more));
    static_cast<void>(older.close());
    QCOMPARE(eventsOf(m_named), joined(m_events, more));
    QVERIFY(!newer.trouble());
    // Another one goes on from what is shipped, with a term beyond.
    moveTo("three");
    RunFileWriter third = must(succeed());
    QCOMPARE(third.token(), (WriterToken{Epoch(1), Term(2)}));
    QCOMPARE(third.lastEvent(), more.back().id);
    must(third.close());
    QCOMPARE(eventsOf(m_named), joined(m_events, more));
    // When all is over, and its successor's claim is gone.
    checkLost(newer, "epoch 1, term 2", true);
}

/// It wakes up between its look at the claim and its rename.
void TestRecordFence::olderOneDoesNotReplaceAShipment()
{
    lieAs("shipped");
    RunFileWriter older = first();
    const fs::path copy = path("copy.tasuki");
    fs::copy_file(must(localRecords()) / m_run.hex / "record.tasuki", copy);
    Database record = must(Database::open(copy, Database::Mode::ReadWrite));
    std::optional<RunFileWriter> newer;
    moveTo("two");
    const auto published = publishRecord(record, m_named, {.mark = "older", .allowed = [&] {
                                                               newer.emplace(must(succeed()));
                                                               return Result<void>();
                                                           }});
    QVERIFY(!published);
    QVERIFY(must(isShipment(m_named)));
    must(newer->append(goingOn(m_events.back().id, "newer")));
    QCOMPARE(must(must(RunFileReader::open(m_named)).lastEvent()), newer->lastEvent());
}

void TestRecordFence::copiesFollowTheirMaster()
{
    RunFileWriter older = first();
    deleteLock();
    RunFileCopy copy = must(RunFileCopy::open(m_named));
    must(copy.follow({Epoch(1), Term(3)}));
    checkLost(older, "epoch 1, term 3", true);
    const auto back = copy.follow({Epoch(1), Term(2)});
    QVERIFY(!back);
    QCOMPARE(back.error().kind, ErrorKind::InUse);
    deleteLock();
    RunFileWriter newer = must(succeed());
    QCOMPARE(newer.token(), (WriterToken{Epoch(1), Term(4)}));
    QVERIFY(!copy.cutAfter({}));
    QCOMPARE(eventsOf(m_named), m_events);
}

QTEST_APPLESS_MAIN(TestRecordFence)

} // namespace tst_recordfence

#include "tst_recordfence.moc"
