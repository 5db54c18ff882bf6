// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"

#include <array>
#include <bit>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

/// How processes of one launch write what they say to each other. The fields of a type stand in one place
/// for both directions:
///
///     void fields(auto& a, codec::Is<Peek> auto& m)
///     {
///         a(m.number, m.query);
///         a.require(m.number > 0); // what is read and is not so is refused
///     }
///
/// in the namespace of the type, or in this one for types of the domain (domainfields.h). An enumeration says
/// its last value: `constexpr Health lastOf(codec::Of<Health>) { return Health::Left; }`. All processes are of
/// the same build: the format has no versions. It is the same on all machines: numbers are written in groups
/// of seven bits, the lowest first, signed ones folded before; of a double, those of its bits.
namespace tasuki::codec {

/// M is T, or T that is only read.
template <class M, class T>
concept Is = std::same_as<std::remove_const_t<M>, T>;

/// Names an enumeration.
template <class T>
struct Of {};

namespace detail {

template <class T>
concept Number = std::integral<T> && !std::same_as<T, bool>;

template <class T>
inline constexpr char tagOf = 0;

} // namespace detail

/// Appends values to bytes.
class Writer {
public:
    explicit Writer(std::string& out) : m_out(out) {}

    template <class... T>
    void operator()(const T&... values)
    {
        (put(values), ...);
    }
    static void require(bool) {}

private:
    void putWord(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7U)
            m_out += static_cast<char>(value | 0x80U);
        m_out += static_cast<char>(value);
    }
    template <detail::Number T>
    void put(T value)
    {
        if constexpr (std::is_signed_v<T>) {
            const auto wide = static_cast<std::int64_t>(value);
            putWord((static_cast<std::uint64_t>(wide) << 1U)
                    ^ static_cast<std::uint64_t>(wide >> 63));
        } else {
            putWord(value);
        }
    }
    void put(bool value) { m_out += value ? '\1' : '\0'; }
    void put(double value) { putWord(std::bit_cast<std::uint64_t>(value)); }
    void put(std::byte value) { m_out += static_cast<char>(value); }
    template <class T>
    requires std::is_enum_v<T>
    void put(T value) { put(static_cast<std::uint32_t>(value)); }
    void put(const std::string& value)
    {
        putWord(value.size());
        m_out += value;
    }
    template <class Tag, class Rep>
    void put(Id<Tag, Rep> value)
    {
        put(value.value());
    }
    template <class Rep, class Period>
    void put(std::chrono::duration<Rep, Period> value)
    {
        put(static_cast<std::int64_t>(value.count()));
    }
    template <class Clock, class Duration>
    void put(std::chrono::time_point<Clock, Duration> value)
    {
        put(value.time_since_epoch());
    }
    template <class T>
    void put(const std::optional<T>& value)
    {
        put(value.has_value());
        if (value)
            put(*value);
    }
    template <class T>
    void put(const std::vector<T>& values)
    {
        putWord(values.size());
        for (const T& value : values)
            put(value);
    }
    template <class T, std::size_t size>
    void put(const std::array<T, size>& values)
    {
        for (const T& value : values)
            put(value);
    }
    template <class First, class Second>
    void put(const std::pair<First, Second>& value)
    {
        put(value.first);
        put(value.second);
    }
    template <class... T>
    void put(const std::variant<T...>& value)
    {
        putWord(value.index());
        std::visit([this](const auto& one) { this->put(one); }, value);
    }
    /// What is shared is written once, and is shared again when it is read. 0: null.
    template <class T>
    void put(const std::shared_ptr<const T>& value)
    {
        if (value == nullptr) {
            putWord(0);
            return;
        }
        const auto [place, added] = m_shared.try_emplace(value.get(), m_shared.size() + 1);
        putWord(place->second);
        if (added)
            put(*value);
    }
    template <class T>
    requires std::is_class_v<T>
    void put(const T& value) { fields(*this, value); }

    std::string& m_out;
    std::unordered_map<const void*, std::uint64_t> m_shared;
};

/// Takes values from bytes, and finds out whether they are what a Writer can have written.
class Reader {
public:
    explicit Reader(std::string_view in) : m_in(in) {}

    template <class... T>
    void operator()(T&... values)
    {
        (get(values), ...);
    }
    void require(bool holds) { m_good = m_good && holds; }
    /// Whether all that was read is good, and nothing is left.
    [[nodiscard]] bool finished() const { return m_good && m_in.empty(); }

private:
    struct Shared {
        const char* tag;
        std::shared_ptr<const void> value;
    };

