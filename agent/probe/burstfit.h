// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linkfit.h"

#include <optional>
#include <span>

namespace tasuki::probe {

/// What messages to and fro take on a link whose rate a token bucket limits, one way: a0 when the
/// bucket holds enough for them, a0 + a1 (N - burst) when not; but never less than the a1 N / 2 in
/// which the bucket fills again while a message goes and another one comes back.
struct BurstLaw {
    Figure a0Us;
    Figure a1UsPerByte;
    double burstBytes = 0.0;

    [[nodiscard]] double timeUs(double bytes) const;
};

/// Large messages tell a1 and where their line meets time 0, the smallest ones tell a0; the burst is
/// what lies between the two. Sizes in between count for nothing: packets and their headers are not
/// in the law.
/// @return nothing: there are too few large sizes, these are on no line, or it is not below a0
std::optional<BurstLaw> fitBurst(std::span<const Timing> timings);

} // namespace tasuki::probe
