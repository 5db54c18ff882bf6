// SPDX-License-Identifier: GPL-3.0-or-later
// First: moc of Qt 6.4 cannot read the standard headers that the others include otherwise.
#include <QTest>

#include "runfiletesting.h"

#include "domain/runstate.h"
#include "shared/domain/randomhistory.h"

#include <QTemporaryDir>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <random>
#include <thread>

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tst_runfilefaults {

using namespace tasuki;
using namespace tasuki::testing;

namespace {

/// What a child says of the first thing that is not as it must be: the line, so that the exit
/// status names it.
#define EXPECT_IN_CHILD(condition)                                                                 \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                           \
            return 1;                                                                              \
        }                                                                                          \
    } while (false)

constexpr int cannotMount = 77;

/// Appends until the disk is full, makes room, and goes on with the very batch that was refused.
int fillAndGoOn(const std::filesystem::path& path, const std::function<bool()>& makeRoom,
                std::uint32_t tasksPerBatch)
{
    std::vector<Event> all;
    std::vector<Event> refused;
    {
        auto writer = must(RunFileWriter::create(path, RunId::random()));
        for (std::uint32_t epoch = 1; refused.empty(); ++epoch) {
            EXPECT_IN_CHILD(epoch < 10000);
            auto batch = simpleEpoch(epoch, epoch * tasksPerBatch, tasksPerBatch, 900);
            // New settings in each batch: those of a refused one must not be thought written.
            auto settings = std::make_shared<TaskSettings>();
            settings->workingDirectory = "/dir" + std::to_string(epoch);
            std::get<TaskAdded>(batch[1].payload).task.settings = settings;
            const auto appended = writer.append(batch);
            if (appended) {
                all.insert(all.end(), batch.begin(), batch.end());
                continue;
            }
            if (appended.error().kind != ErrorKind::NoSpace)
                std::fprintf(stderr, "%s\n", appended.error().text().c_str());
            EXPECT_IN_CHILD(appended.error().kind == ErrorKind::NoSpace);
            refused = batch;
        }
        EXPECT_IN_CHILD(!all.empty());
        EXPECT_IN_CHILD(writer.lastEvent() == all.back().id);
        for (int i = 0; i < 3; ++i)
            EXPECT_IN_CHILD(writer.append(refused).error().kind == ErrorKind::NoSpace);
        EXPECT_IN_CHILD(eventsOf(path) == all);
        EXPECT_IN_CHILD(makeRoom());
        EXPECT_IN_CHILD(writer.append(refused).ok());
        all.insert(all.end(), refused.begin(), refused.end());
        EXPECT_IN_CHILD(eventsOf(path) == all);
    }
    EXPECT_IN_CHILD(eventsOf(path) == all);
    return 0;
}

/// A file of some hundred pages, closed cleanly.
std::vector<Event> makeFile(const std::filesystem::path& path, std::uint32_t tasks = 1000)
{
    auto events = simpleEpoch(1, 0, tasks, 200);
    must(must(RunFileWriter::create(path, RunId::random())).append(events));
    return events;
}

} // namespace

class TestRunFileFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();

    void foreignFilesStayUntouched_data();
    void foreignFilesStayUntouched();
    void truncatedFilesStayUntouched();
    void missingThingsAreNamed();
    void damageInsideIsReported();
    void wrongNumbersAreReported_data();
    void wrongNumbersAreReported();
    void oneAgentAtATime();
    void aLockFileLeftBehindIsNoObstacle();
    void killedAtAnyMoment();
    void killedWhileMaking();
    void fileSizeLimit();
    void fullDisk();
    void strangers();
    void readOnlyDirectory();

private:
    std::filesystem::path directory() const { return m_directory->path().toStdString(); }
    std::filesystem::path path(const char* name = "run.tasuki") const { return directory() / name; }
    void refusedUntouched(ErrorKind kind, const char* words);

    std::unique_ptr<QTemporaryDir> m_directory;
};

