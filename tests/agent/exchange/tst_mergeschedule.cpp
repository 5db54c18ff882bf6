// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "exchange/schedule.h"

#include <numeric>
#include <set>

namespace tst_mergeschedule {

using namespace tasuki::merge;

/// Who tells whom. What breaks it: a rank that has not heard of another one after the last round,
/// or a step whose two ends do not agree.
class TestMergeSchedule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everybodyHearsOfEverybody();
    void looksLikeTheArticle();
    void ways();
};

void TestMergeSchedule::everybodyHearsOfEverybody()
{
    for (std::size_t members = 1; members <= 70; ++members) {
        for (const std::uint64_t bytes : {std::uint64_t{10}, std::uint64_t{1} << 30U}) {
            const Schedule schedule = chooseSchedule(members, bytes).schedule;
            std::vector<std::vector<Step>> steps;
            for (std::size_t position = 0; position < members; ++position)
                steps.push_back(stepsOf(schedule, members, position));
            // knows[k][p]: of whom p had heard when round k began.
            std::vector<std::vector<std::set<std::size_t>>> knows(1);
            for (std::size_t position = 0; position < members; ++position)
                knows[0].push_back({position});
            for (std::size_t round = 0; round < steps[0].size(); ++round) {
                knows.push_back(knows[round]);
                for (std::size_t position = 0; position < members; ++position) {
                    const Step& step = steps[position][round];
                    QCOMPARE(steps[step.to][round].from, position);
                    QVERIFY(step.map <= round);
                    const auto& told = knows[step.map][position];
                    knows[round + 1][step.to].insert(told.begin(), told.end());
                }
            }
            for (const auto& heard : knows.back())
                QCOMPARE(heard.size(), members);
        }
    }
}

void TestMergeSchedule::looksLikeTheArticle()
{
    std::vector<int> ranks(8);
    std::iota(ranks.begin(), ranks.end(), 0);
    const Schedule butterfly{.pattern = Pattern::Butterfly};
    QCOMPARE(describeRound(butterfly, ranks, 0), std::string("step:0 (0,1) (2,3) (4,5) (6,7)"));
    QCOMPARE(describeRound(butterfly, ranks, 1), std::string("step:1 (0,2) (1,3) (4,6) (5,7)"));
    QCOMPARE(describeRound(butterfly, ranks, 2), std::string("step:2 (0,4) (1,5) (2,6) (3,7)"));
}

void TestMergeSchedule::ways()
{
    const Schedule dissemination{.pattern = Pattern::Dissemination};
    QCOMPARE(describeRound(dissemination, {0, 2, 5}, 0), std::string("step:0 (0>2) (2>5) (5>0)"));
    QCOMPARE(describeRound(dissemination, {0, 2, 5}, 1), std::string("step:1 (0>5) (2>0) (5>2)"));
    QVERIFY(chooseSchedule(4, 0).schedule.pattern == Pattern::Butterfly);
    QVERIFY(chooseSchedule(12, 0).schedule.pattern == Pattern::Dissemination);
    QVERIFY(!chooseSchedule(12, 0).schedule.sparing);
    QVERIFY(chooseSchedule(12, std::uint64_t{1} << 40U).schedule.sparing);
}

QTEST_APPLESS_MAIN(TestMergeSchedule)

} // namespace tst_mergeschedule

#include "tst_mergeschedule.moc"
