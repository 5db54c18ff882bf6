// SPDX-License-Identifier: GPL-3.0-or-later
#include "launcheroutput.h"

#include "files/streamtext.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tasuki {

namespace {

constexpr std::array<std::string_view, 5> programsOfLaunchers{"mpirun", "mpiexec", "orterun",
                                                              "prterun", "prte"};
/// Options with which an mpirun does something with what it passes on; with one dash or two.
constexpr std::array<std::string_view, 8> changingOptions{
    "tag-output", "timestamp-output", "output-filename", "merge-stderr-to-stdout",
    "xml",        "xml-file",         "xterm",           "output"};

std::string contentOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return textOf(file); // nothing, when it ends meanwhile
}

/// @return whether one of the launcher's own options changes what it passes on
bool changesOutput(std::string_view commandLine)
{
    while (!commandLine.empty()) {
        const std::size_t end = std::min(commandLine.find('\0'), commandLine.size());
        std::string_view word = commandLine.substr(0, end);
        commandLine.remove_prefix(std::min(end + 1, commandLine.size()));
        if (word.ends_with("tasuki-agent"))
            return false; // what follows is its own
        if (!word.starts_with('-'))
            continue;
        word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
        if (std::ranges::find(changingOptions, word) != changingOptions.end())
            return true;
    }
    return false;
}

} // namespace

UniqueFd launcherOutput()
{
    const std::string parent = "/proc/" + std::to_string(::getppid());
    std::string name = contentOf(parent + "/comm");
    name.resize(std::min(name.find('\n'), name.size()));
    if (std::ranges::find(programsOfLaunchers, name) == programsOfLaunchers.end()
        || changesOutput(contentOf(parent + "/cmdline")))
        return {};
    const std::string output = parent + "/fd/1";
    struct stat status {};
    if (::stat(output.c_str(), &status) != 0
        || (!S_ISFIFO(status.st_mode) && !S_ISCHR(status.st_mode)))
        return {};
    UniqueFd opened(::open(output.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    if (opened && ::isatty(opened.get()) == 1)
        return {}; // lines of others appear there, too
    return opened;
}

} // namespace tasuki
