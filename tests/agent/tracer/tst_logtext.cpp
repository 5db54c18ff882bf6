// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "trace/alogreader.h"
#include "tracer/logtext.h"

#include <bitset>
#include <set>

namespace tst_logtext {

using namespace tasuki::tracer;
namespace trace = tasuki::trace;

namespace {

std::bitset<stateCount> bitOf(State state)
{
    return std::bitset<stateCount>{}.set(static_cast<std::size_t>(state));
}

/// Appends one event of a process.
void append(LogText& log, std::string& text, std::int64_t timeNs, std::uint32_t process,
            const Record& record, std::vector<std::uint32_t> requests = {})
{
    log.appendEvent(text,
                    {.timeNs = timeNs, .process = process, .record = record, .requests = requests});
}

Record call(RecordKind kind, State state) { return {.kind = kind, .state = state}; }

} // namespace

/// The lines of a log. What breaks it: a field in another place, a word that is missing, a name or
/// number that two states share.
class TestLogText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void statesHaveNamesAndNumbersOfTheirOwn();
    void headerHasItsCodes();
    void linesOfCalls();
    void linesOfMessages();
    void wordsOfCollectives();
    void wordsOfRequests();
    void longestNumbers();
    void isReadAsWritten();
};

void TestLogText::statesHaveNamesAndNumbersOfTheirOwn()
{
    std::set<int> numbers;
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < stateCount; ++i) {
        const auto state = static_cast<State>(i);
        QVERIFY(numbers.insert(beginId(state)).second);
        QVERIFY(numbers.insert(endId(state)).second);
        QVERIFY(names.insert(stateInfo(state).name).second);
        QVERIFY(!stateInfo(state).name.empty());
        QVERIFY(stateInfo(state).colour.find(':') != std::string_view::npos);
    }
    QCOMPARE(beginId(State::Recv), 155);
    QCOMPARE(endId(State::Recv), 156);
    QCOMPARE(beginId(State::Send), 161);
    QCOMPARE(endId(State::Send), 162);
    QCOMPARE(stateInfo(State::ReduceScatterBlock).name, std::string_view("REDUCE_SCATTER_BLOCK"));
    QCOMPARE(stateInfo(State::Spill).name, std::string_view("TRACER_SPILL"));
    QCOMPARE(trace::mpiCallNamed(stateInfo(State::Spill).name), trace::MpiCall::Passing);
    QCOMPARE(stateInfo(State::Off).name, std::string_view("TRACER_OFF"));
    QCOMPARE(trace::mpiCallNamed(stateInfo(State::Off).name), trace::MpiCall::Unlogged);
}

void TestLogText::headerHasItsCodes()
{
    const LogText log{{.processes = 3,
                       .events = 42,
                       .usedStates = bitOf(State::Recv) | bitOf(State::Send),
                       .messages = true,
                       .zeroNs = 5'000'000,
                       .endNs = 417'568'999}};
    std::string text;
    log.appendHeader(text);
    QCOMPARE(text,
             std::string("-1 0 0 0 0 0 tasuki-alog\n"
                         "-2 0 0 42 0 0\n"
                         "-3 0 0 3 0 0\n"
                         "-4 0 0 1 0 0\n"
                         "-5 0 0 6 0 0\n"
                         "-6 0 0 0 0 0\n"
                         "-7 0 0 0 0 412568\n"
                         "-8 0 0 1 0 0\n"
                         "-11 0 0 0 0 0\n"
                         "-13 0 161 162 0 0 blue:gray3 SEND\n"
                         "-13 0 155 156 0 0 green:light_gray RECV\n"));
}

void TestLogText::linesOfCalls()
{
    LogText log{{.processes = 2, .zeroNs = 1000}};
    std::string text;
    append(log, text, 1000, 1, call(RecordKind::Begin, State::Recv));
    append(log, text, 2999, 0, call(RecordKind::Begin, State::Recv));
    append(log, text, 3000, 1, call(RecordKind::End, State::Recv));
    append(log, text, 4000, 1, call(RecordKind::Begin, State::Send));
    append(log, text, 4000, 1, call(RecordKind::Begin, State::Recv));
    // Microseconds since the zero, rounded down; the data counts by process and state.
    QCOMPARE(text,
             std::string("155 1 0 1 0 0\n"
                         "155 0 0 1 0 1\n"
                         "156 1 0 2 0 2\n"
                         "161 1 0 1 0 3\n"
                         "155 1 0 3 0 3\n"));
}

void TestLogText::linesOfMessages()
{
    LogText log{{.processes = 2}};
    std::string text;
    append(log, text, 1'395'000, 0, {.bytes = 7992, .kind = RecordKind::Sent, .peer = 1, .tag = 0});
    append(log, text, 2'158'000, 1,
           {.bytes = 7992,
            .kind = RecordKind::Received,
            .peer = 0,
            .tag = 5,
            .communicator = 3,
            .request = 12});
    QCOMPARE(text,
             std::string("-101 0 0 1 0 1395 0 7992\n"
                         "-102 1 0 0 0 2158 5 7992 comm=3 req=12\n"));
}

