// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "topology/linediff.h"

#include <random>

namespace tst_linediff {

using namespace tasuki;

namespace {

/// @return the lines with a sign before each: "=a -b +c"
QString signedText(const std::vector<DiffLine>& lines)
{
    QStringList out;
    for (const DiffLine& line : lines) {
        const char* sign = line.kind == DiffLine::Kind::Same ? "="
            : line.kind == DiffLine::Kind::Added             ? "+"
                                                             : "-";
        out << QLatin1String(sign) + QString::fromStdString(line.text);
    }
    return out.join(QLatin1Char(' '));
}

std::string joined(const std::vector<DiffLine>& lines, DiffLine::Kind left)
{
    std::string text;
    for (const DiffLine& line : lines) {
        if (line.kind != left)
            text += line.text + '\n';
    }
    return text;
}

/// The longest common subsequence by the table that every textbook has.
std::size_t commonLines(const std::string& a, const std::string& b)
{
    const auto count = [](const std::string& text) { return text.size() / 2; };
    std::vector<std::vector<std::size_t>> best(count(a) + 1,
                                               std::vector<std::size_t>(count(b) + 1, 0));
    for (std::size_t i = 1; i <= count(a); ++i) {
        for (std::size_t j = 1; j <= count(b); ++j) {
            best[i][j] = a[2 * i - 2] == b[2 * j - 2] ? best[i - 1][j - 1] + 1
                                                      : std::max(best[i - 1][j], best[i][j - 1]);
        }
    }
    return best.back().back();
}

} // namespace

/// What breaks it: lines that are lost or told to stay though they go, more differences than there
/// are.
class TestLineDiff : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsWhatChanges_data();
    void tellsWhatChanges();
    void isAsShortAsCanBe();
    void givesUpOnTooMany();
};

void TestLineDiff::tellsWhatChanges_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* before, const char* after,
                        const char* expected) {
        QTest::newRow(name) << QByteArray(before) << QByteArray(after)
                            << QString::fromLatin1(expected);
    };
    row("nothing at all", "", "", "");
    row("same", "a\nb\n", "a\nb\n", "=a =b");
    row("end of line at the end", "a\nb", "a\nb\n", "=a =b");
    row("carriage returns", "a\r\nb\r\n", "a\nb\n", "=a =b");
    row("all new", "", "a\nb\n", "+a +b");
    row("all gone", "a\nb\n", "", "-a -b");
    row("changed line", "a\nb\nc\n", "a\nx\nc\n", "=a -b +x =c");
    row("added line", "a\nc\n", "a\nb\nc\n", "=a +b =c");
    row("removed line", "a\nb\nc\n", "a\nc\n", "=a -b =c");
    row("removed before added", "a\nb\nc\nd\n", "a\nx\ny\nd\n", "=a -b -c +x +y =d");
    row("moved line", "a\nb\nc\n", "b\nc\na\n", "-a =b =c +a");
    row("empty lines", "a\n\nb\n", "a\n\n\nb\n", "=a = + =b");
    row("repeated lines", "a\na\na\n", "a\na\n", "=a =a -a");
}

void TestLineDiff::tellsWhatChanges()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(QString, expected);
    QCOMPARE(signedText(lineDiff(before.toStdString(), after.toStdString())), expected);
}

void TestLineDiff::isAsShortAsCanBe()
{
    std::mt19937 random(7); // NOLINT: the same each time
    for (int round = 0; round < 300; ++round) {
        const auto text = [&random] {
            std::string lines;
            for (std::size_t i = random() % 30; i > 0; --i)
                lines += std::string(1, static_cast<char>('a' + random() % 4)) + '\n';
            return lines;
        };
        const std::string before = text();
        const std::string after = text();
        const std::vector<DiffLine> lines = lineDiff(before, after);
        QCOMPARE(joined(lines, DiffLine::Kind::Added), before);
        QCOMPARE(joined(lines, DiffLine::Kind::Removed), after);
        const auto same = static_cast<std::size_t>(
            std::ranges::count(lines, DiffLine::Kind::Same, &DiffLine::kind));
        QCOMPARE(same, commonLines(before, after));
    }
}

void TestLineDiff::givesUpOnTooMany()
{
    std::string before = "head\n";
    std::string after = "head\n";
    for (int i = 0; i < 3000; ++i) {
        before += "old " + std::to_string(i) + '\n';
        after += "new " + std::to_string(i) + '\n';
    }
    before += "tail\n";
    after += "tail\n";
    const std::vector<DiffLine> lines = lineDiff(before, after);
    QCOMPARE(lines.size(), std::size_t{6002});
    QCOMPARE(lines.front().kind, DiffLine::Kind::Same);
    QCOMPARE(lines.back().kind, DiffLine::Kind::Same);
    QCOMPARE(joined(lines, DiffLine::Kind::Added), before);
    QCOMPARE(joined(lines, DiffLine::Kind::Removed), after);
}

QTEST_APPLESS_MAIN(TestLineDiff)

} // namespace tst_linediff

#include "tst_linediff.moc"
