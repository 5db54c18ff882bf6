// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/statusline.h"

#include <chrono>
#include <cstdio>
#include <string>

namespace tasuki {

/// Says for whom the start of a run waits, and how long: once in a line, and in a terminal counting.
class OwnerWait {
public:
    /// @param columns  of the terminal; 0: not a terminal
    /// @param clock    outlives this
    OwnerWait(std::string runFile, std::FILE* stream, int columns, const Clock& clock);
    ~OwnerWait() { m_counting.clear(); }
    OwnerWait(const OwnerWait&) = delete;
    OwnerWait& operator=(const OwnerWait&) = delete;

    /// As OwnerWaiting.
    void show(const std::string& owner, std::chrono::milliseconds left);

private:
    std::string m_runFile;
    std::FILE* m_stream;
    bool m_terminal;
    bool m_said = false;
    StatusLine m_counting;
};

} // namespace tasuki