void TestRunFileFaults::init() { m_directory = std::make_unique<QTemporaryDir>(); }

void TestRunFileFaults::refusedUntouched(ErrorKind kind, const char* words)
{
    const auto before = contentsOf(directory());
    const auto reader = RunFileReader::open(path());
    QVERIFY(!reader);
    QVERIFY2(reader.error().text().find(words) != std::string::npos, reader.error().text().c_str());
    QCOMPARE(reader.error().kind, kind);
    const auto writer = RunFileWriter::open(path());
    QVERIFY(!writer);
    QCOMPARE(writer.error().text(), reader.error().text());
    QVERIFY(contentsOf(directory()) == before);
}

void TestRunFileFaults::foreignFilesStayUntouched_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("words");
    makeFile((init(), path()), 10);
    const auto whole = QByteArray::fromStdString(contentsOf(directory())["run.tasuki"]);
    QByteArray newer = whole;
    newer[63] = 2;
    QByteArray other = whole;
    other[68] = 'X';
    QTest::newRow("empty") << QByteArray() << "is empty";
    QTest::newRow("text") << QByteArray("sleep 1\nsleep 2\n") << "not a run file";
    QTest::newRow("one byte") << QByteArray("#") << "not a run file";
    QTest::newRow("zeros") << QByteArray(8192, '\0') << "not a run file";
    QTest::newRow("newer version") << newer << "format version 2";
    QTest::newRow("other database") << other << "another program";
}

void TestRunFileFaults::foreignFilesStayUntouched()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, words);
    writeFile(path(), content.toStdString());
    refusedUntouched(ErrorKind::Foreign, words.toStdString().c_str());
}

void TestRunFileFaults::truncatedFilesStayUntouched()
{
    makeFile(path());
    const std::string whole = contentsOf(directory())["run.tasuki"];
    for (const std::size_t length :
         {std::size_t(16), std::size_t(99), std::size_t(100), std::size_t(4095), std::size_t(4096),
          whole.size() / 2, whole.size() - 4096, whole.size() - 1}) {
        writeFile(path(), whole.substr(0, length));
        refusedUntouched(ErrorKind::Damaged, "truncated");
    }
    writeFile(path(), whole);
    QCOMPARE(eventsOf(path()).size(), std::size_t(2001));
}

void TestRunFileFaults::missingThingsAreNamed()
{
    const auto missing = RunFileReader::open(path("none.tasuki"));
    QCOMPARE(missing.error().kind, ErrorKind::System);
    QVERIFY(missing.error().text().find("none.tasuki") != std::string::npos);
    QVERIFY(missing.error().text().find("No such file") != std::string::npos);
    QVERIFY(RunFileWriter::open(directory()).error().text().find("is a directory")
            != std::string::npos);
    QCOMPARE(mkfifo(path("pipe").c_str(), 0600), 0);
    QVERIFY(RunFileReader::open(path("pipe")).error().text().find("not a regular file")
            != std::string::npos);
}

void TestRunFileFaults::damageInsideIsReported()
{
    RandomHistory history(5);
    const auto events = history.more(4000);
    must(must(RunFileWriter::create(path(), RunId::random())).append(events));
    const std::string whole = contentsOf(directory())["run.tasuki"];
    constexpr std::size_t pageSize = 4096;
    std::mt19937 random(1);
    std::size_t noticed = 0;
    constexpr std::size_t rounds = 60;
    for (std::size_t round = 0; round < rounds; ++round) {
        std::string damaged = whole;
        // The first page holds the identity of the file, tested above.
        const std::size_t page = 1 + random() % (whole.size() / pageSize - 1);
        for (std::size_t i = 0; i < pageSize; ++i)
            damaged[page * pageSize + i] = static_cast<char>(random());
        writeFile(path(), damaged);
        std::vector<Event> seen;
        const auto read = replayed(path(), seen);
        if (read) {
            // A page that the events do not need: words, indexes, views.
            QVERIFY(seen == events);
            continue;
        }
        ++noticed;
        QVERIFY2(read.error().kind == ErrorKind::Damaged, read.error().text().c_str());
        QVERIFY(read.error().text().find("run.tasuki") != std::string::npos);
        const auto writer = RunFileWriter::open(path());
        QVERIFY(writer || writer.error().kind == ErrorKind::Damaged);
    }
    QVERIFY2(noticed > rounds / 2, std::to_string(noticed).c_str());
}

