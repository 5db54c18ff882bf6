// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "messages.h"
#include "workergroups.h"

#include "domain/ids.h"

#include <cstdint>
#include <functional>
#include <map>

namespace tasuki::farm {

/// Questions about what attempts have written, until their worker groups have answered. Each is answered once.
class PeekBook {
public:
    using Answer = std::function<void(OutputAnswer)>;

    /// @param number  what the worker group is asked under
    void ask(std::uint32_t number, GroupId group, AttemptKey key, Answer answer);
    /// An answer to what the worker group was not asked is passed over.
    void answered(GroupId from, Peeked&& message);
    /// A worker group will not answer any more: "not known".
    void giveUp(GroupId group);

private:
    struct Question {
        GroupId group;
        AttemptKey key;
        Answer answer;
    };
    std::map<std::uint32_t, Question> m_open;
};

} // namespace tasuki::farm
