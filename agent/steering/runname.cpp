// SPDX-License-Identifier: GPL-3.0-or-later
#include "runname.h"

#include "domain/visibletext.h"
#include "host/hostidentity.h"
#include "linkclient/agentaddress.h"
#include "runfile/runfilereader.h"

#include <functional>

namespace tasuki::steering {

namespace {

namespace fs = std::filesystem;

/// Notes the newest agent that may live among those that fit.
void choose(const link::AccessListing& listing,
            const std::function<bool(const link::AccessFile&)>& fits, FoundRun& run)
{
    const std::string here = hostIdentity().key;
    const auto* const newest = newestAgent(listing, here, fits);
    if (newest == nullptr)
        return;
    if (newest->access.hostKey == here)
        run.accessFile = newest->path;
    else
        run.elsewhere = newest->access.hostName;
}

Result<FoundRun> findByAccessFile(const fs::path& path)
{
    const Result<link::AccessFile> access = link::readAccessFile(path);
    if (!access)
        return access.error();
    FoundRun run{.record = access->runFile};
    choose(
        link::listAccessFiles(path.parent_path()),
        [&](const link::AccessFile& agent) { return agent.run == access->run; }, run);
    return run;
}

} // namespace

Result<FoundRun> findRun(const std::string& name, const fs::path& accessDirectory)
{
    const fs::path path(name);
    std::error_code error;
    if (path.extension() == ".json") {
        if (fs::exists(path, error))
            return findByAccessFile(path);
        return Error{.kind = ErrorKind::Input,
                     .message = visible(name) + ": there is no such file",
                     .remedy = "an agent removes its access file when it ends; name the run file"};
    }
    const link::AccessListing listing = link::listAccessFiles(accessDirectory);
    FoundRun run{.record = path};
    // A run file on another host's disk may be large and slow to read, and is found by its name.
    const fs::path whole = fs::weakly_canonical(path, error);
    choose(
        listing, [&](const link::AccessFile& agent) { return fs::path(agent.runFile) == whole; },
        run);
    if (run.accessFile || !run.elsewhere.empty())
        return run;
    const Result<RunFileReader> reader = RunFileReader::open(path);
    if (!reader)
        return reader.error();
    choose(
        listing, [&](const link::AccessFile& agent) { return agent.run == reader->run(); }, run);
    return run;
}

Result<FoundRun> findRun(const std::string& name)
{
    const auto directory = link::accessDirectory();
    return directory ? findRun(name, *directory) : directory.error();
}

Error notLiving(const std::string& name, const FoundRun& run)
{
    const std::string shown = visible(name);
    if (!run.elsewhere.empty())
        return {.kind = ErrorKind::System,
                .message = shown + ": its agent is on " + visible(run.elsewhere),
                .remedy = "give the command there, e.g. ssh " + visible(run.elsewhere)
                    + " tasuki-agent ..."};
    return {.kind = ErrorKind::System,
            .message = shown + ": no agent works on this run any more",
            .remedy = "go on with it: mpirun ... tasuki-agent farm --resume " + shown};
}

} // namespace tasuki::steering
