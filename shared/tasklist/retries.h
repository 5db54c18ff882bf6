// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "domain/task.h"

#include <string>
#include <string_view>

namespace tasuki {

/// Reads how often a task may be tried again: "2" sets exit, signal and timeout;
/// "exit:2,lost:5" sets the causes named (exit, signal, timeout, lost). Both may be mixed,
/// separated by commas; each cause is named at most once, a cause named wins over a bare number.
/// @param base  what holds for the causes that are not set
/// @return an Error of kind Input, without a place, for anything else
Result<RetryBudget> parseRetries(std::string_view text, const RetryBudget& base);

/// Writes a budget so that parseRetries reads the same back, whatever its base.
std::string formatRetries(const RetryBudget& budget);

} // namespace tasuki
