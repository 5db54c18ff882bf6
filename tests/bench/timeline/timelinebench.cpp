// SPDX-License-Identifier: GPL-3.0-or-later
#include "naivetimeline.h"
#include "paintcheck.h"
#include "repaints.h"
#include "support/programpart.h"
#include "syntheticrun.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QTextStream>

#include <sys/resource.h>

#include <cstdlib>

namespace tasuki::bench::timelinebench_tool {

namespace {

constexpr QSize screen(1920, 1080);
constexpr double allowedDifference = 0.01;

struct Plan {
    std::vector<std::size_t> sizes;
    std::size_t frames = 600;
    std::size_t naiveFrames = 30; ///< of the same script, evenly spread
    std::size_t looks = 12;       ///< the same, compared with sums one by one
    bool measure = true;
    bool check = true;
};

QTextStream& out()
{
    static QTextStream stream(stdout);
    return stream;
}

double peakMiB()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

void print(const char* name, const char* clock, const Times& times)
{
    out() << QString::asprintf("  %-22s %-9s  median %8.2f ms   p99 %8.2f ms   max %8.2f ms\n",
                               name, clock, times.at(0.5), times.at(0.99), times.at(1));
}

void print(const char* name, const RepaintTimes& times)
{
    print(name, "wall", times.wall);
    print("", "processor", times.processor);
}

void prepare(TimelineWidget& widget, const TimelineStore& store)
{
    widget.resize(screen);
    widget.setStore(&store);
    widget.setTaskText([](TaskId task) {
        return QStringLiteral("./fit --input sample_%1.dat").arg(task.value());
    });
    widget.setNow(store.range()->end, false);
    widget.show();
    QApplication::processEvents();
}

void measure(const Plan& plan, std::size_t attempts, const TimelineStore& store)
{
    TimelineWidget widget;
    prepare(widget, store);
    const std::size_t every = std::max<std::size_t>(1, plan.frames / plan.naiveFrames);
    std::vector<TimeWindow> windows;
    const RepaintTimes times = drive(widget, plan.frames, [&](std::size_t frame) {
        if (frame % every == 0)
            windows.push_back(widget.scene().view().window());
    });
    out() << QString::asprintf(
        "  store %.1f bytes an attempt, peak memory of the process %.0f MiB\n",
        static_cast<double>(store.memoryBytes()) / static_cast<double>(attempts), peakMiB());
    print("timeline", times);
    out().flush();
    const NaiveTimeline naive(attempts);
    QImage image(widget.scene().rowsRect().size(), QImage::Format_RGB32);
    RepaintTimes other;
    for (const TimeWindow& window : windows)
        other.measure([&] { naive.paint(image, window, widget.scene().palette()); });
    print("a rectangle an attempt", other);
    const auto ratio = [&](double part) {
        return other.processor.at(part) / times.processor.at(part);
    };
    out() << QString::asprintf("  %-22s %-9s  median %8.1f      p99 %8.1f      max %8.1f\n",
                               "ratio", "processor", ratio(0.5), ratio(0.99), ratio(1));
    out().flush();
}

bool check(const Plan& plan, std::size_t attempts, const TimelineStore& store)
{
    TimelineWidget widget;
    prepare(widget, store);
    PaintCheck check(attempts);
    const std::size_t every = std::max<std::size_t>(1, plan.frames / plan.looks);
    drive(widget, plan.frames, [&](std::size_t frame) {
        if (frame % every == 0)
            check.look(widget, store);
    });
    const bool good = check.largestDifference() <= allowedDifference && check.unseenFailures() == 0
        && check.failures() != 0;
    out() << QString::asprintf("  check: %zu columns, largest difference of a busy share %.6f; "
                               "%zu failures looked for, %zu without a pixel: %s\n",
                               check.columns(), check.largestDifference(), check.failures(),
                               check.unseenFailures(), good ? "good" : "WRONG");
    out().flush();
    return good;
}

Plan planOf(QApplication& application)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Pans and zooms the timeline of a made-up run on 64 rows, 1920x1080, and "
                       "prints how long repaints take, beside a painter that fills a rectangle for "
                       "each attempt; then compares what is shown with sums over all attempts."));
    parser.addHelpOption();
    const QCommandLineOption size(QStringLiteral("size"),
                                  QStringLiteral("Attempts; can be given several times. Default: "
                                                 "1000000 and 10000000."),
                                  QStringLiteral("N"));
    const QCommandLineOption shortly(QStringLiteral("short"),
                                     QStringLiteral("Small runs and few frames."));
    const QCommandLineOption checkOnly(QStringLiteral("check-only"),
                                       QStringLiteral("Compare, do not measure."));
    const QCommandLineOption measureOnly(QStringLiteral("measure-only"),
                                         QStringLiteral("Measure, do not compare."));
    parser.addOptions({size, shortly, checkOnly, measureOnly});
    parser.process(application);
    Plan plan;
    if (parser.isSet(shortly)) {
        plan.sizes = {20'000, 100'000};
        plan.frames = 60;
        plan.naiveFrames = 6;
        plan.looks = 6;
    } else {
        plan.sizes = {1'000'000, 10'000'000};
    }
    if (parser.isSet(size))
        plan.sizes.clear();
    for (const QString& text : parser.values(size)) {
        bool isNumber = false;
        const std::size_t attempts = text.toULongLong(&isNumber);
        if (!isNumber || attempts == 0 || attempts > 100'000'000) {
            QTextStream(stderr) << "timelinebench: error: --size '" << text
                                << "': expected a number from 1 to 100000000\n";
            std::exit(2);
        }
        plan.sizes.push_back(attempts);
    }
    plan.check = !parser.isSet(measureOnly);
    plan.measure = !parser.isSet(checkOnly);
    return plan;
}

int run(QApplication& application)
{
    const Plan plan = planOf(application);
    bool good = true;
    for (const std::size_t attempts : plan.sizes) {
        TimelineStore store;
        const auto begin = std::chrono::steady_clock::now();
        fill(store, attempts);
        const Milliseconds filled = std::chrono::steady_clock::now() - begin;
        out() << QString::asprintf("%zu attempts, %zu frames (made and stored in %.1f s)\n",
                                   attempts, plan.frames, filled.count() / 1000);
        out().flush();
        if (plan.measure)
            measure(plan, attempts, store);
        if (plan.check)
            good = check(plan, attempts, store) && good;
    }
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace

TASUKI_TOOL_MAIN()
{
    // Nothing is shown: frames are painted into memory.
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    return run(application);
}

} // namespace tasuki::bench::timelinebench_tool
