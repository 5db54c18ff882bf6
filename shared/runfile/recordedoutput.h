// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runfilereader.h"

#include "domain/attempt.h"
#include "domain/command.h"

#include <cstddef>
#include <cstdint>

namespace tasuki {

/// Of a stream, in one answer, in bytes.
inline constexpr std::size_t outputPieceBytes = 1024 * 1024;

/// The stretch of a stream from a place on that is kept.
OutputPiece pieceFrom(const CapturedStream& stream, std::uint64_t from);

/// What the record keeps of the output of an attempt that has ended.
/// @return an answer that knows nothing where the attempt is not in the record
Result<OutputAnswer> recordedOutput(RunFileReader& reader, const OutputQuery& query);

} // namespace tasuki
