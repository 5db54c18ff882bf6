// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "replica/copyfile.h"
#include "replica/recordrowsource.h"
#include "replica/recordsight.h"
#include "runfile/runfilereader.h"
#include "runfile/runfilewriter.h"

#include <deque>
#include <filesystem>
#include <fstream>
#include <optional>

#include <sys/stat.h>

namespace tst_copyfile {

using namespace tasuki;
using replica::CopyStore;
namespace fs = std::filesystem;

namespace {

/// What a reactor does: runs posted functions on the thread of the test.
class ReactorThread {
public:
    [[nodiscard]] std::function<void(std::function<void()>)> poster()
    {
        return [this](std::function<void()> work) {
            const std::scoped_lock lock(m_mutex);
            m_works.push_back(std::move(work));
        };
    }
    template <class Condition>
    bool runUntil(const Condition& condition)
    {
        return QTest::qWaitFor([this, &condition] {
            std::deque<std::function<void()>> works;
            {
                const std::scoped_lock lock(m_mutex);
                works.swap(m_works);
            }
            for (const auto& work : works)
                work();
            return condition();
        });
    }

private:
    std::mutex m_mutex;
    std::deque<std::function<void()>> m_works;
};

std::vector<Event> notices(std::uint64_t first, std::uint64_t last, std::uint32_t epoch = 1)
{
    std::vector<Event> events;
    for (std::uint64_t i = first; i <= last; ++i)
        events.push_back({.id = {Epoch(epoch), Sequence(i)},
                          .monotonic = std::chrono::nanoseconds(i),
                          .payload = Notice{.text = "n"}});
    return events;
}

std::size_t eventsIn(const std::string& path)
{
    std::size_t count = 0;
    Result<RunFileReader> reader = RunFileReader::open(path);
    if (!reader || !reader->replay([&count](const Event&) {
            ++count;
            return Result<void>();
        }))
        qFatal("unreadable");
    return count;
}

} // namespace

/// Copies as files, with the real threads.
class TestCopyFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void underTheOriginalsName();
    void whereNothingElseFits();
    void whereItGoesWithTheRun();
    void goesOnWithWhatIsThere();
    void resumedByOthers();
    void followsARecord();
    void closedFilesAreNotWritten();
    void removed();
    void signs();
    void whoHasMore();

private:
    [[nodiscard]] std::string path(const char* name) const
    {
        return (fs::path(m_directory->path().toStdString()) / name).string();
    }
    RunFileWriter record(std::uint64_t events, std::uint32_t epoch = 1)
    {
        Result<RunFileWriter> file = RunFileWriter::create(path("r.tasuki"), m_run);
        if (!file || !file->append(notices(1, events, epoch)))
            qFatal("no record");
        return std::move(*file);
    }
    Result<CopyStore::Opened> open(CopyFile& file, const RecordPlace& original)
    {
        std::optional<Result<CopyStore::Opened>> opened;
        file.open(m_run, original, {}, [&opened](auto result) { opened = std::move(result); });
        if (!m_reactor.runUntil([&opened] { return opened.has_value(); }))
            qFatal("not opened");
        return std::move(*opened);
    }
    [[nodiscard]] CopyFile::Setup setup(bool sees = false) const
    {
        return {.host = "b", .epoch = Epoch(1), .seesOriginal = sees};
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    RunId m_run;
    ReactorThread m_reactor;
};

void TestCopyFile::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    m_run = RunId::random();
    qputenv("XDG_STATE_HOME", QByteArray::fromStdString(path("state")));
}

void TestCopyFile::underTheOriginalsName()
{
    const RecordPlace original{.host = "a", .path = path("r.tasuki")};
    CopyFile file(setup(), m_reactor.poster());
    const auto opened = open(file, original);
    QVERIFY(opened.ok());
    QCOMPARE(opened->place.path, original.path);
    QCOMPARE(opened->place.host, std::string("b"));
    QVERIFY(!opened->place.original && opened->marks.empty());
}

