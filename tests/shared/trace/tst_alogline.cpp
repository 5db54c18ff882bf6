// SPDX-License-Identifier: GPL-3.0-or-later
#include <QByteArray>
#include <QtTest>

#include "trace/alogline.h"
#include "trace/commentwords.h"

#include <string>

namespace tst_alogline {

using namespace tasuki::trace;

namespace {

template <class Line>
Line as(std::string_view text)
{
    AlogLine line = parseAlogLine(text);
    if (!std::holds_alternative<Line>(line))
        qFatal("%s is another kind of line", std::string(text).c_str());
    return std::get<Line>(line);
}

/// "name: bytes" of all words that cannot be used.
struct BadWords {
    std::string text;
    void operator()(std::string_view word, std::string_view) { text += std::string(word) + ' '; }
};

} // namespace

/// What one line says, whatever stands around it.
class AlogLineTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsHeaders();
    void readsEvents();
    void seesTwoReadings();
    void readsMessages();
    void ignoresBlanks();
    void findsFaults_data();
    void findsFaults();
    void findsColumns();
    void readsCallWords();
    void readsMessageWords();
    void quotes();
};

void AlogLineTest::readsHeaders()
{
    const auto header = as<HeaderLine>("-13 0 155 156 0 0 green:light_gray my RECV \r");
    QCOMPARE(header.type, -13);
    QCOMPARE(header.task, 155);
    QCOMPARE(header.data, 156);
    QCOMPARE(std::string(header.comment), std::string("green:light_gray my RECV"));
    QCOMPARE(as<HeaderLine>("-7 0 0 0 0 412568").timestamp, 412568);
    QCOMPARE(as<HeaderLine>("-100 0 0 0 0 0").type, -100);
    QCOMPARE(as<HeaderLine>("-15 2 0 0 0 0 two").process, 2);
}

void AlogLineTest::readsEvents()
{
    const auto event = as<EventLine>("155 1 0 -3 2 1189");
    QCOMPARE(event.type, 155);
    QCOMPARE(event.process, 1);
    QCOMPARE(event.data, -3);
    QCOMPARE(event.cycle, 2);
    QCOMPARE(event.plain.timestamp, 1189);
    QVERIFY(event.plain.comment.empty());
    QVERIFY(!event.shifted);
    const auto words = as<EventLine>("155 1 0 1 0 1189 12x req=3");
    QVERIFY(!words.shifted);
    QCOMPARE(std::string(words.plain.comment), std::string("12x req=3"));
    QCOMPARE(as<EventLine>("-103 1 0 1 0 9223372036854775807").plain.timestamp, INT64_MAX);
    QCOMPARE(as<EventLine>("0 1 0 1 0 -9223372036854775808").plain.timestamp, INT64_MIN);
}

void AlogLineTest::seesTwoReadings()
{
    const auto event = as<EventLine>("162 0 0 2 0 1 1575  root=0");
    QCOMPARE(event.plain.timestamp, 1);
    QCOMPARE(std::string(event.plain.comment), std::string("1575  root=0"));
    QVERIFY(event.shifted.has_value());
    QCOMPARE(event.shifted->timestamp, 1575);
    QCOMPARE(std::string(event.shifted->comment), std::string("root=0"));
    // The first tab of a line behind the sixth field says: a comment.
    QVERIFY(!as<EventLine>("162 0 0 2 0 1\t1575").shifted);
    QCOMPARE(std::string(as<EventLine>("162 0 0 2 0 1\t1575").plain.comment), std::string("1575"));
    QVERIFY(as<EventLine>("162\t0\t0\t2\t0\t1\t1575").shifted.has_value());
    QVERIFY(as<EventLine>("162 0 0 2 0 1 \t1575").shifted.has_value());
}

void AlogLineTest::readsMessages()
{
    const auto send = as<MessageLine>("-101 0 0 1 0 326954 99 12 ");
    QVERIFY(send.isSend);
    QVERIFY(!send.shifted);
    QCOMPARE(send.peer, 1);
    QCOMPARE(send.timestamp, 326954);
    QCOMPARE(send.tag, 99);
    QCOMPARE(send.bytes, 12);
    const auto shifted = as<MessageLine>("-102 1 0 0 0 1 2158 0 7992");
    QVERIFY(!shifted.isSend);
    QVERIFY(shifted.shifted);
    QCOMPARE(shifted.timestamp, 2158);
    QCOMPARE(shifted.tag, 0);
    QCOMPARE(shifted.bytes, 7992);
    const auto words = as<MessageLine>("-101 0 0 1 0 5 99 12 comm=1 req=4");
    QCOMPARE(words.timestamp, 5);
    QCOMPARE(std::string(words.comment), std::string("comm=1 req=4"));
    const auto both = as<MessageLine>("-101 0 0 1 0 1 5 99 12 comm=1");
    QCOMPARE(both.timestamp, 5);
    QCOMPARE(both.bytes, 12);
    QCOMPARE(std::string(both.comment), std::string("comm=1"));
}

void AlogLineTest::ignoresBlanks()
{
    QVERIFY(std::holds_alternative<BlankLine>(parseAlogLine("")));
    QVERIFY(std::holds_alternative<BlankLine>(parseAlogLine(" \t\r")));
    QCOMPARE(as<EventLine>("\t 11   0\t0 1  0 7 \r").plain.timestamp, 7);
}

