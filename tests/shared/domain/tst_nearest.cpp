// SPDX-License-Identifier: GPL-3.0-or-later
#include "domain/nearest.h"

#include <QtTest>

#include <string>
#include <vector>

namespace tst_nearest {

using namespace tasuki;

class NearestTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void distance_data();
    void distance();
    void nearest();
};

void NearestTest::distance_data()
{
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    QTest::addColumn<int>("distance");
    QTest::newRow("same") << QByteArray("after") << QByteArray("after") << 0;
    QTest::newRow("capitals") << QByteArray("AFTER") << QByteArray("after") << 0;
    QTest::newRow("inserted") << QByteArray("aftter") << QByteArray("after") << 1;
    QTest::newRow("missing") << QByteArray("ater") << QByteArray("after") << 1;
    QTest::newRow("replaced") << QByteArray("aftar") << QByteArray("after") << 1;
    QTest::newRow("swapped") << QByteArray("afetr") << QByteArray("after") << 1;
    QTest::newRow("several") << QByteArray("kitten") << QByteArray("sitting") << 3;
    QTest::newRow("empty") << QByteArray("") << QByteArray("abc") << 3;
    QTest::newRow("limited") << QByteArray("abcdefghijkl") << QByteArray("mnopqrstuvwx") << 11;
    QTest::newRow("length") << QByteArray("abcdefghijklm") << QByteArray("a") << 11;
}

void NearestTest::distance()
{
    QFETCH(QByteArray, a);
    QFETCH(QByteArray, b);
    QFETCH(int, distance);
    QCOMPARE(int(editDistance(a.toStdString(), b.toStdString(), 10)), distance);
    QCOMPARE(int(editDistance(b.toStdString(), a.toStdString(), 10)), distance);
}

void NearestTest::nearest()
{
    const std::vector<std::string> names{"retries", "timeout", "label", "after"};
    QCOMPARE(std::string(nearestName("retry", names)), std::string("retries"));
    QCOMPARE(std::string(nearestName("Timeuot", names)), std::string("timeout"));
    QCOMPARE(std::string(nearestName("lable", names)), std::string("label"));
    QCOMPARE(std::string(nearestName("", names)), std::string("label"));
    QCOMPARE(std::string(nearestName("zzzzzzzzzzzzzzzzzzzzzzzz", names)), std::string("retries"));
}

QTEST_APPLESS_MAIN(NearestTest)

} // namespace tst_nearest

#include "tst_nearest.moc"
