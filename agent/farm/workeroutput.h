// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "messages.h"

#include "process/executor.h"
#include "transport/transport.h"

#include <cstdint>
#include <map>
#include <memory>

namespace tasuki::farm {

/// The side of a worker that hands over what tasks have written, to whoever asks for it. Each question
/// is answered, also when the executor goes. Reactor's thread only.
class WorkerOutput {
public:
    /// @param transport  outlives this
    WorkerOutput(Epoch epoch, Transport& transport) : m_epoch(epoch), m_transport(transport) {}

    /// @param executor  null: there is none
    void fetch(ProcessorId from, const FetchOutput& message, Executor* executor);
    /// The executor will not answer any more.
    void executorGone();

private:
    struct Question {
        ProcessorId from;
        std::uint32_t number = 0;
        AttemptKey key;
    };

    void answer(std::uint64_t question, FetchedOutput output);

    Epoch m_epoch;
    Transport& m_transport;
    std::map<std::uint64_t, Question> m_open;
    std::uint64_t m_last = 0;
};

} // namespace tasuki::farm
