// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef Q_MOC_RUN // Qt 6.4 cannot parse <concepts>.
#include "process/streamcapture.h"
#endif

#include <QTest>

using namespace tasuki;
using tasuki::guardian::StreamCapture;

class StreamCaptureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsBothEnds_data();
    void keepsBothEnds();
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

QTEST_APPLESS_MAIN(StreamCaptureTest)
#include "tst_streamcapture.moc"
