// SPDX-License-Identifier: GPL-3.0-or-later
// First: moc of Qt 6.4 cannot read the standard headers that the others include otherwise.
#include <QTest>

#include "runfiletesting.h"

#include "files/recordmode.h"
#include "runfile/agentlock.h"
#include "runfile/ownerclaim.h"
#include "runfile/recordsite.h"

#include <QTemporaryDir>

#include <chrono>
#include <csignal>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tst_othersfiles {

using namespace tasuki;
using namespace tasuki::testing;

namespace {

namespace fs = std::filesystem;

constexpr uid_t owner = 61001;
constexpr uid_t stranger = 61002;

/// This process's file operations are another user's as long as it lives.
class As {
public:
    explicit As(uid_t user) { static_cast<void>(::seteuid(user)); }
    As(const As&) = delete;
    As& operator=(const As&) = delete;
    ~As() { static_cast<void>(::seteuid(0)); }
};

/// A directory where everybody may make files, and nobody remove those of others.
struct PublicPlace {
    PublicPlace()
    {
        static_cast<void>(::chmod(directory.path().toLocal8Bit().constData(), 0755));
        fs::create_directory(path);
        static_cast<void>(::chmod(path.c_str(), 01777));
    }

    /// Everybody can read and write it.
    void plant(const std::string& name) const
    {
        const As other(stranger);
        writeFile(path / name, {});
        static_cast<void>(::chmod((path / name).c_str(), 0666));
    }

    QTemporaryDir directory;
    fs::path path = fs::path(directory.path().toStdString()) / "shared";
};

} // namespace

/// What somebody else puts under names of a record. What breaks it: it is used. As root alone, who can be two
/// other users.
class TestOthersFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (::geteuid() != 0)
            QSKIP("needs root, to be two other users");
    }
    void aPlantedFileIsNotUsed_data();
    void aPlantedFileIsNotUsed();
    void aPlantedLogIsNotReadIntoARecord();
    void aPlantedJournalIsNotSeen();
    void aPlantedClaimEndsNothing();
    void aClaimIsHandedOverWithoutAGap();
    void aPlantedLockIsNoLock();
    void takenDirectoriesOfTheNode();
    void whoMayReadCannotLock();
    void theDirectorysOwnerIsNoStranger();
};

void TestOthersFiles::aPlantedFileIsNotUsed_data()
{
    QTest::addColumn<QByteArray>("end");
    for (const char* end :
         {".new", ".lock", "-wal", "-shm", "-journal", ".new-journal", ".new-wal"})
        QTest::addRow("%s", end) << QByteArray(end);
}

void TestOthersFiles::aPlantedFileIsNotUsed()
{
    QFETCH(QByteArray, end);
    const PublicPlace place;
    const Setting lay("TASUKI_RECORD", "in-place");
    place.plant("w.tasuki" + end.toStdString());
    {
        const As me(owner);
        const auto file = RunFileWriter::create(place.path / "w.tasuki",
                                                RunId{std::string(32, 'a')});
        QVERIFY(!file);
        QVERIFY2(file.error().text().find("belongs to another user") != std::string::npos,
                 file.error().text().c_str());
        QVERIFY(file.error().text().find(end.toStdString()) != std::string::npos);
    }
    QCOMPARE(fs::file_size(place.path / ("w.tasuki" + end.toStdString())), std::uintmax_t{0});
    QVERIFY(!fs::exists(place.path / "w.tasuki") || fs::file_size(place.path / "w.tasuki") != 0);
}

void TestOthersFiles::aPlantedLogIsNotReadIntoARecord()
{
    const PublicPlace place;
    const Setting lay("TASUKI_RECORD", "in-place");
    const fs::path path = place.path / "w.tasuki";
    {
        const As me(owner);
        RunFileWriter file = must(RunFileWriter::create(path, RunId{std::string(32, 'a')}));
        must(file.append(simpleEpoch(1, 0, 2, 0)));
        must(file.close());
    }
    place.plant("w.tasuki-wal");
    const As me(owner);
    QVERIFY(!RunFileWriter::open(path));
    QVERIFY(!RunFileReader::open(path));
}

// It is there when another one takes the place of a master that has died.
void TestOthersFiles::aPlantedJournalIsNotSeen()
{
    const PublicPlace place;
    const Setting lay("TASUKI_RECORD", "in-place");
    const fs::path path = place.path / "w.tasuki";
    const RunId run{std::string(32, 'a')};
    {
        const As me(owner);
        RunFileWriter file = must(RunFileWriter::create(path, run));
        must(file.append(simpleEpoch(1, 0, 2, 0)));
        file.drop();
    }
    place.plant("w.tasuki-journal");
    {
        const As other(stranger);
        writeFile(place.path / "w.tasuki-journal", std::string(4096, 'x'));
    }
    const As me(owner);
    const std::vector<Event> before = eventsOf(path);
    QVERIFY(!before.empty());
    RunFileWriter file = must(RunFileWriter::succeed(path, {.run = run, .epoch = Epoch(1)}));
    must(file.close());
    QCOMPARE(eventsOf(path).size(), before.size());
}