/// No such directory; a file of somebody else; a run file that is no copy, e.g. one that a user has
/// put there.
void TestCopyFile::whereNothingElseFits()
{
    std::ofstream(path("other")) << "notes";
    {
        const RunFileWriter own = record(3);
    }
    for (const std::string& taken : {path("nowhere/r.tasuki"), path("other"), path("r.tasuki")}) {
        CopyFile file(setup(), m_reactor.poster());
        const auto opened = open(file, {.host = "a", .path = taken});
        QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().text().c_str());
        QCOMPARE(opened->place.path, copyInState(m_run, "b").string());
    }
    QCOMPARE(eventsIn(path("r.tasuki")), std::size_t{3});
}

// Fails if a copy of a record that is not kept lies where it stays.
void TestCopyFile::whereItGoesWithTheRun()
{
    fs::create_directory(path("unkept"));
    CopyFile::Setup wanted = setup();
    wanted.directory = path("unkept");
    CopyFile file(wanted, m_reactor.poster());
    const auto opened = open(file, {.host = "a", .path = path("nowhere/r.tasuki")});
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().text().c_str());
    QCOMPARE(fs::path(opened->place.path).parent_path(), fs::path(path("unkept")));
    QVERIFY(!fs::exists(path("state")));

    wanted.directory = path("gone"); // else it would be nobody's to remove
    CopyFile nowhere(wanted, m_reactor.poster());
    QVERIFY(!open(nowhere, {.host = "a", .path = path("nowhere/r.tasuki")}).ok());
    QVERIFY(!fs::exists(path("state")));
}

void TestCopyFile::goesOnWithWhatIsThere()
{
    {
        const RunFileWriter own = record(3);
    }
    const RecordPlace original{.host = "a", .path = path("r.tasuki")};
    CopyFile file(setup(true), m_reactor.poster());
    const auto opened = open(file, original);
    QVERIFY(opened.ok());
    QVERIFY(opened->place.original);
    QCOMPARE(opened->marks.front().id.sequence, Sequence(3));
    file.close(true); // the original is never removed
    const auto again = open(file, original);
    QVERIFY(again.ok());
    QCOMPARE(again->marks.size(), std::size_t{3});
}

void TestCopyFile::resumedByOthers()
{
    {
        const RunFileWriter own = record(3, 2);
    }
    CopyFile file(setup(true), m_reactor.poster());
    const auto opened = open(file, {.host = "a", .path = path("r.tasuki")});
    QVERIFY(!opened.ok());
    QVERIFY(opened.error().text().find("resumed") != std::string::npos);
}

void TestCopyFile::followsARecord()
{
    RunFileWriter writer = record(500);
    RecordRowSource source(path("r.tasuki"), m_reactor.poster());
    CopyFile file(setup(), m_reactor.poster());
    const auto opened = open(file, {.host = "a", .path = path("c.tasuki")});
    QVERIFY(opened.ok());
    EventId last;
    EventId stored;
    std::function<void()> next = [&] {
        source.read(last, 1'000, [&](Result<RecordRows> rows) {
            QVERIFY(rows.ok());
            if (rows->empty())
                return;
            last = rows->last;
            file.append(std::move(*rows), [&, at = last](const Result<void>& done) {
                QVERIFY(done.ok());
                QVERIFY(at > stored);
                stored = at;
            });
            next();
        });
    };
    next();
    QVERIFY(m_reactor.runUntil([&stored] { return stored.sequence == Sequence(500); }));
    QVERIFY(writer.append(notices(501, 600)).ok());
    next();
    QVERIFY(m_reactor.runUntil([&stored] { return stored.sequence == Sequence(600); }));
    std::optional<std::optional<RecordMark>> shared;
    source.firstShared(opened->marks, [&shared](auto found) { shared = *found; });
    QVERIFY(m_reactor.runUntil([&shared] { return shared.has_value(); }));
    QVERIFY(!shared->has_value());
    bool cut = false;
    file.cutAfter({Epoch(1), Sequence(100)}, [&cut](const Result<void>& done) { cut = done.ok(); });
    QVERIFY(m_reactor.runUntil([&cut] { return cut; }));
    QCOMPARE(eventsIn(path("c.tasuki")), std::size_t{100});
}

