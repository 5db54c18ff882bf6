// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "replay.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tasuki::membership {

/// A log as lines, to be falsified.
class FalsifiedLog {
public:
    using Words = std::vector<std::string>;

    explicit FalsifiedLog(const std::string& log);

    /// @return the place of the first line of a kind that fits, from somewhere on; the number of lines: none
    [[nodiscard]] std::size_t find(const std::string& what,
                                   const std::function<bool(const Words&)>& fits,
                                   std::size_t from = 0) const;
    [[nodiscard]] Words words(std::size_t at) const;
    [[nodiscard]] std::size_t size() const { return m_lines.size(); }
    void set(std::size_t at, const Words& words);
    /// Says something at the time of a line, after it.
    void say(std::size_t at, const std::string& who, const std::string& what);
    void erase(std::size_t at) { m_lines.erase(m_lines.begin() + static_cast<std::ptrdiff_t>(at)); }
    /// What was said later was said at the time of another line, after it.
    void advance(std::size_t from, std::size_t to);
    /// Of all words that begin so.
    void replaceBeginnings(const std::string& beginning, const std::string& by);

    [[nodiscard]] Replay replayed() const;

private:
    /// @return the time of a processor's own clock when a line was said
    [[nodiscard]] std::string ownAt(std::size_t at, const std::string& who) const;

    std::vector<std::string> m_lines;
};

} // namespace tasuki::membership
