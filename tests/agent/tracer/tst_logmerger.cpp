// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tracer/logmerger.h"

#include <algorithm>
#include <memory>
#include <random>

namespace tst_logmerger {

using namespace tasuki::tracer;

namespace {

/// Records that are at hand, in small blocks.
class ListedRecords final : public RecordStream {
public:
    explicit ListedRecords(std::vector<Record> records, std::size_t block = 2)
        : m_records(std::move(records)), m_block(block)
    {}
    std::span<const Record> next() override
    {
        const std::span left{m_records.data() + m_given, m_records.size() - m_given};
        const auto part = left.first(std::min(m_block, left.size()));
        m_given += part.size();
        return part;
    }

private:
    std::vector<Record> m_records;
    std::size_t m_block;
    std::size_t m_given = 0;
};

/// Lines such as "10 p0 sent 1 tag 5 comm 0", and the times.
class TextSink final : public EventSink {
public:
    bool take(const MergedEvent& event) override
    {
        const Record& record = event.record;
        QByteArray line = QByteArray::number(static_cast<qlonglong>(event.timeNs)) + " p"
            + QByteArray::number(event.process) + " ";
        switch (record.kind) {
        case RecordKind::Begin: line += "begin"; break;
        case RecordKind::End: line += "end"; break;
        case RecordKind::Sent: line += "sent " + QByteArray::number(record.peer); break;
        case RecordKind::Received: line += "received " + QByteArray::number(record.peer); break;
        case RecordKind::MoreRequests: line += "more"; break;
        }
        if (record.communicator != 0)
            line += " comm " + QByteArray::number(record.communicator);
        for (const std::uint32_t request : event.requests)
            line += " r" + QByteArray::number(request);
        m_lines.append(line);
        m_times.push_back(event.timeNs);
        return m_lines.size() < m_limit;
    }
    void stopAfter(qsizetype lines) { m_limit = lines; }
    [[nodiscard]] const QByteArrayList& lines() const { return m_lines; }
    [[nodiscard]] const std::vector<std::int64_t>& times() const { return m_times; }

private:
    QByteArrayList m_lines;
    std::vector<std::int64_t> m_times;
    qsizetype m_limit = 1'000'000;
};

Record begin(std::int64_t timeNs, std::uint32_t request = 0, int more = 0)
{
    return {.timeNs = timeNs, .kind = RecordKind::Begin, .tag = more, .request = request};
}
Record end(std::int64_t timeNs) { return {.timeNs = timeNs, .kind = RecordKind::End}; }
Record sent(std::int64_t timeNs, int to, int tag = 0, std::uint32_t communicator = 0)
{
    return {.timeNs = timeNs,
            .kind = RecordKind::Sent,
            .peer = to,
            .tag = tag,
            .communicator = communicator};
}
Record received(std::int64_t timeNs, int from, int tag = 0, std::uint32_t communicator = 0)
{
    return {.timeNs = timeNs,
            .kind = RecordKind::Received,
            .peer = from,
            .tag = tag,
            .communicator = communicator};
}

/// A clock that is ahead by so much, known up to an error.
ClockLine ahead(std::int64_t offsetNs, std::int64_t errorNs)
{
    const ClockOffset offset{.atNs = 0, .offsetNs = offsetNs, .errorNs = errorNs};
    return {offset, offset};
}

/// Tasks of a merge.
class Tasks {
public:
    void add(std::vector<Record> records, const ClockLine& clock = {},
             std::vector<std::uint32_t> communicators = {0})
    {
        m_streams.push_back(std::make_unique<ListedRecords>(std::move(records)));
        m_logs.push_back({.records = m_streams.back().get(),
                          .clock = clock,
                          .communicators = std::move(communicators)});
    }
    [[nodiscard]] std::vector<TaskLog> logs() const { return m_logs; }

private:
    std::vector<std::unique_ptr<RecordStream>> m_streams;
    std::vector<TaskLog> m_logs;
};

} // namespace

/// One log out of those of all tasks. What breaks it: an event that is lost or out of order, a receive
/// before its send that the clocks' error explains, or one that is moved although it does not.
class TestLogMerger : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingMakesNothing();
    void goesByTime();
    void tiesGoByTask();
    void clocksAreCorrected();
    void communicatorsAreRenumbered();
    void requestsAreTogether();
    void receiveIsMovedBehindItsSend();
    void whatFollowsIsMovedAsFarAsItMust();
    void inversionBeyondTheErrorStays();
    void sharedClocksAreTrusted();
    void onlyTheOwnSendCounts();
    void waitingTasksDoNotHoldEachOther();
    void sinkCanStop();
    void randomRuns_data();
    void randomRuns();
};

