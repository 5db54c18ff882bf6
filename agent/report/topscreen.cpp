// SPDX-License-Identifier: GPL-3.0-or-later
#include "topscreen.h"

#include "worldtables.h"

#include "linetext.h"
#include "progress.h"
#include "taskreason.h"

#include "domain/rankname.h"
#include "domain/visibletext.h"

#include <algorithm>

namespace tasuki {

namespace {

constexpr std::size_t keysRow = 1;
constexpr std::size_t longestCommand = 300;

std::string command(const std::string& text) { return oneLine(text, longestCommand); }

std::string padded(std::string text, std::size_t width)
{
    if (text.size() > width)
        text.resize(width);
    text.append(width - text.size(), ' ');
    return text;
}

/// @return so many bytes at most, and no part of a character
void cut(std::string& text, std::size_t columns)
{
    if (text.size() <= columns)
        return;
    std::size_t end = columns;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end;
    text.resize(end);
}

double secondsBetween(WallTime from, WallTime to) { return std::max(0.0, secondsOf(to - from)); }

std::string_view paneName(TopPane pane)
{
    switch (pane) {
    case TopPane::Ranks: return "RANKS";
    case TopPane::Tasks: return "RUNNING TASKS";
    case TopPane::Failures: return "FAILURES";
    case TopPane::Alarms: return "ALARMS";
    }
    return {};
}

std::string_view columnsOf(TopPane pane)
{
    switch (pane) {
    case TopPane::Ranks:
        return "rank             host             state    running      done  failed   rate";
    case TopPane::Tasks: return "task     try rank              time  command";
    case TopPane::Failures: return "task     try rank               ago  end and command";
    case TopPane::Alarms: return "event       ago  what";
    }
    return {};
}

} // namespace

std::vector<TopLine> TopScreen::draw(const TopSource& source, const TopView& view,
                                     std::size_t columns, std::size_t rows) const
{
    std::vector<TopLine> lines = head(source, columns);
    const std::size_t total = listed(view.pane);
    const std::size_t above = lines.size() + 2 + keysRow;
    const std::size_t room = rows == 0 ? total : rows > above ? rows - above : 0;
    const std::size_t from = total > room ? std::min(view.scroll, total - room) : 0;
    lines.push_back(title({.pane = view.pane, .scroll = from}, std::min(room, total - from)));
    lines.push_back({std::string(columnsOf(view.pane)), TopStyle::Title});
    for (TopLine& line : list(view.pane, from, room))
        lines.push_back(std::move(line));
    if (rows != 0) {
        lines.resize(std::max(rows, above) - keysRow);
        lines.push_back(
            {"r ranks  t tasks  f failures  a alarms  arrows and pages scroll  q ends", {}});
        lines.resize(rows);
    }
    for (TopLine& line : lines)
        cut(line.text, columns);
    return lines;
}

std::size_t TopScreen::listed(TopPane pane) const
{
    switch (pane) {
    case TopPane::Ranks: return m_history.state().processors().size();
    case TopPane::Tasks: return m_figures.running().size();
    case TopPane::Failures: return m_figures.failures().size();
    case TopPane::Alarms: return m_history.state().alarms().all().size();
    }
    return 0;
}

std::vector<TopLine> TopScreen::head(const TopSource& source, std::size_t columns) const
{
    const RunState& state = m_history.state();
    ProgressFigures figures = progressFigures(state);
    figures.doneHere = m_figures.doneHere();
    const auto& closed = state.closed();
    if (closed)
        figures.elapsed = closed->elapsed;
    else if (m_figures.openedAt())
        figures.elapsed = m_now - *m_figures.openedAt();
    std::vector<TopLine> lines;
    lines.push_back({visible(source.name) + "  " + visible(source.state, Breaks::Blanks),
                     source.living ? TopStyle::Title : TopStyle::Warning});
    lines.push_back({progressLine(figures, static_cast<int>(columns)), {}});
    std::string counts;
    for (const TaskState kind :
         {TaskState::Succeeded, TaskState::Failed, TaskState::Skipped, TaskState::Cancelled,
          TaskState::Running, TaskState::Queued, TaskState::Held}) {
        if (state.count(kind) != 0)
            counts += (counts.empty() ? "" : ", ") + std::to_string(state.count(kind)) + ' '
                + std::string(taskStateName(kind));
    }
    const double rate = m_figures.rate().perSecond(m_now, begin());
    lines.push_back(
        {counts.empty() ? "no tasks yet" : counts + formatted("; lately %.1f tasks/s", rate), {}});
    const std::size_t open = state.alarms().unacknowledged(m_now);
    if (open != 0)
        lines.push_back({std::to_string(open) + (open == 1 ? " alarm" : " alarms")
                             + " that nobody has acknowledged: key a",
                         TopStyle::Bad});
    return lines;
}

TopLine TopScreen::title(const TopView& view, std::size_t shown) const
{
    const std::size_t total = listed(view.pane);
    std::string text = "-- " + std::string(paneName(view.pane)) + " (" + std::to_string(total)
        + ')';
    if (shown < total)
        text += " from " + std::to_string(view.scroll + 1) + " to "
            + std::to_string(view.scroll + shown);
    return {text + " --", TopStyle::Title};
}

std::vector<TopLine> TopScreen::list(TopPane pane, std::size_t from, std::size_t count) const
{
    std::vector<TopLine> lines;
    const auto each = [&](const auto& all, const auto& line) {
        auto at = all.begin();
        std::advance(at, std::min(from, all.size()));
        for (; at != all.end() && lines.size() < count; ++at)
            lines.push_back(line(*at));
    };
    const auto latestFirst = [&](const auto& all, const auto& line) {
        for (std::size_t i = from; i < all.size() && lines.size() < count; ++i)
            lines.push_back(line(all[all.size() - 1 - i]));
    };
    switch (pane) {
    case TopPane::Ranks:
        each(m_history.state().processors(), [this](const auto& one) { return rank(one.first); });
        break;
    case TopPane::Tasks:
        each(m_figures.running(), [this](const auto& one) { return task(one.first, one.second); });
        break;
    case TopPane::Failures:
        latestFirst(m_figures.failures(), [this](const auto& one) { return failure(one); });
        break;
    case TopPane::Alarms:
        latestFirst(m_history.state().alarms().all(),
                    [this](const auto& one) { return alarm(one); });
        break;
    }
    return lines;
}

TopLine TopScreen::rank(Rank rank) const
{
    const ProcessorRecord& record = m_history.state().processors().at(rank);
    const auto found = m_figures.ranks().find(rank);
    const TopFigures::OfRank figures = found == m_figures.ranks().end() ? TopFigures::OfRank{}
                                                                        : found->second;
    const bool left = record.lossCause == LossCause::Left;
    const char* const state = record.present ? "present" : left ? "left" : "lost";
    const std::string running = std::to_string(figures.running) + '/'
        + std::to_string(record.slots);
    std::string text = padded(visible(rankName(m_history.state().system(), rank)), 16) + ' '
        + padded(visible(record.host), 16) + ' ' + padded(state, 8);
    text += formatted(
        "%8s %9llu %7llu %6.1f", running.c_str(), static_cast<unsigned long long>(figures.done),
        static_cast<unsigned long long>(figures.failed), figures.rate.perSecond(m_now, begin()));
    return {std::move(text), record.present || left ? TopStyle::Plain : TopStyle::Bad};
}

/// @return what a rank's program does, to be put before its command; empty: nothing is known
std::string TopScreen::program(Rank rank) const
{
    const RankProgram* const program = m_figures.program(rank);
    if (program == nullptr)
        return {};
    return '[' + visible(programText(*program)) + ", " + std::to_string(program->messagesPerSecond)
        + " messages/s] ";
}

TopLine TopScreen::task(TaskId id, const TopFigures::Running& running) const
{
    return {formatted("%-8u %3u ", id.value(), running.attempt.value())
                + padded(visible(rankName(m_history.state().system(), running.rank)), 12)
                + formatted(" %9s  ", durationText(secondsBetween(running.since, m_now)).c_str())
                + program(running.rank) + command(m_history.state().task(id).task.command),
            TopStyle::Plain};
}

TopLine TopScreen::failure(const TopFigures::Failure& failure) const
{
    return {formatted("%-8u %3u ", failure.key.task.value(), failure.key.number.value())
                + padded(visible(rankName(m_history.state().system(), failure.rank)), 12)
                + formatted(" %9s  ", durationText(secondsBetween(failure.at, m_now)).c_str())
                + outcomeText(failure.outcome, failure.code) + ": "
                + command(m_history.state().task(failure.key.task).task.command),
            TopStyle::Bad};
}

TopLine TopScreen::alarm(const Alarm& alarm) const
{
    const bool open = !alarm.acknowledged(m_now);
    std::string text = formatted("%-9s %5s  ", eventIdText(alarm.id).c_str(),
                                 durationText(secondsBetween(alarm.at, m_now)).c_str());
    text += visible(m_figures.alarmText(alarm.id), Breaks::Blanks);
    if (!open)
        text += ", acknowledged by " + visible(alarm.acknowledgement->who);
    return {std::move(text), open ? TopStyle::Bad : TopStyle::Plain};
}

} // namespace tasuki
