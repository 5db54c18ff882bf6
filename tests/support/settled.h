// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>

/// Waits until threads sleep: then all that was to be done before somebody else does something is done.
namespace tasuki::testing {

/// @return whether the thread is asleep (or at an end), as the kernel says
inline bool sleeps(const std::filesystem::path& task)
{
    std::ifstream file(task / "stat");
    std::string text;
    std::getline(file, text);
    const std::size_t name = text.rfind(')'); // may have blanks and brackets in it
    return name == std::string::npos || name + 2 >= text.size() || text[name + 2] == 'S';
}

inline std::filesystem::path taskOf(pid_t thread)
{
    return std::filesystem::path("/proc/self/task") / std::to_string(thread);
}

/// For a thread that is about to sleep until somebody wakes it.
inline void waitUntilAsleep(pid_t thread)
{
    while (!sleeps(taskOf(thread)))
        std::this_thread::yield();
}

/// All threads of this process but the calling one.
inline void waitUntilOthersSleep()
{
    const std::filesystem::path own = taskOf(::gettid());
    bool all = false;
    while (!all) {
        all = true;
        std::error_code ended; // a thread may end meanwhile
        for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", ended))
            all = all && (task.path() == own || sleeps(task.path()));
        if (!all)
            std::this_thread::yield();
    }
}

} // namespace tasuki::testing
