// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/environment.h"

#include <string>

namespace tasuki::testing {

/// Four nodes of a measured cluster: some values with intervals, four of sixteen links with figures
/// of their own, one of them inside a node, two with a burst.
inline plan::Environment sampleEnvironment()
{
    plan::Environment environment;
    environment.nodes = {{.name = "grid00", .speed = 1.0, .slots = 2, .cores = 8},
                         {.name = "grid01", .speed = 0.5, .speedConfidence = 0.0123},
                         {.name = "grid02", .speed = 0.25, .egressUsPerByte = 0.08},
                         {.name = "grid03"}};
    environment.sendBufferBytes = 800'000.0;
    environment.linkDefault = {.a0Us = 60.0, .a1UsPerByte = 0.08};
    environment.links.resize(16);
    const plan::LinkSpec slow{.a0Us = 120.1234,
                              .a1UsPerByte = 0.8,
                              .burstBytes = 5000.0,
                              .a0Confidence = 0.412,
                              .a1Confidence = 0.003};
    environment.links[0 * 4 + 3] = slow;
    environment.links[3 * 4 + 0] = slow;
    environment.links[1 * 4 + 2] = plan::LinkSpec{.a0Us = 90.0, .a1UsPerByte = 0.1};
    environment.links[2 * 4 + 2] = plan::LinkSpec{.a0Us = 0.25, .a1UsPerByte = 0.0001};
    return environment;
}

/// As many nodes as wanted, without links of their own.
inline plan::Environment wideEnvironment(std::size_t count)
{
    plan::Environment environment;
    for (std::size_t i = 0; i < count; ++i)
        environment.nodes.push_back({.name = "node" + std::to_string(i)});
    environment.linkDefault = {.a0Us = 60.0, .a1UsPerByte = 0.08};
    environment.links.resize(count * count);
    return environment;
}

} // namespace tasuki::testing
