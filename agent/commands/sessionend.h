// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tasuki {

/// How a processor's part in a run ended.
struct SessionEnd {
    int exitCode = 0;
    bool leads = false;     ///< its exit code is that of the run
    bool losses = false;    ///< a processor may not be there any more: do not wait for it
    bool abandoned = false; ///< the run was given up because master or launcher are gone
};

} // namespace tasuki
