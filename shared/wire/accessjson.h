// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "accessfile.h"

#include <string>
#include <string_view>

namespace tasuki::link {

/// An access file as JSON. Texts that are not UTF-8 are written as {"hex": "..."}.
std::string jsonOf(const AccessFile& access);

/// @return an Error of kind Foreign or Damaged without a place
Result<AccessFile> accessOfJson(std::string_view json);

/// @return "2026-01-31T12:00:00Z"
std::string isoOf(WallTime time);

} // namespace tasuki::link
