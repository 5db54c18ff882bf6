// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "config/tomlscan.h"
#include "config/topologyfile.h"

namespace tst_tomlscan {

using namespace tasuki::config;

/// What breaks it: a sign in a string that is taken for a comment, a comment that is not found.
class TestTomlScan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsComments_data();
    void findsComments();
    void findsThoseOfAWrittenFile();
    void findsLongKeys_data();
    void findsLongKeys();
};

void TestTomlScan::findsLongKeys_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("expected"); // -1: none
    const auto row = [](const char* name, const char* text, int expected) {
        QTest::newRow(name) << QByteArray(text) << expected;
    };
    row("nothing", "", -1);
    row("three parts", "a.b.c = 1\n", -1);
    row("four parts", "x = 1\na.b.c.d = 1\n", 6);
    row("with blanks", "a . b\t.c. d = 1\n", 0);
    row("with marks", "\"a\".'b'.c.\"d.e\" = 1\n", 0);
    row("one in marks", "\"a.b.c.d\" = 1\n", -1);
    row("of a table", "[a.b.c.d]\n", 1);
    row("in a value", "x = { a.b.c.d = 1 }\n", 6);
    row("no UTF-8 word", "\xC3\xA9.\xC3\xA9.\xFF.d = 1\n", 0);
    row("in a text", "x = \"a.b.c.d\" # a.b.c.d\n", -1);
    row("in a long text", "x = '''\na.b.c.d\n'''\n", -1);
    row("over lines", "a.b\nc.d\n.e.f\n", -1);
    row("dots alone", "....\n....a = 1\n", -1);
    row("versions", "x = [1.2, 3.4, 5.6]\ny = 1.2e3\n", -1);
}

void TestTomlScan::findsLongKeys()
{
    QFETCH(QByteArray, text);
    QFETCH(int, expected);
    const auto found = longTomlKey(text.toStdString(), 3);
    QCOMPARE(found ? static_cast<int>(*found) : -1, expected);
}

void TestTomlScan::findsComments_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* name, const char* text, const char* expected) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(expected);
    };
    row("nothing", "", "");
    row("own line", "# a b \nx = 1\n", "a b|");
    row("behind a value", "x = 1 #y\r\n", "y|");
    row("without an end of line", "x = 1 # y", "y|");
    row("empty ones", "#\n# \t\nx = 1\n", "");
    row("sign in a string", "x = \"a # b\" # c\n", "c|");
    row("sign in a literal", "x = 'a # \\' # c\n", "c|");
    row("escaped mark", "x = \"a \\\" # b\" # c\n", "c|");
    row("long string", "x = \"\"\"\n# a \"\" \\\" # \n\"\"\" # c\n", "c|");
    row("long literal", "x = '''\n# a '' \n''' # c\n", "c|");
    row("empty string", "x = \"\" # c\n", "c|");
    row("string without an end", "x = \"a # b\n# c\n", "c|");
    row("several", "# a\n[t] # b\nx = [1, # c\n2] # d\n", "a|b|c|d|");
}

void TestTomlScan::findsComments()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    QByteArray found;
    for (const std::string& comment : tomlComments(text.toStdString()))
        found += QByteArray::fromStdString(comment) + '|';
    QCOMPARE(found, expected);
}

void TestTomlScan::findsThoseOfAWrittenFile()
{
    const std::vector<std::string> found = tomlComments(topologyFileText(defaultTopology(4, true)));
    QCOMPARE(found.size(), std::size_t{12});
    QCOMPARE(found.front(),
             std::string("Subclusters and their processors; tasuki-agent check "
                         "draws them."));
}

QTEST_APPLESS_MAIN(TestTomlScan)

} // namespace tst_tomlscan

#include "tst_tomlscan.moc"
