// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "allocationlist.h"

#include <QCoreApplication>

namespace tasuki {

/// What is said about allocations, in the language of the user.
class AllocationText {
    Q_DECLARE_TR_FUNCTIONS(tasuki::AllocationText)

public:
    /// @return "1,234", or a power of ten
    static QString numberText(const plan::AllocationCount& count);
    /// The spread and what it means, or that not all were tried, and, where there are measurements, how good predictions are.
    static QString summary(const AllocationList& list);
    /// Everything that is known of a row, as rich text.
    static QString toolTip(const AllocationList& list, int row);
    /// The same in one line, for screen readers.
    static QString line(const AllocationList& list, int row);

private:
    static QString countText(const AllocationSummary& summary);
    static QString measuredText(const AllocationList& list, int row);
};

} // namespace tasuki
