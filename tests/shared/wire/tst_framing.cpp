// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "wire/framing.h"

#include <string>
#include <vector>

namespace tst_framing {

using namespace tasuki;
using namespace tasuki::link;

namespace {

/// Everything that comes out until bytes are lacking. An error ends it and is the last entry.
std::vector<std::string> drain(FrameDecoder& decoder)
{
    std::vector<std::string> messages;
    for (;;) {
        const auto next = decoder.next();
        if (!next) {
            messages.push_back("error: " + next.error().message);
            return messages;
        }
        if (!*next)
            return messages;
        messages.emplace_back(**next);
    }
}

} // namespace

/// Frames in pieces. What breaks it: a length taken from half a header, a limit off by one, bytes
/// of the next message dropped with the one before.
class TestFraming : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void headerIsLittleEndian();
    void everySplitYieldsTheSame();
    void limitIsExact();
    void limitHoldsForWhatIsNotReadYet();
    void emptyAndOversizeAreErrors();
    void errorsStay();
    void largestMessagePasses();
};

void TestFraming::headerIsLittleEndian()
{
    QCOMPARE(frame("abc").value(), std::string("\x03\0\0\0abc", 7));
    QCOMPARE(frame(std::string(258, 'x')).value().substr(0, 4), std::string("\x02\x01\0\0", 4));
}

void TestFraming::everySplitYieldsTheSame()
{
    const std::vector<std::string> messages{"a", std::string("\0\0\0\0\0", 5),
                                            std::string(40, 'z')};
    std::string stream;
    for (const auto& message : messages)
        stream += frame(message).value();
    for (std::size_t first = 0; first <= stream.size(); ++first) {
        for (std::size_t second = first; second <= stream.size(); ++second) {
            FrameDecoder decoder;
            std::vector<std::string> got;
            for (const auto& piece : {stream.substr(0, first), stream.substr(first, second - first),
                                      stream.substr(second)}) {
                decoder.feed(piece);
                for (auto& message : drain(decoder))
                    got.push_back(std::move(message));
            }
            QVERIFY2(got == messages, qPrintable(QString("%1 %2").arg(first).arg(second)));
        }
    }
    FrameDecoder byByte;
    std::vector<std::string> got;
    for (const char byte : stream) {
        byByte.feed(std::string_view(&byte, 1));
        for (auto& message : drain(byByte))
            got.push_back(std::move(message));
    }
    QCOMPARE(got, messages);
}

void TestFraming::limitIsExact()
{
    FrameDecoder decoder(10);
    decoder.feed(frame(std::string(10, 'a')).value() + frame(std::string(11, 'b')).value());
    const auto got = drain(decoder);
    QCOMPARE(got.size(), std::size_t{2});
    QCOMPARE(got[0], std::string(10, 'a'));
    QCOMPARE(got[1], "error: a message of 11 bytes where at most 10 are expected");
}

void TestFraming::limitHoldsForWhatIsNotReadYet()
{
    FrameDecoder decoder(4);
    decoder.feed(frame("abcd").value() + frame("abcdefgh").value());
    QCOMPARE(std::string(decoder.next().value().value()), "abcd");
    decoder.setLimit(8);
    QCOMPARE(std::string(decoder.next().value().value()), "abcdefgh");
}

void TestFraming::emptyAndOversizeAreErrors()
{
    QVERIFY(!frame("").ok());
    QVERIFY(!frame(std::string(frameLimit + 1, 'x')).ok());
    FrameDecoder decoder;
    decoder.feed(std::string(4, '\0'));
    QCOMPARE(drain(decoder), std::vector<std::string>{"error: a message without content"});
    // An announced size alone must be refused, before any of its bytes are waited for.
    FrameDecoder greedy;
    greedy.feed("\xff\xff\xff\xff");
    QCOMPARE(drain(greedy).at(0),
             "error: a message of 4294967295 bytes where at most 4096 are expected");
}

void TestFraming::errorsStay()
{
    FrameDecoder decoder;
    decoder.feed(std::string(4, '\0'));
    QVERIFY(!decoder.next().ok());
    decoder.feed(frame("fine").value());
    QVERIFY(!decoder.next().ok());
}

void TestFraming::largestMessagePasses()
{
    const std::string large(frameLimit, 'l');
    FrameDecoder decoder(frameLimit);
    const std::string stream = frame(large).value();
    constexpr std::size_t piece = 1 << 20;
    for (std::size_t at = 0; at < stream.size(); at += piece)
        decoder.feed(std::string_view(stream).substr(at, piece));
    QVERIFY(decoder.next().value().value() == large);
    QVERIFY(!decoder.next().value().has_value());
}

QTEST_APPLESS_MAIN(TestFraming)

} // namespace tst_framing

#include "tst_framing.moc"
