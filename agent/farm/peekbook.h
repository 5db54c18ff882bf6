// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "crews.h"
#include "messages.h"

#include "domain/ids.h"

#include <cstdint>
#include <functional>
#include <map>

namespace tasuki::farm {

/// Questions about what attempts have written, until their crews have answered. Each is answered once.
class PeekBook {
public:
    using Answer = std::function<void(OutputAnswer)>;

    /// @param number  what the crew is asked under
    void ask(std::uint32_t number, CrewId crew, AttemptKey key, Answer answer);
    /// What a crew was not asked is passed over.
    void answered(CrewId from, Peeked&& message);
    /// A crew will not answer any more: "not known".
    void giveUp(CrewId crew);

private:
    struct Question {
        CrewId crew;
        AttemptKey key;
        Answer answer;
    };
    std::map<std::uint32_t, Question> m_open;
};

} // namespace tasuki::farm
