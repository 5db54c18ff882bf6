// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "files/uniquefd.h"

#include "domain/result.h"

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace tasuki {

/// A running tasuki-guardian with its watcher, seen from the agent that started them.
class GuardianProcess {
public:
    /// @param program  path of tasuki-guardian
    /// @param environment  that it passes on to tasks; none: this process's
    /// @return the process and the agent's end of the socket, which does not block
    static Result<GuardianProcess> start(
        const std::string& program,
        const std::optional<std::vector<std::string>>& environment = {});

    GuardianProcess(GuardianProcess&& other) noexcept;
    GuardianProcess& operator=(GuardianProcess&& other) noexcept;
    /// end(2 s)
    ~GuardianProcess();

    [[nodiscard]] int socket() const { return m_socket.get(); }
    /// @return its pid, -1 when it does not live (yet, or any more); looks through all processes
    [[nodiscard]] pid_t pid() const;
    /// Closes the socket, which makes the guardian kill everything and exit, and waits for that. When it
    /// takes longer than `limit`, its watcher kills guardian and tasks, for a second at most. Reaps
    /// the watcher. Can be repeated.
    void end(std::chrono::milliseconds limit);

private:
    GuardianProcess(UniqueFd socket, pid_t watcher)
        : m_socket(std::move(socket)), m_watcher(watcher)
    {}

    UniqueFd m_socket;
    pid_t m_watcher = -1; ///< this process's child, the guardian's parent; -1: reaped
};

/// @param wanted  a path, or empty for the program that belongs to this executable: in its own
///                directory or in ../libexec/tasuki
Result<std::string> findGuardian(const std::string& wanted);

} // namespace tasuki