void TestLogMerger::nothingMakesNothing()
{
    TextSink sink;
    QVERIFY(LogMerger({}, sink).run());
    Tasks tasks;
    tasks.add({});
    QVERIFY(LogMerger(tasks.logs(), sink).run());
    QVERIFY(sink.lines().isEmpty());
}

void TestLogMerger::goesByTime()
{
    Tasks tasks;
    tasks.add({begin(10), end(40), begin(50)});
    tasks.add({begin(20), end(30), begin(45), end(60), begin(70)});
    TextSink sink;
    QVERIFY(LogMerger(tasks.logs(), sink).run());
    QCOMPARE(sink.lines(),
             (QByteArrayList{"10 p0 begin", "20 p1 begin", "30 p1 end", "40 p0 end", "45 p1 begin",
                             "50 p0 begin", "60 p1 end", "70 p1 begin"}));
}

void TestLogMerger::tiesGoByTask()
{
    Tasks tasks;
    tasks.add({begin(10), end(10)});
    tasks.add({begin(10), end(10)});
    TextSink sink;
    QVERIFY(LogMerger(tasks.logs(), sink).run());
    QCOMPARE(sink.lines(),
             (QByteArrayList{"10 p0 begin", "10 p0 end", "10 p1 begin", "10 p1 end"}));
}

void TestLogMerger::clocksAreCorrected()
{
    Tasks tasks;
    tasks.add({begin(10), end(30)});
    tasks.add({begin(1015), end(1040)}, ahead(1000, 1));
    TextSink sink;
    QVERIFY(LogMerger(tasks.logs(), sink).run());
    QCOMPARE(sink.lines(),
             (QByteArrayList{"10 p0 begin", "15 p1 begin", "30 p0 end", "40 p1 end"}));
}

void TestLogMerger::communicatorsAreRenumbered()
{
    Tasks tasks;
    tasks.add({sent(1, 1, 0, 1), sent(2, 1, 0, 0)}, {}, {0, 7});
    tasks.add({received(3, 0, 0, 2)}, {}, {0, 9, 7});
    TextSink sink;
    QVERIFY(LogMerger(tasks.logs(), sink).run());
    QCOMPARE(sink.lines(),
             (QByteArrayList{"1 p0 sent 1 comm 7", "2 p0 sent 1", "3 p1 received 0 comm 7"}));
}

void TestLogMerger::requestsAreTogether()
{
    // Seven: one in the begin, six in two records that the blocks of two tear apart.
    const Record first{.timeNs = 10,
                       .kind = RecordKind::MoreRequests,
                       .peer = 2,
                       .tag = 3,
                       .communicator = 4,
                       .request = 5};
    const Record second{.timeNs = 10,
                        .kind = RecordKind::MoreRequests,
                        .peer = 6,
                        .tag = 7,
                        .communicator = 0,
                        .request = 0};
    Tasks tasks;
    tasks.add({begin(5, 9), begin(10, 1, 6), first, second, end(20)});
    TextSink sink;
    QVERIFY(LogMerger(tasks.logs(), sink).run());
    QCOMPARE(sink.lines(),
             (QByteArrayList{"5 p0 begin r9", "10 p0 begin r1 r2 r3 r4 r5 r6 r7", "20 p0 end"}));
}

