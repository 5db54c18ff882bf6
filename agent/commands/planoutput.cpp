// SPDX-License-Identifier: GPL-3.0-or-later
#include "planoutput.h"

#include "commandline.h"

#include "plan/launchbundle.h"
#include "plan/wholefile.h"
#include "planning/planreport.h"

#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

namespace tasuki {

namespace fs = std::filesystem;

namespace {

constexpr auto rankfileName = "rankfile";
constexpr auto machinefileName = "machinefile";
constexpr auto scriptName = "run";

Result<void> makeFolder(const std::string& path)
{
    std::error_code failure;
    fs::create_directories(path, failure);
    if (!failure && !fs::is_directory(path, failure))
        failure = std::make_error_code(std::errc::not_a_directory);
    if (!failure)
        return {};
    Error error = systemError("cannot make the directory " + path, failure.value());
    error.remedy = "give --bundle another place";
    return error;
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
    const auto in = [&folder](const char* name) { return (fs::path(folder) / name).string(); };
    for (const auto& [name, content] :
         {std::pair(rankfileName, &bundle.rankfile),
          std::pair(machinefileName, &bundle.machinefile), std::pair(scriptName, &bundle.script)}) {
        if (const Result<void> written = plan::writeWholeFile(in(name), *content); !written)
            return written;
    }
    return makeRunnable(in(scriptName));
}

} // namespace

Result<void> preparePlanOutput(const PlanOptions& options)
{
    if (options.csv) {
        if (const Result<void> writable = plan::checkWritable(*options.csv); !writable)
            return writable;
    }
    if (!options.bundle)
        return {};
    if (const Result<void> made = makeFolder(*options.bundle); !made)
        return made;
    return plan::checkWritable((fs::path(*options.bundle) / scriptName).string());
}

Result<void> writePlanOutput(const PlanOptions& options, const plan::Environment& environment,
                             const plan::Ranking& ranking)
{
    if (options.csv) {
        const Result<void> written = plan::writeWholeFile(*options.csv,
                                                          planning::planCsv(environment, ranking));
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
    std::printf("start it with %s PROGRAM, or in %s with\n"
                "  Open MPI 4: mpirun %s PROGRAM\n"
                "  Open MPI 5: mpirun %s PROGRAM\n",
                (fs::path(*options.bundle) / scriptName).c_str(), options.bundle->c_str(),
                bundle.optionsOfOpenMpi4.c_str(), bundle.optionsOfOpenMpi5.c_str());
    return {};
}

} // namespace tasuki
