// SPDX-License-Identifier: GPL-3.0-or-later
#include "rankprogram.h"

namespace tasuki {

Phrase textOf(PointObstacle what)
{
    switch (what) {
    case PointObstacle::None: return {};
    case PointObstacle::NotKept: return Phrase::tr("its messages are not kept");
    case PointObstacle::Leaving:
        return Phrase::tr("what it has sent has not come to other hosts yet");
    case PointObstacle::UnderWay: return Phrase::tr("a request is under way");
    case PointObstacle::Communicators:
        return Phrase::tr("its communicators are others than at the first one");
    case PointObstacle::Files: return Phrase::tr("it writes a file");
    case PointObstacle::OutputElsewhere:
        return Phrase::tr("its output goes into a file or to another program");
    case PointObstacle::OutputMissing: return Phrase::tr("it prints more than is kept");
    case PointObstacle::Full: return Phrase::tr("log_mb has no room for it");
    }
    return {};
}

} // namespace tasuki
