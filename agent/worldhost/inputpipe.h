// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "files/uniquefd.h"

#include "domain/result.h"

#include <cstdint>
#include <string>

namespace tasuki::worldhost {

/// Standard input of a program that runs here, which comes from elsewhere in pieces. One thread; never waits.
class InputPipe {
public:
    static Result<InputPipe> make();

    /// Where the program opens its end, while this lives.
    [[nodiscard]] std::string path() const;
    /// @return from where on more is wanted; nothing is wanted while something waits, or behind the end
    [[nodiscard]] bool wants() const { return m_waiting.empty() && !m_ended; }
    [[nodiscard]] std::uint64_t from() const { return m_taken; }
    /// @param end  nothing comes behind it
    void give(std::string bytes, bool end);
    /// Writes what the program has room for. @return whether anything was
    bool move();

private:
    UniqueFd m_read; ///< is kept: without a reader a write would fail
    UniqueFd m_write;
    std::string m_waiting;
    std::uint64_t m_taken = 0;
    bool m_ended = false;
};

} // namespace tasuki::worldhost
