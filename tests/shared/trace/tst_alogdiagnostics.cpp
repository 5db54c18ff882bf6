// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracetesting.h"

namespace tst_alogdiagnostics {

using namespace tasuki::trace;
using namespace tasuki::trace::testing;
using tasuki::Diagnostic;

/// What is told of logs that are not as they should be, where, and what is left of them.
class AlogDiagnosticsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tells_data();
    void tells();
    void tellsWithRemedy();
    void failsWithoutEvents_data();
    void failsWithoutEvents();
    void tellsUnknownTypesOnce();
    void keepsWhatIsUsable();
    void closesWhatIsOpen();
    void matchesAReceiveBeforeItsSend();
    void keepsTimesInOrder();
    void keepsABoundedNumber();
    void allocatesNoMoreThanRecordsNeed();
    void refusesTooManyEvents();
    void tellsOverlongLines();
};

void AlogDiagnosticsTest::tells_data()
{
    QTest::addColumn<QByteArray>("records"); // behind smallHeading, from line 8 on
    QTest::addColumn<QByteArray>("told");
    const auto row = [](const char* name, const QByteArray& records, const QByteArray& told) {
        QTest::newRow(name) << records << told;
    };
    row("nothing wrong", "11 0 0 1 0 5\n12 0 0 1 0 6\n", "");
    row("a word as process", "11 0 0 1 0 5\n12 zero 0 1 0 6\n12 0 0 1 0 7\n",
        "9:4: 'zero' is no number, as process must be\n");
    row("too few fields", "11 0 0 1 0 5\n12 0 0 1\n12 0 0 1 0 7\n",
        "9:9: the line ends where cycle should stand\n");
    row("no size of a message", "-101 0 0 1 0 5 99\n7 0 0 0 0 6\n",
        "8:18: the line ends where bytes should stand\n");
    row("a number of too many digits", "7 0 0 1 0 123456789012345678901\n7 0 0 0 0 6\n",
        "8:11: the number '123456789012345678901' is out of range as timestamp\n");
    row("a time beyond all", "7 0 0 1 0 9007199254740992\n7 0 0 0 0 6\n",
        "8:11: the time of cycle 0, timestamp 9007199254740992 is out of range\n");
    row("a cycle beyond all", "-11 0 0 0 0 4000000000\n7 0 0 1 4000000000000 5\n7 0 0 0 0 6\n",
        "9:23: the time of cycle 4000000000000, timestamp 5 is out of range\n");
    row("a type beyond all", "4294967296 0 0 1 0 5\n7 0 0 0 0 6\n",
        "8:1: the number 4294967296 is out of range as type\n");
    row("a tag beyond all", "-101 0 0 1 0 5 2147483648 8\n7 0 0 0 0 6\n",
        "8:16: the number 2147483648 is out of range as tag\n");
    row("a negative size", "-101 0 0 1 0 1 5 9 -8\n7 0 0 0 0 6\n",
        "8:20: the number -8 is out of range as bytes\n");
    row("a NUL byte", QByteArray("7 0 0 1 0 5 a\0b\n7 0 0 0 0 6\n", 28), "8:14: a NUL byte\n");
    row("a process beyond all", "7 1048576 0 1 0 5\n7 0 0 0 0 6\n", "8:3: process 1048576\n");
    row("a negative process", "7 -1 0 1 0 5\n7 0 0 0 0 6\n", "8:3: process -1\n");
    row("a peer beyond all", "-101 0 0 -2 0 5 99 8\n7 0 0 0 0 6\n",
        "8:10: the message's other end is process -2\n");
    row("a task that is not announced", "7 0 0 0 0 5\n7 3 0 0 0 6\n7 3 0 0 0 7\n",
        "9:1: task 3 is beyond the 3 processes that header -3 announces in line 2\n");
    row("an end without begin", "11 1 0 0 0 5\n12 0 0 0 0 6\n12 1 0 0 0 7\n",
        "9:1: 'BARRIER' of task 0 ends without a begin\n");
    row("a begin without end", "11 0 0 0 0 5\n155 0 0 0 0 6\n12 0 0 0 0 7\n",
        "9:1: 'RECV' of task 0 does not end\n"
        "10:1: 'BARRIER' of task 0 ends before 'RECV', which began in it in line 9\n");
    row("crossing states", "11 0 0 0 0 5\n155 0 0 0 0 6\n12 0 0 0 0 7\n156 0 0 0 0 8\n",
        "10:1: 'BARRIER' of task 0 ends before 'RECV', which began in it in line 9\n");
    row("an unknown type", "11 0 0 0 0 5\n99 0 0 0 0 6\n12 0 0 0 0 7\n",
        "9:1: unknown record type 99\n");
    row("a type of the system that nobody knows", "-103 0 0 0 0 6\n",
        "8:1: unknown record type -103\n");
    row("an unknown header", "7 0 0 0 0 6\n-16 0 0 0 0 0\n-16 0 0 0 0 0\n",
        "9:1: unknown header -16\n");
    row("a message that is not received",
        "-101 0 0 1 0 5 99 8\n-101 1 0 0 0 6 99 8\n"
        "-102 0 0 1 0 7 99 8\n",
        "8:1: the message from task 0 to task 1, tag 99, is never received\n");
    row("a message that was not sent", "-101 1 0 0 0 6 99 8\n-102 0 0 1 0 7 98 8\n",
        "8:1: the message from task 1 to task 0, tag 99, is never received\n"
        "9:1: the message from task 1 to task 0, tag 98, was never sent\n");
    row("a message of another communicator", "-101 1 0 0 0 6 9 8 comm=1\n-102 0 0 1 0 7 9 8\n",
        "8:1: the message from task 1 to task 0, tag 9, is never received\n"
        "9:1: the message from task 1 to task 0, tag 9, was never sent\n");
    row("received before it was sent", "-102 0 0 1 0 6 9 8\n-101 1 0 0 0 7 9 8\n",
        "9:1: the message from task 1 to task 0, tag 9, is sent after it was received in line 8\n");
    row("a time that goes back", "7 0 0 0 0 50\n7 1 0 0 0 20\n7 0 0 0 0 40\n",
        "10:11: the time of task 0 goes back from 50 to 40\n");
    row("a time that goes back, other dialect", "-101 0 0 0 0 1 50 9 8\n-102 0 0 0 0 1 40 9 8\n",
        "9:16: the time of task 0 goes back from 50 to 40\n");
    row("a word with a bad value", "11 0 0 0 0 5 note root=me\n12 0 0 0 0 6\n",
        "8:19: the value of 'root=me' cannot be used\n");
    row("a bad word of a message", "-101 0 0 0 0 5 9 8 req=\n-102 0 0 0 0 6 9 8\n",
        "8:20: the value of 'req=' cannot be used\n");
    row("a log that was cut", "-2 0 0 3 0 0\n7 0 0 0 0 5\n7 0 0 0 0 6\n7 0 0 0 0",
        "8:1: header -2 announces 3 events, the log has 2 that can be used\n"
        "11:10: the line ends where timestamp should stand\n");
    row("negative counts", "-3 0 0 -3 0 0\n7 0 0 0 0 5\n", "8:8: header -3 announces -3\n");
    row("states with types of headers",
        "-13 0 -1 8 0 0 red X\n-13 0 8 -101 0 0 red X\n"
        "7 0 0 0 0 5\n",
        "8:7: -1 cannot be the type of a state's begin\n"
        "9:9: -101 cannot be the type of a state's end\n");
    row("a state with one type", "-13 0 8 8 0 0 red X\n7 0 0 0 0 5\n",
        "8:9: the begin and the end of a state have one type, 8\n");
    row("a state without a name", "-13 0 8 9 0 0 red:box\n-13 0 18 19 0 0\n7 0 0 0 0 5\n",
        "8:22: the state of the types 8 and 9 has no name\n"
        "9:16: the state of the types 18 and 19 has no name\n");
    row("a state defined twice",
        "-13 0 11 12 0 0 red BARRIER\n-13 0 11 12 0 0 red OTHER\n"
        "7 0 0 0 0 5\n",
        "9:7: the types 11 and 12 are defined again, as 'OTHER'\n");
    row("types of two states",
        "-13 0 12 13 0 0 red OTHER\n-13 0 12 11 0 0 red BACK\n"
        "7 0 0 0 0 5\n",
        "8:7: one of the types 12 and 13 stands for another state\n"
        "9:7: one of the types 12 and 11 stands for another state\n");
    row("a description of nothing", "-9 0 0 -5 0 0 x\n7 0 0 0 0 5\n",
        "8:8: header -9 describes type -5\n");
    row("a bad roll-over", "-11 0 0 0 0 -7\n7 0 0 0 0 5\n", "8:13: the timer rolls over at -7\n");
    row("two roll-overs", "-11 0 0 0 0 700\n-11 0 0 600 0 0\n7 0 0 0 1 5\n",
        "9:9: the timer rolls over at 600\n");
    row("a name for a task beyond all", "-15 -1 0 0 0 0 x\n7 0 0 0 0 5\n",
        "8:5: a name for process -1\n");
    row("a name for a task that there is not", "7 0 0 0 0 5\n-15 3 0 0 0 0 x\n",
        "9:1: a name for process 3, of which there is no record\n");
}

