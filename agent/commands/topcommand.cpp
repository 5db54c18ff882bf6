// SPDX-License-Identifier: GPL-3.0-or-later
#include "topcommand.h"

#include "report/topfigures.h"
#include "report/topscreen.h"
#include "steering/liverun.h"
#include "steering/record.h"
#include "steering/screen.h"
#include "steerrun.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <utility>

#include <unistd.h>

namespace tasuki {

namespace {

using steering::Key;
using steering::Paint;

/// Figures change by the second; who presses a key sees it at once.
constexpr std::chrono::milliseconds drawPause(500);
constexpr std::chrono::seconds linePause(5);

Paint paintOf(TopStyle style)
{
    switch (style) {
    case TopStyle::Plain: return Paint::Plain;
    case TopStyle::Title: return Paint::Bold;
    case TopStyle::Good: return Paint::Green;
    case TopStyle::Warning: return Paint::Yellow;
    case TopStyle::Bad: return Paint::Red;
    }
    return Paint::Plain;
}

/// One use of `top`.
class Top {
public:
    Top(const SteerOptions& options, const steering::FoundRun& run)
        : m_name(options.run), m_record(run.record)
    {
        if (run.accessFile) {
            m_live = std::make_unique<steering::LiveRun>(
                *run.accessFile,
                steering::LiveRun::Hooks{
                    .events =
                        [this](const EventBatch& batch) {
                            for (const Event& event : batch.events)
                                take(event);
                        },
                    .restarted =
                        [this] {
                            m_history = {};
                            m_figures = {};
                        },
                    .status =
                        [this](const link::Status& status) {
                            m_state = status.phase;
                            m_figures.take(status.programs);
                        },
                    .changed =
                        [this](ConnectionState state, const std::string& reason) {
                            if (state == ConnectionState::Waiting)
                                m_state = "connection lost, trying again: " + reason;
                        }});
        }
        m_state = run.accessFile     ? "connecting"
            : !run.elsewhere.empty() ? "on " + run.elsewhere + "; this is what the record says"
                                     : "no agent works on it any more";
    }

    Result<ExitCode> run()
    {
        if (const Result<void> read = readRecord(); !read && !m_quits)
            return read.error();
        if (m_quits)
            return ExitCode::Success;
        if (m_live) {
            m_follows = true;
            if (const Result<void> joined = m_live->join(); joined)
                m_live->link().follow(m_history.state().lastEvent());
            else
                leave(joined.error().text());
        }
        if (!m_terminal)
            m_terminal = steering::Screen::open(context());
        if (m_terminal)
            return onScreen(*m_terminal);
        return ::isatty(STDOUT_FILENO) != 0 && m_follows ? inLines() : once();
    }

private:
    /// Of the connection, if there was one: it outlives what is followed.
    boost::asio::io_context& context() { return m_live ? m_live->context() : m_context; }

    /// Of a large one, what is read up to now is shown meanwhile, and keys are heard.
    Result<void> readRecord()
    {
        constexpr std::size_t eventsPerLook = 4096;
        const std::string state = std::exchange(m_state, "reading the record");
        std::size_t events = 0;
        SteadyTime nextLook = m_clock.now() + drawPause / 2;
        const Result<void> read = steering::readRecord(
            m_record, [&](const Event& event) -> Result<void> {
                take(event);
                if (m_problem)
                    return *m_problem;
                if (++events % eventsPerLook != 0 || m_clock.now() < nextLook)
                    return {};
                nextLook = m_clock.now() + drawPause;
                m_quits = !showMeanwhile();
                return m_quits ? Result<void>(Error{}) : Result<void>();
            });
        m_state = state;
        return read;
    }

    /// @return whether it goes on
    bool showMeanwhile()
    {
        if (!m_terminal)
            m_terminal = steering::Screen::open(context());
        if (!m_terminal)
            return true;
        const bool goesOn = pressAll(*m_terminal);
        draw(*m_terminal);
        return goesOn;
    }

    void take(const Event& event)
    {
        m_lastEvent = event.wallTime;
        if (const auto applied = m_history.apply(event); !applied)
            m_problem = applied.error();
        else
            m_figures.take(event, m_history.state());
    }

    /// Nothing new will come.
    void leave(const std::string& why)
    {
        m_follows = false;
        m_state = m_history.state().closed() ? "has ended" : why;
    }

    [[nodiscard]] TopScreen screen() const { return {m_history, m_figures, now()}; }
    [[nodiscard]] WallTime now() const { return m_follows ? m_clock.wallNow() : m_lastEvent; }
    [[nodiscard]] TopSource source() const
    {
        return {.name = m_name, .state = m_state, .living = m_follows};
    }

