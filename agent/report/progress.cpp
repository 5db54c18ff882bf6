// SPDX-License-Identifier: GPL-3.0-or-later
#include "progress.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tasuki {

namespace {

constexpr int longestBar = 24;
constexpr int shortestBar = 4;

double ratePerSecond(const ProgressFigures& figures)
{
    const double seconds = secondsOf(figures.elapsed);
    return seconds > 0 ? static_cast<double>(figures.doneHere) / seconds : 0.0;
}

/// @return a bar of at most that many columns with the space after it; none where it would say too little
std::string bar(double share, int columns)
{
    const int length = std::min(columns - 3, longestBar);
    if (length < shortestBar)
        return {};
    const int filled = static_cast<int>(share * length);
    std::string text = "[";
    text.append(static_cast<std::size_t>(filled), '#');
    text.append(static_cast<std::size_t>(length - filled), '.');
    return text + "] ";
}

} // namespace

std::string durationText(double seconds)
{
    const auto whole = static_cast<long long>(std::ceil(seconds));
    constexpr long long minute = 60;
    constexpr long long hour = 60 * minute;
    constexpr long long day = 24 * hour;
    std::array<char, 48> text{};
    if (whole >= day)
        std::snprintf(text.data(), text.size(), "%lldd%02lldh", whole / day, whole % day / hour);
    else if (whole >= hour)
        std::snprintf(text.data(), text.size(), "%lldh%02lldm", whole / hour,
                      whole % hour / minute);
    else if (whole >= minute)
        std::snprintf(text.data(), text.size(), "%lldm%02llds", whole / minute, whole % minute);
    else
        std::snprintf(text.data(), text.size(), "%llds", whole);
    return text.data();
}

ProgressFigures progressFigures(const RunState& state)
{
    ProgressFigures figures;
    const std::size_t succeeded = state.count(TaskState::Succeeded);
    figures.failed = state.count(TaskState::Failed) + state.count(TaskState::Skipped)
        + state.count(TaskState::Cancelled);
    figures.done = succeeded + figures.failed;
    figures.running = state.count(TaskState::Running);
    figures.total = figures.done + state.unfinished();
    return figures;
}

std::string rateText(const ProgressFigures& figures)
{
    const double rate = ratePerSecond(figures);
    if (rate <= 0)
        return "-";
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), rate >= 100 ? "%.0f/s" : "%.1f/s", rate);
    return text.data();
}

std::string remainingText(const ProgressFigures& figures)
{
    const double rate = ratePerSecond(figures);
    if (figures.done >= figures.total)
        return "0s";
    if (rate <= 0)
        return "-";
    return durationText(static_cast<double>(figures.total - figures.done) / rate);
}

std::string progressLine(const ProgressFigures& figures, int width)
{
    const double share = figures.total == 0
        ? 1.0
        : static_cast<double>(figures.done) / static_cast<double>(figures.total);
    std::array<char, 160> counts{};
    std::snprintf(counts.data(), counts.size(), "%3d%% %zu/%zu done, %zu running, %zu failed",
                  static_cast<int>(share * 100), figures.done, figures.total, figures.running,
                  figures.failed);
    std::string line = counts.data();
    line += ", " + rateText(figures) + ", " + remainingText(figures) + " left, "
        + durationText(std::floor(secondsOf(figures.elapsed))) + " elapsed";
    if (!figures.phase.empty())
        line += " (" + figures.phase + ')';
    line.insert(0, bar(share, width - static_cast<int>(line.size())));
    if (width > 0 && line.size() > static_cast<std::size_t>(width))
        line.resize(static_cast<std::size_t>(width));
    return line;
}

} // namespace tasuki
