// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include "report/outputfiles.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <sys/stat.h>

namespace tst_outputfiles {

using namespace tasuki;

namespace {

namespace fs = std::filesystem;

std::string textOf(const fs::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

mode_t modeOf(const fs::path& path)
{
    struct stat status {};
    ::lstat(path.c_str(), &status);
    return status.st_mode & 07777U;
}

Result<std::size_t> writeOne(const fs::path& directory)
{
    OutputFiles files(directory.string());
    OutputBlock block;
    block.key = {TaskId(0), AttemptNumber(1)};
    block.stream = StreamKind::Output;
    block.bytes = "words";
    block.last = true;
    return files.write(block, 0);
}

} // namespace

class TestOutputFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void forTheirOwnerAlone();
    void notThroughLinks();
};

// What breaks it: files as the umask says.
void TestOutputFiles::forTheirOwnerAlone()
{
    const QTemporaryDir directory;
    const fs::path root = directory.path().toStdString();
    const mode_t mask = ::umask(0);
    const auto written = writeOne(root);
    ::umask(mask);
    QVERIFY(written);
    QCOMPARE(textOf(root / "0.out"), std::string("words"));
    QCOMPARE(modeOf(root / "0.out"), mode_t{0600});
    QCOMPARE(modeOf(root / "0.err"), mode_t{0600});
    qputenv("TASUKI_READERS", "group");
    const auto again = writeOne(root);
    qunsetenv("TASUKI_READERS");
    QVERIFY(again);
    QCOMPARE(modeOf(root / "0.out"), mode_t{0640});
}

// What breaks it: what stands under the unfinished file's name is opened.
void TestOutputFiles::notThroughLinks()
{
    const QTemporaryDir directory;
    const fs::path root = directory.path().toStdString();
    std::ofstream(root / "target") << "precious";
    fs::create_symlink(root / "target", root / "0.out.part");
    QVERIFY(writeOne(root));
    QCOMPARE(textOf(root / "target"), std::string("precious"));
    QCOMPARE(textOf(root / "0.out"), std::string("words"));
    QVERIFY(!fs::is_symlink(root / "0.out"));
}

QTEST_APPLESS_MAIN(TestOutputFiles)

} // namespace tst_outputfiles

#include "tst_outputfiles.moc"
