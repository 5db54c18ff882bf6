// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "exchange/messages.h"

#include <random>

namespace tst_mergecodec {

using namespace tasuki;
using namespace tasuki::merge;

namespace {

std::vector<Body> allBodies()
{
    return {
        Hello{.entries = 5,
              .bytes = std::uint64_t{1} << 40U,
              .exactScores = false,
              .place = {.pid = 4711, .hostKey = "host/boot"},
              .listing = "key05:5\n"},
        View{.members = {ProcessorId(0), ProcessorId(2), ProcessorId(5)},
             .places = {{.pid = 1, .hostKey = "a"}, {.pid = 2, .hostKey = "b"}, {}},
             .schedule = {.pattern = Pattern::Dissemination, .sparing = true},
             .trimsInRounds = true},
        Ready{7},
        Part{.round = 3, .last = true, .chunk = std::string("chunk\0bytes", 11)},
        Part{.round = 0, .last = false, .chunk = {}},
        Done{.digest = {.high = 1, .low = ~std::uint64_t{0}},
             .sentBytes = 9,
             .peakBytes = 10,
             .listing = "x"},
        Agreed{},
        Finished{.safe = false},
        Lost{.rank = ProcessorId(3), .gone = true},
        Beat{},
    };
}

} // namespace

/// What breaks it: a field that is not sent, or bytes from elsewhere that are believed.
class TestMergeCodec : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void carriesEverything();
    void refusesWhatIsCutOff();
    void survivesRandomBytes();
};

void TestMergeCodec::carriesEverything()
{
    for (const Body& body : allBodies()) {
        const Envelope sent{.view = {.number = 12, .coordinator = ProcessorId(1)}, .body = body};
        const Result<Envelope> got = decode(encode(sent));
        QVERIFY(bool(got));
        QVERIFY(*got == sent);
    }
}

void TestMergeCodec::refusesWhatIsCutOff()
{
    for (const Body& body : allBodies()) {
        const Message whole = encode(
            {.view = {.number = 1, .coordinator = ProcessorId(0)}, .body = body});
        for (std::size_t length = 0; length < whole.size(); ++length) {
            // Cut at the front the trailer stays; a part's chunk has a check sum of its own.
            const Result<Envelope> got = decode(whole.substr(whole.size() - length));
            QVERIFY(!got || std::holds_alternative<Part>(got->body)
                    || std::holds_alternative<View>(got->body));
            if (got)
                QVERIFY(got->body != body);
        }
        Message changed = whole;
        changed.back() = '\x7f';
        QVERIFY(!decode(changed));
    }
}

void TestMergeCodec::survivesRandomBytes()
{
    std::mt19937_64 random(1);
    for (int round = 0; round < 20'000; ++round) {
        Message message(random() % 80, '\0');
        for (char& byte : message)
            byte = static_cast<char>(random() % 8 == 0 ? random() : random() % 3);
        const Result<Envelope> got = decode(message);
        if (got)
            QCOMPARE(encode(*got), message);
        else
            QVERIFY(got.error().kind == ErrorKind::Protocol);
    }
}

QTEST_APPLESS_MAIN(TestMergeCodec)

} // namespace tst_mergecodec

#include "tst_mergecodec.moc"
