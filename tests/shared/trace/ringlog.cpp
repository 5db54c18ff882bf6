// SPDX-License-Identifier: GPL-3.0-or-later
#include "ringlog.h"

namespace tasuki::trace::testing {

namespace {

class RingLog {
public:
    void event(int type, int task) { line(std::to_string(type), task, 1, ""); }
    void message(int type, int task, int peer) { line(std::to_string(type), task, peer, "99 12"); }

    int events = 0;
    long timeUs = 0;
    std::string text;

private:
    void line(const std::string& type, int task, int data, const std::string& comment)
    {
        text += type + ' ' + std::to_string(task) + " 0 " + std::to_string(data) + " 0 "
            + std::to_string(timeUs) + ' ' + comment + '\n';
        ++events;
        timeUs += 131;
    }
};

void barrier(RingLog& log, int tasks)
{
    for (int task = 0; task < tasks; ++task)
        log.event(11, task);
    for (int task = tasks; task-- > 0;)
        log.event(12, task);
}

} // namespace

std::string ringLog(int tasks, int rounds)
{
    RingLog log;
    barrier(log, tasks);
    for (int hop = 0; hop < tasks * rounds; ++hop) {
        const int from = hop % tasks;
        const int to = (hop + 1) % tasks;
        log.event(155, to);
        log.event(161, from);
        log.message(-101, from, to);
        log.event(162, from);
        log.message(-102, to, from);
        log.event(156, to);
    }
    barrier(log, tasks);
    return "-1 0 0 0 0 0 Me\n"
           "-2 0 0 "
        + std::to_string(log.events) + " 0 0\n-3 0 0 " + std::to_string(tasks)
        + " 0 0\n"
          "-4 0 0 1 0 0\n"
          "-5 0 0 8 0 0\n"
          "-6 0 0 0 0 0\n"
          "-7 0 0 0 0 "
        + std::to_string(log.timeUs)
        + "\n-8 0 0 1 0 0\n"
          "-11 0 0 0 0 0\n"
          "-13 0 11 12 0 0 yellow:dimple3 BARRIER\n"
          "-13 0 155 156 0 0 green:light_gray RECV\n"
          "-13 0 161 162 0 0 blue:gray3 SEND\n"
        + log.text;
}

} // namespace tasuki::trace::testing
