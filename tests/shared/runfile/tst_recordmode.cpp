// SPDX-License-Identifier: GPL-3.0-or-later
// First: moc of Qt 6.4 cannot read the standard headers that the others include otherwise.
#include <QTest>

#include "runfiletesting.h"

#include "files/recordmode.h"
#include "runfile/recordsite.h"
#include "runfile/unkeptdirectory.h"

#include <QTemporaryDir>

#include <optional>

#include <sys/stat.h>
#include <unistd.h>

namespace tst_recordmode {

using namespace tasuki;
using namespace tasuki::testing;

namespace {

namespace fs = std::filesystem;

mode_t modeOf(const fs::path& path)
{
    struct stat status {};
    ::lstat(path.c_str(), &status);
    return status.st_mode & 07777U;
}

/// Sets the mask of new files' modes as long as it lives.
class Mask {
public:
    explicit Mask(mode_t mask) : m_before(::umask(mask)) {}
    Mask(const Mask&) = delete;
    Mask& operator=(const Mask&) = delete;
    ~Mask() { ::umask(m_before); }

private:
    mode_t m_before;
};

} // namespace

/// Who can open what belongs to a record. What breaks it: a file with another mode, for ever or for as long
/// as it is made.
class TestRecordMode : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void filesHaveTheMode_data();
    void filesHaveTheMode();
    void anOldLockIsClosedToOthers();
    void wrongReaders();
    void filesAreNotMadeThroughLinks();
    void filesOfOtherLibrariesAreKeptForTheirOwner();
    void unkeptDirectoryGoesWithItsLastHolder();
    void unkeptDirectoryOfTheKilled();
    void unkeptDirectoryOfAnotherHost();
};

// Fails if a record that is not kept stays, goes while somebody uses it, or can be read by others.
void TestRecordMode::unkeptDirectoryGoesWithItsLastHolder()
{
    const QTemporaryDir place;
    const Setting local("TASUKI_LOCAL_DIR", place.path().toStdString());
    const Mask none(0);
    std::optional<UnkeptDirectory> first(must(UnkeptDirectory::make()));
    const fs::path path = first->path();
    QCOMPARE(path.parent_path(), must(localRecords()));
    QCOMPARE(modeOf(path), mode_t{0700});
    writeFile(path / "l.tasuki", "record");
    std::optional<UnkeptDirectory> second(must(UnkeptDirectory::join(path)));
    const UnkeptDirectory other = must(UnkeptDirectory::make());
    QVERIFY(other.path() != path);
    first.reset();
    UnkeptDirectory::removeLeft();
    QVERIFY(fs::exists(path / "l.tasuki"));
    second.reset();
    QVERIFY(!fs::exists(path) && fs::exists(other.path()));
}

// Fails if what a killed process has left stays for ever.
void TestRecordMode::unkeptDirectoryOfTheKilled()
{
    const QTemporaryDir place;
    const Setting local("TASUKI_LOCAL_DIR", place.path().toStdString());
    const auto leave = [] {
        return inChild([]() -> int {
            const UnkeptDirectory left = must(UnkeptDirectory::make());
            writeFile(left.path() / "l.tasuki", "record");
            ::_exit(0);
        });
    };
    const auto count = [] {
        const fs::directory_iterator entries(must(localRecords()));
        return std::distance(begin(entries), end(entries));
    };
    QCOMPARE(leave(), 0);
    QCOMPARE(count(), 1);
    writeFile(must(localRecords()) / "another", "file");
    UnkeptDirectory::removeLeft();
    QCOMPARE(count(), 1);
    QCOMPARE(leave(), 0);
    const UnkeptDirectory next = must(UnkeptDirectory::make());
    QCOMPARE(count(), 2);
}

// Fails if a host without that directory cannot have a copy in it, or has it where others could write.
void TestRecordMode::unkeptDirectoryOfAnotherHost()
{
    const QTemporaryDir place;
    const fs::path root = fs::path(place.path().toStdString()) / "tasuki-1";
    {
        const UnkeptDirectory joined = must(UnkeptDirectory::join(root / "unkept-abcdef"));
        QCOMPARE(joined.path(), root / "unkept-abcdef");
        QCOMPARE(modeOf(root), mode_t{0700});
        QCOMPARE(modeOf(joined.path()), mode_t{0700});
    }
    QVERIFY(!fs::exists(root / "unkept-abcdef"));
    QCOMPARE(::chmod(root.c_str(), 0777), 0);
    QVERIFY(!UnkeptDirectory::join(root / "unkept-abcdef").ok());
    QVERIFY(!UnkeptDirectory::join(root / "not" / "there" / "unkept-abcdef").ok());
    QVERIFY(!fs::exists(root / "unkept-abcdef"));
}