void TestLogText::wordsOfCollectives()
{
    LogText log{{.processes = 1}};
    std::string text;
    append(log, text, 0, 0,
           {.bytes = 800, .kind = RecordKind::Begin, .state = State::Bcast, .peer = 2});
    append(log, text, 0, 0,
           {.bytes = 8,
            .kind = RecordKind::Begin,
            .state = State::Allreduce,
            .peer = noPeer,
            .communicator = 4});
    append(log, text, 0, 0,
           {.kind = RecordKind::Begin, .state = State::CommDup, .communicator = 4});
    const auto lines = QByteArray::fromStdString(text).split('\n');
    QVERIFY(lines[0].endsWith(" 1 0 0 root=2 bytes=800 comm=0"));
    QVERIFY(lines[1].endsWith(" 1 0 0 bytes=8 comm=4"));
    QVERIFY(lines[2].endsWith(" 1 0 0 comm=4"));
}

void TestLogText::wordsOfRequests()
{
    LogText log{{.processes = 1}};
    std::string text;
    append(log, text, 0, 0, call(RecordKind::Begin, State::Wait), {7});
    append(log, text, 0, 0, call(RecordKind::Begin, State::Waitall), {7, 8, 11});
    append(log, text, 0, 0, call(RecordKind::End, State::Waitall));
    const auto lines = QByteArray::fromStdString(text).split('\n');
    QVERIFY(lines[0].endsWith(" 1 0 0 req=7"));
    QVERIFY(lines[1].endsWith(" 1 0 0 req=7,8,11"));
    QVERIFY(lines[2].endsWith(" 2 0 0"));
}

void TestLogText::longestNumbers()
{
    LogText log{{.processes = 100'000}};
    std::string text;
    append(log, text, 9'000'000'000'000'000'000, 99'999,
           {.bytes = maxRecordBytes,
            .kind = RecordKind::Sent,
            .peer = 2'147'483'647,
            .tag = -2'147'483'647 - 1,
            .communicator = 4'294'967'295U,
            .request = 4'294'967'295U});
    QCOMPARE(text,
             std::string("-101 99999 0 2147483647 0 9000000000000000 -2147483648 "
                         "68719476735 comm=4294967295 req=4294967295\n"));
}

// Fails if the project's own reader understands something else.
void TestLogText::isReadAsWritten()
{
    LogText log{{.processes = 2,
                 .events = 8,
                 .usedStates = bitOf(State::Isend) | bitOf(State::Bcast) | bitOf(State::Wait),
                 .messages = true,
                 .endNs = 9000}};
    std::string text;
    log.appendHeader(text);
    append(log, text, 1000, 0, call(RecordKind::Begin, State::Isend), {5});
    append(log, text, 1000, 0,
           {.bytes = 64, .kind = RecordKind::Sent, .peer = 1, .tag = 3, .request = 5});
    append(log, text, 2000, 0, call(RecordKind::End, State::Isend));
    append(log, text, 3000, 1, call(RecordKind::Begin, State::Wait), {8, 9});
    append(log, text, 4000, 1,
           {.bytes = 64, .kind = RecordKind::Received, .peer = 0, .tag = 3, .request = 9});
    append(log, text, 5000, 1, call(RecordKind::End, State::Wait));
    append(log, text, 6000, 1,
           {.bytes = 16, .kind = RecordKind::Begin, .state = State::Bcast, .peer = 1});
    append(log, text, 9000, 1, call(RecordKind::End, State::Bcast));

    const trace::TraceReading reading = trace::readAlog(text, "made.alog");
    for (const auto& diagnostic : reading.diagnostics)
        QFAIL(diagnostic.text().c_str());
    const trace::Trace& read = reading.trace;
    QCOMPARE(read.creator, std::string("tasuki-alog"));
    QCOMPARE(read.tasks(), 2U);
    QCOMPARE(read.events.size(), std::size_t{8});
    QCOMPARE(read.messages.size(), std::size_t{1});
    QVERIFY(read.messages[0].matched());
    QCOMPARE(read.messages[0].bytes, 64U);
    QCOMPARE(read.messages[0].sendRequest, 5U);
    QCOMPARE(read.messages[0].receiveRequest, 9U);
    QCOMPARE(read.calls.size(), std::size_t{3});
    QCOMPARE(read.stateOf(read.calls[1]).call, trace::MpiCall::Wait);
    QCOMPARE(read.details[read.calls[1].detail].requests, (std::vector<std::uint32_t>{8, 9}));
    QCOMPARE(read.details[read.calls[2].detail].root, 1U);
    QCOMPARE(read.details[read.calls[2].detail].bytes, 16U);
    QCOMPARE(read.calls[2].endUs, 9);
}

QTEST_APPLESS_MAIN(TestLogText)

} // namespace tst_logtext

#include "tst_logtext.moc"
