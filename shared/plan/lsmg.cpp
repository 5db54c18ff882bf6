// SPDX-License-Identifier: GPL-3.0-or-later
#include "lsmg.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

namespace tasuki::plan {

namespace {

using Moment = LsmgProgram::Moment;

/// Where in its task a send begins or a receive ends.
struct Place {
    Moment moment;
    std::uint32_t place = 0; ///< 0: not inside a call
};

struct Places {
    std::vector<Place> sends; ///< [message]
    std::vector<Place> receives;
};

/// Walks through the calls of a task: each call is two events, its begin and its end.
void place(const CallSequence& sequence, Places& places, Moment& now, std::uint32_t& count)
{
    for (const CallStep& step : sequence.steps) {
        now.computedUs += static_cast<double>(step.beforeUs);
        ++count;
        for (const std::uint32_t message : step.sent)
            places.sends[message] = {.moment = now, .place = count};
        now.calledUs += static_cast<double>(step.endUs - step.beginUs);
        ++count;
        for (const std::uint32_t message : step.received)
            places.receives[message] = {.moment = now, .place = count};
    }
    now.computedUs += static_cast<double>(sequence.afterUs);
    ++count;
}

} // namespace

LsmgProgram lsmgProgram(const trace::Trace& trace)
{
    LsmgProgram program;
    program.tasks = trace.tasks();
    program.ends.resize(program.tasks);
    program.lastPlaces.resize(program.tasks, 0);
    Places places{.sends = std::vector<Place>(trace.messages.size()),
                  .receives = std::vector<Place>(trace.messages.size())};
    const std::vector<CallSequence> sequences = callSequences(trace);
    for (std::uint32_t task = 0; task < program.tasks; ++task)
        place(sequences[task], places, program.ends[task], program.lastPlaces[task]);

    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> pairs;
    for (const trace::Event& event : trace.events) {
        if (event.kind != trace::EventKind::Send)
            continue;
        const trace::Message& message = trace.messages[event.subject];
        const Place& send = places.sends[event.subject];
        const Place& receive = places.receives[event.subject];
        if (!message.matched() || send.place == 0 || receive.place == 0)
            continue;
        const auto [pair,
                    isNew] = pairs.emplace(std::pair(message.from.value(), message.to.value()),
                                           static_cast<std::uint32_t>(program.pairs.size()));
        if (isNew)
            program.pairs.push_back({.from = message.from.value(), .to = message.to.value()});
        program.steps.push_back({.pair = pair->second,
                                 .bytes = static_cast<double>(message.bytes),
                                 .start = send.moment,
                                 .startPlace = send.place,
                                 .end = receive.moment,
                                 .endPlace = receive.place});
    }
    return program;
}

Lsmg::Lsmg(std::shared_ptr<const LsmgProgram> program,
           std::shared_ptr<const Environment> environment)
    : m_program(std::move(program)),
      m_environment(std::move(environment)),
      m_parameters(*m_environment, m_program->tasks, m_program->pairs)
{
    for (const std::uint32_t places : m_program->lastPlaces)
        m_shifts.emplace_back(places + 1);
}

std::unique_ptr<Predictor> Lsmg::clone() const { return std::make_unique<Lsmg>(*this); }

Lanes Lsmg::timeOf(std::uint32_t task, const Moment& moment, std::uint32_t place) const
{
    Lanes time;
    const Lanes& slowness = m_parameters.slowness(task);
    for (std::size_t lane = 0; lane < laneCount; ++lane)
        time.at[lane] = moment.computedUs * slowness.at[lane] + moment.calledUs;
    for (; place > 0; place -= place & -place) {
        const Lanes& part = m_shifts[task][place];
        for (std::size_t lane = 0; lane < laneCount; ++lane)
            time.at[lane] += part.at[lane];
    }
    return time;
}

void Lsmg::shift(std::uint32_t task, std::uint32_t place, const Lanes& gap)
{
    auto& shifts = m_shifts[task];
    for (; place < shifts.size(); place += place & -place) {
        for (std::size_t lane = 0; lane < laneCount; ++lane)
            shifts[place].at[lane] += gap.at[lane];
    }
}

void Lsmg::pass()
{
    for (auto& shifts : m_shifts)
        std::ranges::fill(shifts, Lanes{});
    for (const LsmgProgram::Step& step : m_program->steps) {
        const Pair& pair = m_program->pairs[step.pair];
        const Lanes start = timeOf(pair.from, step.start, step.startPlace);
        const Lanes end = timeOf(pair.to, step.end, step.endPlace);
        const Lanes& a0 = m_parameters.a0(step.pair);
        const Lanes& a1 = m_parameters.a1(step.pair);
        Lanes gap;
        for (std::size_t lane = 0; lane < laneCount; ++lane)
            gap.at[lane] = a0.at[lane] + a1.at[lane] * step.bytes - (end.at[lane] - start.at[lane]);
        shift(pair.to, step.endPlace, gap);
    }
}

void Lsmg::predict(std::span<const Allocation> allocations, std::span<double> timesUs)
{
    assert(allocations.size() == timesUs.size());
    for (std::size_t first = 0; first < allocations.size(); first += laneCount) {
        const std::size_t count = std::min(laneCount, allocations.size() - first);
        m_parameters.set(allocations.subspan(first, count));
        pass();
        Lanes latest;
        for (std::uint32_t task = 0; task < m_program->tasks; ++task) {
            const Lanes end = timeOf(task, m_program->ends[task], m_program->lastPlaces[task]);
            for (std::size_t lane = 0; lane < laneCount; ++lane)
                latest.at[lane] = std::max(latest.at[lane], end.at[lane]);
        }
        std::copy_n(latest.at.begin(), count, timesUs.begin() + static_cast<std::ptrdiff_t>(first));
    }
}

std::vector<double> Lsmg::receiveEndsUs(const Allocation& allocation)
{
    m_parameters.set({&allocation, 1});
    pass();
    std::vector<double> ends;
    for (const LsmgProgram::Step& step : m_program->steps)
        ends.push_back(timeOf(m_program->pairs[step.pair].to, step.end, step.endPlace).at[0]);
    return ends;
}

} // namespace tasuki::plan
