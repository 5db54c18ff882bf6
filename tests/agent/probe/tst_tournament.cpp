// SPDX-License-Identifier: GPL-3.0-or-later
#include "probe/tournament.h"

#include <QTest>
#include <set>

namespace tst_tournament {

using namespace tasuki::probe;

class TestTournament : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void four();
    void everyPairOnceAndNobodyTwiceInARound();
};

void TestTournament::four()
{
    const std::vector<std::vector<Pairing>> expected{
        {{0, 3}, {1, 2}}, {{1, 3}, {0, 2}}, {{2, 3}, {0, 1}}};
    QVERIFY(tournament(4) == expected);
}

void TestTournament::everyPairOnceAndNobodyTwiceInARound()
{
    for (std::size_t count = 0; count <= 33; ++count) {
        const auto rounds = tournament(count);
        const std::size_t fewest = count < 2 ? 0 : count - 1 + count % 2;
        QCOMPARE(rounds.size(), fewest);
        std::set<std::pair<std::size_t, std::size_t>> pairs;
        std::size_t sum = 0;
        for (const auto& round : rounds) {
            std::set<std::size_t> busy;
            for (const Pairing& pair : round) {
                QVERIFY(pair.first < pair.second && pair.second < count);
                QVERIFY(busy.insert(pair.first).second && busy.insert(pair.second).second);
                pairs.emplace(pair.first, pair.second);
                ++sum;
            }
        }
        QCOMPARE(pairs.size(), count < 2 ? 0 : count * (count - 1) / 2);
        QCOMPARE(sum, pairs.size());
    }
}

QTEST_APPLESS_MAIN(TestTournament)

} // namespace tst_tournament

#include "tst_tournament.moc"
