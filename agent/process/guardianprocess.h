// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/uniquefd.h"

#include "domain/result.h"

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace tasuki {

/// A running tasuki-guardian, seen from the agent that started it.
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
    [[nodiscard]] pid_t pid() const { return m_pid; }
    /// Closes the socket, which makes the guardian kill everything and exit, waits for that, and
    /// kills the guardian when it takes longer than `limit`. Reaps it. Can be repeated.
    void end(std::chrono::milliseconds limit);

private:
    GuardianProcess(UniqueFd socket, pid_t pid) : m_socket(std::move(socket)), m_pid(pid) {}

    UniqueFd m_socket;
    pid_t m_pid = -1; ///< -1: reaped
};

/// @param wanted  a path, or empty for the program that belongs to this executable: in its own
///                directory or in ../libexec/tasuki
Result<std::string> findGuardian(const std::string& wanted);

} // namespace tasuki
