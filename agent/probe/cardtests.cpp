// SPDX-License-Identifier: GPL-3.0-or-later
#include "cardtests.h"

#include "statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tasuki::probe {

namespace {

/// Long enough that how the streams begin and end does not matter.
constexpr double wantedUs = 40'000.0;
constexpr std::uint64_t mostMessages = 2'000;
constexpr std::size_t mostPeers = 4;

CardStream streamTo(std::size_t peer, const LinkFit& fit)
{
    const double messageUs = fit.a1UsPerByte.value * static_cast<double>(streamMessageBytes);
    const double wanted = messageUs > 0.0 ? std::round(wantedUs / messageUs) : 1.0;
    return {.peer = peer,
            .messages = static_cast<std::uint64_t>(
                std::clamp(wanted, 1.0, static_cast<double>(mostMessages)))};
}

double aloneUs(const CardStream& stream, const LinkFit& fit)
{
    const auto bytes = static_cast<double>(stream.messages * streamMessageBytes);
    return fit.a0Us.value + fit.a1UsPerByte.value * std::max(bytes - fit.burstBytes, 0.0);
}

} // namespace

double CardTest::bytes() const
{
    return std::accumulate(
        streams.begin(), streams.end(), 0.0, [](double sum, const CardStream& stream) {
            return sum + static_cast<double>(stream.messages * streamMessageBytes);
        });
}

std::vector<CardTest> planCardTests(std::size_t nodes, const std::vector<FittedLink>& links)
{
    std::vector<CardTest> tests;
    for (std::size_t node = 0; node < nodes; ++node) {
        CardTest test{.node = node, .incoming = false, .streams = {}, .aloneUs = 0.0};
        for (const FittedLink& link : links) {
            if (link.a == link.b || (link.a != node && link.b != node)
                || test.streams.size() == mostPeers)
                continue;
            test.streams.push_back(streamTo(link.a == node ? link.b : link.a, link.fit));
            test.aloneUs = std::max(test.aloneUs, aloneUs(test.streams.back(), link.fit));
        }
        if (test.streams.size() < 2)
            continue;
        tests.push_back(test);
        test.incoming = true;
        tests.push_back(std::move(test));
    }
    return tests;
}

double cardUsPerByte(const CardRecord& record)
{
    // Below, it may be the processor that several streams need.
    constexpr double clearlyLonger = 1.15;
    const double us = median(record.us);
    return us > clearlyLonger * record.aloneUs ? us / record.bytes : 0.0;
}

} // namespace tasuki::probe
