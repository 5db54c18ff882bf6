// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/executor.h"
#include "world/segment.h"

#include <memory>

namespace tasuki::worldhost {

/// Puts what a rank has printed into its log, where a restart point asks for it: a life that goes on from there prints it again.
/// One thread, that of the executor.
class OutputKeeper {
public:
    /// @param executor  runs the attempt; outlives this object
    /// @param key       of the rank's program
    OutputKeeper(Executor& executor, AttemptKey key) : m_executor(executor), m_key(key) {}

    OutputKeeper(const OutputKeeper&) = delete;
    OutputKeeper& operator=(const OutputKeeper&) = delete;

    /// The program may have asked.
    void look(std::shared_ptr<const world::Segment> segment, world::WorldRank rank);

private:
    void ask();
    void take(const OutputAnswer& answer);
    void finish(bool all);
    [[nodiscard]] std::uint64_t kept(std::size_t which) const;

    Executor& m_executor;
    AttemptKey m_key;
    std::shared_ptr<const world::Segment> m_segment;
    world::WorldRank m_rank = 0;
    std::uint32_t m_question = 0;                          ///< that is not answered; 0: none is
    std::shared_ptr<int> m_life = std::make_shared<int>(); ///< answers see it expired
};

} // namespace tasuki::worldhost
