// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "mergerun/mergeoptions.h"
#include "startup/commandline.h"

#include <string>

namespace tasuki {

/// @return the options, or an Error of kind Input
Result<MergeOptions> parseMergeOptions(const Arguments& arguments);

/// @return what `merge --help` prints
std::string mergeHelp();

} // namespace tasuki
