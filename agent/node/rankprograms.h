// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "domain/event.h"
#include "domain/rankprogram.h"

#include <map>
#include <utility>
#include <vector>

namespace tasuki {

/// What the programs of worlds do now, at the processor that leads, by what others have told it of late.
class RankPrograms {
public:
    void shown(RankProgram program, SteadyTime now)
    {
        const Rank rank = program.rank;
        m_programs[rank] = {std::move(program), now};
    }
    /// Of a program that has ended nothing is known any more.
    void published(const Event& event)
    {
        if (const auto* finished = std::get_if<AttemptFinished>(&event.payload))
            m_programs.erase(finished->rank);
    }
    /// @return those that were told of lately, by rank
    [[nodiscard]] std::vector<RankProgram> current(SteadyTime now)
    {
        std::erase_if(m_programs,
                      [now](const auto& one) { return now - one.second.second > longestSilence; });
        std::vector<RankProgram> programs;
        for (const auto& [rank, told] : m_programs)
            programs.push_back(told.first);
        return programs;
    }

private:
    static constexpr std::chrono::seconds longestSilence{5};

    std::map<Rank, std::pair<RankProgram, SteadyTime>> m_programs;
};

} // namespace tasuki
