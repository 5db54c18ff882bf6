// SPDX-License-Identifier: GPL-3.0-or-later
#include "logstart.h"

#include <string>

namespace tasuki::trace {

LogStart logStart(const std::optional<AnnouncedStart>& announced, std::int64_t firstUs)
{
    const std::int64_t saidUs = announced ? announced->us : 0;
    if (saidUs != 0 && saidUs <= firstUs)
        return {.us = saidUs};
    const std::string first = std::to_string(firstUs) + " us";
    if (saidUs != 0)
        return {.us = firstUs,
                .guess = Finding{"header -6 says that the log starts at " + std::to_string(saidUs)
                                     + " us, its first record is at " + first,
                                 "times count from the first record"}};
    if (firstUs >= 0 && firstUs <= latestUnannouncedUs)
        return {};
    return {.us = firstUs,
            .guess = Finding{"the first record is at " + first
                                 + ", and no header -6 says when the log starts",
                             "times count from the first record; header -6 with the starting time "
                             "would tell what was computed before"}};
}

} // namespace tasuki::trace
