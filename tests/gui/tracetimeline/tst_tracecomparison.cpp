// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tracemaker.h"
#include "tracetimeline/tracecomparison.h"

#include <QApplication>
#include <QFile>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <cmath>

namespace tst_tracecomparison {

using namespace tasuki;

namespace {

using Kind = TraceItem::Kind;

/// The small trace above one in which everything takes half as long again.
struct Fixture {
    TraceMaker maker = smallTrace();
    TraceComparison comparison;

    Fixture()
    {
        const plan::Timeline traced = maker.timeline();
        plan::Timeline slower = traced;
        slower.endUs *= 1.5;
        for (plan::TimelineSpan& span : slower.spans) {
            span.beginUs *= 1.5;
            span.endUs *= 1.5;
        }
        for (plan::TimelineArrow& arrow : slower.arrows) {
            arrow.sentUs *= 1.5;
            arrow.arrivedUs *= 1.5;
        }
        const auto trace = maker.shared();
        comparison.resize(1000, 600);
        comparison.setUpper(
            {"As traced", std::make_shared<const plan::Timeline>(traced), trace, {}});
        comparison.setLower({"Predicted",
                             std::make_shared<const plan::Timeline>(slower),
                             trace,
                             {"a-node-with-a-long-name", "grid01"}});
        comparison.show();
        QApplication::processEvents();
    }
    [[nodiscard]] const TraceScene& upper() { return comparison.upper().scene(); }
    [[nodiscard]] const TraceScene& lower() { return comparison.lower().scene(); }
    [[nodiscard]] bool showSame()
    {
        return upper().view().window() == lower().view().window()
            && upper().view().width() == lower().view().width()
            && upper().rowsRect().left() == lower().rowsRect().left();
    }
};

} // namespace

class TestTraceComparison : public QObject {
    Q_OBJECT

public:
    /// The numbers asked for are in English.
    static void initMain()
    {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    }

private Q_SLOTS:
    void bothShowTheSameTime();
    void zoomAndPanGoTogether();
    void selectionGoesTogether();
    void endsAreCompared();
    void switchesReachBoth();
    void rowsScrollTogether();
    void oneMayBeMissing();
    void exportsBoth();
};

void TestTraceComparison::bothShowTheSameTime()
{
    Fixture f;
    QVERIFY(f.showSame());
    // As far as the later of the two ends.
    QVERIFY(f.upper().view().window().end() > toNanoseconds(1500.0));
    QCOMPARE(f.comparison.upper().title(), QString("As traced"));
    f.comparison.resize(700, 500);
    QApplication::processEvents();
    QVERIFY(f.showSame());
    f.comparison.resize(700, 340); // names of nodes beside the tasks, not below
    QApplication::processEvents();
    QVERIFY(f.showSame());
}

void TestTraceComparison::zoomAndPanGoTogether()
{
    Fixture f;
    f.comparison.upper().zoomIn();
    QVERIFY(f.showSame());
    const Nanoseconds span = f.lower().view().window().span;
    QTest::keyClick(&f.comparison.lower(), Qt::Key_Right, Qt::ControlModifier);
    QVERIFY(f.showSame());
    QCOMPARE(f.upper().view().window().span, span);
    QTest::keyClick(&f.comparison.lower(), Qt::Key_Plus);
    QVERIFY(f.upper().view().window().span < span);
    QVERIFY(f.showSame());
    f.comparison.fit();
    QVERIFY(f.showSame());
    QCOMPARE(f.lower().view().mode(), ViewMode::Fit);
}

void TestTraceComparison::selectionGoesTogether()
{
    Fixture f;
    QSignalSpy spy(&f.comparison, &TraceComparison::selected);
    QTest::keyClick(&f.comparison.upper(), Qt::Key_Right);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy.last().first().toBool(), true);
    QCOMPARE(f.upper().selected().kind, Kind::Call);
    QCOMPARE(f.lower().selected().kind, Kind::Call);
    const auto callOf = [](const TraceScene& scene) {
        return scene.store()->timeline().spans[scene.selected().index].call;
    };
    QCOMPARE(callOf(f.lower()), callOf(f.upper()));
    QTest::keyClick(&f.comparison.lower(), Qt::Key_Left);
    QCOMPARE(spy.count(), 2);
    QCOMPARE(spy.last().first().toBool(), false);
    QCOMPARE(callOf(f.lower()), callOf(f.upper()));
    QTest::keyClick(&f.comparison.lower(), Qt::Key_Escape);
    QVERIFY(f.upper().selected() == TraceItem{});
}

void TestTraceComparison::endsAreCompared()
{
    Fixture f;
    QVERIFY2(f.lower().status().contains("50.0 % later"), qPrintable(f.lower().status()));
    QVERIFY(!f.upper().status().contains('%'));
    QVERIFY(f.upper().status().contains("1.000 ms"));
    QVERIFY(f.lower().status().contains("1.500 ms"));
}

void TestTraceComparison::switchesReachBoth()
{
    Fixture f;
    f.comparison.setCriticalPathVisible(true);
    f.comparison.setMessagesVisible(false);
    QVERIFY(f.upper().showsCriticalPath() && f.lower().showsCriticalPath());
    QVERIFY(!f.upper().showsMessages() && !f.lower().showsMessages());
}

void TestTraceComparison::rowsScrollTogether()
{
    TraceMaker maker(100);
    for (std::uint32_t task = 0; task < 100; ++task)
        maker.call("MPI_Barrier", task, 0, 10);
    const auto timeline = std::make_shared<const plan::Timeline>(maker.timeline());
    TraceComparison comparison;
    comparison.resize(900, 400);
    comparison.setUpper({"one", timeline, maker.shared(), {}});
    comparison.setLower({"two", timeline, maker.shared(), {}});
    comparison.show();
    QApplication::processEvents();
    comparison.upper().verticalScrollBar()->setValue(40);
    QCOMPARE(comparison.lower().scene().layout().scroll, 40);
    // A height at which the rows of one fit and those of the other do not.
    for (int height = 1200; height < 1600; height += 15) {
        comparison.resize(900, height);
        QApplication::processEvents();
        QCOMPARE(comparison.lower().scene().rowsRect().width(),
                 comparison.upper().scene().rowsRect().width());
    }
}

void TestTraceComparison::oneMayBeMissing()
{
    Fixture f;
    f.comparison.setLower({"Predicted", nullptr, nullptr, {}});
    QVERIFY(f.lower().isEmpty());
    QTest::keyClick(&f.comparison.upper(), Qt::Key_Right);
    QCOMPARE(f.upper().selected().kind, Kind::Call);
    f.comparison.upper().zoomIn();
    f.comparison.setUpper({"none", nullptr, nullptr, {}});
    QVERIFY(f.upper().isEmpty());
    QVERIFY(!f.comparison.grab().isNull());
}

void TestTraceComparison::exportsBoth()
{
    Fixture f;
    const QTemporaryDir folder;
    const QString svg = folder.filePath("both.svg");
    QVERIFY(f.comparison.exportImage(svg).ok());
    QFile file(svg);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    QVERIFY(text.contains("As traced") && text.contains("Predicted"));
    const QString png = folder.filePath("both.png");
    QVERIFY(f.comparison.exportImage(png).ok());
    QCOMPARE(QImage(png).size(), f.comparison.size() * f.comparison.devicePixelRatioF());
}

QTEST_MAIN(TestTraceComparison)

} // namespace tst_tracecomparison

#include "tst_tracecomparison.moc"
