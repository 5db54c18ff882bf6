// SPDX-License-Identifier: GPL-3.0-or-later
// Run files that somebody else made. The input is the file; when it begins with 'W', then a 3-byte
// length (little-endian), the file of that length and the log that lies beside it.
#include "fuzztarget.h"

#include "domain/runstate.h"
#include "runfile/runfilereader.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include <unistd.h>

namespace fuzz_runfile {

namespace {

using namespace tasuki;
namespace fs = std::filesystem;

/// A directory of this process, in memory when there is such a place.
class Scratch {
public:
    Scratch()
    {
        const fs::path memory = "/dev/shm";
        std::error_code error;
        const fs::path base = fs::is_directory(memory, error) ? memory : fs::temp_directory_path();
        std::string name = (base / "tasuki-fuzz-XXXXXX").native();
        if (!::mkdtemp(name.data()))
            fuzz::fail("no temporary directory");
        m_path = name;
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch()
    {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
    [[nodiscard]] fs::path file(const char* name) const { return m_path / name; }

private:
    fs::path m_path;
};

void write(const fs::path& path, std::string_view bytes)
{
    std::ofstream(path, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void expectWords(const Error& error)
{
    if (error.message.empty() || error.message.find('\n') != std::string::npos)
        fuzz::fail("an error without words, or with several lines");
}

void readAll(const fs::path& path)
{
    auto reader = RunFileReader::open(path);
    if (!reader)
        return expectWords(reader.error());
    RunState state;
    const auto replayed = reader->replay([&](const Event& event) { return state.apply(event); });
    if (!replayed)
        return expectWords(replayed.error());
    if (const auto latest = reader->lastEvent(); !latest)
        expectWords(latest.error());
    for (std::uint32_t task = 0; task < std::min<std::size_t>(state.tasks().size(), 4); ++task)
        if (const auto result = reader->attempt({TaskId(task), AttemptNumber(1)}); !result)
            expectWords(result.error());
}

} // namespace

TASUKI_FUZZ_TARGET(runfileSeeds)
{
    static const Scratch scratch;
    std::string_view file(reinterpret_cast<const char*>(data), size);
    std::string_view log;
    constexpr std::size_t headerBytes = 4;
    if (size >= headerBytes && file[0] == 'W') {
        const std::size_t length = std::size_t{data[1]} | std::size_t{data[2]} << 8U
            | std::size_t{data[3]} << 16U;
        file.remove_prefix(headerBytes);
        log = file.substr(std::min(length, file.size()));
        file = file.substr(0, length);
    }
    const fs::path path = scratch.file("run.tasuki");
    write(path, file);
    if (!log.empty())
        write(scratch.file("run.tasuki-wal"), log);
    readAll(path);
    for (const char* name : {"run.tasuki", "run.tasuki-wal", "run.tasuki-shm"}) {
        std::error_code ignored;
        fs::remove(scratch.file(name), ignored);
    }
    return 0;
}

} // namespace fuzz_runfile
