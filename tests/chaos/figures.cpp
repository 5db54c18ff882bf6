// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tasuki::testing {

namespace {

double inMilliseconds(WallMicros micros) { return static_cast<double>(micros) / 1e3; }

} // namespace

double Figures::quantile(double share) const
{
    if (m_times.empty()) {
        return 0;
    }
    std::vector<double> sorted = m_times;
    std::ranges::sort(sorted);
    const auto rank = std::ceil(share * static_cast<double>(sorted.size()));
    return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

void Figures::printHeading()
{
    std::printf("%-32s %6s %10s %10s %10s\n", "milliseconds", "count", "p50", "p99", "longest");
}

void Figures::print(const char* name) const
{
    std::printf("%-32s %6zu %10.1f %10.1f %10.1f\n", name, m_times.size(), quantile(0.5),
                quantile(0.99), quantile(1));
}

void LossFigures::add(const FailoverRecord& record, int processor, WallMicros struck, bool killed)
{
    const auto loss = record.lossOf(processor);
    if (!loss) {
        return; // the run had ended before
    }
    (killed ? killToLoss : stopToLoss).add(inMilliseconds(loss->at - struck));
    for (const RecordedTakeover& taken : record.takeovers()) {
        if (taken.from != processor) {
            continue;
        }
        ++takeovers;
        lossToTaken.add(taken.takeoverMs);
        lossToRecorded.add(inMilliseconds(taken.at - loss->at));
        if (const WallMicros joined = record.joined(taken.seat, taken.incarnation); joined != 0) {
            lossToWorker.add(inMilliseconds(joined - loss->at));
        }
    }
}

void LossFigures::print() const
{
    Figures::printHeading();
    killToLoss.print("killed -> recorded lost");
    stopToLoss.print("stopped -> recorded lost");
    lossToTaken.print("lost -> seat taken over");
    lossToWorker.print("lost -> new holder works");
    lossToRecorded.print("lost -> takeover recorded");
}

} // namespace tasuki::testing
