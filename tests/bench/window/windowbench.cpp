// SPDX-License-Identifier: GPL-3.0-or-later
//
// Opens the main window on an agent in another process that commits events at a steady rate, with all
// views visible, and prints how long the GUI thread was ever held, how long events took until they
// were painted, and whether all of them arrived.
#include "app/mainwindow.h"
#include "client/agentsource.h"
#include "support/programpart.h"
#include "timeline/timelinewidget.h"
#include "views/theme.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <map>
#include <sys/resource.h>

namespace windowbench_tool {

using namespace tasuki;

namespace {

/// Measures how long each event holds the GUI thread.
class MeasuringApplication : public QApplication {
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        if (m_depth++ != 0 || !m_measuring) {
            const bool handled = QApplication::notify(receiver, event);
            --m_depth;
            return handled;
        }
        QElapsedTimer timer;
        timer.start();
        const QString name = receiver->metaObject()->className();
        const int type = event->type();
        const bool handled = QApplication::notify(receiver, event);
        --m_depth;
        const double milliseconds = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        m_busy += milliseconds;
        if (milliseconds > m_longest) {
            m_longest = milliseconds;
            m_longestWhat = name + QStringLiteral(", event ") + QString::number(type);
        }
        constexpr double target = 50;
        m_tooLong += milliseconds > target ? 1 : 0;
        return handled;
    }
    void measure(bool on) { m_measuring = on; }

    int m_depth = 0;
    bool m_measuring = false;
    double m_longest = 0;
    double m_busy = 0;
    int m_tooLong = 0;
    QString m_longestWhat;
};

/// Counts events by the time they take from their making to the next painting of the timeline.
class DelayMeter final : public QObject, public EventSink {
public:
    void take(const Event& event) override
    {
        ++m_taken;
        if (std::holds_alternative<RunOpened>(event.payload))
            return;
        if (m_waiting.empty() || m_waiting.back().first != event.wallTime)
            m_waiting.emplace_back(event.wallTime, 0);
        ++m_waiting.back().second;
    }
    void reset() override { ++m_resets; }

    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() == QEvent::Paint)
            QMetaObject::invokeMethod(
                this, [this] { painted(); }, Qt::QueuedConnection);
        return false;
    }
    /// @return so many milliseconds at most for this share of the events
    [[nodiscard]] double delay(double share) const
    {
        std::uint64_t total = 0;
        for (const auto& [ms, count] : m_delays)
            total += count;
        std::uint64_t seen = 0;
        for (const auto& [ms, count] : m_delays) {
            seen += count;
            if (static_cast<double>(seen) >= share * static_cast<double>(total))
                return ms / 10.0;
        }
        return 0;
    }
    [[nodiscard]] std::uint64_t taken() const { return m_taken; }
    [[nodiscard]] int resets() const { return m_resets; }
    [[nodiscard]] int paintings() const { return m_paintings; }

private:
    void painted()
    {
        ++m_paintings;
        const WallTime now = SystemClock().wallNow();
        for (const auto& [made, count] : m_waiting)
            m_delays[static_cast<int>((now - made).count() / 100)] += count;
        m_waiting.clear();
    }

    std::vector<std::pair<WallTime, std::uint64_t>> m_waiting;
    std::map<int, std::uint64_t> m_delays; ///< by tenths of a millisecond
    std::uint64_t m_taken = 0;
    int m_resets = 0;
    int m_paintings = 0;
};

QString waitForLine(QProcess& process, const QString& pattern, int milliseconds)
{
    const QRegularExpression expression(pattern);
    QElapsedTimer timer;
    timer.start();
    QString text;
    while (timer.elapsed() < milliseconds) {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
        text += QString::fromLocal8Bit(process.readAllStandardOutput());
        if (const auto match = expression.match(text); match.hasMatch())
            return match.captured(match.lastCapturedIndex());
        if (process.state() == QProcess::NotRunning)
            break;
    }
    return {};
}

double peakMebibytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

} // namespace

TASUKI_TOOL_MAIN()
{
    MeasuringApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions({{"rate", "events a second", "N", "50000"},
                       {"seconds", "how long", "N", "60"},
                       {"short", "3 s at 10,000 a second: shows that the bench works, no figures"},
                       {"picture", "writes a picture of the window near the end", "FILE"}});
    parser.process(application);
    const bool isShort = parser.isSet("short");
    const QString rate = isShort ? QStringLiteral("10000") : parser.value("rate");
    const QString seconds = isShort ? QStringLiteral("3") : parser.value("seconds");

    QTemporaryDir place;
    QProcess load;
    load.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    load.start(QCoreApplication::applicationDirPath() + QStringLiteral("/linkload"),
               {place.path(), "--rate", rate, "--seconds", seconds});
    const QString access = waitForLine(load, QStringLiteral("ready (\\S+)\\n"), 10'000);
    if (access.isEmpty()) {
        std::fprintf(stderr, "windowbench: error: the load did not start\n");
        return 1;
    }

    const SystemClock clock;
    Preferences preferences(
        std::make_unique<QSettings>(place.filePath("settings.ini"), QSettings::IniFormat));
    Languages languages;
    theme::apply(preferences.theme());
    MainWindow window(
        preferences, languages, clock,
        {.accessDirectory = QFileInfo(access).path().toStdString(), .agentProgram = {}});
    window.resize(1600, 1000);
    window.show();
    window.openAgent(access);
    DelayMeter meter;
    window.page()->models().session.addSink(meter);
    QObject* painted = &window.page()->timeline();
    if (auto* area = qobject_cast<QAbstractScrollArea*>(painted))
        painted = area->viewport();
    painted->installEventFilter(&meter);

    application.measure(true);
    QElapsedTimer timer;
    timer.start();
    const QString sent = waitForLine(load, QStringLiteral("(sent \\d+ events[^\\n]*)\\n"),
                                     seconds.toInt() * 1000 + 30'000);
    if (parser.isSet("picture"))
        window.grab().save(parser.value("picture"));
    const double elapsed = static_cast<double>(timer.elapsed());
    const auto& session = window.page()->models().session;
    // What is under way still has the time to arrive.
    QElapsedTimer rest;
    rest.start();
    while (!session.state().closed() && rest.elapsed() < 20'000)
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    application.measure(false);
    const bool whole = session.state().closed().has_value() && session.damage().isEmpty();
    load.write("\n");
    load.waitForFinished(10'000);

    std::printf("%s\n", qPrintable(sent));
    std::printf("applied %llu events, %d paintings of the timeline, %d resets, %s\n",
                static_cast<unsigned long long>(meter.taken()), meter.paintings(), meter.resets(),
                whole ? "the last one arrived" : "NOT ALL ARRIVED");
    std::printf("longest block of the GUI thread  %7.1f ms  (target 50; %d over it; %s)\n",
                application.m_longest, application.m_tooLong,
                qPrintable(application.m_longestWhat));
    std::printf("event to screen, median          %7.1f ms\n", meter.delay(0.5));
    std::printf("event to screen, 95 %%            %7.1f ms  (target 150)\n", meter.delay(0.95));
    std::printf("event to screen, longest         %7.1f ms\n", meter.delay(1.0));
    std::printf("GUI thread busy                  %7.1f %%\n",
                application.m_busy / elapsed * 100.0);
    std::printf("peak memory                      %7.1f MiB\n", peakMebibytes());
    return whole ? 0 : 1;
}

} // namespace windowbench_tool
