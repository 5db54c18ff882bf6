// SPDX-License-Identifier: GPL-3.0-or-later
#include "copyfile.h"

#include "files/owndirectories.h"

#include <cstdlib>
#include <system_error>

#include <unistd.h>

namespace tasuki {

namespace fs = std::filesystem;

namespace {

fs::path stateHome()
{
    const char* const state = std::getenv("XDG_STATE_HOME"); // NOLINT(concurrency-mt-unsafe)
    if (state != nullptr && *state == '/')
        return state;
    const char* const home = std::getenv("HOME"); // NOLINT(concurrency-mt-unsafe)
    return home != nullptr && *home == '/' ? fs::path(home) / ".local/state" : fs::path("/var/tmp");
}

bool isThere(const fs::path& path)
{
    std::error_code error;
    return fs::exists(fs::symlink_status(path, error));
}

Error ofAnotherRun(const fs::path& path)
{
    return about(path, ErrorKind::Foreign, "is not a copy of this run's record");
}

} // namespace

fs::path copiesDirectory() { return stateHome() / "tasuki" / "copies"; }

fs::path copyInState(const RunId& run, const std::string& host)
{
    return copiesDirectory() / (run.hex + '-' + host + ".tasuki");
}

CopyFile::CopyFile(Setup setup, std::function<void(std::function<void()>)> post)
    : m_setup(std::move(setup)), m_jobs(std::move(post))
{}

CopyFile::~CopyFile() = default;

void CopyFile::open(const RunId& run, const RecordPlace& original, Term term,
                    std::function<void(Result<Opened>)> opened)
{
    const std::uint64_t opening = ++m_opening;
    const WriterToken token{m_setup.epoch, term};
    m_jobs.add([this, run, original, token, opening, opened = std::move(opened)] {
        auto file = std::make_shared<Result<Opened>>(openSome(run, original, token));
        return [this, file, opening, opened] {
            if (opening == m_opening)
                opened(std::move(*file));
        };
    });
}

Result<replica::CopyStore::Opened> CopyFile::openSome(const RunId& run, const RecordPlace& original,
                                                      WriterToken token)
{
    m_file.reset();
    Result<Opened> there = openUnder(original.path, run, original, token);
    if (there || m_setup.seesOriginal)
        return there;
    std::error_code error;
    const fs::path own = copyInState(run, m_setup.host);
    if (!m_setup.directory.empty())
        return openUnder(m_setup.directory / own.filename(), run, original, token);
    makeOwnDirectories(own.parent_path(), error);
    return openUnder(own, run, original, token);
}

Result<replica::CopyStore::Opened> CopyFile::openUnder(const fs::path& path, const RunId& run,
                                                       const RecordPlace& original,
                                                       WriterToken token)
{
    if (!isThere(path)) {
        Result<RunFileCopy> made = RunFileCopy::create(path, run, original);
        if (!made)
            return made.error();
        if (auto followed = made->follow(token); !followed)
            return followed.error();
        return taken(std::move(*made), path, false);
    }
    Result<RunFileCopy> found = RunFileCopy::open(path);
    if (!found)
        return found.error();
    const bool isOriginal = m_setup.seesOriginal && path == original.path;
    const auto copyOf = found->copyOf();
    if (!copyOf)
        return copyOf.error();
    if (found->run() != run || !(isOriginal || *copyOf))
        return ofAnotherRun(path);
    if (found->lastEvent().epoch > m_setup.epoch)
        return about(path, ErrorKind::Foreign, "has been resumed by somebody else");
    if (auto followed = found->follow(token); !followed)
        return followed.error();
    return taken(std::move(*found), path, isOriginal);
}

Result<replica::CopyStore::Opened> CopyFile::taken(RunFileCopy file, const fs::path& path,
                                                   bool isOriginal)
{
    auto marks = file.marks();
    if (!marks)
        return marks.error();
    m_file.emplace(std::move(file));
    m_path = path;
    m_isCopy = !isOriginal;
    return Opened{.place = {.host = m_setup.host, .path = path.native(), .original = isOriginal},
                  .marks = std::move(*marks)};
}

void CopyFile::cutAfter(EventId last, Done done)
{
    m_jobs.add([this, last, opening = m_opening.load(), done = std::move(done)] {
        const Result<void> cut = m_file ? m_file->cutAfter(last) : Result<void>();
        return [this, opening, cut, done] {
            if (opening == m_opening)
                done(cut);
        };
    });
}

void CopyFile::append(RecordRows rows, Done done)
{
    bool first = false;
    {
        const std::scoped_lock lock(m_mutex);
        first = m_waiting.empty();
        m_waiting.emplace_back(std::move(rows), std::move(done));
    }
    if (first)
        m_jobs.add([this, opening = m_opening.load()] { return storeWaiting(opening); });
}

/// All that has gathered, in one transaction.
std::function<void()> CopyFile::storeWaiting(std::uint64_t opening)
{
    Waiting waiting;
    {
        const std::scoped_lock lock(m_mutex);
        waiting.swap(m_waiting);
    }
    if (opening != m_opening || !m_file)
        return {};
    std::vector<RecordRows> batches;
    auto told = std::make_shared<std::vector<Done>>();
    for (auto& [rows, done] : waiting) {
        batches.push_back(std::move(rows));
        told->push_back(std::move(done));
    }
    const Result<void> stored = m_file->append(batches);
    return [this, opening, stored, told] {
        for (const Done& done : *told) {
            if (opening == m_opening)
                done(stored);
        }
    };
}

void CopyFile::close(bool discard)
{
    ++m_opening;
    m_jobs.add([this, discard]() -> std::function<void()> {
        const bool remove = discard && m_file && m_isCopy;
        m_file.reset();
        if (remove)
            ::unlink(m_path.c_str());
        return {};
    });
}

} // namespace tasuki
