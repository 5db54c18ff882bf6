// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef Q_MOC_RUN // Qt 6.4 cannot parse <concepts>.
#include "process/streamcapture.h"
#endif

#include <QTest>

#include <algorithm>
#include <limits>

namespace tst_streamcapture {

using namespace tasuki;
using tasuki::guardian::StreamCapture;

class StreamCaptureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsBothEnds_data();
    void keepsBothEnds();
    void piecesAreWhatIsKept_data() { keepsBothEnds_data(); }
    void piecesAreWhatIsKept();
    void piecesFollowTheStream();
};

void StreamCaptureTest::keepsBothEnds_data()
{
    QTest::addColumn<int>("length");
    QTest::addColumn<int>("piece");
    QTest::addColumn<int>("headLimit");
    QTest::addColumn<int>("tailLimit");
    for (const int length : {0, 1, 7, 8, 12, 13, 14, 25, 100}) {
        for (const int piece : {1, 3, 5, 6, 100}) {
            for (const auto& [head, tail] : {std::pair(7, 6), {7, 0}, {0, 6}, {0, 0}})
                QTest::addRow("%d by %d into %d+%d", length, piece, head, tail)
                    << length << piece << head << tail;
        }
    }
}

void StreamCaptureTest::keepsBothEnds()
{
    QFETCH(int, length);
    QFETCH(int, piece);
    QFETCH(int, headLimit);
    QFETCH(int, tailLimit);
    std::string whole;
    for (int i = 0; i < length; ++i)
        whole.push_back(static_cast<char>('!' + i % 90));
    const auto headSize = static_cast<std::size_t>(headLimit);
    const auto tailSize = static_cast<std::size_t>(tailLimit);
    StreamCapture capture(headSize, tailSize);
    const auto step = static_cast<std::size_t>(piece);
    for (std::size_t i = 0; i < whole.size(); i += step)
        capture.append(std::string_view(whole).substr(i, step));
    const CapturedStream taken = capture.take();
    QCOMPARE(taken.totalBytes, std::uint64_t(whole.size()));
    if (whole.size() <= headSize + tailSize) {
        QCOMPARE(taken.head, whole);
        QCOMPARE(taken.tail, std::string());
        QCOMPARE(taken.droppedBytes(), std::uint64_t(0));
    } else {
        QCOMPARE(taken.head, whole.substr(0, headSize));
        QCOMPARE(taken.tail, whole.substr(whole.size() - tailSize));
        QCOMPARE(taken.droppedBytes(), std::uint64_t(whole.size() - headSize - tailSize));
    }
}

/// From every place and with every limit.
void StreamCaptureTest::piecesAreWhatIsKept()
{
    QFETCH(int, length);
    QFETCH(int, piece);
    QFETCH(int, headLimit);
    QFETCH(int, tailLimit);
    std::string whole;
    for (int i = 0; i < length; ++i)
        whole.push_back(static_cast<char>('!' + i % 90));
    StreamCapture capture(static_cast<std::size_t>(headLimit), static_cast<std::size_t>(tailLimit));
    for (std::size_t i = 0; i < whole.size(); i += static_cast<std::size_t>(piece))
        capture.append(std::string_view(whole).substr(i, static_cast<std::size_t>(piece)));

    const std::uint64_t total = whole.size();
    const std::uint64_t headEnd = std::min<std::uint64_t>(total, static_cast<unsigned>(headLimit));
    const std::uint64_t tailBegin = std::max(
        headEnd, total - std::min<std::uint64_t>(total, static_cast<unsigned>(tailLimit)));
    for (std::uint64_t from = 0; from < total + 3; ++from) {
        for (const std::size_t limit : {0U, 1U, 3U, 6U, 1'000U}) {
            const OutputPiece got = capture.piece(from, limit);
            QCOMPARE(got.totalBytes, total);
            QVERIFY(got.bytes.size() <= limit);
            const std::uint64_t expected = from < headEnd
                ? from
                : std::min(std::max(from, tailBegin), total);
            QCOMPARE(got.offset, expected);
            const std::uint64_t end = from < headEnd ? headEnd : total;
            QCOMPARE(got.bytes,
                     whole.substr(expected, std::min<std::uint64_t>(limit, end - expected)));
        }
    }
    QVERIFY(capture.piece(std::numeric_limits<std::uint64_t>::max(), 5).bytes.empty());
    const CapturedStream taken = capture.take(); // looking changes nothing
    QCOMPARE(taken.totalBytes, total);
    QVERIFY(whole.starts_with(taken.head) && whole.ends_with(taken.tail));
}

/// Who asks on from where the last piece ended sees all that is written, when that is kept.
void StreamCaptureTest::piecesFollowTheStream()
{
    StreamCapture capture(7, 6);
    std::string whole;
    std::string seen;
    std::uint64_t from = 0;
    for (int round = 0; round < 50; ++round) {
        const std::string more(static_cast<std::size_t>(round % 7),
                               static_cast<char>('a' + round % 26));
        capture.append(more);
        whole += more;
        for (OutputPiece got = capture.piece(from, 4); !got.bytes.empty();
             got = capture.piece(from, 4)) {
            QCOMPARE(got.offset, from);
            seen += got.bytes;
            from = got.offset + got.bytes.size();
        }
        QCOMPARE(seen, whole);
    }
    capture.append(std::string(100, 'z')); // too much to be followed
    QCOMPARE(capture.piece(from, 100).offset, std::uint64_t(whole.size() + 94));
    QCOMPARE(capture.piece(from, 100).bytes, std::string("zzzzzz"));
}

QTEST_APPLESS_MAIN(StreamCaptureTest)

} // namespace tst_streamcapture

#include "tst_streamcapture.moc"
