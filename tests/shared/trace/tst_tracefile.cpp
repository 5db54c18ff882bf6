// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracetesting.h"

#include "randomtrace.h"
#include "trace/alogwriter.h"
#include "trace/tracefile.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include <sys/stat.h>

namespace tst_tracefile {

using namespace tasuki::trace;
using namespace tasuki::trace::testing;

namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void put(const fs::path& path, const std::string& text)
{
    std::ofstream(path, std::ios::binary) << text;
}

} // namespace

/// Logs in files.
class TraceFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_directory.isValid()); }
    void writesAndReads();
    void tellsProgress();
    void readsTwiceWhenHeadersComeLate();
    void readsAFifo();
    void tellsLogsFromOtherFiles_data();
    void tellsLogsFromOtherFiles();
    void isNoLogWithoutAFile();
    void cannotReadWhatIsNot();
    void stopsReading();
    void stopsWritingAndKeepsTheOld();
    void keepsTheOldWhenItCannotWrite();

private:
    [[nodiscard]] fs::path path(const char* name) const
    {
        return fs::path(m_directory.path().toStdString()) / name;
    }
    [[nodiscard]] std::ptrdiff_t files() const
    {
        return std::distance(fs::directory_iterator(path(".")), fs::directory_iterator());
    }

    QTemporaryDir m_directory;
};

