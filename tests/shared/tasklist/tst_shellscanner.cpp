// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasklist/shellscanner.h"

#include <QtTest>

namespace tst_shellscanner {

using namespace tasuki;

class ShellScannerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void closed_data();
    void closed();
    void open_data();
    void open();
    void hereDocuments_data();
    void hereDocuments();
    void comments_data();
    void comments();
    void piecesMayEndAnywhere_data();
    void piecesMayEndAnywhere();
};

namespace {

ShellScanner scanned(const QByteArray& command)
{
    ShellScanner scanner;
    scanner.reset();
    scanner.feed(command.toStdString());
    return scanner;
}

std::string_view viewOf(const QByteArray& bytes)
{
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

} // namespace

void ShellScannerTest::closed_data()
{
    QTest::addColumn<QByteArray>("command");
    const char* commands[] = {
        "true",
        "echo 'a \"b' \"c 'd\"",
        R"(echo \' \" \`)",
        R"(echo "a \" b")",
        R"(echo 'a\')",
        "echo don\\'t # don't",
        "echo a # \"",
        "(cd x # it's\n)",
        "echo a#b 'c'",
        "echo $# '#'",
        "echo ${#x} '#'",
        "echo $'it\\'s'",
        "echo $'a\\'", // closed for shells that do not know $'..'
        "echo \"$(echo \"a b\")\"",
        "echo \"$(echo ')')\"",
        "echo \"$(echo \"$(echo 'a')\")\"",
        "echo `echo 'a'`",
        "echo `echo don\\'t`",
        "echo \"`echo \\\"a\\\"`\"",
        "echo ${x:-'a}'}",
        "echo \"${x:-don't}\"",
        "echo \"${x#'\"'}\"",
        "echo \"$(case x in a) echo 'it\"s';; esac)\"",
        "case $x in a) echo 'b';; esac",
        "echo $((1 << 2)) 'a'",
        "echo $(( (1 + 2) * 3 )) \"a\"",
        "echo $((16#ff)) 'a'",
        "echo \"$((x ' + 1\"", // shells differ on quotes in arithmetic
        "echo $(date) # don't",
        "(true)# don't",
        "awk '{ print $1 \"#\" }' x",
        "echo \"a # b\" c",
        "echo $$'a'",
        "echo \"it's $(echo 'a') fine\"",
    };
    for (const char* command : commands)
        QTest::newRow(command) << QByteArray(command);
}

void ShellScannerTest::closed()
{
    QFETCH(QByteArray, command);
    QVERIFY(!scanned(command).openQuote(viewOf(command)));
}

void ShellScannerTest::open_data()
{
    QTest::addColumn<QByteArray>("command");
    QTest::addColumn<int>("offset");
    QTest::addColumn<char>("quote");
    const auto row = [](const char* command, int offset, char quote) {
        QTest::newRow(command) << QByteArray(command) << offset << quote;
    };
    row("echo don't", 8, '\'');
    row("echo \"abc", 5, '"');
    row("echo `date", 5, '`');
    row("echo $'abc", 6, '\'');
    row("echo \"abc\\\"", 5, '"');
    row("echo 'a' 'b", 9, '\'');
    row("echo 'a\\' b'", 11, '\'');
    row("echo \"$(date\"", 5, '"'); // the outermost
    row("echo $(echo 'a)", 12, '\'');
    row("echo \"`date\"", 5, '"');
    row("echo ${x:-'a}", 10, '\'');
    row("echo a#don't", 10, '\'');
    row("echo $#don't", 10, '\'');
    row("echo \\#don't", 10, '\'');
    row("echo $(true)#don't", 16, '\'');
    row("echo \\\\'", 7, '\'');
    row("echo a\\\n# don't", 13, '\''); // the shell joins the word "a#"
}

void ShellScannerTest::open()
{
    QFETCH(QByteArray, command);
    QFETCH(int, offset);
    QFETCH(char, quote);
    const auto found = scanned(command).openQuote(viewOf(command));
    QVERIFY(found.has_value());
    QCOMPARE(int(found->offset), offset);
    QCOMPARE(found->quote, quote);
}

void ShellScannerTest::hereDocuments_data()
{
    QTest::addColumn<int>("offset"); // -1: none
    QTest::newRow("cat <<EOF") << 4;
    QTest::newRow("cat <<-EOF") << 4;
    QTest::newRow("cat <<'EOF' | sort") << 4;
    QTest::newRow("echo $(cat <<EOF)") << 11;
    QTest::newRow("cat <<<word") << -1;
    QTest::newRow("cat < a < b") << -1;
    QTest::newRow("cat <(ls)") << -1;
    QTest::newRow("echo '<<EOF'") << -1;
    QTest::newRow("echo \"<<EOF\"") << -1;
    QTest::newRow("echo \\<<EOF") << -1;
    QTest::newRow("echo a # <<EOF") << -1;
    QTest::newRow("echo $((1<<4))") << -1;
    QTest::newRow("((x = 1 << (2)))") << -1;
}

void ShellScannerTest::hereDocuments()
{
    QFETCH(int, offset);
    const auto found = scanned(QTest::currentDataTag()).hereDocument();
    QCOMPARE(found ? int(*found) : -1, offset);
}

void ShellScannerTest::comments_data()
{
    QTest::addColumn<bool>("inComment");
    QTest::newRow("a # b") << true;
    QTest::newRow("a;# b") << true;
    QTest::newRow("a #") << true;
    QTest::newRow("a \t# b \\") << true;
    QTest::newRow("a# b") << false;
    QTest::newRow("a '# b'") << false;
    QTest::newRow("a \\# b") << false;
    QTest::newRow("a \\ # b") << false; // an escaped blank is part of the word
    QTest::newRow("a \"x\"# b") << false;
    QTest::newRow("a \\\n# b") << true;
}

void ShellScannerTest::comments()
{
    QFETCH(bool, inComment);
    QCOMPARE(scanned(QTest::currentDataTag()).inComment(), inComment);
}

void ShellScannerTest::piecesMayEndAnywhere_data() { open_data(); }

void ShellScannerTest::piecesMayEndAnywhere()
{
    QFETCH(QByteArray, command);
    QFETCH(int, offset);
    for (int cut = 0; cut <= command.size(); ++cut) {
        ShellScanner scanner;
        scanner.feed(viewOf(command).substr(0, static_cast<std::size_t>(cut)));
        scanner.feed(viewOf(command).substr(static_cast<std::size_t>(cut)));
        const auto found = scanner.openQuote(viewOf(command));
        QVERIFY(found.has_value());
        QCOMPARE(int(found->offset), offset);
    }
}

QTEST_APPLESS_MAIN(ShellScannerTest)

} // namespace tst_shellscanner

#include "tst_shellscanner.moc"
