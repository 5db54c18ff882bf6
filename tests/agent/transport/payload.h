// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "transport/transport.h"

#include <cstddef>
#include <cstdint>

namespace tasuki::conformance {

/// Bytes that follow from where a message belongs: a receiver that knows what is due makes the
/// same message and compares, so that no byte, place or pair can be mixed up unseen.
/// @param salt   tells exchanges apart
/// @param index  place in the sequence from `from` to `to`
Message payload(std::uint64_t salt, ProcessorId from, ProcessorId to, std::size_t index,
                std::size_t size);

} // namespace tasuki::conformance
