// SPDX-License-Identifier: GPL-3.0-or-later
#include "peekbook.h"

#include <utility>
#include <vector>

namespace tasuki::farm {

void PeekBook::ask(std::uint32_t number, GroupId group, AttemptKey key, Answer answer)
{
    m_open[number] = {group, key, std::move(answer)};
}

void PeekBook::answered(GroupId from, Peeked&& message)
{
    const auto found = m_open.find(message.number);
    if (found == m_open.end() || found->second.group != from)
        return;
    const Answer answer = std::move(found->second.answer);
    m_open.erase(found);
    answer(std::move(message.answer));
}

void PeekBook::giveUp(GroupId group)
{
    std::vector<Question> given;
    std::erase_if(m_open, [&](auto& item) {
        if (item.second.group != group)
            return false;
        given.push_back(std::move(item.second));
        return true;
    });
    for (const Question& question : given)
        question.answer(OutputAnswer{.key = question.key});
}

} // namespace tasuki::farm
