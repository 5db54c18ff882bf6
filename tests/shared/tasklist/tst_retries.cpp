// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasklist/retries.h"

#include <QtTest>

namespace tst_retries {

using namespace tasuki;

class RetriesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void readsBackWhatItWrote();
};

void RetriesTest::reads_data()
{
    QTest::addColumn<QList<int>>("allowed");
    QTest::newRow("2") << QList<int>{2, 2, 2, 9};
    QTest::newRow("0") << QList<int>{0, 0, 0, 9};
    QTest::newRow("exit:2,signal:1,timeout:0,lost:5") << QList<int>{2, 1, 0, 5};
    QTest::newRow("signal:4") << QList<int>{6, 4, 8, 9};
    QTest::newRow("2,lost:0") << QList<int>{2, 2, 2, 0};
    QTest::newRow("exit:1,2") << QList<int>{1, 2, 2, 9};
    QTest::newRow("65535") << QList<int>{65535, 65535, 65535, 9};
}

void RetriesTest::reads()
{
    QFETCH(QList<int>, allowed);
    const auto budget = parseRetries(QTest::currentDataTag(), RetryBudget{.allowed = {6, 7, 8, 9}});
    QVERIFY2(budget.ok(), budget.ok() ? "" : budget.error().text().c_str());
    const auto& got = budget->allowed;
    QCOMPARE(QList<int>(got.begin(), got.end()), allowed);
}

void RetriesTest::refuses_data()
{
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char* text, const char* part, const char* why) {
        QTest::newRow(text) << "\"" + QByteArray(part) + "\" is not a number of retries: " + why;
    };
    const char* number = "a whole number from 0 to 65535 was expected";
    row("x", "x", number);
    row("-1", "-1", number);
    row("1.5", "1.5", number);
    row("2 ", "2 ", number);
    row("2,", "", number);
    row("exit:", "exit:", number);
    row("65536", "65536", "the most is 65535");
    row("99999999999999999999", "99999999999999999999", "the most is 65535");
    row("1,2", "2", "it was set before");
    row("exit:1,exit:1", "exit:1", "it was set before");
    row("exti:1", "exti:1", "there is no cause \"exti\", the nearest is \"exit\"");
    row("2,time:1", "time:1", "there is no cause \"time\", the nearest is \"timeout\"");
}

void RetriesTest::refuses()
{
    QFETCH(QByteArray, message);
    const auto budget = parseRetries(QTest::currentDataTag(), {});
    QVERIFY(!budget.ok());
    QCOMPARE(QByteArray::fromStdString(budget.error().message), message);
    QVERIFY(!budget.error().remedy.empty());
}

void RetriesTest::readsBackWhatItWrote()
{
    const RetryBudget budget{.allowed = {0, 65535, 3, 12}};
    const auto read = parseRetries(formatRetries(budget), RetryBudget{.allowed = {1, 1, 1, 1}});
    QVERIFY(read.ok());
    QCOMPARE(*read, budget);
}

QTEST_APPLESS_MAIN(RetriesTest)

} // namespace tst_retries

#include "tst_retries.moc"
