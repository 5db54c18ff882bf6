// SPDX-License-Identifier: GPL-3.0-or-later
#include "speedrun.h"

#include <algorithm>

namespace tasuki::probe {

namespace {

using WorkClock = std::chrono::steady_clock;

double usSince(WorkClock::time_point begin)
{
    return std::chrono::duration<double, std::micro>(WorkClock::now() - begin).count();
}

} // namespace

double SpeedRun::calibrate()
{
    constexpr int looks = 3;
    constexpr double lookUs = 15'000;
    constexpr double usPerSecond = 1e6;
    double best = 0.0;
    for (int look = 0; look < looks; ++look) {
        const auto begin = WorkClock::now();
        double times = 0.0;
        double us = 0.0;
        do {
            m_result = m_kernel.run(1);
            times += 1;
            us = usSince(begin);
        } while (us < lookUs);
        best = std::max(best, times / us * usPerSecond);
    }
    return best;
}

void SpeedRun::run(const Task& task, const std::function<void(const std::vector<double>&)>& enough,
                   const std::function<bool()>& stop)
{
    std::vector<double> times;
    bool told = false;
    const auto begin = WorkClock::now();
    const auto spanUs = static_cast<double>(task.span.count());
    while (!stop()) {
        const auto start = WorkClock::now();
        m_result = m_kernel.run(task.work);
        if (told)
            continue;
        times.push_back(usSince(start));
        if (usSince(begin) < spanUs || times.size() < task.fewest)
            continue;
        told = true;
        enough(times);
    }
    if (!told)
        enough({});
}

} // namespace tasuki::probe
