// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapfilereader.h"

#include "merge/number.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace tasuki::merge {

namespace {

/// The number of a line takes so many bits of the logical time, the file's place the others.
constexpr unsigned lineBits = 40;
constexpr std::uint64_t progressBytes = std::uint64_t{16} << 20U;
constexpr std::string_view shape = "expected key<TAB>value";

Error wrongLine(const std::string& path, std::uint64_t line, std::uint64_t column,
                std::string message, std::string remedy)
{
    return Error{.kind = ErrorKind::Input,
                 .message = std::move(message),
                 .remedy = std::move(remedy),
                 .place = SourcePlace{.file = path, .line = line, .column = column}};
}

Result<Entry> parseLine(std::string_view text, const std::string& path, std::uint64_t line,
                        const MapFileRules& rules)
{
    const std::size_t tab = text.find('\t');
    if (tab == std::string_view::npos) {
        return wrongLine(path, line, text.size() + 1,
                         text.empty() ? "the line is empty" : "the line has no TAB",
                         std::string(shape));
    }
    Entry entry{.key = text.substr(0, tab), .value = text.substr(tab + 1)};
    const bool counts = rules.law.keepsOrigins() || rules.score == ScoreRule::Number;
    if (counts && !parseNumber(entry.value) && Decimal::parse(entry.value)) {
        return wrongLine(path, line, tab + 2, "the number is too large or too small",
                         rules.law.keepsOrigins()
                             ? "the law " + rules.law.name() + " adds numbers up to 1.7e308"
                             : "--score number tells numbers from 2.2e-308 to 1.7e308 apart");
    }
    if (rules.law.keepsOrigins() && !parseNumber(entry.value)) {
        return wrongLine(path, line, tab + 2, "the value is no number",
                         "the law " + rules.law.name()
                             + " adds values: expected numbers such as 12, -3, 0.5 or 1e9");
    }
    entry.score = scoreOf(rules.score, entry.value);
    return entry;
}

} // namespace

Result<MapFileFindings> readMapFile(const std::string& path, std::uint32_t index,
                                    const MapFileRules& rules, MapBuilder& into,
                                    const std::function<bool(std::uint64_t)>& progress)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return systemError("cannot read " + path, EISDIR);
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return systemError("cannot read " + path, errno);
    MapFileFindings findings;
    std::uint64_t bytes = 0;
    std::uint64_t nextProgress = progressBytes;
    std::string text;
    while (std::getline(file, text)) {
        ++findings.lines;
        Result<Entry> entry = parseLine(text, path, findings.lines, rules);
        if (!entry)
            return entry.error();
        if (findings.warnings.empty() && text.ends_with('\r')) {
            findings.warnings.push_back(
                wrongLine(path, findings.lines, text.size(),
                          "the line ends with a carriage return, which belongs to the value",
                          "if the file is from Windows, remove them: sed -i 's/\\r$//' FILE")
                    .text());
        }
        entry->stamp = {.time = (std::uint64_t{index} << lineBits) + findings.lines,
                        .origin = index};
        findings.exactScores = findings.exactScores && scoreIsExact(rules.score, entry->value);
        into.put(*entry);
        bytes += text.size() + 1;
        if (progress && bytes >= nextProgress) {
            if (!progress(bytes))
                return systemError("reading " + path + " was ended", ECANCELED);
            nextProgress = bytes + progressBytes;
        }
    }
    if (file.bad())
        return systemError("cannot read on in " + path, errno != 0 ? errno : EIO);
    return findings;
}

} // namespace tasuki::merge
