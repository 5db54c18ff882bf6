// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasklist/duration.h"

#include <QtTest>

#include <random>

namespace tst_duration {

using namespace tasuki;

class DurationTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void writes_data();
    void writes();
    void readsBackWhatItWrote();
};

void DurationTest::reads_data()
{
    QTest::addColumn<qint64>("milliseconds");
    QTest::newRow("500ms") << qint64(500);
    QTest::newRow("10s") << qint64(10'000);
    QTest::newRow("1.5s") << qint64(1'500);
    QTest::newRow("10m") << qint64(600'000);
    QTest::newRow("2h") << qint64(7'200'000);
    QTest::newRow("1d") << qint64(86'400'000);
    QTest::newRow("1h30m") << qint64(5'400'000);
    QTest::newRow("1d2h3m4s5ms") << qint64(93'784'005);
    QTest::newRow("1m0.5s") << qint64(60'500);
    QTest::newRow("90") << qint64(90'000);
    QTest::newRow("0.25") << qint64(250);
    QTest::newRow("0.1d") << qint64(8'640'000);
    QTest::newRow("0.0001s") << qint64(1);
    QTest::newRow("1.00000000000000000001s") << qint64(1'001);
    QTest::newRow("0.3333333333h") << qint64(1'200'000);
    QTest::newRow("0000000000000000000000010s") << qint64(10'000);
    QTest::newRow("36500d") << qint64(3'153'600'000'000);
}

void DurationTest::reads()
{
    QFETCH(qint64, milliseconds);
    const auto duration = parseDuration(QTest::currentDataTag());
    QVERIFY2(duration.ok(), duration.ok() ? "" : duration.error().text().c_str());
    QCOMPARE(qint64(duration->count()), milliseconds);
}

void DurationTest::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("why");
    const auto row = [](const char* text, const char* why) {
        QTest::newRow(*text ? text : "empty") << QByteArray(text) << QByteArray(why);
    };
    row("", "it is empty");
    row("-1s", "it is negative");
    row("0", "it must be more than zero");
    row("0s", "it must be more than zero");
    row("0h0m", "it must be more than zero");
    row("s", "a number was expected");
    row(".5s", "a number was expected");
    row("+5s", "a number was expected");
    row(" 5s", "a number was expected");
    row("soon", "a number was expected");
    row("5 s", "the units are d, h, m, s and ms");
    row("5s ", "the units are d, h, m, s and ms");
    row("5min", "the units are d, h, m, s and ms");
    row("5M", "the units are d, h, m, s and ms");
    row("1.5.5s", "the units are d, h, m, s and ms");
    row("5.s", "a digit is missing after the point");
    row("5.", "a digit is missing after the point");
    row("1h30", "the last number has no unit");
    row("30m1h", "units go from large to small, each once");
    row("1m2m", "units go from large to small, each once");
    row("1.5h30m", "only the last part may have a fraction");
    row("36501d", "it is more than 36500d");
    row("36500d1ms", "it is more than 36500d");
    row("9223372036854775807", "it is more than 36500d");
    row("9223372036854775808", "it is more than 36500d");
    row("99999999999999999999999999999999d", "it is more than 36500d");
    row("36499.99999999999999999999999d1s", "only the last part");
}

void DurationTest::refuses()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, why);
    const auto duration = parseDuration(text.toStdString());
    QVERIFY(!duration.ok());
    QCOMPARE(int(duration.error().kind), int(ErrorKind::Input));
    const QByteArray message = QByteArray::fromStdString(duration.error().message);
    QVERIFY2(message.startsWith("\"" + text + "\" is not a duration: "), message.constData());
    QVERIFY2(message.contains(why), message.constData());
    QVERIFY(!duration.error().remedy.empty());
}

void DurationTest::writes_data()
{
    QTest::addColumn<qint64>("milliseconds");
    QTest::newRow("0s") << qint64(0);
    QTest::newRow("1ms") << qint64(1);
    QTest::newRow("999ms") << qint64(999);
    QTest::newRow("1s") << qint64(1'000);
    QTest::newRow("1.05s") << qint64(1'050);
    QTest::newRow("1m1ms") << qint64(60'001);
    QTest::newRow("10m") << qint64(600'000);
    QTest::newRow("1h30m") << qint64(5'400'000);
    QTest::newRow("1d4.005s") << qint64(86'404'005);
}

void DurationTest::writes()
{
    QFETCH(qint64, milliseconds);
    QCOMPARE(QByteArray::fromStdString(formatDuration(std::chrono::milliseconds(milliseconds))),
             QByteArray(QTest::currentDataTag()));
}

void DurationTest::readsBackWhatItWrote()
{
    const auto seed = std::random_device{}();
    qInfo("seed %u", seed);
    std::mt19937_64 random(seed);
    for (int i = 0; i < 20'000; ++i) {
        // Short and long ones alike: the number of bits is drawn first.
        const auto limit = std::int64_t{1} << (random() % 41);
        const std::chrono::milliseconds duration(
            1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit)));
        const std::string text = formatDuration(duration);
        const auto read = parseDuration(text);
        QVERIFY2(read.ok() && *read == duration, text.c_str());
    }
}

QTEST_APPLESS_MAIN(DurationTest)

} // namespace tst_duration

#include "tst_duration.moc"
