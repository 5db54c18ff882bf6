// SPDX-License-Identifier: GPL-3.0-or-later
#include "planoutput.h"

#include "files/wholefile.h"
#include "plan/launchbundle.h"
#include "planning/planformats.h"
#include "startup/commandline.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

#include <unistd.h>

namespace tasuki {

namespace fs = std::filesystem;

namespace {

constexpr auto rankfileName = "rankfile";
constexpr auto machinefileName = "machinefile";
constexpr auto scriptName = "run";

Error noFolder(const std::string& path, int reason)
{
    Error error = systemError("cannot make the directory " + path, reason);
    error.remedy = "give --bundle another place";
    return error;
}

/// Finds out whether the folder can be made, without making it: nobody wants one without a plan.
Result<void> checkFolder(const std::string& path)
{
    std::error_code failure;
    const fs::path whole = path.empty() ? fs::path() : fs::absolute(path, failure);
    fs::path nearest = whole;
    while (nearest.has_relative_path() && !fs::exists(fs::symlink_status(nearest, failure)))
        nearest = nearest.parent_path();
    if (path.empty())
        return noFolder("''", ENOENT);
    if (!fs::is_directory(nearest, failure))
        return noFolder(path, ENOTDIR);
    if (::access(nearest.c_str(), W_OK | X_OK) != 0)
        return noFolder(path, errno);
    return {};
}

Result<void> makeFolder(const std::string& path)
{
    std::error_code failure;
    fs::create_directories(path, failure);
    if (!failure && !fs::is_directory(path, failure))
        failure = std::make_error_code(std::errc::not_a_directory);
    if (!failure)
        return {};
    return noFolder(path, failure.value());
}

Result<void> makeRunnable(const std::string& path)
{
    std::error_code failure;
    fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add, failure);
    if (failure)
        return systemError("cannot make " + path + " executable", failure.value());
    return {};
}

Result<void> writeBundle(const std::string& folder, const plan::LaunchBundle& bundle)
{
    if (const Result<void> made = makeFolder(folder); !made)
        return made;
    const auto in = [&folder](const char* name) { return (fs::path(folder) / name).string(); };
    for (const auto& [name, content] :
         {std::pair(rankfileName, &bundle.rankfile),
          std::pair(machinefileName, &bundle.machinefile), std::pair(scriptName, &bundle.script)}) {
        if (const Result<void> written = writeWholeFile(in(name), *content); !written)
            return written;
    }
    return makeRunnable(in(scriptName));
}

} // namespace

Result<void> preparePlanOutput(const PlanOptions& options)
{
    if (options.csv) {
        if (const Result<void> writable = checkWritable(*options.csv); !writable)
            return writable;
    }
    if (!options.bundle)
        return {};
    if (const Result<void> folder = checkFolder(*options.bundle); !folder)
        return folder;
    std::error_code failure;
    if (!fs::exists(*options.bundle, failure))
        return {};
    for (const char* name : {rankfileName, machinefileName, scriptName}) {
        const Result<void> writable = checkWritable((fs::path(*options.bundle) / name).string());
        if (!writable)
            return writable;
    }
    return {};
}

std::string planText(const PlanOptions& options, const planning::PlanSummary& summary,
                     const plan::Environment& environment, const plan::Ranking& ranking)
{
    switch (options.format) {
    case PlanFormat::Csv: return planning::planCsv(summary, environment, ranking, options.rows);
    case PlanFormat::JsonLines:
        return planning::planJson(summary, environment, ranking, options.rows);
    case PlanFormat::Table: break;
    }
    return planning::planTable(summary, environment, ranking, options.rows);
}

Result<void> writePlanOutput(const PlanOptions& options, const planning::PlanSummary& summary,
                             const plan::Environment& environment, const plan::Ranking& ranking)
{
    if (options.csv) {
        const Result<void> written = writeWholeFile(
            *options.csv, planning::planCsv(summary, environment, ranking, options.keep));
        if (!written)
            return written;
    }
    if (!options.bundle)
        return {};
    const plan::LaunchBundle bundle = plan::launchBundle(environment,
                                                         ranking.best().front().allocation);
    if (const Result<void> written = writeBundle(*options.bundle, bundle); !written)
        return written;
    for (const std::string& warning : bundle.warnings)
        printWarning(warning);
    std::fprintf(options.format == PlanFormat::Table ? stdout : stderr,
                 "start it with %s PROGRAM, or in %s with\n"
                 "  Open MPI 4: mpirun %s PROGRAM\n"
                 "  Open MPI 5: mpirun %s PROGRAM\n",
                 (fs::path(*options.bundle) / scriptName).c_str(), options.bundle->c_str(),
                 bundle.optionsOfOpenMpi4.c_str(), bundle.optionsOfOpenMpi5.c_str());
    return {};
}

} // namespace tasuki
