// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracetesting.h"

#include "randomtrace.h"
#include "trace/alogwriter.h"

namespace tst_alogwriter {

using namespace tasuki::trace;
using namespace tasuki::trace::testing;
using tasuki::Error;
using tasuki::ErrorKind;
using tasuki::Result;

/// What is written is read as the same.
class AlogWriterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesTheFormat();
    void readsBackRandomTraces();
    void readsBackAnEmptyDetail();
    void readsBackSilentTasks();
    void readsBackLateClocks();
    void keepsLinesWhole();
    void writesInParts();
    void stopsWithTheSink();
};

void AlogWriterTest::writesTheFormat()
{
    Trace trace;
    trace.creator = "someone";
    trace.taskNames = {"first", ""};
    trace.states = {{.beginId = 155,
                     .endId = 156,
                     .name = "MPI_Irecv",
                     .colour = "light blue:gray",
                     .call = MpiCall::Irecv},
                    {.beginId = 3, .endId = 4, .name = "Rhode Island", .colour = ""}};
    trace.details = {{.root = 1, .bytes = 80, .communicator = 2, .requests = {3, 7}}};
    trace.calls = {{.task = Task(1), .beginUs = 10, .endUs = 40, .detail = 0}};
    trace.messages = {{.from = Task(0),
                       .to = Task(1),
                       .tag = -5,
                       .communicator = 2,
                       .bytes = 80,
                       .sent = 1,
                       .received = 2,
                       .sendRequest = none,
                       .receiveRequest = 3}};
    trace.marks = {{.id = 9, .data = -1, .comment = "12"}};
    trace.events = {{10, Task(1), 0, EventKind::Begin},
                    {20, Task(0), 0, EventKind::Send},
                    {30, Task(1), 0, EventKind::Receive},
                    {40, Task(1), 0, EventKind::End},
                    {50, Task(0), 0, EventKind::Mark}};
    TASUKI_COMPARE_TEXT(alogText(trace),
                        "-1 0 0 0 0 0 someone\n"
                        "-2 0 0 5 0 0\n"
                        "-3 0 0 2 0 0\n"
                        "-4 0 0 1 0 0\n"
                        "-5 0 0 5 0 0\n"
                        "-6 0 0 0 0 0\n"
                        "-7 0 0 0 0 50\n"
                        "-8 0 0 1 0 0\n"
                        "-11 0 0 0 0 0\n"
                        "-13 0 155 156 0 0 lightblue MPI_Irecv\n"
                        "-13 0 3 4 0 0 : Rhode Island\n"
                        "-9 0 0 9 0 0 mark\n"
                        "-15 0 0 0 0 0 first\n"
                        "155 1 0 0 0 10 root=1 bytes=80 comm=2 req=3,7\n"
                        "-101 0 0 1 0 20 -5 80 comm=2\n"
                        "-102 1 0 0 0 30 -5 80 comm=2 req=3\n"
                        "156 1 0 0 0 40\n"
                        "9 0 0 -1 0 50\t12\n");
}

void AlogWriterTest::readsBackRandomTraces()
{
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        const Trace trace = randomTrace(seed, 1 + seed % 9, seed % 4 == 0 ? 3000 : 60);
        const std::string fault = firstFault(trace);
        QVERIFY2(fault.empty(), fault.c_str());
        const TraceReading reading = readText(alogText(trace));
        QVERIFY2(reading.usable(), told(reading).c_str());
        QCOMPARE(reading.trace.creator, trace.creator);
        QCOMPARE(reading.trace.taskNames, trace.taskNames);
        QVERIFY(reading.trace.states == trace.states);
        QVERIFY(reading.trace.details == trace.details);
        QVERIFY(reading.trace.marks == trace.marks);
        QVERIFY(reading.trace.calls == trace.calls);
        QVERIFY(reading.trace.messages == trace.messages);
        QVERIFY2(reading.trace == trace, std::to_string(seed).c_str());
    }
}

void AlogWriterTest::readsBackAnEmptyDetail()
{
    Trace trace;
    trace.taskNames.resize(1);
    trace.states = {{.beginId = 1, .endId = 2, .name = "x", .colour = "red"}};
    trace.details = {{}};
    trace.calls = {{.task = Task(0), .beginUs = 5, .endUs = 6, .detail = 0}};
    trace.events = {{5, Task(0), 0, EventKind::Begin}, {6, Task(0), 0, EventKind::End}};
    const TraceReading reading = readText(alogText(trace));
    TASUKI_COMPARE_TEXT(told(reading), "");
    QVERIFY(reading.trace == trace);
}

void AlogWriterTest::readsBackSilentTasks()
{
    Trace trace;
    trace.taskNames = {"", "", "silent", ""};
    trace.marks = {{.id = 70'000, .data = 1, .comment = ""}};
    trace.events = {{5, Task(1), 0, EventKind::Mark}};
    const TraceReading reading = readText(alogText(trace));
    TASUKI_COMPARE_TEXT(told(reading), "");
    QVERIFY(reading.trace == trace);
}

void AlogWriterTest::readsBackLateClocks()
{
    // Not a timer that begins anew: two clocks.
    Trace trace;
    trace.taskNames.resize(2);
    trace.marks = {{.id = 7, .data = 0, .comment = ""}, {.id = 7, .data = 0, .comment = ""}};
    trace.events = {{(std::int64_t{1} << 32U) - 5, Task(1), 0, EventKind::Mark},
                    {3, Task(0), 1, EventKind::Mark}};
    const TraceReading reading = readText(alogText(trace));
    TASUKI_COMPARE_TEXT(told(reading), "");
    QVERIFY(reading.trace == trace);
}

void AlogWriterTest::keepsLinesWhole()
{
    Trace trace;
    trace.creator = "two\nlines";
    trace.taskNames = {std::string("a\0b", 3)};
    trace.marks = {{.id = 5, .data = 0, .comment = "c\nd"}};
    trace.events = {{1, Task(0), 0, EventKind::Mark}};
    const TraceReading reading = readText(alogText(trace));
    TASUKI_COMPARE_TEXT(told(reading), "");
    QCOMPARE(reading.trace.creator, std::string("two lines"));
    QCOMPARE(reading.trace.taskNames[0], std::string("a b"));
    QCOMPARE(reading.trace.marks[0].comment, std::string("c d"));
}

void AlogWriterTest::writesInParts()
{
    const Trace trace = randomTrace(5, 4, 120'000);
    std::string text;
    std::size_t parts = 0;
    QVERIFY(writeAlog(trace, [&](std::string_view part) {
                text += part;
                ++parts;
                return Result<void>();
            }).ok());
    QVERIFY(text == alogText(trace));
    QVERIFY(parts >= 2);
    QVERIFY(parts <= text.size() / (std::size_t{1} << 20U) + 1);
}

void AlogWriterTest::stopsWithTheSink()
{
    int parts = 0;
    const Result<void> written = writeAlog(randomTrace(5, 4, 120'000), [&](std::string_view) {
        ++parts;
        return Result<void>(Error{.kind = ErrorKind::NoSpace, .message = "full"});
    });
    QVERIFY(!written);
    QCOMPARE(written.error().message, std::string("full"));
    QCOMPARE(parts, 1);
}

QTEST_APPLESS_MAIN(AlogWriterTest)

} // namespace tst_alogwriter

#include "tst_alogwriter.moc"
