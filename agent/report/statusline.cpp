// SPDX-License-Identifier: GPL-3.0-or-later
#include "statusline.h"

#include <algorithm>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds terminalInterval{100};
/// Plain lines come after 2 s, then ever more rarely, so that a log of a long run stays short.
constexpr std::chrono::milliseconds firstPlainInterval{2'000};
constexpr std::chrono::milliseconds longestPlainInterval{60'000};

} // namespace

StatusLine::StatusLine(std::FILE* stream, int columns, const Clock& clock)
    : m_stream(stream),
      m_columns(columns),
      m_clock(clock),
      m_interval(columns > 0 ? terminalInterval : firstPlainInterval)
{
    m_next = clock.now() + m_interval;
}

void StatusLine::show(const Text& text)
{
    const SteadyTime now = m_clock.now();
    if (now < m_next)
        return;
    if (m_columns == 0)
        m_interval = std::min(m_interval * 2, longestPlainInterval);
    m_next = now + m_interval;
    draw(text);
}

void StatusLine::finish(const Text& text)
{
    draw(text);
    if (m_columns > 0) {
        std::fputc('\n', m_stream);
        std::fflush(m_stream);
    }
    m_drawn = false;
}

void StatusLine::clear()
{
    if (!m_drawn)
        return;
    std::fputs("\r\x1b[K", m_stream);
    std::fflush(m_stream);
    m_drawn = false;
}

void StatusLine::draw(const Text& text)
{
    if (m_columns > 0) {
        // One column is left free: a full line would wrap on some terminals.
        std::fprintf(m_stream, "\r%s\x1b[K", text(m_columns - 1).c_str());
        m_drawn = true;
    } else {
        std::fprintf(m_stream, "tasuki: %s\n", text(0).c_str());
    }
    std::fflush(m_stream);
}

} // namespace tasuki