void AlogLineTest::findsFaults_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<int>("fault");
    QTest::addColumn<int>("field");
    QTest::addColumn<int>("column");
    const auto row = [](const char* name, const QByteArray& line, MalformedLine::Fault fault,
                        AlogField field, int column) {
        QTest::newRow(name) << line << static_cast<int>(fault) << static_cast<int>(field) << column;
    };
    using enum MalformedLine::Fault;
    row("one field", "155", FieldMissing, AlogField::Process, 4);
    row("five fields", "155 1 0 1 0  ", FieldMissing, AlogField::Timestamp, 12);
    row("no tag", "-101 0 0 1 0 5", FieldMissing, AlogField::Tag, 15);
    row("no size", "-102 0 0 1 0 5 99 ", FieldMissing, AlogField::Bytes, 18);
    row("a word", "155 one 0 1 0 5", NoNumber, AlogField::Process, 5);
    row("a fraction", "155 1 0 1 0 5.5", NoNumber, AlogField::Timestamp, 13);
    row("a sign only", "155 1 - 1 0 5", NoNumber, AlogField::TaskNumber, 7);
    row("a plus", "155 1 0 +1 0 5", NoNumber, AlogField::Data, 9);
    row("a word as size", "-101 0 0 1 0 5 99 many", NoNumber, AlogField::Bytes, 19);
    row("too large", "155 1 0 1 0 9223372036854775808", OutOfRange, AlogField::Timestamp, 13);
    row("huge type", "99999999999999999999 1 0 1 0 5", OutOfRange, AlogField::Type, 1);
    row("NUL in a number", QByteArray("155 1\0 0 1 0 5", 14), NulByte, AlogField::Process, 6);
    row("NUL in a comment", QByteArray("7 1 0 1 0 5 ab\0c", 16), NulByte, AlogField::Timestamp, 15);
    row("NUL in words", QByteArray("-101 0 0 1 0 5 9 8 a\0", 21), NulByte, AlogField::Bytes, 21);
    row("NUL in a header", QByteArray("-1 0 0 0 0 0 \0", 14), NulByte, AlogField::Timestamp, 14);
}

void AlogLineTest::findsFaults()
{
    QFETCH(QByteArray, line);
    const auto malformed = as<MalformedLine>(line.toStdString());
    QTEST(static_cast<int>(malformed.fault), "fault");
    QTEST(static_cast<int>(malformed.field), "field");
    QTEST(static_cast<int>(malformed.column), "column");
}

void AlogLineTest::findsColumns()
{
    const std::string_view line = "  155 1   0 -1 0 1189 ";
    QCOMPARE(columnOf(line, AlogField::Type), 3U);
    QCOMPARE(columnOf(line, AlogField::TaskNumber), 11U);
    QCOMPARE(columnOf(line, AlogField::Timestamp), 18U);
    QCOMPARE(columnOf(line, AlogField::Tag), 22U);
}

void AlogLineTest::readsCallWords()
{
    BadWords bad;
    CallDetail detail;
    QVERIFY(!readCallWords("some comment", detail, std::ref(bad)));
    QVERIFY(!readCallWords("colour=blue", detail, std::ref(bad)));
    QVERIFY(readCallWords("root=2 note bytes=8000 comm=1 req=3,7", detail, std::ref(bad)));
    QCOMPARE(detail, (CallDetail{.root = 2, .bytes = 8000, .communicator = 1, .requests = {3, 7}}));
    QVERIFY(readCallWords("req=4", detail, std::ref(bad)));
    QCOMPARE(detail, (CallDetail{.requests = {4}}));
    QCOMPARE(bad.text, std::string());

    QVERIFY(
        readCallWords("root=4294967295 bytes=-1 comm= req=1,,2 bytes=5", detail, std::ref(bad)));
    QCOMPARE(detail, (CallDetail{.bytes = 5}));
    QCOMPARE(bad.text, std::string("root=4294967295 bytes=-1 comm= req=1,,2 "));
    bad.text.clear();
    QVERIFY(readCallWords("req=1, req=x", detail, std::ref(bad)));
    QCOMPARE(bad.text, std::string("req=1, req=x "));
    QVERIFY(detail.requests.empty());
}

void AlogLineTest::readsMessageWords()
{
    BadWords bad;
    const MessageWords words = tasuki::trace::readMessageWords("x comm=3  req=9", std::ref(bad));
    QCOMPARE(words.communicator, 3U);
    QCOMPARE(words.request, 9U);
    QCOMPARE(tasuki::trace::readMessageWords("x", std::ref(bad)).request, none);
    QCOMPARE(bad.text, std::string());
    QCOMPARE(tasuki::trace::readMessageWords("comm=-1", std::ref(bad)).communicator, 0U);
    QCOMPARE(bad.text, std::string("comm=-1 "));
}

void AlogLineTest::quotes()
{
    QCOMPARE(inQuotes("a b"), std::string("'a b'"));
    QCOMPARE(inQuotes(std::string_view("\x01\0\x7f", 3)), std::string("'\\x01\\x00\\x7f'"));
    QCOMPARE(inQuotes(std::string(41, 'x')), '\'' + std::string(40, 'x') + "'...");
}

QTEST_APPLESS_MAIN(AlogLineTest)

} // namespace tst_alogline

#include "tst_alogline.moc"
