// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace tasuki {

/// While it lives and no launcher has started this process, Open MPI is told that it stays alone: it
/// then starts no daemon for processes to come and looks for no network, which takes most of the time of
/// MPI_Init. What the user has set stands. Changes the environment: for the only thread of a process.
class Singleton {
public:
    Singleton();
    Singleton(const Singleton&) = delete;
    Singleton& operator=(const Singleton&) = delete;
    /// Takes its variables back.
    ~Singleton();

    /// Names of the variables that are set.
    [[nodiscard]] const std::vector<std::string>& variables() const { return m_variables; }

private:
    std::vector<std::string> m_variables;
};

} // namespace tasuki
