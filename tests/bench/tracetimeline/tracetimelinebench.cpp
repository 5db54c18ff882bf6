// SPDX-License-Identifier: GPL-3.0-or-later
#include "plaintimeline.h"
#include "support/programpart.h"
#include "syntheticprogram.h"
#include "tracetimeline/tracetimelinewidget.h"

#include <QApplication>
#include <QTextStream>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string_view>
#include <vector>

namespace tasuki::bench::tracetimelinebench_tool {

namespace {

constexpr QSize screen(1920, 1080);
constexpr std::array zooms{1.0, 10.0, 100.0, 1000.0, 10'000.0};

struct Plan {
    std::vector<std::size_t> sizes{10'000, 1'000'000, 10'000'000};
    int frames = 120;
    int plainFrames = 7;
};

QTextStream& out()
{
    static QTextStream stream(stdout);
    return stream;
}

/// Of this thread alone: the same on a machine that does other things too.
double processorMilliseconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

class Times {
public:
    template <class Paint>
    void measure(Paint paint)
    {
        const double begin = processorMilliseconds();
        paint();
        m_times.push_back(processorMilliseconds() - begin);
    }
    /// @param part  0 to 1; 0.5: the median
    double at(double part)
    {
        std::ranges::sort(m_times);
        return m_times[static_cast<std::size_t>(
            std::ceil(part * static_cast<double>(m_times.size() - 1)))];
    }

private:
    std::vector<double> m_times;
};

/// A view of so much of the time, at a place that wanders.
TimelineView viewOf(const TimelineView& all, double zoom, int frame)
{
    TimelineView view = all;
    const double place = 0.5 + 0.45 * std::sin(frame * 0.37);
    view.zoom(1 / zoom, view.width() * place);
    return view;
}

void measureZoom(TraceTimelineWidget& widget, const PlainTimeline& plain, const Plan& plan,
                 double zoom)
{
    const TraceStore& store = *widget.scene().store();
    const TimelineView all = widget.view();
    Times ours;
    Times theirs;
    std::size_t inSight = 0;
    for (int frame = 0; frame < plan.frames; ++frame) {
        widget.setView(viewOf(all, zoom, frame));
        // The same part of time again would be found painted.
        widget.setMessagesVisible(true);
        ours.measure([&] { widget.viewport()->repaint(); });
    }
    QImage image(widget.scene().rowsRect().size(), QImage::Format_RGB32);
    for (int frame = 0; frame < plan.plainFrames; ++frame) {
        const TimeWindow window = viewOf(all, zoom, frame * 17).window();
        theirs.measure([&] { plain.paint(image, window, widget.scene().palette()); });
        std::size_t spans = 0;
        for (std::uint32_t task = 0; task < store.tasks(); ++task)
            spans += store.spansIn(task, window.begin, window.end());
        inSight = std::max(inSight, spans);
    }
    widget.setView(all);
    out() << QString::asprintf("  %7.0fx %9zu %8.2f %8.2f %10.2f %10.2f %9.1f %9.1f\n", zoom,
                               inSight, ours.at(0.5), ours.at(0.99), theirs.at(0.5),
                               theirs.at(0.99), theirs.at(0.5) / ours.at(0.5),
                               theirs.at(0.99) / ours.at(0.99));
    out().flush();
}

void measure(const Plan& plan, std::size_t spans)
{
    SyntheticProgram made = syntheticProgram(spans);
    const auto timeline = std::make_shared<const plan::Timeline>(std::move(made.timeline));
    const auto trace = std::make_shared<const trace::Trace>(std::move(made.trace));
    std::shared_ptr<const TraceStore> store;
    Times building;
    building.measure([&] { store = std::make_shared<const TraceStore>(timeline, trace); });
    out() << QString::asprintf(
        "%zu spans, %zu messages; made ready in %.0f ms, %.1f bytes a span\n",
        timeline->spans.size(), timeline->arrows.size(), building.at(0.5),
        static_cast<double>(store->memoryBytes()) / static_cast<double>(timeline->spans.size()));
    out() << "     zoom  in sight   median      p99  plain med  plain p99     ratio ratio p99\n";
    TraceTimelineWidget widget;
    widget.resize(screen);
    widget.setStore(store);
    widget.setCriticalPathVisible(true);
    widget.show();
    QApplication::processEvents();
    const PlainTimeline plain(*store);
    for (const double zoom : zooms)
        measureZoom(widget, plain, plan, zoom);
}

} // namespace

TASUKI_TOOL_MAIN()
{
    // Nothing is shown: frames are painted into memory.
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    Plan plan;
    if (argc > 1 && std::string_view(argv[1]) == "--short")
        plan = {{10'000, 300'000}, 20, 3};
    for (const std::size_t spans : plan.sizes)
        measure(plan, spans);
    return EXIT_SUCCESS;
}

} // namespace tasuki::bench::tracetimelinebench_tool
