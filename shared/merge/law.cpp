// SPDX-License-Identifier: GPL-3.0-or-later
#include "law.h"

#include "number.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tasuki::merge {

namespace {

constexpr std::array<std::pair<Law::Kind, std::string_view>, 7> builtIn{{
    {Law::Kind::First, "first"},
    {Law::Kind::Last, "last"},
    {Law::Kind::Min, "min"},
    {Law::Kind::Max, "max"},
    {Law::Kind::MinNumber, "min-number"},
    {Law::Kind::MaxNumber, "max-number"},
    {Law::Kind::Sum, "sum"},
}};

std::strong_ordering reversed(std::strong_ordering order) { return 0 <=> order; }

/// Numbers by size; what is no number is less than all of them.
std::strong_ordering byNumber(std::string_view first, std::string_view second, bool loserIsLarge)
{
    const auto left = Decimal::parse(first);
    const auto right = Decimal::parse(second);
    if (left && right)
        return *left <=> *right;
    const auto known = left.has_value() <=> right.has_value();
    return loserIsLarge ? reversed(known) : known;
}

std::strong_ordering byScore(const Entry& first, const Entry& second)
{
    return std::strong_order(first.score, second.score);
}

} // namespace

std::string Law::name() const
{
    const auto found = std::ranges::find(builtIn, m_kind,
                                         [](const auto& law) { return law.first; });
    assert(found != builtIn.end());
    return std::string(found->second);
}

Result<Law> Law::named(std::string_view name)
{
    const auto found = std::ranges::find(builtIn, name, [](const auto& law) { return law.second; });
    if (found != builtIn.end())
        return Law(found->first);
    std::string all;
    for (const std::string& each : names())
        all += (all.empty() ? "" : ", ") + each;
    return Error{.kind = ErrorKind::Input,
                 .message = "unknown law '" + std::string(name) + "'",
                 .remedy = "expected one of: " + all};
}

std::vector<std::string> Law::names()
{
    std::vector<std::string> all;
    for (const auto& [kind, name] : builtIn)
        all.emplace_back(name);
    return all;
}

bool Law::wantsNumbers() const
{
    return m_kind == Kind::MinNumber || m_kind == Kind::MaxNumber || m_kind == Kind::Sum;
}

/// @return greater: the first stays; equal: the entries are the same
std::strong_ordering Law::prefer(const Entry& first, const Entry& second) const
{
    const auto byStamp = first.stamp <=> second.stamp;
    const auto byValue = first.value <=> second.value;
    auto order = std::strong_ordering::equal;
    switch (m_kind) {
    case Kind::First: order = reversed(byStamp); break;
    case Kind::Last:
    case Kind::Sum: order = byStamp; break;
    case Kind::Min: order = reversed(byValue); break;
    case Kind::Max: order = byValue; break;
    case Kind::MinNumber: order = reversed(byNumber(first.value, second.value, true)); break;
    case Kind::MaxNumber: order = byNumber(first.value, second.value, false); break;
    }
    // The larger score before the larger stamp: so that of numbers of the same size, the one stays
    // that trimming would keep.
    for (const auto next : {byScore(first, second), byStamp, byValue}) {
        if (order == 0)
            order = next;
    }
    return order;
}

Law::Winner Law::decide(const Entry& first, const Entry& second) const
{
    const auto order = prefer(first, second);
    return order > 0 ? Winner::First : order < 0 ? Winner::Second : Winner::Either;
}

} // namespace tasuki::merge
