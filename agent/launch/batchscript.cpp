// SPDX-License-Identifier: GPL-3.0-or-later
#include "batchscript.h"

#include "domain/shellword.h"

#include <algorithm>
#include <string_view>

namespace tasuki {

namespace {

bool isGiven(const std::vector<std::string>& options, std::string_view longName,
             std::string_view shortName = {})
{
    return std::ranges::any_of(options, [&](const std::string& option) {
        return option == longName || option.starts_with(std::string(longName) + '=')
            || (!shortName.empty() && option.starts_with(shortName) && !option.starts_with("--"));
    });
}

std::string words(const std::vector<std::string>& all)
{
    std::string text;
    for (const std::string& word : all)
        text += ' ' + shellWord(word);
    return text;
}

} // namespace

std::string sbatchScript(const BatchScript& script)
{
    std::string text = "#!/bin/bash\n";
    const auto option = [&](const std::string& line) { text += "#SBATCH " + line + '\n'; };
    // An option and its value may be two words.
    for (std::size_t i = 0; i < script.sbatchOptions.size(); ++i) {
        std::string line = shellWord(script.sbatchOptions[i]);
        if (i + 1 < script.sbatchOptions.size() && !script.sbatchOptions[i + 1].starts_with('-'))
            line += ' ' + shellWord(script.sbatchOptions[++i]);
        option(line);
    }
    if (!isGiven(script.sbatchOptions, "--job-name", "-J"))
        option("--job-name=tasuki");
    if (script.requeued) {
        if (!isGiven(script.sbatchOptions, "--requeue"))
            option("--requeue");
        if (!isGiven(script.sbatchOptions, "--open-mode"))
            option("--open-mode=append");
    }
    // One task of Slurm is one rank. The job is the launch: its exit code is that of the run.
    text += "exec " + shellWord(script.agent) + " launch" + words(script.mpirunOptions) + " --"
        + words(script.agentArguments);
    if (script.requeued && !isGiven(script.agentArguments, "--requeue"))
        text += " --requeue";
    return text + '\n';
}

} // namespace tasuki