void TestLogMerger::receiveIsMovedBehindItsSend()
{
    Tasks tasks;
    tasks.add({begin(90), sent(100, 1), end(105)});
    tasks.add({begin(80), received(95, 0), end(96), begin(98), end(200)}, ahead(0, 10));
    TextSink sink;
    LogMerger merger{tasks.logs(), sink};
    QVERIFY(merger.run());
    QCOMPARE(sink.lines(),
             (QByteArrayList{"80 p1 begin", "90 p0 begin", "100 p0 sent 1", "100 p1 received 0",
                             "100 p1 end", "100 p1 begin", "105 p0 end", "200 p1 end"}));
    QCOMPARE(merger.mended(), 1U);
}

void TestLogMerger::whatFollowsIsMovedAsFarAsItMust()
{
    Tasks tasks;
    tasks.add({sent(100, 1)});
    tasks.add({received(95, 0), end(99), begin(101)}, ahead(0, 10));
    TextSink sink;
    QVERIFY(LogMerger(tasks.logs(), sink).run());
    QCOMPARE(sink.times(), (std::vector<std::int64_t>{100, 100, 100, 101}));
}

void TestLogMerger::inversionBeyondTheErrorStays()
{
    Tasks tasks;
    tasks.add({begin(98), sent(130, 1)});
    tasks.add({received(95, 0), end(97)}, ahead(0, 10));
    TextSink sink;
    LogMerger merger{tasks.logs(), sink};
    QVERIFY(merger.run());
    QCOMPARE(sink.lines(),
             (QByteArrayList{"98 p0 begin", "95 p1 received 0", "97 p1 end", "130 p0 sent 1"}));
    QCOMPARE(merger.mended(), 0U);
}

void TestLogMerger::sharedClocksAreTrusted()
{
    Tasks tasks;
    tasks.add({sent(100, 1)});
    tasks.add({received(95, 0)});
    TextSink sink;
    LogMerger merger{tasks.logs(), sink};
    QVERIFY(merger.run());
    QCOMPARE(sink.lines(), (QByteArrayList{"95 p1 received 0", "100 p0 sent 1"}));
}

void TestLogMerger::onlyTheOwnSendCounts()
{
    // Another tag, another communicator, another receiver, and an earlier message that has been
    // received already.
    Tasks tasks;
    tasks.add({sent(50, 1, 5), sent(90, 1, 6), sent(91, 1, 5, 1), sent(92, 2, 5), sent(100, 1, 5)},
              {}, {0, 1});
    tasks.add({received(60, 0, 5), received(95, 0, 5), received(120, 0, 6), received(130, 0, 5, 1)},
              ahead(0, 10), {0, 1});
    tasks.add({received(140, 0, 5)}, ahead(0, 10));
    TextSink sink;
    LogMerger merger{tasks.logs(), sink};
    QVERIFY(merger.run());
    QCOMPARE(merger.mended(), 1U);
    QCOMPARE(
        sink.lines(),
        (QByteArrayList{"50 p0 sent 1", "60 p1 received 0", "90 p0 sent 1", "91 p0 sent 1 comm 1",
                        "92 p0 sent 2", "100 p0 sent 1", "100 p1 received 0", "120 p1 received 0",
                        "130 p1 received 0 comm 1", "140 p2 received 0"}));
}

void TestLogMerger::waitingTasksDoNotHoldEachOther()
{
    // Each has received what the other sends after it: no clock explains that.
    Tasks tasks;
    tasks.add({received(100, 1), sent(102, 1), end(300)}, ahead(0, 10));
    tasks.add({received(101, 0), sent(103, 0), end(300)}, ahead(0, 10));
    TextSink sink;
    QVERIFY(LogMerger(tasks.logs(), sink).run());
    QCOMPARE(sink.lines().size(), 6);
    QVERIFY(sink.lines().contains("300 p0 end"));
    QVERIFY(sink.lines().contains("300 p1 end"));
}

