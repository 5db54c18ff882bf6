// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/shellenvironment.h"

#include "domain/result.h"

#include <initializer_list>
#include <string>
#include <vector>

#include <csignal>
#include <spawn.h>
#include <sys/types.h>

namespace tasuki {

/// How another program starts: what it has open, and how it takes signals. It blocks none, and has what
/// of the caller's is not close-on-exec. Throws std::bad_alloc.
class ProgramStart {
public:
    ProgramStart();
    ProgramStart(const ProgramStart&) = delete;
    ProgramStart& operator=(const ProgramStart&) = delete;
    ~ProgramStart();

    /// @param fd  of the caller; negative: the program reads the end of a file at once
    /// @param as  what the program calls it; another one than fd
    void give(int fd, int as);
    /// The program leads a process group of its own.
    void leadGroup();
    /// What the caller ignores of these ends the program all the same.
    void takeSignals(std::initializer_list<int> signals);

    /// @param program      looked for in PATH if it has no slash
    /// @param arguments    its name for itself, then the others
    /// @param environment  all of it
    /// @return the process, or an Error that says what could not be started and why
    [[nodiscard]] Result<pid_t> run(const std::string& program, std::vector<std::string> arguments,
                                    EnvironmentEntries environment) const;

private:
    void add(short flag);

    posix_spawn_file_actions_t m_actions{};
    posix_spawnattr_t m_attributes{};
};

} // namespace tasuki