void TestRunFileFaults::wrongNumbersAreReported_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("words");
    const char* out = "out of range";
    const char* nothing = "means nothing";
    QTest::newRow("kind") << "UPDATE event SET kind = 29 WHERE id & 1023 = 3" << nothing;
    QTest::newRow("outcome") << "UPDATE event SET outcome = 8 WHERE kind = 9" << nothing;
    QTest::newRow("disposition") << "UPDATE event SET disposition = -1 WHERE kind = 9" << nothing;
    const char* between = "between 1970 and 2200";
    const char* tooLong = "over 230 years";
    QTest::newRow("time") << "UPDATE event SET wall_us = 9223372036854775807 WHERE kind = 9"
                          << between;
    QTest::newRow("time before") << "UPDATE event SET wall_us = -1 WHERE kind = 1" << between;
    QTest::newRow("start") << "UPDATE event SET started_us = 9223372036854775807 WHERE kind = 9"
                           << between;
    QTest::newRow("elapsed") << "UPDATE event SET elapsed_us = 9223372036854775807 WHERE kind = 9"
                             << tooLong;
    QTest::newRow("clock") << "UPDATE event SET mono_ns = 9223372036854775807 WHERE kind = 9"
                           << tooLong;
    QTest::newRow("time limit") << "UPDATE settings SET timeout_ms = 9223372036854775807"
                                << "time limit";
    QTest::newRow("task") << "UPDATE event SET task = 4294967296 WHERE kind = 1" << out;
    QTest::newRow("rank") << "UPDATE event SET rank = 3000000000 WHERE kind = 9" << out;
    QTest::newRow("missing") << "UPDATE event SET attempt = NULL WHERE kind = 9"
                             << "lacks a column";
    QTest::newRow("settings") << "UPDATE event SET settings = 99 WHERE kind = 1"
                              << "settings";
    QTest::newRow("retries") << "UPDATE settings SET retries_exit = 70000"
                             << "retries";
    QTest::newRow("environment") << "UPDATE settings SET environment = X'41'"
                                 << "cut off";
    for (const char* seat : {"", "1", ":", "1:", ":1", "1:2:3", "1:-1", "-1:1", "1:2147483648",
                             "4294967296:1", "1: 2", "a:b"})
        QTest::addRow("rank of a world '%s'", seat)
            << QString(
                   "UPDATE settings SET environment = CAST('#seat' || char(0) || '%1' || char(0) "
                   "AS BLOB)")
                   .arg(seat)
            << "an impossible time, warning or rank";
    QTest::newRow("detail") << "DELETE FROM detail WHERE name = 'host'"
                            << "lacks a detail";
    const QString laidOut =
        "INSERT INTO event(id, wall_us, mono_ns, kind) VALUES(1099511627999, 0, "
        "0, 15); INSERT INTO detail VALUES(1099511627999, 'subclusters', %1);";
    QTest::newRow("too many") << laidOut.arg(5) << "lacks a detail";
    QTest::newRow("negative") << laidOut.arg(-1) << out;
    const QString health =
        "INSERT INTO event(id, wall_us, mono_ns, kind) VALUES(1099511627999, 0, 0, "
        "17); INSERT INTO detail VALUES(1099511627999, 'processor', 1), "
        "(1099511627999, 'health', 7), (1099511627999, 'cause', 0), "
        "(1099511627999, 'detection_us', 0);";
    QTest::newRow("health") << health << nothing;
    QTest::newRow("label") << "UPDATE event SET label = X'', prerequisites = '[1,]' WHERE kind = 1"
                           << "no list";
    for (const char* text :
         {"1", "[", "[[]]", "[[2,1]]", "[[1,2],]", R"([{"event":1,"item":0}])",
          R"([{"event":1099511627778,"item":0}])", R"([{"event":1099511627778,"item":9}])",
          R"([{"event":1099511627778}])"})
        QTest::addRow("prerequisites %s", text)
            << QString("UPDATE event SET label = X'', prerequisites = '%1' WHERE kind = 1")
                   .arg(text)
            << "no list";
    QTest::newRow("output") << "UPDATE output SET stdout_bytes = 1"
                            << "more output";
    QTest::newRow("id") << "UPDATE event SET id = -5 WHERE kind = 0"
                        << "impossible id";
    QTest::newRow("table") << "DROP TABLE detail"
                           << "no such table";
    // Reading it would never end.
    QTest::newRow("view") << "DROP TABLE detail; CREATE VIEW Detail AS WITH RECURSIVE n(x) AS "
                             "(SELECT 1 UNION ALL SELECT x FROM n) "
                             "SELECT x AS event, '' AS name, '' AS value FROM n"
                          << "is none";
    QTest::newRow("view as identity")
        << "DROP TABLE meta; CREATE VIEW meta AS WITH RECURSIVE n(x) AS "
           "(SELECT 1 UNION ALL SELECT x FROM n) "
           "SELECT x AS name, x AS value FROM n WHERE x > 1"
        << "is none";
    QTest::newRow("run") << "UPDATE meta SET value = 'x' WHERE name = 'run'"
                         << "name its run";
}

