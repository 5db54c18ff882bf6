// SPDX-License-Identifier: GPL-3.0-or-later
#include "ownerwait.h"

#include <string>
#include <utility>

namespace tasuki {

OwnerWait::OwnerWait(std::string runFile, std::FILE* stream, int columns, const Clock& clock)
    : m_runFile(std::move(runFile)),
      m_stream(stream),
      m_terminal(columns > 0),
      m_counting(stream, columns, clock)
{}

void OwnerWait::show(const std::string& owner, std::chrono::milliseconds left)
{
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(left).count();
    if (!std::exchange(m_said, true)) {
        std::fprintf(
            m_stream,
            "tasuki: %s was written last by %s, which cannot be seen from here and may still "
            "write it: waiting %lld s whether it does\n",
            m_runFile.c_str(), owner.c_str(), static_cast<long long>(seconds));
        std::fflush(m_stream);
    }
    if (m_terminal) {
        m_counting.show([&](int columns) {
            return (std::to_string(seconds) + " s left of waiting for " + owner)
                .substr(0, static_cast<std::size_t>(columns));
        });
    }
}

} // namespace tasuki
