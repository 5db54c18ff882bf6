// SPDX-License-Identifier: GPL-3.0-or-later
#include "sendbuffer.h"

#include "statistics.h"

#include <algorithm>

namespace tasuki::probe {

std::uint64_t largeMessageBytes(const LinkFit& fit)
{
    constexpr double longUs = 500'000.0;
    constexpr double least = 256.0 * 1024.0;
    constexpr double most = 8.0 * 1024.0 * 1024.0;
    const double a1 = fit.a1UsPerByte.value;
    return static_cast<std::uint64_t>(a1 > 0.0 ? std::clamp(longUs / a1, least, most) : most);
}

double sendBufferBytes(const std::vector<LargeMessageRecord>& messages,
                       const std::vector<FittedLink>& links)
{
    // Less is what the two answers' ways and the processors' work vary by.
    constexpr double leastShare = 0.02;
    std::vector<double> kept;
    for (const LargeMessageRecord& message : messages) {
        const auto link = std::ranges::find_if(links, [&](const FittedLink& candidate) {
            return candidate.a == message.a && candidate.b == message.b;
        });
        if (link == links.end() || link->fit.a1UsPerByte.value <= 0.0)
            continue;
        const double restUs = message.answeredUs - link->fit.a0Us.value - message.sentUs;
        const double bytes = restUs / link->fit.a1UsPerByte.value;
        kept.push_back(bytes < leastShare * message.bytes ? 0.0 : std::min(bytes, message.bytes));
    }
    return kept.empty() ? 0.0 : median(std::move(kept));
}

} // namespace tasuki::probe
