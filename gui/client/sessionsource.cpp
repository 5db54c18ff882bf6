// SPDX-License-Identifier: GPL-3.0-or-later
#include "sessionsource.h"

namespace tasuki {

SessionSource::~SessionSource() = default;

} // namespace tasuki
