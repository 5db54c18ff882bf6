// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "merge/number.h"

namespace tst_mergenumber {

using namespace tasuki::merge;

class TestMergeNumber : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reads_data();
    void reads();
    void adds();
    void decimalsOfAnySizeCompare();
};

void TestMergeNumber::reads_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("number");
    for (const char* text :
         {"0", "-1", "007", "0.25", "1e9", "-2.5E-3", ".5", "9223372036854775808"})
        QTest::newRow(text) << QByteArray(text) << true;
    for (const char* text :
         {"", "-", "+1", " 1", "1 ", "0x10", "1,5", "inf", "nan", "1e999", "one"})
        QTest::addRow("'%s'", text) << QByteArray(text) << false;
    QTest::newRow("a zero byte") << QByteArray("1\0", 2) << false;
}

void TestMergeNumber::reads()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, number);
    QCOMPARE(parseNumber(text.toStdString()).has_value(), number);
    if (number)
        QCOMPARE(static_cast<double>(*parseNumber(text.toStdString())), text.toDouble());
}

void TestMergeNumber::adds()
{
    const auto sum = [](std::initializer_list<std::string_view> parts) {
        Total total;
        for (const std::string_view part : parts) {
            if (!total.add(part))
                return std::string("no number");
        }
        return total.text();
    };
    QCOMPARE(sum({}), std::string("0"));
    QCOMPARE(sum({"9007199254740993", "1"}), std::string("9007199254740994"));
    QCOMPARE(sum({"-9223372036854775808", "-9223372036854775808"}),
             std::string("-18446744073709551616"));
    QCOMPARE(sum({"5", "-5"}), std::string("0"));
    QCOMPARE(sum({"0.5", "1"}), std::string("1.5"));
    QCOMPARE(sum({"1", "two"}), std::string("no number"));
}

// Fails if numbers are compared as doubles, or if a text is a number here that is none elsewhere.
void TestMergeNumber::decimalsOfAnySizeCompare()
{
    const char* const ascending[] = {"-1e1000",
                                     "-1e400",
                                     "-12.5",
                                     "-12.4999",
                                     "-1e-400",
                                     "0",
                                     "1e-1000",
                                     "1e-400",
                                     "0.0010",
                                     "0.01",
                                     "1.5",
                                     "15.000001",
                                     "9007199254740992",
                                     "9007199254740993",
                                     "1e400",
                                     "10.1e399",
                                     "1e99999999999999999999"};
    for (std::size_t i = 0; i < std::size(ascending); ++i) {
        for (std::size_t j = 0; j < std::size(ascending); ++j) {
            const auto left = Decimal::parse(ascending[i]);
            const auto right = Decimal::parse(ascending[j]);
            QVERIFY2(left && right, ascending[i]);
            QVERIFY2((*left <=> *right) == (i <=> j), ascending[j]);
        }
    }
    for (const auto& [left, right] : {std::pair("1e400", "10E399"),
                                      {"0.001", "1e-3"},
                                      {"-0", "0e5"},
                                      {"007.50", "7.5"},
                                      {"12.", "1.2e+1"},
                                      {".5", "0.50"}})
        QVERIFY2(Decimal::parse(left) == Decimal::parse(right), left);
    for (const char* text : {"", "-", "+1", " 1", "1 ", "0x10", "1,5", "inf", "nan", "one", ".",
                             "1e", "1e+", "e5", "1.2.3", "--1", "1e5.0", "-e5"})
        QVERIFY2(!Decimal::parse(text), text);
}

QTEST_GUILESS_MAIN(TestMergeNumber)

} // namespace tst_mergenumber

#include "tst_mergenumber.moc"
