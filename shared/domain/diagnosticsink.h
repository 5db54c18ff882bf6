// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "diagnostic.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tasuki {

/// Collects what is found in one file.
class DiagnosticSink {
public:
    explicit DiagnosticSink(std::string file) : m_file(std::move(file)) {}

    /// @param line, column  from 1; 0: not known
    void error(std::uint64_t line, std::uint64_t column, Phrase message, Phrase remedy)
    {
        add(Severity::Failure, line, column, std::move(message), std::move(remedy));
    }
    void warning(std::uint64_t line, std::uint64_t column, Phrase message, Phrase remedy)
    {
        add(Severity::Warning, line, column, std::move(message), std::move(remedy));
    }

    [[nodiscard]] std::size_t count() const { return m_found.size(); }
    /// @return all that was found, in the order of the file
    [[nodiscard]] std::vector<Diagnostic> take();

private:
    void add(Severity severity, std::uint64_t line, std::uint64_t column, Phrase message,
             Phrase remedy)
    {
        m_found.push_back({.severity = severity,
                           .place = {.file = m_file, .line = line, .column = column},
                           .message = std::move(message),
                           .remedy = std::move(remedy)});
    }

    std::string m_file;
    std::vector<Diagnostic> m_found;
};

} // namespace tasuki
