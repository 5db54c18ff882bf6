// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tasuki::world {

/// What a restart point saves of the state of MPI, put together.
class StateWriter {
public:
    template <class Value>
    void put(const Value& value)
    {
        static_assert(std::is_trivially_copyable_v<Value>);
        const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
        m_bytes.insert(m_bytes.end(), bytes, bytes + sizeof value);
    }
    /// @see StateReader::get(std::size_t)
    void put(const std::string& bytes)
    {
        const auto* const from = reinterpret_cast<const std::byte*>(bytes.data());
        m_bytes.insert(m_bytes.end(), from, from + bytes.size());
    }
    [[nodiscard]] std::span<const std::byte> bytes() const { return m_bytes; }

private:
    std::vector<std::byte> m_bytes;
};

/// The same, taken apart in the same order by the same build.
class StateReader {
public:
    explicit StateReader(std::vector<std::byte> bytes) : m_bytes(std::move(bytes)) {}

    /// @return zeros where nothing more stands
    template <class Value>
    Value get()
    {
        static_assert(std::is_trivially_copyable_v<Value>);
        Value value{};
        if (m_bytes.size() - m_read >= sizeof value)
            std::memcpy(&value, m_bytes.data() + m_read, sizeof value);
        m_read = std::min(m_bytes.size(), m_read + sizeof value);
        return value;
    }
    /// @return so many bytes
    std::string get(std::size_t bytes)
    {
        std::string taken(bytes, '\0');
        const std::size_t there = std::min(bytes, m_bytes.size() - m_read);
        std::memcpy(taken.data(), m_bytes.data() + m_read, there);
        m_read += there;
        return taken;
    }
    [[nodiscard]] bool isAtEnd() const { return m_read == m_bytes.size(); }

private:
    std::vector<std::byte> m_bytes;
    std::size_t m_read = 0;
};

} // namespace tasuki::world
