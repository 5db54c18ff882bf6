// SPDX-License-Identifier: GPL-3.0-or-later
#include "diagnosticsink.h"

#include <algorithm>
#include <tuple>

namespace tasuki {

std::vector<Diagnostic> DiagnosticSink::take()
{
    std::stable_sort(m_found.begin(), m_found.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
    });
    return std::exchange(m_found, {});
}

} // namespace tasuki