void AlogDiagnosticsTest::tells()
{
    QFETCH(QByteArray, records);
    QFETCH(QByteArray, told);
    const TraceReading reading = readText(smallHeading + records.toStdString());
    TASUKI_COMPARE_TEXT(toldBriefly(reading), told.toStdString());
    QVERIFY(reading.usable());
    QVERIFY(!reading.trace.empty());
    QCOMPARE(firstFault(reading.trace), std::string());
    for (const Diagnostic& found : reading.diagnostics)
        QVERIFY(!found.remedy.empty());
}

void AlogDiagnosticsTest::tellsWithRemedy()
{
    TASUKI_COMPARE_TEXT(
        told(readText("7 0 0 0 0 5\nx 1\n\n-102 0 0 1 0 7\n")),
        "t.alog:1:1: warning: unknown record type 7; a header -13 or -9 would tell what it is; its "
        "records are taken as marks\n"
        "t.alog:2:1: warning: 'x' is no number, as type must be; expected type process task data "
        "cycle timestamp [comment]; the line is left out\n"
        "t.alog:4:15: warning: the line ends where tag should stand; expected type process task "
        "data cycle timestamp tag bytes [comment]; the line is left out\n");
}

void AlogDiagnosticsTest::failsWithoutEvents_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("message");
    QTest::newRow("nothing") << QByteArray("") << QByteArray("the log is empty");
    QTest::newRow("blanks") << QByteArray(" \n\r\n") << QByteArray("the log has no events");
    QTest::newRow("headers") << QByteArray::fromStdString(smallHeading)
                             << QByteArray("the log has no events");
    QTest::newRow("text") << QByteArray("dear reader\n") << QByteArray("the log has no events");
    QTest::newRow("a lonely end") << QByteArray("156 0 0 0 0 5\n")
                                  << QByteArray("the log has no events");
}

