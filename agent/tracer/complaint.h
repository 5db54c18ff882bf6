// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace tasuki::tracer {

/// Says one line on standard error, "tasuki-alog: ...", in one piece.
void complain(const std::string& text) noexcept;

} // namespace tasuki::tracer
