// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracetesting.h"

#include "randomtrace.h"
#include "ringlog.h"
#include "trace/alogwriter.h"

#include <random>

namespace tst_alogreader {

using namespace tasuki::trace;
using namespace tasuki::trace::testing;

namespace {

/// Table 1 of the paper, whose lines are of two dialects.
const std::string tableOne = "155 1 0 1 0 1189\n"
                             "161 0 0 1 0 1335\n"
                             "-101 0 0 1 0 1 1395 0 7992\n"
                             "162 0 0 2 0 1 1575\n"
                             "-102 1 0 0 0 1 2158 0 7992\n"
                             "156 1 0 2 0 1 2198\n";

std::vector<std::int64_t> times(const Trace& trace)
{
    std::vector<std::int64_t> all;
    for (const Event& event : trace.events)
        all.push_back(event.timeUs);
    return all;
}

/// One pass in blocks that end at the given places.
AlogPass passInBlocks(std::string_view text, const std::vector<std::size_t>& ends)
{
    AlogReader reader("t.alog");
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        reader.add(text.substr(begin, end - begin));
        begin = end;
    }
    reader.add(text.substr(begin));
    return reader.finish();
}

bool same(const AlogPass& one, const AlogPass& other)
{
    return one.reading.trace == other.reading.trace
        && one.reading.diagnostics == other.reading.diagnostics
        && one.late.has_value() == other.late.has_value();
}

} // namespace

/// What logs say that are as they should be.
class AlogReaderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsTableOne();
    void readsALogOfMpe();
    void countsFromTheStart_data();
    void countsFromTheStart();
    void readsHeadersInAnyOrder();
    void readsHeadersThatComeLate();
    void replacesGuessesByDefinitions();
    void knowsUsualStatesOnlyWhereNothingElseIs();
    void readsNames();
    void nestsStates();
    void tellsThreadsApart();
    void readsWords();
    void matchesMessagesInOrder();
    void rollsOver();
    void rollsOverWithoutHeader();
    void rollsOverWithoutCycle();
    void believesAHeaderThatSaysNever();
    void readsAWholeLogOfTheOtherDialect();
    void holdsNoMoreThanAFewLines();
    void readsLineEndsOfAllKinds();
    void doesNotCareForBlocks();
    void takesTasksOfMessagesAndHeaders();
};

void AlogReaderTest::readsTableOne()
{
    const TraceReading reading = readText(tableOne);
    TASUKI_COMPARE_TEXT(told(reading), "");
    const Trace& trace = reading.trace;
    QCOMPARE(trace.tasks(), 2U);
    QCOMPARE(times(trace), (std::vector<std::int64_t>{1189, 1335, 1395, 1575, 2158, 2198}));
    QCOMPARE(trace.messages,
             (std::vector<Message>{{.from = Task(0),
                                    .to = Task(1),
                                    .tag = 0,
                                    .communicator = 0,
                                    .bytes = 7992,
                                    .sent = 2,
                                    .received = 4}}));
    QCOMPARE(trace.calls.size(), std::size_t(2));
    QCOMPARE(trace.stateOf(trace.calls[0]).call, MpiCall::Recv);
    QCOMPARE(trace.calls[0].task, Task(1));
    QCOMPARE(trace.calls[0].beginUs, 1189);
    QCOMPARE(trace.calls[0].endUs, 2198);
    QCOMPARE(trace.stateOf(trace.calls[1]).call, MpiCall::Send);
    QCOMPARE(trace.calls[1].task, Task(0));
    QCOMPARE(trace.calls[1].beginUs, 1335);
    QCOMPARE(trace.calls[1].endUs, 1575);
}