void TestRunFileFaults::wrongNumbersAreReported()
{
    QFETCH(QString, sql);
    QFETCH(QString, words);
    makeFile(path(), 10);
    QCOMPARE(failureOf(path(), "DROP TRIGGER event_is_not_changed; " + sql.toStdString()),
             std::string());
    std::vector<Event> seen;
    const auto read = replayed(path(), seen);
    QVERIFY(!read);
    QVERIFY2(read.error().text().find(words.toStdString()) != std::string::npos,
             read.error().text().c_str());
}

void TestRunFileFaults::oneAgentAtATime()
{
    {
        auto writer = must(RunFileWriter::create(path(), RunId::random()));
        const auto before = contentsOf(directory());
        std::filesystem::create_symlink(path(), path("alias.tasuki"));
        for (const char* name : {"run.tasuki", "alias.tasuki"}) {
            const auto second = RunFileWriter::open(path(name));
            QVERIFY(!second);
            QCOMPARE(second.error().kind, ErrorKind::InUse);
            const std::string holder = "process " + std::to_string(getpid()) + " on ";
            QVERIFY2(second.error().text().find(holder) != std::string::npos,
                     second.error().text().c_str());
        }
        std::filesystem::remove(path("alias.tasuki"));
        QVERIFY(contentsOf(directory()) == before);
        QCOMPARE(inChild([&] {
                     const auto other = RunFileWriter::open(path());
                     return other.ok() || other.error().kind != ErrorKind::InUse;
                 }),
                 0);
        must(writer.append(simpleEpoch(1, 0, 2)));
        RunFileWriter moved = std::move(writer);
        must(moved.append(simpleEpoch(2, 2, 2)));
    }
    must(must(RunFileWriter::open(path())).append(simpleEpoch(3, 4, 2)));
    QCOMPARE(eventsOf(path()).size(), std::size_t(15));
}

void TestRunFileFaults::aLockFileLeftBehindIsNoObstacle()
{
    QCOMPARE(inChild([&] {
                 auto writer = must(RunFileWriter::create(path(), RunId::random()));
                 must(writer.append(simpleEpoch(1, 0, 2)));
                 raise(SIGKILL);
                 return 0;
             }),
             256 + SIGKILL);
    QVERIFY(std::filesystem::exists(path("run.tasuki.lock")));
    QCOMPARE(eventsOf(path()).size(), std::size_t(5));
    must(must(RunFileWriter::open(path())).append(simpleEpoch(2, 2, 2)));
    QCOMPARE(eventsOf(path()).size(), std::size_t(10));
    QCOMPARE(contentsOf(directory()).size(), std::size_t(1));
}

