// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "mergefiles/mapfilereader.h"
#include "mergefiles/mapfilewriter.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <sys/stat.h>

namespace tst_mapfile {

using namespace tasuki;
using namespace tasuki::merge;

namespace {

struct Folder {
    QTemporaryDir directory;

    std::string path(const char* name) const
    {
        return directory.filePath(QString::fromLatin1(name)).toStdString();
    }
    std::string write(const char* name, const QByteArray& content) const
    {
        QFile file(directory.filePath(QString::fromLatin1(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write");
        return path(name);
    }
    QByteArray read(const char* name) const
    {
        QFile file(directory.filePath(QString::fromLatin1(name)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    int files() const
    {
        return static_cast<int>(QDir(directory.path()).entryList(QDir::Files).size());
    }
};

Result<MapFileFindings> read(const std::string& path, MapBuilder& into,
                             Law::Kind law = Law::Kind::Last, ScoreRule score = ScoreRule::None,
                             std::uint32_t index = 0)
{
    return readMapFile(path, index, {.law = Law(law), .score = score}, into);
}

} // namespace

/// What breaks it: bytes that change on their way, an error without its place, a file that is
/// replaced by half of another.
class TestMapFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bytesStayAsTheyAre();
    void laterFilesAreLater();
    void errorsNameThePlace_data();
    void errorsNameThePlace();
    void noFile();
    void warnsOfCarriageReturns();
    void replacesWholeFiles();
    void keepsWhatIsThereWhenItFails();
    void checksThePlaceBefore();
    void listsLikeTheArticle();
};

void TestMapFile::bytesStayAsTheyAre()
{
    const Folder folder;
    const QByteArray large(5'000'000, 'v');
    // Sorted bytewise, as they will come out.
    QByteArray content("\t\n", 2);                  // both empty
    content += QByteArray("\0zero\tva\0lue\n", 13); // zero bytes
    content += "a\tvalue with\ttabs \n";
    content += "b\t\n"; // an empty value
    content += "large\t" + large + "\n";
    content += "\xff\xfe\tno UTF-8 \xc3\x28\n";
    MapBuilder builder{Law(Law::Kind::Last)};
    const auto found = read(folder.write("in", content), builder);
    QVERIFY(found.ok());
    QCOMPARE(found->lines, std::uint64_t{6});
    WriteProgress progress;
    const Result<void> written = writeMapFile(folder.path("out"), builder.build(), progress);
    QVERIFY(written.ok());
    QCOMPARE(folder.read("out"), content);
    QCOMPARE(progress.bytes.load(), std::uint64_t(content.size()));

    // A last line without its end counts all the same.
    MapBuilder again{Law(Law::Kind::Last)};
    QVERIFY(read(folder.write("in", "k\tv"), again).ok());
    QCOMPARE(std::string(again.build().entry(0).value), std::string("v"));
}

void TestMapFile::laterFilesAreLater()
{
    const Folder folder;
    const std::string first = folder.write("first", "k\t1\nk\t2\nx\t9\nx\t9\nk\t3\n");
    const std::string second = folder.write("second", "k\t4\n");
    for (const auto& [law, value] :
         {std::pair{Law::Kind::Last, "4"}, std::pair{Law::Kind::First, "1"}}) {
        MapBuilder builder{Law(law)};
        QVERIFY(read(second, builder, law, ScoreRule::None, 1).ok());
        QVERIFY(read(first, builder, law, ScoreRule::None, 0).ok());
        QCOMPARE(std::string(builder.build().find("k")->value), std::string(value));
    }
}

void TestMapFile::errorsNameThePlace_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<bool>("sum");
    QTest::addColumn<QByteArray>("place");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("no TAB") << QByteArray("a\t1\nkey\n") << false << QByteArray(":2:4: ")
                            << QByteArray("expected key<TAB>value");
    QTest::newRow("empty line") << QByteArray("a\t1\n\nb\t2\n") << false << QByteArray(":2:1: ")
                                << QByteArray("the line is empty");
    QTest::newRow("no number") << QByteArray("a\t1\nbb\t2x\n") << true << QByteArray(":2:4: ")
                               << QByteArray("expected numbers");
    QTest::newRow("beyond double") << QByteArray("a\t1\nbb\t1e400\n") << true
                                   << QByteArray(":2:4: ") << QByteArray("too large or too small");
}

void TestMapFile::errorsNameThePlace()
{
    QFETCH(QByteArray, content);
    QFETCH(bool, sum);
    QFETCH(QByteArray, place);
    QFETCH(QByteArray, words);
    const Folder folder;
    const std::string path = folder.write("in", content);
    const Law::Kind law = sum ? Law::Kind::Sum : Law::Kind::Last;
    MapBuilder builder{Law(law)};
    const auto found = read(path, builder, law);
    QVERIFY(!found.ok());
    const QByteArray text = QByteArray::fromStdString(found.error().text());
    QVERIFY2(text.startsWith(QByteArray::fromStdString(path) + place), text);
    QVERIFY2(text.contains(words), text);
}

void TestMapFile::noFile()
{
    const Folder folder;
    MapBuilder builder{Law(Law::Kind::Last)};
    const auto missing = read(folder.path("none"), builder);
    QVERIFY(!missing.ok());
    QVERIFY(missing.error().text().find("none") != std::string::npos);
    const auto directory = read(folder.directory.path().toStdString(), builder);
    QVERIFY(!directory.ok());
    QVERIFY(directory.error().text().find("directory") != std::string::npos);
    QCOMPARE(builder.size(), std::size_t{0});
}

void TestMapFile::warnsOfCarriageReturns()
{
    const Folder folder;
    MapBuilder builder{Law(Law::Kind::Last)};
    const auto found = read(folder.write("in", "a\t1\r\nb\t2\r\n"), builder);
    QVERIFY(found.ok());
    QCOMPARE(found->warnings.size(), std::size_t{1}); // once a file
    QVERIFY(found->warnings.front().find("in:1:4: ") != std::string::npos);
    QCOMPARE(std::string(builder.build().entry(0).value), std::string("1\r"));
}

void TestMapFile::replacesWholeFiles()
{
    const Folder folder;
    const std::string path = folder.write("out", "old\n");
    QVERIFY(::chmod(path.c_str(), 0640) == 0);
    QVERIFY(QFile::link(QStringLiteral("out"), folder.directory.filePath("link")));
    MapBuilder builder{Law(Law::Kind::Last)};
    builder.put({.key = "k", .value = "v"});
    WriteProgress progress;
    QVERIFY(writeMapFile(folder.path("link"), builder.build(), progress).ok());
    QCOMPARE(folder.read("out"), QByteArray("k\tv\n"));
    struct stat status = {};
    QVERIFY(::lstat(folder.path("link").c_str(), &status) == 0 && S_ISLNK(status.st_mode));
    QVERIFY(::stat(path.c_str(), &status) == 0);
    QCOMPARE(status.st_mode & 0777U, 0640U);
    QCOMPARE(folder.files(), 2); // nothing else is left
}

void TestMapFile::keepsWhatIsThereWhenItFails()
{
    const Folder folder;
    const std::string path = folder.write("out", "old\n");
    MapBuilder builder{Law(Law::Kind::Last)};
    builder.put({.key = "k", .value = "v"});
    const MergeMap map = builder.build();
    WriteProgress cancelled;
    cancelled.cancelled = true;
    QVERIFY(!writeMapFile(path, map, cancelled).ok());
    QCOMPARE(folder.read("out"), QByteArray("old\n"));
    QCOMPARE(folder.files(), 1);
    WriteProgress progress;
    const auto nowhere = writeMapFile(folder.path("none/out"), map, progress);
    QVERIFY(!nowhere.ok());
    QVERIFY(nowhere.error().text().find("none/out") != std::string::npos);
    QVERIFY(!writeMapFile("/dev/full/out", map, progress).ok());
}

void TestMapFile::checksThePlaceBefore()
{
    const Folder folder;
    QVERIFY(checkOutput("-").ok());
    QVERIFY(checkOutput(folder.path("new")).ok());
    QVERIFY(checkOutput(folder.write("old", "x")).ok());
    QVERIFY(!checkOutput(folder.directory.path().toStdString()).ok());
    QVERIFY(!checkOutput(folder.path("none/out")).ok());
    QVERIFY(!checkOutput("/dev/null").ok());
}

void TestMapFile::listsLikeTheArticle()
{
    MapBuilder builder{Law(Law::Kind::Last)};
    for (const char* number : {"8", "5", "9"}) {
        const std::string key = std::string("key0") + number;
        builder.put({.key = key, .value = number});
    }
    QCOMPARE(mapListing(0, builder.build()), std::string("rank = 0\nkey05:5\nkey08:8\nkey09:9\n"));
}

QTEST_APPLESS_MAIN(TestMapFile)

} // namespace tst_mapfile

#include "tst_mapfile.moc"
