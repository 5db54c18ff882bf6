// SPDX-License-Identifier: GPL-3.0-or-later
#include "mergedlog.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

namespace tasuki::membership {

namespace {

struct Event {
    long long at = 0;
    std::string line;
};

/// Takes what one processor has written.
void read(const std::filesystem::path& file, std::string& head, std::vector<Event>& events)
{
    std::ifstream in(file);
    std::string own;
    std::string line;
    std::string processor;
    Event last;
    while (std::getline(in, line)) {
        if (line.empty() || std::isdigit(static_cast<unsigned char>(line.front())) == 0) {
            own += line + '\n';
            continue;
        }
        long long trueTime = 0;
        std::istringstream words(line);
        words >> trueTime >> last.at >> processor;
        last = {.at = trueTime, .line = line};
        events.push_back(last);
    }
    if (head.empty())
        head = own;
    if (!last.line.empty())
        events.push_back({.at = last.at,
                          .line = std::to_string(last.at) + ' ' + std::to_string(last.at) + ' '
                              + processor + " dies"});
}

} // namespace

std::string mergedLog(const std::vector<std::filesystem::path>& files)
{
    std::string log;
    std::vector<Event> events;
    for (const std::filesystem::path& file : files)
        read(file, log, events);
    if (log.empty())
        return log;
    std::ranges::stable_sort(events, {}, &Event::at);
    for (const Event& event : events)
        log += event.line + '\n';
    return log;
}

} // namespace tasuki::membership
