// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "steering/tailpieces.h"

#include <random>

namespace tst_tailpieces {

using namespace tasuki;
using namespace tasuki::steering;

/// What breaks it: output that comes twice, or not, after a lost link.
class TestTailPieces : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void places()
    {
        const TailPlace place{3, 10, 1'000'000'000'000};
        QVERIFY(tailPlaceOf(tailPlaceText(place)) == place);
        for (const char* wrong : {"", "1", "1,2", "1,2,3,4", "0,1,2", "-1,2,3", "1,2,x", "1,2,3 "})
            QVERIFY2(!tailPlaceOf(wrong), wrong);
    }

    /// However the bytes are cut.
    void pieces()
    {
        std::vector<TailPiece> sent;
        std::string bytes;
        for (std::uint32_t i = 0; i < 50; ++i) {
            sent.push_back({static_cast<TailPiece::Stream>(i % 3),
                            {1 + i / 10, i * 7U, i},
                            std::string(i * 31 % 200, '\n') + "output 1,2,3 4\n"});
            bytes += written(sent.back());
        }
        for (std::uint32_t seed = 1; seed <= 50; ++seed) {
            std::mt19937 random(seed);
            TailPieces pieces;
            std::vector<TailPiece> read;
            for (std::size_t at = 0; at < bytes.size();) {
                const std::size_t size = 1 + random() % 100;
                pieces.feed(std::string_view(bytes).substr(at, size));
                at += size;
                for (auto piece = pieces.next(); piece.value(); piece = pieces.next())
                    read.push_back(*piece.value());
            }
            QVERIFY(read == sent);
        }
    }

    void noPieces_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("another program") << QByteArray("bash: tasuki-agent: not found\n");
        QTest::newRow("numbers") << QByteArray("output 1,2 3\nabc");
        QTest::newRow("too long") << QByteArray("output 1,2,3 99999999999\n");
        QTest::newRow("no end") << QByteArray(5000, 'x');
    }
    void noPieces()
    {
        QFETCH(QByteArray, bytes);
        TailPieces pieces;
        pieces.feed(bytes.toStdString());
        QVERIFY(!pieces.next().ok());
    }
};

QTEST_APPLESS_MAIN(TestTailPieces)

} // namespace tst_tailpieces

#include "tst_tailpieces.moc"