void TestRunFileFaults::killedAtAnyMoment()
{
    constexpr std::uint32_t tasksPerBatch = 40;
    constexpr std::size_t eventsPerBatch = 1 + 2 * tasksPerBatch;
    std::mt19937 random(static_cast<unsigned>(getpid()));
    must(RunFileWriter::create(path(), RunId::random()));
    std::uint32_t epoch = 0; // of the last batch in the file
    for (int round = 0; round < 15; ++round) {
        std::array<int, 2> ends{};
        QCOMPARE(pipe(ends.data()), 0);
        const pid_t child = fork();
        if (child == 0) {
            alarm(60);
            auto writer = must(RunFileWriter::open(path()));
            for (std::uint32_t next = epoch + 1;; ++next) {
                must(writer.append(simpleEpoch(next, next * tasksPerBatch, tasksPerBatch, 500)));
                if (write(ends[1], &next, sizeof next) != sizeof next)
                    _exit(1);
            }
        }
        close(ends[1]);
        std::uint32_t reported = epoch;
        // At least one commit, then a moment at random, also inside checkpoints.
        QCOMPARE(read(ends[0], &reported, sizeof reported), ssize_t(sizeof reported));
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 60000));
        kill(child, SIGKILL);
        int status = 0;
        QCOMPARE(waitpid(child, &status, 0), child);
        QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        std::uint32_t value = 0;
        while (read(ends[0], &value, sizeof value) == sizeof value)
            reported = value;
        close(ends[0]);

        const auto events = eventsOf(path());
        QCOMPARE(events.size() % eventsPerBatch, std::size_t(0));
        const auto batches = static_cast<std::uint32_t>(events.size() / eventsPerBatch);
        // What was reported is there; at most the one batch that was not is there besides.
        QVERIFY2(batches == reported || batches == reported + 1,
                 (std::to_string(batches) + " of " + std::to_string(reported)).c_str());
        const auto last = simpleEpoch(batches, batches * tasksPerBatch, tasksPerBatch, 500);
        QVERIFY(std::equal(last.begin(), last.end(),
                           events.end() - static_cast<std::ptrdiff_t>(last.size())));
        for (std::size_t i = 0; i < events.size(); ++i)
            QCOMPARE(events[i].id.epoch.value(),
                     static_cast<std::uint32_t>(i / eventsPerBatch + 1));
        QVERIFY(must(RunFileWriter::open(path())).lastEvent() == events.back().id);
        epoch = batches;
    }
    QCOMPARE(query(path(), "PRAGMA integrity_check")[0][0], std::string("ok"));
}

void TestRunFileFaults::killedWhileMaking()
{
    std::mt19937 random(static_cast<unsigned>(getpid()));
    for (int round = 0; round < 15; ++round) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(60);
            must(RunFileWriter::create(path(), RunId::random()));
            _exit(0);
        }
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 20000));
        kill(child, SIGKILL);
        int status = 0;
        QCOMPARE(waitpid(child, &status, 0), child);
        // Complete or not there: in both cases the user can go on.
        if (std::filesystem::exists(path()))
            QVERIFY(eventsOf(path()).empty());
        else
            must(RunFileWriter::create(path(), RunId::random()));
        must(must(RunFileWriter::open(path())).append(simpleEpoch(1, 0, 1)));
        for (const auto& entry : contentsOf(directory()))
            std::filesystem::remove(directory() / entry.first);
    }
}

