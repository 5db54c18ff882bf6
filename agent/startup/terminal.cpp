// SPDX-License-Identifier: GPL-3.0-or-later
#include "terminal.h"

#include "files/uniquefd.h"
#include "launch/launchvariables.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace tasuki {

namespace {

constexpr int usualColumns = 80;
constexpr int fewestColumns = 20;

int columnsOf(int descriptor)
{
    if (::isatty(descriptor) == 0)
        return 0;
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return usualColumns;
    return std::max<int>(size.ws_col, fewestColumns);
}

} // namespace

int ownTerminalColumns() { return columnsOf(STDERR_FILENO); }

int launchTerminalColumns()
{
    if (const char* const told = std::getenv(terminalColumnsVariable))
        return std::max(std::atoi(told), fewestColumns);
    if (std::getenv(exitReportTokenVariable) != nullptr)
        return 0;
    if (std::getenv("OMPI_COMM_WORLD_RANK") == nullptr)
        return ownTerminalColumns();
    const std::string path = "/proc/" + std::to_string(::getppid()) + "/fd/2";
    const UniqueFd terminal(::open(path.c_str(), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    return terminal ? columnsOf(terminal.get()) : 0;
}

} // namespace tasuki
