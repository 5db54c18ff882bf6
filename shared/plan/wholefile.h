// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <string>
#include <string_view>

namespace tasuki::plan {

/// Checks that a file can be put in a place, before work is spent on its content.
Result<void> checkWritable(const std::string& path);

/// Makes a file, or replaces one. It appears whole and on the disk, or not at all: what stood there
/// before stays until then. Symbolic links are followed, and an existing file's mode stays.
Result<void> writeWholeFile(const std::string& path, std::string_view content);

} // namespace tasuki::plan
