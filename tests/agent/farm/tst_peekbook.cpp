// SPDX-License-Identifier: GPL-3.0-or-later
#include "farm/peekbook.h"
#include "schedulertesting.h"

#include <QTest>

#include <vector>

namespace tst_peekbook {

using namespace tasuki;
using namespace tasuki::farm;
using namespace tasuki::farm::testing;

/// What breaks it: an answer that is given twice or never; one that another worker group gives.
class TestPeekBook : public QObject {
    Q_OBJECT

    PeekBook m_book;
    std::vector<OutputAnswer> m_answers;

    void ask(std::uint32_t number, GroupId group, AttemptKey attempt)
    {
        m_book.ask(number, group, attempt,
                   [this](OutputAnswer answer) { m_answers.push_back(std::move(answer)); });
    }
    static Peeked answerTo(std::uint32_t number, AttemptKey attempt)
    {
        return {.number = number, .answer = {.key = attempt, .known = true}};
    }

private Q_SLOTS:
    void init()
    {
        m_book = {};
        m_answers.clear();
    }

    void isAnsweredOnceByWhoWasAsked()
    {
        ask(1, GroupId(1), key(0));
        ask(2, GroupId(1), key(1));
        m_book.answered(GroupId(2), answerTo(1, key(0)));
        m_book.answered(GroupId(1), answerTo(99, key(0)));
        QVERIFY(m_answers.empty());
        m_book.answered(GroupId(1), answerTo(2, key(1)));
        m_book.answered(GroupId(1), answerTo(2, key(1)));
        QCOMPARE(m_answers.size(), 1U);
        QVERIFY(m_answers.front().known);
        QVERIFY(m_answers.front().key == key(1));
    }

    void isGivenUpForOneGroup()
    {
        ask(1, GroupId(1), key(0));
        ask(2, GroupId(2), key(1));
        m_book.giveUp(GroupId(1));
        QCOMPARE(m_answers.size(), 1U);
        QVERIFY(!m_answers.front().known);
        QVERIFY(m_answers.front().key == key(0));
        m_book.answered(GroupId(2), answerTo(2, key(1)));
        QCOMPARE(m_answers.size(), 2U);
    }
};

QTEST_APPLESS_MAIN(TestPeekBook)

} // namespace tst_peekbook

#include "tst_peekbook.moc"
