// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

#include "preferences.h"

namespace tasuki {

/// A header whose titles stand as the cells below them do.
class AlignedHeader : public QHeaderView {
    Q_OBJECT

public:
    using QHeaderView::QHeaderView;

protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override;
};

/// Gives a header the columns it had when it was last used, keeps what the user makes of it, and
/// lets the context menu of the header choose which columns are shown.
/// @param name  under which it is kept
/// @return whether there was something to restore
bool keepHeader(QHeaderView& header, Preferences& preferences, const QString& name);

} // namespace tasuki
