// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "paintedscene.h"

#include <QApplication>

#include <algorithm>
#include <cmath>

namespace tst_tracelines {

using namespace tasuki;

class TestTraceLines : public QObject {
    Q_OBJECT

public:
    /// The numbers asked for are in English.
    static void initMain()
    {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    }

private Q_SLOTS:
    void arrowsGoFromRowToRow();
    void manyMessagesAreCountedOnly();
    void criticalPathIsDrawn();
    void densePathIsDrawnAlongTheRows();
    void jumpsThatHaveRoomAreDrawn();
    void endIsMarked();
    void hitTesting();
    void descriptions();
};

void TestTraceLines::arrowsGoFromRowToRow()
{
    auto maker = smallTrace();
    maker.message(1, 0, 400, 700);
    maker.message(0, 0, 800, 900); // to itself
    Painted p(maker.store());
    p.scene.setMessagesVisible(true);
    p.paint();
    const TraceLines lines = p.scene.lines();
    const QPointF origin = p.scene.rowsRect().topLeft();
    const auto same = [&](const QPointF& point, double x, double y) {
        return std::abs(point.x() + origin.x() - x) < 1e-6
            && std::abs(point.y() + origin.y() - y) < 1e-6;
    };
    QVERIFY(same(lines.arrowLine(0).p1(), p.x(120), p.y(0, 1)));
    QVERIFY(same(lines.arrowLine(0).p2(), p.x(290), p.y(1, 0)));
    QVERIFY(same(lines.arrowLine(1).p1(), p.x(400), p.y(1, 0)));
    QVERIFY(same(lines.arrowLine(1).p2(), p.x(700), p.y(0, 1)));
    QVERIFY(same(lines.arrowLine(2).p1(), p.x(800), p.y(0, 0)));
    QVERIFY(same(lines.arrowLine(2).p2(), p.x(900), p.y(0, 0)));
    // Halfway between the rows, and the head before the end.
    const auto dark = [&](double x, double y) {
        return std::min({qGray(p.at(x, y - 1)), qGray(p.at(x, y)), qGray(p.at(x, y + 1))}) < 150;
    };
    const double halfway = (p.y(0, 1) + p.y(1, 0)) / 2;
    QVERIFY(dark(p.x(205), halfway));
    QVERIFY(!dark(p.x(205) + 40, halfway));
    QVERIFY(dark(p.x(550), halfway));
    p.scene.setMessagesVisible(false);
    p.paint();
    QVERIFY(!dark(p.x(205), halfway));
}

void TestTraceLines::manyMessagesAreCountedOnly()
{
    TraceMaker maker(3);
    for (int i = 0; i < 1234; ++i)
        maker.message(0, 2, i * 10, i * 10 + 9);
    maker.call("MPI_Send", 1, 0, 12'340);
    Painted p(maker.store());
    p.scene.setMessagesVisible(true);
    p.paint();
    QVERIFY2(p.scene.status().contains("1,234 messages; zoom in to see them"),
             qPrintable(p.scene.status()));
    QVERIFY(p.scene.lines().drawnArrows().empty());
    const auto darkInSight = [&] {
        const QRect rows = p.scene.rowsRect();
        return p.count(p.scene.palette().arrow, QRectF(rows).adjusted(0, 0, 0, -1));
    };
    QCOMPARE(darkInSight(), 0);
    p.show(5000, 5200);
    QVERIFY(!p.scene.status().contains("zoom in"));
    QCOMPARE(p.scene.lines().drawnArrows().size(), p.scene.lines().arrowsInSight());
    QVERIFY(p.scene.lines().arrowsInSight() >= 20 && p.scene.lines().arrowsInSight() <= 22);
    QVERIFY(darkInSight() > 20);
}

void TestTraceLines::criticalPathIsDrawn()
{
    Painted p(predictedStore());
    const QRgb path = p.scene.palette().path;
    const QRectF all(p.scene.rowsRect());
    QCOMPARE(p.count(path, all), 0);
    p.scene.setCriticalPathVisible(true);
    p.paint();
    const auto lineAt = [&](double us, std::uint32_t task) {
        return p.count(path, {p.x(us), p.y(task, 0.8), 1, p.y(task, 1.1) - p.y(task, 0.8)});
    };
    for (const double us : {50.0, 200.0, 390.0}) {
        QVERIFY(lineAt(us, 0) >= 2);
        QCOMPARE(lineAt(us, 1), 0);
    }
    for (const double us : {750.0, 950.0}) {
        QVERIFY(lineAt(us, 1) >= 2);
        QCOMPARE(lineAt(us, 0), 0);
    }
    // The message goes over from one to the other, and has a contrasting line beside it.
    const QLineF message = p.scene.lines().jumpLine(0);
    const QPointF halfway = message.center() + p.scene.rowsRect().topLeft();
    QCOMPARE(p.at(halfway.x(), halfway.y()), path);
    QVERIFY(p.count(p.scene.palette().pathOutline, {halfway.x() - 4, halfway.y() - 8, 9, 17}) > 3);
}

// Fails if a path that often jumps fills what is between its rows, is missing on one of them, or if
// it is not said that it is not whole.
void TestTraceLines::densePathIsDrawnAlongTheRows()
{
    plan::Timeline timeline;
    timeline.tasks = 5;
    timeline.endUs = 1'000'000;
    for (int i = 0; i < 100'000; ++i) { // between tasks 1 and 3, and 4 at the end
        const trace::Task from(i >= 90'000 ? 4 : 1 + i % 2 * 2);
        const trace::Task to(i >= 90'000 ? 4 : 3 - i % 2 * 2);
        timeline.criticalPath.push_back(
            {plan::PathPiece::Kind::Message, from, to, i * 10.0, i * 10.0 + 10});
    }
    timeline.spans = {spanOf(plan::SpanKind::Compute, 0, 0, 1'000'000)};
    Painted p(std::make_shared<const TraceStore>(std::make_shared<const plan::Timeline>(timeline),
                                                 nullptr));
    p.scene.setCriticalPathVisible(true);
    p.paint();
    const QRgb path = p.scene.palette().path;
    const auto between = [&](double us, std::uint32_t task) {
        return p.count(path, {p.x(us), p.y(task, 1.2), 1, p.y(task + 1, 0.7) - p.y(task, 1.2)});
    };
    const auto on = [&](double us, std::uint32_t task) {
        return p.count(path, {p.x(us), p.y(task, 0.8), 1, p.y(task, 1.1) - p.y(task, 0.8)});
    };
    for (const double us : {50'000.0, 300'000.0, 890'000.0}) {
        for (const std::uint32_t task : {1U, 3U})
            QVERIFY(on(us, task) >= 2 && on(us, task) <= 3);
        for (const std::uint32_t task : {0U, 2U, 4U})
            QCOMPARE(on(us, task), 0);
        for (const std::uint32_t task : {0U, 1U, 2U, 3U})
            QCOMPARE(between(us, task), 0);
    }
    QCOMPARE(on(950'000, 3), 0);
    QVERIFY(on(950'000, 4) >= 2);
    QVERIFY(p.scene.lines().isPathCondensed());
    const auto told = [&](double us, std::uint32_t task) {
        return p.scene.describe(QPointF(p.x(us), p.y(task)).toPoint()).contains("critical path");
    };
    QVERIFY(told(300'000, 1) && told(300'000, 3));
    QVERIFY(!told(300'000, 2) && !told(950'000, 3) && !told(950'000, 4));
    p.show(300'000, 300'400);
    QVERIFY(!p.scene.lines().isPathCondensed());
    QVERIFY(!told(300'200, 1));
    QVERIFY(p.count(path, {p.x(300'100), p.y(1, 1.2), 100, p.y(2, 0.7) - p.y(1, 1.2)}) > 50);
}

// Fails if jumps run into each other, or one is left out although it stands alone.
void TestTraceLines::jumpsThatHaveRoomAreDrawn()
{
    using Kind = plan::PathPiece::Kind;
    plan::Timeline timeline;
    timeline.tasks = 2;
    timeline.endUs = 90'000;
    std::uint32_t task = 0;
    double begin = 0;
    std::vector<double> jumps{10'000, 20'000, 21'000};
    for (int i = 0; i < 100; ++i)
        jumps.push_back(40'000 + i * 10);
    jumps.push_back(60'000);
    for (const double jump : jumps) {
        timeline.criticalPath.push_back(
            {Kind::Compute, trace::Task(task), trace::Task(task), begin, jump});
        timeline.criticalPath.push_back(
            {Kind::Message, trace::Task(task), trace::Task(1 - task), jump, jump + 1});
        task = 1 - task;
        begin = jump + 1;
    }
    timeline.criticalPath.push_back(
        {Kind::Compute, trace::Task(task), trace::Task(task), begin, timeline.endUs});
    timeline.spans = {spanOf(plan::SpanKind::Compute, 0, 0, timeline.endUs)};
    Painted p(std::make_shared<const TraceStore>(std::make_shared<const plan::Timeline>(timeline),
                                                 nullptr));
    p.scene.setCriticalPathVisible(true);
    const auto drawn = [&] { // a microsecond is a hundredth of a pixel
        QStringList found;
        for (const TraceLines::Jump& jump : p.scene.lines().drawnJumps())
            found << QString::number(jump.index) + (jump.isRoomy ? "!" : "");
        return found.join(' ');
    };
    QCOMPARE(drawn(), "0! 1 2 103!");
    QVERIFY(p.scene.lines().isPathCondensed());
    p.show(5'000, 35'000);
    QCOMPARE(drawn(), "0! 1! 2!");
    QVERIFY(!p.scene.lines().isPathCondensed());
    p.show(39'990, 40'140);
    QVERIFY(drawn().startsWith("2! 3! 4! 5! 6!"));
    QVERIFY(!p.scene.lines().isPathCondensed());
}

void TestTraceLines::endIsMarked()
{
    Painted p(predictedStore());
    const QRgb end = p.scene.palette().end;
    const double below = p.scene.rowsRect().bottom() - 3;
    QCOMPARE(p.at(p.x(1000), below), end);
    QVERIFY(p.scene.status().contains("end: 1.000 ms"));
    p.scene.setReferenceEnd(800);
    p.scene.setContentEnd(toNanoseconds(2000.0));
    p.paint();
    QCOMPARE(p.at(p.x(1000), below), end);
    QVERIFY(p.count(end, {p.x(800), p.y(0, 0), 1, 100}) > 20);
    QVERIFY(p.count(end, {p.x(800), p.y(0, 0), 1, 100}) < 80); // dotted
    QVERIFY2(p.scene.status().contains("25.0 % later"), qPrintable(p.scene.status()));
    p.scene.setReferenceEnd(1250);
    QVERIFY(p.scene.status().contains("20.0 % sooner"));
}

void TestTraceLines::hitTesting()
{
    auto maker = smallTrace();
    maker.call("MPI_Send", 0, 900, 900); // no length
    Painted p(maker.store());
    using Kind = TraceItem::Kind;
    const auto at = [&](double us, std::uint32_t task, double part = 0.5) {
        return p.scene.itemAt(QPointF(p.x(us), p.y(task, part)).toPoint());
    };
    // Spans: 0 Send, 1 Barrier, 2 Send of task 0; 3 solve, 4 Recv, 5 Barrier of task 1.
    QVERIFY(at(150, 0) == (TraceItem{Kind::Call, 0}));
    QVERIFY(at(700, 0) == (TraceItem{Kind::Call, 1}));
    QVERIFY(at(400, 0) == TraceItem{});
    QVERIFY(at(200, 1) == (TraceItem{Kind::Call, 4}));
    QVERIFY(at(200, 1, 0.03) == (TraceItem{Kind::Call, 3})); // the rim of the state around it
    QVERIFY(at(500, 1) == (TraceItem{Kind::Call, 3}));
    QVERIFY(at(900, 0) == (TraceItem{Kind::Call, 2}));
    QVERIFY(at(902, 0) == (TraceItem{Kind::Call, 2})); // near enough
    QVERIFY(at(150, 0, -0.2) == TraceItem{});
    QVERIFY(p.scene.itemAt({5, 100}) == TraceItem{});
    QVERIFY(p.scene.itemAt({500, 5}) == TraceItem{});
    p.scene.setMessagesVisible(true);
    const QPointF line = p.scene.lines().arrowLine(0).center() + p.scene.rowsRect().topLeft();
    QVERIFY(p.scene.itemAt(line.toPoint()) == (TraceItem{Kind::Message, 0}));
    QVERIFY(p.scene.itemAt(line.toPoint() + QPoint(40, 0)) == TraceItem{});
}

void TestTraceLines::descriptions()
{
    auto maker = smallTrace();
    maker.state("<odd>");
    maker.call("<odd>", 0, 850, 900);
    Painted p(maker.store());
    p.scene.setRowNotes({"grid02", "grid03"});
    const auto at = [&](double us, std::uint32_t task) {
        return p.scene.describe(QPointF(p.x(us), p.y(task)).toPoint());
    };
    const QString call = at(200, 1);
    for (const char* text : {"MPI_Recv", "task 1", "grid03", "50 µs", "250 µs", "from task 0",
                             "4,096 bytes", "tag 7", "170 µs"})
        QVERIFY2(call.contains(text), qPrintable(QString(text) + " in " + call));
    QVERIFY(at(400, 0).contains("Computation"));
    QVERIFY(at(400, 0).contains("grid02"));
    QVERIFY(at(875, 0).contains("&lt;odd&gt;"));
    const QString message = p.scene.linesOf({TraceItem::Kind::Message, 0}).join('\n');
    for (const char* text :
         {"from task 0 to task 1", "4,096 bytes, tag 7", "120 µs", "290 µs", "Travels 170 µs"})
        QVERIFY2(message.contains(text), qPrintable(QString(text) + " in " + message));
    QVERIFY(p.scene.describe({500, 5}).isEmpty());
    const Painted waiting(predictedStore());
    const QString wait = waiting.scene.describe(QPointF(waiting.x(300), waiting.y(1)).toPoint());
    QVERIFY2(wait.contains("Takes 700 µs") && wait.contains("Waits for 600 µs"), qPrintable(wait));
    TraceMaker many(1);
    for (int i = 0; i < 90'000; ++i)
        many.call("MPI_Bcast", 0, i * 4, i * 4 + 1);
    const Painted dense(many.store());
    const QString crowd = dense.scene.describe(QPointF(dense.x(180'000), dense.y(0)).toPoint());
    QVERIFY2(crowd.contains("calls here") && crowd.contains("Collective: 2")
                 && crowd.contains("Computation: 7"),
             qPrintable(crowd));
}

QTEST_MAIN(TestTraceLines)

} // namespace tst_tracelines

#include "tst_tracelines.moc"
