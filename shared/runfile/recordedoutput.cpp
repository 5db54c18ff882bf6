// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordedoutput.h"

#include <algorithm>

namespace tasuki {

OutputPiece pieceFrom(const CapturedStream& stream, std::uint64_t from)
{
    const std::uint64_t tailAt = stream.totalBytes - stream.tail.size();
    OutputPiece piece{
        .offset = std::min(from, stream.totalBytes), .bytes = {}, .totalBytes = stream.totalBytes};
    if (piece.offset < stream.head.size()) {
        piece.bytes = stream.head.substr(piece.offset, outputPieceBytes);
    } else {
        piece.offset = std::max(piece.offset, tailAt);
        piece.bytes = stream.tail.substr(piece.offset - tailAt, outputPieceBytes);
    }
    return piece;
}

Result<OutputAnswer> recordedOutput(RunFileReader& reader, const OutputQuery& query)
{
    auto result = reader.attempt(query.key);
    if (!result)
        return result.error();
    OutputAnswer answer{.key = query.key,
                        .known = result->has_value(),
                        .running = false,
                        .standardOutput = {},
                        .standardError = {}};
    if (!answer.known)
        return answer;
    answer.standardOutput = pieceFrom((*result)->standardOutput, query.standardOutputFrom);
    answer.standardError = pieceFrom((*result)->standardError, query.standardErrorFrom);
    return answer;
}

} // namespace tasuki
