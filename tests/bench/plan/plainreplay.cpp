// SPDX-License-Identifier: GPL-3.0-or-later
#include "plainreplay.h"

#include <algorithm>

namespace tasuki::bench {

namespace {

struct TaskClock {
    double us = 0.0;
    double sendBeganUs = 0.0;
    std::int64_t tracedUs = 0;
};

} // namespace

double plainReplay(const trace::Trace& trace, const plan::Environment& environment,
                   const plan::Allocation& allocation)
{
    std::vector<TaskClock> clocks(trace.tasks());
    std::vector<double> arrivals(trace.messages.size());
    for (const trace::Event& event : trace.events) {
        TaskClock& clock = clocks[event.task.value()];
        const double speed = environment.nodes[allocation[event.task.value()].value()].speed;
        const auto passed = static_cast<double>(event.timeUs - clock.tracedUs);
        clock.tracedUs = event.timeUs;
        switch (event.kind) {
        case trace::EventKind::Begin:
            clock.us += passed / speed;
            clock.sendBeganUs = clock.us;
            break;
        case trace::EventKind::Send: {
            const trace::Message& message = trace.messages[event.subject];
            const plan::LinkSpec& link = environment.link(allocation[message.from.value()],
                                                          allocation[message.to.value()]);
            arrivals[event.subject] = clock.sendBeganUs
                + link.timeUs(static_cast<double>(message.bytes));
            break;
        }
        case trace::EventKind::Receive:
            clock.us = std::max(clock.us, arrivals[event.subject]);
            break;
        case trace::EventKind::End:
            if (trace.stateOf(trace.calls[event.subject]).call == trace::MpiCall::Send)
                clock.us += passed / speed;
            break;
        case trace::EventKind::Mark: break;
        }
    }
    return std::ranges::max_element(clocks, {}, &TaskClock::us)->us;
}

} // namespace tasuki::bench
