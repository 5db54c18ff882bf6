// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzztarget.h"

#include "shared/domain/randomhistory.h"

#include "runfile/runfilewriter.h"

#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

namespace tasuki::fuzz {

namespace {

namespace fs = std::filesystem;

std::string bytesOf(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// With small pages the file is small too, and a fuzzer spends its time on what matters.
void shrink(const fs::path& path)
{
    sqlite3* database = nullptr;
    if (sqlite3_open(path.c_str(), &database) != SQLITE_OK
        || sqlite3_exec(database,
                        "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM; "
                        "PRAGMA journal_mode = WAL",
                        nullptr, nullptr, nullptr)
            != SQLITE_OK)
        fail("a seed cannot be made smaller");
    sqlite3_close(database);
}

std::string withLog(const std::string& file, const std::string& log)
{
    std::string bytes = "W";
    for (unsigned shift = 0; shift < 24; shift += 8)
        bytes += static_cast<char>((file.size() >> shift) & 0xFFU);
    return bytes + file + log;
}

} // namespace

std::vector<std::string> runfileSeeds()
{
    std::string name = (fs::temp_directory_path() / "tasuki-seeds-XXXXXX").native();
    if (!::mkdtemp(name.data()))
        fail("no temporary directory");
    const fs::path directory = name;
    std::vector<std::string> all;
    for (const std::uint32_t history : {1U, 2U}) {
        const fs::path path = directory / (std::to_string(history) + ".tasuki");
        RandomHistory events(history);
        {
            auto writer = RunFileWriter::create(path, {"00112233445566778899aabbccddeeff"});
            if (!writer || !writer->append(events.more(60)))
                fail("a seed cannot be written");
        }
        shrink(path);
        all.push_back(bytesOf(path));
        auto writer = RunFileWriter::open(path);
        if (!writer || !writer->append(events.more(5)))
            fail("a seed cannot be written on");
        all.push_back(withLog(bytesOf(path), bytesOf(path.native() + "-wal")));
    }
    std::error_code ignored;
    fs::remove_all(directory, ignored);
    return all;
}

} // namespace tasuki::fuzz
