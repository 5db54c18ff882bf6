// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "models/wording.h"

namespace tst_wording {

using namespace tasuki;
using namespace std::chrono_literals;

class TestWording : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void mnemonicsGo_data();
    void mnemonicsGo();
    void durations();
    void bytesThatAreNoText();
};

void TestWording::mnemonicsGo_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("name");
    QTest::newRow("English") << QStringLiteral("&Open...") << QStringLiteral("Open...");
    QTest::newRow("Japanese") << QStringLiteral("開く(&O)...") << QStringLiteral("開く...");
    QTest::newRow("none") << QStringLiteral("Add (all)") << QStringLiteral("Add (all)");
}

void TestWording::mnemonicsGo()
{
    QFETCH(QString, text);
    QFETCH(QString, name);
    QCOMPARE(wording::withoutMnemonic(text), name);
}

void TestWording::durations()
{
    QLocale::setDefault(QLocale::c());
    QCOMPARE(wording::duration(std::nullopt), QStringLiteral("-"));
    QCOMPARE(wording::duration(12ms), QStringLiteral("12 ms"));
    QCOMPARE(wording::duration(3210ms), QStringLiteral("3.21 s"));
    QCOMPARE(wording::duration(62min), QStringLiteral("1 h 02 min"));
}

void TestWording::bytesThatAreNoText()
{
    QCOMPARE(wording::text("a\xff"
                           "b"),
             QStringLiteral("a\uFFFDb"));
}

QTEST_GUILESS_MAIN(TestWording)

} // namespace tst_wording

#include "tst_wording.moc"
