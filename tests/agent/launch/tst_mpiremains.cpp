// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "launch/launchdirectory.h"
#include "launch/mpiremains.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace tst_mpiremains {

using namespace tasuki;
namespace fs = std::filesystem;

namespace {

void put(const fs::path& path)
{
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "content";
}

std::string mapped(const fs::path& path)
{
    return "7f0000000000-7f0000400000 rw-s 00000000 00:19 1234                       "
        + path.string() + '\n';
}

} // namespace

class TestMpiRemains : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsMappedIsRemoved();
    void otherFilesStay_data();
    void otherFilesStay();
    void directoriesOfLaunches();
    void directoriesThatWereLeft();
    void processes();
};

// Fails if segments of another launch, or of another rank's number, are mistaken for its own.
void TestMpiRemains::whatIsMappedIsRemoved()
{
    const QTemporaryDir directory;
    const fs::path shm = fs::path(directory.path().toStdString()) / "shm";
    const fs::path session = shm.parent_path() / "ompi.vm.0" / "pid.16742";
    const fs::path other = shm.parent_path() / "ompi.vm.0" / "pid.1674";
    const std::string job = "vader_segment.vm.0.2d980001.";
    for (const char* rank : {"0", "1", "11"})
        put(shm / (job + rank));
    put(shm / "vader_segment.vm.0.2d98000.1");
    put(shm / "vader_segment.vm.0.2d990001.0");
    put(shm / (job + "x"));
    put(session / "pmix_dstor_ds12_16742" / "segment-0");
    put(other / "pmix_dstor_ds12_1674" / "segment-0");
    MpiRemains remains;
    QVERIFY(!remains.any());
    remains.noteMaps("55d0-55d1 r--p 0 08:01 1 \n" + mapped("/usr/lib/libc.so.6")
                     + mapped(shm / (job + "1"))
                     + mapped(session / "pmix_dstor_ds12_16742" / "segment-0") + "7ff-7fe [stack]");
    QVERIFY(remains.any());
    remains.remove();
    for (const char* rank : {"0", "1", "11"})
        QVERIFY(!fs::exists(shm / (job + rank)));
    QVERIFY(!fs::exists(session));
    QVERIFY(fs::exists(shm / "vader_segment.vm.0.2d98000.1"));
    QVERIFY(fs::exists(shm / "vader_segment.vm.0.2d990001.0"));
    QVERIFY(fs::exists(shm / (job + "x")));
    QVERIFY(fs::exists(other));
    remains.remove(); // there is nothing any more
}

void TestMpiRemains::otherFilesStay_data()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("no rank") << "vader_segment.vm.0.2d980001.a";
    QTest::newRow("another name") << "segment.vm.0.1.0";
    QTest::newRow("removed already") << "vader_segment.vm.0.1.0 (deleted)";
    QTest::newRow("no session") << "ompi.vm.0/pid.x/file";
    QTest::newRow("the directory of all sessions") << "ompi.vm.0/file";
    QTest::newRow("a file beside sessions") << "ompi.vm.0/pid.12";
}

void TestMpiRemains::otherFilesStay()
{
    QFETCH(QString, path);
    MpiRemains remains;
    remains.noteMaps(mapped("/dev/shm/" + path.toStdString()));
    QVERIFY(!remains.any());
}

// Where `launch` was killed, too.
void TestMpiRemains::directoriesOfLaunches()
{
    const QTemporaryDir directory;
    fs::path path;
    {
        const LaunchDirectory own(directory.path().toStdString());
        path = own.path();
        QCOMPARE(fs::status(path).permissions(), fs::perms::owner_all);
        put(path / "ompi.vm.0" / "pid.1" / "file");
    }
    QVERIFY(!fs::exists(path));
    put(path / "vader_segment.vm.0.2d980001.0");
    MpiRemains remains;
    remains.noteMaps(mapped(path / "vader_segment.vm.0.2d980001.0"));
    remains.remove();
    QVERIFY(!fs::exists(path));
    QVERIFY(fs::exists(directory.path().toStdString()));
}

// Fails if what a launch has left stays, whose processes were killed all at once, or what another one uses goes.
void TestMpiRemains::directoriesThatWereLeft()
{
    const QTemporaryDir directory;
    const fs::path in = directory.path().toStdString();
    const auto longAgo = [](const fs::path& path) {
        fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::minutes(5));
    };
    for (const char* name : {"tasuki-launch-left", "tasuki-launch-young", "another"})
        put(in / name / "vader_segment.vm.0.1.0");
    longAgo(in / "tasuki-launch-left");
    longAgo(in / "another");
    const LaunchDirectory used(in);
    longAgo(used.path());
    QVERIFY(!fs::exists(in / "tasuki-launch-left"));
    const LaunchDirectory own(in);
    QVERIFY(fs::exists(used.path()) && fs::exists(own.path()));
    QVERIFY(fs::exists(in / "tasuki-launch-young") && fs::exists(in / "another"));
}

void TestMpiRemains::processes()
{
    MpiRemains remains;
    remains.note(getpid());
    QVERIFY(!remains.any());
    remains.note(0x7ffffff0); // there is none
    QVERIFY(!remains.any());
}

QTEST_GUILESS_MAIN(TestMpiRemains)

} // namespace tst_mpiremains

#include "tst_mpiremains.moc"