/// A successor opens the file itself.
void TestCopyFile::closedFilesAreNotWritten()
{
    const RunFileWriter writer = record(5);
    RecordRowSource source(path("r.tasuki"), m_reactor.poster());
    std::optional<RecordRows> rows;
    source.read({}, 1'000'000, [&rows](Result<RecordRows> read) { rows = std::move(*read); });
    QVERIFY(m_reactor.runUntil([&rows] { return rows.has_value(); }));
    CopyFile file(setup(), m_reactor.poster());
    QVERIFY(open(file, {.host = "a", .path = path("c.tasuki")}).ok());
    bool told = false;
    file.close(false);
    file.append(std::move(*rows), [&told](const Result<void>&) { told = true; });
    std::optional<RunFileWriter> successor;
    QVERIFY(m_reactor.runUntil([this, &successor] {
        Result<RunFileWriter> opened = RunFileWriter::open(path("c.tasuki"));
        if (opened)
            successor.emplace(std::move(*opened));
        return successor.has_value();
    }));
    QVERIFY(successor->lastEvent() == EventId{});
    QVERIFY(!told);
}

void TestCopyFile::removed()
{
    {
        CopyFile file(setup(), m_reactor.poster());
        QVERIFY(open(file, {.host = "a", .path = path("c.tasuki")}).ok());
        file.close(true);
    }
    QVERIFY(!fs::exists(path("c.tasuki")));
    QVERIFY(!fs::exists(path("c.tasuki-wal")));
}

void TestCopyFile::signs()
{
    Briefing briefing;
    briefing.run = m_run;
    briefing.runFile = path("r.tasuki");
    briefing.sign = RecordSign::randomWords();
    const RunFileWriter writer = record(3);
    // An old copy, or one of another launch, that stands there is not the record.
    QVERIFY(!lookForRecord(briefing, "b").sees);
    {
        const RecordSign other(briefing.runFile, RecordSign::randomWords());
        QVERIFY(!lookForRecord(briefing, "b").sees);
    }
    {
        const RecordSign sign(briefing.runFile, briefing.sign);
        QVERIFY(lookForRecord(briefing, "b").sees);
        briefing.sign.clear();
        QVERIFY(!lookForRecord(briefing, "b").sees);
    }
    QVERIFY(!fs::exists(path("r.tasuki.sign")));
    // But it is told of.
    const replica::RecordSight sight = lookForRecord(briefing, "b");
    QVERIFY(sight.latest.has_value());
    QCOMPARE(sight.latest->id.sequence, Sequence(3));
    briefing.run = RunId::random();
    QVERIFY(!lookForRecord(briefing, "b").latest.has_value());
    // A pipe that somebody has put there: fails by waiting for ever.
    QCOMPARE(::mkfifo(path("r.tasuki.sign").c_str(), 0666), 0);
    briefing.sign = RecordSign::randomWords();
    QVERIFY(!lookForRecord(briefing, "b").sees);
}

/// A record is outdated when a copy has what it lacks, be it more or something else.
void TestCopyFile::whoHasMore()
{
    const RunFileWriter writer = record(5);
    const std::vector<std::string> hosts{"a", "b"};
    const auto check = [&](std::uint64_t sequence, std::uint64_t time) {
        const RecordMark mark{.id = {Epoch(1), Sequence(sequence)},
                              .monotonic = std::chrono::nanoseconds(time)};
        return checkNewest(path("r.tasuki"),
                           {{.sees = true}, {.sees = false, .latest = mark, .path = "/copy"}},
                           hosts);
    };
    QVERIFY(check(5, 5).ok());
    QVERIFY(check(2, 2).ok());
    for (const Result<void>& wrong : {check(6, 6), check(4, 9)}) {
        QVERIFY(!wrong.ok());
        QCOMPARE(wrong.error().kind, ErrorKind::Foreign);
        QVERIFY(wrong.error().text().find("on b, /copy") != std::string::npos);
    }
    QVERIFY(checkNewest(path("r.tasuki"), {{.sees = true}, {}}, hosts).ok());
}

QTEST_GUILESS_MAIN(TestCopyFile)

} // namespace tst_copyfile

#include "tst_copyfile.moc"
