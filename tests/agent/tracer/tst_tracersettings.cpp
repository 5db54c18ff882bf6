// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tracer/settings.h"

#include <map>

namespace tst_tracersettings {

using namespace tasuki::tracer;

namespace {

Settings read(const std::map<std::string, const char*>& variables)
{
    return readSettings(
        [&variables](const char* name) {
            const auto found = variables.find(name);
            return found == variables.end() ? nullptr : found->second;
        },
        "/home/somebody");
}

} // namespace

/// What the environment asks for. What breaks it: another default, a wrong value that is taken or not
/// told.
class TestTracerSettings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void defaults();
    void values();
    void filesAreAbsolute();
    void wrongValuesAreTold_data();
    void wrongValuesAreTold();
};

void TestTracerSettings::defaults()
{
    for (const auto& settings :
         {read({}), read({{"TASUKI_ALOG", ""}, {"TASUKI_ALOG_MEMORY", ""}})}) {
        QCOMPARE(settings.file, std::string("/home/somebody/trace.alog"));
        QCOMPARE(settings.memoryMiB, 64U);
        QVERIFY(!settings.verbose);
        QVERIFY(!settings.measureAllClocks);
        QVERIFY(settings.complaints.empty());
    }
}

void TestTracerSettings::values()
{
    const Settings settings = read({{"TASUKI_ALOG", "/tmp/x"},
                                    {"TASUKI_ALOG_MEMORY", "2"},
                                    {"TASUKI_ALOG_VERBOSE", "1"},
                                    {"TASUKI_ALOG_CLOCK", "measure"}});
    QCOMPARE(settings.file, std::string("/tmp/x"));
    QCOMPARE(settings.memoryMiB, 2U);
    QVERIFY(settings.verbose);
    QVERIFY(settings.measureAllClocks);
    QVERIFY(settings.complaints.empty());
    const Settings off = read({{"TASUKI_ALOG_VERBOSE", "0"}, {"TASUKI_ALOG_CLOCK", "auto"}});
    QVERIFY(!off.verbose && !off.measureAllClocks && off.complaints.empty());
}

void TestTracerSettings::filesAreAbsolute()
{
    QCOMPARE(read({{"TASUKI_ALOG", "logs/a"}}).file, std::string("/home/somebody/logs/a"));
}

void TestTracerSettings::wrongValuesAreTold_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("value");
    for (const char* value : {"much", "1", "-3", "64MiB", "99999999999", "1048577", " 64"})
        QTest::addRow("memory %s", value) << QByteArray("TASUKI_ALOG_MEMORY") << QByteArray(value);
    QTest::newRow("verbose") << QByteArray("TASUKI_ALOG_VERBOSE") << QByteArray("yes");
    QTest::newRow("clock") << QByteArray("TASUKI_ALOG_CLOCK") << QByteArray("atomic");
}

void TestTracerSettings::wrongValuesAreTold()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, value);
    const Settings settings = read({{name.toStdString(), value.constData()}});
    QCOMPARE(settings.memoryMiB, 64U);
    QVERIFY(!settings.verbose && !settings.measureAllClocks);
    QCOMPARE(settings.complaints.size(), std::size_t{1});
    const std::string expected = (name + "='" + value + "' is ignored; expected ").toStdString();
    QVERIFY2(settings.complaints[0].starts_with(expected), settings.complaints[0].c_str());
}

QTEST_APPLESS_MAIN(TestTracerSettings)

} // namespace tst_tracersettings

#include "tst_tracersettings.moc"
