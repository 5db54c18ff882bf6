// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "replaytypes.h"

#include <charconv>
#include <stdexcept>
#include <string_view>

/// Words of a log, read. What is none of them is thrown as a std::runtime_error.
namespace tasuki::membership {

template <class Integer>
Integer numberIn(std::string_view text)
{
    Integer out = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (error != std::errc{} || end != text.data() + text.size())
        throw std::runtime_error("no number: " + std::string(text));
    return out;
}

std::vector<std::string> split(std::string_view text, char at);
Version versionIn(std::string_view text);
/// What a line says of a table, after `system` or `cluster`.
SystemPtr systemIn(const std::vector<std::string>& words);
ClusterPtr clusterIn(const std::vector<std::string>& words, std::optional<Number> writer);

} // namespace tasuki::membership
