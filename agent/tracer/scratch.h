// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <span>

namespace tasuki::tracer {

/// Room for what one call needs: a few on the stack, more on the heap.
template <class T>
class Scratch {
public:
    /// Does not throw; see ok().
    explicit Scratch(std::size_t size) noexcept
        : m_size(size), m_more(size > few ? new (std::nothrow) T[size]() : nullptr)
    {}
    /// @return false when there was no memory
    [[nodiscard]] bool ok() const { return m_size <= few || m_more != nullptr; }

    [[nodiscard]] T* data() { return m_more ? m_more.get() : m_few.data(); }
    [[nodiscard]] T& operator[](std::size_t i) { return data()[i]; }
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] std::span<T> first(std::size_t count) { return {data(), count}; }

private:
    static constexpr std::size_t few = 8;

    std::size_t m_size;
    std::array<T, few> m_few{};
    std::unique_ptr<T[]> m_more;
};

} // namespace tasuki::tracer