void TraceFileTest::writesAndReads()
{
    const Trace trace = randomTrace(3, 4, 90'000);
    const auto file = path("big.alog");
    QVERIFY(writeTraceFile(file, trace).ok());
    QVERIFY(content(file) == alogText(trace));
    const auto reading = readTraceFile(file);
    QVERIFY(reading.ok());
    QVERIFY(reading->trace == trace);
    QVERIFY(writeTraceFile(file, randomTrace(4, 1, 10)).ok());
    QCOMPARE(readTraceFile(file)->trace.tasks(), 1U);
    fs::remove(file);
    QCOMPARE(files(), 0);
}

void TraceFileTest::tellsProgress()
{
    const Trace trace = randomTrace(3, 4, 90'000);
    const auto file = path("big.alog");
    std::vector<FileProgress> told;
    const FileWatch watch{.progress = [&told](const FileProgress& now) { told.push_back(now); }};
    QVERIFY(writeTraceFile(file, trace, watch).ok());
    const auto size = fs::file_size(file);
    QVERIFY(told.size() >= 2);
    QCOMPARE(told.back().bytes, size);
    told.clear();
    QVERIFY(readTraceFile(file, watch).ok());
    QCOMPARE(told.size(), static_cast<std::size_t>((size + (1U << 20U) - 1) >> 20U));
    QCOMPARE(told.front().bytes, std::uint64_t(1) << 20U);
    QCOMPARE(told.back().bytes, size);
    QCOMPARE(told.back().total, size);
    fs::remove(file);
}

void TraceFileTest::readsTwiceWhenHeadersComeLate()
{
    const auto file = path("late.alog");
    put(file, "31 0 0 0 0 10\n32 0 0 0 0 20\n-13 0 31 32 0 0 red WORK\n");
    const auto reading = readTraceFile(file);
    QVERIFY(reading.ok());
    TASUKI_COMPARE_TEXT(told(*reading), "");
    QCOMPARE(reading->trace.calls.size(), std::size_t(1));
    QVERIFY(reading->trace.marks.empty());
    fs::remove(file);
}

void TraceFileTest::readsAFifo()
{
    const auto fifo = path("fifo");
    QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
    const Trace trace = randomTrace(8, 3, 200);
    std::thread writer([&] { put(fifo, alogText(trace)); });
    const auto reading = readTraceFile(fifo);
    writer.join();
    QVERIFY(reading.ok());
    QVERIFY(reading->trace == trace);
    QVERIFY(!writeTraceFile(fifo, trace).ok());
    fs::remove(fifo);
}

void TraceFileTest::tellsLogsFromOtherFiles_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("isLog");
    QTest::newRow("headers") << QByteArray("-1 0 0 0 0 0 Me\n-3 0 0 4 0 0\n") << true;
    QTest::newRow("records") << QByteArray("\n155 1 0 1 0 1189\n161 0 0 1 0 1335\n") << true;
    QTest::newRow("no line's end") << QByteArray("155 1 0 1 0 1189") << true;
    QTest::newRow("a bad line") << QByteArray("# mine\n155 1 0 1 0 1\n161 0 0 1 0 2\n") << true;
    QTest::newRow("long") << (QByteArray("155 1 0 1 0 1189\n").repeated(10'000) + "x") << true;
    QTest::newRow("half of it") << QByteArray("a\n155 1 0 1 0 1\nb\n161 0 0 1 0 2\n") << false;
    QTest::newRow("empty") << QByteArray() << false;
    QTest::newRow("blank") << QByteArray("\n \n") << false;
    QTest::newRow("tasks") << QByteArray("./fit 1 2 3 4 5 6\nsleep 1\n") << false;
    QTest::newRow("few numbers") << QByteArray("1 2 3\n4 5 6\n") << false;
    QTest::newRow("csv") << QByteArray("1,2,3,4,5,6\n7,8,9,10,11,12\n") << false;
    QTest::newRow("toml") << QByteArray("[[node]]\nname = \"a\"\n") << false;
    QTest::newRow("json") << QByteArray("{\"a\": 1}\n") << false;
    QTest::newRow("database") << (QByteArray("SQLite format 3\0", 16) + QByteArray(4096, '\0'))
                              << false;
}

void TraceFileTest::tellsLogsFromOtherFiles()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, isLog);
    const QTemporaryDir directory;
    const fs::path path = fs::path(directory.path().toStdString()) / "run.log";
    put(path, text.toStdString());
    QCOMPARE(looksLikeTrace(path.string()), isLog);
}

void TraceFileTest::isNoLogWithoutAFile()
{
    const QTemporaryDir directory;
    const fs::path folder(directory.path().toStdString());
    QVERIFY(!looksLikeTrace((folder / "missing").string()));
    QVERIFY(!looksLikeTrace(folder.string()));
    const std::string fifo = (folder / "nobody-writes").string();
    QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
    QVERIFY(!looksLikeTrace(fifo)); // does not wait
}

void TraceFileTest::cannotReadWhatIsNot()
{
    const auto missing = readTraceFile(path("none.alog"));
    QVERIFY(!missing.ok());
    QVERIFY2(missing.error().text().find("none.alog") != std::string::npos,
             missing.error().text().c_str());
    QVERIFY(!readTraceFile(path(".")).ok());
    put(path("empty.alog"), "");
    const auto empty = readTraceFile(path("empty.alog"));
    QVERIFY(empty.ok());
    QVERIFY(!empty->usable());
    QVERIFY(empty->diagnostics[0].text().find("empty.alog: error: the log is empty")
            != std::string::npos);
    fs::remove(path("empty.alog"));
}

void TraceFileTest::stopsReading()
{
    const auto file = path("big.alog");
    QVERIFY(writeTraceFile(file, randomTrace(3, 4, 90'000)).ok());
    std::stop_source source;
    int told = 0;
    const auto reading = readTraceFile(file,
                                       {.progress =
                                            [&](const FileProgress&) {
                                                ++told;
                                                source.request_stop();
                                            },
                                        .stop = source.get_token()});
    QVERIFY(!reading.ok());
    QCOMPARE(told, 1);
    fs::remove(file);
}

void TraceFileTest::stopsWritingAndKeepsTheOld()
{
    const auto file = path("kept.alog");
    put(file, "old");
    std::stop_source source;
    source.request_stop();
    QVERIFY(
        !writeTraceFile(file, randomTrace(3, 4, 100), {.progress = {}, .stop = source.get_token()})
             .ok());
    QCOMPARE(content(file), std::string("old"));
    QCOMPARE(files(), 1);
    fs::remove(file);
}

void TraceFileTest::keepsTheOldWhenItCannotWrite()
{
    const auto written = writeTraceFile(path("nowhere/a.alog"), randomTrace(3, 4, 100));
    QVERIFY(!written.ok());
    QVERIFY(written.error().text().find("nowhere/a.alog") != std::string::npos);
    QVERIFY(!writeTraceFile(path("."), randomTrace(3, 4, 100)).ok());
    QCOMPARE(files(), 0);
}

QTEST_GUILESS_MAIN(TraceFileTest)

} // namespace tst_tracefile

#include "tst_tracefile.moc"
