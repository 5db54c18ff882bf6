// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "entry.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki::merge {

/// Decides what becomes of two values of one key. Every law is commutative, associative and
/// idempotent to the last bit of value, stamp and score: whatever way maps travel and however
/// often they meet, all end with identical bytes. Ties are therefore decided to the end.
///
///   law         | keeps
///   ------------+----------------------------------------------------------------------------
///   first       | the value of the smallest stamp
///   last        | the value of the largest stamp
///   min, max    | the bytewise smallest, largest value
///   min-number, | the smallest, largest number; what is no number loses to every number
///   max-number  |
///   sum         | the total of all origins' numbers, each origin counted once: the map holds an
///               | entry for each key and origin, and folded() adds them up
class Law {
public:
    enum class Kind : std::uint8_t { First, Last, Min, Max, MinNumber, MaxNumber, Sum };

    explicit Law(Kind kind) : m_kind(kind) {}
    /// @return an Error of kind Input that lists the laws when there is none of that name
    static Result<Law> named(std::string_view name);
    static std::vector<std::string> names();

    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] std::string name() const;
    /// Whether entries of one key and different origins stand side by side.
    [[nodiscard]] bool keepsOrigins() const { return m_kind == Kind::Sum; }
    /// Whether values must be numbers to mean anything.
    [[nodiscard]] bool wantsNumbers() const;

    /// Which of two entries of one key (and one origin, where the law keeps origins) stays.
    enum class Winner : std::uint8_t { Either, First, Second };
    [[nodiscard]] Winner decide(const Entry& first, const Entry& second) const;

private:
    [[nodiscard]] std::strong_ordering prefer(const Entry& first, const Entry& second) const;

    Kind m_kind;
};

} // namespace tasuki::merge
