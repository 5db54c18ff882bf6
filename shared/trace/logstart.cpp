// SPDX-License-Identifier: GPL-3.0-or-later
#include "logstart.h"

#include <string>

namespace tasuki::trace {

LogStart logStart(const std::optional<AnnouncedStart>& announced, std::int64_t firstUs)
{
    const std::string first = std::to_string(firstUs) + " us";
    if (announced && announced->us > firstUs)
        return {.us = firstUs,
                .doubt = Finding{"header -6 says that the log starts at "
                                     + std::to_string(announced->us)
                                     + " us, its first record is at " + first,
                                 "times count from the first record"}};
    const bool isLate = firstUs > latestUnannouncedUs;
    if (announced && announced->us == 0 && isLate)
        return {.us = 0,
                .doubt = Finding{
                    "header -6 says that the log starts at 0, its first record is at " + first,
                    "what lies between is taken for computation; if it is not, put the "
                    "starting time there"}};
    if (announced)
        return {.us = announced->us};
    if (firstUs >= 0 && !isLate)
        return {};
    return {.us = firstUs,
            .doubt = Finding{"the first record is at " + first
                                 + ", and no header -6 says when the log starts",
                             "times count from the first record; header -6 with the starting time "
                             "would tell what was computed before"}};
}

} // namespace tasuki::trace