void AlogReaderTest::readsALogOfMpe()
{
    const TraceReading reading = readText(ringLog(3, 5));
    TASUKI_COMPARE_TEXT(told(reading), "");
    const Trace& trace = reading.trace;
    QCOMPARE(trace.creator, std::string("Me"));
    QCOMPARE(trace.tasks(), 3U);
    QCOMPARE(trace.states.size(), std::size_t(3));
    QCOMPARE(trace.states[0],
             (StateType{.beginId = 11,
                        .endId = 12,
                        .name = "BARRIER",
                        .colour = "yellow",
                        .call = MpiCall::Barrier}));
    QCOMPARE(trace.states[1].call, MpiCall::Recv);
    QCOMPARE(trace.events.size(), std::size_t(3 * 2 * 2 + 15 * 6));
    QCOMPARE(trace.calls.size(), std::size_t(6 + 30));
    QCOMPARE(trace.messages.size(), std::size_t(15));
    for (const Message& message : trace.messages) {
        QVERIFY(message.matched());
        QCOMPARE(message.to.value(), (message.from.value() + 1) % 3);
        QCOMPARE(message.bytes, 12U);
        QCOMPARE(message.tag, 99);
    }
    QCOMPARE(firstFault(trace), std::string());
}

void AlogReaderTest::countsFromTheStart_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<qint64>("first");
    QTest::addColumn<qint64>("counted"); // of the first record
    QTest::addColumn<QByteArray>("told");
    const auto row = [](const char* name, const char* header, qint64 first, qint64 counted,
                        const char* told) {
        QTest::newRow(name) << QByteArray(header) << first << counted << QByteArray(told);
    };
    const char* const missing =
        "0:0: the first record is at %1 us, and no header -6 says when the log "
        "starts\n";
    const char* const early =
        "1:1: header -6 says that the log starts at 0, its first record is at "
        "%1 us\n";
    const qint64 late = 2'025'436'865;
    const qint64 minute = 60'000'000;
    row("said", "-6 0 0 0 0 2025436865\n", late, 0, "");
    row("said, before", "-6 0 0 0 0 2025400000\n", late, 36'865, "");
    row("said, before 0", "-6 0 0 0 0 -100\n", 50, 150, "");
    row("said where data stand", "-6 0 0 2025436865 0 0\n", late, 0, "");
    row("the earliest of several", "-6 0 0 0 0 2025436865\n-6 0 0 0 0 2025436800\n", late, 65, "");
    row("after the first", "-6 0 0 0 0 9025436865\n", late, 0,
        "1:1: header -6 says that the log starts at 9025436865 us, its first record is at %1 us\n");
    row("none, late", "", late, 0, missing);
    row("0, late", "-6 0 0 0 0 0\n", late, late, early);
    row("none, since 1970", "", 1'700'000'000'000'000, 0, missing);
    row("none, before 0", "", -70, 0, missing);
    row("none, soon", "", 1189, 1189, "");
    row("0, soon", "-6 0 0 0 0 0\n", 1189, 1189, "");
    row("a minute", "", minute, minute, "");
    row("more than a minute", "", minute + 1, 0, missing);
}

// Seconds since the computer was started are no computation.
void AlogReaderTest::countsFromTheStart()
{
    QFETCH(QByteArray, header);
    QFETCH(qint64, first);
    QFETCH(qint64, counted);
    QFETCH(QByteArray, told);
    const auto line = [first](const char* type, qint64 later) {
        return std::string(type) + std::to_string(first + later) + '\n';
    };
    // Task 1 begins first, though it does not stand first.
    const TraceReading reading = readText(
        header.toStdString() + "-13 0 11 12 0 0 yellow:dimple3 BARRIER\n" + line("11 0 0 0 0 ", 5)
        + line("11 1 0 0 0 ", 0) + line("12 0 0 0 0 ", 20) + line("12 1 0 0 0 ", 20));
    told.replace("%1", QByteArray::number(first));
    TASUKI_COMPARE_TEXT(toldBriefly(reading), told.toStdString());
    QVERIFY(reading.usable());
    const Trace& trace = reading.trace;
    QCOMPARE(times(trace),
             (std::vector<std::int64_t>{counted + 5, counted, counted + 20, counted + 20}));
    QCOMPARE(trace.calls.size(), std::size_t(2));
    QCOMPARE(trace.calls[0].beginUs, counted + 5);
    QCOMPARE(trace.calls[1].beginUs, counted);
    QCOMPARE(trace.calls[1].endUs, counted + 20);
}

void AlogReaderTest::readsHeadersInAnyOrder()
{
    const std::string log = ringLog(3, 2);
    const std::size_t records = log.find("11 0 0 1 0 0");
    std::vector<std::string> headers;
    for (std::size_t at = 0; at < records; at = log.find('\n', at) + 1)
        headers.push_back(log.substr(at, log.find('\n', at) + 1 - at));
    QCOMPARE(headers.size(), std::size_t(12));
    const TraceReading expected = readText(log);
    std::mt19937 random(3);
    for (int round = 0; round < 50; ++round) {
        std::shuffle(headers.begin(), headers.end(), random);
        // Some of them behind the records, or among them.
        const std::size_t early = random() % (headers.size() + 1);
        std::string text;
        for (std::size_t index = 0; index < early; ++index)
            text += headers[index];
        const std::size_t middle = log.find('\n', records + random() % (log.size() - records)) + 1;
        text += log.substr(records, middle - records);
        for (std::size_t index = early; index < headers.size(); ++index)
            text += headers[index];
        text += log.substr(middle);
        TraceReading reading = readText(text);
        TASUKI_COMPARE_TEXT(told(reading), "");
        const auto byId = [](const StateType& one, const StateType& other) {
            return one.beginId < other.beginId;
        };
        QCOMPARE(reading.trace.calls.size(), expected.trace.calls.size());
        for (std::size_t call = 0; call < reading.trace.calls.size(); ++call)
            QVERIFY(reading.trace.stateOf(reading.trace.calls[call])
                    == expected.trace.stateOf(expected.trace.calls[call]));
        std::ranges::sort(reading.trace.states, byId);
        QVERIFY(reading.trace.states == expected.trace.states);
        QVERIFY(reading.trace.events == expected.trace.events);
        QCOMPARE(reading.trace.creator, std::string("Me"));
    }
}

void AlogReaderTest::readsHeadersThatComeLate()
{
    const std::string text = "31 0 0 0 0 10\n"
                             "7 0 0 3 1 15 half way\n"
                             "32 0 0 0 1 20\n"
                             "-13 0 31 32 0 0 red WORK\n"
                             "-11 0 0 0 0 1000\n"
                             "-9 0 0 7 0 0 progress\n";
    AlogReader reader("t.alog");
    reader.add(text);
    const AlogPass pass = reader.finish();
    QVERIFY(pass.late.has_value());
    QCOMPARE(pass.late->rolloverUs, std::optional<std::int64_t>(1000));
    QCOMPARE(pass.late->states.size(), std::size_t(1));
    QCOMPARE(pass.late->described, (std::vector<std::int32_t>{7}));
    QCOMPARE(pass.reading.trace.marks.size(), std::size_t(3));
    TASUKI_COMPARE_TEXT(toldBriefly(pass.reading),
                        "1:1: unknown record type 31\n"
                        "2:1: unknown record type 7\n"
                        "2:9: the cycle is 1, but no header -11 says where the timer rolls over\n"
                        "3:1: unknown record type 32\n"
                        "4:7: the state 'WORK' is defined after its records\n"
                        "5:1: header -11 stands after records whose times depend on it\n");

    const TraceReading reading = readText(text);
    TASUKI_COMPARE_TEXT(told(reading), "");
    QCOMPARE(reading.trace.calls.size(), std::size_t(1));
    QCOMPARE(reading.trace.calls[0].endUs, 1020);
    QCOMPARE(reading.trace.marks, (std::vector<Mark>{{.id = 7, .data = 3, .comment = "half way"}}));
}

void AlogReaderTest::replacesGuessesByDefinitions()
{
    // What was described as a mark turns out to be the begin of a state.
    const TraceReading mark = readText("-9 0 0 40 0 0 it begins\n40 0 0 0 0 10\n"
                                       "-13 0 40 41 0 0 red WORK\n41 0 0 0 0 20\n");
    TASUKI_COMPARE_TEXT(told(mark), "");
    QCOMPARE(mark.trace.calls.size(), std::size_t(1));
    QVERIFY(mark.trace.marks.empty());
    // The same types: the guess was right, the name is the log's.
    const TraceReading same = readText("155 0 0 0 0 10\n-13 0 155 156 0 0 red MPI_Irecv\n"
                                       "156 0 0 0 0 20\n");
    TASUKI_COMPARE_TEXT(told(same), "");
    QCOMPARE(same.trace.states.size(), std::size_t(1));
    QCOMPARE(same.trace.states[0].call, MpiCall::Irecv);
    // Others: read anew.
    const TraceReading other = readText("155 0 0 0 0 10\n300 0 0 0 0 20\n"
                                        "-13 0 155 300 0 0 red MPI_Wait\n");
    TASUKI_COMPARE_TEXT(told(other), "");
    QCOMPARE(other.trace.states.size(), std::size_t(1));
    QCOMPARE(other.trace.states[0].call, MpiCall::Wait);
    QCOMPARE(other.trace.calls.size(), std::size_t(1));
}

void AlogReaderTest::knowsUsualStatesOnlyWhereNothingElseIs()
{
    const auto callOf = [](const std::string& header) {
        const TraceReading reading = readText(header + "161 0 0 0 0 10\n162 0 0 0 0 20\n");
        return reading.trace.calls.empty() ? std::string("none")
                                           : reading.trace.stateOf(reading.trace.calls[0]).name;
    };
    QCOMPARE(callOf(""), std::string("MPI_Send"));
    QCOMPARE(callOf("-13 0 161 162 0 0 red WORK\n"), std::string("WORK"));
    QCOMPARE(callOf("-13 0 162 163 0 0 red WORK\n"), std::string("WORK"));
    QCOMPARE(callOf("-9 0 0 161 0 0 something\n"), std::string("none"));
    QCOMPARE(callOf("-13 0 155 156 0 0 red RECV\n"), std::string("MPI_Send"));
}

void AlogReaderTest::readsNames()
{
    const TraceReading reading = readText("-15 1 0 0 0 0 the second one \n"
                                          "-13 0 1 2 0 0 Green:boxes Rhode Island\n"
                                          "-13 0 3 4 0 0 red MPI_Wait\n"
                                          "-13 0 5 6 0 0 plain\n"
                                          "-13 0 7 8 0 0 : no colour\n"
                                          "-14 0 0 99 0 0 red a message\n"
                                          "1 0 0 0 0 1\n2 0 0 0 0 2\n1 1 0 0 0 3\n2 1 0 0 0 4\n");
    TASUKI_COMPARE_TEXT(told(reading), "");
    QCOMPARE(reading.trace.taskNames, (std::vector<std::string>{"", "the second one"}));
    const auto& states = reading.trace.states;
    QCOMPARE(states.size(), std::size_t(4));
    QCOMPARE(states[0],
             (StateType{.beginId = 1, .endId = 2, .name = "Rhode Island", .colour = "Green"}));
    QCOMPARE(states[1].call, MpiCall::Wait);
    QCOMPARE(states[2], (StateType{.beginId = 5, .endId = 6, .name = "plain", .colour = ""}));
    QCOMPARE(states[3], (StateType{.beginId = 7, .endId = 8, .name = "no colour", .colour = ""}));
}

void AlogReaderTest::nestsStates()
{
    const TraceReading reading = readText(smallHeading
                                          + "11 0 0 0 0 10\n155 0 0 0 0 20\n155 0 0 0 0 30\n"
                                            "161 1 0 0 0 31\n156 0 0 0 0 40\n161 0 0 0 0 50\n"
                                            "162 0 0 0 0 60\n156 0 0 0 0 70\n12 0 0 0 0 80\n"
                                            "162 1 0 0 0 90\n");
    TASUKI_COMPARE_TEXT(told(reading), "");
    std::string found;
    for (const Call& call : reading.trace.calls)
        found += std::to_string(call.task.value()) + ' ' + reading.trace.stateOf(call).name + ' '
            + std::to_string(call.beginUs) + '-' + std::to_string(call.endUs) + " depth "
            + std::to_string(call.depth) + '\n';
    TASUKI_COMPARE_TEXT(found,
                        "0 BARRIER 10-80 depth 0\n"
                        "0 RECV 20-70 depth 1\n"
                        "0 RECV 30-40 depth 2\n"
                        "1 SEND 31-90 depth 0\n"
                        "0 SEND 50-60 depth 2\n");
    QCOMPARE(firstFault(reading.trace), std::string());
}

// Two threads of a task, whose calls cross: each ends its own. Other programs put what they like into the field.
void AlogReaderTest::tellsThreadsApart()
{
    const std::string records = "155 0 0 1 0 100\n"
                                "155 0 1 2 0 200\n"
                                "156 0 0 3 0 300\n"
                                "155 0 0 4 0 400\n"
                                "156 0 1 5 0 500\n"
                                "156 0 0 6 0 600\n";
    std::string heading = smallHeading;
    heading.replace(heading.find("someone"), 7, "tasuki-alog");
    const TraceReading reading = readText(heading + records);
    TASUKI_COMPARE_TEXT(told(reading), std::string());
    std::vector<std::int64_t> ends;
    for (const Call& call : reading.trace.calls)
        ends.push_back(call.endUs);
    QCOMPARE(ends, (std::vector<std::int64_t>{300, 500, 600}));
    QCOMPARE(reading.trace.events[1].thread, std::uint16_t{1});
    QCOMPARE(reading.trace.events[2].thread, std::uint16_t{0});
    QVERIFY(readText(alogText(reading.trace)).trace == reading.trace);
    const TraceReading other = readText(smallHeading + records);
    QCOMPARE(other.trace.events[1].thread, std::uint16_t{0});
}

void AlogReaderTest::readsWords()
{
    const TraceReading reading = readText("-13 0 1 2 0 0 red MPI_Bcast\n"
                                          "1 0 0 0 0 10 root=2 bytes=8000 comm=1 req=3,7\n"
                                          "2 0 0 0 0 20 root=5\n"
                                          "1 0 0 0 0 30 nothing known\n2 0 0 0 0 40\n"
                                          "-101 0 0 1 0 50 7 80 comm=4 req=9\n"
                                          "-101 0 0 1 0 51 7 81\n"
                                          "-102 1 0 0 0 60 7 80 req=11 comm=4\n"
                                          "-102 1 0 0 0 61 7 81\n");
    TASUKI_COMPARE_TEXT(told(reading), "");
    const Trace& trace = reading.trace;
    QCOMPARE(trace.details,
             (std::vector<CallDetail>{
                 {.root = 2, .bytes = 8000, .communicator = 1, .requests = {3, 7}}}));
    QCOMPARE(trace.calls[0].detail, 0U);
    QCOMPARE(trace.calls[1].detail, none);
    QCOMPARE(trace.messages[0],
             (Message{.from = Task(0),
                      .to = Task(1),
                      .tag = 7,
                      .communicator = 4,
                      .bytes = 80,
                      .sent = 4,
                      .received = 6,
                      .sendRequest = 9,
                      .receiveRequest = 11}));
    QCOMPARE(trace.messages[1].received, 7U);
    QCOMPARE(trace.messages[1].sendRequest, none);
}

void AlogReaderTest::matchesMessagesInOrder()
{
    const TraceReading reading = readText("-101 0 0 1 0 1 5 100\n-101 0 0 1 0 2 6 200\n"
                                          "-101 0 0 1 0 3 5 300\n-101 0 0 2 0 4 5 400\n"
                                          "-102 1 0 0 0 5 5 100\n-102 2 0 0 0 6 5 400\n"
                                          "-102 1 0 0 0 7 5 999\n-102 1 0 0 0 8 6 200\n");
    TASUKI_COMPARE_TEXT(told(reading), "");
    std::string found;
    for (const Message& message : reading.trace.messages)
        found += std::to_string(message.sent) + ' ' + std::to_string(message.received) + ' '
            + std::to_string(message.bytes) + '\n';
    // The receiver's 999 is the size of its buffer, perhaps.
    TASUKI_COMPARE_TEXT(found, "0 4 100\n1 7 200\n2 6 300\n3 5 400\n");
}

void AlogReaderTest::rollsOver()
{
    for (const char* header : {"-11 0 0 0 0 1000\n", "-11 0 0 1000 0 0\n"}) {
        const TraceReading reading = readText(header
                                              + std::string("11 0 0 0 0 900\n11 1 0 0 1 5\n"
                                                            "11 0 0 0 1 10\n11 0 0 0 3 0\n"
                                                            "-13 0 1 2 0 0 x y\n"
                                                            "-9 0 0 11 0 0 tick\n"));
        TASUKI_COMPARE_TEXT(told(reading), "");
        QCOMPARE(times(reading.trace), (std::vector<std::int64_t>{900, 1005, 1010, 3000}));
    }
}

void AlogReaderTest::rollsOverWithoutHeader()
{
    const TraceReading reading = readText("-9 0 0 11 0 0 tick\n11 0 0 0 0 4294967290\n"
                                          "11 0 0 0 1 4\n11 0 0 0 2 4\n-6 0 0 0 0 4294967290\n");
    TASUKI_COMPARE_TEXT(told(reading),
                        "t.alog:3:10: warning: the cycle is 1, but no header -11 says where the "
                        "timer rolls over; taken to be at 4294967296 us\n");
    QCOMPARE(times(reading.trace), (std::vector<std::int64_t>{0, 10, 4'294'967'306}));
}

void AlogReaderTest::rollsOverWithoutCycle()
{
    for (const std::int64_t end : {std::int64_t{1} << 31U, std::int64_t{1} << 32U}) {
        const auto line = [](int task, std::int64_t time) {
            return "11 " + std::to_string(task) + " 0 0 0 " + std::to_string(time) + '\n';
        };
        const TraceReading reading = readText(
            "-9 0 0 11 0 0 tick\n" + line(0, end - 100) + line(1, end - 50) + line(0, 20)
            + line(1, end - 10) + line(1, 30) + line(0, end / 2) + line(0, end - 9) + line(0, 5)
            + "-6 0 0 0 0 " + std::to_string(end - 100) + '\n');
        TASUKI_COMPARE_TEXT(
            told(reading),
            "t.alog:4:12: warning: the timestamps begin anew from 20, but the cycle "
            "stays 0; taken to have rolled over at "
                + std::to_string(end) + " us; header -11 and the cycle should tell\n");
        QCOMPARE(
            times(reading.trace),
            (std::vector<std::int64_t>{0, 50, 120, 90, 130, end / 2 + 100, end + 91, end + 105}));
    }
}

void AlogReaderTest::believesAHeaderThatSaysNever()
{
    const std::string records = "11 0 0 0 0 4294967290\n11 1 0 0 0 4\n-9 0 0 11 0 0 tick\n";
    for (const std::string& text : {"-11 0 0 0 0 0\n" + records, records + "-11 0 0 0 0 0\n"}) {
        const TraceReading reading = readText(text);
        TASUKI_COMPARE_TEXT(told(reading), "");
        QCOMPARE(times(reading.trace), (std::vector<std::int64_t>{4'294'967'290, 4}));
    }
}

void AlogReaderTest::readsAWholeLogOfTheOtherDialect()
{
    std::string text = smallHeading;
    std::vector<std::int64_t> expected;
    for (int step = 0; step < 400; ++step) {
        const std::int64_t time = 3 + step * step;
        expected.push_back(time);
        text += std::to_string(step % 2 == 0 ? 11 : 12) + " 0 0 1 0 1 " + std::to_string(time)
            + '\n';
    }
    const TraceReading reading = readText(text);
    TASUKI_COMPARE_TEXT(told(reading), "");
    QCOMPARE(times(reading.trace), expected);
}

void AlogReaderTest::holdsNoMoreThanAFewLines()
{
    // Nothing but a sure line behind them says that the seventh field is the time: it comes in time, or
    // not, because of the number of lines or of bytes that wait for it.
    const auto firstTime = [](std::size_t lines, const std::string& comment) {
        std::string text;
        for (std::size_t line = 0; line < lines; ++line)
            text += "7 0 0 1 0 5 6 " + comment + '\n';
        const Trace trace = readText(text + "7 0 0 1 0 6\n").trace;
        return trace.marks.size() == lines + 1 ? trace.events[0].timeUs : -1;
    };
    QCOMPARE(firstTime(1, "x"), 6);
    QCOMPARE(firstTime(63, "x"), 6);
    QCOMPARE(firstTime(64, "x"), 5);
    QCOMPARE(firstTime(5, std::string(200'000, 'x')), 6);
    QCOMPARE(firstTime(6, std::string(200'000, 'x')), 5);
}

void AlogReaderTest::readsLineEndsOfAllKinds()
{
    std::string text = ringLog(2, 2);
    const Trace expected = readText(text).trace;
    std::string dos;
    for (const char byte : text)
        dos += byte == '\n' ? std::string(" \r\n\r\n") : std::string(1, byte);
    const TraceReading reading = readText(dos);
    TASUKI_COMPARE_TEXT(told(reading), "");
    QVERIFY(reading.trace == expected);
    text.pop_back();
    QVERIFY(readText(text).trace == expected);
}

void AlogReaderTest::doesNotCareForBlocks()
{
    const std::string log = tableOne + "161 0 0 0 0 9 4000\nwrong\n156 7 0 0 0 4100\r\n"
        + "-13 0 300 301 0 0 red LATE STATE\n300 0 0 0 0 5000 root=1\n"
        + "161 0 0 0 0 9 6000 req=1,2\n" + std::string("301 0 0 0 0 \0000\n", 15)
        + "-101 0 0 1 0 7000 5 5";
    const AlogPass whole = passInBlocks(log, {});
    QVERIFY(whole.reading.diagnostics.size() >= 4);
    for (std::size_t split = 0; split <= log.size(); ++split)
        QVERIFY2(same(passInBlocks(log, {split}), whole), std::to_string(split).c_str());
    std::vector<std::size_t> all(log.size());
    for (std::size_t end = 0; end < all.size(); ++end)
        all[end] = end;
    QVERIFY(same(passInBlocks(log, all), whole));

    const std::string random = alogText(randomTrace(11, 3, 50));
    const AlogPass expected = passInBlocks(random, {});
    for (std::size_t split = 0; split <= random.size(); ++split)
        QVERIFY(same(passInBlocks(random, {split, std::min(split + 3, random.size())}), expected));

    // An overlong line, cut anywhere.
    const AlogLimits limits{.lineBytes = 20};
    const std::string longLine = "7 0 0 1 0 5 12345678\n7 0 0 1 0 6 123456789\n7 0 0 1 0 7\n";
    for (std::size_t split = 0; split <= longLine.size(); ++split) {
        AlogReader reader("t.alog", {}, limits);
        reader.add(std::string_view(longLine).substr(0, split));
        reader.add(std::string_view(longLine).substr(split));
        const AlogPass pass = reader.finish();
        QCOMPARE(pass.reading.trace.marks.size(), std::size_t(2));
        QCOMPARE(pass.reading.diagnostics.size(), std::size_t(2));
        QCOMPARE(pass.reading.diagnostics[1].place.line, 2U);
    }
}

void AlogReaderTest::takesTasksOfMessagesAndHeaders()
{
    QCOMPARE(readText("-101 0 0 4 0 1 0 0\n").trace.tasks(), 5U);
    QCOMPARE(readText("-3 0 0 7 0 0\n-101 0 0 4 0 1 0 0\n").trace.tasks(), 7U);
    QCOMPARE(readText("-3 0 0 65536 0 0\n-101 0 0 4 0 1 0 0\n").trace.tasks(), 65'536U);
    QCOMPARE(readText("-3 0 0 65537 0 0\n-101 0 0 4 0 1 0 0\n").trace.tasks(), 5U);
}

QTEST_APPLESS_MAIN(AlogReaderTest)

} // namespace tst_alogreader

#include "tst_alogreader.moc"
