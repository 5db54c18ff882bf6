// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "entry.h"

#include <cstdint>
#include <functional>
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
///   custom      | what a function makes of both values
class Law {
public:
    enum class Kind : std::uint8_t { First, Last, Min, Max, MinNumber, MaxNumber, Sum, Custom };
    /// Must be commutative, associative and idempotent.
    using Combine = std::function<std::string(std::string_view, std::string_view)>;

    /// @param kind  not Custom
    explicit Law(Kind kind);
    /// @param name  tells this law from others: maps merge under laws of the same name only
    static Law custom(std::string name, Combine combine);
    /// @return an Error of kind Input that lists the laws when there is none of that name
    static Result<Law> named(std::string_view name);
    /// The names of all laws but custom ones.
    static std::vector<std::string> names();

    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] const std::string& name() const { return m_name; }
    /// Whether entries of one key and different origins stand side by side.
    [[nodiscard]] bool keepsOrigins() const { return m_kind == Kind::Sum; }
    /// Whether values must be numbers to mean anything.
    [[nodiscard]] bool wantsNumbers() const;

    /// Which of two entries of one key (and one origin, where the law keeps origins) stays.
    enum class Winner : std::uint8_t { Either, First, Second, Combined };
    /// @param combined  receives the value when the answer is Combined; the stamp and the score are
    ///                  then the larger ones
    [[nodiscard]] Winner decide(const Entry& first, const Entry& second,
                                std::string& combined) const;

private:
    [[nodiscard]] std::strong_ordering prefer(const Entry& first, const Entry& second) const;

    Kind m_kind;
    std::string m_name;
    Combine m_combine;
};

} // namespace tasuki::merge
