// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "config/tomlcomments.h"
#include "config/topologyfile.h"

using namespace tasuki::config;

/// What breaks it: a sign in a string that is taken for a comment, a comment that is not found.
class TestTomlComments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsComments_data();
    void findsComments();
    void findsThoseOfAWrittenFile();
};

void TestTomlComments::findsComments_data()
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

void TestTomlComments::findsComments()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    QByteArray found;
    for (const std::string& comment : tomlComments(text.toStdString()))
        found += QByteArray::fromStdString(comment) + '|';
    QCOMPARE(found, expected);
}

void TestTomlComments::findsThoseOfAWrittenFile()
{
    const std::vector<std::string> found = tomlComments(topologyFileText(defaultTopology(4, true)));
    QCOMPARE(found.size(), std::size_t{12});
    QCOMPARE(found.front(),
             std::string("Subclusters and their processors; tasuki-agent check "
                         "draws them."));
}

QTEST_APPLESS_MAIN(TestTomlComments)
#include "tst_tomlcomments.moc"