void TestLogMerger::sinkCanStop()
{
    Tasks tasks;
    tasks.add({begin(10), end(20), begin(30)});
    TextSink sink;
    sink.stopAfter(2);
    QVERIFY(!LogMerger(tasks.logs(), sink).run());
    QCOMPARE(sink.lines().size(), 2);
}

void TestLogMerger::randomRuns_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 30; ++seed)
        QTest::addRow("%u", seed) << seed;
}

// Messages at random between tasks whose clocks are wrong within their errors: all events are there,
// each task's in order, nothing is received before it is sent, and no time is moved by more than errors
// explain.
void TestLogMerger::randomRuns()
{
    QFETCH(unsigned, seed);
    std::mt19937 random{seed};
    const auto upTo = [&random](int limit) { return static_cast<int>(random() % limit); };
    constexpr int count = 4;
    constexpr int error = 50;
    std::vector<std::vector<Record>> records(count);
    std::vector<std::int64_t> wrong(count);
    for (int task = 1; task < count; ++task)
        wrong[static_cast<std::size_t>(task)] = upTo(2 * error + 1) - error;
    std::int64_t timeNs = 1000;
    std::vector<std::int64_t> last(count);
    for (int message = 0; message < 500; ++message) {
        const int from = upTo(count);
        const int to = (from + 1 + upTo(count - 1)) % count;
        timeNs += upTo(30);
        const auto at = [&](int task, std::int64_t trueNs) {
            return trueNs + wrong[static_cast<std::size_t>(task)];
        };
        const int tag = upTo(3);
        records[static_cast<std::size_t>(from)].push_back(sent(at(from, timeNs), to, tag));
        timeNs += 1 + upTo(20);
        records[static_cast<std::size_t>(to)].push_back(received(at(to, timeNs), from, tag));
    }
    Tasks tasks;
    std::size_t all = 0;
    for (int task = 0; task < count; ++task) {
        all += records[static_cast<std::size_t>(task)].size();
        tasks.add(records[static_cast<std::size_t>(task)],
                  task == 0 ? ClockLine{} : ahead(0, error));
    }

    class Check final : public EventSink {
    public:
        bool take(const MergedEvent& event) override
        {
            ++events;
            const auto process = event.process;
            inOrder = inOrder && event.timeNs >= last.at(process) && event.timeNs >= lastOfAll;
            last.at(process) = event.timeNs;
            lastOfAll = event.timeNs;
            furthest = std::max(furthest, std::abs(event.timeNs - event.record.timeNs));
            const bool sends = event.record.kind == RecordKind::Sent;
            const auto peer = static_cast<std::uint32_t>(event.record.peer);
            auto& underWay = traffic[(sends ? process : peer) * 100 + (sends ? peer : process) * 10
                                     + static_cast<std::uint32_t>(event.record.tag)];
            underWay += sends ? 1 : -1;
            sentFirst = sentFirst && underWay >= 0;
            return true;
        }
        std::size_t events = 0;
        bool inOrder = true;
        bool sentFirst = true;
        std::int64_t furthest = 0;
        std::vector<std::int64_t> last = std::vector<std::int64_t>(count);
        std::int64_t lastOfAll = 0;
        std::map<std::uint32_t, int> traffic;
    } check;
    QVERIFY(LogMerger(tasks.logs(), check).run());
    QCOMPARE(check.events, all);
    QVERIFY(check.inOrder);
    QVERIFY(check.sentFirst);
    QVERIFY(check.furthest <= 2 * error);
}

QTEST_APPLESS_MAIN(TestLogMerger)

} // namespace tst_logmerger

#include "tst_logmerger.moc"
