// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracediagnostics.h"

namespace tasuki::trace {

std::vector<Diagnostic> TraceDiagnostics::take()
{
    std::vector<Diagnostic> all = m_sink.take();
    if (m_warnings > m_limit) {
        Diagnostic rest;
        rest.severity = Severity::Warning;
        rest.place.file = m_file;
        rest.message = std::to_string(m_warnings - m_limit) + " more warnings";
        rest.remedy = "only the first ones are told";
        all.push_back(std::move(rest));
    }
    return all;
}

} // namespace tasuki::trace