    std::string_view take(std::uint64_t count)
    {
        require(count <= m_in.size());
        if (!m_good) {
            m_in = {};
            return {};
        }
        const std::string_view bytes = m_in.substr(0, count);
        m_in.remove_prefix(count);
        return bytes;
    }
    std::uint64_t takeWord()
    {
        constexpr unsigned lastShift = 63;
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift <= lastShift; shift += 7) {
            const std::string_view bytes = take(1);
            if (bytes.empty())
                return 0;
            const auto byte = static_cast<unsigned char>(bytes.front());
            require(shift < lastShift || byte <= 1);
            value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
            if (byte < 0x80)
                return m_good ? value : 0;
        }
        require(false);
        return 0;
    }
    template <detail::Number T>
    void get(T& value)
    {
        const std::uint64_t word = takeWord();
        if constexpr (std::is_signed_v<T>) {
            const auto wide = static_cast<std::int64_t>(word >> 1U)
                ^ -static_cast<std::int64_t>(word & 1U);
            require(wide >= std::numeric_limits<T>::min() && wide <= std::numeric_limits<T>::max());
            value = static_cast<T>(wide);
        } else {
            require(word <= std::numeric_limits<T>::max());
            value = static_cast<T>(word);
        }
    }
    void get(bool& value)
    {
        const std::uint64_t word = takeWord();
        require(word <= 1);
        value = word == 1;
    }
    void get(double& value) { value = std::bit_cast<double>(takeWord()); }
    void get(std::byte& value)
    {
        const std::string_view bytes = take(1);
        value = bytes.empty() ? std::byte{} : static_cast<std::byte>(bytes.front());
    }
    template <class T>
    requires std::is_enum_v<T>
    void get(T& value)
    {
        std::uint32_t number = 0;
        get(number);
        require(number <= static_cast<std::uint32_t>(lastOf(Of<T>{})));
        value = m_good ? static_cast<T>(number) : T{};
    }
    void get(std::string& value) { value.assign(take(takeWord())); }
    template <class Tag, class Rep>
    void get(Id<Tag, Rep>& value)
    {
        Rep number{};
        get(number);
        value = Id<Tag, Rep>(number);
    }
    template <class Rep, class Period>
    void get(std::chrono::duration<Rep, Period>& value)
    {
        Rep count{};
        get(count);
        value = std::chrono::duration<Rep, Period>(count);
    }
    template <class Clock, class Duration>
    void get(std::chrono::time_point<Clock, Duration>& value)
    {
        Duration since{};
        get(since);
        value = std::chrono::time_point<Clock, Duration>(since);
    }
    template <class T>
    void get(std::optional<T>& value)
    {
        bool present = false;
        get(present);
        value.reset();
        if (present)
            get(value.emplace());
    }
    template <class T>
    void get(std::vector<T>& values)
    {
        const std::uint64_t count = takeWord();
        values.clear();
        // Each takes a byte at least: room for more than there can be is not made.
        values.reserve(count <= m_in.size() ? count : 0);
        for (std::uint64_t i = 0; i < count && m_good; ++i)
            get(values.emplace_back());
    }
    template <class T, std::size_t size>
    void get(std::array<T, size>& values)
    {
        for (T& value : values)
            get(value);
    }
    template <class First, class Second>
    void get(std::pair<First, Second>& value)
    {
        get(value.first);
        get(value.second);
    }
    template <class... T>
    void get(std::variant<T...>& value)
    {
        getAlternative<0>(takeWord(), value);
    }
    template <std::size_t index, class Variant>
    void getAlternative(std::uint64_t wanted, Variant& value)
    {
        if constexpr (index == std::variant_size_v<Variant>)
            require(false);
        else if (wanted == index)
            get(value.template emplace<index>());
        else
            getAlternative<index + 1>(wanted, value);
    }
    template <class T>
    void get(std::shared_ptr<const T>& value)
    {
        const std::uint64_t number = takeWord();
        value.reset();
        if (number == 0 || !m_good)
            return;
        const char* const tag = &detail::tagOf<T>;
        if (number <= m_shared.size()) {
            const Shared& known = m_shared[number - 1];
            require(known.tag == tag && known.value != nullptr);
            if (m_good)
                value = std::static_pointer_cast<const T>(known.value);
            return;
        }
        require(number == m_shared.size() + 1);
        if (!m_good)
            return;
        const auto fresh = std::make_shared<T>();
        m_shared.push_back({tag, nullptr}); // what stands in it has later numbers
        get(*fresh);
        m_shared[number - 1].value = fresh;
        value = fresh;
    }
    template <class T>
    requires std::is_class_v<T>
    void get(T& value) { fields(*this, value); }

    std::string_view m_in;
    bool m_good = true;
    std::vector<Shared> m_shared;
};

template <class T>
std::string encode(const T& value)
{
    std::string bytes;
    Writer write(bytes);
    write(value);
    return bytes;
}

/// @return whether the bytes are one value, and nothing more; else the value is of no use
template <class T>
bool decode(std::string_view bytes, T& value)
{
    Reader read(bytes);
    read(value);
    return read.finished();
}

} // namespace tasuki::codec
