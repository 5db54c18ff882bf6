// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>

namespace tasuki {

/// What one thread tells another of something of which only the newest counts: at most one is on its
/// way and one waits, and that is replaced by what is newer. To be used by the thread that tells.
template <class T>
class Latest {
public:
    /// @return what is to be told now; nothing: it waits until taken()
    [[nodiscard]] std::optional<T> offer(T value)
    {
        if (std::exchange(m_underWay, true)) {
            m_waiting = std::move(value);
            return std::nullopt;
        }
        return value;
    }
    [[nodiscard]] bool waits() const { return m_waiting.has_value(); }
    /// What was told has arrived.
    /// @return what is to be told next, if there is anything
    [[nodiscard]] std::optional<T> taken()
    {
        m_underWay = m_waiting.has_value();
        return rest();
    }
    /// @return what waits, to be told at once, for nothing more comes
    [[nodiscard]] std::optional<T> rest() { return std::exchange(m_waiting, std::nullopt); }

private:
    std::optional<T> m_waiting;
    bool m_underWay = false;
};

} // namespace tasuki