void AlogDiagnosticsTest::failsWithoutEvents()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, message);
    const TraceReading reading = readText(text.toStdString());
    QVERIFY(!reading.usable());
    QVERIFY(reading.trace.empty());
    // It comes first, whatever else there is.
    QVERIFY(reading.diagnostics[0].isError());
    TASUKI_COMPARE_TEXT(reading.diagnostics[0].message.text(), message.toStdString());
    QCOMPARE(reading.diagnostics[0].place.file, std::string("t.alog"));
}

void AlogDiagnosticsTest::tellsUnknownTypesOnce()
{
    const TraceReading reading = readText("98 0 0 0 0 5\n99 0 0 0 0 6 x\n98 1 0 0 0 7\n"
                                          "99 0 0 4 0 8\n");
    TASUKI_COMPARE_TEXT(toldBriefly(reading),
                        "1:1: unknown record type 98\n2:1: unknown record type 99\n");
    QCOMPARE(reading.trace.marks,
             (std::vector<Mark>{{.id = 98, .data = 0, .comment = ""},
                                {.id = 99, .data = 0, .comment = "x"},
                                {.id = 98, .data = 0, .comment = ""},
                                {.id = 99, .data = 4, .comment = ""}}));
    QCOMPARE(reading.trace.tasks(), 2U);
}

void AlogDiagnosticsTest::keepsWhatIsUsable()
{
    const TraceReading reading = readText(smallHeading
                                          + "11 0 0 1 0 5\nwhat is this\n12 0 0 1 0 6\n"
                                            "11 9999999 0 1 0 7\n155 1 0 0 0 8\n156 1 0 0 0 9\n");
    QCOMPARE(reading.diagnostics.size(), std::size_t(2));
    QCOMPARE(reading.trace.calls.size(), std::size_t(2));
    QCOMPARE(reading.trace.events.size(), std::size_t(4));
}

