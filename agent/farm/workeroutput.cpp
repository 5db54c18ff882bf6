// SPDX-License-Identifier: GPL-3.0-or-later
#include "workeroutput.h"

#include <utility>

namespace tasuki::farm {

void WorkerOutput::fetch(ProcessorId from, const FetchOutput& message, Executor* executor)
{
    const std::uint64_t question = ++m_last;
    m_open[question] = {.from = from, .number = message.number, .key = message.query.key};
    if (executor == nullptr) {
        answer(question, {.answer = {.key = message.query.key}, .problem = {}});
        return;
    }
    executor->fetch(message.query, message.wait, [this, question](FetchedOutput output) {
        answer(question, std::move(output));
    });
}

void WorkerOutput::executorGone()
{
    while (!m_open.empty()) {
        const auto& [question, asked] = *m_open.begin();
        answer(question, {.answer = {.key = asked.key}, .problem = {}});
    }
}

void WorkerOutput::answer(std::uint64_t question, FetchedOutput output)
{
    const auto asked = m_open.extract(question);
    if (asked.empty())
        return;
    m_transport.send(asked.mapped().from,
                     encode({.epoch = m_epoch,
                             .held = {},
                             .message = OutputFetched{.number = asked.mapped().number,
                                                      .output = std::move(output)}}));
}

} // namespace tasuki::farm
