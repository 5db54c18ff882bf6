// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputkeeping.h"

#include <algorithm>
#include <charconv>

namespace tasuki {

namespace {

// As outputNotice() says it.
constexpr std::string_view noticeBegin = "the record keeps ";
constexpr std::string_view noticeStreams = " bytes of each stream of a task";
constexpr std::string_view noticeFiles = "; all of it is written to files in \"";

} // namespace

std::string outputFileName(TaskId task, StreamKind stream)
{
    return std::to_string(task.value()) + (stream == StreamKind::Output ? ".out" : ".err");
}

std::uint64_t OutputKeeping::keptOf(const AttemptResult& result) const
{
    return std::min(result.standardOutput.totalBytes, recordBytes)
        + std::min(result.standardError.totalBytes, recordBytes);
}

Phrase outputNotice(const OutputKeeping& keeping)
{
    const Phrase kept = Phrase::tr("the record keeps %1 bytes of each stream of a task")(
        keeping.recordBytes);
    return keeping.directory.empty()
        ? kept
        : Phrase::tr("%1; all of it is written to files in \"%2\"")(kept, keeping.directory);
}

std::optional<OutputKeeping> outputKeepingOf(std::string_view notice)
{
    if (!notice.starts_with(noticeBegin))
        return std::nullopt;
    notice.remove_prefix(noticeBegin.size());
    OutputKeeping keeping;
    const auto [stop, error] = std::from_chars(notice.data(), notice.data() + notice.size(),
                                               keeping.recordBytes);
    if (error != std::errc{})
        return std::nullopt;
    notice.remove_prefix(static_cast<std::size_t>(stop - notice.data()));
    if (!notice.starts_with(noticeStreams))
        return std::nullopt;
    notice.remove_prefix(noticeStreams.size());
    if (notice.empty())
        return keeping;
    if (!notice.starts_with(noticeFiles) || notice.size() < noticeFiles.size() + 2
        || notice.back() != '"')
        return std::nullopt;
    notice.remove_prefix(noticeFiles.size());
    keeping.directory = notice.substr(0, notice.size() - 1);
    return keeping;
}

} // namespace tasuki