void TestRecordMode::filesHaveTheMode_data()
{
    QTest::addColumn<QByteArray>("lay");
    QTest::addColumn<QByteArray>("readers");
    QTest::addColumn<unsigned>("mask");
    QTest::addColumn<unsigned>("expected");
    for (const char* lay : {"in-place", "shipped"}) {
        for (const unsigned mask : {0U, 0077U}) {
            const auto row = [&](const char* readers, unsigned expected) {
                QTest::addRow("%s, %s, umask %o", lay, readers, mask)
                    << QByteArray(lay) << QByteArray(readers) << mask << expected;
            };
            row("", 0600U);
            row("owner", 0600U);
            row("group", 0640U);
            row("all", 0644U);
        }
    }
}

void TestRecordMode::filesHaveTheMode()
{
    QFETCH(QByteArray, lay);
    QFETCH(QByteArray, readers);
    QFETCH(unsigned, mask);
    QFETCH(unsigned, expected);
    const QTemporaryDir directory;
    const fs::path root = directory.path().toStdString();
    fs::create_directory(root / "shared");
    const Setting place("TASUKI_RECORD", lay.toStdString());
    const Setting node("TASUKI_LOCAL_DIR", (root / "node" / "here").native());
    const Setting who("TASUKI_READERS", readers.toStdString());
    const Mask own(mask);
    const auto check = [&](std::size_t least) {
        std::size_t found = 0;
        for (const fs::directory_entry& entry : fs::directory_iterator(root / "shared")) {
            const mode_t wanted = entry.path().extension() == ".lock" ? mode_t{0600} : expected;
            if (modeOf(entry.path()) != wanted)
                qWarning("%s: %o", entry.path().c_str(), modeOf(entry.path()));
            else
                ++found;
        }
        QVERIFY(found >= least);
        QCOMPARE(found,
                 static_cast<std::size_t>(std::distance(fs::directory_iterator(root / "shared"),
                                                        fs::directory_iterator())));
    };
    RunFileWriter file = must(
        RunFileWriter::create(root / "shared" / "w.tasuki", RunId{std::string(32, 'a')}));
    must(file.append(simpleEpoch(1, 0, 20, 100)));
    check(2);
    if (lay == "shipped") {
        QCOMPARE(modeOf(root / "node"), mode_t{0700});
        QCOMPARE(modeOf(root / "node" / "here"), mode_t{0700});
    }
    must(file.close());
    check(1);
}

void TestRecordMode::anOldLockIsClosedToOthers()
{
    const QTemporaryDir directory;
    const fs::path path = fs::path(directory.path().toStdString()) / "w.tasuki";
    const Setting place("TASUKI_RECORD", "in-place");
    const int old = makeFile(path.native() + ".lock", 0644);
    QVERIFY(old >= 0);
    ::close(old);
    const RunFileWriter file = must(RunFileWriter::create(path, RunId{std::string(32, 'a')}));
    QCOMPARE(modeOf(path.native() + ".lock"), mode_t{0600});
}

void TestRecordMode::wrongReaders()
{
    const QTemporaryDir directory;
    const fs::path path = fs::path(directory.path().toStdString()) / "w.tasuki";
    const Setting who("TASUKI_READERS", "everybody");
    for (const char* lay : {"in-place", "shipped"}) {
        const Setting place("TASUKI_RECORD", lay);
        const Setting node("TASUKI_LOCAL_DIR", directory.path().toStdString() + "/node");
        const auto file = RunFileWriter::create(path, RunId{std::string(32, 'a')});
        QVERIFY(!file);
        QCOMPARE(file.error().kind, ErrorKind::Input);
        QCOMPARE(file.error().text(),
                 std::string("TASUKI_READERS is 'everybody'; expected owner, "
                             "group or all, or leave it out"));
        QVERIFY(!fs::exists(path));
    }
}

void TestRecordMode::filesAreNotMadeThroughLinks()
{
    const QTemporaryDir directory;
    const fs::path root = directory.path().toStdString();
    fs::create_symlink(root / "target", root / "link");
    QCOMPARE(makeFile(root / "link", 0600), -1);
    QCOMPARE(errno, EEXIST);
    QVERIFY(!fs::exists(root / "target"));
}

void TestRecordMode::filesOfOtherLibrariesAreKeptForTheirOwner()
{
    const QTemporaryDir directory;
    const fs::path path = fs::path(directory.path().toStdString()) / "config" / "tasuki" / "file";
    const Mask open(0);
    keepForOwner(path);
    QCOMPARE(modeOf(path), mode_t{0600});
    QCOMPARE(modeOf(path.parent_path()), mode_t{0700});
    QCOMPARE(modeOf(path.parent_path().parent_path()), mode_t{0700});
    writeFile(path, "content");
    fs::permissions(path, fs::perms(0666));
    keepForOwner(path);
    QCOMPARE(modeOf(path), mode_t{0600});
    QCOMPARE(fs::file_size(path), std::uintmax_t{7});
}

QTEST_APPLESS_MAIN(TestRecordMode)

} // namespace tst_recordmode

#include "tst_recordmode.moc"
