// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timelinestore.h"

#include <QCoreApplication>
#include <QString>

#include <optional>
#include <span>

namespace tasuki {

/// What tool tips of the timeline say, as rich text.
class AttemptText {
    Q_DECLARE_TR_FUNCTIONS(tasuki::AttemptText)

public:
    /// @return plain text: "rank 3"; where there are several subclusters "filter rank 3"
    static QString rank(const LaneInfo& lane);
    /// @param command   of the task, plain text; may be empty
    /// @param replayed  what the attempt does again of another one; none: nothing
    static QString ofOne(const LaneInfo& lane, const TimelineAttempt& attempt,
                         const QString& command, const std::optional<ReplayStretch>& replayed = {});
    /// Several attempts in one place.
    static QString ofMany(const LaneInfo& lane, std::span<const TimelineAttempt> attempts);

    /// @return the word for how an attempt ended, or that it runs
    static QString outcome(const TimelineAttempt& attempt);
    /// @return a length of time as people write it, for instance "1.25 s" or "2 h 05 min"
    static QString duration(std::chrono::microseconds length);
    /// @return local date and time of day to the millisecond
    static QString time(WallTime time);

private:
    static QString place(const LaneInfo& lane);
    static QString replay(const ReplayStretch& stretch);
};

} // namespace tasuki