    /// Serves the connection until something is to be shown.
    void serve(const std::function<bool()>& done, std::chrono::milliseconds most)
    {
        if (m_follows) {
            if (const auto served = m_live->serve(done, m_clock.now() + most); !served)
                leave(served.error().text());
            return;
        }
        for (const SteadyTime end = m_clock.now() + most; !done() && m_clock.now() < end;) {
            context().run_one_until(end);
            if (context().stopped())
                context().restart();
        }
    }

    Result<ExitCode> onScreen(steering::Screen& terminal)
    {
        do {
            draw(terminal);
            serve([&] { return terminal.somethingCame(); }, drawPause);
        } while (pressAll(terminal) && !m_problem);
        return m_problem ? Result<ExitCode>(*m_problem) : Result<ExitCode>(ExitCode::Success);
    }

    void draw(steering::Screen& terminal)
    {
        const TopScreen picture = screen();
        std::vector<steering::Screen::Line> lines;
        for (TopLine& line : picture.draw(source(), m_view, terminal.columns(),
                                          std::max<std::size_t>(terminal.rows(), 8)))
            lines.push_back({std::move(line.text), paintOf(line.style)});
        terminal.draw(lines);
    }

    /// @return whether it goes on
    bool pressAll(steering::Screen& terminal)
    {
        for (Key key = terminal.key(); key.kind != Key::Kind::None; key = terminal.key()) {
            if (!press(key, terminal.rows()))
                return false;
        }
        return true;
    }

    /// @return whether it goes on
    bool press(Key key, std::size_t rows)
    {
        const std::size_t page = rows > 10 ? rows - 8 : 2;
        const std::size_t last = screen().listed(m_view.pane);
        const auto scroll = [&](std::ptrdiff_t by) {
            const auto to = static_cast<std::ptrdiff_t>(m_view.scroll) + by;
            m_view.scroll = static_cast<std::size_t>(
                std::clamp<std::ptrdiff_t>(to, 0, static_cast<std::ptrdiff_t>(last)));
        };
        const auto show = [&](TopPane pane) { m_view = {.pane = pane}; };
        switch (key.kind) {
        case Key::Kind::Up: scroll(-1); return true;
        case Key::Kind::Down: scroll(1); return true;
        case Key::Kind::PageUp: scroll(-static_cast<std::ptrdiff_t>(page)); return true;
        case Key::Kind::PageDown: scroll(static_cast<std::ptrdiff_t>(page)); return true;
        case Key::Kind::Home: m_view.scroll = 0; return true;
        case Key::Kind::End: m_view.scroll = last > page ? last - page : 0; return true;
        case Key::Kind::None: return true;
        case Key::Kind::Character: break;
        }
        switch (key.character) {
        case 'r': show(TopPane::Ranks); return true;
        case 't': show(TopPane::Tasks); return true;
        case 'f': show(TopPane::Failures); return true;
        case 'a': show(TopPane::Alarms); return true;
        case 'q': return false;
        default: return true;
        }
    }

    /// On a terminal that can draw nothing over: a line now and then.
    Result<ExitCode> inLines()
    {
        while (m_follows && !m_problem) {
            for (const TopLine& line : screen().draw(source(), m_view, 79, 0)) {
                if (line.style != TopStyle::Title)
                    std::printf("%s\n", line.text.c_str());
            }
            std::printf("\n");
            std::fflush(stdout);
            serve([] { return false; }, linePause);
        }
        return once();
    }

    Result<ExitCode> once()
    {
        if (m_problem)
            return *m_problem;
        for (const TopPane pane :
             {TopPane::Ranks, TopPane::Tasks, TopPane::Failures, TopPane::Alarms}) {
            const auto lines = screen().draw(source(), {.pane = pane},
                                             std::numeric_limits<std::int16_t>::max(), 0);
            bool head = pane != TopPane::Ranks;
            for (const TopLine& line : lines) {
                head = head && !line.text.starts_with("-- ");
                if (!head)
                    std::printf("%s\n", line.text.c_str());
            }
        }
        return ExitCode::Success;
    }

    std::string m_name;
    std::filesystem::path m_record;
    SystemClock m_clock;
    RunHistory m_history;
    TopFigures m_figures;
    WallTime m_lastEvent{};
    std::string m_state;
    TopView m_view;
    bool m_follows = false; ///< events may come
    std::optional<Error> m_problem;
    boost::asio::io_context m_context;
    std::unique_ptr<steering::LiveRun> m_live;
    std::unique_ptr<steering::Screen> m_terminal; ///< null: none is used, or not yet
    bool m_quits = false;
};

} // namespace

int topCommand(const Arguments& arguments)
{
    return runSteering(SteerCommand::Top, arguments,
                       [](const SteerOptions& options) -> Result<ExitCode> {
                           const auto run = steering::findRun(options.run);
                           return run ? Top(options, *run).run() : run.error();
                       });
}

} // namespace tasuki
