// SPDX-License-Identifier: GPL-3.0-or-later
#include <QByteArray>
#include <QtTest>

#include "trace/messagematcher.h"

#include <deque>
#include <map>
#include <random>
#include <tuple>

namespace tst_messagematcher {

using namespace tasuki::trace;

using End = MessageMatcher::End;

/// Ends of messages find each other in the order in which they came.
class MessageMatcherTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void matchesInOrder();
    void keepsEverythingApart();
    void doesAsSimpleQueues();
};

void MessageMatcherTest::matchesInOrder()
{
    MessageMatcher matcher;
    const MessageMatcher::Key key{.from = 1, .to = 2};
    QVERIFY(!matcher.meet(key, End::Sent, {.message = 0, .line = 10}));
    QVERIFY(!matcher.meet(key, End::Sent, {.message = 1, .line = 11}));
    QCOMPARE(matcher.meet(key, End::Received, {.message = 2, .line = 12})->line, 10U);
    QCOMPARE(matcher.meet(key, End::Received, {.message = 2, .line = 13})->message, 1U);
    QVERIFY(!matcher.meet(key, End::Received, {.message = 2, .line = 14}));
    QVERIFY(!matcher.meet(key, End::Received, {.message = 3, .line = 15}));
    QCOMPARE(matcher.meet(key, End::Sent, {.message = 4, .line = 16})->message, 2U);
    QCOMPARE(matcher.waiting().size(), std::size_t(1));
    QCOMPARE(matcher.waiting()[0].line, 15U);
}

void MessageMatcherTest::keepsEverythingApart()
{
    MessageMatcher matcher;
    const MessageMatcher::Key key{.from = 1, .to = 2, .communicator = 3, .tag = 4};
    QVERIFY(!matcher.meet(key, End::Sent, {}));
    for (const MessageMatcher::Key& other :
         {MessageMatcher::Key{2, 2, 3, 4}, MessageMatcher::Key{1, 1, 3, 4},
          MessageMatcher::Key{1, 2, 4, 4}, MessageMatcher::Key{1, 2, 3, -4},
          MessageMatcher::Key{2, 1, 3, 4}})
        QVERIFY(!matcher.meet(other, End::Received, {}));
    QVERIFY(matcher.meet(key, End::Received, {}).has_value());
}

void MessageMatcherTest::doesAsSimpleQueues()
{
    std::mt19937 random(7);
    MessageMatcher matcher;
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::int32_t>;
    std::map<Key, std::deque<std::uint32_t>> sent;
    std::map<Key, std::deque<std::uint32_t>> received;
    for (std::uint32_t number = 0; number < 50'000; ++number) {
        // Few keys at first, then many that are used once or twice.
        const std::uint32_t range = number < 20'000 ? 3 : 40;
        const auto below = [&] { return static_cast<std::uint32_t>(random() % range); };
        const MessageMatcher::Key key{.from = below(),
                                      .to = below(),
                                      .communicator = below() % 2,
                                      .tag = static_cast<std::int32_t>(below())};
        const Key plain{key.from, key.to, key.communicator, key.tag};
        const bool isSend = random() % 2 == 0;
        auto& others = isSend ? received[plain] : sent[plain];
        const auto found = matcher.meet(key, isSend ? End::Sent : End::Received,
                                        {.message = number, .line = number + 1});
        QCOMPARE(found.has_value(), !others.empty());
        if (found) {
            QCOMPARE(found->message, others.front());
            QCOMPARE(found->line, others.front() + 1);
            others.pop_front();
        } else {
            (isSend ? sent : received)[plain].push_back(number);
        }
    }
    std::size_t left = 0;
    for (const auto* ends : {&sent, &received}) {
        for (const auto& [key, queue] : *ends)
            left += queue.size();
    }
    const auto waiting = matcher.waiting();
    QCOMPARE(waiting.size(), left);
    QVERIFY(std::ranges::is_sorted(waiting, {}, &MessageMatcher::Waiter::line));
}

QTEST_APPLESS_MAIN(MessageMatcherTest)

} // namespace tst_messagematcher

#include "tst_messagematcher.moc"