void TestOthersFiles::aPlantedClaimEndsNothing()
{
    const PublicPlace place;
    const Setting lay("TASUKI_RECORD", "in-place");
    const fs::path path = place.path / "w.tasuki";
    place.plant("w.tasuki.owner");
    const As me(owner);
    RunFileWriter file = must(RunFileWriter::create(path, RunId{std::string(32, 'a')}));
    must(file.append(simpleEpoch(1, 0, 2, 0)));
    QVERIFY(!file.trouble());
    must(file.close());
}

// What breaks it: the name is free for as long as the next claim is written, and somebody waits for that.
void TestOthersFiles::aClaimIsHandedOverWithoutAGap()
{
    const PublicPlace place;
    const fs::path path = place.path / "w.tasuki";
    const fs::path claim = OwnerClaim::pathOf(path);
    constexpr int rounds = 200;
    std::optional<OwnerClaim> present;
    const auto take = [&](std::uint32_t term) {
        const As me(owner);
        OwnerClaim::Terms terms;
        terms.wish = TokenWish::keep({Epoch(1), Term(term)});
        terms.breaks = true;
        return OwnerClaim::acquire(
            path, [] { return std::uint64_t{0}; }, std::chrono::milliseconds::zero(), {}, terms);
    };
    present.emplace(must(take(0)));
    const pid_t grabber = ::fork();
    if (grabber == 0) {
        static_cast<void>(::setuid(stranger));
        while (::open(claim.c_str(), O_CREAT | O_EXCL | O_WRONLY, 0666) < 0) {}
        ::_exit(0);
    }
    for (std::uint32_t term = 1; term <= rounds; ++term) {
        auto next = take(term);
        if (!next)
            ::kill(grabber, SIGKILL);
        QVERIFY2(next, next ? "" : next.error().text().c_str());
        // As of one that hangs: it does not give the claim back.
        present.emplace(std::move(*next));
    }
    ::kill(grabber, SIGKILL);
    int status = 0;
    ::waitpid(grabber, &status, 0);
    QVERIFY(WIFSIGNALED(status));
}

void TestOthersFiles::aPlantedLockIsNoLock()
{
    const PublicPlace place;
    place.plant("w.tasuki.lock");
    const As me(owner);
    QVERIFY(!AgentLock::acquire(place.path / "w.tasuki"));
    QVERIFY(AgentLock::seize(place.path / "w.tasuki").operator bool());
}

void TestOthersFiles::takenDirectoriesOfTheNode()
{
    const PublicPlace place;
    const Setting here("TMPDIR", place.path.native());
    const std::string usual = "tasuki-" + std::to_string(owner);
    {
        const As other(stranger);
        fs::create_directory(place.path / usual);
    }
    const As me(owner);
    const fs::path made = must(localRecords());
    QCOMPARE(made.parent_path(), place.path);
    QVERIFY(made.filename() != usual);
    struct stat found {};
    QCOMPARE(::stat(made.c_str(), &found), 0);
    QCOMPARE(found.st_mode & 07777U, 0700U);
    QCOMPARE(must(localRecords()), made); // where a resumed run looks
}

void TestOthersFiles::whoMayReadCannotLock()
{
    const PublicPlace place;
    QCOMPARE(must(layOf(place.path / "w.tasuki")), RecordLay::InPlace);
    for (const char* readers : {"group", "all"}) {
        const Setting who("TASUKI_READERS", readers);
        QCOMPARE(must(layOf(place.path / "w.tasuki")), RecordLay::Shipped);
    }
}

void TestOthersFiles::theDirectorysOwnerIsNoStranger()
{
    const PublicPlace place;
    place.plant("file");
    const As me(owner);
    QVERIFY(isOfStranger(place.path / "file"));
    QVERIFY(!isOfStranger(place.path / "none"));
    {
        const As root(0);
        QCOMPARE(::chown(place.path.c_str(), stranger, 0), 0);
    }
    static_cast<void>(::seteuid(owner));
    QVERIFY(!isOfStranger(place.path / "file"));
}

QTEST_APPLESS_MAIN(TestOthersFiles)

} // namespace tst_othersfiles

#include "tst_othersfiles.moc"
