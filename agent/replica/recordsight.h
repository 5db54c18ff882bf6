// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "copywords.h"

#include "domain/result.h"
#include "membership/briefing.h"

#include <filesystem>
#include <string>
#include <vector>

/// Who can reach the record, before a run begins.
namespace tasuki {

/// A small file beside the run file, with words that were drawn for this launch: a processor that
/// finds it there sees the same directory, and not an old copy of the run file that happens to
/// stand under that name.
class RecordSign {
public:
    /// On processor 0. A sign that cannot be written is seen by nobody.
    RecordSign(const std::filesystem::path& runFile, const std::string& words);
    /// Takes it away again.
    ~RecordSign();
    RecordSign(const RecordSign&) = delete;
    RecordSign& operator=(const RecordSign&) = delete;

    static std::string randomWords();

private:
    std::filesystem::path m_path;
};

/// What a processor sees of the record of a launch, or of a copy of it that is its own.
replica::RecordSight lookForRecord(const Briefing& briefing, const std::string& host);

/// @return whether anybody has found a copy
bool anyCopy(const std::vector<replica::RecordSight>& sights);

/// Whether the record has all that the copies have which were found: one of them may have become the
/// record when the host of the original was lost.
/// @param hosts  of the processors, by number
/// @return an Error that names the copy which has more
Result<void> checkNewest(const std::string& runFile,
                         const std::vector<replica::RecordSight>& sights,
                         const std::vector<std::string>& hosts);

} // namespace tasuki
