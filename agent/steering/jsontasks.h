// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace tasuki::steering {

/// Turns tasks as JSON Lines into lines of a task list: an object a line, with the members `command`, and as the
/// directives of lists `label`, `after` (a label or a list of them), `retries`, `timeout`, `time`, `warn`, `cwd`, `env` (an
/// object) and `barrier` (true). What one object says holds for its task alone.
class JsonTasks {
public:
    /// Takes bytes that arrived.
    /// @return two lines for each whole object; an Error of kind Input that names the line
    Result<std::string> feed(std::string_view bytes);
    /// No more will come. @return what is left, likewise
    Result<std::string> finish();

private:
    Result<std::string> convert(std::string_view line);

    std::string m_rest; ///< a line that is not whole yet
    std::uint64_t m_line = 0;
    std::set<std::string> m_held; ///< directives that would go on holding
};

} // namespace tasuki::steering
