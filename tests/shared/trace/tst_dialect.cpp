// SPDX-License-Identifier: GPL-3.0-or-later
#include <QByteArray>
#include <QtTest>

#include "trace/dialect.h"

#include <string>

namespace tst_dialect {

using namespace tasuki::trace;

namespace {

/// 'p' and 's' for plain and shifted.
std::string chosen(std::optional<std::int64_t> before, const std::vector<TimeChoice>& lines,
                   std::optional<std::int64_t> after)
{
    std::string text;
    for (const bool shifted : chooseShifted(before, lines, after))
        text += shifted ? 's' : 'p';
    return text;
}

} // namespace

/// How lines with two readings are decided by their neighbours' times.
class DialectTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void takesTheNearer_data();
    void takesTheNearer();
};

void DialectTest::takesTheNearer_data()
{
    using Lines = std::vector<TimeChoice>;
    QTest::addColumn<std::string>("found");
    QTest::addColumn<std::string>("expected");
    const auto row = [](const char* name, const std::string& found, const char* expected) {
        QTest::newRow(name) << found << std::string(expected);
    };
    const std::optional<std::int64_t> nothing;
    row("nothing to decide", chosen(1, {}, 2), "");
    row("the paper's fourth line", chosen(1395, {{1, 1575}}, 2158), "s");
    row("the paper's last line", chosen(2158, {{1, 2198}}, nothing), "s");
    row("a comment that is a number", chosen(1395, {{1575, 1}}, 2158), "p");
    row("a large comment", chosen(1395, {{1575, 9'000'000}}, 2158), "p");
    row("a large comment at the end", chosen(1395, {{1575, 9'000'000}}, nothing), "p");
    row("both fit: plain", chosen(1000, {{1500, 1600}}, 2000), "p");
    row("nothing around: plain", chosen(nothing, {{5, 1575}}, nothing), "p");
    row("the first line", chosen(nothing, {{1, 1100}}, 1200), "s");
    row("the first line, plain", chosen(nothing, {{1100, 1}}, 1200), "p");

    const Lines shifted{{1, 1200}, {1, 1300}, {1, 90'000}, {1, 90'100}};
    row("lines of one dialect", chosen(1189, shifted, 90'200), "ssss");
    row("lines of one dialect, open end", chosen(1189, shifted, nothing), "ssss");
    row("a whole log of it", chosen(nothing, shifted, nothing), "ssss");
    row("a log that begins with it", chosen(nothing, shifted, 90'200), "ssss");
    const Lines numbered{{1200, 1}, {1300, 2}, {90'000, 3}, {90'100, 4}};
    row("plain lines with numbers", chosen(1189, numbered, 90'200), "pppp");
    row("plain lines with numbers, open end", chosen(1189, numbered, nothing), "pppp");
    row("a whole log with numbers", chosen(nothing, numbered, nothing), "pppp");
    const Lines noisy{{1200, 80}, {1300, 3}, {1400, 77}, {1500, 5}};
    row("plain lines with noise", chosen(nothing, noisy, nothing), "pppp");
    row("both dialects", chosen(1000, {{1, 1100}, {1200, 7}, {1, 1300}}, 1400), "sps");
    row("clocks that differ a little", chosen(1000, {{1, 995}, {1, 1010}, {1, 1005}}, 1003), "sss");
    row("clocks that differ at the begin", chosen(nothing, {{1, 1010}, {1, 1005}}, 1020), "ss");
}

void DialectTest::takesTheNearer()
{
    QFETCH(std::string, found);
    QFETCH(std::string, expected);
    QCOMPARE(found, expected);
}

QTEST_APPLESS_MAIN(DialectTest)

} // namespace tst_dialect

#include "tst_dialect.moc"
