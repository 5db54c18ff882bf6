// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "world/matching.h"

#include <deque>
#include <random>
#include <vector>

namespace tst_messagematching {

using namespace tasuki::world;

namespace {

using Pairs = Matching<int, int>;

/// What MPI says, written as simply as can be: a list of messages and a list of receives, each searched from the begin.
struct Plain {
    std::deque<std::pair<Envelope, int>> messages;
    std::deque<std::pair<Pattern, int>> receives;

    int arrive(const Envelope& envelope, int message)
    {
        for (auto one = receives.begin(); one != receives.end(); ++one) {
            if (one->first.fits(envelope)) {
                const int receive = one->second;
                receives.erase(one);
                return receive;
            }
        }
        messages.emplace_back(envelope, message);
        return -1;
    }
    int post(const Pattern& pattern, int receive)
    {
        for (auto one = messages.begin(); one != messages.end(); ++one) {
            if (pattern.fits(one->first)) {
                const int message = one->second;
                messages.erase(one);
                return message;
            }
        }
        receives.emplace_back(pattern, receive);
        return -1;
    }
};

} // namespace

/// What breaks it: messages of one sender that overtake each other, a receive that takes what an earlier one wants.
class TestMatching : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void patterns()
    {
        QVERIFY((Pattern{1, 2, 3}.fits({1, 2, 3})));
        QVERIFY((Pattern{1, Pattern::any, 3}.fits({1, 7, 3})));
        QVERIFY((Pattern{1, 2, Pattern::any}.fits({1, 2, 9})));
        QVERIFY(!(Pattern{2, 2, 3}.fits({1, 2, 3})));
        QVERIFY(!(Pattern{1, 3, Pattern::any}.fits({1, 2, 3})));
    }

    void asMpiSays()
    {
        std::mt19937 random(7);
        const auto number = [&](std::int32_t below) {
            return static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(below));
        };
        const auto maybeAny = [&](std::int32_t below) {
            return random() % 3 == 0 ? Pattern::any : number(below);
        };
        Pairs matching;
        Plain plain;
        for (int step = 0; step < 200'000; ++step) {
            const std::uint32_t context = random() % 2;
            if (random() % 2 == 0) {
                const Envelope envelope{context, number(3), number(3)};
                const auto taken = matching.arrive(envelope);
                if (!taken)
                    matching.keep(envelope, step);
                QCOMPARE(taken.value_or(-1), plain.arrive(envelope, step));
            } else {
                const Pattern pattern{context, maybeAny(3), maybeAny(3)};
                const auto* seen = matching.look(pattern);
                const int looked = seen == nullptr ? -1 : seen->second;
                const auto found = matching.post(pattern, step);
                QCOMPARE(found ? found->second : -1, plain.post(pattern, step));
                QCOMPARE(looked, found ? found->second : -1);
            }
        }
    }

    void cancelling()
    {
        Pairs matching;
        QVERIFY(!matching.post({5, 1, 1}, 10));
        QVERIFY(!matching.post({5, 1, 1}, 11));
        QVERIFY(matching.cancel(5, 10) && !matching.cancel(5, 10) && !matching.cancel(6, 11));
        QCOMPARE(matching.arrive({5, 1, 1}).value_or(-1), 11);
        QVERIFY(!matching.cancel(5, 11));
    }
};

QTEST_APPLESS_MAIN(TestMatching)

} // namespace tst_messagematching

#include "tst_messagematching.moc"
