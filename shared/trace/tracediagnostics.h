// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/diagnosticsink.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tasuki::trace {

/// What a diagnostic says: what was found; what was expected, or what became of it.
struct Finding {
    std::string message;
    std::string remedy = {};
};

/// Keeps the first warnings of a log and counts the others, so that a log with nothing but mistakes
/// costs neither memory nor the making of words that nobody will read.
class TraceDiagnostics {
public:
    TraceDiagnostics(std::string file, std::size_t limit)
        : m_sink(file), m_file(std::move(file)), m_limit(limit)
    {}

    /// @param find  makes the Finding; called only if it is kept
    template <class Find>
    void warn(std::uint64_t line, std::uint64_t column, Find&& find)
    {
        if (m_warnings++ >= m_limit)
            return;
        Finding finding = std::forward<Find>(find)();
        m_sink.warning(line, column, std::move(finding.message), std::move(finding.remedy));
    }
    /// Always kept: to be told once or twice a log.
    void fail(std::uint64_t line, std::uint64_t column, Finding finding)
    {
        m_sink.error(line, column, std::move(finding.message), std::move(finding.remedy));
    }

    /// @return what was found in the order of the lines, and at the end how many more there were
    [[nodiscard]] std::vector<Diagnostic> take();

private:
    DiagnosticSink m_sink;
    std::string m_file;
    std::size_t m_limit;
    std::uint64_t m_warnings = 0;
};

} // namespace tasuki::trace
