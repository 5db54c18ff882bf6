// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "timeline/axispainter.h"
#include "tracemaker.h"
#include "tracetimeline/logcolour.h"
#include "tracetimeline/tracepalette.h"
#include "tracetimeline/tracetitle.h"

#include <QApplication>

#include <algorithm>
#include <cmath>
#include <set>

namespace tst_tracelook {

using namespace tasuki;

class TestTraceLook : public QObject {
    Q_OBJECT

public:
    /// The numbers asked for are in English.
    static void initMain()
    {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    }

private Q_SLOTS:
    void themes();
    void coloursOfLogs_data();
    void coloursOfLogs();
    void axisLabels_data();
    void axisLabels();
    void titleTellsTheEnd_data();
    void titleTellsTheEnd();
};

void TestTraceLook::themes()
{
    const auto store = smallTrace().store();
    QPalette dark;
    dark.setColor(QPalette::Base, QColor(0x17, 0x1a, 0x1f));
    dark.setColor(QPalette::Window, QColor(0x20, 0x24, 0x2b));
    QPalette light;
    light.setColor(QPalette::Base, Qt::white);
    light.setColor(QPalette::Window, Qt::white);
    const auto luminance = [](QRgb rgb) {
        const QColor colour = QColor::fromRgb(rgb);
        const auto channel = [](double part) {
            return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * channel(colour.redF()) + 0.7152 * channel(colour.greenF())
            + 0.0722 * channel(colour.blueF());
    };
    const auto contrast = [&](QRgb a, QRgb b) {
        const auto [low, high] = std::minmax({luminance(a), luminance(b)});
        return (high + 0.05) / (low + 0.05);
    };
    for (const QPalette& widgets : {light, dark}) {
        const TracePalette palette = TracePalette::of(widgets, store->categories());
        QCOMPARE(palette.base.background, widgets.color(QPalette::Base).rgb());
        QCOMPARE(palette.fill.size(), store->categories().count());
        for (std::size_t i = TraceCategories::firstOfCalls; i < palette.fill.size(); ++i) {
            QVERIFY(contrast(palette.stripe[i], palette.base.background) > 1.6);
            QVERIFY2(contrast(palette.text[i], palette.fill[i]) >= 3,
                     qPrintable(QString::number(i)));
        }
        QVERIFY(contrast(palette.path, palette.pathOutline) > 3);
        QVERIFY(contrast(palette.arrow, palette.base.background) > 7);
        std::set<QRgb> families;
        for (std::size_t i = 0; i < callFamilyCount; ++i)
            families.insert(palette.fill[TraceCategories::firstOfCalls + i]);
        families.insert(palette.fill[TraceCategories::compute]);
        QCOMPARE(families.size(), callFamilyCount + 1);
    }
}

void TestTraceLook::coloursOfLogs_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QColor>("colour");
    QTest::newRow("plain") << "yellow" << QColor(Qt::yellow);
    QTest::newRow("case") << "DarkOrchid" << QColor(0x99, 0x32, 0xcc);
    QTest::newRow("space") << "dark orchid" << QColor(0x99, 0x32, 0xcc);
    QTest::newRow("first shade") << "blue1" << QColor(Qt::blue);
    QTest::newRow("darker shade") << "DarkOrchid3" << QColor(123, 40, 164);
    QTest::newRow("grey of X11") << "gray50" << QColor(127, 127, 127);
    QTest::newRow("the other spelling") << "grey100" << QColor(255, 255, 255);
    QTest::newRow("hexadecimal") << "#10a0F0" << QColor(0x10, 0xa0, 0xf0);
    QTest::newRow("none") << "" << QColor();
    QTest::newRow("unknown") << "ultrablue" << QColor();
    QTest::newRow("too much") << "gray101" << QColor();
    QTest::newRow("no shade") << "blue5" << QColor();
    QTest::newRow("no colour") << "transparent" << QColor();
}

void TestTraceLook::coloursOfLogs()
{
    QFETCH(QString, name);
    QFETCH(QColor, colour);
    const auto found = logColour(name.toStdString());
    QCOMPARE(found.has_value(), colour.isValid());
    if (found)
        QCOMPARE(found->rgb(), colour.rgb());
}

void TestTraceLook::axisLabels_data()
{
    QTest::addColumn<double>("us");
    QTest::addColumn<double>("stepUs");
    QTest::addColumn<double>("endUs");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << 0.0 << 10.0 << 90.0 << "0 µs";
    QTest::newRow("microseconds") << 50.0 << 10.0 << 90.0 << "50 µs";
    QTest::newRow("milliseconds") << 1500.0 << 500.0 << 9000.0 << "1.5 ms";
    QTest::newRow("whole milliseconds") << 2000.0 << 1000.0 << 9000.0 << "2 ms";
    QTest::newRow("seconds") << 2.5e6 << 5e5 << 9e6 << "2.5 s";
    QTest::newRow("late and near") << 12'345'678.0 << 1.0 << 12'345'700.0 << "12,345.678 ms";
    QTest::newRow("minutes") << 1.2e8 << 6e7 << 6e8 << "120 s";
    QTest::newRow("before zero") << -10.0 << 10.0 << 90.0 << "-10 µs";
}

void TestTraceLook::axisLabels()
{
    QFETCH(double, us);
    QFETCH(double, stepUs);
    QFETCH(double, endUs);
    QFETCH(QString, text);
    QCOMPARE(AxisPainter::logLabel(toNanoseconds(us), toNanoseconds(stepUs), toNanoseconds(endUs)),
             text);
}

void TestTraceLook::titleTellsTheEnd_data()
{
    QTest::addColumn<double>("referenceUs"); // below 0: none
    QTest::addColumn<int>("hidden");
    QTest::addColumn<QString>("text");
    QTest::newRow("alone") << -1.0 << 0 << "end: 1.500 ms";
    QTest::newRow("later") << 1000.0 << 0 << "end: 1.500 ms (50.0 % later)";
    QTest::newRow("sooner") << 2000.0 << 0 << "end: 1.500 ms (25.0 % sooner)";
    QTest::newRow("the same") << 1500.1 << 0 << "end: 1.500 ms";
    QTest::newRow("nothing to compare with") << 0.0 << 0 << "end: 1.500 ms";
    QTest::newRow("many messages")
        << -1.0 << 1234 << QString("1,234 messages; zoom in to see them  \u00b7  end: 1.500 ms");
}

void TestTraceLook::titleTellsTheEnd()
{
    QFETCH(double, referenceUs);
    QFETCH(int, hidden);
    TraceTitle title;
    title.setReferenceEnd(referenceUs < 0 ? std::nullopt : std::optional(referenceUs));
    QTEST(title.status(1500, static_cast<std::size_t>(hidden)), "text");
}

QTEST_MAIN(TestTraceLook)

} // namespace tst_tracelook

#include "tst_tracelook.moc"
