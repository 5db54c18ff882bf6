// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordedwork.h"

#include <cstdio>
#include <cstdlib>

namespace tasuki::testbed {

namespace {

constexpr int exitFailure = 1;

/// Not by exceptions: the library is preloaded into programs of any language.
[[noreturn]] void fail(const std::string& path, const char* message)
{
    std::fprintf(stderr, "testbed: error: %s: %s\n", path.c_str(), message);
    std::_Exit(exitFailure);
}

/// Of the launcher: MPI's own handles are symbols that other programs lack.
std::string fileOfRank(const char* directory)
{
    const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
    return std::string(directory) + "/rank." + (rank != nullptr ? rank : "0");
}

} // namespace

std::unique_ptr<RecordedWork> RecordedWork::fromEnvironment()
{
    if (const char* const directory = std::getenv("TASUKI_TESTBED_RECORD"))
        return std::unique_ptr<RecordedWork>(new RecordedWork(Use::Record, fileOfRank(directory)));
    const char* const directory = std::getenv("TASUKI_TESTBED_WORK");
    if (directory == nullptr)
        return nullptr;
    auto work = std::unique_ptr<RecordedWork>(new RecordedWork(Use::Play, fileOfRank(directory)));
    work->read();
    return work;
}

void RecordedWork::read()
{
    std::FILE* const file = std::fopen(m_path.c_str(), "r");
    if (file == nullptr)
        fail(m_path, "cannot be read; record the program's work with as many ranks first");
    long long time = 0;
    int found = 0;
    while ((found = std::fscanf(file, "%lld", &time)) == 1 && time >= 0)
        m_times.push_back(time);
    std::fclose(file);
    if (found != EOF)
        fail(m_path, "expected a number of nanoseconds on each line");
}

std::int64_t RecordedWork::next()
{
    if (m_position == m_times.size())
        fail(m_path, "the program makes more MPI calls than when it was recorded");
    return m_times[m_position++];
}

void RecordedWork::finish() const
{
    if (m_use == Use::Play) {
        if (m_position != m_times.size())
            fail(m_path, "the program made fewer MPI calls than when it was recorded");
        return;
    }
    std::FILE* const file = std::fopen(m_path.c_str(), "w");
    if (file == nullptr)
        fail(m_path, "cannot be written");
    for (const std::int64_t time : m_times)
        std::fprintf(file, "%lld\n", static_cast<long long>(time));
    if (std::ferror(file) != 0 || std::fclose(file) != 0)
        fail(m_path, "cannot be written");
}

} // namespace tasuki::testbed
