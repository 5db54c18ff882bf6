// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "merge/mapbuilder.h"
#include "merge/mergemap.h"
#include "merge/trim.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace tasuki::merge::testing {

inline std::vector<Law> allLaws()
{
    std::vector<Law> laws;
    for (const std::string& name : Law::names())
        laws.push_back(*Law::named(name));
    return laws;
}

/// Few keys and few values, so that most of them meet.
struct RandomMaps {
    explicit RandomMaps(std::uint64_t seed) : engine(seed) {}

    int below(int limit) { return std::uniform_int_distribution(0, limit - 1)(engine); }

    std::string key()
    {
        static const std::vector<std::string> keys{
            "",         "a",    "b", "ab", std::string("a\0", 2), std::string("\0\n\t", 3),
            "\xff\xfe", "key05"};
        return keys[static_cast<std::size_t>(below(static_cast<int>(keys.size())))];
    }

    std::string value(const Law& law)
    {
        static const std::vector<std::string> numbers{
            "1", "1.0", "01", "-3", "9007199254740993", "9007199254740992", "1e3", "0.5"};
        static const std::vector<std::string> letters{"", "x", "y", "xy", "z", "xz"};
        static const std::vector<std::string> strange{"none", "", "12 "};
        const auto any = [this](const std::vector<std::string>& from) {
            return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
        };
        if (law.kind() == Law::Kind::Sum || (law.wantsNumbers() && below(4) != 0))
            return any(numbers);
        return any(below(2) == 0 ? strange : letters);
    }

    MergeMap map(const Law& law, ScoreRule rule, int entries)
    {
        MapBuilder builder(law);
        for (int count = 0; count < entries; ++count) {
            const std::string name = key();
            const std::string text = value(law);
            builder.put({.key = name,
                         .value = text,
                         .stamp = {.time = static_cast<std::uint64_t>(below(4)),
                                   .origin = static_cast<std::uint32_t>(below(3))},
                         .score = scoreOf(rule, text)});
        }
        return builder.build();
    }

    std::mt19937_64 engine;
};

/// Two ranks' maps under the law `min`, with scores that are not the law's: keeping one entry, what
/// is trimmed away in a round would have won.
inline std::vector<MergeMap> trimCounterexample()
{
    const Law law(Law::Kind::Min);
    const auto map = [&law](std::initializer_list<Entry> entries) {
        MapBuilder builder(law);
        for (const Entry& entry : entries)
            builder.put(entry);
        return builder.build();
    };
    return {
        map({{.key = "x", .value = "a", .stamp = {}, .score = 1},
             {.key = "y", .value = "z", .stamp = {}, .score = 5}}),
        map({{.key = "x", .value = "b", .stamp = {}, .score = 10}}),
    };
}

/// What differs between two maps, for a failed test; empty: nothing.
inline std::string difference(const MergeMap& first, const MergeMap& second)
{
    if (first.size() != second.size())
        return std::to_string(first.size()) + " and " + std::to_string(second.size()) + " entries";
    for (std::size_t index = 0; index < first.size(); ++index) {
        if (!first.entry(index).same(second.entry(index)))
            return "entry " + std::to_string(index) + ": '" + std::string(first.entry(index).value)
                + "' and '" + std::string(second.entry(index).value) + "'";
    }
    return first.digest() == second.digest() ? "" : "digests";
}

} // namespace tasuki::merge::testing
