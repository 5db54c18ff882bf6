// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "merge/law.h"
#include "merge/mapbuilder.h"
#include "merge/trim.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tasuki::merge {

/// What reading a file has found besides its entries.
struct MapFileFindings {
    std::uint64_t lines = 0;
    bool exactScores = true;           ///< see scoreIsExact()
    std::vector<std::string> warnings; ///< one line each, with file and line
};

/// How the lines of a file become entries.
struct MapFileRules {
    Law law;
    ScoreRule score = ScoreRule::None;
};

/// Reads a file of lines `key<TAB>value` into a builder. Bytes are taken as they are: the key ends
/// at the first TAB, the value at the end of the line; both may be empty and hold zero bytes.
///
/// The logical time of a line is its file's place on the command line and then its number: the law
/// `last` decides as though the files were read one after the other, however many ranks read them.
/// @param index     the file's place on the command line, from 0; also the entries' origin
/// @param progress  called now and then with the bytes read so far, @return whether to go on; may
///                  be empty
/// @return an Error of kind Input with file, line and column, or of kind System, ECANCELED when
///         progress told it to end
Result<MapFileFindings> readMapFile(const std::string& path, std::uint32_t index,
                                    const MapFileRules& rules, MapBuilder& into,
                                    const std::function<bool(std::uint64_t)>& progress = {});

} // namespace tasuki::merge
