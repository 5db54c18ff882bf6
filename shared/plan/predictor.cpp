// SPDX-License-Identifier: GPL-3.0-or-later
#include "predictor.h"

namespace tasuki::plan {

double predictOne(Predictor& predictor, const Allocation& allocation)
{
    double timeUs = 0.0;
    predictor.predict({&allocation, 1}, {&timeUs, 1});
    return timeUs;
}

} // namespace tasuki::plan