void AlogDiagnosticsTest::closesWhatIsOpen()
{
    const TraceReading reading = readText(smallHeading
                                          + "11 0 0 0 0 5\n155 0 0 0 0 6\n7 0 0 0 0 90\n"
                                            "7 1 0 0 0 500\n");
    TASUKI_COMPARE_TEXT(
        toldBriefly(reading),
        "8:1: 'BARRIER' of task 0 does not end\n9:1: 'RECV' of task 0 does not end\n");
    QCOMPARE(reading.trace.calls[0].endUs, 90);
    QCOMPARE(reading.trace.calls[1].endUs, 90);
    QCOMPARE(reading.trace.calls[1].depth, 1U);
}

void AlogDiagnosticsTest::matchesAReceiveBeforeItsSend()
{
    const TraceReading reading = readText("-102 0 0 1 0 6 9 80\n-101 1 0 0 0 7 9 8 req=2\n");
    QCOMPARE(reading.diagnostics.size(), std::size_t(1));
    QCOMPARE(reading.trace.messages,
             (std::vector<Message>{{.from = Task(1),
                                    .to = Task(0),
                                    .tag = 9,
                                    .communicator = 0,
                                    .bytes = 8,
                                    .sent = 1,
                                    .received = 0,
                                    .sendRequest = 2}}));
}

void AlogDiagnosticsTest::keepsTimesInOrder()
{
    const TraceReading reading = readText(smallHeading
                                          + "11 0 0 0 0 50\n12 0 0 0 0 40\n"
                                            "11 0 0 0 0 45\n12 0 0 0 0 60\n");
    QCOMPARE(reading.diagnostics.size(), std::size_t(2));
    QCOMPARE(reading.trace.calls[0].endUs, 50);
    QCOMPARE(reading.trace.calls[1].beginUs, 50);
    QCOMPARE(reading.trace.calls[1].endUs, 60);
}

void AlogDiagnosticsTest::keepsABoundedNumber()
{
    std::string text;
    for (int line = 0; line < 5000; ++line)
        text += "nonsense\n";
    const TraceReading reading = readText(text);
    QCOMPARE(reading.diagnostics.size(), std::size_t(1002));
    QVERIFY(reading.diagnostics.front().isError());
    QCOMPARE(reading.diagnostics[1000].place.line, 1000U);
    TASUKI_COMPARE_TEXT(reading.diagnostics.back().text(),
                        "t.alog: warning: 4000 more warnings; only the first ones are told");
    QCOMPARE(readText(text, {.diagnostics = 0}).diagnostics.size(), std::size_t(2));
}

void AlogDiagnosticsTest::allocatesNoMoreThanRecordsNeed()
{
    const TraceReading reading = readText("-3 0 0 1000000 0 0\n-9 0 0 7 0 0 x\n7 1 0 0 0 5\n");
    TASUKI_COMPARE_TEXT(toldBriefly(reading),
                        "1:1: header -3 announces 1000000 processes, the records know 2\n");
    QCOMPARE(reading.trace.tasks(), 2U);
}

void AlogDiagnosticsTest::refusesTooManyEvents()
{
    const AlogLimits limits{.events = 3};
    const std::string three = smallHeading + "7 0 0 0 0 5\n7 0 0 0 0 6\n-101 0 0 0 0 7 0 0\n";
    QVERIFY(readText(three, limits).usable());
    const TraceReading reading = readText(three + "7 0 0 0 0 8\n7 0 0 0 0 9\nwrong\n", limits);
    QVERIFY(!reading.usable());
    QCOMPARE(reading.diagnostics.size(), std::size_t(2));
    TASUKI_COMPARE_TEXT(reading.diagnostics[1].text(),
                        "t.alog:11:1: error: the log has more than 3 events; trace a shorter part "
                        "of the program");
    QCOMPARE(reading.trace.events.size(), std::size_t(3));
}

void AlogDiagnosticsTest::tellsOverlongLines()
{
    const std::string text = smallHeading + "7 0 0 0 0 5 " + std::string(1U << 20U, 'x')
        + "\n7 0 0 0 0 6\n";
    const TraceReading reading = readText(text);
    TASUKI_COMPARE_TEXT(toldBriefly(reading), "8:1048577: the line is longer than 1048576 bytes\n");
    QCOMPARE(reading.trace.marks.size(), std::size_t(1));
}

QTEST_APPLESS_MAIN(AlogDiagnosticsTest)

} // namespace tst_alogdiagnostics

#include "tst_alogdiagnostics.moc"
