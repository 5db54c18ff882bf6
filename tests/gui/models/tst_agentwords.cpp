// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "models/agentwords.h"
#include "models/patternwords.h"

namespace tst_agentwords {

using namespace tasuki;

/// What breaks it: words of agents that are taken for others, or that come out changed when there is
/// no translation.
class TestAgentWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void takesApart_data();
    void takesApart();
    void staysInEnglish_data();
    void staysInEnglish();
    void patternsAreWhatTheyAreTakenFor();
};

void TestAgentWords::takesApart_data()
{
    QTest::addColumn<QString>("english");
    QTest::addColumn<QString>("pattern");
    QTest::newRow("number") << "processor 12 is being ended"
                            << "processor %1 is being ended";
    QTest::newRow("quoted") << R"(subcluster "a 1": "io" stays)"
                            << "subcluster %1: %2 stays";
    QTest::newRow("parentheses") << "needs 12 processors (a 6, b 6), not 3"
                                 << "needs %1 processors %2, not %3";
    QTest::newRow("list") << "did you mean \"a\"? There are a1, b2"
                          << "did you mean %1? There are %2";
    QTest::newRow("operator") << "hana@desk drains processor 3 (node0)"
                              << "%1 drains processor %2 %3";
    QTest::newRow("nothing") << "the run is ending"
                             << "the run is ending";
}

void TestAgentWords::takesApart()
{
    QFETCH(QString, english);
    QFETCH(QString, pattern);
    QCOMPARE(patternwords::takeApart(english.toStdString()).pattern, pattern);
    QCOMPARE(patternwords::translated(english.toStdString(), "NoContext"), english);
}

void TestAgentWords::staysInEnglish_data()
{
    QTest::addColumn<QString>("english");
    for (const char* text :
         {"2 ranks are held",
          "the topology has been changed meanwhile; look at the new one and "
          "change that",
          "processor 3 is drained already", "something new; nobody knows what",
          R"(subcluster "a": "io" cannot be changed while the run goes on; change roles of )"
          "processors instead, or end the run and resume it with the new topology"})
        QTest::newRow(text) << text;
}

void TestAgentWords::staysInEnglish()
{
    QFETCH(QString, english);
    QCOMPARE(agentwords::translated(english.toStdString()), english);
}

// A pattern whose own words would be taken for a part is never found.
void TestAgentWords::patternsAreWhatTheyAreTakenFor()
{
    for (const char* pattern : agentwords::patterns()) {
        QString english = QString::fromLatin1(pattern);
        for (int part = 1; part < 10; ++part)
            english.replace(QStringLiteral("%%1").arg(part), QStringLiteral("\"%1\"").arg(part));
        QCOMPARE(patternwords::takeApart(english.toStdString()).pattern,
                 QString::fromLatin1(pattern));
    }
}

QTEST_APPLESS_MAIN(TestAgentWords)

} // namespace tst_agentwords

#include "tst_agentwords.moc"
