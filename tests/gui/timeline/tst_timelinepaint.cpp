// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "storefeeder.h"
#include "timeline/attempttext.h"
#include "timeline/timelinescene.h"

#include <QImage>
#include <QPainter>

#include <cmath>
#include <random>

namespace tst_timelinepaint {

using namespace tasuki;

namespace {

constexpr QSize sceneSize(1000, 420);

QImage painted(TimelineScene& scene, double ratio = 1)
{
    scene.setRatio(ratio);
    QImage image(sceneSize * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    scene.paint(painter);
    return image;
}

/// What stands where in an image of a scene, in device pixels.
struct Places {
    const TimelineScene& scene;
    double ratio = 1;

    [[nodiscard]] int left() const
    {
        return static_cast<int>(std::lround(scene.rowsRect().left() * ratio));
    }
    [[nodiscard]] int columns() const
    {
        return static_cast<int>(std::lround(scene.rowsRect().width() * ratio));
    }
    [[nodiscard]] int top() const
    {
        return static_cast<int>(std::lround(scene.rowsRect().top() * ratio));
    }
    [[nodiscard]] RowLines lines(std::size_t row) const
    {
        return RowLines::of(scene.layout(), row, ratio);
    }
    [[nodiscard]] int x(double milliseconds) const
    {
        return left()
            + static_cast<int>(std::floor(
                scene.view().xOf(toNanoseconds(StoreFeeder::at(milliseconds))) * ratio));
    }
    [[nodiscard]] int markLine(std::size_t row) const { return top() + lines(row).end - 1; }
    [[nodiscard]] int barLine(std::size_t row) const { return top() + lines(row).barTop; }
};

void setUp(TimelineScene& scene, const TimelineStore& store)
{
    scene.setStyle(TimelinePalette::light(), QFont());
    scene.setGeometry(sceneSize);
    scene.setStore(&store);
    if (const auto range = store.range())
        scene.setNow(range->end, false);
}

struct Failure {
    std::size_t row;
    Nanoseconds begin;
    Nanoseconds end;
};

std::vector<Failure> fillAtRandom(StoreFeeder& feeder, unsigned seed, int lanes, int attempts)
{
    std::mt19937 random(seed);
    std::vector<Failure> failures;
    for (int rank = 0; rank < lanes; ++rank) {
        feeder.join(rank, 1, "node" + std::to_string(rank / 3));
        double time = 0;
        for (int i = 0; i < attempts; ++i) {
            const bool failed = random() % 40 == 0;
            const double length = failed ? random() % 3 * 0.02 : random() % 1000 * 0.1;
            const Outcome outcome = !failed ? Outcome::Succeeded
                : random() % 2 == 0         ? Outcome::NotStarted
                                            : Outcome::Signalled;
            feeder.add(rank, time, time + length, outcome);
            if (failed)
                failures.push_back({static_cast<std::size_t>(rank),
                                    toNanoseconds(StoreFeeder::at(time)),
                                    std::max(toNanoseconds(StoreFeeder::at(time + length)),
                                             toNanoseconds(StoreFeeder::at(time)) + 1000)});
            time += length + random() % 3;
        }
    }
    return failures;
}

} // namespace

class TestTimelinePaint : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFailureHasAPixel_data();
    void everyFailureHasAPixel();
    void barsHaveTheColoursOfTheirOutcomes();
    void neighboursAreToldApart();
    void littleIsStillSeen();
    void runningOnesGrow();
    void replaysAreHatched();
    void nowIsShownWhileLive();
    void selectionIsOutlined();
    void dimmedWhenTheRankIsGone();
    void textsAreInWideBars();
    void textsAreAskedForOnce();
    void nothingToShow();
    void manyLanesScroll();
    void palettesFollowTheirSurroundings();
    void words();
};

void TestTimelinePaint::everyFailureHasAPixel_data()
{
    QTest::addColumn<double>("ratio");
    QTest::newRow("1") << 1.0;
    QTest::newRow("1.5") << 1.5;
    QTest::newRow("2") << 2.0;
}

void TestTimelinePaint::everyFailureHasAPixel()
{
    QFETCH(double, ratio);
    StoreFeeder feeder;
    const auto failures = fillAtRandom(feeder, 7, 12, 3000);
    QVERIFY(failures.size() > 500);
    TimelineScene scene;
    setUp(scene, feeder.store);
    const QRgb mark = scene.palette().failureMark;
    std::size_t looked = 0;
    for (int step = 0; step < 9; ++step) {
        const QImage image = painted(scene, ratio);
        const Places places{scene, ratio};
        std::vector<std::vector<bool>> allowed(
            12, std::vector<bool>(static_cast<std::size_t>(places.columns()), false));
        for (const Failure& failure : failures) {
            const TimeWindow& window = scene.view().window();
            if (failure.end <= window.begin || failure.begin >= window.end())
                continue;
            ++looked;
            const auto column = [&](Nanoseconds time) {
                return std::clamp(static_cast<int>(std::floor(scene.view().xOf(time) * ratio)), 0,
                                  places.columns() - 1);
            };
            bool seen = false;
            for (int x = column(failure.begin); x <= column(failure.end - 1); ++x)
                seen = seen || image.pixel(places.left() + x, places.markLine(failure.row)) == mark;
            QVERIFY2(seen, qPrintable(QString("step %1 row %2").arg(step).arg(failure.row)));
            constexpr int reach = 8;
            for (int x = column(failure.begin) - reach; x <= column(failure.end) + reach; ++x) {
                if (x >= 0 && x < places.columns())
                    allowed[failure.row][static_cast<std::size_t>(x)] = true;
            }
        }
        // And none where nothing failed.
        for (std::size_t row = 0; row < 12; ++row) {
            for (int x = 0; x < places.columns(); ++x)
                QVERIFY(allowed[row][static_cast<std::size_t>(x)]
                        || image.pixel(places.left() + x, places.markLine(row)) != mark);
        }
        scene.view().zoom(0.35, 500 + 30 * step);
    }
    QVERIFY(looked > 600);
}

void TestTimelinePaint::barsHaveTheColoursOfTheirOutcomes()
{
    StoreFeeder feeder;
    feeder.join(0, 1, "a");
    const std::vector<std::pair<Outcome, AttemptClass>> kinds{
        {Outcome::Succeeded, AttemptClass::Succeeded},
        {Outcome::Failed, AttemptClass::Failed},
        {Outcome::Signalled, AttemptClass::Failed},
        {Outcome::TimedOut, AttemptClass::Failed},
        {Outcome::Cancelled, AttemptClass::Stopped},
        {Outcome::Interrupted, AttemptClass::Stopped},
        {Outcome::Lost, AttemptClass::Lost},
        {Outcome::NotStarted, AttemptClass::Failed}};
    double time = 0;
    for (const auto& [outcome, kind] : kinds) {
        feeder.add(0, time, time + 10, outcome);
        time += 12;
    }
    TimelineScene scene;
    setUp(scene, feeder.store);
    const QImage image = painted(scene);
    const Places places{scene};
    time = 0;
    for (const auto& [outcome, kind] : kinds) {
        QCOMPARE(image.pixel(places.x(time + 5), places.barLine(0)), scene.palette().barOf(kind));
        const bool failed = image.pixel(places.x(time + 5), places.markLine(0))
            == scene.palette().failureMark;
        QCOMPARE(failed, isFailure(kind));
        QCOMPARE(image.pixel(places.x(time + 11), places.barLine(0)), scene.palette().background);
        time += 12;
    }
}

void TestTimelinePaint::neighboursAreToldApart()
{
    StoreFeeder feeder;
    feeder.join(0, 1, "a");
    feeder.add(0, 0, 50);
    feeder.add(0, 50, 100);
    TimelineScene scene;
    setUp(scene, feeder.store);
    const QImage image = painted(scene);
    const Places places{scene};
    const QRgb bar = scene.palette().barOf(AttemptClass::Succeeded);
    QVERIFY(image.pixel(places.x(50), places.barLine(0)) != bar);
    QCOMPARE(image.pixel(places.x(50) - 2, places.barLine(0)), bar);
    QCOMPARE(image.pixel(places.x(50) + 2, places.barLine(0)), bar);
}

void TestTimelinePaint::littleIsStillSeen()
{
    StoreFeeder feeder;
    feeder.join(0, 1, "a");
    feeder.add(0, 0, 1);
    feeder.add(0, 500'000, 500'000.001);
    feeder.add(0, 1'000'000, 1'000'001);
    TimelineScene scene;
    setUp(scene, feeder.store);
    const QImage image = painted(scene);
    const Places places{scene};
    const QRgb pixel = image.pixel(places.x(500'000), places.barLine(0));
    QVERIFY(std::abs(qRed(pixel) - qRed(scene.palette().background)) > 30);
}

void TestTimelinePaint::runningOnesGrow()
{
    StoreFeeder feeder;
    feeder.join(0, 1, "a");
    feeder.add(0, 0, 10);
    feeder.open(0, 20);
    TimelineScene scene;
    setUp(scene, feeder.store);
    scene.setNow(StoreFeeder::at(100), true);
    scene.view().zoom(2, 0);
    const Places places{scene};
    const QRgb running = scene.palette().barOf(AttemptClass::Running);
    QImage image = painted(scene);
    QCOMPARE(image.pixel(places.x(50), places.barLine(0)), running);
    QVERIFY(image.pixel(places.x(130), places.barLine(0)) != running);
    // The end is open: no clear edge.
    QVERIFY(image.pixel(places.x(100) - 2, places.barLine(0)) != running);
    scene.setNow(StoreFeeder::at(150), true);
    image = painted(scene);
    QCOMPARE(image.pixel(places.x(130), places.barLine(0)), running);
    // Not live any more: it stands where it was known last.
    scene.setNow(StoreFeeder::at(150), false);
    QCOMPARE(painted(scene).pixel(places.x(130), places.barLine(0)), running);
}

/// Fails if what is done again looks like what is new, on the screen or in a picture that is exported, or nothing says what it is.
void TestTimelinePaint::replaysAreHatched()
{
    StoreFeeder feeder;
    feeder.join(0, 1, "a");
    const AttemptKey key = feeder.add(0, 0, 100);
    feeder.apply(RankReplays{.key = key, .rank = Rank(0), .took = std::chrono::milliseconds(50)});
    TimelineScene scene;
    setUp(scene, feeder.store);
    const Places places{scene};
    const QRgb bar = scene.palette().barOf(AttemptClass::Succeeded);
    const auto plain = [&](const QImage& image, double begin, double end) {
        int found = 0;
        for (int x = places.x(begin) + 1; x < places.x(end) - 1; ++x)
            found += image.pixel(x, places.barLine(0)) == bar ? 1 : 0;
        return static_cast<double>(found) / (places.x(end) - places.x(begin) - 2);
    };
    const QImage raster = painted(scene);
    QVERIFY(plain(raster, 0, 50) < 0.1 && plain(raster, 52, 99) > 0.9);
    QImage shapes(sceneSize, QImage::Format_RGB32);
    shapes.fill(Qt::white);
    QPainter painter(&shapes);
    scene.paintShapes(painter);
    painter.end();
    QVERIFY(plain(shapes, 0, 50) < 0.95 && plain(shapes, 52, 99) > 0.9);
    const QString told = scene.describe(QPoint(places.x(20), places.barLine(0)));
    QVERIFY2(told.contains("did again") && told.contains("hatched"), qPrintable(told));
}

void TestTimelinePaint::nowIsShownWhileLive()
{
    StoreFeeder feeder;
    feeder.join(0, 1, "a");
    feeder.add(0, 0, 10);
    TimelineScene scene;
    setUp(scene, feeder.store);
    scene.setNow(StoreFeeder::at(40), true);
    const auto nowPixels = [&] {
        const QImage image = painted(scene);
        int found = 0;
        for (int x = 0; x < sceneSize.width(); ++x)
            found += image.pixel(x, sceneSize.height() - 20) == scene.palette().now ? 1 : 0;
        return found;
    };
    QVERIFY(nowPixels() > 0 && nowPixels() <= 2);
    scene.setNow(StoreFeeder::at(40), false);
    QCOMPARE(nowPixels(), 0);
}

void TestTimelinePaint::selectionIsOutlined()
{
    StoreFeeder feeder;
    feeder.join(0, 1, "a");
    feeder.join(1, 1, "a");
    feeder.add(0, 0, 100);
    const AttemptKey key = feeder.add(1, 40, 60);
    TimelineScene scene;
    setUp(scene, feeder.store);
    const Places places{scene};
    const auto outline = [&] {
        const QImage image = painted(scene);
        int found = 0;
        for (int y = places.top(); y < sceneSize.height(); ++y)
            found += image.pixel(places.x(50), y) == scene.palette().selection ? 1 : 0;
        return found;
    };
    QCOMPARE(outline(), 0);
    scene.setSelected(key.task, std::nullopt);
    QVERIFY(outline() >= 2);
    scene.setSelected(std::nullopt, std::nullopt);
    QCOMPARE(outline(), 0);
    // A lane that comes in between moves the row; the outline moves with it.
    scene.setSelected(key.task, std::nullopt);
    feeder.apply(ProcessorJoined{Rank(0), Incarnation(1), "a", 1, 2});
    scene.update();
    QCOMPARE(scene.selected().front().first, std::size_t(2));
}

void TestTimelinePaint::dimmedWhenTheRankIsGone()
{
    StoreFeeder feeder;
    feeder.join(0, 1, "a");
    TimelineScene scene;
    setUp(scene, feeder.store);
    const QImage before = painted(scene);
    feeder.apply(ProcessorLost{Rank(0), Incarnation(1), LossCause::Gone});
    scene.update();
    const QImage after = painted(scene);
    const QRect labels(4, scene.rowsRect().top(), scene.rowsRect().left() - 8, 28);
    QVERIFY(before.copy(labels) != after.copy(labels));
}

void TestTimelinePaint::textsAreInWideBars()
{
    StoreFeeder feeder;
    feeder.join(0, 1, "a");
    feeder.add(0, 0, 500);
    feeder.add(0, 500, 1000);
    TimelineScene scene;
    setUp(scene, feeder.store);
    std::vector<std::uint32_t> asked;
    const QImage without = painted(scene);
    scene.setTaskText([&asked](TaskId task) {
        asked.push_back(task.value());
        return QString("sleep 5");
    });
    const QImage with = painted(scene);
    QVERIFY(without != with);
    QVERIFY((asked == std::vector<std::uint32_t>{0, 1}));
    painted(scene); // remembered
    QCOMPARE(asked.size(), std::size_t(2));
}

void TestTimelinePaint::textsAreAskedForOnce()
{
    StoreFeeder feeder;
    feeder.join(0, 1, "a");
    feeder.add(0, 0, 500);
    BarTexts texts;
    QVERIFY(texts.of(TaskId(0)).isEmpty());
    int asked = 0;
    texts.setTaskText([&asked](TaskId) {
        ++asked;
        return QString("sleep 5");
    });
    const TimelinePalette palette = TimelinePalette::light();
    const std::vector<QRgb> ground(400, palette.background);
    const LaneLayout layout{.lanes = 1, .height = 28};
    const auto paint = [&](int pixels) {
        QFont font;
        font.setPixelSize(pixels);
        texts.setFont(font, layout.rowHeight());
        QImage image(400, 28, QImage::Format_RGB32);
        image.fill(palette.background);
        texts.paint({feeder.store,
                     {toNanoseconds(StoreFeeder::at(0)), 500'000'000},
                     StoreFeeder::at(500),
                     layout,
                     palette,
                     ground,
                     ground},
                    image);
        return image;
    };
    const QImage small = paint(9);
    QCOMPARE(paint(9), small);
    QCOMPARE(asked, 1);
    QVERIFY(paint(16) != small);
    QCOMPARE(asked, 2); // laid out anew
    texts.forget();
    paint(16);
    QCOMPARE(asked, 3);
}

void TestTimelinePaint::nothingToShow()
{
    TimelineScene scene;
    scene.setStyle(TimelinePalette::light(), QFont());
    scene.setGeometry(sceneSize);
    const QImage image = painted(scene);
    int text = 0;
    for (int x = 0; x < image.width(); ++x) {
        for (int y = 0; y < image.height(); ++y)
            text += image.pixel(x, y) != scene.palette().background ? 1 : 0;
    }
    QVERIFY(text > 100);
    QVERIFY(!scene.attemptAt({500, 200}));
    QVERIFY(scene.describe({500, 200}).isEmpty());
    StoreFeeder feeder;
    feeder.join(0, 1, "a");
    setUp(scene, feeder.store);
    scene.setNow(StoreFeeder::at(0), true); // lanes, nothing in them: the time is right already
    QVERIFY(std::abs(scene.view().xOf(toNanoseconds(StoreFeeder::at(0)))) < 50);
    const AttemptKey key = feeder.add(0, 0, 10);
    scene.setSelected(key.task, key);
    scene.update();
    painted(scene);
    feeder.store.clear();
    scene.update();
    painted(scene);
    QVERIFY(scene.isEmpty());
    QVERIFY(scene.selected().empty());
    scene.setGeometry({0, 0});
    painted(scene);
}

void TestTimelinePaint::manyLanesScroll()
{
    StoreFeeder feeder;
    for (int rank = 0; rank < 300; ++rank) {
        feeder.join(rank, 1, "node");
        if (rank % 2 == 1)
            feeder.add(rank, 0, 100);
    }
    TimelineScene scene;
    setUp(scene, feeder.store);
    QCOMPARE(scene.layout().rowHeight(), LaneLayout::lowestRow);
    QVERIFY(scene.layout().largestScroll() > 0);
    const Places places{scene};
    const QRgb bar = scene.palette().barOf(AttemptClass::Succeeded);
    const auto barAt = [&](std::size_t row) {
        return painted(scene).pixel(places.x(50), places.barLine(row) + 1) == bar;
    };
    QVERIFY(!barAt(0) && barAt(1) && !barAt(2));
    scene.setScroll(LaneLayout::lowestRow * 101);
    QCOMPARE(scene.layout().yOf(101), 0);
    QVERIFY(barAt(101) && !barAt(102) && barAt(103));
    QCOMPARE(scene.rowAt({500, places.top() + 1}), std::optional<std::size_t>(101));
    scene.setScroll(1'000'000);
    QCOMPARE(scene.layout().scroll, scene.layout().largestScroll());
    QVERIFY(barAt(299) && !barAt(298));
}

void TestTimelinePaint::palettesFollowTheirSurroundings()
{
    QPalette dark;
    dark.setColor(QPalette::Base, QColor(20, 20, 20));
    dark.setColor(QPalette::Window, QColor(40, 40, 40));
    QCOMPARE(TimelinePalette::of(dark).background, qRgb(20, 20, 20));
    QVERIFY(qGray(TimelinePalette::of(dark).text) > 180);
    QPalette light;
    light.setColor(QPalette::Base, QColor(250, 250, 250));
    QVERIFY(qGray(TimelinePalette::of(light).text) < 80);
    QCOMPARE(mixed(qRgb(0, 100, 200), qRgb(200, 0, 100), 0.5), qRgb(100, 50, 150));
    QCOMPARE(mixed(qRgb(0, 100, 200), qRgb(255, 0, 100), 1), qRgb(255, 0, 100));
    // Marks are told from every bar by brightness too.
    for (const TimelinePalette& palette : {TimelinePalette::light(), TimelinePalette::dark()}) {
        for (const QRgb bar : palette.bar)
            QVERIFY(std::abs(qGray(palette.failureMark) - qGray(bar)) > 40);
        QVERIFY(std::abs(qGray(palette.failureMark) - qGray(palette.background)) > 80);
    }
}

void TestTimelinePaint::words()
{
    using std::chrono::microseconds;
    QLocale::setDefault(QLocale::c());
    QCOMPARE(AttemptText::duration(microseconds(7)), QString("7 µs"));
    QCOMPARE(AttemptText::duration(microseconds(12'345)), QString("12.35 ms"));
    QCOMPARE(AttemptText::duration(microseconds(123'456)), QString("123.5 ms"));
    QCOMPARE(AttemptText::duration(microseconds(12'345'678)), QString("12.35 s"));
    QCOMPARE(AttemptText::duration(microseconds(125'000'000)), QString("2 min 05 s"));
    QCOMPARE(AttemptText::duration(microseconds(7'500'000'000)), QString("2 h 05 min"));
    QCOMPARE(AttemptText::duration(microseconds(180'000'000'000)), QString("2 d 02 h"));
    const TimelineAttempt attempt{{TaskId(4), AttemptNumber(2)},
                                  StoreFeeder::at(0),
                                  StoreFeeder::at(1500),
                                  Outcome::TimedOut};
    const LaneInfo lane{
        Rank(7), SlotIndex(1), "a<b", true, {.subcluster = "c&d", .kind = {}, .index = 3}};
    const QString text = AttemptText::ofOne(lane, attempt, "cat < x && y");
    QVERIFY(text.contains("Task 4") && text.contains("timed out") && text.contains("1.50 s"));
    QVERIFY(text.contains("cat &lt; x &amp;&amp; y"));
    QVERIFY(text.contains("a&lt;b") && text.contains("c&amp;d rank 3, slot 1"));
    QCOMPARE(AttemptText::rank(lane), QStringLiteral("c&d rank 3"));
    QVERIFY(AttemptText::ofMany(lane, std::vector{attempt, attempt}).contains('2'));
}

QTEST_MAIN(TestTimelinePaint)

} // namespace tst_timelinepaint

#include "tst_timelinepaint.moc"
