// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tracer/eventbuffer.h"

#include <QDir>
#include <QTemporaryDir>
#include <sys/resource.h>

namespace tst_eventbuffer {

using namespace tasuki::tracer;

namespace {

constexpr std::size_t chunk = EventBuffer::chunkRecords;

Record numbered(std::int64_t number)
{
    return {.timeNs = number, .kind = RecordKind::Sent, .tag = static_cast<std::int32_t>(number)};
}

void append(EventBuffer& buffer, std::int64_t from, std::int64_t to)
{
    for (std::int64_t number = from; number < to; ++number)
        buffer.append(numbered(number));
}

/// @return how many records there are, each of which has its place as number; -1 when one has not
std::int64_t countInOrder(const EventBuffer& buffer, std::size_t blockSize)
{
    EventBuffer::Reader reader{buffer};
    std::vector<Record> block(blockSize);
    std::int64_t count = 0;
    for (;;) {
        const auto got = reader.read(block);
        if (!got)
            return -1;
        if (*got == 0)
            return count;
        for (std::size_t i = 0; i < *got; ++i) {
            if (block[i].timeNs != count++)
                return -1;
        }
    }
}

/// While it lives, the process cannot write files beyond so many bytes; to try would end it by a signal.
class SmallFiles {
public:
    explicit SmallFiles(rlim_t bytes)
    {
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit small{.rlim_cur = bytes, .rlim_max = m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
    }
    ~SmallFiles() { setrlimit(RLIMIT_FSIZE, &m_before); }
    SmallFiles(const SmallFiles&) = delete;
    SmallFiles& operator=(const SmallFiles&) = delete;

private:
    rlimit m_before = {};
};

} // namespace

/// Records in memory and in a file. What breaks it: a record that is lost, comes twice or out of order,
/// memory beyond the limit, a file that stays, a failure without a word.
class TestEventBuffer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void emptyOneHasNothing();
    void givesWhatItGot_data();
    void givesWhatItGot();
    void memoryIsLimited();
    void makesRoomInTime();
    void leavesNoFile();
    void tellsThatThereIsNoRoom();
    void tellsThatThereIsNoDirectory();
    void stopsForGood();
};

void TestEventBuffer::emptyOneHasNothing()
{
    const EventBuffer buffer{2, "/nowhere"};
    QCOMPARE(buffer.size(), 0U);
    QCOMPARE(countInOrder(buffer, 10), 0);
    QVERIFY(!buffer.hasRoom(1));
}

void TestEventBuffer::givesWhatItGot_data()
{
    QTest::addColumn<qint64>("records");
    QTest::addColumn<quint64>("chunks");
    QTest::addColumn<quint64>("block");
    for (const qint64 records :
         {qint64{1}, qint64{chunk}, qint64{chunk} + 1, qint64{5 * chunk} + 7}) {
        for (const quint64 chunks : {2, 3, 100}) {
            for (const quint64 block : {1000, 1'000'000})
                QTest::addRow("%lld in %llu, by %llu", records, chunks, block)
                    << records << chunks << block;
        }
    }
}

void TestEventBuffer::givesWhatItGot()
{
    QFETCH(qint64, records);
    QFETCH(quint64, chunks);
    QFETCH(quint64, block);
    const QTemporaryDir directory;
    EventBuffer buffer{chunks, directory.path().toStdString()};
    append(buffer, 0, records);
    QCOMPARE(buffer.size(), static_cast<quint64>(records));
    QCOMPARE(countInOrder(buffer, block), records);
    // Reading changes nothing.
    append(buffer, records, records + 10);
    QCOMPARE(countInOrder(buffer, block), records + 10);
    QCOMPARE(buffer.lost(), 0U);
    QVERIFY(!buffer.takeFailure());
    buffer.stop();
    QCOMPARE(countInOrder(buffer, block), records + 10);
}

void TestEventBuffer::memoryIsLimited()
{
    const QTemporaryDir directory;
    EventBuffer buffer{3, directory.path().toStdString()};
    append(buffer, 0, 3 * chunk);
    QCOMPARE(buffer.spilled(), 0U);
    append(buffer, 3 * chunk, 3 * chunk + 1);
    QCOMPARE(buffer.spilled(), chunk);
    append(buffer, 3 * chunk + 1, 10 * chunk);
    QCOMPARE(buffer.spilled(), 7 * chunk);
}

void TestEventBuffer::makesRoomInTime()
{
    const QTemporaryDir directory;
    EventBuffer buffer{2, directory.path().toStdString()};
    QVERIFY(!buffer.makeRoom());
    QVERIFY(buffer.hasRoom(chunk));
    append(buffer, 0, chunk - 5);
    QVERIFY(buffer.hasRoom(5) && !buffer.hasRoom(6));
    // What is left of a chunk is left out, in memory and in the file.
    QVERIFY(!buffer.makeRoom());
    append(buffer, chunk - 5, 2 * chunk - 20);
    QVERIFY(buffer.makeRoom());
    append(buffer, 2 * chunk - 20, 2 * chunk);
    QCOMPARE(buffer.spilled(), chunk - 5);
    QCOMPARE(buffer.size(), 2 * chunk);
    QCOMPARE(countInOrder(buffer, 777), qint64{2 * chunk});
}

void TestEventBuffer::leavesNoFile()
{
    const QTemporaryDir directory;
    {
        EventBuffer buffer{2, directory.path().toStdString()};
        append(buffer, 0, 4 * chunk);
        QVERIFY(buffer.spilled() > 0);
        QVERIFY(QDir(directory.path()).isEmpty());
    }
    QVERIFY(QDir(directory.path()).isEmpty());
}

void TestEventBuffer::tellsThatThereIsNoRoom()
{
    const QTemporaryDir directory;
    EventBuffer buffer{2, directory.path().toStdString()};
    {
        // One chunk, and a part of another.
        const SmallFiles limit{chunk * sizeof(Record) * 3 / 2};
        append(buffer, 0, 5 * chunk);
    }
    const auto failure = buffer.takeFailure();
    QVERIFY(failure);
    QVERIFY2(failure->message.find(directory.path().toStdString()) != std::string::npos
                 && failure->message.find("File too large") != std::string::npos,
             failure->message.c_str());
    QVERIFY(!buffer.takeFailure());
    // What came before is there: a chunk in the file and two in memory.
    QCOMPARE(buffer.size(), 3 * chunk);
    QCOMPARE(buffer.lost(), 2 * chunk);
    QCOMPARE(countInOrder(buffer, 1000), qint64{3 * chunk});
}

void TestEventBuffer::tellsThatThereIsNoDirectory()
{
    const QTemporaryDir directory;
    EventBuffer buffer{2, directory.filePath("missing").toStdString()};
    append(buffer, 0, 3 * chunk);
    const auto failure = buffer.takeFailure();
    QVERIFY(failure && failure->message.find("No such file or directory") != std::string::npos);
    QCOMPARE(buffer.lost(), chunk);
    QCOMPARE(countInOrder(buffer, 1000), qint64{2 * chunk});
}

void TestEventBuffer::stopsForGood()
{
    EventBuffer buffer{2, "/nowhere"};
    append(buffer, 0, 10);
    buffer.stop();
    append(buffer, 10, 15);
    QVERIFY(!buffer.makeRoom());
    buffer.append(numbered(15));
    QCOMPARE(buffer.size(), 10U);
    QCOMPARE(buffer.lost(), 6U);
    QCOMPARE(countInOrder(buffer, 4), 10);
}

QTEST_APPLESS_MAIN(TestEventBuffer)

} // namespace tst_eventbuffer

#include "tst_eventbuffer.moc"
