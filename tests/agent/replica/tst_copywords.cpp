// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "replica/copywords.h"

#include <random>

namespace tst_copywords {

using namespace tasuki;
using namespace tasuki::replica;
using namespace std::chrono_literals;

namespace {

const EventId some{Epoch(2), Sequence(17)};
const RecordMark mark{.id = some, .wallTime = WallTime(5s), .monotonic = 7ns};
const RecordPlace place{.host = "b", .path = "/r\xff.tasuki", .original = false};

std::vector<CopyWord> everyKind()
{
    return {{.conversation = ConversationNumber(1), .word = Lead{.place = place, .release = true}},
            {.conversation = ConversationNumber(2), .word = Led{true}},
            {.conversation = ConversationNumber(3),
             .word = Begin{.run = RunId{"ab"}, .original = place}},
            {.conversation = ConversationNumber(4),
             .word = Have{.place = place, .marks = {mark, mark}}},
            {.conversation = ConversationNumber(5), .word = Take{some}},
            {.conversation = ConversationNumber(6),
             .word = Rows{{.after = {}, .last = some, .bytes = std::string("\0r\xff", 3)}}},
            {.conversation = ConversationNumber(7), .word = Promise{some}},
            {.conversation = ConversationNumber(8), .word = Stored{some}},
            {.conversation = ConversationNumber(9), .word = Unable{"disk\xfe"}},
            {.conversation = ConversationNumber(1ULL << 40U), .word = Farewell{true}}};
}

} // namespace

/// What is said of copies, as bytes.
class TestCopyWords : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyKindComesBack();
    void whoSaysWhat();
    void malformed();
    void anyBytes();
    void sights();
};

void TestCopyWords::everyKindComesBack()
{
    for (const CopyWord& word : everyKind()) {
        CopyWord sent = word;
        const Result<CopyWord> back = decodeCopyWord(encode(std::move(sent)));
        QVERIFY2(back.ok(), back.ok() ? "" : back.error().text().c_str());
        QVERIFY(*back == word);
    }
}

void TestCopyWords::whoSaysWhat()
{
    int ofMaster = 0;
    for (const CopyWord& word : everyKind())
        ofMaster += isOfMaster(word) ? 1 : 0;
    QCOMPARE(ofMaster, 6);
    QVERIFY(!isOfMaster({.word = Stored{}}));
    QVERIFY(isOfMaster({.word = Farewell{}}));
}

void TestCopyWords::malformed()
{
    for (const std::string& bytes : {std::string(), std::string("\xff\xff"), std::string("x")}) {
        const Result<CopyWord> word = decodeCopyWord(bytes);
        QVERIFY(!word.ok());
        QCOMPARE(word.error().kind, ErrorKind::Protocol);
    }
    // Rows that go nowhere, or back.
    for (const EventId last : {some, EventId{Epoch(2), Sequence(16)}}) {
        const Result<CopyWord> word = decodeCopyWord(
            encode({.conversation = ConversationNumber(1),
                    .word = Rows{{.after = some, .last = last, .bytes = "r"}}}));
        QVERIFY(!word.ok());
        QCOMPARE(word.error().kind, ErrorKind::Protocol);
    }
}

/// Bytes that are cut off or changed give a word or an Error, nothing else.
void TestCopyWords::anyBytes()
{
    std::mt19937 random(7);
    for (const CopyWord& word : everyKind()) {
        CopyWord sent = word;
        const std::string whole = encode(std::move(sent));
        for (std::size_t length = 0; length < whole.size(); ++length)
            static_cast<void>(decodeCopyWord(whole.substr(0, length)).ok());
        for (int round = 0; round < 200; ++round) {
            std::string changed = whole;
            changed[random() % changed.size()] = static_cast<char>(random());
            static_cast<void>(decodeCopyWord(changed).ok());
            static_cast<void>(decodeRecordSight(changed).ok());
        }
    }
}

void TestCopyWords::sights()
{
    for (const RecordSight& sight :
         {RecordSight{.sees = true}, RecordSight{},
          RecordSight{.sees = false, .latest = mark, .path = "/state/x.tasuki"}}) {
        const Result<RecordSight> back = decodeRecordSight(encode(sight));
        QVERIFY(back.ok());
        QVERIFY(*back == sight);
    }
    QVERIFY(!decodeRecordSight("\xff").ok());
}

QTEST_APPLESS_MAIN(TestCopyWords)

} // namespace tst_copywords

#include "tst_copywords.moc"