void TestRunFileFaults::fileSizeLimit()
{
    // The one full disk that needs no privileges: the limit for files of this process.
    for (const std::uint32_t tasksPerBatch : {5U, 3000U}) {
        init();
        QCOMPARE(inChild([&] {
                     std::signal(SIGXFSZ, SIG_IGN);
                     rlimit limit{.rlim_cur = 5'500'000, .rlim_max = RLIM_INFINITY};
                     setrlimit(RLIMIT_FSIZE, &limit);
                     return fillAndGoOn(
                         path(),
                         [&] {
                             limit.rlim_cur = RLIM_INFINITY;
                             return setrlimit(RLIMIT_FSIZE, &limit) == 0;
                         },
                         tasksPerBatch);
                 }),
                 0);
    }
}

void TestRunFileFaults::fullDisk()
{
    for (const std::uint32_t tasksPerBatch : {1U, 20U, 400U}) {
        init();
        const int status = inChild([&] {
            // A mount that no other process sees and that ends with this one.
            if (unshare(CLONE_NEWNS) != 0
                || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0
                || mount("tmpfs", directory().c_str(), "tmpfs", 0, "size=2m") != 0)
                return cannotMount;
            return fillAndGoOn(
                path(),
                [&] {
                    return mount("tmpfs", directory().c_str(), "tmpfs", MS_REMOUNT, "size=64m")
                        == 0;
                },
                tasksPerBatch);
        });
        if (status == cannotMount)
            QSKIP("a file system of one's own needs privileges; fileSizeLimit() tests the rest");
        QCOMPARE(status, 0);
    }
}

void TestRunFileFaults::strangers()
{
    if (geteuid() != 0)
        QSKIP("only root can be another user");
    makeFile(path());
    const RunFileWriter writer = must(RunFileWriter::open(path()));
    chmod(directory().c_str(), 0755);
    QCOMPARE(inChild([&] {
                 if (setgroups(0, nullptr) != 0 || setgid(65534) != 0 || setuid(65534) != 0)
                     return 1;
                 const auto reader = RunFileReader::open(path());
                 EXPECT_IN_CHILD(!reader);
                 EXPECT_IN_CHILD(reader.error().text().find("Permission denied")
                                 != std::string::npos);
                 for (const char* suffix : {"", "-wal", "-shm", ".lock"})
                     EXPECT_IN_CHILD(::open((path().native() + suffix).c_str(), O_RDONLY) < 0);
                 return 0;
             }),
             0);
}

void TestRunFileFaults::readOnlyDirectory()
{
    const Setting readers("TASUKI_READERS", "all");
    const Setting lay("TASUKI_RECORD", "in-place");
    const auto events = makeFile(path());
    const auto asNobody = [&](const std::function<int()>& body) {
        chmod(directory().c_str(), 0555);
        const int status = inChild([&] {
            // Root may write everywhere.
            if (geteuid() == 0
                && (setgroups(0, nullptr) != 0 || setgid(65534) != 0 || setuid(65534) != 0))
                return 1;
            return body();
        });
        chmod(directory().c_str(), 0755);
        return status;
    };
    const auto before = contentsOf(directory());
    QCOMPARE(asNobody([&] { return eventsOf(path()) == events ? 0 : 1; }), 0);
    QVERIFY(contentsOf(directory()) == before);
    QCOMPARE(inChild([&] {
                 auto writer = must(RunFileWriter::open(path()));
                 must(writer.append(simpleEpoch(2, 1000, 2)));
                 raise(SIGKILL);
                 return 0;
             }),
             256 + SIGKILL);
    // SQLite needs its index file to read the log: without it, say what to do.
    std::filesystem::remove(path("run.tasuki-shm"));
    QCOMPARE(asNobody([&] {
                 const auto reader = RunFileReader::open(path());
                 EXPECT_IN_CHILD(!reader);
                 EXPECT_IN_CHILD(reader.error().text().find("copy run.tasuki and run.tasuki-wal")
                                 != std::string::npos);
                 return 0;
             }),
             0);
    QCOMPARE(eventsOf(path()).size(), events.size() + 5);
}

QTEST_APPLESS_MAIN(TestRunFileFaults)

} // namespace tst_runfilefaults

#include "tst_runfilefaults.moc"
