// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordsight.h"

#include "copyfile.h"

#include "files/recordmode.h"
#include "files/uniquefd.h"
#include "files/wholefile.h"
#include "runfile/freshfile.h"
#include "runfile/rowreader.h"

#include <algorithm>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

namespace tasuki {

namespace fs = std::filesystem;

namespace {

fs::path signOf(const fs::path& runFile) { return runFile.native() + ".sign"; }

bool findsSign(const Briefing& briefing)
{
    // What stands there may be anybody's, a pipe as well.
    constexpr std::size_t mostBytes = 256;
    const auto words = freshText(signOf(briefing.runFile), mostBytes);
    return words && !briefing.sign.empty() && *words == briefing.sign
        && ::access(briefing.runFile.c_str(), R_OK | W_OK) == 0;
}

/// @return a copy of the run's record; of a file that is none, without an event
replica::RecordSight copyUnder(const fs::path& path, const RunId& run)
{
    std::error_code error;
    if (!fs::is_regular_file(path, error))
        return {};
    Result<RowReader> reader = RowReader::open(path);
    if (!reader || reader->run() != run)
        return {};
    const auto latest = reader->latest();
    return {
        .sees = false, .latest = latest ? *latest : std::nullopt, .path = fs::path(path).native()};
}

} // namespace

RecordSign::RecordSign(const fs::path& runFile, const std::string& words) : m_path(signOf(runFile))
{
    ::unlink(m_path.c_str()); // never into what somebody has put there, or through a link
    if (const UniqueFd file(makeFile(m_path, S_IRUSR | S_IWUSR)); file)
        writeAll(file.get(), words);
}

RecordSign::~RecordSign()
{
    std::error_code error;
    fs::remove(m_path, error);
}

std::string RecordSign::randomWords() { return RunId::random().hex; }

replica::RecordSight lookForRecord(const Briefing& briefing, const std::string& host)
{
    if (findsSign(briefing))
        return {.sees = true};
    replica::RecordSight there = copyUnder(briefing.runFile, briefing.run);
    replica::RecordSight own = copyUnder(copyInState(briefing.run, host), briefing.run);
    const bool ownIsNewer = own.latest && (!there.latest || own.latest->id > there.latest->id);
    return ownIsNewer ? own : there;
}

bool anyCopy(const std::vector<replica::RecordSight>& sights)
{
    return std::ranges::any_of(
        sights, [](const replica::RecordSight& sight) { return sight.latest.has_value(); });
}

Result<void> checkNewest(const std::string& runFile,
                         const std::vector<replica::RecordSight>& sights,
                         const std::vector<std::string>& hosts)
{
    Result<RowReader> record = RowReader::open(runFile);
    if (!record)
        return record.error();
    for (std::size_t number = 0; number < sights.size(); ++number) {
        const replica::RecordSight& sight = sights[number];
        if (!sight.latest)
            continue;
        const auto shared = record->firstShared(std::span(&*sight.latest, 1));
        if (!shared)
            return shared.error();
        if (!*shared)
            return about(runFile, ErrorKind::Foreign,
                         "lacks what a copy of it on " + hosts[number] + ", " + sight.path
                             + ", has: the run has gone on there",
                         "resume that file, on that host or after copying it here; or "
                         "remove it, and what was done since is done again");
    }
    return {};
}

} // namespace tasuki
