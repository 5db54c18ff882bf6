// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "control/datagramcodec.h"
#include "control/replaywindow.h"

namespace tst_datagramcodec {

using namespace tasuki;
using namespace tasuki::control;
using Verdict = ReplayWindow::Verdict;

namespace {

const DatagramHeader header{.epoch = Epoch(2),
                            .from = ProcessorId(5),
                            .to = ProcessorId(6),
                            .life = Life(3),
                            .number = 0x0102030405060708U};

} // namespace

class tst_DatagramCodec : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsSealedOpens()
    {
        const DatagramCodec codec(RunKey{});
        for (const std::size_t length : {std::size_t{0}, std::size_t{1}, datagramContentBytes}) {
            const std::string content(length, 'x');
            const std::string sealed = codec.seal(header, content);
            QCOMPARE(sealed.size(), datagramHeaderBytes + length + tagBytes);
            const auto opened = codec.open(sealed);
            QVERIFY(opened.flaw == DatagramFlaw::None);
            QVERIFY(opened.header == header);
            QVERIFY(opened.content == content);
        }
        QCOMPARE(codec.seal(header, std::string(datagramContentBytes, 'x')).size(), datagramBytes);
    }

    // Fails if some bit is under no tag, the header's included.
    void everyBitCounts()
    {
        const DatagramCodec codec(RunKey{});
        const std::string sealed = codec.seal(header, "content");
        for (std::size_t bit = 0; bit < sealed.size() * 8; ++bit) {
            std::string damaged = sealed;
            damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
            QVERIFY(codec.open(damaged).flaw != DatagramFlaw::None);
        }
    }

    void everyLengthButItsOwnIsRefused()
    {
        const DatagramCodec codec(RunKey{});
        const std::string sealed = codec.seal(header, "content");
        for (std::size_t length = 0; length < sealed.size(); ++length)
            QVERIFY(codec.open(std::string_view(sealed).substr(0, length)).flaw
                    != DatagramFlaw::None);
        QVERIFY(codec.open(sealed + 'x').flaw == DatagramFlaw::WrongTag);
        QVERIFY(codec.open(std::string(datagramBytes + 1, 'T')).flaw == DatagramFlaw::Malformed);
    }

    void otherKeyAndOtherVersion()
    {
        RunKey other{};
        other[31] = std::byte{1};
        const std::string sealed = DatagramCodec(RunKey{}).seal(header, "content");
        QVERIFY(DatagramCodec(other).open(sealed).flaw == DatagramFlaw::WrongTag);
        std::string newer = sealed;
        newer[4] = 2;
        QVERIFY(DatagramCodec(RunKey{}).open(newer).flaw == DatagramFlaw::OtherVersion);
    }

    void windowTakesEachNumberOnce()
    {
        ReplayWindow window;
        QVERIFY(window.take(0) == Verdict::TooOld); // numbers are from 1
        for (std::uint64_t number = 1; number <= 100; ++number) {
            QVERIFY(window.take(number) == Verdict::Fresh);
            QVERIFY(window.take(number) == Verdict::Replayed);
        }
        QVERIFY(window.take(37) == Verdict::Replayed); // 63 behind
        QVERIFY(window.take(36) == Verdict::TooOld);
    }

    void windowTakesWhatWasOvertaken()
    {
        ReplayWindow window;
        QVERIFY(window.take(10) == Verdict::Fresh);
        QVERIFY(window.take(73) == Verdict::Fresh);
        QVERIFY(window.take(10) == Verdict::Replayed); // the last place of the window
        QVERIFY(window.take(11) == Verdict::Fresh);
        QVERIFY(window.take(11) == Verdict::Replayed);
        QVERIFY(window.take(9) == Verdict::TooOld);
        // A jump farther than the window is wide forgets what it held.
        QVERIFY(window.take(73 + 64) == Verdict::Fresh);
        QVERIFY(window.take(74) == Verdict::Fresh);
        QVERIFY(window.take(73) == Verdict::TooOld);
    }
};

QTEST_APPLESS_MAIN(tst_DatagramCodec)

} // namespace tst_datagramcodec

#include "tst_datagramcodec.moc"
